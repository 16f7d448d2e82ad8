"""What staff read for the stored words of a case: statuses, events, and the parts of an event's content."""

import math
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from complaints.cases.dialogue import RATINGS
from complaints.cases.evidence_types import describe_type
from complaints.cases.handling import OUTCOMES
from complaints.cases.protocol import format_protocol
from complaints.cases.wordings import CHANNEL_LABELS, FINDINGS, KIND_LABELS
from complaints.cases.workflow import is_open
from complaints.enforcement.inspection_checks import RESULTS
from complaints.enforcement.powers import MEASURE_LABELS
from complaints.registry.plates import plate_in_words
from complaints.registry.seal_code import format_code
from web.formats import HasTimeZone, file_size, local_time

STATUSES = {
    "received": "Recebido",
    "in_triage": "Em análise",
    "complement_requested": "Aguardando quem reclamou",
    "in_verification": "Em verificação",
    "with_operator": "Com o operador",
    "forwarded": "Encaminhado a outro órgão",
    "answered": "Respondido",
    "archived": "Arquivado",
    "withdrawn": "Retirado por quem reclamou",
    "merged": "Reunido a outro caso",
}

EVENTS = {
    "filed": "Caso registrado",
    "triage_started": "Análise começada",
    "classified": "Assunto conferido",
    "complement_requested": "Informação pedida a quem reclamou",
    "complement_received": "Quem reclamou mandou a informação",
    "text_added": "Quem reclamou acrescentou",
    "evidence_added": "Quem reclamou enviou arquivos",
    "evidence_hidden": "Anexo ocultado",
    "evidence_shown": "Anexo mostrado de novo",
    "note_added": "Nota interna",
    "inspection_ordered": "Vistoria determinada",
    "inspection_done": "Vistoria feita",
    "inspection_cancelled": "Vistoria cancelada",
    "sent_to_operator": "Explicações pedidas ao operador",
    "operator_answered": "Operador respondeu",
    "term_extended": "Prazo prorrogado",
    "forwarded": "Encaminhado a outro órgão",
    "answered": "Respondido",
    "archived": "Arquivado",
    "withdrawn": "Retirado por quem reclamou",
    "merged": "Reunido a outro caso",
    "merge_received": "Outro caso reunido a este",
    "reopened": "Reaberto",
    "identity_corrected": "Quem reclamou corrigiu seus dados",
    "identity_erased": "Quem reclamou apagou seus dados",
    "rated": "Quem reclamou avaliou o atendimento",
    "review_requested": "Quem reclamou pediu revisão",
    "review_settled": "Revisão negada, com motivo",
}

PARTS = {
    "text": "Texto",
    "measure": "Providência",
    "summary": "Resumo ao operador",
    "reply": "Resposta do operador",
    "rating": "Resolveu?",
    "outcome": "Desfecho",
    "note": "Nota",
    "reason": "Motivo",
    "subjects": "Assuntos",
    "legal_basis": "Fundamento",
    "due_on": "Até",
    "result": "Resultado",
    "measures": "Medidas na hora",
    "notes": "O que foi encontrado",
    "seal": "Selo emitido",
    "to": "Para",
    "into": "Caso que segue",
    "from": "Caso reunido",
    "count": "Arquivos",
}
"""The parts of an event's content that the timeline shows, in this order. Others are for machines."""

INSPECTION_STATES = {"ordered": "A fazer", "done": "Feita", "cancelled": "Cancelada"}
CONFIDENTIALITIES = {
    "named": "Com nome",
    "confidential": "Com sigilo",
    "anonymous": "Sem identificação",
}
SEAL_STATES = {"valid": "válido", "expired": "vencido", "revoked": "cancelado", "none": "sem selo"}
TYPED_LABELS = {
    "resposta": "Resposta",
    "providencia": "Providência",
    "justificativa": "Justificativa",
    "motivo": "Motivo",
    "nota": "Nota",
    "observacao": "Observação",
    "verificar": "O que verificar",
    "prazo": "Até que dia",
    "fundamento": "Artigo",
    "desfecho": "Desfecho",
    "assunto": "Assunto",
    "pergunta": "Informação pedida",
    "resumo": "Resumo ao operador",
    "resposta_operador": "Resposta do operador",
    "orgao": "Órgão",
    "principal": "Protocolo do outro caso",
    "explicacao": "Explicação",
}
"""What a typed text is called when it can no longer be sent and is only shown for copying."""

VEHICLE_KINDS = {"van": "van", "microonibus": "micro-ônibus", "onibus": "ônibus"}


def days_left(due_on: date | None, today: date) -> tuple[str, str]:
    """The days to the last day in words, and the kind of tag: `("faltam 12 dias", "")`."""
    if due_on is None:
        return "sem prazo", ""
    days = (due_on - today).days
    if days < 0:
        return f"atrasado há {_count(-days, 'dia')}", "bad"
    if days == 0:
        return "vence hoje", "warn"
    return f"{'falta' if days == 1 else 'faltam'} {_count(days, 'dia')}", "warn" if days <= 5 else ""


def short_day(instant: datetime, place: HasTimeZone) -> str:
    """`30/11/2026`: the day that an instant falls on at a place."""
    return f"{local_time(instant, place):%d/%m/%Y}"


def content_lines(content: Mapping[str, Any] | None, kind: str) -> Iterator[tuple[str, str]]:
    """The parts of an event to show, as (label, words). What was filed is shown elsewhere on the page."""
    if not content or kind == "filed":
        return
    for part, label in PARTS.items():
        words = _words(part, content.get(part))
        if words:
            yield label, words


def duration(seconds: float) -> str:
    """A wait in words, rounded up: `40 segundos`, `1 minuto`, `2 horas e 5 minutos`."""
    if seconds <= 59:
        return _count(max(1, math.ceil(seconds)), "segundo")
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    return " e ".join(_count(number, word) for number, word in ((hours, "hora"), (minutes, "minuto")) if number)


TEMPLATE_WORDS: Mapping[str, Any] = {
    "statuses": STATUSES,
    "event_words": EVENTS,
    "content_lines": content_lines,
    "days_left": days_left,
    "file_size": file_size,
    "ratings": RATINGS,
    "describe_type": describe_type,
    "short_day": short_day,
    "inspection_states": INSPECTION_STATES,
    "result_words": RESULTS,
    "seal_states": SEAL_STATES,
    "vehicle_kinds": VEHICLE_KINDS,
    "typed_labels": TYPED_LABELS,
    "kind_words": KIND_LABELS,
    "channels": CHANNEL_LABELS,
    "confidentialities": CONFIDENTIALITIES,
    "finding_words": FINDINGS,
    "is_open": is_open,
    "format_protocol": format_protocol,
    "format_code": format_code,
    "plate_in_words": plate_in_words,
}
"""What every template of the desk may use."""


def _words(part: str, value: Any) -> str:
    if not value:
        return ""
    if part == "subjects":
        return "; ".join(
            f"{row['label']} ({row['citation']})" if row["citation"] else row["label"] for row in value
        )
    if part == "measures":
        return ", ".join(MEASURE_LABELS[word] for word in value)
    named = {"outcome": OUTCOMES, "result": RESULTS}
    if part in named:
        return named[part].get(value, str(value))
    if part == "due_on":
        return f"{date.fromisoformat(value):%d/%m/%Y}"
    return format_code(value) if part == "seal" else str(value)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
