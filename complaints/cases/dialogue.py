"""What passes between the desk, the rider and others while a case runs, and what the rider says at its end."""

from datetime import date, datetime

from sqlmodel import Session, col, select

from complaints.authorities.calendar import load_calendar, local_date
from complaints.authorities.tables import Authority
from complaints.cases.handling import Act, IncompleteAct, load_for_change
from complaints.cases.history import append_event, list_events
from complaints.cases.pausing import restart_clock, stop_clock
from complaints.cases.tables import CaseFile
from complaints.law.terms import internal_request_term
from complaints.messages.notices import notify_reporter
from complaints.sealing import Keyring

RATINGS = {"yes": "Sim, resolveu", "partly": "Resolveu em parte", "no": "Não resolveu"}
"""How a rider may rate an answer: the stored word with its label."""

_NOT_SENT = (
    "Pedimos uma informação e ela não chegou até {day}. Sem ela não foi possível continuar. "
    "Se você puder mandar agora, escreva nesta página: o caso volta para a equipe."
)


class AlreadySaid(Exception):
    """The rider said it before; it counts once."""


def ask_complement(session: Session, act: Act, case: CaseFile, text: str) -> None:
    """Ask the rider, once, for what is missing; the term stands still meanwhile. Raises IncompleteAct."""
    if not text.strip():
        raise IncompleteAct({"pergunta": "Escreva que informação falta."})
    if any(event.kind == "complement_requested" for event in list_events(session, case.authority_id, case.id)):
        raise IncompleteAct({"pergunta": "A informação já foi pedida uma vez. Decida o caso com o que há."})
    kept = stop_clock(session, act.authority, case, act.now)
    append_event(session, case, "complement_requested", act.actor, {"text": text.strip(), **kept}, act.now)
    act.tell_reporter(session, case, "complement_requested")


def list_unanswered(session: Session, now: datetime, limit: int = 50) -> tuple[tuple[int, str], ...]:
    """Cases (authority, protocol) whose rider let the last day of a complement pass, anywhere on the clocks."""
    rows = session.exec(
        select(CaseFile, Authority)
        .join(Authority, col(Authority.id) == CaseFile.authority_id)
        .where(col(CaseFile.complement_due_on) <= now.date())
        .order_by(col(CaseFile.complement_due_on))
        .limit(limit)
    )
    return tuple(
        (case.authority_id, case.protocol)
        for case, authority in rows
        if case.complement_due_on is not None and local_date(authority, now) > case.complement_due_on
    )


def archive_unanswered(session: Session, keyring: Keyring, now: datetime) -> int:
    """Archive the cases of list_unanswered, each with notice; returns how many. Words sent later reopen them."""
    done = 0
    for authority_id, protocol in list_unanswered(session, now):
        authority = session.get_one(Authority, authority_id)
        case = load_for_change(session, authority_id, protocol)
        due = case.complement_due_on
        if due is None:
            continue  # it came while we waited for the row
        content = {"text": _NOT_SENT.format(day=f"{due:%d/%m/%Y}"), **restart_clock(session, case, now)}
        append_event(session, case, "archived", "system", content, now)
        session.flush()
        notify_reporter(
            session, keyring, authority=authority, case=case, purpose="archived", seq=case.event_count, now=now
        )
        done += 1
    return done


def forward(session: Session, act: Act, case: CaseFile, *, to: str, text: str) -> None:
    """Hand a case to the body that it belongs to; the rider is told which. Raises IncompleteAct."""
    problems = {}
    if not to.strip():
        problems["orgao"] = "Diga para que órgão o caso vai."
    if not text.strip():
        problems["explicacao"] = "Explique a quem reclamou por que o assunto é de outro órgão."
    if problems:
        raise IncompleteAct(problems)
    case.service = "outside"
    append_event(session, case, "forwarded", act.actor, {"to": to.strip(), "text": text.strip()}, act.now)
    act.tell_reporter(session, case, "forwarded")


def send_to_operator(session: Session, act: Act, case: CaseFile, summary: str) -> None:
    """Ask the operator, in the staff's own words, with the 20 days of an internal request. Raises IncompleteAct.

    Lei federal 13.460/2017, art. 16, sole paragraph.
    """
    if not summary.strip():
        raise IncompleteAct({"resumo": "Escreva o resumo que o operador vai ler."})
    today = local_date(act.authority, act.now)
    calendar = load_calendar(session, act.authority.id, today, date(today.year + 1, 12, 31))
    due = internal_request_term(today, calendar).due
    content = {"summary": summary.strip(), "due_on": due.isoformat() if due else None}
    append_event(session, case, "sent_to_operator", act.actor, content, act.now)


def record_operator_answer(session: Session, act: Act, case: CaseFile, text: str) -> None:
    """Keep what the operator answered; only staff read it. Raises IncompleteAct."""
    if not text.strip():
        raise IncompleteAct({"resposta_operador": "Escreva o que o operador respondeu."})
    append_event(session, case, "operator_answered", act.actor, {"reply": text.strip()}, act.now)


def settle_review(session: Session, act: Act, case: CaseFile, reason: str) -> None:
    """Keep the end of a case after its rider asked for a review, with reasons. Raises IncompleteAct."""
    if not reason.strip():
        raise IncompleteAct({"motivo": "Escreva por que a resposta fica como está."})
    if not case.review_requested:
        raise IncompleteAct({"motivo": "Ninguém pediu revisão deste caso."})
    append_event(session, case, "review_settled", act.actor, {"text": reason.strip()}, act.now)
    act.tell_reporter(session, case, "review_settled")


def withdraw(session: Session, case: CaseFile, reason: str, now: datetime) -> None:
    """The rider takes the case back; no reason is demanded (Lei 13.460/2017, art. 10, § 2º)."""
    content = {"text": reason.strip(), **restart_clock(session, case, now)}
    append_event(session, case, "withdrawn", "rider", content, now)


def rate(session: Session, case: CaseFile, rating: str, text: str, now: datetime) -> None:
    """Keep what the rider thinks of the end, once. Raises AlreadySaid, and KeyError for an unknown word."""
    label = RATINGS[rating]
    if case.rating is not None:
        raise AlreadySaid
    case.rating = rating
    append_event(session, case, "rated", "rider", {"score": rating, "rating": label, "text": text.strip()}, now)


def ask_review(session: Session, case: CaseFile, reason: str, now: datetime) -> None:
    """The rider wants a person to look again. Raises IncompleteAct without a reason, AlreadySaid if one waits."""
    if not reason.strip():
        raise IncompleteAct({"revisao": "Escreva o que a resposta não resolveu."})
    if case.review_requested:
        raise AlreadySaid
    append_event(session, case, "review_requested", "rider", {"text": reason.strip()}, now)
