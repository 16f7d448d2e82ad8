"""The official texts that authorities load, kept in storage with a dated act in the database."""

import hashlib

from complaints.authorities.calendar import local_date
from complaints.authorities.choices import add_choice, choice_on
from complaints.authorities.law_in_force import TEXT
from complaints.authorities.tables import Authority
from complaints.law.official_text import OfficialText, read_law_text
from complaints.storage import MissingObject
from web.services import Services


def store_law_text(services: Services, authority: Authority, law_id: str, content: bytes, name: str) -> None:
    """Keep a text already checked: the file first, then the act that names it by its SHA-256."""
    digest = hashlib.sha256(content).hexdigest()
    services.storage.put(_place(authority, digest), content)
    now = services.clock()
    today = local_date(authority, now)
    with services.database.write() as session:
        add_choice(
            session,
            authority.id,
            TEXT,
            law_id,
            {"sha256": digest, "bytes": len(content)},
            instrument=f"texto oficial carregado do arquivo {name}"[:300],
            effective_from=today,
            today=today,
            now=now,
        )


def find_law_text(services: Services, authority: Authority, law_id: str) -> OfficialText | None:
    """Return the text an authority loaded; None when it loaded none."""
    today = local_date(authority, services.clock())
    with services.database.read() as session:
        act = choice_on(session, authority.id, TEXT, law_id, today)
    if act is None:
        return None
    try:
        return read_law_text(services.storage.get(_place(authority, act["sha256"])))
    except MissingObject:
        return None


def _place(authority: Authority, digest: str) -> str:
    return f"{authority.id}/laws/{digest}"
