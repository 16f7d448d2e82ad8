"""What a clerk of Maricá would type for the thirteen lines the press has named; stops and times are invented."""

from dataclasses import dataclass

from gtfs.authoring.network import Headway, Pattern
from web.demo.network import Line
from web.demo.network_reading import read_network


@dataclass(frozen=True)
class Typed:
    """A line as typed: the fields of its form, and the times by way and kind of day that its page must show."""

    code: str
    fields: dict[str, str]
    clocks: tuple[str, ...]
    intervals: tuple[tuple[int, str, str], ...]


KINDS = ("dias-uteis", "sabado", "domingos-e-feriados")


def press_lines() -> tuple[Line, ...]:
    """The lines whose names are true."""
    return tuple(line for line in read_network("marica").lines if line.source == "press")


def stop_rows() -> str:
    """The stops as copied from a spreadsheet, with decimal commas."""
    rows = (
        f"{stop.name}\t{stop.latitude:.4f}\t{stop.longitude:.4f}".replace(".", ",")
        for stop in read_network("marica").stops
    )
    return "Nome\tLatitude\tLongitude\n" + "\n".join(rows)


def type_line(line: Line) -> Typed:
    """The form of one line, times written in the ways people write them."""
    fields = {"codigo": line.number, "nome": line.name, "caminho": "ida-e-volta"}
    clocks: set[str] = set()
    intervals: set[tuple[int, str, str]] = set()
    for pattern in line.patterns:
        fields[f"{pattern.key}_destino"] = pattern.headsign
        if pattern.key == "ida":
            fields["ida_paradas"] = "\n".join(
                call.stop.name if call.minute is None else f"{call.stop.name}; {call.minute}"
                for call in pattern.calls
            )
        for number, kind in enumerate(KINDS, 1):
            fields[f"{pattern.key}_dia_{number}"] = _write(pattern, kind)
            clocks |= {clock(time) for time in pattern.departures.get(kind, ())}
            intervals |= {(h.every, clock(h.start), clock(h.end)) for h in pattern.headways.get(kind, ())}
    return Typed(line.number, fields, tuple(sorted(clocks)), tuple(sorted(intervals)))


def clock(minutes: int) -> str:
    """HH:MM as pages show it."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _write(pattern: Pattern, kind: str) -> str:
    styles = ("{:02}:{:02}", "{}h{:02}", "{:02}.{:02}", "{}:{:02}")
    times = [styles[i % 4].format(*divmod(time, 60)) for i, time in enumerate(pattern.departures.get(kind, ()))]
    return "\n".join([", ".join(times), *map(_write_headway, pattern.headways.get(kind, ()))])


def _write_headway(headway: Headway) -> str:
    return f"a cada {headway.every} min das {clock(headway.start)} às {clock(headway.end)}"
