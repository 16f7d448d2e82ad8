"""Addresses of lines and stops: plain, unique, and the same for good."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.addresses import Address, Named, assign_slugs
from gtfs.folding import fold


def named(gtfs_id: str, *texts: str) -> Named:
    return Named(gtfs_id, texts, fold(" ".join(texts)))


def address(gtfs_id: str, slug: str, name: str) -> Address:
    return Address(gtfs_id, slug, fold(name))


@pytest.mark.parametrize(
    ("entry", "slug"),
    [
        (named("1", "E30A", "Centro"), "e30a"),
        (named("1", "", "Centro x Araçatiba"), "centro-x-aracatiba"),
        (named("L 7/B", "", "室蘭港"), "l-7-b"),
        (named("室蘭", "★", "室蘭港"), "linha-1"),
        (named("室蘭"), "linha-1"),
    ],
)
def test_slug_is_made_from_the_best_text_there_is(entry: Named, slug: str) -> None:
    assert assign_slugs([entry], [], frozenset(), "linha") == {entry.gtfs_id: slug}


def test_equal_names_are_numbered() -> None:
    entries = [named("a", "Praça"), named("b", "Praca"), named("c", "Praça 2"), named("d", "praça")]
    slugs = assign_slugs(entries, [], frozenset(), "parada")
    assert list(slugs.values()) == ["praca", "praca-2", "praca-2-2", "praca-3"]


def test_id_keeps_its_slug_under_a_new_name() -> None:
    known = [address("a", "centro", "Centro")]
    assert assign_slugs([named("a", "Rodoviária")], known, frozenset({"a"}), "parada") == {"a": "centro"}


def test_new_id_takes_over_the_slug_of_a_gone_id_of_the_same_name() -> None:
    known = [address("old", "centro", "Centro"), address("other", "praia", "Praia")]
    slugs = assign_slugs([named("new", "CENTRO"), named("other", "Praia")], known, frozenset({"old"}), "parada")
    assert slugs == {"new": "centro", "other": "praia"}


def test_id_gone_from_the_present_version_goes_before_one_gone_for_long() -> None:
    known = [address("ancient", "centro-2", "Centro"), address("old", "centro", "Centro")]
    slugs = assign_slugs([named("new", "Centro")], known, frozenset({"old"}), "parada")
    assert slugs == {"new": "centro"}


def test_slug_of_a_gone_id_is_given_to_no_other_name() -> None:
    known = [address("old", "centro", "Centro Velho")]
    assert assign_slugs([named("new", "Centro")], known, frozenset(), "parada") == {"new": "centro-2"}


def test_id_that_comes_back_beside_its_successor_gets_a_new_slug() -> None:
    known = [address("old", "centro", "Centro"), address("new", "centro", "Centro")]
    slugs = assign_slugs([named("old", "Centro"), named("new", "Centro")], known, frozenset({"new"}), "parada")
    assert slugs == {"new": "centro", "old": "centro-2"}


def test_nameless_ids_take_nothing_over() -> None:
    known = [address("old", "linha-1", "")]
    assert assign_slugs([named("★")], known, frozenset(), "linha") == {"★": "linha-1-2"}


ENTRIES = st.lists(
    st.builds(named, st.text(min_size=1, max_size=4), st.sampled_from(["", "A", "á", "A 2", "室", "B"])),
    unique_by=lambda entry: entry.gtfs_id,
    max_size=8,
)


@given(st.lists(ENTRIES, min_size=2, max_size=4))
def test_slugs_are_plain_unique_and_kept_through_any_versions(versions: list[list[Named]]) -> None:
    known: dict[str, Address] = {}
    current: frozenset[str] = frozenset()
    for entries in versions:
        slugs = assign_slugs(entries, known.values(), current, "parada")
        assert set(slugs) == {entry.gtfs_id for entry in entries}
        assert len(set(slugs.values())) == len(slugs)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) for slug in slugs.values())
        assert all(slugs[id_] == known[id_].slug for id_ in current & slugs.keys())
        known |= {entry.gtfs_id: Address(entry.gtfs_id, slugs[entry.gtfs_id], entry.name) for entry in entries}
        current = frozenset(slugs)
