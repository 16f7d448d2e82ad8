"""Entity tags, by which a browser's copy is told apart from what we would send."""


def entity_tag(identity: str) -> str:
    """A weak tag (RFC 9110, 8.8.3): the same for every encoding of the same content."""
    return f'W/"{identity}"'


def matches(if_none_match: str | None, tag: str) -> bool:
    """Tell whether an If-None-Match header names `tag`, by weak comparison."""
    if not if_none_match:
        return False
    wanted = tag.removeprefix("W/")
    return any(item.strip().removeprefix("W/") in (wanted, "*") for item in if_none_match.split(","))
