"""Addresses of our own pages, never built from what a request says of the host."""

from urllib.parse import quote, urlencode

from complaints.authorities.tables import Authority


def town_url(authority: Authority, *parts: str, **query: str) -> str:
    """The path of a town's page: `town_url(marica, "linhas", "e01", dia="2026-11-30")`.

    Without parts it is the town's home, `/marica/`. Never put a key or a person's data into `query`.
    """
    path = "/".join(quote(part, safe="") for part in (authority.slug, *parts))
    return f"/{path}{'' if parts else '/'}{f'?{urlencode(query)}' if query else ''}"


def absolute_url(public_url: str, path: str) -> str:
    """The address to print or send: `settings.public_url` and a path that starts with a slash."""
    return public_url.rstrip("/") + path


def nav_links(authority: Authority) -> tuple[tuple[str, str], ...]:
    """The parts of a town's site and what they are called; without lines there are no fares either."""
    with_lines = (("linhas", "Linhas"), ("tarifas", "Tarifas")) if authority.has_lines else ()
    return (
        *with_lines[:1],
        ("veiculos", "Veículos"),
        *with_lines[1:],
        ("direitos", "Direitos"),
        ("reclamar", "Reclamar"),
        ("acompanhar", "Acompanhar"),
    )
