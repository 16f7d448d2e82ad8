"""What a line's page says beside times: the vehicles it needs, its kilometres, and its service on demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from gtfs.clock import write_clock
from gtfs.day_kinds import find_day_kinds
from gtfs.line_work import LineWork, work_from_json
from gtfs.on_demand import REAL_TIME, SAME_DAY, Booking, OnDemand, on_demand_from_json
from gtfs.published import PublishedFeed
from gtfs.service_days import ServiceDays
from web.rider.intervals import pace_in_words
from web.rider.line_sheet import DaySheet

MOST_KINDS = 4
"""Kinds of day whose fleet and kilometres are told."""


@dataclass(frozen=True)
class OfferSheet:
    """Rides on demand: days and hours, where, how long before to ask; `phone` and `address` may be blank."""

    days: str
    hours: str
    areas: str
    notice: str
    phone: str
    address: str
    message: str


@dataclass(frozen=True)
class AboutLine:
    """Rows (term, words) on vehicles and kilometres, and what is offered on demand."""

    rows: tuple[tuple[str, str], ...]
    offers: tuple[OfferSheet, ...]


def show_about(
    details: Mapping[str, Any],
    days: Sequence[DaySheet],
    services: Sequence[ServiceDays],
    feed: PublishedFeed,
    today: date,
) -> AboutLine:
    """The parts of `details` in words; `days` are the kinds of day of the page."""
    work = {found.services: found for found in map(work_from_json, details.get("work", ()))}
    told = [(day.label, work[day.services]) for day in days if day.services in work][:MOST_KINDS]
    offers = map(on_demand_from_json, details.get("on_demand", ()))
    return AboutLine(
        rows=tuple(row for row in (_fleet_row(told), _km_row(told)) if row[1]),
        offers=tuple(_offer_sheet(offer, services, feed, today) for offer in offers),
    )


def _fleet_row(told: Sequence[tuple[str, LineWork]]) -> tuple[str, str]:
    parts = [f"{label}: {_fleet_in_words(work)}" for label, work in told if work.fleet]
    return "Frota necessária", "; ".join(parts)


def _fleet_in_words(work: LineWork) -> str:
    least = "" if work.by_blocks else "pelo menos "
    if work.fleet == 1:
        return f"{least}1 veículo"
    return f"{least}{work.fleet} veículos ao mesmo tempo (por volta das {write_clock(work.peak)})"


def _km_row(told: Sequence[tuple[str, LineWork]]) -> tuple[str, str]:
    parts = [
        f"{label}: {_km_in_words(work.km)} em {work.trips} {'viagens' if work.trips != 1 else 'viagem'}"
        for label, work in told
        if work.km
    ]
    return "Quilômetros por dia", "; ".join(parts)


def _km_in_words(km: float) -> str:
    text = f"{km:,.0f}" if km >= 100 else f"{km:.1f}"
    return f"{text.replace(',', '_').replace('.', ',').replace('_', '.')} km"


def _offer_sheet(offer: OnDemand, services: Sequence[ServiceDays], feed: PublishedFeed, today: date) -> OfferSheet:
    booking = offer.booking
    return OfferSheet(
        days=_days_in_words(offer, services, feed, today),
        hours=f"das {write_clock(offer.start)} às {write_clock(offer.end)}",
        areas=", ".join(offer.areas),
        notice=_notice_in_words(booking) if booking else "",
        phone=booking.phone if booking else "",
        address=booking.address if booking else "",
        message=booking.message if booking else "",
    )


def _days_in_words(offer: OnDemand, services: Sequence[ServiceDays], feed: PublishedFeed, today: date) -> str:
    if feed.first_day is None or feed.last_day is None:
        return ""
    kinds = find_day_kinds(services, offer.services, today, feed.first_day, feed.last_day)
    return "; ".join(kind.label for kind in kinds if kind.services)


def _notice_in_words(booking: Booking) -> str:
    """How long before a ride must be asked for."""
    if booking.kind == REAL_TIME:
        return "Peça na hora em que for viajar."
    if booking.kind == SAME_DAY:
        return (
            f"Peça até {pace_in_words(booking.minutes * 60)} antes da viagem."
            if booking.minutes
            else "Peça no dia."
        )
    days = booking.days or 1
    until = f" até as {write_clock(booking.until)}" if booking.until is not None else ""
    return f"Peça {'na véspera' if days == 1 else f'{days} dias antes'}{until}."
