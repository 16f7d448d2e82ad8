"""What holds for every rulebook that ships, read as one table."""

import pytest

from complaints.law.provisions import Subject
from complaints.law.rulebook import UnknownRulebook, get_rulebook, list_rulebooks
from complaints.law.schema import Rulebook
from complaints.law.vocabulary import get_vocabulary

TOWNS = (
    "canaa-dos-carajas-46-2003",
    "conceicao-de-macabu-1588-2019",
    "marechal-floriano-955-2009",
    "marica-2627-2015",
    "rio-das-ostras-2358-2020",
)
MARICA, MARECHAL, CONCEICAO = TOWNS[3], TOWNS[2], TOWNS[1]
RIO_DAS_OSTRAS, CANAA = TOWNS[4], TOWNS[0]

every_town = pytest.mark.parametrize("law_id", TOWNS)


def subject(law_id: str, key: str) -> Subject:
    found = get_rulebook(law_id).find_subject(key)
    assert found is not None, f"{law_id} has no subject {key}"
    return found


def test_the_five_towns_and_the_federal_law_ship() -> None:
    assert list_rulebooks() == tuple(sorted((*TOWNS, "br-13460-2017")))


@pytest.mark.parametrize("law_id", list_rulebooks())
def test_each_rulebook_loads_once_under_the_name_of_its_file(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    assert rulebook.law.id == law_id
    assert get_rulebook(law_id) is rulebook


@pytest.mark.parametrize("law_id", ["marica", "../marica-2627-2015", "", "br-13460-2017.toml"])
def test_unknown_rulebook_is_named(law_id: str) -> None:
    with pytest.raises(UnknownRulebook) as caught:
        get_rulebook(law_id)
    assert caught.value.law_id == law_id


@pytest.mark.parametrize(
    ("law_id", "infractions", "duties", "grounds", "fare_rules"),
    [
        (MARICA, 31, 42, 26, 4),
        (MARECHAL, 21, 15, 9, 5),
        (CONCEICAO, 40, 0, 12, 3),
        (RIO_DAS_OSTRAS, 77, 0, 29, 0),
        (CANAA, 51, 11, 18, 10),
    ],
)
def test_every_row_of_the_law_is_there(
    law_id: str, infractions: int, duties: int, grounds: int, fare_rules: int
) -> None:
    rulebook = get_rulebook(law_id)
    counts = (rulebook.infractions, rulebook.duties, rulebook.grounds, rulebook.fare_rules)
    assert tuple(len(rows) for rows in counts) == (infractions, duties, grounds, fare_rules)


@pytest.mark.parametrize(
    ("law_id", "has_lines", "has_fare"),
    [(law_id, law_id != RIO_DAS_OSTRAS, law_id != RIO_DAS_OSTRAS) for law_id in TOWNS],
)
def test_school_transport_alone_has_no_lines_and_no_fare(law_id: str, has_lines: bool, has_fare: bool) -> None:
    rulebook = get_rulebook(law_id)
    assert (rulebook.has_lines, rulebook.has_fare) == (has_lines, has_fare)


@every_town
def test_labels_are_short_plain_and_start_with_a_capital(law_id: str) -> None:
    for offered in get_rulebook(law_id).subjects:
        assert offered.label[0].isupper(), offered.key
        assert len(offered.label) <= 60, offered.label
        assert not offered.label.endswith("."), offered.label


@every_town
def test_candidates_of_a_subject_exist_and_are_never_repeated(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    for offered in rulebook.subjects:
        assert len(set(offered.candidates)) == len(offered.candidates) <= 5
        assert all(rulebook.find_provision(key) is not None for key in offered.candidates)


@every_town
def test_every_visible_infraction_leads_from_a_subject(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    reached = {key for offered in rulebook.subjects for key in offered.candidates}
    visible = {row.key for row in rulebook.infractions if row.witness != "no"}
    assert visible <= reached


@every_town
def test_rows_a_passenger_cannot_see_are_no_subjects(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    for row in rulebook.provisions:
        if row.witness == "no":
            assert rulebook.find_subject(row.key) is None, row.key


@every_town
def test_subject_with_the_key_of_a_row_cites_that_row(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    for offered in rulebook.subjects:
        row = rulebook.find_provision(offered.key)
        if row is not None and not offered.no_direct_rule:
            assert offered.citations == row.citations
            assert offered.witness == row.witness


@every_town
def test_the_commonest_subjects_come_first(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    first = rulebook.most_common
    assert len(first) >= 10
    assert tuple(offered.key for offered in rulebook.subjects[: len(first)]) == first


@every_town
def test_other_matters_come_last(law_id: str) -> None:
    assert get_rulebook(law_id).subjects[-1].key == "outro"


@pytest.mark.parametrize("law_id", [town for town in TOWNS if town != RIO_DAS_OSTRAS])
def test_where_there_are_lines_lateness_comes_first_and_then_not_stopping(law_id: str) -> None:
    topics = [offered.topic for offered in get_rulebook(law_id).list_subjects()]
    assert topics[:2] == ["schedule", "stops"]


def test_maricas_charge_while_free_is_offered_first_and_only_while_free() -> None:
    rulebook = get_rulebook(MARICA)
    assert rulebook.list_subjects(everyone_free=True)[0].label == "Cobraram passagem"
    assert "Cobraram passagem" not in {offered.label for offered in rulebook.list_subjects()}
    assert subject(MARICA, "inf-tarifa-diferente-gratis").citations == ("art. 42, VIII",)


URGENT = (
    (MARICA, "inf-dirigir-sob-efeito", "drunk_driver"),
    (MARECHAL, "dever-alcool", "drunk_driver"),
    (CONCEICAO, "motorista-alterado", "drunk_driver"),
    (RIO_DAS_OSTRAS, "cas-embriaguez", "drunk_driver"),
    (RIO_DAS_OSTRAS, "condutor-sem-condicoes", "drunk_driver"),
    (CANAA, "beber-em-servico", "drunk_driver"),
    (MARICA, "obr-socorrer-feridos", "accident"),
    (MARECHAL, "omissao-de-socorro", "accident"),
    (RIO_DAS_OSTRAS, "omissao-de-socorro", "accident"),
    (CANAA, "omissao-de-socorro", "accident"),
    (MARICA, "violencia", "violence"),
    (MARICA, "inf-arma-no-veiculo", "violence"),
    (MARECHAL, "violencia", "violence"),
    (CONCEICAO, "violencia", "violence"),
    (RIO_DAS_OSTRAS, "cas-agressao", "violence"),
    (CANAA, "violencia", "violence"),
    (RIO_DAS_OSTRAS, "excesso-de-alunos", "school_overload"),
    (RIO_DAS_OSTRAS, "aluno-em-pe", "school_overload"),
    *((town, "acidente", "accident") for town in TOWNS),
    *((town, "assedio-toque", "harassment") for town in TOWNS),
    *((town, "assedio-perseguicao", "harassment") for town in TOWNS),
    *((town, "assedio-palavras", "harassment") for town in TOWNS),
    *((town, "assedio-filmagem", "harassment") for town in TOWNS),
)


@pytest.mark.parametrize(("law_id", "key", "urgency"), URGENT)
def test_danger_is_marked_urgent(law_id: str, key: str, urgency: str) -> None:
    assert subject(law_id, key).urgency == urgency
    assert subject(law_id, key).urgent


@every_town
def test_lateness_dirt_and_price_are_not_urgent(law_id: str) -> None:
    calm = {"schedule", "fare", "gratuity", "vehicle-condition", "notices", "answer"}
    for offered in get_rulebook(law_id).subjects:
        assert not (offered.topic in calm and offered.urgent), offered.key


@every_town
def test_harassment_violence_and_conduct_of_officials_are_confidential(law_id: str) -> None:
    for offered in get_rulebook(law_id).subjects:
        delicate = offered.urgency in {"harassment", "violence"} or offered.key == "conduta-de-servidor"
        assert offered.confidential or not delicate, offered.key


@every_town
def test_harassment_is_told_by_situations_not_by_its_name(law_id: str) -> None:
    labels = [offered.label.lower() for offered in get_rulebook(law_id).subjects]
    assert not any("assédio" in label or "abuso" in label for label in labels)
    assert any("passaram a mão" in label for label in labels)


@every_town
@pytest.mark.parametrize(
    "topic", ["accessibility", "harassment", "lost-property", "answer", "overcrowding", "other"]
)
def test_subjects_no_law_lists_are_offered_in_every_town(law_id: str, topic: str) -> None:
    assert any(offered.topic == topic for offered in get_rulebook(law_id).subjects)


@pytest.mark.parametrize(
    ("law_id", "key"), [(CONCEICAO, "lotacao"), (CANAA, "lotacao"), (CONCEICAO, "grosseria"), (CANAA, "troco")]
)
def test_what_a_law_does_not_punish_is_accepted_and_marked(law_id: str, key: str) -> None:
    assert subject(law_id, key).no_direct_rule


def test_marechals_duties_have_no_fine_and_so_no_candidates() -> None:
    assert subject(MARECHAL, "dever-troco").candidates == ()
    assert subject(MARECHAL, "dever-troco").no_direct_rule
    assert subject(MARECHAL, "dever-troco").citations == ("art. 34, I",)


@pytest.mark.parametrize(
    ("law_id", "key", "found"),
    [
        (MARICA, "obr-parar-so-no-ponto", "inf-embarque-fora-do-ponto"),
        (MARICA, "obr-itinerario-horario-padrao", "obr-itinerario-horario-padrao-horario"),
        (MARECHAL, "dever-itinerario-horario", "dever-itinerario-horario-horario"),
    ],
)
def test_row_a_rider_cannot_tell_apart_is_found_by_its_own_key(law_id: str, key: str, found: str) -> None:
    assert subject(law_id, key).key == found


def test_candidates_switched_off_wait_for_the_authority() -> None:
    rulebook = get_rulebook(RIO_DAS_OSTRAS)
    film = subject(RIO_DAS_OSTRAS, "pelicula-ou-cortina")
    assert film.candidates == ("pelicula-ou-cortina",)
    assert rulebook.list_candidates(film) == ()
    overload = subject(RIO_DAS_OSTRAS, "excesso-de-alunos")
    assert [row.key for row in rulebook.list_candidates(overload)] == ["excesso-de-alunos", "aluno-em-pe"]


def test_maricas_infractions_have_no_class_while_its_annex_is_missing() -> None:
    rows = get_rulebook(MARICA).infractions
    assert {row.class_id for row in rows} == {None}
    assert {row.source_kind for row in rows} == {"external_annex"}


@pytest.mark.parametrize(
    ("law_id", "classes"),
    [
        (MARECHAL, {"m200", "m400", "m1000"}),
        (CONCEICAO, {"unica"}),
        (RIO_DAS_OSTRAS, {"I", "II", "III", "IV"}),
        (CANAA, {"leve", "media", "grave", "gravissima"}),
    ],
)
def test_classes_are_the_words_of_the_contract(law_id: str, classes: set[str]) -> None:
    assert {row.class_id for row in get_rulebook(law_id).infractions} == classes


@pytest.mark.parametrize(
    ("law_id", "months"), [(MARICA, 12), (CONCEICAO, 6), (RIO_DAS_OSTRAS, 12), (MARECHAL, None), (CANAA, None)]
)
def test_inspection_period_is_the_laws_or_missing(law_id: str, months: int | None) -> None:
    inspection = get_rulebook(law_id).inspection
    assert inspection is not None
    assert inspection.period_months == months


FARES = (
    (MARICA, "grat-maior-65", 100, "art. 23, § 2º"),
    (MARECHAL, "meia-estudante", 50, "art. 24"),
    (MARECHAL, "carteiro-em-servico", 100, "art. 25, II"),
    (CONCEICAO, "crianca-ate-6", 100, "art. 71, II"),
    (CANAA, "escoteiro", 100, "art. 24, III"),
    (CANAA, "meia-estudante", 50, "art. 58"),
)


@pytest.mark.parametrize(("law_id", "key", "percent", "citation"), FARES)
def test_fare_rules_give_what_the_article_gives(law_id: str, key: str, percent: int, citation: str) -> None:
    (rule,) = [rule for rule in get_rulebook(law_id).fare_rules if rule.key == key]
    assert (rule.percent_off, rule.citations) == (percent, (citation,))


@every_town
def test_every_rule_with_an_age_says_what_is_open_about_it(law_id: str) -> None:
    for rule in get_rulebook(law_id).fare_rules:
        if "anos" in rule.label:
            assert rule.disputes, f"{rule.key} shows a disputed age as settled"
            assert all("não deixa claro" in dispute.question for dispute in rule.disputes)


@every_town
def test_every_title_refused_leads_to_a_complaint(law_id: str) -> None:
    assert all(rule.subject is not None for rule in get_rulebook(law_id).fare_rules)


def test_school_transport_promises_no_fare_rule() -> None:
    rulebook = get_rulebook(RIO_DAS_OSTRAS)
    assert not rulebook.fare_rules
    assert not rulebook.fare_exclusions
    assert rulebook.fare_notes


@every_town
def test_no_municipal_law_claims_a_term_to_answer(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    assert rulebook.find_step("answer", None) is None
    assert any("prazo" in silence for silence in rulebook.silences)
    assert not any("dias" in rule.text for rule in rulebook.complaint_rules)


def test_the_federal_law_sets_the_clock() -> None:
    rulebook = get_rulebook("br-13460-2017")
    answer, internal = rulebook.get_step("answer"), rulebook.get_step("internal-request")
    assert (answer.count, answer.extension_count, answer.extensions_max) == (30, 30, 1)
    assert (internal.count, internal.extension_count, internal.extensions_max) == (20, 20, 1)
    assert answer.citations == ("art. 16, caput",)
    assert answer.needs_reasons
    with pytest.raises(KeyError):
        rulebook.get_step("appeal")


def test_the_federal_law_has_no_subjects_of_its_own() -> None:
    assert get_rulebook("br-13460-2017").list_subjects() == ()


@every_town
def test_pages_say_what_is_shown_in_the_vehicle_and_when_a_driver_may_refuse(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    assert rulebook.displays
    assert rulebook.user_rights
    assert rulebook.complaint_rules
    assert rulebook.refusals or law_id == RIO_DAS_OSTRAS


def _texts(rulebook: Rulebook) -> list[str]:
    rules = (*rulebook.user_rights, *rulebook.user_duties, *rulebook.refusals, *rulebook.displays)
    return [rule.text for rule in (*rules, *rulebook.complaint_rules, *rulebook.fare_notes)]


@pytest.mark.parametrize("law_id", list_rulebooks())
def test_sentences_for_riders_are_short(law_id: str) -> None:
    for text in _texts(get_rulebook(law_id)):
        longest = max(len(sentence.split()) for sentence in text.split(". "))
        assert longest <= 25, text


def test_every_kind_of_urgency_has_numbers_to_call() -> None:
    used = {offered.urgency for town in TOWNS for offered in get_rulebook(town).subjects if offered.urgency}
    emergencies = get_vocabulary().emergencies
    assert used == set(emergencies)
    assert all(emergency.numbers for emergency in emergencies.values())
    for emergency in emergencies.values():
        assert all(number in emergency.advice or number == "190" for number in emergency.numbers)


def test_every_unlisted_subject_of_the_vocabulary_is_offered_somewhere() -> None:
    offered = {row.key for town in TOWNS for row in get_rulebook(town).unlisted}
    assert offered == set(get_vocabulary().unlisted)
