"""Rulebooks beside the laws' digests and texts, which lie outside the repository."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from complaints.law.citations import is_citation
from complaints.law.rulebook import get_rulebook, list_rulebooks

LAWS = Path(__file__).parents[4] / "shared" / "laws"
TOWNS = tuple(law_id for law_id in list_rulebooks() if law_id != "br-13460-2017")

pytestmark = pytest.mark.skipif(not LAWS.is_dir(), reason="this machine has no ../shared/laws")

every_town = pytest.mark.parametrize("law_id", TOWNS)

SENTENCE = 6
"""Words in a row that would be a sentence of the law rather than ours."""

MADE_BY_SPLITTING = re.compile(r"^(.+)-(horario|itinerario|trajeto|identificacao|gratis)$")


def words_of(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.replace("-\n", "").casefold())
    return re.findall(r"[a-z0-9]+", "".join(char for char in plain if not unicodedata.combining(char)))


def runs_of(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + SENTENCE]) for start in range(len(words) - SENTENCE + 1)}


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from texts_in(inner)


def digest_rows(law_id: str) -> dict[str, list[str]]:
    """Cells of the digest's tables by the key in the first cell, the key left out."""
    rows = {}
    for line in (LAWS / f"{law_id}.digest.md").read_text(encoding="utf-8").splitlines():
        found = re.match(r"\| `([a-z0-9-]+)` \| (.*) \|$", line)
        if found:
            rows[found[1]] = found[2].split(" | ")
    return rows


@every_town
def test_no_text_repeats_six_words_of_the_law(law_id: str) -> None:
    law = runs_of(words_of((LAWS / f"{law_id}.txt").read_text(encoding="utf-8")))
    copied = {text for text in texts_in(get_rulebook(law_id).model_dump()) if runs_of(words_of(text)) & law}
    assert copied == set()


@every_town
def test_provisions_and_fare_rules_have_the_keys_of_the_digest(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    known = set(digest_rows(law_id))
    groups = (rulebook.infractions, rulebook.duties, rulebook.grounds, rulebook.fare_rules)
    ours = {row.key for rows in groups for row in rows}
    ours |= {exclusion.key for exclusion in rulebook.fare_exclusions if exclusion.key is not None}
    # The digest prints Maricá's grounds of retention and apprehension in a sentence, not in a table.
    text = (LAWS / f"{law_id}.digest.md").read_text(encoding="utf-8")
    unkeyed = {key for key in ours if is_citation(key)}
    assert {key for key in ours - known - unkeyed if f"`{key}`" not in text} == set()


@every_town
def test_every_row_with_a_passenger_label_is_a_subject(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    labelled = set()
    for key, cells in digest_rows(law_id).items():
        is_infraction = len(cells) == 7 and "não exibir" not in cells[5]
        is_marica_row = key.startswith(("inf-", "obr-")) and len(cells) == 5 and cells[3] != "-"
        if is_infraction or is_marica_row or key.startswith(("ass-", "dever-")):
            labelled.add(key)
    assert len(labelled) > 20
    assert {key for key in labelled if rulebook.find_subject(key) is None} == set()


@every_town
def test_subjects_come_from_the_digest_or_from_the_shared_words(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    known = set(digest_rows(law_id)) | {row.key for row in rulebook.unlisted}
    for offered in rulebook.subjects:
        split = MADE_BY_SPLITTING.match(offered.key)
        assert offered.key in known or (split is not None and split[1] in known), offered.key


@every_town
def test_topics_of_infractions_are_those_of_the_digest(law_id: str) -> None:
    rows = digest_rows(law_id)
    for infraction in get_rulebook(law_id).infractions:
        if len(rows[infraction.key]) == 7:
            assert infraction.topic == rows[infraction.key][6], infraction.key


@every_town
def test_every_key_of_the_digest_is_in_the_rulebook(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    assert {key for key in digest_rows(law_id) if not rulebook.knows_subject(key)} == set()
