"""What a case keeps of a line: its id in the feed and its printed name, as text, so that it outlives the feed."""

from sqlalchemy import and_
from sqlmodel import Session, col, select

from gtfs.folding import fold
from gtfs.tables import FeedLine, FeedVersion


def copy_line(session: Session, authority_id: int, typed: str) -> tuple[str | None, str | None]:
    """The (id, printed name) of the published line that was typed by address, number or name.

    What fits no line, or more than one, is kept as typed, without an id. Nothing typed gives (None, None).
    """
    typed = typed.strip()
    if not typed:
        return None, None
    rows = session.exec(
        select(FeedLine.gtfs_id, FeedLine.slug, FeedLine.short_name, FeedLine.long_name)
        .join(
            FeedVersion,
            and_(
                col(FeedVersion.authority_id) == FeedLine.authority_id, col(FeedVersion.id) == FeedLine.version_id
            ),
        )
        .where(FeedLine.authority_id == authority_id, FeedVersion.state == "published")
    ).all()
    wanted = fold(typed)
    found = [
        (gtfs_id, printed_name(short, long))
        for gtfs_id, slug, short, long in rows
        if wanted in {fold(slug), fold(short), fold(long), fold(printed_name(short, long))} - {""}
    ]
    return found[0] if len(found) == 1 else (None, typed[:200])


def printed_name(short: str, long: str) -> str:
    """`V01 Centro x Araçatiba`, or the one name there is."""
    return " ".join(part for part in (short, long) if part)[:200]
