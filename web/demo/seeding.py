"""The demonstration: five towns filled by the same use cases as real ones; harmless when repeated."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from complaints.authorities.town_file import list_demo_towns
from complaints.cases.checkpoints import make_checkpoints
from web.demo.case_seeding import seed_cases
from web.demo.town_seeding import LogIn, seed_authority, seed_staff, seed_vehicles
from web.services import Services

LOG_INS_FILE = "demo-logins.json"


@dataclass(frozen=True)
class DemoTown:
    """What to try in one town."""

    slug: str
    name: str
    address: str
    sms_number: str | None
    seals: dict[str, str]
    plates: tuple[str, ...]


@dataclass(frozen=True)
class Demonstration:
    """What `selo demo` prints."""

    address: str
    towns: tuple[DemoTown, ...]
    log_ins: tuple[LogIn, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def seed_demo(services: Services, tell: Callable[[str], None]) -> Demonstration:
    """Fill what is missing; `tell` hears the name of each town as its turn comes."""
    towns: list[DemoTown] = []
    log_ins: list[LogIn] = []
    path = services.settings.data_dir / LOG_INS_FILE
    known = _read_passwords(path)
    for town in list_demo_towns():
        tell(town.town)
        authority = seed_authority(services, town)
        lines = _seed_lines(services, authority)
        with services.database.write() as session:
            seed_vehicles(session, authority, lines, services.clock())
        accounts = seed_staff(services, authority, known)
        log_ins += accounts
        _write_passwords(path, log_ins, known)
        seed_cases(services, authority, lines, accounts[0].email)
        towns.append(_describe(services, authority))
    with services.database.write() as session:
        make_checkpoints(session, services.clock())
    return Demonstration(services.settings.public_url, tuple(towns), tuple(log_ins))
