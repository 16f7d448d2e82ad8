"""Notices about a feed, gathered as they are found and handed over as one report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gtfs.checks.catalogue import Severity, load_rules

SHOWN = 20
"""How many notices of one code a report holds; the others are only counted."""

_LONGEST_VALUE = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a rule found a fault: file, row as a spreadsheet counts it (None: the whole file), field, value.

    `other` fills the rule's text: the file referred to, the limit, the earlier row.
    """

    file: str
    row: int | None = None
    field: str = ""
    value: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """One fault in one place; `message_pt` says in Portuguese what is wrong and what to do."""

    code: str
    severity: Severity
    file: str
    row: int | None
    field: str
    value: str
    message_pt: str

    @property
    def place(self) -> str:
        """`stops.txt, linha 3`."""
        return self.file if self.row is None else f"{self.file}, linha {self.row}"


@dataclass(frozen=True, slots=True)
class NoticeGroup:
    """All notices of one code: the first SHOWN of them and how many there are in all."""

    code: str
    severity: Severity
    total: int
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in a feed, errors first; `name` is the file's name as it came."""

    name: str
    groups: tuple[NoticeGroup, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the feed may be published: it has no error."""
        return not self.errors

    @property
    def errors(self) -> int:
        """How many faults refuse the feed."""
        return sum(group.total for group in self.groups if group.severity == "error")

    @property
    def warnings(self) -> int:
        """How many faults are published as they are."""
        return sum(group.total for group in self.groups if group.severity == "warning")

    def to_json(self) -> dict[str, Any]:
        """Plain values: name, accepted, errors, warnings, notices (code, severity, total, samples)."""
        return {
            "name": self.name,
            "accepted": self.accepted,
            "errors": self.errors,
            "warnings": self.warnings,
            "notices": [_group_to_json(group) for group in self.groups],
        }


def report_from_json(values: Mapping[str, Any]) -> Report:
    """The report that `Report.to_json` wrote."""
    return Report(values["name"], tuple(_group_from_json(group) for group in values["notices"]))


class Notices:
    """Gathers notices of one feed; keeps the first SHOWN of each code and counts all."""

    def __init__(self) -> None:
        self._kept: dict[str, list[Notice]] = {}
        self._totals: dict[str, int] = {}
        self._opinions: dict[str, list[Notice]] = {}
        self._opinion_totals: dict[str, int] = {}

    def add(self, code: str, finding: Finding) -> None:
        """Note a fault; KeyError when `rules.toml` has no such code."""
        self._totals[code] = self._totals.get(code, 0) + 1
        kept = self._kept.setdefault(code, [])
        if len(kept) < SHOWN:
            kept.append(_word(code, finding))

    def add_opinion(self, code: str, total: int, findings: Iterable[Finding]) -> None:
        """Note `total` faults that the second opinion tells, known to `rules.toml` or not; they only warn.

        They are left out where our own rules have told the same.
        """
        self._opinion_totals[code] = self._opinion_totals.get(code, 0) + total
        kept = self._opinions.setdefault(code, [])
        for finding in findings:
            if len(kept) < SHOWN:
                kept.append(_word_opinion(code, finding))

    @property
    def refused(self) -> bool:
        """Whether an error was noted."""
        rules = load_rules()
        return any(rules[code].severity == "error" for code in self._totals)

    def report(self, name: str) -> Report:
        """Everything noted so far, errors first, then in the order of the table of rules."""
        rules = load_rules()
        told = {*self._totals, *(same for code in self._totals for same in rules[code].same_as)}
        groups = [
            NoticeGroup(code, rules[code].severity, total, tuple(self._kept[code]))
            for code, total in self._totals.items()
        ]
        groups += [
            NoticeGroup(code, "warning", total, tuple(self._opinions[code]))
            for code, total in self._opinion_totals.items()
            if code not in told
        ]
        order = {code: position for position, code in enumerate(rules)}
        last = len(order)
        groups.sort(key=lambda group: (group.severity != "error", order.get(group.code, last), group.code))
        return Report(name, tuple(groups))


def _word(code: str, finding: Finding) -> Notice:
    rule = load_rules()[code]
    return _fill(code, rule.severity, rule.text, finding)


def _word_opinion(code: str, finding: Finding) -> Notice:
    """What the table does not know is said by the entry `unknown_fault`, with the code as `other`."""
    rules = load_rules()
    rule = rules.get(code, rules["unknown_fault"])
    return _fill(code, "warning", rule.second or rule.text, finding)


def _fill(code: str, severity: Severity, text: str, finding: Finding) -> Notice:
    file, field, value = _shorten(finding.file), _shorten(finding.field), _shorten(finding.value)
    notice = Notice(code, severity, file, finding.row, field, value, "")
    words = text.format(
        file=file, row=finding.row, place=notice.place, field=field, value=value, other=_shorten(finding.other)
    )
    return replace(notice, message_pt=words)


def _shorten(text: str) -> str:
    """One printable line: white space becomes a space, other control characters `?`, long texts are cut."""
    cut = text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
    return "".join(" " if letter.isspace() else letter if letter.isprintable() else "?" for letter in cut)


def _group_to_json(group: NoticeGroup) -> dict[str, Any]:
    samples = [
        {
            "file": notice.file,
            "row": notice.row,
            "field": notice.field,
            "value": notice.value,
            "message": notice.message_pt,
        }
        for notice in group.notices
    ]
    return {"code": group.code, "severity": group.severity, "total": group.total, "samples": samples}


def _group_from_json(values: Mapping[str, Any]) -> NoticeGroup:
    code, severity = values["code"], values["severity"]
    notices = tuple(
        Notice(code, severity, sample["file"], sample["row"], sample["field"], sample["value"], sample["message"])
        for sample in values["samples"]
    )
    return NoticeGroup(code, severity, values["total"], notices)
