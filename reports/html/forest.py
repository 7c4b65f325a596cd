"""The forest plot: claimed against certified ε, one strip of inline SVG an audit.

Places along the axis are percentages, so a strip takes any width while text, marks and lines keep
their size. Shape and color both carry the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from provado.audit.result import AuditResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.run.run import Record
from provado.reports.words import sentences
from provado.reports.words.clean import clean
from provado.reports.words.numbers import plain

from .element import Markup, join, tag
from .group import anchor, grouped
from .scale import Scale, scale_of

_HEIGHT, _MIDDLE = 30, 15
_MARKS = {
    "claim": tag("path", d="M0-10V10", class_="claim"),
    "exact": tag("path", d="M0-8.5L8.5 0L0 8.5L-8.5 0Z", class_="exact"),
    Verdict.NO_VIOLATION: tag("circle", r="4.5", class_="ok"),
    Verdict.VIOLATION: tag("path", d="M-5-6.5L7 0L-5 6.5Z", class_="bad"),
    ExactVerdict.PROVED: tag("circle", r="4.5", class_="ok"),
    ExactVerdict.VERIFIED: tag("circle", r="4.5", class_="ok"),
    Verdict.UNKNOWN: tag("path", d="M-4.5-4.5H4.5V4.5H-4.5Z", class_="unknown"),
}
_LEGEND = (
    ("claim", "claimed ε"),
    (Verdict.NO_VIOLATION, "certified ε, within the claim"),
    (Verdict.VIOLATION, "certified ε, above the claim: a violation"),
    (ExactVerdict.PROVED, "smallest ε, computed exactly: the claim is proved"),
    (ExactVerdict.VERIFIED, "smallest ε on the given pairs, computed exactly"),
    ("exact", "true ε of the first pair, where it is known"),
    (Verdict.UNKNOWN, "not completed"),
)


def forest(records: Sequence[Record]) -> Markup:
    """Return the plot of all records, in groups, each row linked to its section."""
    results = [record.result for record in records]
    exact = [r.true_epsilon for r in results if r.true_epsilon is not None]
    claims = [result.epsilon for result in results]
    scale = scale_of([*claims, *exact, *(result.epsilon_lower for result in results)], claims)
    axis = tag("div", tag("span"), _axis(scale), class_="row axis", aria_hidden="true")
    parts: list[Markup] = [_legend(results), axis]
    groups = grouped(records)
    for title, members in groups:
        if len(groups) > 1:
            parts.append(tag("h3", title))
        parts += [_row(i, record.result, scale) for i, record in members]
    parts.append(axis)
    return tag("div", *parts, class_="forest")


def _row(position: int, result: AuditResult, scale: Scale) -> Markup:
    name = tag("a", clean(result.name), href=f"#{anchor(position)}")
    certified = "unknown" if not result.certifies else f"≥ {sentences.lower(result)}"
    said = f"{result.name}: claimed {sentences.claim(result)}, certified ε {certified}"
    if result.true_epsilon is not None:
        said += f", true ε of the first pair {plain(result.true_epsilon)}"
    figures = join(tag("b", certified), f" claim {plain(result.epsilon)}")
    return tag(
        "div",
        tag("span", name, class_="name"),
        tag("span", _strip(result, scale), class_="strip", role="img", aria_label=clean(said)),
        tag("span", figures, class_="figures", aria_hidden="true"),
        class_="row",
    )


def _strip(result: AuditResult, scale: Scale) -> Markup:
    grid = [_line(tick.place, tick.place, "grid") for tick in scale.ticks()]
    claim, lower = scale.place(result.epsilon), scale.place(result.epsilon_lower)
    marks: list[Markup] = []
    if result.certifies:
        over = result.verdict is Verdict.VIOLATION
        marks.append(_line(claim, lower, "excess" if over else "gap"))
    marks.append(_mark("claim", claim))
    if result.true_epsilon is not None:
        marks.append(_mark("exact", scale.place(result.true_epsilon)))
    if result.certifies:
        marks.append(_mark(result.verdict, lower))
    else:
        marks.append(_mark(Verdict.UNKNOWN, scale.place(0)))
    return tag("svg", *grid, *marks, width="100%", height=_HEIGHT)


def _mark(kind: str, place: float) -> Markup:
    return tag("svg", _MARKS[kind], x=f"{place:.2f}%", y=_MIDDLE, overflow="visible")


def _line(start: float, end: float, kind: str) -> Markup:
    top, bottom = (0, _HEIGHT) if kind == "grid" else (_MIDDLE, _MIDDLE)
    return tag("line", class_=kind, x1=f"{start:.2f}%", x2=f"{end:.2f}%", y1=top, y2=bottom)


def _axis(scale: Scale) -> Markup:
    labels = [
        tag("text", tick.label, x=f"{tick.place:.2f}%", y=14, text_anchor="middle")
        for tick in scale.ticks()
    ]
    return tag("span", tag("svg", *labels, width="100%", height=20), class_="strip")


def _legend(results: Sequence[AuditResult]) -> Markup:
    shown: set[str] = {"claim"}
    shown |= {result.verdict for result in results if result.certifies}
    shown |= {Verdict.UNKNOWN for result in results if not result.certifies}
    shown |= {"exact" for result in results if result.true_epsilon is not None}
    entries = [
        tag("li", tag("svg", _mark(kind, 50), width=24, height=_HEIGHT), text)
        for kind, text in _LEGEND
        if kind in shown
    ]
    return tag("ul", *entries, class_="legend")
