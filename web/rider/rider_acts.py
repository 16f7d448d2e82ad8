"""What a rider may do about a case of their own, as one table: address, event, the use case behind the form."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import Session

from complaints.cases import dialogue
from complaints.cases.evidence import (
    MAX_FILES,
    REFUSALS,
    PreparedEvidence,
    RefusedFile,
    discard_evidence,
    list_evidence,
    prepare_evidence,
)
from complaints.cases.evidence_acts import add_evidence
from complaints.cases.filing import add_text
from complaints.cases.handling import IncompleteAct
from complaints.cases.reading import rider_view
from complaints.cases.tables import CaseFile
from complaints.cases.workflow import may_happen
from web.forms import Form
from web.services import Services

LONGEST_TEXT = 5000

Files = tuple[PreparedEvidence, ...]
Refusals = tuple[RefusedFile, ...]
Perform = Callable[[Session, Services, CaseFile, Form, Files], Refusals]


@dataclass(frozen=True)
class RiderAct:
    """One act: `name` is its address, `event` what the case must allow, `field` where a refusal is told."""

    name: str
    event: str
    field: str
    done: str
    impossible: str
    perform: Perform
    takes_files: bool = False

    def prepare(self, services: Services, form: Form) -> tuple[Files, Refusals]:
        """Store what files the form brings, before any write begins."""
        if not self.takes_files:
            return (), ()
        files = [(file.filename, file.content) for file in form.files("anexo", empty=True)]
        return prepare_evidence(services.storage, services.keyring, files)


def _add(session: Session, services: Services, case: CaseFile, form: Form, files: Files) -> Refusals:
    text = _text(form, "texto")
    if not text and not form.files("anexo"):
        raise IncompleteAct({"texto": "Escreva o que quer acrescentar ou escolha um arquivo"})
    known = {row.original_sha256 for row in list_evidence(session, case.authority_id, case.id)}
    fresh = tuple(item for item in files if item.original_sha256 not in known)
    kept = fresh[: max(0, MAX_FILES - len(known))]
    discard_evidence(services.storage, tuple(item for item in files if item not in kept))
    answers = kept and case.status == "complement_requested"
    if answers or (text and not _said_before(session, case, text)):
        add_text(session, case, text, "web", "rider", services.clock())
    if kept:
        add_evidence(session, case, kept, "rider", services.clock())
    return tuple(
        RefusedFile(f"Arquivo {place}", REFUSALS["count"]) for place in range(len(kept) + 1, len(fresh) + 1)
    )


def _withdraw(session: Session, services: Services, case: CaseFile, form: Form, files: Files) -> Refusals:
    if form.text("confirmo", 5) != "sim":
        raise IncompleteAct({"confirmo": "Marque que quer retirar a manifestação"})
    dialogue.withdraw(session, case, _text(form, "retirada"), services.clock())
    return ()


def _rate(session: Session, services: Services, case: CaseFile, form: Form, files: Files) -> Refusals:
    rating = form.text("resolveu", 10)
    if rating not in dialogue.RATINGS:
        raise IncompleteAct({"resolveu": "Escolha uma das respostas"})
    dialogue.rate(session, case, rating, _text(form, "avaliacao"), services.clock())
    return ()


def _ask_review(session: Session, services: Services, case: CaseFile, form: Form, files: Files) -> Refusals:
    dialogue.ask_review(session, case, _text(form, "revisao"), services.clock())
    return ()


def _text(form: Form, name: str) -> str:
    if form.is_longer(name, LONGEST_TEXT):
        raise IncompleteAct({name: f"Use no máximo {LONGEST_TEXT} letras aqui"})
    return form.text(name)


def _said_before(session: Session, case: CaseFile, text: str) -> bool:
    return any(entry.content.get("text") == text for entry in rider_view(session, case).timeline)


_CLOSED = "Este caso foi encerrado e não recebe mais informações. Faça uma nova manifestação"

ACTS = (
    RiderAct(
        "acrescentar", "text_added", "texto", "Sua informação foi acrescentada.", _CLOSED, _add, takes_files=True
    ),
    RiderAct(
        "retirar",
        "withdrawn",
        "confirmo",
        "Você retirou a manifestação.",
        "Este caso já está sendo verificado ou terminou, e não pode mais ser retirado",
        _withdraw,
    ),
    RiderAct("avaliar", "rated", "resolveu", "Obrigado pela avaliação.", "Este caso ainda não terminou", _rate),
    RiderAct(
        "revisao",
        "review_requested",
        "revisao",
        "Pedido feito: uma pessoa da equipe vai rever o caso.",
        "Este caso ainda não terminou",
        _ask_review,
    ),
)


def possible_acts(case: CaseFile) -> tuple[RiderAct, ...]:
    """What the case allows now; a rating counts once, and one review is asked for at a time."""
    return tuple(
        act
        for act in ACTS
        if may_happen(act.event, case.status)
        and not (act.name == "avaliar" and case.rating is not None)
        and not (act.name == "revisao" and case.review_requested)
    )
