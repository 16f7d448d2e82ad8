"""Stops pasted as a table: any delimiter, with or without a header, and no row lost without a word."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.authoring.cells import UnreadableTable, decode_table, read_rows, write_rows
from gtfs.authoring.network import Stop
from gtfs.authoring.stop_reading import TEMPLATE, read_stop_table
from gtfs.folding import fold, slugify

CENTRO, PRAIA = Stop("centro", "Centro", -22.9, -42.8), Stop("praia", "Praia", -22.95, -42.81)


@pytest.mark.parametrize(
    "text",
    [
        "Centro;-22,9;-42,8\nPraia;-22,95;-42,81",
        "nome\tlatitude\tlongitude\nCentro\t-22.9\t-42.8\n\n\t\t\nPraia\t-22.95\t-42.81\n",
        "Nome,Lat,Lon\nCentro,-22.9,-42.8\nPraia,-22.95,-42.81",
        "Centro,-22,9,-42,8\nPraia,-22,95,-42,81",
        "Centro\t-22.9, -42.8\nPraia\t-22.95, -42.81",
        'Parada;Coordenadas\nCentro;"-22.9, -42.8"\nPraia;geo:-22.95,-42.81',
        "longitude;NOME;latitude\r\n-42,8;Centro;-22,9\r\n-42,81;Praia;-22,95\r\n",
        "\ufeffnome;latitude;longitude\nCentro;-22.9;-42.8\nPraia;-22.95;-42.81",
    ],
)
def test_a_table_is_read_however_it_was_copied(text: str) -> None:
    table = read_stop_table(text, ())
    assert (table.stops, table.added, table.faults) == ((CENTRO, PRAIA), ("Centro", "Praia"), ())


def test_a_known_name_gets_its_new_place_and_keeps_its_id() -> None:
    table = read_stop_table("CENTRÓ;-22.91;-42.8", (CENTRO, PRAIA))
    assert table.stops == (Stop("centro", "CENTRÓ", -22.91, -42.8), PRAIA)
    assert (table.added, table.moved) == ((), ("CENTRÓ",))


def test_two_names_with_one_plain_spelling_get_two_ids() -> None:
    table = read_stop_table("Rua 1;-22.9;-42.8\nRua-1;-22.91;-42.8", ())
    assert [stop.id for stop in table.stops] == ["rua-1", "rua-1-2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Linha 1, coluna nome: a tabela está vazia: escreva uma parada por linha"),
        ("Centro;-22.9", "Linha 1, coluna coordenadas: «-22.9» não são coordenadas"),
        ("nome;lat;lon\n\nCentro;;-42.8", "Linha 3, coluna latitude: falta a latitude"),
        ("nome;lat;lon\nCentro;-42.8;-22.9", "Linha 2, coluna coordenadas: -42.8, -22.9: parece que latitude"),
        (";-22.9;-42.8", "Linha 1, coluna nome: falta o nome da parada"),
        ("A;-22.9;-42.8\nÁ;-22.9;-42.8", "Linha 2, coluna nome: «Á» já está na linha 1"),
        (f"{'x' * 121};-22.9;-42.8", "Linha 1, coluna nome: o nome tem mais de 120 letras"),
        ('A;"-22.9', "Linha 1, coluna 1: há aspas que não fecham"),
    ],
)
def test_a_fault_names_line_and_column(text: str, words: str) -> None:
    (fault,) = read_stop_table(text, ()).faults
    assert fault.words.startswith(words)


def test_columns_that_nobody_looks_at_are_named() -> None:
    assert read_stop_table("nome;lat;lon;cor\nA;-22.9;-42.8;azul", ()).unused == ("cor",)
    assert read_stop_table("A;-22.9;-42.8;azul", ()).unused == ("coluna 4",)


def test_a_stop_far_from_the_others_is_said_but_taken() -> None:
    rows = "\n".join(f"P{number};-22.9{number};-42.8" for number in range(5))
    table = read_stop_table(f"{rows}\nLonge;-20.9;-42.8", ())
    assert (len(table.stops), table.faults) == (6, ())
    assert table.far[0].startswith("Longe (2")


def test_the_template_can_be_read() -> None:
    table = read_stop_table(write_rows(TEMPLATE), ())
    assert (table.added, table.faults) == (("Rodoviária do Povo",), ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_read_in_the_encodings_of_spreadsheets(encoding: str) -> None:
    assert decode_table("Praça;-22,9".encode(encoding)) == "Praça;-22,9"


@pytest.mark.parametrize("content", [b"PK\x03\x04rest", b"\xd0\xcf\x11\xe0rest", b"a\0b"])
def test_a_file_that_is_no_text_is_refused_with_what_to_do(content: bytes) -> None:
    with pytest.raises(UnreadableTable, match="CSV"):
        decode_table(content)


@given(st.text(max_size=200))
def test_any_text_gives_stops_or_faults_for_each_row(text: str) -> None:
    table = read_stop_table(text, ())
    rows, broken = read_rows(text)
    assert table.faults or len(table.added) >= len(rows) - 1
    assert len({stop.id for stop in table.stops}) == len(table.stops)
    assert not broken or table.faults


names = st.text(st.characters(codec="utf-8", categories=("L", "Nd", "Zs")), min_size=1, max_size=30).map(
    lambda text: " ".join(text.split())
)


@given(
    st.lists(st.tuples(names, st.integers(-339, 59), st.integers(-739, -281)), unique_by=lambda row: fold(row[0])),
    st.sampled_from(["\t", ";", ","]),
)
def test_whatever_a_spreadsheet_writes_is_read(rows: list[tuple[str, int, int]], delimiter: str) -> None:
    rows = [row for row in rows if slugify(row[0])]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(["Nome", "Latitude", "Longitude"])
    writer.writerows([name, f"{lat / 10:.1f}", f"{lon / 10:.1f}"] for name, lat, lon in rows)
    table = read_stop_table(text.getvalue(), ())
    assert table.faults == ()
    assert [(stop.name, stop.latitude, stop.longitude) for stop in table.stops] == [
        (name, lat / 10, lon / 10) for name, lat, lon in rows
    ]
