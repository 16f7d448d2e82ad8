"""The settings table, row by row: what is accepted, what is refused, and with which words."""

import base64
import errno
import stat
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from web.settings import KNOWN, BadSettings, read_settings

KEY_A = base64.b64encode(bytes(32)).decode()
KEY_B = base64.b64encode(b"\xff" * 32).decode()
SECRET = "s" * 32


def read(folder: Path, **given: str) -> Any:
    """Read settings of a production server with everything required in place."""
    required = {"SELO_SECRET_KEY": SECRET, "SELO_DATA_KEYS": KEY_A, "SELO_DATA_DIR": str(folder)}
    return read_settings({**required, **given})


def problems_of(folder: Path, **given: str) -> list[str]:
    """What read_settings refuses."""
    with pytest.raises(BadSettings) as caught:
        read(folder, **given)
    return caught.value.problems


ACCEPTED: list[tuple[str, str, str, object]] = [
    ("SELO_DATABASE_URL", "postgres://u:p@h/d", "database_url", "postgresql+psycopg://u:p@h/d"),
    ("SELO_DATABASE_URL", "postgresql://h/d", "database_url", "postgresql+psycopg://h/d"),
    ("SELO_DATABASE_URL", "postgresql+psycopg://h/d", "database_url", "postgresql+psycopg://h/d"),
    ("SELO_DATABASE_URL", "postgresql://u@/d?host=/s", "database_url", "postgresql+psycopg://u@/d?host=%2Fs"),
    ("SELO_DATABASE_URL", "sqlite:////srv/selo data/a.db", "database_url", "sqlite:////srv/selo data/a.db"),
    ("SELO_PUBLIC_URL", "https://selo.example/", "public_url", "https://selo.example"),
    ("SELO_PUBLIC_URL", "http://10.0.0.1:81", "public_url", "http://10.0.0.1:81"),
    ("HOST", "0.0.0.0", "public_url", "http://127.0.0.1:8000"),
    ("HOST", "::", "public_url", "http://[::1]:8000"),
    ("HOST", "selo.lan", "host", "selo.lan"),
    ("PORT", "8080", "public_url", "http://127.0.0.1:8080"),
    ("PORT", "0", "port", 0),
    ("SELO_SECRET_KEY", "x" * 40, "secret_key", b"x" * 40),
    ("SELO_DATA_KEYS", f"{KEY_B}, {KEY_A}", "data_keys", (b"\xff" * 32, bytes(32))),
    ("SELO_DATA_KEYS", KEY_B.replace("/", "_"), "data_keys", (b"\xff" * 32,)),
    ("SELO_DEMO", "0", "demo", False),
    ("SELO_DEMO", "off", "demo", False),
    ("SELO_DEMO", "", "demo", False),
    ("SELO_TRUSTED_PROXIES", "127.0.0.1", "trusted_proxies", (ip_network("127.0.0.1"),)),
    (
        "SELO_TRUSTED_PROXIES",
        "10.0.0.0/8, ::1/128",
        "trusted_proxies",
        (ip_network("10.0.0.0/8"), ip_network("::1/128")),
    ),
    ("SELO_SMTP_URL", "smtps://u:p@mail.example:465", "smtp_url", "smtps://u:p@mail.example:465"),
    ("TWILIO_AUTH_TOKEN", "one", "twilio_auth_tokens", ("one",)),
    ("TWILIO_AUTH_TOKEN", "new, old", "twilio_auth_tokens", ("new", "old")),
    ("SELO_TWILIO_BASE_URL", "http://127.0.0.1:9/", "twilio_base_url", "http://127.0.0.1:9"),
    ("SELO_SERVICE_HOST", "10.1.2.3", "host", "127.0.0.1"),
]


@pytest.mark.parametrize(("name", "text", "field", "expected"), ACCEPTED)
def test_a_good_setting_is_read(tmp_path: Path, name: str, text: str, field: str, expected: object) -> None:
    assert getattr(read(tmp_path, **{name: text}), field) == expected


REFUSED = [
    ("SELO_DATABASE_URL", "selo.db", "is not a database address"),
    ("SELO_DATABASE_URL", "mysql://h/d", "mysql is not supported"),
    ("SELO_DATABASE_URL", "sqlite://", "must name a plain file"),
    ("SELO_DATABASE_URL", "sqlite:///:memory:", "must name a plain file"),
    ("SELO_DATABASE_URL", "sqlite:///a.db?mode=ro", "must name a plain file"),
    ("SELO_DATA_DIR", __file__, "is not a folder"),
    ("SELO_PUBLIC_URL", "selo.example", "must begin with https:// or http://"),
    ("SELO_PUBLIC_URL", "https://selo.example/app", "must be scheme, host and port only"),
    ("SELO_PUBLIC_URL", "https://selo.example:99999", "ort out of range"),
    ("SELO_SECRET_KEY", "short", "at least 32 characters"),
    ("SELO_SECRET_KEY", " ", "missing"),
    ("SELO_DATA_KEYS", "", "missing"),
    ("SELO_DATA_KEYS", "not base64!", "must be written in base64"),
    ("SELO_DATA_KEYS", base64.b64encode(bytes(16)).decode(), "must have 32 bytes, one has 16"),
    ("SELO_DATA_KEYS", f"{KEY_A},{KEY_A}", "the same key twice"),
    ("SELO_TRUSTED_PROXIES", "*", "an address or a network"),
    ("SELO_TRUSTED_PROXIES", "10.0.0.1/8", "has host bits set"),
    ("SELO_DEMO", "maybe", "must be 1 or 0"),
    ("SELO_SMTP_URL", "mail.example", "must begin with smtp:// or smtps://"),
    ("SELO_TWILIO_BASE_URL", "ftp://x", "must begin with https:// or http://"),
    ("TWILIO_AUTH_TOKEN", "a,b,c", "one token, or two"),
    ("TWILIO_AUTH_TOKEN", "a,", "one token, or two"),
    ("PORT", "eighty", "from 0 to 65535"),
    ("PORT", "70000", "from 0 to 65535"),
    ("SELO_DATA_KEY", KEY_A, "did you mean SELO_DATA_KEYS?"),
    ("TWILIO_AUTH_TOKENS", "x", "did you mean TWILIO_AUTH_TOKEN?"),
]


@pytest.mark.parametrize(("name", "text", "words"), REFUSED)
def test_a_bad_setting_is_named_with_what_is_wrong(tmp_path: Path, name: str, text: str, words: str) -> None:
    problems = problems_of(tmp_path, **{name: text})
    assert len(problems) == 1
    assert problems[0].startswith(f"{name}: ")
    assert words in problems[0]


def test_all_bad_settings_are_named_at_once(tmp_path: Path) -> None:
    problems = problems_of(tmp_path, PORT="x", SELO_DEMO="x", SELO_SECRET_KEY="x", SELO_DATA_KEYS="x")
    assert [problem.partition(":")[0] for problem in problems] == [
        "SELO_DEMO",
        "PORT",
        "SELO_SECRET_KEY",
        "SELO_DATA_KEYS",
    ]


def test_an_account_without_its_token_is_refused(tmp_path: Path) -> None:
    assert "TWILIO_AUTH_TOKEN: missing" in problems_of(tmp_path, TWILIO_ACCOUNT_SID="AC1")[0]


def test_every_setting_is_tried_in_these_tables() -> None:
    tried = {row[0] for row in ACCEPTED} | {row[0] for row in REFUSED}
    tried |= {"TWILIO_ACCOUNT_SID", "SELO_DEBUG"}  # the one above, and the one of the command line
    assert tried >= KNOWN.keys()


def test_the_database_is_in_the_data_folder_unless_said_otherwise(tmp_path: Path) -> None:
    assert read(tmp_path).database_url == f"sqlite:///{tmp_path}/selo.db"


def test_secrets_stay_out_of_what_is_printed(tmp_path: Path) -> None:
    given = {
        "SELO_DATABASE_URL": "postgresql://u:hushhush@h/d",
        "SELO_SMTP_URL": "smtp://u:hushhush@h",
        "TWILIO_AUTH_TOKEN": "hushhush",
        "SELO_SECRET_KEY": "hushhush" * 5,
    }
    assert "hushhush" not in repr(read(tmp_path, **given))
    assert "\\x00" not in repr(read(tmp_path, **given))


def test_a_demonstration_makes_its_secrets_once_and_keeps_them_private(tmp_path: Path) -> None:
    environ = {"SELO_DEMO": "1", "SELO_DATA_DIR": str(tmp_path / "new" / "folder")}
    first = read_settings(environ)
    assert len(first.secret_key) >= 32
    assert len(first.data_keys[0]) == 32
    assert read_settings(environ) == first
    kept = tmp_path / "new" / "folder" / "secrets.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(kept.parent.iterdir()) == [kept], "nothing is left lying beside it"


def test_a_demonstration_prefers_the_secrets_it_is_given(tmp_path: Path) -> None:
    environ = {"SELO_DEMO": "1", "SELO_DATA_DIR": str(tmp_path), "SELO_SECRET_KEY": SECRET}
    assert read_settings(environ).secret_key == SECRET.encode()
    environ["SELO_DATA_KEYS"] = KEY_B
    assert read_settings(environ).data_keys == (b"\xff" * 32,)


@pytest.mark.parametrize("damaged", ["{", "[]x", "[1]", "7", ""])
def test_a_demonstration_with_damaged_secrets_says_so(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "secrets.json").write_text(damaged)
    problems = problems_of(tmp_path, SELO_DEMO="1", SELO_SECRET_KEY="")
    assert any("secrets.json is damaged" in problem for problem in problems)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    problems = problems_of(tmp_path / "file" / "below", SELO_DEMO="1", SELO_SECRET_KEY="")
    assert problems[0].startswith("SELO_DATA_DIR: Not a directory")


def test_a_folder_that_may_not_be_looked_into_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def forbid(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", forbid)
    problems = problems_of(tmp_path, SELO_DEMO="1", SELO_SECRET_KEY="")
    assert problems == [f"SELO_DATA_DIR: Permission denied ({tmp_path})"]


def test_a_demonstration_is_found_again_only_where_nothing_says_otherwise(tmp_path: Path) -> None:
    folder = {"SELO_DATA_DIR": str(tmp_path)}
    made = read_settings({"SELO_DEMO": "1", **folder})
    assert read_settings(folder) == made
    assert not read(tmp_path).demo, "a server with secrets of its own is never a demonstration"
    with pytest.raises(BadSettings):
        read_settings({"SELO_DEMO": "0", **folder})
