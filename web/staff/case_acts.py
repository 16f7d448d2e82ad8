"""What staff do with a case, as one table: address, permission, event, and the use case behind the form."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.cases import dialogue, handling, merging
from complaints.cases.follow import UnknownCase, find_case
from complaints.cases.handling import AlreadyExtended, IncompleteAct, StaleCase
from complaints.cases.tables import CaseFile
from complaints.cases.workflow import ForbiddenMove, may_happen
from complaints.enforcement.inspection_checks import Order
from complaints.enforcement.inspections import order_inspection
from complaints.staff.case_view import read_case
from web.forms import Form, FormErrors, whole_number
from web.staff.case_forms import form_context, read_day, typed
from web.staff.routing import Desk, StaffRoute, render_desk

Perform = Callable[[Session, Desk, CaseFile, Form], object]


@dataclass(frozen=True)
class CaseAct:
    """One act: `name` is its address and its macro in staff/acts.html, `event` what the case must allow.

    `other`: the field with the protocol of a second case that it changes.
    """

    name: str
    title: str
    permission: str
    event: str
    done: str
    perform: Perform
    other: str = ""


def _start_triage(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    handling.start_triage(session, desk.act, case)


def _classify(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    handling.classify(session, desk.act, case, form.all("assunto", 120), form.text("observacao"))


def _order_inspection(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    order = Order(form.text("verificar"), form.text("fundamento", 200), read_day(form.text("prazo", 20)))
    order_inspection(session, desk.act, case, order)


def _answer(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    handling.answer(
        session,
        desk.act,
        case,
        text=form.text("resposta"),
        measure=form.text("providencia"),
        outcome=form.text("desfecho", 40),
    )


def _extend(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    try:
        handling.extend_term(session, desk.act, case, form.text("justificativa"))
    except AlreadyExtended:
        raise IncompleteAct(
            {"justificativa": "O prazo deste caso já foi prorrogado. A lei permite uma vez só."}
        ) from None


def _archive(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    handling.archive(session, desk.act, case, form.text("motivo"))


def _ask(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    dialogue.ask_complement(session, desk.act, case, form.text("pergunta"))


def _forward(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    dialogue.forward(session, desk.act, case, to=form.text("orgao", 200), text=form.text("explicacao"))


def _send_to_operator(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    dialogue.send_to_operator(session, desk.act, case, form.text("resumo"))


def _operator_answered(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    dialogue.record_operator_answer(session, desk.act, case, form.text("resposta_operador"))


def _merge(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    merging.merge(session, desk.act, case, form.text("principal", 40))


def _settle(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    dialogue.settle_review(session, desk.act, case, form.text("motivo"))


def _reopen(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    handling.reopen(session, desk.act, case, form.text("motivo"))


def _add_note(session: Session, desk: Desk, case: CaseFile, form: Form) -> None:
    handling.add_note(session, desk.act, case, form.text("nota"))


ACTS = (
    CaseAct("triagem", "Começar a análise", "case.classify", "triage_started", "Análise começada.", _start_triage),
    CaseAct("classificar", "Conferir o assunto", "case.classify", "classified", "Assunto gravado.", _classify),
    CaseAct(
        "vistoria",
        "Determinar vistoria",
        "inspection.order",
        "inspection_ordered",
        "Vistoria determinada. Quem reclamou pode ver e recebe aviso, se deixou contato.",
        _order_inspection,
    ),
    CaseAct(
        "pedir",
        "Pedir uma informação a quem reclamou",
        "case.answer",
        "complement_requested",
        "Informação pedida. O prazo fica parado até ela chegar.",
        _ask,
    ),
    CaseAct(
        "operador",
        "Pedir explicações ao operador",
        "case.classify",
        "sent_to_operator",
        "Pedido registrado. Entregue o resumo ao operador.",
        _send_to_operator,
    ),
    CaseAct(
        "operador-respondeu",
        "Registrar a resposta do operador",
        "case.classify",
        "operator_answered",
        "Resposta do operador gravada. Só a equipe lê.",
        _operator_answered,
    ),
    CaseAct(
        "responder",
        "Responder",
        "case.answer",
        "answered",
        "Resposta gravada. Quem reclamou pode ler e recebe aviso, se deixou contato.",
        _answer,
    ),
    CaseAct(
        "prorrogar",
        "Prorrogar o prazo",
        "case.extend",
        "term_extended",
        "Prazo prorrogado. Quem reclamou pode ver e recebe aviso, se deixou contato.",
        _extend,
    ),
    CaseAct(
        "arquivar",
        "Arquivar",
        "case.archive",
        "archived",
        "Caso arquivado. Quem reclamou pode ver e recebe aviso, se deixou contato.",
        _archive,
    ),
    CaseAct(
        "encaminhar",
        "Encaminhar a outro órgão",
        "case.answer",
        "forwarded",
        "Caso encaminhado. Quem reclamou pode ver e recebe aviso, se deixou contato.",
        _forward,
    ),
    CaseAct(
        "reunir",
        "Reunir a outro caso",
        "case.classify",
        "merged",
        "Caso reunido. Quem reclamou pode ver e recebe os avisos do outro caso.",
        _merge,
        other="principal",
    ),
    CaseAct(
        "manter",
        "Manter a resposta depois da revisão",
        "case.answer",
        "review_settled",
        "Revisão respondida. Quem reclamou pode ver e recebe aviso, se deixou contato.",
        _settle,
    ),
    CaseAct(
        "reabrir", "Reabrir", "case.classify", "reopened", "Caso reaberto. Ele está de novo em análise.", _reopen
    ),
    CaseAct("anotar", "Anotar", "case.classify", "note_added", "Nota gravada.", _add_note),
)
"""In the order of the case page. No act here leads to a penalty: a complaint is never an infraction."""


def possible_acts(desk: Desk, case: CaseFile, extended_due: object) -> tuple[CaseAct, ...]:
    """The acts that this person may do and this case allows now."""
    return tuple(
        act
        for act in ACTS
        if desk.may(act.permission)
        and may_happen(act.event, case.status)
        and (act.name != "prorrogar" or extended_due is not None)
        and (act.name != "manter" or case.review_requested)
    )


def case_address(case: CaseFile, done: str = "") -> str:
    """The page of a case; `done` names the act whose success it tells."""
    return f"/equipe/casos/{case.protocol}{f'?feito={done}' if done else ''}"


def act_page(act: CaseAct, request: Request, desk: Desk) -> Response:
    """The form of one act on a page of its own, and what its post does."""
    if request.method != "POST":
        return _show(request, desk, act)
    expected = whole_number(desk.form.text("versao"))
    try:
        with desk.services.database.write() as session:
            protocol = request.path_params["protocol"]
            if act.other:
                merging.lock_both(session, desk.authority_id, protocol, desk.form.text(act.other, 40))
            case = handling.load_for_change(session, desk.authority_id, protocol, expected)
            act.perform(session, desk, case, desk.form)
    except UnknownCase:
        raise HTTPException(404) from None
    except (StaleCase, ForbiddenMove):
        return _show(request, desk, act, status_code=409, template="staff/stale.html", since=expected)
    except IncompleteAct as incomplete:
        return _show(request, desk, act, status_code=422, errors=FormErrors(incomplete.problems))
    return RedirectResponse(case_address(case, act.name), status_code=303)


def _show(
    request: Request,
    desk: Desk,
    act: CaseAct,
    *,
    status_code: int = 200,
    template: str = "staff/act.html",
    errors: FormErrors | None = None,
    since: int = 0,
) -> Response:
    """The form, empty or with what was typed, always for the case as it stands now."""
    with desk.services.database.read() as session:
        case = find_case(session, desk.authority_id, request.path_params["protocol"])
        if case is None:
            raise HTTPException(404)
        view = read_case(session, case, desk.today, confidential=desk.may("case.read_confidential"))
        context: dict[str, Any] = form_context(session, desk, view)
    if request.method == "POST":
        context.update(typed(desk.form))
    context.update(
        act=act,
        errors=errors or FormErrors(),
        changes=view.events_after(since) if status_code == 409 else (),
        possible=may_happen(act.event, case.status),
    )
    return render_desk(request, desk, template, context, status_code)


ROUTES = tuple(
    StaffRoute(f"/casos/{{protocol}}/{act.name}", partial(act_page, act), act.permission, ("GET", "POST"))
    for act in ACTS
)
