"""The law package knows no database and no web framework."""

import pkgutil
import subprocess
import sys

import complaints.law


def test_law_modules_load_neither_database_nor_framework() -> None:
    names = [module.name for module in pkgutil.iter_modules(complaints.law.__path__, "complaints.law.")]
    assert "complaints.law.terms" in names
    code = (
        f"import sys, importlib\nfor name in {names!r}: importlib.import_module(name)\n"
        "heavy = {'sqlalchemy', 'sqlmodel', 'starlette', 'jinja2', 'holidays'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
