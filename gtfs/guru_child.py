"""The process that runs gtfs-guru, with hard limits: `python -I guru_child.py ZIP DAY COUNTRY SHOWN`.

On success (exit 0) one JSON list on standard output: for each code, file and field how many notices there are and
the first SHOWN of them. It imports nothing of this project, so that it is ready in a blink.
"""

import json
import resource
import sys
from typing import Any

MEMORY_BYTES = 1536 * 1024 * 1024
CPU_SECONDS = 30

TOO_BIG = 3
"""Exit code when the memory did not suffice; gtfs-guru itself ends by a signal."""

_FILE_KEYS = ("filename", "childFilename", "fileNameA")
_FIELD_KEYS = ("fieldName", "childFieldName", "columnName", "fieldName1", "specifiedField", "endFieldName")
_ROW_KEYS = (
    *("csvRowNumber", "newCsvRowNumber", "currCsvRowNumber", "csvRowNumberB", "csvRowNumber2"),
    *("stopTimeCsvRowNumber", "stopTimeCsvRowNumber2", "routeCsvRowNumber", "tripCsvRowNumber"),
    *("endCsvRowNumber", "rowNumber", "lineIndex"),
)


def run_guru(path: str, day: str, country: str, shown: int) -> list[dict[str, Any]]:
    """Notices of the zip by (code, file, field); `day` is YYYY-MM-DD, which gtfs-guru does not check itself."""
    import gtfs_guru

    groups: dict[tuple[str, str, str], dict[str, Any]] = {}
    for notice in gtfs_guru.validate(path, country_code=country, date=day).notices:
        context = notice.context()
        file = notice.file or _first(context, _FILE_KEYS) or ""
        field = notice.field or _first(context, _FIELD_KEYS) or ""
        empty: dict[str, Any] = {"code": notice.code, "file": file, "field": field, "total": 0, "samples": []}
        group = groups.setdefault((notice.code, file, field), empty)
        group["total"] += 1
        if len(group["samples"]) < shown:
            row = notice.row if notice.row is not None else _first(context, _ROW_KEYS)
            group["samples"].append({"row": row, "context": context})
    return list(groups.values())


def _first(context: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((context[key] for key in keys if context.get(key) is not None), None)


def _limit(kind: int, most: int) -> None:
    """Lower a limit, or leave a lower one that holds already."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def main() -> int:
    """The child process."""
    _limit(resource.RLIMIT_AS, MEMORY_BYTES)
    _limit(resource.RLIMIT_CPU, CPU_SECONDS)
    _limit(resource.RLIMIT_CORE, 0)
    path, day, country, shown = sys.argv[1:]
    try:
        json.dump(run_guru(path, day, country, int(shown)), sys.stdout, default=str)
    except MemoryError:
        return TOO_BIG
    return 0


if __name__ == "__main__":
    sys.exit(main())
