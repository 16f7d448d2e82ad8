"""The demonstration: five towns filled by the same use cases as real ones; harmless when repeated."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import col, select

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.authorities.town_file import list_demo_towns
from complaints.cases.checkpoints import make_checkpoints
from complaints.registry.tables import Vehicle
from gtfs.importing import Importing, import_feed, prepare_feed
from gtfs.published import find_published, list_lines
from gtfs.versions import set_with_fares
from web.demo.case_seeding import seed_cases
from web.demo.network_feed import build_feed
from web.demo.network_reading import list_networks, read_network
from web.demo.passwords import DemoPasswords
from web.demo.town_seeding import Lines, LogIn, seals_by_state, seed_authority, seed_staff, seed_vehicles
from web.rider.line_copy import printed_name
from web.services import Services


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
    passwords = DemoPasswords(services.settings.data_dir)
    for town in list_demo_towns():
        tell(town.town)
        authority = seed_authority(services, town)
        lines = _seed_lines(services, authority)
        with services.database.write() as session:
            seed_vehicles(session, authority, lines, services.clock())
        accounts = seed_staff(services, authority, passwords)
        log_ins += accounts
        seed_cases(services, authority, lines, accounts[0].email)
        towns.append(_describe(services, authority))
    with services.database.write() as session:
        make_checkpoints(session, services.clock())
    return Demonstration(services.settings.public_url, tuple(towns), tuple(log_ins))


def _seed_lines(services: Services, authority: Authority) -> Lines:
    """Publish the town's network unless it has a feed already; the lines that are published."""
    now = services.clock()
    with services.database.read() as session:
        published = find_published(session, authority.id)
    if published is None and authority.slug in list_networks():
        raw = build_feed(read_network(authority.slug))
        prepared = prepare_feed(raw, f"demo-{authority.slug}.zip", local_date(authority, now))
        with services.database.write() as session:
            version = import_feed(session, Importing(authority.id, prepared, "selo demo", publish=True), now)
            set_with_fares(session, authority.id, version.number, True)
    with services.database.read() as session:
        published = find_published(session, authority.id)
        entries = list_lines(session, published) if published else ()
    return {
        entry.short_name: (entry.gtfs_id, printed_name(entry.short_name, entry.long_name)) for entry in entries
    }


def _describe(services: Services, authority: Authority) -> DemoTown:
    with services.database.read() as session:
        seals = seals_by_state(session, authority, local_date(authority, services.clock()))
        plates = session.exec(
            select(Vehicle.plate).where(Vehicle.authority_id == authority.id).order_by(col(Vehicle.plate))
        ).all()
    return DemoTown(
        slug=authority.slug,
        name=authority.town,
        address=f"{services.settings.public_url}/{authority.slug}/",
        sms_number=authority.sms_number,
        seals=seals,
        plates=tuple(plates),
    )
