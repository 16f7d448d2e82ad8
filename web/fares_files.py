"""The fare files of a town's feed, made from its acts and its law."""

from collections.abc import Mapping
from datetime import date

from sqlmodel import Session

from complaints.authorities.fares import Fares, fares_on
from complaints.authorities.law_in_force import law_on, settings_in_force
from complaints.authorities.tables import Authority
from gtfs.fare_writing import FareNames, LinePrice, PricedCategory, RouteNetworks, category_id, write_fares
from gtfs.fares import LineFares
from gtfs.published import LineDetails, OfVersion, list_line_details
from web.addresses import absolute_url, town_url
from web.law_fares import Reduced, reduced_fares

NAMES = FareNames(full="Tarifa inteira", cash="Dinheiro", product="Passagem", network="Linhas com a passagem de")
_REAIS = "BRL"


def list_fare_files(
    session: Session, town: Authority, feed: OfVersion, day: date, public_url: str
) -> Mapping[str, bytes | None]:
    """The fare files as of `day` by name; None for a file that must not be there.

    Empty, so that the feed stays as it is, when no line has a known price, or when routes.txt puts lines of
    different prices into one network.
    """
    lines = list_line_details(session, feed)
    acts = fares_on(session, town.id, day)
    rulebook = law_on(town, day)
    settings = settings_in_force(session, town, day)
    page = absolute_url(public_url, town_url(town, "tarifas"))
    prices = []
    for line in lines:
        cents = find_cents(acts, line)
        if cents is not None:
            categories = [_category(title, page) for title in reduced_fares(rulebook, settings, cents)]
            prices.append(LinePrice(line.gtfs_id, cents, tuple(filter(None, categories)), line.agency))
    try:
        return write_fares(prices, NAMES, {line.gtfs_id: line.network for line in lines if line.network})
    except RouteNetworks:
        return {}


def find_cents(acts: Fares, line: LineDetails) -> int | None:
    """The full price of a line in cents: by the authority's act, else the feed's own when it has just one."""
    act = acts.of_line(line.gtfs_id)
    return act.cents if act else full_price(line.fares)


def full_price(fares: LineFares | None) -> int | None:
    """The one price in cents of real that somebody with no title pays; None when there are several or none."""
    if fares is None or fares.depends:
        return None
    full = [price for price in fares.prices if price.is_default or not price.category] or list(fares.prices)
    amounts = {price.amount * 100 for price in full if price.currency == _REAIS}
    if len(amounts) != 1 or len(full) != len([price for price in full if price.currency == _REAIS]):
        return None
    amount = amounts.pop()
    return int(amount) if amount == int(amount) and amount >= 0 else None


def _category(title: Reduced, page: str) -> PricedCategory | None:
    """The category of a title; None when the law gives it no whole cents."""
    if title.cents is None:
        return None
    rule = title.rule
    return PricedCategory(category_id(rule.key), rule.label, title.cents, f"{page}#{rule.key}")
