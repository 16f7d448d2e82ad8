"""Every public page of the demonstration, found by following every link, and what each one promises."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from complaints.registry.seal_code import BadSealCode, check_code
from tests.browser.demonstration import Demonstration
from tests.browser.markup import Markup
from web.app import create_app
from web.services import open_services
from web.settings import read_settings

BUDGET = 60_000
"""Bytes on the wire for the first visit of a page: headers and bodies, with gzip."""

MOST_PAGES = 3_000
TOWNS = ("marica", "marechal-floriano", "conceicao-de-macabu", "rio-das-ostras", "canaa-dos-carajas")
WITHOUT_LINES = "rio-das-ostras"
PARTS = ("", "veiculos", "reclamar", "acompanhar", "tarifas", "direitos", "linhas", "gtfs.zip", "o-que-mudou")
GZIP = {"accept-encoding": "gzip"}
INLINE = re.compile(r"<[^>]*\s(style|on[a-z]+)=|<style|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)
FETCHED = {"link": "href", "script": "src", "img": "src", "use": "href", "source": "src", "iframe": "src"}
OUTSIDE = ("tel:", "sms:", "mailto:")


@dataclass
class Site:
    """The pages as a crawler sees them: answers by address, in the order found."""

    client: TestClient
    host: str
    answers: dict[str, Response] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    linked_from: dict[str, str] = field(default_factory=dict)

    def crawl(self, *starts: str) -> None:
        """Follow every link to this host, each address once."""
        waiting = list(starts)
        while waiting:
            assert len(self.answers) < MOST_PAGES, "the links never end"
            address = waiting.pop()
            if address in self.answers:
                continue
            self.answers[address] = answer = self.client.get(address, headers=GZIP)
            for target in self.links(address, answer):
                self.linked_from.setdefault(target, address)
                waiting.append(target)

    def links(self, address: str, answer: Response) -> Iterator[str]:
        """Where a page leads to on this host, without the part behind `#`."""
        if not is_page(answer):
            return
        for link in Markup(answer.text).links():
            target = urlsplit(urljoin(f"http://{self.host}{address}", link))
            if not link.startswith(OUTSIDE) and target.netloc == self.host:
                yield target.path + (f"?{target.query}" if target.query else "")

    def size(self, address: str) -> int:
        """Bytes on the wire of something a page fetches."""
        if address not in self.sizes:
            answer = self.client.get(address, headers=GZIP)
            assert answer.status_code == 200, address
            self.sizes[address] = wire_bytes(answer)
        return self.sizes[address]


@pytest.fixture(scope="module")
def demonstration(
    seeded: Callable[[str], Demonstration], tmp_path_factory: pytest.TempPathFactory
) -> Demonstration:
    """A demonstration for the tests of this file."""
    return seeded("sqlite").copy(tmp_path_factory.mktemp("pages") / "demo", None)


@pytest.fixture(scope="module")
def client(demonstration: Demonstration) -> Iterator[TestClient]:
    """The application on it, at its public address."""
    services = open_services(read_settings(demonstration.environ))
    with TestClient(create_app(services), base_url=services.settings.public_url, follow_redirects=False) as client:
        yield client


def test_every_page_that_links_lead_to_keeps_its_promises(client: TestClient) -> None:
    site = Site(client, client.base_url.netloc.decode())
    unlinked = (f"/{town}/{part}" for town in TOWNS for part in ("veiculos?q=SEL", "dados/selagem"))
    site.crawl("/", *unlinked)
    faults = [
        f"{address} (linked from {site.linked_from.get(address, 'nowhere')}): {fault}"
        for address, answer in site.answers.items()
        for fault in find_faults(site, address, answer)
    ]
    assert faults == []
    wanted = {f"/{town}/{part}" for town in TOWNS for part in parts_of(town)}
    assert wanted - site.answers.keys() == set()


@pytest.mark.parametrize("town", TOWNS)
@pytest.mark.parametrize("state", ["valid", "expired", "revoked"])
def test_seal_answers_in_any_spelling_and_leads_to_a_complaint(
    client: TestClient, demonstration: Demonstration, town: str, state: str
) -> None:
    code = demonstration.seal(town, state)
    spellings = [f"/s/{code}", f"/S/{code}", f"/s/{code.lower()}", f"/S/{code[:3]}-{code[3:6]}%20{code[6:]}"]
    pages = [Markup(get(client, address).text) for address in (*spellings, f"/{town}/veiculos?q={code}")]
    assert {page.data("situacao-do-selo") for page in pages} == {state}
    (complain,) = {link for link in pages[0].links() if link.startswith(f"/{town}/reclamar?")}
    form = get(client, complain).text
    assert code in form


@pytest.mark.parametrize("town", TOWNS)
def test_plate_answers_as_the_seal_does(client: TestClient, demonstration: Demonstration, town: str) -> None:
    plate = demonstration.plate(town)
    for spelling in (plate, plate.lower(), f"{plate[:3]}-{plate[3:]}"):
        page = Markup(get(client, f"/{town}/veiculos?q={spelling}").text)
        assert page.data("situacao-do-selo") in ("valid", "expired", "revoked", "none")
        assert plate in page.text()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("7K2M9PXQV", "Selo não encontrado"),
        ("7K2M9PXQW", "Este código tem um engano"),
        ("K7M29PXQV", "Este código tem um engano"),
        ("7K2M9PXQ", "Este código tem um engano"),
        ("7K2M9PXQVV", "Este código tem um engano"),
        ("ÇÃO", "Este código tem um engano"),
    ],
)
def test_unknown_and_mistyped_seals_each_have_words_and_a_way_to_complain(
    client: TestClient, code: str, words: str
) -> None:
    page = Markup(get(client, f"/s/{code}", 404).text)
    assert words in page.text()
    for town in TOWNS:
        assert any(link.startswith(f"/{town}/reclamar?selo=") for link in page.links())


def test_every_single_mistake_in_a_printed_seal_is_found(demonstration: Demonstration) -> None:
    code = demonstration.seal("marica", "valid")
    for place, right in enumerate(code):
        for wrong in "23456789ABCDFGHJKMNPQRSTVWXYZ".replace(right, ""):
            with pytest.raises(BadSealCode):
                check_code(code[:place] + wrong + code[place + 1 :])


@pytest.mark.parametrize("town", TOWNS)
def test_forms_that_say_nothing_are_explained(client: TestClient, town: str) -> None:
    for part, focus in (("reclamar", "campo-relato"), ("acompanhar", "campo-protocolo")):
        answer = client.post(f"/{town}/{part}", data={})
        assert answer.status_code == 422
        page = Markup(answer.text)
        assert f"#{focus}" in page.links()
        assert page.count("h1") == 1
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/marica/", "/marica/linhas", "/marica/tarifas", "/s/7K2M9PXQV", "/saude"])
def test_pages_to_read_take_no_posts(client: TestClient, path: str) -> None:
    answer = client.post(path, data={})
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    ("html", "faults"),
    [
        ('<p id="a"><a href="#a">x</a><label for="a">', 0),
        ('<p id="a"><p id="a">', 1),
        ('<a href="#b">', 1),
        ('<label for="b">', 1),
        ('<p id="a"><input aria-describedby="a b">', 1),
    ],
)
def test_places_that_are_missing_or_there_twice_are_seen(html: str, faults: int) -> None:
    assert len(list(find_broken_places(Markup(html)))) == faults


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ('<p class="style=">style="x"</p><script src="/a.js"></script>', False),
        ('<p style="x">', True),
        ('<a class="b" onclick="x()">', True),
        ("<script>x()</script>", True),
        ("<style>", True),
        ('<a href="javascript:x()">', True),
    ],
)
def test_what_is_inline_is_seen(html: str, seen: bool) -> None:
    assert bool(INLINE.search(html)) == seen


def find_faults(site: Site, address: str, answer: Response) -> Iterator[str]:
    """Everything that a page should not be."""
    if answer.status_code != expected_status(address):
        yield f"answers {answer.status_code}"
    head = site.client.head(address)
    if (head.status_code, head.content) != (answer.status_code, b""):
        yield f"answers HEAD with {head.status_code} and {len(head.content)} bytes"
    if answer.is_redirect or not is_page(answer):
        return
    page = Markup(answer.text)
    if page.count("h1") != 1:
        yield f"has {page.count('h1')} main headings"
    if [html.get("lang") for html in page.all("html")] != ["pt-BR"]:
        yield "is not in Portuguese"
    if found := INLINE.findall(answer.text):
        yield f"has inline {found}"
    if "content-security-policy" not in answer.headers:
        yield "has no policy"
    yield from find_broken_places(page)
    fetched = fetched_by(page)
    if foreign := [target for target in fetched if urlsplit(target).netloc or not target.startswith("/")]:
        yield f"fetches from elsewhere: {foreign}"
        return
    weight = wire_bytes(answer) + sum(site.size(target) for target in fetched)
    if weight > BUDGET:
        yield f"weighs {weight} bytes"


def find_broken_places(page: Markup) -> Iterator[str]:
    """Ids that are there twice, and links or labels to ids that are not there."""
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    if twice := {name for name in ids if ids.count(name) > 1}:
        yield f"has twice: {twice}"
    pointed = {link[1:] for link in page.links() if link.startswith("#") and len(link) > 1}
    pointed |= {label["for"] for label in page.all("label") if "for" in label}
    for _, attributes in page.tags:
        pointed |= set(attributes.get("aria-describedby", "").split())
    if missing := pointed - set(ids):
        yield f"points to what is not there: {missing}"


def fetched_by(page: Markup) -> set[str]:
    """The addresses that a browser asks for to show the page, without the part behind `#`."""
    return {
        attributes[name].partition("#")[0]
        for tag, attributes in page.tags
        if (name := FETCHED.get(tag)) and attributes.get(name) and attributes.get("rel") != "canonical"
    }


def expected_status(address: str) -> int:
    """The desk sends people to its door; everything else is there."""
    return 303 if address.startswith("/equipe/") and address != "/equipe/entrar" else 200


def parts_of(town: str) -> tuple[str, ...]:
    """The parts of a town's pages; without lines there are neither fares nor a feed."""
    return PARTS[:4] + PARTS[5:6] if town == WITHOUT_LINES else PARTS


def is_page(answer: Response) -> bool:
    """Whether it is HTML."""
    return answer.headers.get("content-type", "").startswith("text/html")


def wire_bytes(answer: Response) -> int:
    """Headers and body as they were sent."""
    headers = sum(len(name) + len(value) + 4 for name, value in answer.headers.raw)
    return headers + int(answer.headers.get("content-length", answer.num_bytes_downloaded))


def get(client: TestClient, address: str, status: int = 200) -> Response:
    """Open a page."""
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer
