"""The forest plot: claimed against certified ε, one strip of inline SVG an audit.

Places along the axis are percentages, so a strip takes any width while text, marks and lines keep
their size. Shape and color both carry the verdict.
"""

from collections.abc import Sequence

from provado.audit.result import AuditResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.pages.element import Markup, join, tag
from provado.reports.pages.figures.figure import Scale, axis_row, grid, scale_of
from provado.reports.text import sentences
from provado.reports.text.formatting import clean, plain

from .items import Item, grouped

HEIGHT, _MIDDLE = 30, 15
_SHAPES = {
    "exact": tag("path", d="M0-8.5L8.5 0L0 8.5L-8.5 0Z", class_="exact"),
    Verdict.VIOLATION: tag("path", d="M-5-6.5L7 0L-5 6.5Z", class_="bad"),
    Verdict.UNKNOWN: tag("path", d="M-4.5-4.5H4.5V4.5H-4.5Z", class_="unknown"),
}
"""Around a mark's place. The claim is a line, and all other marks are circles."""
_LEGEND = (
    ("claim", "claimed ε"),
    (Verdict.NO_VIOLATION, "certified ε, within the claim"),
    (Verdict.VIOLATION, "certified ε, above the claim: a violation"),
    (ExactVerdict.PROVED, "smallest ε, computed exactly: the claim is proved"),
    (ExactVerdict.VERIFIED, "smallest ε on the given pairs, computed exactly"),
    ("exact", "true ε of the pair that is shown, where it is known"),
    (Verdict.UNKNOWN, "not completed"),
)


def forest(items: Sequence[Item]) -> Markup:
    """Return the plot of these audits, in groups, each row linked to its section."""
    results = [item.result for item in items]
    exact = [true for result in results if (true := true_of_shown(result)) is not None]
    claims = [result.epsilon for result in results]
    scale = scale_of([*claims, *exact, *(result.epsilon_lower for result in results)], claims)
    groups = grouped(items)
    parts = [
        tag(
            "div",
            tag("h4", title) if len(groups) > 1 else None,
            *(_row(item, scale) for item in members),
            data_block=True,
        )
        for title, members in groups
    ]
    axis = axis_row(scale.ticks(), "ε")
    return tag("div", _legend(results), axis, *parts, class_="forest", style=grid(scale.ticks()))


def true_of_shown(result: AuditResult) -> float | None:
    """Return the true ε of the pair whose certified ε is shown; ``None`` where it is not known.

    An entry knows that of its first pair; another may need more.
    """
    best = result.best
    return result.true_epsilon if best is None or best.index == 0 else None


def _row(item: Item, scale: Scale) -> Markup:
    result, true = item.result, true_of_shown(item.result)
    name = tag("a", clean(result.name), href=f"#{item.anchor}")
    certified = "unknown" if not result.certifies else f"≥ {sentences.lower(result)}"
    said = f"{result.name}: claimed {sentences.claim(result)}, certified ε {certified}"
    if true is not None:
        said += f", true ε {plain(true)}"
    figures = join(tag("b", certified), f" claim {plain(result.epsilon)}")
    return tag(
        "div",
        tag("span", name, class_="name"),
        tag(
            "span", _strip(result, true, scale), class_="strip", role="img", aria_label=clean(said)
        ),
        tag("span", figures, class_="figures", aria_hidden="true"),
        class_="row",
        data_item=item.anchor,
    )


def _strip(result: AuditResult, true: float | None, scale: Scale) -> Markup:
    claim, lower = scale.place(result.epsilon), scale.place(result.epsilon_lower)
    marks: list[Markup] = []
    if result.certifies:
        over = result.verdict is Verdict.VIOLATION
        marks.append(_line(claim, lower, "excess" if over else "gap"))
    marks.append(_mark("claim", claim))
    if true is not None:
        marks.append(_mark("exact", scale.place(true)))
    if result.certifies:
        marks.append(_mark(result.verdict, lower))
    else:
        marks.append(_mark(Verdict.UNKNOWN, scale.place(0)))
    return tag("svg", *marks, width="100%", height=HEIGHT)


def _mark(kind: str, place: float) -> Markup:
    at = f"{place:.2f}%"
    if kind == "claim":
        return tag("line", x1=at, x2=at, y1=_MIDDLE - 10, y2=_MIDDLE + 10, class_="claim")
    if kind in _SHAPES:
        return tag("svg", _SHAPES[kind], x=at, y=_MIDDLE, overflow="visible")
    return tag("circle", cx=at, cy=_MIDDLE, r=4.5, class_="ok")


def _line(start: float, end: float, kind: str) -> Markup:
    return tag("line", class_=kind, x1=f"{start:.2f}%", x2=f"{end:.2f}%", y1=_MIDDLE, y2=_MIDDLE)


def _legend(results: Sequence[AuditResult]) -> Markup:
    shown: set[str] = {"claim"}
    shown |= {result.verdict for result in results if result.certifies}
    shown |= {Verdict.UNKNOWN for result in results if not result.certifies}
    shown |= {"exact" for result in results if true_of_shown(result) is not None}
    entries = [
        tag("li", tag("svg", _mark(kind, 50), width=24, height=HEIGHT), text)
        for kind, text in _LEGEND
        if kind in shown
    ]
    return tag("ul", *entries, class_="legend")
