"""Puts the page together: summary, plot, one section an audit, methods, versions."""

from __future__ import annotations

from importlib import resources
from string import Template

from provado.mechanisms import Verdict
from provado.reports.html.element import Markup, join, tag
from provado.reports.html.forest import forest
from provado.reports.html.group import grouped
from provado.reports.html.section import section
from provado.reports.html.summary import summary
from provado.reports.run import Run

_UNFOLDED = 4
"""Reports of more audits than this open only what needs attention."""


def render(run: Run) -> str:
    """Return the page as text. It needs no network, no script and no other file."""
    return Template(_piece("page.html")).substitute(
        style=_piece("style.css"),
        title=_title(run),
        summary=summary(run),
        forest=forest(run.records),
        sections=_sections(run),
        methods=_piece("methods.html"),
        versions=_versions(run),
        provado=tag("span", f"Provado {run.provado}"),
    )


def _title(run: Run) -> Markup:
    if len(run.records) == 1:
        return join(f"Privacy audit of {run.records[0].result.name}")
    return join(f"Privacy audit of {len(run.records)} mechanisms")


def _sections(run: Run) -> Markup:
    parts: list[Markup] = []
    groups = grouped(run.records)
    for title, members in groups:
        if len(groups) > 1:
            parts.append(tag("h3", title, class_="group"))
        for position, record in members:
            result = record.result
            calm = not result.surprising and result.verdict is not Verdict.UNKNOWN
            folded = calm and len(run.records) > _UNFOLDED
            parts.append(section(position, record, folded=folded))
    return join(*parts)


def _versions(run: Run) -> Markup:
    named = {"Provado": run.provado, **run.versions}
    entries = [tag("div", tag("dt", name), tag("dd", number)) for name, number in named.items()]
    return tag("dl", *entries, class_="versions")


def _piece(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
