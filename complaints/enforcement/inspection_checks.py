"""What an inspection order and a result must say, before either is written."""

from dataclasses import dataclass
from datetime import date

from complaints.enforcement.powers import MEASURE_LABELS, Powers

RESULTS = {
    "approved": "Aprovado",
    "approved_with_reservation": "Aprovado com reserva",
    "rejected": "Reprovado",
    "blocked_by_debt": "Não feita: há débito a resolver antes",
    "no_show": "O veículo não apareceu",
}
"""Results as stored, with what staff read."""

PUBLIC_RESULTS = {
    "approved": "O veículo foi vistoriado e aprovado.",
    "approved_with_reservation": "O veículo foi vistoriado e precisa corrigir itens.",
    "rejected": "O veículo foi vistoriado e reprovado.",
    "blocked_by_debt": "A vistoria não pôde ser feita e será marcada de novo.",
    "no_show": "O veículo não foi apresentado para a vistoria.",
}
"""What the rider reads: never the debts of the holder."""

LOOKED_AT = frozenset({"approved", "approved_with_reservation", "rejected"})
"""Results of a vehicle that was really there; only these may come with measures."""


@dataclass(frozen=True)
class Order:
    """What to look at, until when, and the article of the town's law that lets the authority order it."""

    reason: str
    legal_basis: str
    due_on: date | None


@dataclass(frozen=True)
class Finding:
    """What the inspector found.

    `measures`: words of powers.toml. `new_seal`: issue one, valid through `seal_until` or as the law says.
    `revoke_seal`: withdraw the newest seal of the vehicle.
    """

    result: str
    measures: tuple[str, ...] = ()
    notes: str = ""
    new_seal: bool = False
    seal_until: date | None = None
    revoke_seal: bool = False


def find_order_problems(order: Order, powers: Powers, today: date) -> dict[str, str]:
    """What is missing or wrong in an order, by form field, in Portuguese."""
    problems = {}
    if not order.reason.strip():
        problems["verificar"] = "Escreva o que o fiscal deve verificar."
    if order.due_on is None:
        problems["prazo"] = "Diga até que dia a vistoria deve ser feita."
    elif order.due_on < today:
        problems["prazo"] = "O dia da vistoria não pode já ter passado."
    if not powers.allows_basis(order.legal_basis):
        problems["fundamento"] = "Escolha o artigo da lei que permite a vistoria."
    return problems


def find_finding_problems(finding: Finding, powers: Powers, has_vehicle: bool) -> dict[str, str]:
    """What is missing or wrong in a result, by form field; `has_vehicle`: a registered one is concerned."""
    problems = {}
    seen = finding.result in LOOKED_AT
    if finding.result not in RESULTS:
        problems["resultado"] = "Escolha o resultado da vistoria."
    elif finding.result != "approved" and not finding.notes.strip():
        problems["observacao"] = "Descreva o que foi encontrado, ou por que a vistoria não foi feita."
    if not powers.allows_measures(finding.measures):
        problems["medida"] = "Escolha só medidas que a lei do município prevê."
    elif finding.measures and not seen:
        problems["medida"] = "Sem o veículo presente não há medida a registrar."
    return {**problems, **_seal_problems(finding, seen, has_vehicle)}


def public_result(result: str, measures: tuple[str, ...]) -> str:
    """What the rider reads of a result: `O veículo foi vistoriado e reprovado. Veículo apreendido.`"""
    return " ".join([PUBLIC_RESULTS[result], *(f"{MEASURE_LABELS[word]}." for word in measures)])


def _seal_problems(finding: Finding, seen: bool, has_vehicle: bool) -> dict[str, str]:
    problems = {}
    if finding.new_seal and finding.result != "approved":
        problems["novo_selo"] = "Só veículo aprovado recebe selo novo."
    elif finding.new_seal and not has_vehicle:
        problems["novo_selo"] = "Este caso não tem veículo do cadastro: o selo não pode ser emitido aqui."
    if finding.revoke_seal and (not has_vehicle or not seen or finding.result == "approved"):
        problems["cancelar_selo"] = "Só se cancela o selo de veículo do cadastro que foi visto e não foi aprovado."
    return problems
