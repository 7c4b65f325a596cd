"""The graph of many columns as an SVG picture; the same document gives the same bytes."""

from __future__ import annotations

import io
import math
import warnings
from html import escape
from typing import Any

from provado.reports.data.library import library
from provado.reports.words.clean import clean

_INK, _LINE, _DOT = "#1b2a38", "#5b6b7a", "#2f6f9f"
_RADIUS = 5.0
"""Of a vertex, in points; arrows end there."""

_LONGEST_NAME = 28

Place = tuple[float, float]


def picture(document: dict[str, Any]) -> str:
    """Return a document of schema ``provado-graph/1`` as SVG: arrows for →, plain lines for −.

    Below an answer so far stands that it is one.

    Vertices stand where their distances along the edges put them (Kamada and Kawai), from a fixed
    start. Raises ``UsageError`` where networkx or matplotlib is not installed.
    """
    networkx, matplotlib = library("networkx"), library("matplotlib")
    figures, canvases = library("matplotlib.figure"), library("matplotlib.backends.backend_svg")
    names = [column["name"] for column in document["columns"]]
    places = _places(networkx, names, document["edges"])
    side = 2.2 + 1.35 * math.sqrt(len(names))
    settings = {"svg.hashsalt": "provado", "svg.fonttype": "none", "font.family": "sans-serif"}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name in a script that the measuring font lacks is drawn by the reader's own fonts.
        warnings.filterwarnings("ignore", message="Glyph")
        figure = figures.Figure(figsize=(1.25 * side, side))
        canvases.FigureCanvasSVG(figure)
        axes = figure.add_axes((0.12, 0.08, 0.76, 0.84))
        axes.set_axis_off()
        axes.set_xlim(-1.05, 1.05)
        axes.set_ylim(-1.05, 1.05)
        for edge in document["edges"]:
            _line(axes, places[edge["from"]], places[edge["to"]], edge)
        for name in names:
            _vertex(axes, places[name], _short(name), _side(name, places, document["edges"]))
        if not document["complete"]:
            figure.text(0.5, 0.02, _so_far(document), ha="center", fontsize=9, color=_INK)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return _titled(stream.getvalue(), document)


def _line(axes: Any, start: Place, end: Place, edge: dict[str, Any]) -> None:
    arrow, stands = edge["kind"] == "directed", edge["stands"]
    style = {
        "arrowstyle": "-|>,head_width=0.25,head_length=0.5" if arrow else "-",
        "color": _LINE,
        # The less an edge stands, the fainter; none so faint that it could be overlooked.
        "alpha": 1.0 if stands is None else 0.25 + 0.75 * stands["edge"],
        "linewidth": 1.2,
        "shrinkA": _RADIUS,
        "shrinkB": _RADIUS,
        "mutation_scale": 14,
    }
    axes.annotate("", xy=end, xytext=start, arrowprops=style, zorder=1)


def _vertex(axes: Any, place: Place, name: str, side: tuple[int, int]) -> None:
    axes.plot(*place, marker="o", markersize=2 * _RADIUS - 2, color=_DOT, zorder=2)
    # Column names are no formulas: a $ in one is a $.
    axes.annotate(
        name,
        xy=place,
        xytext=((_RADIUS + 3) * side[0], (_RADIUS + 3) * side[1]),
        textcoords="offset points",
        ha=("right", "center", "left")[side[0] + 1],
        va=("top", "center", "bottom")[side[1] + 1],
        fontsize=10,
        color=_INK,
        parse_math=False,
        zorder=3,
    )


def _side(name: str, places: dict[str, Place], edges: list[Any]) -> tuple[int, int]:
    """Return the side of a vertex on which its name is farthest from its edges: (right, up)."""
    x, y = places[name]
    near = [e["from"] for e in edges if e["to"] == name]
    near += [e["to"] for e in edges if e["from"] == name]
    ways = [(places[end][0] - x, places[end][1] - y) for end in near]
    units = [(dx / math.hypot(dx, dy), dy / math.hypot(dx, dy)) for dx, dy in ways if dx or dy]

    def closest(side: tuple[int, int]) -> float:
        return max((side[0] * dx + side[1] * dy for dx, dy in units), default=-1.0)

    return min(((0, 1), (0, -1), (1, 0), (-1, 0)), key=closest)


def _places(networkx: Any, names: list[str], edges: list[Any]) -> dict[str, Place]:
    graph = networkx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((edge["from"], edge["to"]) for edge in edges)
    # Vertices without a path between them are kept a little farther apart than the others.
    apart = 1.5 + math.sqrt(len(names)) / 2
    lengths = {name: dict.fromkeys(names, apart) for name in names}
    for name, within in networkx.all_pairs_shortest_path_length(graph):
        lengths[name] |= within
    found = networkx.kamada_kawai_layout(graph, dist=lengths, pos=networkx.circular_layout(graph))
    return {name: (round(float(x), 4), round(float(y), 4)) for name, (x, y) in found.items()}


def _short(name: str) -> str:
    text = clean(name)
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"


def _so_far(document: dict[str, Any]) -> str:
    return f"incomplete: the answer after {document['tests']:,} tests"


def _titled(svg: str, document: dict[str, Any]) -> str:
    """Return the picture with a title and a description that a screen reader reads out."""
    method = document["title"]
    if document["version"] is not None:
        method += f", {document['version']}"
    arrows = "; ".join(
        f"{clean(e['from'])} {'→' if e['kind'] == 'directed' else '−'} {clean(e['to'])}"
        for e in document["edges"]
    )
    head, body = svg[svg.index("<svg") :].split(">", 1)
    start = svg[: svg.index("<svg")]
    title = f"Causal graph of {len(document['columns'])} columns by {method}"
    if not document["complete"]:
        title += f"; {_so_far(document)}"
    return (
        f'{start}{head} role="img" aria-labelledby="graph-title graph-edges">'
        f'\n <title id="graph-title">{escape(title)}</title>'
        f'\n <desc id="graph-edges">{escape(arrows or "no edges")}</desc>{body}'
    )
