"""The agency as typed: name, site, telephone and e-mail as agency.txt wants them."""

import re
from urllib.parse import urlsplit

from gtfs.authoring.faults import Fault
from gtfs.authoring.network import Agency

LONGEST = 200
RESERVED = ("localhost", "local", "test", "example", "invalid", "internal", "home", "lan")
"""Last parts of names that lead nowhere outside (RFC 2606, 6761, 8375): validators refuse them."""

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}", re.ASCII | re.IGNORECASE)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}", re.ASCII)
_MAILBOX = re.compile(r"[A-Za-z0-9._%+-]+", re.ASCII)
_PHONE = re.compile(r"\+?[\d ().-]{8,25}", re.ASCII)


def read_agency(values: Agency) -> tuple[Agency, tuple[Fault, ...]]:
    """The agency without outer blanks; faults name `nome`, `site`, `telefone` or `email`."""
    faults = []
    if not values.name or len(values.name) > LONGEST:
        faults.append(Fault(1, "1", f"escreva o nome do órgão, com até {LONGEST} letras", "nome"))
    if not is_site(values.url) or len(values.url) > LONGEST:
        faults.append(
            Fault(1, "1", "escreva o endereço completo do site, como https://www.marica.rj.gov.br", "site")
        )
    if values.phone and not _PHONE.fullmatch(values.phone):
        faults.append(Fault(1, "1", "escreva o telefone com DDD, como (21) 3731-0000", "telefone"))
    if values.email and not is_mailbox(values.email):
        faults.append(Fault(1, "1", "escreva o e-mail completo, ou deixe em branco", "email"))
    return values, tuple(faults)


def is_site(url: str) -> bool:
    """Whether the address of a site can be reached from outside, by its form."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    plain = not re.search(r"[\s<>\"]", url)
    return parts.scheme in ("http", "https") and plain and (_is_host(host) or bool(_ADDRESS.fullmatch(host)))


def is_mailbox(text: str) -> bool:
    """Whether an e-mail address can be written to, by its form."""
    box, _, host = text.rpartition("@")
    return bool(_MAILBOX.fullmatch(box)) and ".." not in box and _is_host(host)


def _is_host(host: str) -> bool:
    return bool(_HOST.fullmatch(host)) and host.rpartition(".")[2].lower() not in RESERVED
