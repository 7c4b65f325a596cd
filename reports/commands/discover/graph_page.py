"""The graph of many columns as a page: warnings first, then the graph, its cost, and its edges."""

from typing import Any

from provado.reports.documents.versions import provado_version, versions
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import facts, frame, section
from provado.reports.pages.table import table
from provado.reports.text.formatting import clean

from .graph_picture import drawing
from .graph_words import graph_fields, incomplete, legend, privacy, title, warnings


def page(document: dict[str, Any]) -> str:
    """Return a document of schema ``provado-graph/1`` as a page that needs no other file."""
    said = [*warnings(document), *(text.strip() for text in incomplete(document))]
    notes = [tag("p", clean(text[:1].upper() + text[1:]), class_="warning") for text in said]
    shown = [(name, text) for name, text in graph_fields(document) if text and name != "warning"]
    sections = [
        section("warnings", "Before you read the graph", *notes) if notes else None,
        section("graph", "Graph", _figure(document)),
        section("edges", "Edges", _edges(document)),
        section("cost", "Method and cost", tag("dl", *(_fact(*one) for one in shown))),
        section(
            "versions", "Versions", facts({"Provado": provado_version(), **versions()}.items())
        ),
    ]
    return frame(
        clean(title(document)),
        [one for one in sections if one is not None],
        under_title=tag("p", clean(privacy(document)), class_="under"),
        footer=f"Provado {provado_version()}",
        style=_STYLE,
    )


_STYLE = """
.warning { border-left: 4px solid var(--bad); background: var(--bad-soft); padding: .6rem 1rem; }
#graph figure svg { width: auto; max-width: 100%; margin: .5rem 0; }
"""


def _figure(document: dict[str, Any]) -> Markup:
    said = [title(document), privacy(document)]
    said += ["; ".join(legend(document))] if document["edges"] else []
    if document["plan"] is not None and document["plan"]["redraws"]:
        said.append(
            "The wider and darker a line, the more often the edge comes up when sampling and noise "
            "are drawn again; the darker a head, the surer the direction"
        )
    return tag("figure", drawing(document), tag("figcaption", clean(". ".join(said)), "."))


def _edges(document: dict[str, Any]) -> Markup:
    """Return the table of edges, or that there is none."""
    if not document["edges"]:
        return tag("p", "None: every pair of columns was found independent.")
    redrawn = any(edge["stands"] is not None for edge in document["edges"])
    heads = ("from", "link", "to", *(("stands", "direction") if redrawn else ()))
    rows = []
    for edge in document["edges"]:
        arrow, found = "→" if edge["kind"] == "directed" else "−", edge["stands"]
        shares = [
            "–" if share is None else f"{share:.2f}"
            for share in (found or dict.fromkeys(("edge", "direction"))).values()
        ]
        rows.append((clean(edge["from"]), arrow, clean(edge["to"]), *(shares if redrawn else ())))
    return table("Edges", heads, rows, visible=False)


def _fact(name: str, text: str) -> Markup:
    return tag("div", tag("dt", name), tag("dd", clean(text)))
