"""The page of a run of ``provado reproduce``: what is printed beside what was found."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from provado.reports.commands.reproduce.findings import Comparison, Figure, Table
from provado.reports.commands.reproduce.run import Outcome
from provado.reports.commands.reproduce.words import closing, holds, rows
from provado.reports.documents.versions import provado_version, versions
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import facts, frame, section
from provado.reports.pages.table import table
from provado.reports.text.formatting import clean


def render(outcomes: Sequence[Outcome], drawn: Mapping[str, Mapping[str, str | bytes]]) -> str:
    """Return the page as text; it needs no other file. drawn: files by experiment's name."""
    sections = [section("summary", "Summary", tag("p", closing(tuple(outcomes))))]
    contents = [("Summary", "summary")]
    for outcome in outcomes:
        ident = outcome.experiment.name.replace("/", "-")
        title = f"{outcome.experiment.name}: {outcome.experiment.title}"
        files = drawn.get(outcome.experiment.name, {})
        sections.append(section(ident, clean(title), *_experiment(outcome, files)))
        contents.append((clean(title), ident))
    found = {"Provado": provado_version(), **versions()}
    sections.append(section("versions", "Versions", facts(found.items())))
    return frame(
        "The papers' experiments, run anew",
        sections,
        footer=f"Provado {provado_version()}",
        contents=contents,
    )


def _experiment(outcome: Outcome, files: Mapping[str, str | bytes]) -> list[Markup]:
    own = outcome.experiment
    parts = [tag("p", clean(f"{own.source.words()}."))]
    if outcome.findings is None:
        reasons = [tag("li", clean(reason)) for reason in outcome.reasons]
        return [*parts, tag("p", "Not completed:"), tag("ul", *reasons)]
    parts.append(facts(outcome.findings.settings))
    if outcome.findings.comparisons:
        parts.append(_comparisons(outcome.findings.comparisons))
    for figure in outcome.findings.figures:
        parts.append(_figure(figure, str(files[f"{figure.name}.svg"])))
    return [*parts, *map(_table, outcome.findings.tables)]


def _comparisons(found: Sequence[Comparison]) -> Markup:
    heads = ("printed", "place", "holds?", "found here", "why")
    return table(
        "What is printed beside what was found",
        heads,
        [tuple(map(clean, (c.printed, c.place, holds(c), c.measured, c.why))) for c in found],
    )


def _figure(figure: Figure, svg: str) -> Markup:
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    picture = tag("img", src=f"data:image/svg+xml;base64,{data}", alt=clean(figure.caption))
    return tag("figure", picture, tag("figcaption", clean(figure.caption)))


def _table(one: Table) -> Markup:
    heads = [clean(head) for head in one.head]
    return table(clean(one.caption), heads, [tuple(map(clean, row)) for row in rows(one)])
