"""The whole table of what each law lets agents do."""

from datetime import date

import pytest

from complaints.enforcement.powers import MEASURE_LABELS, freeze_measures, get_powers, list_laws_with_powers
from complaints.law.citations import is_citation
from complaints.law.rulebook import UnknownRulebook, get_rulebook, list_rulebooks

TOWN_LAWS = [law for law in list_rulebooks() if get_rulebook(law).law.scope == "municipal"]
PENALTIES = {"warning", "fine", "suspension", "cassation", "course", "caducity"}


def test_each_law_of_a_town_has_its_powers() -> None:
    assert sorted(list_laws_with_powers()) == TOWN_LAWS


@pytest.mark.parametrize("law_id", TOWN_LAWS)
def test_an_inspection_can_always_be_grounded_in_an_article(law_id: str) -> None:
    powers = get_powers(law_id)
    assert powers.bases
    assert powers.measures
    citations = [basis.citation for basis in powers.bases] + [measure.citation for measure in powers.measures]
    assert [citation for citation in citations if not is_citation(citation)] == []
    assert all(basis.text for basis in powers.bases)


@pytest.mark.parametrize("law_id", TOWN_LAWS)
def test_no_measure_on_the_spot_is_a_penalty(law_id: str) -> None:
    words = {measure.word for measure in get_powers(law_id).measures}
    assert not words & PENALTIES
    assert words <= set(MEASURE_LABELS)
    assert all(measure.label for measure in get_powers(law_id).measures)


def test_marica_orders_a_random_inspection_by_article_27() -> None:
    powers = get_powers("marica-2627-2015")
    assert powers.bases[0].citation == "art. 27, § 1º"
    assert powers.allows_basis("art. 27, § 1º")
    assert not powers.allows_basis("art. 42, XV, a")
    assert powers.allows_measures(("retention", "apprehension"))
    assert powers.allows_measures(())
    assert not powers.allows_measures(("fine",))


def test_a_law_without_an_entry_offers_the_inspection_articles_of_its_rulebook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("complaints.enforcement.powers._table", dict)
    get_powers.cache_clear()
    try:
        powers = get_powers("marica-2627-2015")
        inspection = get_rulebook("marica-2627-2015").inspection
        assert inspection is not None
        assert tuple(basis.citation for basis in powers.bases) == inspection.citations
        assert powers.measures == ()
        with pytest.raises(UnknownRulebook):
            get_powers("nowhere-1-2000")
    finally:
        get_powers.cache_clear()


def test_a_measure_keeps_the_law_that_gave_it_as_it_stood_that_day() -> None:
    (kept,) = freeze_measures("marica-2627-2015", ("retention",), date(2026, 12, 1))
    assert kept["law"] == "marica-2627-2015"
    assert kept["law_name"] == "Lei municipal nº 2.627/2015"
    assert kept["key"] == "retention"
    assert kept["version_from"] == "2015-10-28"
    assert kept["citations"][0].startswith("art. 53")
    assert freeze_measures("marica-2627-2015", (), date(2026, 12, 1)) == []
