"""The authority without a feed: thirteen lines typed into the pages become a valid feed with those times."""

import re
from datetime import date

from sqlmodel import select

from gtfs.checking import check_feed
from gtfs.clerk_tables import FeedUpload
from gtfs.importing import Importing, import_feed, prepare_feed
from gtfs.published import find_published, list_lines
from tests.gtfs.validator_oracle import judge
from tests.web.staff.conftest import Browser, Town
from tests.web.staff.marica_by_hand import press_lines, stop_rows, type_line

LINES = "/equipe/linhas"


def paste(browser: Browser, kind: str, text: str) -> int:
    browser.see(f"{LINES}/colar")
    seen = browser.submit(f"{LINES}/colar", **{"o-que": kind, "conteudo": text})
    assert seen.status_code == 200, seen.text
    token = re.search(r'name="confirmar" value="([0-9a-f]+)"', seen.text)
    assert token
    return browser.submit(f"{LINES}/colar", **{"o-que": kind, "conteudo": text, "confirmar": token[1]}).status_code


def generate(browser: Browser) -> str:
    """Check, confirm, and where it leads to."""
    browser.see(LINES)
    checked = browser.submit(f"{LINES}/gerar")
    assert checked.status_code == 200, checked.text
    assert "O arquivo pode ser publicado" in checked.text
    token = re.search(r'name="confirmar" value="([0-9a-f]+)"', checked.text)
    assert token
    answer = browser.submit(f"{LINES}/gerar", confirmar=token[1])
    assert answer.status_code == 303
    return str(answer.headers["location"])


def publish(town: Town) -> bytes:
    """What the worker and another clerk do with the newest upload."""
    now = town.services.clock()
    with town.services.database.read() as session:
        upload = session.exec(select(FeedUpload).order_by(FeedUpload.number.desc())).first()  # type: ignore[attr-defined]
        assert upload
        assert (upload.purpose, upload.state) == ("feed", "waiting")
        raw, name = upload.content or b"", upload.source_name
    prepared = prepare_feed(raw, name, now.date())
    with town.services.database.write() as session:
        import_feed(session, Importing(town.authority.id, prepared, "outra@marica.example", publish=True), now)
    return raw


def addresses(town: Town) -> dict[str, str]:
    with town.services.database.read() as session:
        feed = find_published(session, town.authority.id)
        assert feed
        return {line.short_name: line.slug for line in list_lines(session, feed)}


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("\xa0", " ")


def test_thirteen_lines_typed_by_a_clerk_become_a_valid_feed_with_the_typed_times(small_town: Town) -> None:
    browser = small_town.browser("clerk")
    assert paste(browser, "paradas", stop_rows()) == 303
    typed = [type_line(line) for line in press_lines()]
    assert len(typed) == 13
    browser.see(f"{LINES}/orgao")
    agency = {"nome": "EPT Maricá", "site": "https://www.marica.rj.gov.br", "telefone": "(21) 3731-0000"}
    assert browser.submit(f"{LINES}/orgao", revisao="0", **agency).status_code == 303
    browser.see(f"{LINES}/nova")
    for line in typed:
        answer = browser.submit(f"{LINES}/nova", revisao="0", **line.fields)
        assert answer.status_code == 303, (line.code, answer.text)
        assert answer.headers["location"] == f"{LINES}/{line.code}/previa"
    assert re.fullmatch(r"/equipe/horarios/envios/\d+", generate(browser))

    raw = publish(small_town)
    report = check_feed(raw, "marica.zip", date(2026, 11, 30))
    assert {group.code for group in report.groups} <= {"route_without_trips", "feed_without_fares"}
    assert judge(raw).of("ERROR") == ()

    rider = Browser(small_town.app)
    found = addresses(small_town)
    assert found.keys() == {line.code for line in typed}
    for line in typed:
        page = text_of(rider.see(f"/marica/linhas/{found[line.code]}"))
        for time in line.clocks:
            assert time in page, (line.code, time)
        for every, start, end in line.intervals:
            assert re.search(rf"{every} min.*{start}.*{end}", page), (line.code, every, start, end)
        assert ("ainda não publicou os horários" in page) == (not line.clocks and not line.intervals)

    browser.see(f"{LINES}/V01")
    changed = {**typed[0].fields, "nome": "Centro x Araçatiba (novo)", "revisao": "1"}
    assert browser.submit(f"{LINES}/V01", **changed).status_code == 303
    generate(browser)
    publish(small_town)
    assert addresses(small_town) == found


def test_the_same_lines_pasted_as_a_spreadsheet_are_the_same_lines(small_town: Town) -> None:
    browser = small_town.browser("clerk")
    paste(browser, "paradas", stop_rows())
    browser.see(f"{LINES}/nova")
    for line in press_lines():
        browser.submit(f"{LINES}/nova", revisao="0", **type_line(line).fields)
    sheet = browser.get(f"{LINES}/modelo.csv").text
    before = [browser.see(f"{LINES}/{line.number}/previa") for line in press_lines()]
    assert paste(browser, "linhas", sheet) == 303
    assert [browser.see(f"{LINES}/{line.number}/previa") for line in press_lines()] == before
