"""The graph of a structural equation model as an SVG drawing, in a string."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from provado.proofs.causal.model import Model

_ACROSS, _DOWN, _RADIUS, _MARGIN = 110, 64, 22, 36


def svg(model: Model, labels: Mapping[tuple[str, str], str] | None = None) -> str:
    """Return the causal graph as SVG: causes at the left, background variables dashed.

    labels: words beside some arrows, by (parent, child), for example ``{("D1", "O"): "ε"}``.
    """
    depth = _depths(model)
    columns: dict[int, list[str]] = {}
    for name in (*model.background, *(n for n in model.nodes)):
        columns.setdefault(depth[name], []).append(name)
    tallest = max(len(column) for column in columns.values())
    place = {
        name: (
            _MARGIN + _ACROSS * level,
            _MARGIN + _DOWN * (row + (tallest - len(column)) / 2),
        )
        for level, column in columns.items()
        for row, name in enumerate(column)
    }
    width = 2 * _MARGIN + _ACROSS * max(columns)
    height = 2 * _MARGIN + _DOWN * (tallest - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="13">',
        f"<title>{escape('Causal graph of ' + ', '.join(place))}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
    ]
    for edge in model.edges():
        parts.append(_arrow(place[edge[0]], place[edge[1]], (labels or {}).get(edge, "")))
    for name, (x, y) in place.items():
        dash = ' stroke-dasharray="4 3"' if name in model.background else ""
        parts.append(
            f'<circle cx="{x}" cy="{y:g}" r="{_RADIUS}" fill="white" stroke="black"{dash}/>'
            f'<text x="{x}" y="{y + 4:g}" text-anchor="middle">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>"])


def _depths(model: Model) -> dict[str, int]:
    """Return the length of the longest path that leads to each variable."""
    depth = dict.fromkeys(model.background, 0)
    waiting = list(model.nodes)
    while waiting:
        for name in waiting:
            parents = model.nodes[name].parents
            if all(parent in depth for parent in parents):
                depth[name] = 1 + max((depth[parent] for parent in parents), default=-1)
        waiting = [name for name in waiting if name not in depth]
    return depth


def _arrow(start: tuple[float, float], end: tuple[float, float], label: str) -> str:
    (x, y), (u, v) = start, end
    length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    cut = _RADIUS / length
    a, b, c, d = x + (u - x) * cut, y + (v - y) * cut, u - (u - x) * cut, v - (v - y) * cut
    line = (
        f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" '
        'stroke="black" marker-end="url(#tip)"/>'
    )
    if label:
        line += f'<text x="{(a + c) / 2:.1f}" y="{(b + d) / 2 - 4:.1f}">{escape(label)}</text>'
    return line
