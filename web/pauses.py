"""Named stop points, so that a test can kill a process at an exact place.

They do nothing unless SELO_PAUSE holds `NAME:FILE`. Then a process that reaches the point called NAME
writes its process id to FILE and waits until somebody removes that file.
"""

import os
import threading
import time
from pathlib import Path

VARIABLE = "SELO_PAUSE"


def pause(name: str) -> None:
    """Wait here if the environment asks for the stop point `name`."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    point, _, path = wanted.partition(":")
    if point == name:
        _wait(Path(path))


def _wait(path: Path) -> None:
    aside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    aside.write_text(str(os.getpid()))
    aside.replace(path)
    while path.exists():
        time.sleep(0.005)
