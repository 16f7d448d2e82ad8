"""The published zip for other software: parts, tags, generated fares, earlier versions."""

import io
import zipfile
from collections.abc import Callable, Mapping
from datetime import timedelta
from email.message import Message
from email.parser import BytesParser

import pytest
from sqlmodel import select
from starlette.testclient import TestClient

from gtfs.archives import ArchiveEntry
from gtfs.importing import Importing, PreparedFeed, import_feed
from gtfs.tables import FeedVersion
from tests.conftest import StandingClock
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import Town, add_town
from tests.gtfs.test_publishing import renamed
from web import fares_files
from web.services import Services

Put = Callable[..., None]
ZIP = "/vila/gtfs.zip"
EVERY_ENCODING = {"Accept-Encoding": "gzip, zstd, br"}


@pytest.fixture
def town(services: Services, clock: StandingClock) -> Town:
    return add_town(services.database, "vila", clock())


@pytest.fixture
def put(services: Services, town: Town, clock: StandingClock) -> Put:
    """Publishes a feed of the town, or keeps it as a draft."""

    def put(prepared: PreparedFeed, publish: bool = True) -> None:
        with services.database.write() as session:
            import_feed(session, Importing(town.id, prepared, "ana", publish), clock())

    return put


@pytest.fixture
def raw(put: Put) -> bytes:
    """The published zip."""
    put(prepare_small())
    return prepare_small().raw


class TestParts:
    @pytest.mark.parametrize(
        ("asked", "first", "last"), [("0-99", 0, 99), ("100-", 100, None), ("-50", -50, None), ("0-", 0, None)]
    )
    def test_one_part_is_sent(
        self, client: TestClient, raw: bytes, asked: str, first: int, last: int | None
    ) -> None:
        answer = client.get(ZIP, headers={"Range": f"bytes={asked}", **EVERY_ENCODING})
        part = raw[first : None if last is None else last + 1]
        start = first % len(raw)
        assert (answer.status_code, answer.content) == (206, part)
        assert answer.headers["content-range"] == f"bytes {start}-{start + len(part) - 1}/{len(raw)}"
        assert answer.headers["content-length"] == str(len(part))
        assert "content-encoding" not in answer.headers
        assert answer.headers["etag"] == client.head(ZIP).headers["etag"]

    def test_download_goes_on_where_it_stopped(self, client: TestClient, raw: bytes) -> None:
        first = client.get(ZIP, headers={"Range": "bytes=0-999"})
        rest = client.get(ZIP, headers={"Range": "bytes=1000-", "If-Range": first.headers["etag"]})
        assert first.content + rest.content == raw

    def test_another_version_in_between_is_sent_whole(self, client: TestClient, raw: bytes, put: Put) -> None:
        tag = client.head(ZIP).headers["etag"]
        put(renamed("Feira"))
        answer = client.get(ZIP, headers={"Range": "bytes=1000-", "If-Range": tag})
        assert (answer.status_code, answer.content) == (200, renamed("Feira").raw)

    def test_several_parts_come_in_one_answer(self, client: TestClient, raw: bytes) -> None:
        answer = client.get(ZIP, headers={"Range": "bytes=0-9,100-199,-20", **EVERY_ENCODING})
        assert answer.status_code == 206
        assert "content-range" not in answer.headers
        assert answer.headers["content-length"] == str(len(answer.content))
        head = f"Content-Type: {answer.headers['content-type']}\r\n\r\n".encode()
        parts = BytesParser().parsebytes(head + answer.content).get_payload()
        assert isinstance(parts, list)
        ranges = [part["Content-Range"] for part in parts if isinstance(part, Message)]
        size = len(raw)
        assert ranges == [f"bytes 0-9/{size}", f"bytes 100-199/{size}", f"bytes {size - 20}-{size - 1}/{size}"]
        assert raw[100:200] in answer.content

    @pytest.mark.parametrize("asked", ["bytes=999999-", "bytes=-0", "bytes=0-9,5-14"])
    def test_part_that_is_not_there_is_refused_with_the_size(
        self, client: TestClient, raw: bytes, asked: str
    ) -> None:
        answer = client.get(ZIP, headers={"Range": asked})
        assert (answer.status_code, answer.content) == (416, b"")
        assert answer.headers["content-range"] == f"bytes */{len(raw)}"

    @pytest.mark.parametrize("asked", ["linhas=0-9", "bytes=9-0", "bytes=x"])
    def test_part_that_makes_no_sense_gets_the_whole(self, client: TestClient, raw: bytes, asked: str) -> None:
        answer = client.get(ZIP, headers={"Range": asked})
        assert (answer.status_code, answer.content) == (200, raw)

    def test_head_takes_no_part(self, client: TestClient, raw: bytes) -> None:
        answer = client.head(ZIP, headers={"Range": "bytes=0-9"})
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-length"] == str(len(raw))
        assert answer.headers["accept-ranges"] == "bytes"

    def test_known_copy_comes_before_any_part(self, client: TestClient, raw: bytes) -> None:
        tag = client.head(ZIP).headers["etag"]
        answer = client.get(ZIP, headers={"Range": "bytes=0-9", "If-None-Match": tag})
        assert (answer.status_code, answer.content) == (304, b"")


class TestFares:
    @pytest.fixture
    def fares(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
        """Fare files as they would be generated; a test may change them."""
        files = {"fare_products.txt": b"fare_product_id,amount,currency\ninteira,4.50,BRL\n"}

        def list_fare_files(
            _session: object, _town: object, feed: ArchiveEntry, _day: object, _url: str
        ) -> Mapping[str, bytes]:
            assert feed.number == 1
            return dict(files)

        monkeypatch.setattr(fares_files, "list_fare_files", list_fare_files)
        return files

    @pytest.fixture
    def with_fares(self, services: Services, raw: bytes) -> bytes:
        """The zip as it came, published with generated fares."""
        with services.database.write() as session:
            version = session.exec(select(FeedVersion)).one()
            version.with_fares = True
            session.add(version)
        return raw

    def test_feed_without_the_wish_stays_byte_for_byte(
        self, client: TestClient, raw: bytes, fares: dict[str, bytes]
    ) -> None:
        assert client.get(ZIP).content == raw

    @pytest.mark.usefixtures("with_fares")
    def test_fares_come_with_every_file_untouched(self, client: TestClient, fares: dict[str, bytes]) -> None:
        answer = client.get(ZIP, headers=EVERY_ENCODING)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as made:
            assert made.read("fare_products.txt") == fares["fare_products.txt"]
            with zipfile.ZipFile(io.BytesIO(prepare_small().raw)) as came:
                assert all(made.read(name) == came.read(name) for name in came.namelist())
        assert client.head(ZIP).headers["content-length"] == str(len(answer.content))
        assert client.get(ZIP, headers={"Range": "bytes=-22"}).content == answer.content[-22:]

    @pytest.mark.usefixtures("with_fares")
    def test_tag_is_of_the_bytes_sent_and_another_fare_is_seen_at_once(
        self, client: TestClient, fares: dict[str, bytes]
    ) -> None:
        first = client.get(ZIP)
        assert client.get(ZIP, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
        fares["fare_products.txt"] = fares["fare_products.txt"].replace(b"4.50", b"4.80")
        again = client.get(ZIP, headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 200
        assert again.headers["etag"] != first.headers["etag"]

    @pytest.mark.usefixtures("with_fares")
    def test_nothing_to_generate_gives_the_zip_as_it_came(
        self, client: TestClient, with_fares: bytes, fares: dict[str, bytes]
    ) -> None:
        fares.clear()
        assert client.get(ZIP).content == with_fares


class TestEarlierVersions:
    def test_any_version_that_was_published_is_given_as_it_came(
        self, client: TestClient, raw: bytes, put: Put, clock: StandingClock
    ) -> None:
        clock.advance(timedelta(days=1))
        put(renamed("Feira"))
        put(renamed("Rascunho"), publish=False)
        assert client.get("/vila/gtfs/1.zip").content == raw
        assert client.get("/vila/gtfs/2.zip").content == client.get(ZIP).content == renamed("Feira").raw
        assert client.get("/vila/gtfs/1.zip", headers={"Range": "bytes=0-3"}).content == b"PK\x03\x04"

    @pytest.mark.parametrize("number", ["3", "0", "99999999999999999999", "-1", "x"])
    def test_draft_and_nonsense_are_not_found(self, client: TestClient, raw: bytes, put: Put, number: str) -> None:
        put(renamed("Feira"), publish=False)
        put(renamed("Rascunho"), publish=False)
        assert client.get(f"/vila/gtfs/{number}.zip").status_code == 404
