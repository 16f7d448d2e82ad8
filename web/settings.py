"""The settings that the environment gives, read once and refused all together when wrong."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from web.demo_secrets import FILE_NAME as SECRETS_FILE
from web.demo_secrets import CannotKeepSecrets, read_or_make_secrets

KNOWN = {
    "SELO_DATABASE_URL": "where the database is; default: SQLite in the data folder",
    "SELO_DATA_DIR": "folder that holds all state of a single machine; default: data",
    "SELO_PUBLIC_URL": "address people see, without a path; default: http://HOST:PORT",
    "SELO_SECRET_KEY": "at least 32 characters; signs forms and derives the keys of cases",
    "SELO_DATA_KEYS": "base64 keys of 32 bytes, comma between, newest first; they seal personal data",
    "SELO_TRUSTED_PROXIES": "networks whose X-Forwarded-For is believed, comma between",
    "SELO_DEMO": "1 for a demonstration; default: 1 where the data folder holds one, else 0",
    "SELO_SMTP_URL": "smtp:// or smtps:// address of the mail server",
    "TWILIO_ACCOUNT_SID": "account that sends the messages",
    "TWILIO_AUTH_TOKEN": "one token, or two with a comma between while one replaces the other",
    "SELO_TWILIO_BASE_URL": "address of the message service; default: Twilio's",
    "SELO_DEBUG": "1 shows tracebacks on the command line",
    "HOST": "address to listen on; default: 127.0.0.1",
    "PORT": "port to listen on; default: 8000",
}
"""Every setting and what it means; a test holds the manual's table against this one."""

REQUIRED = ("SELO_SECRET_KEY", "SELO_DATA_KEYS")
"""Settings without a default; a demonstration makes its own."""

Network = IPv4Network | IPv6Network
T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """Checked settings; secrets never appear in the repr."""

    database_url: str = field(repr=False)
    data_dir: Path
    public_url: str
    secret_key: bytes = field(repr=False)
    data_keys: tuple[bytes, ...] = field(repr=False)
    trusted_proxies: tuple[Network, ...] = ()
    demo: bool = False
    smtp_url: str | None = field(default=None, repr=False)
    twilio_account_sid: str | None = None
    twilio_auth_tokens: tuple[str, ...] = field(default=(), repr=False)
    twilio_base_url: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000


class BadSettings(Exception):
    """The environment cannot be used; `problems` has one sentence for each wrong setting."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read and check every setting; a blank one counts as not given.

    A demonstration that lacks its secrets makes them once and keeps them in the data folder.
    Raises BadSettings naming all wrong settings at once.
    """
    reader = _Reader({name: text.strip() for name, text in environ.items() if text.strip()})
    data_dir = reader.read("SELO_DATA_DIR", _read_folder, Path("data").resolve())
    demo = reader.read("SELO_DEMO", _read_switch, is_demonstration(reader.given, data_dir))
    host = reader.read("HOST", str, "127.0.0.1")
    port = reader.read("PORT", _read_port, 8000)
    if demo and not reader.problems:
        reader.add_secrets(data_dir)
    settings = Settings(
        database_url=reader.read("SELO_DATABASE_URL", read_database_url, sqlite_url(data_dir / "selo.db")),
        data_dir=data_dir,
        public_url=reader.read("SELO_PUBLIC_URL", _read_public_url, _default_public_url(host, port)),
        secret_key=reader.read("SELO_SECRET_KEY", _read_secret_key, b""),
        data_keys=reader.read("SELO_DATA_KEYS", _read_data_keys, ()),
        trusted_proxies=reader.read("SELO_TRUSTED_PROXIES", _read_networks, ()),
        demo=demo,
        smtp_url=reader.read("SELO_SMTP_URL", _read_smtp_url, None),
        twilio_account_sid=reader.read("TWILIO_ACCOUNT_SID", str, None),
        twilio_auth_tokens=reader.read("TWILIO_AUTH_TOKEN", _read_tokens, ()),
        twilio_base_url=reader.read("SELO_TWILIO_BASE_URL", _read_service_url, None),
        host=host,
        port=port,
    )
    reader.look_at_the_whole(demo)
    if reader.problems:
        raise BadSettings(reader.problems)
    return settings


def is_demonstration(given: Mapping[str, str], data_dir: Path) -> bool:
    """Whether the data folder holds a demonstration's own secrets and no others are given: then every command
    that is not told SELO_DEMO works on that demonstration."""
    try:
        return not any(name in given for name in REQUIRED) and (data_dir / SECRETS_FILE).is_file()
    except OSError:
        return False


def sqlite_url(path: Path) -> str:
    """The address of a SQLite database file."""
    return URL.create("sqlite", database=str(path)).render_as_string()


def read_database_url(text: str) -> str:
    """Return the address in SQLAlchemy's spelling; raises ValueError for a database we do not run on."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError("is not a database address (sqlite:///FILE or postgresql://…)") from None
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    if url.drivername != "sqlite":
        raise ValueError(f"{url.drivername} is not supported (sqlite:///FILE or postgresql://…)")
    if not url.database or url.database == ":memory:" or url.query:
        raise ValueError("must name a plain file (sqlite:///FILE), because several processes share it")
    return sqlite_url(Path(url.database).resolve())


class _Reader:
    """Applies a parser to each setting and gathers what was wrong."""

    def __init__(self, given: dict[str, str]) -> None:
        self.given = given
        self.problems: list[str] = []

    def read(self, name: str, parse: Callable[[str], T], default: T) -> T:
        if name not in self.given:
            return default
        try:
            return parse(self.given[name])
        except ValueError as problem:
            self.problems.append(f"{name}: {problem}")
        except OSError as problem:
            self.problems.append(f"{name}: {problem.strerror} ({problem.filename})")
        return default

    def add_secrets(self, data_dir: Path) -> None:
        if all(name in self.given for name in REQUIRED):
            return
        try:
            self.given = {**read_or_make_secrets(data_dir), **self.given}
        except CannotKeepSecrets as problem:
            self.problems.append(f"SELO_DATA_DIR: {problem}")

    def look_at_the_whole(self, demo: bool) -> None:
        if not demo:
            missing = [name for name in REQUIRED if name not in self.given]
            self.problems.extend(f"{name}: missing ({KNOWN[name]})" for name in missing)
        if "TWILIO_ACCOUNT_SID" in self.given and "TWILIO_AUTH_TOKEN" not in self.given:
            self.problems.append("TWILIO_AUTH_TOKEN: missing, but TWILIO_ACCOUNT_SID is given")
        for name in sorted(self.given.keys() - KNOWN.keys()):
            if name.startswith(("SELO_", "TWILIO_")) and (meant := get_close_matches(name, KNOWN, 1, 0.85)):
                self.problems.append(f"{name}: there is no such setting; did you mean {meant[0]}?")


def _read_switch(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False}
    try:
        return {**words, "off": False}[text.lower()]
    except KeyError:
        raise ValueError("must be 1 or 0") from None


def _read_folder(text: str) -> Path:
    folder = Path(text).expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is not a folder")
    return folder


def _read_port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise ValueError("must be a number from 0 to 65535")
    return int(text)


def _default_public_url(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - read, not bound
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _read_url(text: str, schemes: tuple[str, ...]) -> SplitResult:
    parts = urlsplit(text)
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError("must begin with " + " or ".join(f"{scheme}://" for scheme in schemes))
    _ = parts.port  # raises ValueError when out of range
    return parts


def _read_public_url(text: str) -> str:
    parts = _read_url(text, ("https", "http"))
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username:
        raise ValueError("must be scheme, host and port only, such as https://transporte.example")
    return f"{parts.scheme}://{parts.netloc}"


def _read_service_url(text: str) -> str:
    _read_url(text, ("https", "http"))
    return text.rstrip("/")


def _read_smtp_url(text: str) -> str:
    _read_url(text, ("smtp", "smtps"))
    return text


def _read_secret_key(text: str) -> bytes:
    if len(text) < 32:
        raise ValueError("must have at least 32 characters")
    return text.encode()


def _read_data_keys(text: str) -> tuple[bytes, ...]:
    keys = tuple(_read_data_key(part.strip()) for part in text.split(","))
    if len(set(keys)) != len(keys):
        raise ValueError("names the same key twice")
    return keys


def _read_data_key(text: str) -> bytes:
    try:
        key = base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        raise ValueError("each key must be written in base64") from None
    if len(key) != 32:
        raise ValueError(f"each key must have 32 bytes, one has {len(key)}")
    return key


def _read_networks(text: str) -> tuple[Network, ...]:
    return tuple(_read_network(part.strip()) for part in text.split(","))


def _read_network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError as problem:
        raise ValueError(f"{problem} (an address or a network such as 10.0.0.0/8)") from None


def _read_tokens(text: str) -> tuple[str, ...]:
    tokens = tuple(part.strip() for part in text.split(","))
    if len(tokens) > 2 or not all(tokens):
        raise ValueError("holds one token, or two with a comma between")
    return tokens
