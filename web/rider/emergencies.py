"""Telephone numbers for danger now, shown beside a case whose subject is urgent."""

from complaints.cases.reading import RiderView
from complaints.cases.tables import CaseFile
from complaints.law.provisions import Urgency
from complaints.law.rulebook import get_rulebook
from complaints.law.vocabulary import Emergency, get_vocabulary


def emergencies_of(case: CaseFile, view: RiderView) -> tuple[Emergency, ...]:
    """What to tell the rider of an urgent case, once for each kind of danger; nothing for an ordinary one."""
    if not case.urgent:
        return ()
    emergencies = get_vocabulary().emergencies
    kinds: dict[Urgency, None] = {}
    for row in view.subjects:
        subject = get_rulebook(row.law_id).find_subject(row.key)
        if subject and subject.urgency:
            kinds[subject.urgency] = None
    return tuple(emergencies[kind] for kind in kinds) or (emergencies["danger"],)
