"""Whether the rows of a rulebook agree with each other: each check returns the faults it finds."""

from collections.abc import Iterable, Iterator

from complaints.law.cross_checks import find_loose_names
from complaints.law.entitlements import BreakdownRule, Credential, FareRule, UserRule
from complaints.law.faults import Fault
from complaints.law.schema import Rulebook
from complaints.law.vocabulary import get_vocabulary


def find_contradictions(rulebook: Rulebook) -> list[Fault]:
    """Return every disagreement between rows, in the order of the checks."""
    return [*(fault for check in _CHECKS for fault in check(rulebook)), *find_loose_names(rulebook)]


def _law_names_its_town(rulebook: Rulebook) -> Iterator[Fault]:
    law = rulebook.law
    if law.scope == "municipal":
        for field, value in (("municipality", law.municipality), ("uf", law.uf)):
            if value is None:
                yield Fault(f"law.{field}", "uma lei municipal precisa deste campo")


def _keys_are_unique(rulebook: Rulebook) -> Iterator[Fault]:
    yield from _repeated("infraction, duty ou ground", (row.key for row in rulebook.provisions))
    yield from _repeated("subject", (subject.key for subject in rulebook.subjects))
    yield from _repeated("fare_rule", (rule.key for rule in rulebook.fare_rules))
    yield from _repeated("rule", (rule.key for rule in rulebook.rules))
    yield from _repeated("service", (service.id for service in rulebook.services))
    yield from _repeated("step", (" ".join((step.id, *step.sanctions)) for step in rulebook.steps))


def _labels_are_unique(rulebook: Rulebook) -> Iterator[Fault]:
    yield from _repeated("rótulo de subject", (subject.label.casefold() for subject in rulebook.subjects))


def _candidates_exist(rulebook: Rulebook) -> Iterator[Fault]:
    for subject in rulebook.subjects:
        for key in subject.candidates:
            if rulebook.find_provision(key) is None:
                yield Fault(f"subject ({subject.key}).candidates", f"não há infração ou dever {key!r}")
        if not subject.candidates and not subject.no_direct_rule:
            yield Fault(f"subject ({subject.key})", "sem candidatas; marque no_direct_rule = true")


def _duplicates_exist(rulebook: Rulebook) -> Iterator[Fault]:
    for row in rulebook.infractions:
        if row.duplicate_of is not None and rulebook.find_provision(row.duplicate_of) is None:
            yield Fault(f"infraction ({row.key}).duplicate_of", f"não há {row.duplicate_of!r}")


def _topics_exist(rulebook: Rulebook) -> Iterator[Fault]:
    topics = get_vocabulary().topics
    named = [(row.key, row.topic) for row in rulebook.provisions]
    named += [(subject.key, subject.topic) for subject in rulebook.subjects]
    for key, topic in named:
        if topic not in topics:
            yield Fault(f"{key}.topic", f"o vocabulário não tem o tema {topic!r}")
    for subject in rulebook.subjects:
        if subject.topic in topics and topics[subject.topic].staff_only:
            yield Fault(f"subject ({subject.key}).topic", f"{subject.topic!r} é tema só da equipe")


def _services_exist(rulebook: Rulebook) -> Iterator[Fault]:
    known = {service.id for service in rulebook.services}
    named = [(rule.label, rule.services) for rule in rulebook.fare_rules]
    named += [(rule.label, rule.services) for rule in rulebook.fare_exclusions]
    named += [(rule.label, dispute.services) for rule in rulebook.fare_rules for dispute in rule.disputes]
    for label, services in named:
        for service_id in services:
            if service_id not in known:
                yield Fault(f"{label}.services", f"não há serviço {service_id!r}")


def _subjects_exist(rulebook: Rulebook) -> Iterator[Fault]:
    for place, key in _named_subjects(rulebook):
        if rulebook.find_subject(key) is None:
            yield Fault(place, f"não há assunto {key!r}")


def _named_subjects(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    groups: dict[str, tuple[FareRule | UserRule | Credential | BreakdownRule, ...]] = {
        "fare_rule": rulebook.fare_rules,
        "fare_note": rulebook.fare_notes,
        "user_right": rulebook.user_rights,
        "user_duty": rulebook.user_duties,
        "refusal": rulebook.refusals,
        "display": rulebook.displays,
        "complaint_rule": rulebook.complaint_rules,
        "credential": rulebook.credentials,
        "breakdown": () if rulebook.breakdown is None else (rulebook.breakdown,),
    }
    for group, rules in groups.items():
        for rule in rules:
            if rule.subject is not None:
                yield f"{group} ({rule.citations[0]}).subject", rule.subject
    for place, key in enumerate(rulebook.most_common):
        yield f"most_common.{place}", key


def _repeated(place: str, values: Iterable[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            yield Fault(place, f"{value!r} aparece mais de uma vez")
        seen.add(value)


_CHECKS = (
    _law_names_its_town,
    _keys_are_unique,
    _labels_are_unique,
    _candidates_exist,
    _duplicates_exist,
    _topics_exist,
    _services_exist,
    _subjects_exist,
)
