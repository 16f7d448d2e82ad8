"""A rulebook with a fault is refused, and every fault is told with its place."""

from pathlib import Path

import pytest

from complaints.law.rulebook import BadRulebook, parse_rulebook, read_rulebook

LAW = """
[law]
id = "lugar-1-2027"
scope = "municipal"
name = "Lei municipal nº 1/2027"
number = "1/2027"
signed_on = 2027-01-02
municipality = "Lugar"
uf = "RJ"
summary = "Cria o transporte de Lugar."
read_on = 2027-02-01
"""
SERVICE = """
[[service]]
id = "regular"
label = "Linhas"
has_lines = true
has_fare = true
citations = ["art. 1"]
"""
INFRACTION = """
[[infraction]]
key = "fumar"
citations = ["art. 2, I"]
class = "leve"
paraphrase = "Fumar a bordo."
witness = "yes"
topic = "conduct"
"""
SUBJECT = """
[[subject]]
key = "fumar"
label = "Fumaram"
topic = "conduct"
citations = ["art. 2, I"]
candidates = ["fumar"]
applies_to = ["vehicle"]
"""
FARE = """
[[fare_rule]]
key = "idoso"
label = "Idosos"
percent_off = 100
services = ["regular"]
citations = ["art. 3"]
subject = "fumar"
"""
RULES = """
[structure]
1 = {}
2 = { items = 4 }
3 = { single = true }
4 = {}

[fines]
citations = ["art. 4"]

[[fine_class]]
id = "leve"
label = "Leve"
amount = "10"
unit = "UFL"
citations = ["art. 4"]
"""
WHOLE = LAW + RULES + SERVICE + INFRACTION + SUBJECT + FARE
LOOSE = (
    ('citations = ["art. 3"]', 'citations = ["art. 9"]', "art. 9: a lei não tem este artigo"),
    ('citations = ["art. 3"]', 'citations = ["art. 3, § 2º"]', "art. 3, § 2º: o artigo só tem 0 parágrafos"),
    ('citations = ["art. 3"]', 'citations = ["art. 2, par. único"]', "o artigo não tem parágrafo único"),
    ('citations = ["art. 3"]', 'citations = ["art. 2, V"]', "art. 2, V: o artigo só tem 4 incisos"),
    ('citations = ["art. 3"]', 'citations = ["art. 1, caput"]', "o artigo não tem parágrafos; cite sem caput"),
    ('citations = ["art. 3"]', 'citations = ["art. 2, I, a"]', "o artigo não tem esta alínea"),
    ('class = "leve"', 'class = "média"', "infraction (fumar).class: não há [[fine_class]] 'média'"),
    ('class = "leve"', 'enabled = false\nenabled_by = "leitura"', "não há [[setting]] com key = 'leitura'"),
    ('amount = "10"', 'amount = "dez"', "fine_class.0 (leve).amount"),
    (
        "[structure]",
        '[[sanction]]\nid = "fine"\nlabel = "Multa"\ncitations = ["art. 4"]\n[structure]',
        "sanction (fine): diga quem decide, ou silent = true se a lei não diz",
    ),
    (
        "[structure]",
        '[[trigger]]\nrule = "fumar"\nsanction = "course"\ncounts = "points"\ncitations = ["art. 4"]\n[structure]',
        "trigger (fumar).rule: não há [[ground]] com esta key",
    ),
    (
        "[structure]",
        '[[overlap]]\nid = "fumo"\nrows = ["fumar", "beber"]\n[structure]',
        "overlap (fumo).rows: não há infração, dever ou fundamento 'beber'",
    ),
    ('candidates = ["fumar"]', "no_direct_rule = true", "infraction (fumar): não é candidata de assunto algum"),
)


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadRulebook) as caught:
        parse_rulebook(text.encode())
    return [str(fault) for fault in caught.value.faults]


def test_a_small_whole_rulebook_loads() -> None:
    rulebook = parse_rulebook(WHOLE.encode())
    assert rulebook.law.municipality == "Lugar"
    assert [row.key for row in rulebook.list_candidates(rulebook.subjects[0])] == ["fumar"]
    assert rulebook.service_labels(("regular",)) == ("Linhas",)


@pytest.mark.parametrize(("old", "new", "expected"), LOOSE)
def test_names_that_lead_nowhere_are_told_with_what_to_do(old: str, new: str, expected: str) -> None:
    assert WHOLE.count(old) == 1
    assert any(expected in fault for fault in faults_of(WHOLE.replace(old, new)))


def test_a_municipal_law_declares_its_articles() -> None:
    assert any(fault.startswith("structure:") for fault in faults_of(WHOLE.replace(RULES, "[fines]")))


SHAPE = (
    ("unknown field", 'uf = "RJ"', 'uf = "RJ"\ncor = "azul"', "law.cor: campo desconhecido"),
    ("missing field", 'summary = "Cria o transporte de Lugar."\n', "", "law.summary: falta este campo"),
    (
        "number as text",
        "percent_off = 100",
        'percent_off = "100"',
        "fare_rule.0 (idoso).percent_off: deve ser uma",
    ),
    ("date in quotes", "2027-01-02", '"2027-01-02"', "law.signed_on: deve ser uma data"),
    (
        "yes instead of true",
        "has_lines = true",
        'has_lines = "sim"',
        "service.0 (regular).has_lines: deve ser true",
    ),
    ("bad citation", '"art. 3"', '"artigo 3"', "fare_rule.0 (idoso).citations.0: não é uma citação"),
    ("no citation", '["art. 3"]', "[]", "fare_rule.0 (idoso).citations: a lista tem itens de menos"),
    ("empty label", '"Fumaram"', '"  "', "subject.0 (fumar).label: não pode ficar vazio"),
    ("key with capitals", 'key = "idoso"', 'key = "Idoso"', "fare_rule.0 (Idoso).key: não tem a forma exigida"),
    ("unknown witness", 'witness = "yes"', 'witness = "sim"', "infraction.0 (fumar).witness: deve ser uma destas"),
    ("text instead of list", '["vehicle"]', '"vehicle"', "subject.0 (fumar).applies_to: deve ser uma lista"),
    ("unknown place", '["vehicle"]', '["navio"]', "subject.0 (fumar).applies_to.0: deve ser uma destas palavras"),
    (
        "six candidates",
        'candidates = ["fumar"]',
        'candidates = ["a", "b", "c", "d", "e", "f"]',
        "subject.0 (fumar).candidates: a lista tem itens demais",
    ),
)


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in SHAPE], ids=[row[0] for row in SHAPE])
def test_wrong_shape_is_told_with_its_place(old: str, new: str, expected: str) -> None:
    assert any(fault.startswith(expected) for fault in faults_of(WHOLE.replace(old, new, 1)))


AGREEMENT = (
    ("town without state", WHOLE.replace('uf = "RJ"\n', ""), "law.uf: uma lei municipal precisa deste campo"),
    ("key twice", WHOLE + INFRACTION, "infraction, duty ou ground: 'fumar' aparece mais de uma vez"),
    ("subject twice", WHOLE + SUBJECT, "subject: 'fumar' aparece mais de uma vez"),
    (
        "label twice",
        WHOLE + SUBJECT.replace('"fumar"\nlabel', '"fumo"\nlabel').replace("Fumaram", "FUMARAM"),
        "rótulo de subject: 'fumaram' aparece mais de uma vez",
    ),
    (
        "candidate that does not exist",
        WHOLE.replace('candidates = ["fumar"]', 'candidates = ["beber"]'),
        "subject (fumar).candidates: não há infração ou dever 'beber'",
    ),
    (
        "no candidates and not marked",
        WHOLE.replace('candidates = ["fumar"]\n', ""),
        "subject (fumar): sem candidatas; marque no_direct_rule = true",
    ),
    (
        "topic that does not exist",
        WHOLE.replace('label = "Fumaram"\ntopic = "conduct"', 'label = "Fumaram"\ntopic = "fumaca"'),
        "fumar.topic: o vocabulário não tem o tema 'fumaca'",
    ),
    (
        "topic for staff only",
        WHOLE.replace('label = "Fumaram"\ntopic = "conduct"', 'label = "Fumaram"\ntopic = "operator-admin"'),
        "subject (fumar).topic: 'operator-admin' é tema só da equipe",
    ),
    (
        "service that does not exist",
        WHOLE.replace('services = ["regular"]', 'services = ["school"]'),
        "Idosos.services: não há serviço 'school'",
    ),
    (
        "service in dispute that does not exist",
        WHOLE + '[[fare_rule.dispute]]\nsetting = "s"\ncertain = "c"\nquestion = "q"\nservices = ["school"]\n',
        "Idosos.services: não há serviço 'school'",
    ),
    (
        "complaint that does not exist",
        WHOLE.replace('subject = "fumar"', 'subject = "beber"'),
        "fare_rule (art. 3).subject: não há assunto 'beber'",
    ),
    (
        "common subject that does not exist",
        f'most_common = ["beber"]\n{WHOLE}',
        "most_common.0: não há assunto 'beber'",
    ),
    (
        "unlisted subject that does not exist",
        f'{WHOLE}\n[[unlisted_subject]]\nkey = "beber"\n',
        "unlisted_subject.0 (beber): o vocabulário não tem este assunto",
    ),
    (
        "duplicate of nothing",
        WHOLE.replace('class = "leve"', 'class = "leve"\nduplicate_of = "beber"'),
        "infraction (fumar).duplicate_of: não há 'beber'",
    ),
)


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in AGREEMENT], ids=[row[0] for row in AGREEMENT])
def test_rows_that_disagree_are_told_with_their_place(text: str, expected: str) -> None:
    assert expected in faults_of(text)


def test_all_faults_are_told_at_once() -> None:
    text = WHOLE.replace("percent_off = 100", "percent_off = 30").replace('uf = "RJ"', 'uf = "rj"')
    assert len(faults_of(text)) == 2


def test_wrong_item_of_a_list_is_told_once() -> None:
    (fault,) = faults_of(WHOLE.replace('["art. 3"]', '["artigo 3"]'))
    assert fault.startswith("fare_rule.0 (idoso).citations.0:")


def test_broken_toml_is_told_with_its_line() -> None:
    (fault,) = faults_of(WHOLE + "\n[[subject]\n")
    assert fault.startswith("sintaxe TOML:")
    assert "line" in fault


def test_repeated_field_is_a_fault_of_the_file() -> None:
    (fault,) = faults_of(WHOLE + 'subject = "fumar"\n')
    assert "sintaxe TOML" in fault


def test_file_that_is_not_utf8_is_told_with_the_byte() -> None:
    with pytest.raises(BadRulebook) as caught:
        parse_rulebook(WHOLE.encode("latin-1"))
    (fault,) = caught.value.faults
    assert fault.message == "o arquivo não está em UTF-8"
    assert fault.place.startswith("byte ")


@pytest.mark.parametrize(
    "text", ["", "subject = 3", "law = 1", "subject = [1]", "unlisted_subject = [[]]", "most_common = 5"]
)
def test_nonsense_is_refused_without_a_crash(text: str) -> None:
    assert faults_of(text)


def test_unlisted_subject_takes_the_towns_candidates_and_the_shared_words() -> None:
    extra = '\n[[unlisted_subject]]\nkey = "fumo"\ncitations = ["art. 4"]\ncandidates = ["fumar"]\n'
    rulebook = parse_rulebook((WHOLE + extra).encode())
    found = rulebook.find_subject("fumo")
    assert found is not None
    assert (found.label, found.citations, found.candidates) == (
        "Fumaram dentro do veículo",
        ("art. 4",),
        ("fumar",),
    )


def test_a_rulebook_is_read_from_any_file(tmp_path: Path) -> None:
    file = tmp_path / "lugar.toml"
    file.write_text(WHOLE, encoding="utf-8")
    assert read_rulebook(file).law.id == "lugar-1-2027"
    with pytest.raises(FileNotFoundError):
        read_rulebook(tmp_path / "outro.toml")
