"""Public figures of a town: how many, about what, answered when; small numbers withheld, and what betrays them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from complaints.authorities.tables import Authority
from complaints.cases.tables import CaseFile, CaseSubject

SMALL = 3
"""Fewer than this point at people: in a van there are fifteen seats."""

HIDDEN_TOGETHER = 5
"""What is withheld in one table adds up to this much at least, so that a total betrays none of it."""

MONTHS = 12
OTHER_LINE = "Outra ou não informada"
NO_SUBJECT = "A classificar"


@dataclass(frozen=True)
class Row:
    """Numbers of one group; None where withheld. `median_days` from filing to answer, from five answers on."""

    name: str
    received: int | None
    answered: int | None = None
    on_time: int | None = None
    median_days: float | None = None


@dataclass(frozen=True)
class Table:
    """One way to group the same cases: `key` for programs, `title` for people."""

    key: str
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Figures:
    """Everything filed from `first` to `last` (local days, both included)."""

    first: date
    last: date
    total: Row
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class _Fact:
    """One case as far as figures go; `days` until it was answered."""

    month: str
    line: str
    subjects: tuple[str, ...]
    days: int | None
    on_time: bool


def count_cases(session: Session, authority: Authority, today: date) -> Figures:
    """Count the last twelve months and this one up to yesterday: a day is published once it is over."""
    first = _months_before(today, MONTHS)
    facts = tuple(_facts(session, authority, first, today))
    tables = (
        _table("mes", "Por mês", facts, lambda fact: (fact.month,), by_name=True),
        _table("assunto", "Por assunto", facts, lambda fact: fact.subjects),
        *((_table("linha", "Por linha", facts, lambda fact: (fact.line,)),) if authority.has_lines else ()),
    )
    return Figures(first, today - timedelta(days=1), _row("Todas", facts), tables)


def withhold(counts: Mapping[str, int]) -> frozenset[str]:
    """The groups whose numbers stay back: small ones, and the next smallest until nothing can be worked out."""
    hidden = {name for name, count in counts.items() if 0 < count < SMALL}
    others = sorted((count, name) for name, count in counts.items() if count >= SMALL)
    while hidden and others and (len(hidden) < 2 or sum(counts[name] for name in hidden) < HIDDEN_TOGETHER):
        hidden.add(others.pop(0)[1])
    return frozenset(hidden)


def _table(
    key: str,
    title: str,
    facts: tuple[_Fact, ...],
    groups_of: Callable[[_Fact], Iterable[str]],
    *,
    by_name: bool = False,
) -> Table:
    groups: defaultdict[str, list[_Fact]] = defaultdict(list)
    for fact in facts:
        for name in groups_of(fact):
            groups[name].append(fact)
    hidden = withhold({name: len(members) for name, members in groups.items()})
    rows = [Row(name, None) if name in hidden else _row(name, members) for name, members in groups.items()]
    rows.sort(key=lambda row: row.name if by_name else (row.received is None, -(row.received or 0), row.name))
    return Table(key, title, tuple(rows))


def _row(name: str, facts: Iterable[_Fact]) -> Row:
    members = list(facts)
    days = [fact.days for fact in members if fact.days is not None]
    on_time = sum(fact.on_time for fact in members)
    answered = _part(len(days), len(members))
    return Row(
        name=name,
        received=None if 0 < len(members) < SMALL else len(members),
        answered=answered,
        on_time=None if answered is None else _part(on_time, len(days)),
        median_days=median(days) if answered is not None and len(days) >= HIDDEN_TOGETHER else None,
    )


def _part(some: int, whole: int) -> int | None:
    """A part of a whole, unless it or the rest is small."""
    return None if 0 < some < SMALL or 0 < whole - some < SMALL else some


def _facts(session: Session, authority: Authority, first: date, today: date) -> Iterable[_Fact]:
    zone = ZoneInfo(authority.time_zone)
    start, end = (datetime(day.year, day.month, day.day, tzinfo=zone) for day in (first, today))
    inside = (CaseFile.authority_id == authority.id, col(CaseFile.filed_at) >= start, CaseFile.filed_at < end)
    labels = _labels(session, authority, inside)
    for case in session.exec(select(CaseFile).where(*inside)).all():
        filed = case.filed_at.astimezone(zone).date()
        answered = case.answered_at.astimezone(zone).date() if case.answered_at else None
        yield _Fact(
            month=f"{filed:%Y-%m}",
            line=case.line_name if case.line_id and case.line_name else OTHER_LINE,
            subjects=labels.get(case.id, (NO_SUBJECT,)),
            days=(answered - filed).days if answered else None,
            on_time=answered is not None and (case.due_on is None or answered <= case.due_on),
        )


def _labels(session: Session, authority: Authority, inside: tuple[object, ...]) -> dict[UUID, tuple[str, ...]]:
    """The subjects of each case: those the staff chose, else the rider's."""
    found: defaultdict[UUID, dict[str, list[str]]] = defaultdict(dict)
    rows = session.exec(
        select(CaseSubject.case_id, CaseSubject.chosen_by, CaseSubject.label)
        .join(
            CaseFile,
            (col(CaseFile.authority_id) == CaseSubject.authority_id) & (col(CaseFile.id) == CaseSubject.case_id),
        )
        .where(*inside)  # type: ignore[arg-type]  # conditions on columns, typed as plain values by SQLModel
    )
    for case_id, chosen_by, label in rows:
        found[case_id].setdefault(chosen_by, []).append(label)
    return {case_id: tuple(dict.fromkeys(by.get("staff") or by["rider"])) for case_id, by in found.items()}


def _months_before(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, 1)
