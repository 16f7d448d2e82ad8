"""Many lines in one pasted table: a row for each way, a column for each kind of day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.authoring.cells import write_rows
from gtfs.authoring.line_table import read_line_table, write_line_table
from tests.gtfs.authoring.sketches import make_line, make_sketch

EMPTY = make_sketch(make_line("V99"))
HEADER = "linha\tnome\tsentido\tdestino\tparadas\tDias úteis\tSábado"


def test_a_row_is_a_way_of_a_line() -> None:
    table = read_line_table(
        f"{HEADER}\n"
        "V01\tCentro x Praia\tida\tPraia\tCentro > Mercado > Praia 20\t6:00 7h\t8:00\n"
        "\t\tvolta\t\t\ta cada 30 min das 6:30 às 20:00\t\n"
        "\n"
        "V02\tSem nada ainda",
        EMPTY,
    )
    first, second = table.lines
    assert table.faults == ()
    assert [(way.key, way.headsign, len(way.calls)) for way in first.ways] == [
        ("ida", "Praia", 3),
        ("volta", "Centro", 3),
    ]
    assert first.ways[0].times["dias-uteis"].departures == (360, 420)
    assert (second.code, second.ways) == ("V02", ())


def test_a_way_without_a_word_is_out_then_back_or_a_circle() -> None:
    table = read_line_table(
        f"{HEADER}\n"
        "V01\tA\t\t\tCentro > Praia 20\n"
        "V01\t\t\t\tPraia > Centro 25\n"
        "V02\tB\t\t\tCentro > Praia 9 > Centro 20",
        EMPTY,
    )
    assert [[way.key for way in line.ways] for line in table.lines] == [["ida", "volta"], ["circular"]]


def test_a_known_code_is_said_to_be_replaced_and_keeps_id_and_project() -> None:
    table = read_line_table("linha;nome\nv99;Outro nome", EMPTY)
    assert table.replaced == ("v99",)
    assert table.lines[0].id == "V99"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("\tsem código", "Linha 2, coluna linha: falta o código da linha"),
        ("V01\t", "Linha 2, coluna nome: escreva o nome da linha"),
        ("V 1\tA", "Linha 2, coluna linha: use até 20 letras sem acento"),
        ("V01\tA\tlado\t\tCentro > Praia", "Linha 2, coluna sentido: «lado» não é sentido"),
        ("V01\tA\tida\t\tCentro > Lua 5 > Praia 9", "Linha 2, coluna paradas: parada 2: não há parada «Lua»"),
        ("V01\tA\tida\t\tCentro > Praia 9\t6:00 7", "Linha 2, coluna Dias úteis: «7» não é uma hora"),
        ('V01\tA\tida\t\tCentro > Praia 9\t"6:00\n7"', "Linha 2, coluna Dias úteis: linha 2 da célula, «7» não é"),
        ("V01\tA\nV01\tB", "Linha 3, coluna nome: «B» é diferente de «A», acima"),
        (
            "V01\tA\tida\t\tCentro > Praia\nV01\t\tida\t\tCentro > Praia",
            "Linha 3, coluna sentido: a ida desta linha já",
        ),
        (
            "V01\tA\tcircular\t\tCentro > Praia > Centro\nV01\t\tvolta\t\tPraia > Centro",
            "Linha 2, coluna sentido: uma linha circular não tem ida nem volta",
        ),
    ],
)
def test_a_fault_names_line_and_column(rows: str, words: str) -> None:
    (fault,) = read_line_table(f"{HEADER}\n{rows}", EMPTY).faults
    assert fault.words.startswith(words)


@pytest.mark.parametrize("text", ["", "V01;Centro x Praia", "nome;sentido\nA;ida"])
def test_without_the_names_of_columns_nothing_is_guessed(text: str) -> None:
    table = read_line_table(text, EMPTY)
    assert table.lines == ()
    assert "a primeira linha precisa ter os nomes das colunas" in table.faults[0].message


def test_columns_that_nobody_looks_at_are_named() -> None:
    assert read_line_table("linha;nome;tarifa\nV01;A;5,00", EMPTY).unused == ("tarifa",)


def test_lines_that_are_written_are_read_back() -> None:
    sketch = make_sketch(make_line("V01"), make_line("V02", "Só nome", ()))
    assert read_line_table(write_rows(write_line_table(sketch)), sketch).lines == sketch.lines


def test_the_template_shows_an_example_in_its_own_columns() -> None:
    rows = list(write_line_table(make_sketch().__class__(EMPTY.agency, EMPTY.days, EMPTY.stops)))
    assert rows[0][-3:] == ("Dias úteis", "Sábado", "Domingos e feriados")
    assert len({len(row) for row in rows}) == 1


@given(st.text(alphabet='V01;\t,\n"linhaomesd>Ctro 6:', max_size=200) | st.text(max_size=100))
def test_any_text_gives_lines_or_faults(text: str) -> None:
    for start in ("", f"{HEADER}\n"):
        table = read_line_table(start + text, EMPTY)
        assert table.lines or table.faults
