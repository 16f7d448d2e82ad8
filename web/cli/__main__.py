"""`python -m web.cli` is `selo`, also where the script is not installed."""

from web.cli import main

main(prog_name="selo")
