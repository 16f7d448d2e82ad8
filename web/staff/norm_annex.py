"""The annex of classes and the values of the fiscal unit, which the authority supplies for its law."""

import json

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.authorities.annex import AnnexTable, read_annex, write_template
from complaints.authorities.choices import choice_on
from complaints.authorities.law_in_force import ANNEX, TABLE, UNIT, law_on
from complaints.law.schema import Rulebook
from web.forms import FormErrors
from web.staff.norm_acts import list_acts, read_act, store_act
from web.staff.routing import Desk, StaffRoute, render_desk

MAX_FILE = 1_000_000


def load_annex(request: Request, desk: Desk) -> Response:
    """Take the annex as a file: shown first with every fault, stored when confirmed."""
    rulebook = _with_annex(desk)
    if request.method != "POST":
        return _annex_page(request, desk, rulebook, {"vigencia": desk.today.isoformat()}, FormErrors())
    errors, form = FormErrors(), desk.form
    files = form.files("arquivo")
    content = files[0].content if files else form.text("conteudo", MAX_FILE).encode()
    if not content:
        errors.add("arquivo", "Escolha o arquivo CSV")
        return _annex_page(request, desk, rulebook, form.values, errors)
    table = read_annex(content, rulebook)
    if table.faults:
        errors.add("arquivo", "Corrija as linhas abaixo e envie de novo. Nada foi gravado.")
    fields = read_act(form, desk.today, errors)
    if fields is None or not form.text("confirmar", 5):
        return _annex_page(request, desk, rulebook, form.values, errors, table, content)
    with desk.services.database.write() as session:
        store_act(session, desk, TABLE, ANNEX, table.value, fields)
    return RedirectResponse("/equipe/norma?feito=anexo", status_code=303)


def send_template(request: Request, desk: Desk) -> Response:
    """The file to fill in, with what is in force today."""
    rulebook = _with_annex(desk)
    with desk.services.database.read() as session:
        known = choice_on(session, desk.authority_id, TABLE, ANNEX, desk.today) or {}
    text = write_template(rulebook, AnnexTable(known.get("classes", {}), known.get("items", {})))
    headers = {"Content-Disposition": 'attachment; filename="anexo.csv"'}
    return Response("\ufeff" + text, media_type="text/csv; charset=utf-8", headers=headers)


def set_unit(request: Request, desk: Desk) -> Response:
    """The fiscal unit's value in a month or a year, with its source."""
    rulebook = law_on(desk.authority, desk.today)
    unit = rulebook.fine_unit
    if unit is None:
        raise HTTPException(404)
    values, errors = {"vigencia": desk.today.isoformat()}, FormErrors()
    if request.method == "POST":
        values = desk.form.values
        period = _read_period(desk.form.text("periodo", 10), errors)
        cents = read_reais(desk.form.text("valor", 20), errors)
        fields = read_act(desk.form, desk.today, errors)
        if fields is not None:
            with desk.services.database.write() as session:
                store_act(session, desk, UNIT, f"{unit} {period}", cents, fields)
            return RedirectResponse("/equipe/norma?feito=unidade", status_code=303)
    with desk.services.database.read() as session:
        acts = list_acts(session, desk, UNIT)
    context = {
        "unit": unit,
        "rulebook": rulebook,
        "acts": [(act, act.key.rpartition(" ")[2], json.loads(act.value)) for act in acts],
        "values": values,
        "errors": errors,
    }
    return render_desk(request, desk, "staff/norm/unit.html", context, 422 if errors else 200)


def _with_annex(desk: Desk) -> Rulebook:
    rulebook = law_on(desk.authority, desk.today)
    if not rulebook.has_annex:
        raise HTTPException(404)
    return rulebook


def _annex_page(
    request: Request,
    desk: Desk,
    rulebook: Rulebook,
    values: dict[str, str],
    errors: FormErrors,
    table: AnnexTable | None = None,
    content: bytes = b"",
) -> Response:
    with desk.services.database.read() as session:
        acts = list_acts(session, desk, TABLE, ANNEX)
    whole = table is not None and not table.faults
    context = {
        "rulebook": rulebook,
        "acts": [(act, len(json.loads(act.value)["classes"])) for act in acts],
        "values": values,
        "errors": errors,
        "table": table,
        "preview": _preview(rulebook, table) if table is not None and whole else [],
        "content": content.decode("utf-8-sig") if whole else "",
        "rows": len(rulebook.infractions) + len(rulebook.duties),
    }
    return render_desk(request, desk, "staff/norm/annex.html", context, 422 if errors else 200)


def _preview(rulebook: Rulebook, table: AnnexTable) -> list[tuple[str, str, str, int | None]]:
    rows = ((rulebook.get_provision(key), key, class_id) for key, class_id in table.classes.items())
    return [(row.citations[0], row.paraphrase, class_id, table.items.get(key)) for row, key, class_id in rows]


def _read_period(text: str, errors: FormErrors) -> str:
    """Read `2027-01` or `01/2027` as a month, `2027` as a year."""
    month, _, year = text.partition("/")
    period = f"{year}-{month.zfill(2)}" if year else text
    parts = period.split("-")
    good = all(part.isascii() and part.isdigit() for part in parts) and len(parts[0]) == 4 and len(parts) < 3
    if not good or (len(parts) == 2 and not (len(parts[1]) == 2 and 1 <= int(parts[1]) <= 12)):
        errors.add("periodo", "Escreva o mês e o ano, como 01/2027, ou só o ano")
    return period


def read_reais(text: str, errors: FormErrors) -> int:
    """Read reais as people write them, with a comma before the cents; cents."""
    plain = text.removeprefix("R$").strip().replace(".", "") if "," in text else text.removeprefix("R$").strip()
    whole, _, cents = plain.replace(",", ".").partition(".")
    if not (
        whole.isascii()
        and whole.isdigit()
        and len(whole) < 8
        and (not cents or (cents.isascii() and cents.isdigit() and len(cents) == 2))
    ):
        errors.add("valor", "Escreva o valor em reais, como 123,45")
        return 0
    return int(whole) * 100 + int(cents or 0)


ROUTES = (
    StaffRoute(
        "/norma/anexo", load_annex, "authority.choose", ("GET", "POST"), max_files=1, max_body_size=2 * MAX_FILE
    ),
    StaffRoute("/norma/anexo.csv", send_template, "authority.choose"),
    StaffRoute("/norma/unidade", set_unit, "authority.choose", ("GET", "POST")),
)
