"""How a law takes complaints: the right to complain, facts of boarding that depend on the hour, sanctions."""

from datetime import time
from typing import Annotated, Literal

from pydantic import AfterValidator

from complaints.law.provisions import Citation, Citations, ProvisionKey, Row, Sanction
from complaints.law.readings import SettingKey


def _check_hour(text: str) -> str:
    time.fromisoformat(text)
    return text


Hour = Annotated[str, AfterValidator(_check_hour)]


class StopFact(Row):
    """A fact at a stop and the row it points to: at an official stop or away from one, and at which hours.

    `before` and `after` are local times; the fact holds before the one, after the other. At exactly `after`
    the `boundary_setting` decides, with the words exclusive and inclusive.
    """

    kind: Literal["off_stop_boarding", "signal_ignored"]
    row: ProvisionKey
    official_stop: bool
    before: Hour | None = None
    after: Hour | None = None
    boundary_setting: SettingKey | None = None


class UnlistedDuties(Row):
    """What the breach of a duty without a fine of its own may cost at most.

    The setting has the words of a sanction, and none.
    """

    max_sanction: Sanction
    setting: SettingKey | None = None
    citations: tuple[Citation, ...] = ()


class ComplaintLaw(Row):
    """The rider's right to complain and to be told, and what closing a case needs by law.

    `goal_setting` is a goal of the authority's own: no law here sets a term to answer.
    """

    closing_requires: tuple[Literal["measure_with_reasons"], ...] = ()
    goal_setting: SettingKey | None = None
    right: bool = False
    citations: Citations
