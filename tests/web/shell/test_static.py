"""The static folder as it is served."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from web.static_files import FOLDER, FOREVER, StaticFiles, load_static_files

HTMX_SHA256 = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""Of dist/htmx.min.js in the npm package htmx.org 4.0.1."""


def test_htmx_is_the_published_file() -> None:
    assert hashlib.sha256((FOLDER / "htmx-4.0.1.min.js").read_bytes()).hexdigest() == HTMX_SHA256
    assert "Zero-Clause BSD" in (FOLDER / "htmx-4.0.1.LICENSE.txt").read_text()


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("selo.css", "text/css; charset=utf-8"),
        ("selo.js", "text/javascript; charset=utf-8"),
        ("htmx-4.0.1.min.js", "text/javascript; charset=utf-8"),
        ("favicon.svg", "image/svg+xml"),
        ("htmx-4.0.1.LICENSE.txt", "text/plain; charset=utf-8"),
    ],
)
def test_file_has_its_type_and_its_bytes_in_each_encoding(shell: TestClient, name: str, media_type: str) -> None:
    for encoding in ("identity", "gzip", "br"):
        answer = shell.get(load_static_files().url(name), headers={"accept-encoding": encoding})
        assert answer.content == (FOLDER / name).read_bytes()
        assert answer.headers["content-type"] == media_type
        assert answer.headers["cache-control"] == FOREVER
        assert "Accept-Encoding" in answer.headers["vary"]


def test_compressed_file_is_smaller_and_the_same_every_time() -> None:
    first, second = StaticFiles().files["selo.css"], StaticFiles().files["selo.css"]
    assert first.bodies == second.bodies
    assert len(first.bodies["br"]) < len(first.bodies["gzip"]) < len(first.bodies["identity"]) / 2
    assert gzip.decompress(first.bodies["gzip"]) == first.bodies["identity"]


@pytest.mark.parametrize("query", ["", "?v=", "?v=000000000000"])
def test_address_without_the_right_digest_is_asked_again(shell: TestClient, query: str) -> None:
    answer = shell.get(f"/static/selo.css{query}")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    again = shell.get("/static/selo.css", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", answer.headers["etag"])


@pytest.mark.parametrize(
    "name",
    ["nada.css", "", "../pyproject.toml", "..%2fpyproject.toml", "%2e%2e/pyproject.toml", ".gitkeep", "selo.css/"],
)
def test_only_files_of_the_folder_are_served(shell: TestClient, name: str) -> None:
    assert shell.get(f"/static/{name}").status_code == 404


def test_address_changes_with_the_content(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.css").write_text("a{}")
    (tmp_path / ".hidden").write_text("x")
    before = StaticFiles(tmp_path)
    (tmp_path / "sub" / "a.css").write_text("b{}")
    after = StaticFiles(tmp_path)
    assert list(before.files) == ["sub/a.css"]
    assert re.fullmatch(r"/static/sub/a\.css\?v=[0-9a-f]{12}", before.url("sub/a.css"))
    assert before.url("sub/a.css") != after.url("sub/a.css")


def test_unknown_name_in_a_template_fails_loudly() -> None:
    with pytest.raises(KeyError):
        load_static_files().url("nada.css")


def test_stylesheet_names_no_other_host() -> None:
    for path in FOLDER.glob("*.css"):
        assert "url(" not in path.read_text()
        assert "@import" not in path.read_text()
