"""The kinds of day of the feed being made, its holidays, and from when to when it holds."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.authoring.day_reading import MOST_KINDS, DaysText, KindText, read_days, write_holidays
from gtfs.authoring.gaps import WEEKDAYS
from gtfs.authoring.keeping import PartChange
from gtfs.authoring.sketch import DAYS, Sketch
from gtfs.authoring.sketch_json import days_from_json, days_to_json
from web.forms import Form, FormErrors, whole_number
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.sketch_desk import HOME, keep, load_sketch, tell_faults

ROWS = 6
"""Rows for kinds of day; more are shown when there are more."""
LONGEST_BOX = 10_000


def set_days(request: Request, desk: Desk) -> Response:
    """Change kinds of day, holidays and span together."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    revision, errors = sketch.revision(DAYS), FormErrors()
    if request.method != "POST":
        return _page(request, desk, _fill(sketch), errors, revision)
    text = _read(desk.form)
    days, faults = read_days(text, sketch)
    one_line = [fault.field for fault in faults if fault.field != "feriados"]
    tell_faults(faults, errors, one_line)
    seen = whole_number(desk.form.text("revisao", 10))
    if errors:
        return _page(request, desk, text, errors, seen, 422)
    stale = keep(desk, [PartChange(DAYS, days_to_json(days), seen)])
    if stale is None:
        return RedirectResponse(f"{HOME}?feito=dias", status_code=303)
    extra = {"stale": stale, "present": days_from_json(stale.content) if stale.content else None}
    return _page(request, desk, text, errors, stale.revision, 409, extra)


def _fill(sketch: Sketch) -> DaysText:
    days = sketch.days
    kinds = tuple(
        KindText(number, kind.id, kind.name, kind.weekdays, kind.holidays)
        for number, kind in enumerate(days.kinds, 1)
    )
    return DaysText(days.first_day.isoformat(), days.last_day.isoformat(), kinds, write_holidays(days.holidays))


def _read(form: Form) -> DaysText:
    kinds = tuple(
        KindText(
            number=number,
            id=form.text(f"tipo{number}_id", 200),
            name=" ".join(form.text(f"tipo{number}_nome", 200).split()),
            weekdays=tuple(
                sorted({int(day) for day in form.all(f"tipo{number}_dias", 1) if day in "1234567" and day})
            ),
            holidays=bool(form.text(f"tipo{number}_feriados", 5)),
        )
        for number in range(1, MOST_KINDS + 1)
    )
    return DaysText(form.text("inicio", 20), form.text("fim", 20), kinds, form.raw("feriados", LONGEST_BOX))


def _page(
    request: Request,
    desk: Desk,
    text: DaysText,
    errors: FormErrors,
    revision: int,
    status_code: int = 200,
    extra: dict[str, Any] | None = None,
) -> Response:
    given = {kind.number: kind for kind in text.kinds}
    count = min(MOST_KINDS, max(ROWS, len(given) + 1 if len(given) < MOST_KINDS else ROWS))
    context = {
        "rows": [
            given.get(number, KindText(number, "", "", (), holidays=False)) for number in range(1, count + 1)
        ],
        "weekdays": [
            (str(number), name.removesuffix("s").capitalize()) for number, name in enumerate(WEEKDAYS, 1)
        ],
        "values": {"inicio": text.first_day, "fim": text.last_day, "feriados": text.holidays}
        | {f"tipo{kind.number}_nome": kind.name for kind in text.kinds},
        "errors": errors,
        "revision": revision,
        "stale": None,
        "present": None,
        **(extra or {}),
    }
    return render_desk(request, desk, "staff/lines/days.html", context, status_code)


ROUTES = (StaffRoute("/linhas/dias", set_days, "feed.publish", ("GET", "POST")),)
