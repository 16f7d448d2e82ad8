"""The authority's choices: dated, only ever added, never backwards."""

from datetime import date, datetime, timedelta

import pytest

from complaints.authorities.choices import BackdatedChoice, add_choice, choice_on, find_choice, list_choices
from complaints.authorities.tables import Authority
from web.db import Database

TODAY = date(2026, 11, 30)
TOMORROW = TODAY + timedelta(days=1)


def choose(
    database: Database,
    town: Authority,
    value: object,
    now: datetime,
    since: date = TODAY,
    key: str = "fare.rounding",
) -> None:
    with database.write() as session:
        add_choice(
            session,
            town.id,
            "setting",
            key,
            value,
            instrument=f"Resolução sobre {value}",
            effective_from=since,
            today=TODAY,
            now=now,
        )


def test_a_choice_holds_from_its_first_day_until_another_takes_effect(
    database: Database, towns: dict[str, Authority], now: datetime
) -> None:
    choose(database, towns["marica"], "up", now)
    choose(database, towns["marica"], "down", now, TOMORROW)
    days = (TODAY - timedelta(days=1), TODAY, TOMORROW)
    with database.read() as session:
        assert [choice_on(session, towns["marica"].id, "setting", "fare.rounding", day) for day in days] == [
            None,
            "up",
            "down",
        ]


def test_of_two_choices_for_one_day_the_one_made_later_holds(
    database: Database, towns: dict[str, Authority], now: datetime
) -> None:
    choose(database, towns["marica"], "down", now + timedelta(hours=1))
    choose(database, towns["marica"], "up", now)
    with database.read() as session:
        assert choice_on(session, towns["marica"].id, "setting", "fare.rounding", TODAY) == "down"


def test_a_choice_never_reaches_back(database: Database, towns: dict[str, Authority], now: datetime) -> None:
    with pytest.raises(BackdatedChoice) as refused:
        choose(database, towns["marica"], "up", now, TODAY - timedelta(days=1))
    assert refused.value.key == "fare.rounding"
    with database.read() as session:
        assert find_choice(session, towns["marica"].id, "setting", "fare.rounding", TODAY) is None


def test_the_list_holds_what_is_found_one_by_one_and_nothing_of_another_town(
    database: Database, towns: dict[str, Authority], now: datetime
) -> None:
    other = towns["rio-das-ostras"]
    choose(database, towns["marica"], "up", now)
    choose(database, towns["marica"], "down", now + timedelta(hours=1))
    choose(database, towns["marica"], "later", now, TOMORROW)
    choose(database, towns["marica"], "free", now, key="fare.children")
    choose(database, other, "elsewhere", now, key="fare.elsewhere")
    with database.read() as session:
        listed = list_choices(session, towns["marica"].id, "setting", TODAY)
        assert listed["fare.rounding"].value == "down"
        assert listed == {key: find_choice(session, towns["marica"].id, "setting", key, TODAY) for key in listed}
        assert {"fare.rounding", "fare.children"} <= listed.keys()
        assert "fare.elsewhere" not in listed
