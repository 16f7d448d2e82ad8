"""What staff do with a case: each act loads it for change, checks its version, and writes one event."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.authorities.calendar import case_term
from complaints.authorities.tables import Authority
from complaints.cases.follow import UnknownCase
from complaints.cases.history import append_event, list_events, staff_actor
from complaints.cases.kept_terms import term_content
from complaints.cases.pausing import pauses_of, restart_clock
from complaints.cases.subjects import freeze_subjects, store_subjects, subjects_content
from complaints.cases.tables import CaseFile
from complaints.messages.notices import notify_reporter
from complaints.sealing import Keyring

OUTCOMES = {
    "inspected": "Houve vistoria ou verificação",
    "operator_warned": "O operador foi cobrado",
    "no_action": "Nenhuma providência, com o motivo",
    "service_changed": "O serviço foi ajustado",
    "informed": "Foi dada a informação pedida",
    "not_competent": "O assunto é de outro órgão",
}
"""How a case may end. Maricá's law (art. 34, IV) gives the rider the right to know what was done."""


FOR_ONE = frozenset({"complement_requested", "merged"})
"""Notices that only the rider of the case itself gets."""


class StaleCase(Exception):
    """The case changed since the form was shown; `case` is as it stands now."""

    def __init__(self, case: CaseFile) -> None:
        super().__init__(f"{case.protocol} is at version {case.version}")
        self.case = case


class IncompleteAct(Exception):
    """The act lacks something: field name -> what to do, in Portuguese."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(problems.values()))
        self.problems = problems


class AlreadyExtended(Exception):
    """The term was extended before; the law allows one extension (Lei 13.460/2017, art. 16)."""


@dataclass(frozen=True)
class Act:
    """Who of the staff does it, when, and with which keys."""

    keyring: Keyring
    authority: Authority
    staff_id: UUID
    now: datetime

    @property
    def actor(self) -> str:
        """The word by which the history names this person."""
        return staff_actor(self.staff_id)

    def tell_reporter(self, session: Session, case: CaseFile, purpose: str) -> None:
        """Write the notice of the event just appended, for whoever filed the case or one that was joined to it."""
        session.flush()
        seq = case.event_count
        for one in (case, *(() if purpose in FOR_ONE else list_joined(session, case))):
            notify_reporter(
                session,
                self.keyring,
                authority=self.authority,
                case=one,
                purpose=purpose,
                seq=seq,
                source=case,
                now=self.now,
            )


def list_joined(session: Session, case: CaseFile) -> tuple[CaseFile, ...]:
    """Every case that was joined to this one, those joined to them included."""
    found: list[CaseFile] = []
    level = [case.id]
    while level:
        rows = session.exec(
            select(CaseFile).where(
                CaseFile.authority_id == case.authority_id, col(CaseFile.merged_into).in_(level)
            )
        ).all()
        found += rows
        level = [row.id for row in rows]
    return tuple(found)


def load_for_change(
    session: Session, authority_id: int, protocol: str, expected_version: int | None = None
) -> CaseFile:
    """The case, its row locked until the transaction ends; raises UnknownCase and StaleCase."""
    case = session.exec(
        select(CaseFile)
        .where(CaseFile.authority_id == authority_id, CaseFile.protocol == protocol)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).first()
    if case is None:
        raise UnknownCase(protocol)
    if expected_version is not None and case.version != expected_version:
        raise StaleCase(case)
    return case


def start_triage(session: Session, act: Act, case: CaseFile) -> None:
    """Somebody reads it."""
    append_event(session, case, "triage_started", act.actor, {}, act.now)


def classify(session: Session, act: Act, case: CaseFile, keys: tuple[str, ...], note: str = "") -> None:
    """Choose the subjects of the town's law; urgent ones move the case to the top. Raises IncompleteAct."""
    subjects = freeze_subjects(act.authority.law_id, keys)
    if not subjects or len(subjects) < len(set(keys)):
        raise IncompleteAct({"assunto": "Escolha pelo menos um assunto da lista."})
    case.urgent = case.urgent or any(subject.urgent for subject in subjects)
    store_subjects(session, case, subjects, "staff")
    content = {
        "subjects": subjects_content(subjects),
        "law": act.authority.law_id,
        "urgent": case.urgent,
        "note": note.strip(),
    }
    append_event(session, case, "classified", act.actor, content, act.now)


def answer(session: Session, act: Act, case: CaseFile, *, text: str, measure: str, outcome: str) -> None:
    """Answer the rider and say what was done; no case closes without both. Raises IncompleteAct."""
    problems = {}
    if not text.strip():
        problems["resposta"] = "Escreva a resposta para quem reclamou."
    if not measure.strip():
        problems["providencia"] = "Diga o que foi feito. Se nada foi feito, diga por quê."
    if outcome not in OUTCOMES:
        problems["desfecho"] = "Escolha como o caso termina."
    if problems:
        raise IncompleteAct(problems)
    case.answered_at = act.now
    told = {"text": text.strip(), "measure": measure.strip(), "outcome": outcome}
    content = {**told, **restart_clock(session, case, act.now)}
    append_event(session, case, "answered", act.actor, content, act.now)
    act.tell_reporter(session, case, "answered")


def archive(session: Session, act: Act, case: CaseFile, reason: str) -> None:
    """End a case without a conclusive answer, with reasons told to the rider. Raises IncompleteAct."""
    if not reason.strip():
        raise IncompleteAct({"motivo": "Escreva o motivo do arquivamento."})
    content = {"text": reason.strip(), **restart_clock(session, case, act.now)}
    append_event(session, case, "archived", act.actor, content, act.now)
    act.tell_reporter(session, case, "archived")


def extend_term(session: Session, act: Act, case: CaseFile, reason: str) -> None:
    """Extend the term once, with reasons (Lei 13.460/2017, art. 16). Raises IncompleteAct, AlreadyExtended."""
    if not reason.strip():
        raise IncompleteAct({"justificativa": "Escreva por que o prazo precisa ser prorrogado."})
    events = list_events(session, case.authority_id, case.id)
    if any(event.kind == "term_extended" for event in events):
        raise AlreadyExtended(case.protocol)
    pauses = pauses_of(act.authority, events)
    term = case_term(session, act.authority, case.filed_at, extended=True, pauses=pauses)
    if term is None or not term.is_legal:
        raise IncompleteAct({"justificativa": "Este caso não tem prazo legal para prorrogar."})
    case.due_on = term.due
    content = {"text": reason.strip(), "term": term_content(term)}
    append_event(session, case, "term_extended", act.actor, content, act.now)
    act.tell_reporter(session, case, "extended")


def reopen(session: Session, act: Act, case: CaseFile, reason: str) -> None:
    """Take up a closed case again, usually because its rider wrote after the end. Raises IncompleteAct."""
    if not reason.strip():
        raise IncompleteAct({"motivo": "Escreva por que o caso volta à análise."})
    append_event(session, case, "reopened", act.actor, {"text": reason.strip()}, act.now)


def add_note(session: Session, act: Act, case: CaseFile, note: str) -> None:
    """An internal note: never shown outside the staff. Raises IncompleteAct."""
    if not note.strip():
        raise IncompleteAct({"nota": "Escreva a nota."})
    append_event(session, case, "note_added", act.actor, {"note": note.strip()}, act.now)
