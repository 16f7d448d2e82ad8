"""What a rider named of vehicle and line, for readers who may not read the rider's words.

The fields for plate, number, seal and line take any text: in a confidential case only what is recognisably a
plate, a number or a seal is shown to those who may not read its words.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from complaints.cases.tables import CaseFile
from complaints.registry.plates import find_plate
from complaints.registry.seal_code import LENGTH, squeeze

_NUMBER = re.compile(r"(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9 ./-]{0,7}")
_SEAL = re.compile(f"(?=.*[0-9])[A-Z0-9]{{{LENGTH}}}")


@dataclass(frozen=True)
class NamedVehicle:
    """As typed, or None: not named, or not to be shown."""

    plate: str | None
    fleet_number: str | None
    seal: str | None
    line: str | None


def named_vehicle(case: CaseFile, *, hidden: bool) -> NamedVehicle:
    """What was named in a case; `hidden` when the reader may not read its words."""
    return NamedVehicle(
        plate=_shown(case.plate_typed, hidden, lambda typed: find_plate(typed) is not None),
        fleet_number=_shown(case.fleet_typed, hidden, _is_number),
        seal=_shown(case.seal_typed, hidden, lambda typed: _SEAL.fullmatch(squeeze(typed)) is not None),
        line=_shown(case.line_name, hidden and case.line_id is None, _is_number),
    )


def line_in_lists(case: CaseFile) -> str | None:
    """The line as lists show it, to readers of every kind."""
    return named_vehicle(case, hidden=case.confidentiality == "confidential").line


def _shown(typed: str | None, hidden: bool, is_plain: Callable[[str], bool]) -> str | None:
    return typed if typed and (not hidden or is_plain(typed)) else None


def _is_number(typed: str) -> bool:
    return _NUMBER.fullmatch(typed.strip()) is not None
