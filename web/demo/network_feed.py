"""Turns a demonstration network into a feed that says what in it is invented."""

from dataclasses import replace

from gtfs.authoring import network as authoring
from gtfs.authoring.feed_writing import write_feed
from web.demo.network import Line, Network

STOP_WORDS = "Posição aproximada, inventada para a demonstração."
LINE_WORDS = {
    "press": "Nome da linha tirado da imprensa.",
    "invented": "Linha inventada para a demonstração.",
}
TIMED_WORDS = "Paradas e horários inventados."
UNTIMED_WORDS = "Horários a publicar."


def build_feed(network: Network) -> bytes:
    """The feed as a zip; two builds of one network are equal byte for byte."""
    return write_feed(
        authoring.Network(
            publisher=network.publisher,
            version=network.version,
            first_day=network.first_day,
            last_day=network.last_day,
            agency=network.agency,
            holidays=network.holidays,
            services=network.services,
            fares=network.fares,
            stops=tuple(replace(stop, description=STOP_WORDS) for stop in network.stops),
            lines=tuple(map(_describe_line, network.lines)),
            with_paths=True,
        )
    )


def _describe_line(line: Line) -> authoring.Line:
    times = TIMED_WORDS if line.patterns else UNTIMED_WORDS
    return authoring.Line(
        id=line.number,
        number=line.number,
        name=line.name,
        description=f"{LINE_WORDS[line.source]} {times} {line.note}".strip(),
        patterns=line.patterns,
        fare=line.fare,
    )
