"""The town's law as the authority has to decide it: open readings, each with its articles and what it changes."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.authorities.choices import Choice, find_choice, list_choices
from complaints.authorities.law_in_force import ANNEX, HOURS, SETTING, TABLE, UNIT, WEEK, law_on
from complaints.law.readings import Setting, SettingValue
from web.forms import FormErrors, query_text
from web.staff.norm_acts import list_acts, read_act, store_act
from web.staff.routing import Desk, StaffRoute, render_desk

OTHER = "outro"


def show_norm(request: Request, desk: Desk) -> Response:
    """Every open reading with the value in force, and the other things the authority supplies."""
    rulebook = law_on(desk.authority, desk.today)
    with desk.services.database.read() as session:
        chosen = list_choices(session, desk.authority_id, SETTING, desk.today)
        annex = find_choice(session, desk.authority_id, TABLE, ANNEX, desk.today)
        hours = find_choice(session, desk.authority_id, HOURS, WEEK, desk.today)
        units = list_choices(session, desk.authority_id, UNIT, desk.today)
    context = {
        "rulebook": rulebook,
        "rows": [
            (setting, _words_in_force(setting, chosen.get(setting.key)), chosen.get(setting.key))
            for setting in rulebook.settings
            if len(setting.values) > 1 or setting.open is not None
        ],
        "annex": annex,
        "hours": hours,
        "units": units,
        "done": query_text(request, "feito", 20),
    }
    return render_desk(request, desk, "staff/norm/list.html", context)


def decide_reading(request: Request, desk: Desk) -> Response:
    """One reading: its question, its articles, what each reading changes, the acts so far, and a form."""
    setting = law_on(desk.authority, desk.today).find_setting(request.path_params["key"])
    if setting is None:
        raise HTTPException(404)
    values = {"vigencia": desk.today.isoformat()}
    errors = FormErrors()
    if request.method == "POST":
        values = desk.form.values
        value = read_value(setting, desk.form.text("leitura", 60), desk.form.text("valor", 300), errors)
        fields = read_act(desk.form, desk.today, errors)
        if fields is not None:
            with desk.services.database.write() as session:
                store_act(session, desk, SETTING, setting.key, _as_json(value), fields)
            return RedirectResponse("/equipe/norma?feito=leitura", status_code=303)
    return _reading_page(request, desk, setting, values, errors)


def read_value(setting: Setting, word: str, typed: str, errors: FormErrors) -> SettingValue:
    """Read the reading chosen, or the value typed; errors say what the setting takes."""
    for place, reading in enumerate(setting.readings):
        if word == str(place):
            return reading.value
    if word != OTHER or setting.open is None:
        errors.add("leitura", "Escolha uma das leituras")
        return None
    value: Any = typed
    if setting.open == "integer":
        value = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else None
    elif setting.open == "words":
        value = [part.strip() for part in typed.split(",") if part.strip()]
    elif setting.open == "exact":
        value = typed.replace(",", ".")
    try:
        accepted = setting.accept(value) if typed else None
    except ValueError:
        accepted = None
    if accepted is None:
        errors.add("valor", f"Escreva {OPEN_WORDS[setting.open]}")
    return accepted


OPEN_WORDS = {
    "integer": "um número inteiro",
    "exact": "um número, como 2 ou 1,5 ou 3/2",
    "date": "uma data, como 2027-01-31",
    "words": "uma lista separada por vírgulas",
    "months": "um número de meses, como 6_months",
    "rounding": "ceil (para cima), floor (para baixo), half_up (meio para cima) ou inside (dentro dos limites)",
    "text": "um texto",
}


def _words_in_force(setting: Setting, choice: Choice | None) -> str:
    return describe_value(setting, setting.default if choice is None else choice.value)


def describe_value(setting: Setting, value: Any) -> str:
    """Say what a value means: the words of its reading, or the value itself where it was typed."""
    for reading in setting.readings:
        if _as_json(reading.value) == value and type(_as_json(reading.value)) is type(value):
            return reading.text
        if reading.value == value and type(reading.value) is type(value):
            return reading.text
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _as_json(value: SettingValue) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _reading_page(
    request: Request, desk: Desk, setting: Setting, values: dict[str, str], errors: FormErrors
) -> Response:
    with desk.services.database.read() as session:
        acts = list_acts(session, desk, SETTING, setting.key)
        current = find_choice(session, desk.authority_id, SETTING, setting.key, desk.today)
    options = [(str(place), reading.text) for place, reading in enumerate(setting.readings)]
    if setting.open is not None:
        options.append((OTHER, f"Outro valor: {OPEN_WORDS[setting.open]}"))
    context = {
        "setting": setting,
        "options": options,
        "current": describe_value(setting, current.value if current else setting.default),
        "choice": current,
        "acts": [(act, describe_value(setting, json.loads(act.value))) for act in acts],
        "values": values,
        "errors": errors,
    }
    return render_desk(request, desk, "staff/norm/reading.html", context, 422 if errors else 200)


ROUTES = (
    StaffRoute("/norma", show_norm, "authority.choose"),
    StaffRoute("/norma/leituras/{key}", decide_reading, "authority.choose", ("GET", "POST")),
)
