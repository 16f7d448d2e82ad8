"""What this rider pays, asked question by question: the law's answer with its article, or what is missing."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.fares import FareAct, fares_on
from complaints.authorities.law_in_force import law_on, question_for
from complaints.authorities.tables import Authority
from complaints.law.asking.engine import ask
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.entitlements import FareRule
from complaints.law.provisions import Subject
from complaints.law.schema import Rulebook
from web.caching import no_store
from web.forms import Form, FormErrors, read_form
from web.rider.town import get_town
from web.services import Services
from web.templating import render

ROLES = {
    "student": "Estudante",
    "disabled": "Pessoa com deficiência",
    "postman": "Carteiro",
    "military_police": "Policial militar",
    "civil_police": "Policial civil",
    "military_firefighter": "Bombeiro militar",
    "scout": "Escoteiro",
    "traffic_inspector": "Fiscal de trânsito do Município",
    "traffic_agent": "Agente de trânsito do Município",
    "operator_employee": "Empregado da empresa de transporte",
}
YES_NO = (("sim", "Sim"), ("nao", "Não"))
QUESTIONS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "seat": (
        "Onde a pessoa vai?",
        (
            ("lap", "No colo"),
            ("same_seat", "No mesmo banco de quem a acompanha"),
            ("own_seat", "Num banco só dela"),
            ("standing", "Em pé"),
        ),
    ),
    "network": (
        "De que rede é a escola?",
        (("municipal", "Municipal"), ("state", "Estadual"), ("federal", "Federal"), ("private", "Particular")),
    ),
    "disability": (
        "Que deficiência?",
        (
            ("locomotor", "Dificuldade para andar"),
            ("visual", "Visual"),
            ("physical", "Outra deficiência física"),
            ("other", "Outra"),
        ),
    ),
    "vehicle": ("Em que veículo?", (("onibus", "Ônibus"), ("microonibus", "Micro-ônibus"), ("van", "Van"))),
    "accompanied": ("Vai com uma pessoa responsável?", YES_NO),
    "document": ("Leva o documento pedido?", YES_NO),
    "on_duty": ("Está trabalhando na hora da viagem?", YES_NO),
    "uniformed": ("Está de uniforme?", YES_NO),
    "identified": ("Mostra a identificação?", YES_NO),
    "accredited": ("Tem o credenciamento?", YES_NO),
    "in_activity": ("Está numa atividade do grupo?", YES_NO),
}
"""Every fact the engine may ask for, by the last part of its path, with the words and the answers."""

UNMET = {
    "seat": "o lugar em que a pessoa vai",
    "accompanied": "ir com uma pessoa responsável",
    "document": "mostrar o documento",
    "on_duty": "estar trabalhando",
    "uniformed": "estar de uniforme",
    "identified": "mostrar a identificação",
    "accredited": "ter o credenciamento",
    "in_activity": "estar na atividade",
    "service": "este serviço não tem o desconto",
    "network": "a rede da escola",
    "age": "a idade",
}
OUTCOMES = {"free": "Não paga", "half": "Paga metade", "full": "Paga inteira", "refused": "Não pode viajar"}


@dataclass(frozen=True)
class Doubt:
    """A reading that would change the outcome and that the authority has not decided."""

    question: str
    outcome: str


def check_fare(request: Request) -> Response:
    """The first questions, then those the law turns on, then its answer. Nothing asked is stored or logged."""
    town = get_town(request)
    services: Services = request.app.state.services
    today = local_date(town, services.clock())
    rulebook = law_on(town, today)
    if not rulebook.has_fare:
        raise HTTPException(404)
    form = read_form(request) if request.method == "POST" else Form({}, {})
    with services.database.read() as session:
        act = fares_on(session, town.id, today).general
        context = _context(session, town, rulebook, today, form, act)
    charged = next((row for row in rulebook.subjects if row.only_when_free), None)
    context["charged_while_free"] = charged if act is not None and act.free else None
    context |= {"act": act, "rulebook": rulebook, "services": _services(rulebook), "roles": _roles(rulebook)}
    status = 422 if context["errors"] else 200
    return no_store(render(request, "law/fare_check.html", context, status))


def _context(
    session: Session, town: Authority, rulebook: Rulebook, today: date, form: Form, act: FareAct | None
) -> dict[str, Any]:
    errors = FormErrors()
    context: dict[str, Any] = {
        "values": form.values,
        "errors": errors,
        "next": None,
        "answer": None,
        "carried": [],
    }
    if not form.values:
        return context
    given = _given(rulebook, today, form, errors)
    if errors:
        return context
    cents = None if act is None or act.cents == 0 else act.cents
    question = question_for(session, town, today, "fare", given | ({} if cents is None else {"fare_cents": cents}))
    try:
        answer = ask(question)
    except MalformedQuestion:
        errors.add("quem", "Responda de novo, uma pergunta de cada vez")
        return context
    asked = [name.rpartition(".")[2] for name in answer["missing"] if name.startswith("given.")]
    following = next((name for name in asked if name in QUESTIONS), None)
    context["carried"] = [(name, value) for name, value in form.values.items() if name != following]
    if following is not None:
        context["next"] = (following, *QUESTIONS[following])
    else:
        context["answer"] = _answer_words(rulebook, answer, set(question["settings"]))
    return context


def _given(rulebook: Rulebook, today: date, form: Form, errors: FormErrors) -> dict[str, Any]:
    """Turn the answers so far into the facts of the question; errors name what to answer again."""
    known_services = dict(_services(rulebook))
    service = form.text("servico", 40) or next(iter(known_services))
    if service not in known_services:
        errors.add("servico", "Escolha o serviço")
    rider: dict[str, Any] = {}
    role = form.text("quem", 40)
    if role not in ("", "nenhum", *dict(_roles(rulebook))):
        errors.add("quem", "Escolha uma das opções")
    elif role not in ("", "nenhum"):
        rider["role"] = role
    if typed := form.text("nascimento", 12):
        born = _read_birth(typed)
        if born is None or born > today or born.year < 1900:
            errors.add("nascimento", "Escreva a data de nascimento, como 31/01/1960, ou deixe em branco")
        else:
            rider["born"] = born.isoformat()
    given: dict[str, Any] = {"service": service, "rider": rider}
    for name, (_, options) in QUESTIONS.items():
        word = form.text(name, 20)
        if word in dict(options):
            target = given if name == "vehicle" else rider
            target[name] = word == "sim" if options is YES_NO else word
    return given


def _read_birth(text: str) -> date | None:
    if len(text) == 8 and text.isascii() and text.isdigit():
        text = f"{text[:2]}/{text[2:4]}/{text[4:]}"
    day, _, rest = text.partition("/")
    month, _, year = rest.partition("/")
    written = f"{year}-{month.zfill(2)}-{day.zfill(2)}" if year else text
    try:
        return date.fromisoformat(written) if len(written) == 10 else None
    except ValueError:
        return None


def _further_doubts(rule: FareRule, known: set[str]) -> list[str]:
    """What else is open about a title, beside its age and what the answer already says."""
    own = {rule.age.setting} if rule.age is not None else set()
    return [dispute.question for dispute in rule.disputes if dispute.setting not in known | own]


def _answer_words(rulebook: Rulebook, answer: dict[str, Any], decided: set[str]) -> dict[str, Any]:
    rule = next((rule for rule in rulebook.fare_rules if rule.key == answer["rule"]), None)
    doubts = list(
        dict.fromkeys(
            Doubt(rulebook.get_setting(row["setting"]).question, OUTCOMES.get(row["answer"]["outcome"], ""))
            for row in answer["alternatives"]
            if row["answer"].get("outcome")
        )
    )
    told = {row["setting"] for row in answer["alternatives"]}
    missing = [rulebook.find_setting(name) for name in answer["missing"]]
    return {
        "outcome": OUTCOMES.get(answer.get("outcome") or ""),
        "label": None if rule is None else rule.label,
        "free": answer.get("outcome") in ("free", "half"),
        "citations": answer["citations"],
        "unmet": [UNMET[word] for word in answer.get("unmet") or [] if word in UNMET],
        "other_law": answer.get("conditions_from") or [],
        "doubts": doubts,
        "also": [] if rule is None else _further_doubts(rule, told | decided),
        "open": [setting.question for setting in missing if setting is not None],
        "cents": answer.get("cents"),
        "subject": _refused_subject(rulebook, rule, answer),
    }


def _refused_subject(rulebook: Rulebook, rule: FareRule | None, answer: dict[str, Any]) -> Subject | None:
    """The complaint to offer when a title is refused; none where the service gives none."""
    if rule is None or rule.subject is None or "service" in (answer.get("unmet") or []):
        return None
    return rulebook.find_subject(rule.subject)


def _services(rulebook: Rulebook) -> list[tuple[str, str]]:
    return [(service.id, service.label) for service in rulebook.services if service.has_fare]


def _roles(rulebook: Rulebook) -> list[tuple[str, str]]:
    """The roles this law gives something to or takes something from, and none of them."""
    named = {role for rule in rulebook.fare_rules for role in rule.roles}
    named |= {role for exclusion in rulebook.fare_exclusions for role in exclusion.roles}
    return [(role, words) for role, words in ROLES.items() if role in named]


routes: list[BaseRoute] = [
    Route("/{a:town}/tarifas/consulta", check_fare, methods=["GET", "POST"], name="fare_check")
]
