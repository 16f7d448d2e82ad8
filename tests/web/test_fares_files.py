"""Fares made from acts and law as GTFS files: right by the reference validator, and read back the same."""

import io
import zipfile
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal

import pytest
from sqlmodel import Session

from complaints.authorities.choices import add_choice
from complaints.authorities.fares import fare_key, fare_value
from complaints.authorities.law_in_force import law_on
from complaints.authorities.tables import Authority
from gtfs.archive import Limits
from gtfs.checks.notices import Notices
from gtfs.fares import LineFares, read_fares
from gtfs.importing import Importing, import_feed, prepare_feed
from gtfs.published import find_published, get_archive
from gtfs.reading import read_feed
from tests.gtfs.validator_oracle import judge
from tests.web.demo_feeds import feed as demo_feed
from web.fares_files import list_fare_files
from web.law_fares import reduced_fares
from web.services import Services

WITH_LINES = ("marica", "marechal-floriano", "conceicao-de-macabu", "canaa-dos-carajas")
DAY = date(2026, 11, 30)
PUBLIC = "http://127.0.0.1:8000"


def publish(services: Services, town: Authority, now: datetime) -> None:
    prepared = prepare_feed(demo_feed(town.slug), f"{town.slug}.zip", DAY)
    with services.database.write() as session:
        import_feed(session, Importing(town.id, prepared, "ana", publish=True), now)


def decree(session: Session, town: Authority, cents: int, now: datetime, line: str | None = None) -> None:
    add_choice(
        session, town.id, "fare", fare_key(line), fare_value(cents), instrument="Decreto 1/2026",
        effective_from=DAY, today=DAY, now=now,
    )  # fmt: skip


def files_of(services: Services, town: Authority) -> tuple[bytes, Mapping[str, bytes | None]]:
    with services.database.read() as session:
        feed = find_published(session, town.id)
        assert feed
        return get_archive(session, feed), list_fare_files(session, town, feed, DAY, PUBLIC)


def pack(archive: bytes, files: Mapping[str, bytes | None]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            if name not in files:
                new.writestr(name, old.read(name))
        for name, content in files.items():
            if content is not None:
                new.writestr(name, content)
    return packed.getvalue()


def read_back(feed: bytes) -> dict[str, LineFares]:
    return read_fares(read_feed(feed, "x.zip", Notices(), Limits()))


def amounts(services: Services, town: Authority) -> set[Decimal]:
    found = read_back(pack(*files_of(services, town))).values()
    return {price.amount for fares in found for price in fares.prices}


@pytest.mark.parametrize("slug", WITH_LINES)
@pytest.mark.parametrize("cents", [0, 500])
def test_generated_fares_are_right_and_read_back_the_same(
    services: Services, towns: dict[str, Authority], now: datetime, slug: str, cents: int
) -> None:
    town = towns[slug]
    publish(services, town, now)
    with services.database.write() as session:
        decree(session, town, cents, now)
    feed = pack(*files_of(services, town))
    assert judge(feed).of("ERROR", "WARNING") == ()
    titles = reduced_fares(law_on(town, DAY), {}, cents)
    expected = {"Tarifa inteira": cents} | {
        title.rule.label: title.cents for title in titles if title.cents is not None
    }
    found = read_back(feed)
    assert found
    for fares in found.values():
        assert {price.category: int(price.amount * 100) for price in fares.prices} == expected
        assert sum(price.is_default for price in fares.prices) == 1


def test_each_category_leads_to_its_article(
    services: Services, towns: dict[str, Authority], now: datetime
) -> None:
    town = towns["canaa-dos-carajas"]
    publish(services, town, now)
    fares = next(iter(read_back(pack(*files_of(services, town))).values()))
    links = {price.url for price in fares.prices if not price.is_default}
    keys = {rule.key for rule in law_on(town, DAY).fare_rules}
    assert links
    assert links <= {f"{PUBLIC}/canaa-dos-carajas/tarifas#{key}" for key in keys}


def test_half_of_an_odd_price_is_not_published_until_the_rounding_is_chosen(
    services: Services, towns: dict[str, Authority], now: datetime
) -> None:
    town = towns["canaa-dos-carajas"]
    publish(services, town, now)
    with services.database.write() as session:
        decree(session, town, 375, now)
    amounts = [
        price.amount for fares in read_back(pack(*files_of(services, town))).values() for price in fares.prices
    ]
    assert set(amounts) == {Decimal("3.75"), Decimal("0.00")}
    with services.database.write() as session:
        add_choice(
            session, town.id, "setting", "rounding", "down", instrument="Portaria 2", effective_from=DAY,
            today=DAY, now=now,
        )  # fmt: skip
    amounts = [
        price.amount for fares in read_back(pack(*files_of(services, town))).values() for price in fares.prices
    ]
    assert Decimal("1.87") in amounts


def test_a_line_with_an_act_of_its_own_has_its_own_price(
    services: Services, towns: dict[str, Authority], now: datetime
) -> None:
    town = towns["marica"]
    publish(services, town, now)
    with services.database.write() as session:
        decree(session, town, 500, now)
        decree(session, town, 700, now, line="V01")
    feed = pack(*files_of(services, town))
    assert judge(feed).of("ERROR", "WARNING") == ()
    full = {
        line: next(int(price.amount * 100) for price in fares.prices if price.is_default)
        for line, fares in read_back(feed).items()
    }
    assert full.pop("V01") == 700
    assert set(full.values()) == {500}


def test_without_an_act_the_feeds_own_price_is_kept(
    services: Services, towns: dict[str, Authority], now: datetime
) -> None:
    town = towns["marechal-floriano"]
    publish(services, town, now)
    archive, files = files_of(services, town)
    before = {line: fares.prices[0].amount for line, fares in read_back(archive).items()}
    after = {
        line: next(price.amount for price in fares.prices if price.is_default)
        for line, fares in read_back(pack(archive, files)).items()
    }
    assert after == before
