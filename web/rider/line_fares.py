"""What a ride costs on one line: by the authority's act, else by the feed; and who pays less, with the article."""

from dataclasses import dataclass
from datetime import date

from sqlmodel import Session

from complaints.authorities.fares import FareAct, Fares, fares_on
from complaints.authorities.law_in_force import law_on, settings_in_force
from complaints.authorities.tables import Authority
from gtfs.fares import FeedPrice, LineFares, fares_from_json
from gtfs.published import LineEntry, PublishedFeed, get_line_details
from web.fares_files import full_price
from web.formats import money
from web.law_fares import reduced_fares


@dataclass(frozen=True)
class ReducedRow:
    """A title as the page shows it: who, what they pay in words, its key on the page of fares, its articles."""

    label: str
    pays: str
    key: str
    citations: tuple[str, ...]


@dataclass(frozen=True)
class LineFareSheet:
    """The fare of a line; `act` decides it, else `feed` says it, else nobody has published it.

    `full` is the full price in words, blank when there is no single one. `law` names the law of the rows.
    """

    act: FareAct | None
    feed: LineFares | None
    full: str
    rows: tuple[ReducedRow, ...]
    law: str

    @property
    def is_free(self) -> bool:
        """Whether nobody pays."""
        return self.act is not None and self.act.free


def show_line_fares(
    session: Session, town: Authority, feed: PublishedFeed, line: LineEntry, today: date
) -> LineFareSheet | None:
    """The fare part of a line's page; None where the town's law knows no fares."""
    rulebook = law_on(town, today)
    if not rulebook.has_fare:
        return None
    act = fares_on(session, town.id, today).of_line(line.gtfs_id)
    stored = get_line_details(session, feed, line.position).get("fares")
    own = fares_from_json(stored) if stored and act is None else None
    cents = act.cents if act else full_price(own)
    titles = reduced_fares(rulebook, settings_in_force(session, town, today), cents or 0)
    rows = () if act and act.free else titles
    return LineFareSheet(
        act=act,
        feed=own,
        full="" if cents is None else money(cents),
        rows=tuple(
            ReducedRow(
                title.rule.label,
                _pays(title.rule.percent_off, title.cents if cents else None),
                title.rule.key,
                title.rule.citations,
            )
            for title in rows
        ),
        law=rulebook.law.name,
    )


def fare_state(session: Session, town: Authority, today: date) -> tuple[Fares, tuple[tuple[str, str], ...]]:
    """All that changes the fare parts of a town's pages, for their keys."""
    settings = settings_in_force(session, town, today)
    return fares_on(session, town.id, today), tuple(sorted((key, repr(value)) for key, value in settings.items()))


def price_in_words(price: FeedPrice) -> str:
    """`R$ 4,50`; another currency by its code."""
    if price.currency == "BRL" and price.amount * 100 == int(price.amount * 100):
        return money(int(price.amount * 100))
    return f"{price.currency} {price.amount}".replace(".", ",")


def _pays(percent_off: int, cents: int | None) -> str:
    if percent_off == 100:
        return "não paga"
    return "paga metade" if cents is None else f"paga metade: {money(cents)}"
