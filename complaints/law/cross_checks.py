"""Whether the names in a rulebook lead somewhere: articles, settings, rows, classes, sanctions and steps."""

from collections.abc import Iterator
from typing import Any

from complaints.law.citations import is_citation
from complaints.law.faults import Fault
from complaints.law.provisions import Ground
from complaints.law.schema import Rulebook
from complaints.law.structure import find_missing_part


def find_loose_names(rulebook: Rulebook) -> Iterator[Fault]:
    """Yield every name that leads nowhere, with its place and what to do."""
    yield from _citations(rulebook)
    yield from _settings(rulebook)
    yield from _rows(rulebook)
    yield from _classes(rulebook)
    yield from _sanctions(rulebook)
    yield from _steps(rulebook)
    yield from _unreachable(rulebook)


def _citations(rulebook: Rulebook) -> Iterator[Fault]:
    if not rulebook.structure:
        if rulebook.law.scope == "municipal":
            yield Fault("structure", "declare os artigos da lei e as partes de cada um")
        return
    told = set()
    for place, citation in list_citations(rulebook):
        missing = find_missing_part(rulebook.structure, citation)
        if missing is not None and citation not in told:
            told.add(citation)
            yield Fault(place, f"{citation}: {missing}")


def _settings(rulebook: Rulebook) -> Iterator[Fault]:
    table = rulebook.model_dump(exclude={"own_settings", "fare_rules", "fare_exclusions"})
    for place, name in _named_settings(table, ""):
        if rulebook.find_setting(name) is None:
            yield Fault(place, f"não há [[setting]] com key = {name!r}")
    for rule in rulebook.fare_rules:
        for place, name in _named_settings(rule.model_dump(exclude={"disputes"}), f"fare_rule ({rule.key})"):
            if rulebook.find_setting(name) is None:
                yield Fault(place, f"não há [[setting]] com key = {name!r}")
    for key in (setting.key for setting in rulebook.own_settings):
        if sum(setting.key == key for setting in rulebook.own_settings) > 1:
            yield Fault(f"setting ({key})", "aparece mais de uma vez")


def _named_settings(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            inside = f"{place}.{key}".lstrip(".")
            if isinstance(inner, str) and (key == "setting" or key.endswith("_setting") or key == "enabled_by"):
                yield inside, inner
            elif key == "facts_settings":
                yield from ((inside, name) for name in inner)
            else:
                yield from _named_settings(inner, inside)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _named_settings(inner, place)


def _rows(rulebook: Rulebook) -> Iterator[Fault]:
    named: list[tuple[str, tuple[str, ...]]] = [
        *((f"overlap ({row.id}).rows", row.rows) for row in rulebook.overlaps),
        *((f"stop_fact ({fact.kind}).row", (fact.row,)) for fact in rulebook.stop_facts),
        *((f"trigger ({row.rule}).infractions", row.infractions) for row in rulebook.triggers),
    ]
    if rulebook.breakdown is not None:
        named.append(("breakdown.infractions", rulebook.breakdown.infractions))
    if rulebook.inspection is not None:
        named += [(f"inspection.case ({case.when})", case.infractions) for case in rulebook.inspection.cases]
    if rulebook.vehicles is not None:
        named += [(f"vehicles.age_rule ({rule.key})", rule.infractions) for rule in rulebook.vehicles.age_rules]
        if rulebook.vehicles.life is not None:
            named.append(("vehicles.life.infractions", rulebook.vehicles.life.infractions))
    if rulebook.recidivism is not None and rulebook.recidivism.repeated_warning is not None:
        named.append(("recidivism.repeated_warning.charge", (rulebook.recidivism.repeated_warning.charge,)))
    for place, keys in named:
        for key in keys:
            if rulebook.find_provision(key) is None:
                yield Fault(place, f"não há infração, dever ou fundamento {key!r}")


def _classes(rulebook: Rulebook) -> Iterator[Fault]:
    known = {row.id for row in rulebook.fine_classes}
    for row in rulebook.infractions:
        if row.class_id is not None and row.class_id not in known:
            yield Fault(f"infraction ({row.key}).class", f"não há [[fine_class]] {row.class_id!r}")
    if rulebook.infractions and rulebook.fines is None:
        yield Fault("fines", "há infrações; diga em [fines] onde a lei fala de multa")
    if len({row.unit for row in rulebook.fine_classes}) > 1:
        yield Fault("fine_class", "todas as classes usam a mesma unidade fiscal")


def _sanctions(rulebook: Rulebook) -> Iterator[Fault]:
    known = {rule.id for rule in rulebook.sanctions}
    for rule in rulebook.sanctions:
        if rule.decided_by is None and rule.decided_by_reading is None and not rule.silent:
            yield Fault(f"sanction ({rule.id})", "diga quem decide, ou silent = true se a lei não diz")
    for ground in rulebook.grounds:
        for word in ground.sanctions:
            if word not in known:
                yield Fault(f"ground ({ground.key}).sanctions", f"não há [[sanction]] {word!r}")
    for trigger in rulebook.triggers:
        if not isinstance(rulebook.find_provision(trigger.rule), Ground):
            yield Fault(f"trigger ({trigger.rule}).rule", "não há [[ground]] com esta key")
        if trigger.sanction not in known:
            yield Fault(f"trigger ({trigger.rule}).sanction", f"não há [[sanction]] {trigger.sanction!r}")
    cases = () if rulebook.inspection is None else rulebook.inspection.cases
    for case in cases:
        for word in case.measures:
            if word not in known:
                yield Fault(f"inspection.case ({case.when}).measures", f"não há [[sanction]] {word!r}")


def _steps(rulebook: Rulebook) -> Iterator[Fault]:
    known = {step.id for step in rulebook.steps}
    for step in rulebook.steps:
        for rule in step.requires:
            if rule.within is not None and rule.within not in known:
                yield Fault(f"step ({step.id}).requirement.within", f"não há [[step]] {rule.within!r}")
        if step.held is not None and step.held.defence_step not in known:
            yield Fault(f"step ({step.id}).held.defence_step", f"não há [[step]] {step.held.defence_step!r}")
    if rulebook.appeal_form is not None and "appeal" not in known:
        yield Fault("appeal_form", 'falta [[step]] com id = "appeal"')


def _unreachable(rulebook: Rulebook) -> Iterator[Fault]:
    """An infraction a rider may see must be a candidate of some subject."""
    reached = {key for subject in rulebook.subjects for key in subject.candidates}
    for row in rulebook.infractions:
        if row.witness != "no" and row.key not in reached and row.duplicate_of is None:
            yield Fault(
                f"infraction ({row.key})", 'não é candidata de assunto algum; se é só da equipe, witness = "no"'
            )


def list_citations(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield every citation of a rulebook with its place; what a wrong cross reference prints is left out."""
    table = rulebook.model_dump(by_alias=True, exclude={"structure"})
    for row in table["misreference"]:
        del row["printed"]
    yield from _find_citations(table, "")


def _find_citations(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if is_citation(value):
            yield place, value
    elif isinstance(value, dict):
        name = value.get("key") or value.get("id")
        for key, inner in value.items():
            yield from _find_citations(inner, f"{place} ({name}).{key}" if name else f"{place}.{key}".lstrip("."))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _find_citations(inner, place)
