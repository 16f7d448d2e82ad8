"""Whether a title to travel free or at half fare holds for a rider, condition by condition."""

from dataclasses import dataclass, field
from datetime import date

from complaints.law.asking.dates import birthday
from complaints.law.asking.fare_facts import FareGiven, Rider
from complaints.law.asking.matter import Matter
from complaints.law.entitlements import AgeTitle, FareRule, ScopeByReading


@dataclass
class Examined:
    """A title looked at: conditions not met, facts not given; `fits` says that age and role are right."""

    rule: FareRule
    fits: bool = True
    unmet: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool | None:
        """Whether the title holds; None when a fact that decides it is not given."""
        if not self.fits or self.unmet:
            return False
        return None if self.missing else True


def is_claimed(rule: FareRule, rider: Rider) -> bool:
    """Tell whether a rider claims a title at all: by a role that it names, or by an age."""
    if rule.roles:
        return rider.role in rule.roles
    return rule.age is not None and rider.born is not None


def examine(matter: Matter[FareGiven], rule: FareRule) -> Examined:
    """Look at one claimed title; when the service bars it, nothing else is examined."""
    given, rider = matter.given, matter.given.rider
    found = Examined(rule)
    if not _holds_in_service(matter, rule):
        found.unmet.append("service")
        return found
    if rule.age is not None and rider.born is not None and not _age_fits(matter, rule.age, rider.born):
        found.fits = False
        return found
    if not _disability_fits(matter, rule, found):
        found.fits = False
        return found
    _check_vehicle(matter, rule, found)
    _check_seat(rule, rider, found)
    _check_network(matter, rule, found)
    _check_needs(matter, rule, found)
    if rule.cap_setting is not None and rule.reserved_seats is not None:
        _check_cap(matter, rule.cap_setting, given.reserved_taken, found)
    return found


def _holds_in_service(matter: Matter[FareGiven], rule: FareRule) -> bool:
    service = matter.given.service
    for exclusion in matter.rulebook.fare_exclusions:
        if not exclusion.roles and service in exclusion.services:
            return exclusion.services_setting is not None and bool(matter.setting(exclusion.services_setting))
    return service in _scope(matter, rule.services, rule.services_reading, service)


def _scope(
    matter: Matter[FareGiven], words: tuple[str, ...], reading: ScopeByReading | None, word: str | None
) -> tuple[str, ...]:
    """Return the words in scope, none meaning all; the setting is read only when the word depends on it."""
    if reading is None:
        return words
    scopes = [
        reading.readings.get(_key(value), words) for value in matter.rulebook.get_setting(reading.setting).values
    ]
    if word is not None and len({not scope or word in scope for scope in scopes}) == 1:
        return scopes[0]
    return reading.readings.get(_key(matter.setting(reading.setting)), words)


def _key(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _age_fits(matter: Matter[FareGiven], age: AgeTitle, born: date) -> bool:
    def fits(word: object) -> bool:
        return _within(age, born, matter.on, age.readings.get(str(word), str(word)))

    if age.setting is None:
        return fits("completed_years" if age.over is None else "from_birthday")
    words = matter.rulebook.get_setting(age.setting).values
    if len({fits(word) for word in words}) == 1:
        return fits(words[0])
    return fits(matter.setting(age.setting))


def _within(age: AgeTitle, born: date, on: date, word: str) -> bool:
    if age.until is not None:
        if word == "through_birthday":
            return on <= birthday(born, age.until)
        if word == "before_birthday":
            return on < birthday(born, age.until)
        return on < birthday(born, age.until + 1)
    limit = age.over or 0
    if word == "day_after":
        return on > birthday(born, limit)
    return on >= birthday(born, limit + 1 if word == "next_birthday" else limit)


def _disability_fits(matter: Matter[FareGiven], rule: FareRule, found: Examined) -> bool:
    disability = matter.given.rider.disability
    kinds = _scope(matter, rule.disabilities, rule.disabilities_reading, disability)
    if not kinds:
        return True
    if disability is None:
        found.missing.append("given.rider.disability")
        return True
    return disability in kinds


def _check_vehicle(matter: Matter[FareGiven], rule: FareRule, found: Examined) -> None:
    vehicle = matter.given.vehicle
    kinds = _scope(matter, (), rule.vehicles_reading, vehicle)
    if not kinds:
        return
    if vehicle is None:
        found.missing.append("given.vehicle")
    elif vehicle not in kinds:
        found.unmet.append("service")


def _check_seat(rule: FareRule, rider: Rider, found: Examined) -> None:
    if not rule.seats:
        return
    if rider.seat is None:
        found.missing.append("given.rider.seat")
    elif rider.seat not in rule.seats:
        found.unmet.append("seat")


def _check_network(matter: Matter[FareGiven], rule: FareRule, found: Examined) -> None:
    networks = rule.networks
    if rule.networks_setting is not None:
        networks = matter.setting(rule.networks_setting)
    elif not networks:
        return
    network = matter.given.rider.network
    if network is None:
        found.missing.append("given.rider.network")
    elif network not in networks:
        found.unmet.append("network")


def _check_needs(matter: Matter[FareGiven], rule: FareRule, found: Examined) -> None:
    rider = matter.given.rider
    needs = list(rule.needs)
    if rule.document_setting is not None and matter.setting(rule.document_setting) is not None:
        needs.append("document")
    for need in needs:
        fact = getattr(rider, need)
        if need == "accompanied" and rider.seat == "lap":
            fact = True
        if fact is None:
            found.missing.append(f"given.rider.{need}")
        elif not fact:
            found.unmet.append(need)


def _check_cap(matter: Matter[FareGiven], setting: str, taken: int | None, found: Examined) -> None:
    cap = matter.setting(setting)
    if cap is None:
        return
    if taken is None:
        found.missing.append("given.reserved_taken")
    elif taken >= cap:
        found.unmet.append("seat")
