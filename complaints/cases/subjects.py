"""The subjects of a case, frozen as they were chosen: key, label and citation of the law's version used."""

from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session, col, delete, select

from complaints.cases.tables import CaseFile, CaseSubject
from complaints.law.rulebook import get_rulebook


@dataclass(frozen=True)
class FrozenSubject:
    """A subject with what was shown of it when it was chosen."""

    key: str
    label: str
    law_id: str
    citation: str
    urgent: bool
    confidential: bool


def freeze_subjects(law_id: str, keys: tuple[str, ...]) -> tuple[FrozenSubject, ...]:
    """The subjects among `keys` that the law's rulebook knows, in the order given, each once."""
    found = (get_rulebook(law_id).find_subject(key) for key in dict.fromkeys(keys))
    return tuple(
        FrozenSubject(
            subject.key,
            subject.label,
            law_id,
            "; ".join(subject.citations)[:200],
            subject.urgent,
            subject.confidential,
        )
        for subject in found
        if subject
    )


def subjects_content(subjects: tuple[FrozenSubject, ...]) -> list[dict[str, str]]:
    """Subjects as an event keeps them."""
    return [{"key": item.key, "label": item.label, "citation": item.citation} for item in subjects]


def store_subjects(session: Session, case: CaseFile, subjects: tuple[FrozenSubject, ...], chosen_by: str) -> None:
    """Replace what `chosen_by` (rider or staff) had chosen for this case."""
    session.exec(
        delete(CaseSubject).where(
            col(CaseSubject.authority_id) == case.authority_id,
            col(CaseSubject.case_id) == case.id,
            col(CaseSubject.chosen_by) == chosen_by,
        )
    )
    for subject in subjects:
        session.add(
            CaseSubject(
                authority_id=case.authority_id,
                case_id=case.id,
                key=subject.key,
                chosen_by=chosen_by,
                label=subject.label[:200],
                law_id=subject.law_id,
                citation=subject.citation,
            )
        )


def subjects_of(session: Session, authority_id: int, case_id: UUID) -> tuple[CaseSubject, ...]:
    """The subjects of a case: those staff chose when they classified it, else the rider's."""
    rows = session.exec(
        select(CaseSubject)
        .where(CaseSubject.authority_id == authority_id, CaseSubject.case_id == case_id)
        .order_by(col(CaseSubject.id))
    ).all()
    chosen_by = "staff" if any(row.chosen_by == "staff" for row in rows) else "rider"
    return tuple(row for row in rows if row.chosen_by == chosen_by)
