"""The graph of many columns as an SVG picture and as a page; a document gives the same bytes.

What has to be known before an arrow is believed stands above it: the method, what it cost, and
every warning. Each edge is drawn by how sure it is.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from provado.reports.documents.origin import Provenance, library
from provado.reports.pages.frame import Part, macros, piece
from provado.reports.pages.frame import page as whole_page
from provado.reports.pages.markup import Markup
from provado.reports.text.formatting import clean, counted

from . import graph_words as words

_RADIUS, _HEAD = 5.0, 11.0
"""Of a vertex, and the length of an arrow's head, which ends there."""

_LETTER, _BOLD, _LINE = 7.2, 9.2, 18.0
"""About how wide a letter is, at most, also a bold capital, and how far apart lines are."""

_APART, _LEAST_WIDTH, _MARGIN = 140.0, 600.0, 16.0
"""Of two vertices, about; of the lines of a caption; and around everything."""

_LONGEST_NAME = 28
_FAINTEST = 0.3
"""No edge is so faint that it could be overlooked."""

Place = tuple[float, float]


@dataclass(frozen=True)
class _Drawn:
    """Places of vertices and their names, and the ends of what is drawn."""

    places: dict[str, Place]
    sides: dict[str, Place]
    width: float
    height: float


def picture(document: dict[str, Any]) -> str:
    """Return a document of schema ``provado-graph/2`` as SVG: arrows for →, plain lines for −.

    An edge is the wider and darker the more often it is in redraws, its head the darker the surer
    its direction is; where nothing was redrawn all are alike.

    Vertices stand where their distances along the edges put them (Kamada and Kawai), from a fixed
    start. Raises ``UsageError`` where networkx is not installed.
    """
    drawn = _drawn(document, _LEAST_WIDTH)
    caption = _caption(document, drawn.width)
    top = _MARGIN + _LINE * len(caption) + 8
    return drawing(document, caption=caption, drawn=drawn, top=top) + "\n"


def drawing(
    document: dict[str, Any],
    *,
    caption: Sequence[tuple[str, str]] = (),
    drawn: _Drawn | None = None,
    top: float = 0.0,
) -> Markup:
    """Return the drawing, below the lines of its caption; on a page these are beside it."""
    drawn = drawn or _drawn(document, 0.0)
    places, sides = drawn.places, drawn.sides
    lines = [_MARGIN + _LINE * (i + 0.7) for i in range(len(caption))]
    picture = _template().drawing(
        (_name(document), "; ".join(map(_arrow, document["edges"])) or "no edges"),
        [(*said, _MARGIN, y) for said, y in zip(caption, lines, strict=True)],
        [_edge(places[edge["from"]], places[edge["to"]], edge) for edge in document["edges"]],
        [(x, y, _RADIUS, *_label(name, (x, y), sides[name])) for name, (x, y) in places.items()],
        (round(drawn.width), round(drawn.height + top), top),
        Markup(piece("drawing.css").replace("\n", "")),
    )
    return Markup(picture)


def _caption(document: dict[str, Any], width: float) -> list[tuple[str, str]]:
    """Return the lines above the picture, each with its style: what, at what cost, and warnings."""
    said = [("g-title", words.title(document)), ("", words.privacy(document))]
    said += [("g-warn", f"Warning: {text}") for text in words.warnings(document)]
    said += [("g-warn", text.strip()) for text in words.incomplete(document)]
    room = width - 2 * _MARGIN
    return [
        (kind, line)
        for kind, text in said
        for line in textwrap.wrap(text, int(room / (_BOLD if kind else _LETTER)))
    ]


def _edge(start: Place, end: Place, edge: dict[str, Any]) -> tuple[Any, ...]:
    """Return an edge's words, ends, width and shade by its share of redraws, and a head, if any."""
    result = edge["stability"] or {"edge": None, "direction": 1.0}
    stood = 1.0 if result["edge"] is None else result["edge"]
    length = math.dist(start, end) or 1.0
    unit = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def along(distance: float, aside: float = 0.0) -> Place:
        x = start[0] + distance * unit[0] - aside * unit[1]
        return x, start[1] + distance * unit[1] + aside * unit[0]

    directed = edge["kind"] == "directed"
    a, b = along(_RADIUS), along(length - _RADIUS - (_HEAD - 1) * directed)
    sentence = f"{_arrow(edge)}"
    if edge["stability"] is not None:
        sentence += f": {words.stability(edge).strip()}"
    wings = (along(length - _RADIUS - _HEAD, side) for side in (4.5, -4.5))
    points = "L".join(f"{x:.1f} {y:.1f}" for x, y in (along(length - _RADIUS), *wings))
    head = (f"M{points}Z", _shade(result["direction"])) if directed else None
    return sentence, (*a, *b), round(1 + 2 * stood, 2), _shade(stood), head


def _shade(share: float) -> float:
    return round(_FAINTEST + (1 - _FAINTEST) * share, 2)


def _label(name: str, place: Place, side: Place) -> tuple[str, float, float, str]:
    anchor = "middle" if abs(side[0]) < 0.3 else "start" if side[0] > 0 else "end"
    x, y = (place[i] + (_RADIUS + 5) * side[i] for i in (0, 1))
    return _short(name), x, y + 5 + 5 * side[1], anchor


def _drawn(document: dict[str, Any], least: float) -> _Drawn:
    names, edges = [column["name"] for column in document["columns"]], document["edges"]
    result = _places(library("networkx"), names, edges)
    scale = _APART * math.sqrt(len(names)) / 2
    rough = {name: (scale * x, -scale * y) for name, (x, y) in result.items()}
    sides = {name: _side(name, rough, edges) for name in names}
    # A name reaches as far beyond its vertex as it is long, to the side where it stands.
    ends = []
    for name, (x, y) in rough.items():
        wide, side = _LETTER * len(_short(name)) + 2 * _RADIUS + 8, sides[name]
        left, right = (0.5, 0.5) if abs(side[0]) < 0.3 else (0, 1) if side[0] > 0 else (1, 0)
        ends += [(x - left * wide, y - 28), (x + right * wide, y + 28)]
    low = tuple(min(end[i] for end in ends) for i in (0, 1))
    high = tuple(max(end[i] for end in ends) for i in (0, 1))
    width = max(high[0] - low[0] + 2 * _MARGIN, least)
    shift = (width - low[0] - high[0]) / 2, _MARGIN - low[1]
    places = {name: (x + shift[0], y + shift[1]) for name, (x, y) in rough.items()}
    return _Drawn(places, sides, width, high[1] - low[1] + 2 * _MARGIN)


def _side(name: str, places: dict[str, Place], edges: list[Any]) -> Place:
    """Return the direction from a vertex in which its name is farthest from its edges."""
    x, y = places[name]
    near = [e["from"] for e in edges if e["to"] == name]
    near += [e["to"] for e in edges if e["from"] == name]
    ways = [(places[end][0] - x, places[end][1] - y) for end in near]
    units = [(dx / math.hypot(dx, dy), dy / math.hypot(dx, dy)) for dx, dy in ways if dx or dy]

    def closest(side: Place) -> float:
        return round(max((side[0] * dx + side[1] * dy for dx, dy in units), default=-1.0), 6)

    slant = math.sqrt(0.5)
    straight = [(0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]
    slanted = [(a * slant, b * slant) for a in (1, -1) for b in (1, -1)]
    return min([*straight, *slanted], key=closest)


def _places(networkx: Any, names: list[str], edges: list[Any]) -> dict[str, Place]:
    graph = networkx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((edge["from"], edge["to"]) for edge in edges)
    # Vertices without a path between them are kept a little farther apart than the others.
    apart = 1.5 + math.sqrt(len(names)) / 2
    lengths = {name: dict.fromkeys(names, apart) for name in names}
    for name, within in networkx.all_pairs_shortest_path_length(graph):
        lengths[name] |= within
    result = networkx.kamada_kawai_layout(graph, dist=lengths, pos=networkx.circular_layout(graph))
    return {name: (round(float(x), 4), round(float(y), 4)) for name, (x, y) in result.items()}


def _short(name: str) -> str:
    text = clean(name)
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"


def _arrow(edge: dict[str, Any]) -> str:
    return f"{clean(edge['from'])} {'→' if edge['kind'] == 'directed' else '−'} {clean(edge['to'])}"


def _name(document: dict[str, Any]) -> str:
    method = document["title"]
    if document["version"] is not None:
        method += f", {document['version']}"
    sentence = f"Causal graph of {counted(len(document['columns']), 'column')} by {method}"
    if not document["complete"]:
        sentence += f"; incomplete: the answer after {document['tests']:,} tests"
    return sentence


def _template() -> Any:
    return macros("commands/discover/page.html", drawn=drawing, words=words)


def page(document: dict[str, Any], made: Provenance | None = None) -> str:
    """Return a document of schema ``provado-graph/2`` as a page that needs no other file."""
    template = _template()
    warned = [*words.warnings(document), *(text.strip() for text in words.incomplete(document))]
    before = ("warnings", "Before you read the graph", [template.warnings(warned)])
    parts: list[Part] = [before] if warned else []
    parts += [
        (name, title, [getattr(template, name)(document)])
        for name, title in (("graph", "Graph"), ("edges", "Edges"), ("cost", "Method and cost"))
    ]
    title, under = clean(words.title(document)), [words.privacy(document)]
    return whole_page(title, parts, made=made, under=under, style=piece("graph.css"), bare=True)
