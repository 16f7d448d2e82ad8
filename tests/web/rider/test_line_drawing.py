"""A line drawn as SVG: north up, small, safe, readable."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.rider.line_drawing import DEFAULT_COLOUR, Drawing, Point, draw

NORTH, SOUTH, EAST = (-22.90, -42.82), (-22.94, -42.82), (-22.92, -42.80)
SPACE = "{http://www.w3.org/2000/svg}"


def parse(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(draw(drawing))


def drawing(*points: Point, colour: str = "", straight: bool = False, name: str = "Centro") -> Drawing:
    return Drawing("Mapa", (points,), points, ((points[0], name),), colour, straight)


def places(svg: ElementTree.Element) -> list[tuple[int, int]]:
    """Where the stops are drawn."""
    dots = svg.findall(f"{SPACE}path")[2].attrib["d"]
    return [(int(x), int(y)) for x, y in re.findall(r"M(-?\d+) (-?\d+)h0", dots)]


def test_north_is_up_and_east_is_right() -> None:
    (north, south, east) = places(parse(drawing(NORTH, SOUTH, EAST)))
    assert north[1] < east[1] < south[1]
    assert north[0] == south[0] < east[0]


def test_a_kilometre_is_as_long_in_both_directions() -> None:
    (north, south, east) = places(parse(drawing((60.0, 20.0), (59.99, 20.0), (60.0, 20.02))))
    assert east[0] - north[0] == pytest.approx(south[1] - north[1], rel=0.02)


@pytest.mark.parametrize(
    ("colour", "drawn"),
    [("1A7F37", "1A7F37"), ("", DEFAULT_COLOUR), ("FFFFFF", DEFAULT_COLOUR), ("FFFF00", DEFAULT_COLOUR)],
)
def test_colour_of_the_line_is_used_where_it_can_be_seen(colour: str, drawn: str) -> None:
    svg = parse(drawing(NORTH, SOUTH, colour=colour))
    assert svg.findall(f"{SPACE}path")[1].attrib["stroke"] == f"#{drawn}"


def test_straight_lines_are_dashed() -> None:
    assert "stroke-dasharray" in draw(drawing(NORTH, SOUTH, straight=True))
    assert "stroke-dasharray" not in draw(drawing(NORTH, SOUTH))


def test_names_are_never_markup_and_long_ones_are_cut() -> None:
    svg = parse(drawing(NORTH, SOUTH, name="<script>" + "a" * 60))
    (label, *_) = svg.findall(f"{SPACE}text")
    assert (label.text or "").startswith("<script>aaa")
    assert (label.text or "").endswith("…")
    assert svg.find(f"{SPACE}script") is None
    assert "style=" not in draw(drawing(NORTH, SOUTH))


def test_points_too_near_to_be_seen_are_left_out_but_the_last() -> None:
    near = [(-22.90 - step / 1e7, -42.82) for step in range(2000)]
    svg = draw(drawing(*near, SOUTH))
    assert len(svg) < 3000
    assert svg.count("l0 ") <= 4


def test_scale_has_a_round_length() -> None:
    assert ">500 m</text>" in draw(drawing(NORTH, SOUTH, EAST))
    assert ">20 km</text>" in draw(drawing((-22.0, -42.0), (-23.0, -43.0)))
    assert ">100 m</text>" in draw(drawing(NORTH, (-22.9001, -42.82)))


def test_nothing_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="nothing"):
        draw(Drawing("Mapa", (), (), ()))


coordinates = st.tuples(st.floats(-89, 89), st.floats(-179, 179))


@given(st.lists(coordinates, min_size=1, max_size=12))
def test_any_places_fit_on_the_sheet(points: list[Point]) -> None:
    svg = parse(drawing(*points))
    width, height = int(svg.attrib["width"]), int(svg.attrib["height"])
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places(svg))
    assert max(width, height) <= 842
