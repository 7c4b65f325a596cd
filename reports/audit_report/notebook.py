"""How results show themselves: in a line, in a notebook, as a picture, as a page; and a bar."""

import base64
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from provado.audit.options.declaration import TIME_LIMIT
from provado.audit.result import AuditResult
from provado.audit.workers.progress import Progress
from provado.reports.documents.origin import provado_version, provenance, versions
from provado.reports.documents.write import write_all
from provado.reports.pages.figures.figure import HEIGHT, WIDTH
from provado.reports.pages.figures.pair_figures import growth, sizes, tradeoff
from provado.reports.pages.frame import macros, piece
from provado.reports.pages.markup import Markup, tag
from provado.reports.tasks.progress import Bar, line
from provado.reports.tasks.run import Record, Run, Settings
from provado.reports.text import power, sentences
from provado.reports.text.formatting import clean
from provado.reports.text.redact import redact as redacted
from provado.reports.text.terminal import forecast_line

from .page.page import render

_TITLE, _GAP = 24, 30

_COLORS = {"bad": "#b3261e", "ok": "#1d6b43", "unknown": "#7a5b00"}
"""Of a verdict; each can be read on white and, on its own light ground, on black."""


@dataclass(frozen=True)
class Picture:
    """A picture that a notebook shows. svg: its text; said: what it shows, in words."""

    svg: str
    said: str

    def _repr_html_(self) -> str:
        # An image keeps its style to itself, and the notebook's away.
        data = base64.b64encode(self.svg.encode("utf-8")).decode("ascii")
        source = f"data:image/svg+xml;base64,{data}"
        return tag("img", src=source, alt=self.said, style="max-width:100%")

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the picture as SVG."""
        write_all({Path(file): self.svg})


def _template() -> Any:
    return macros("audit_report/notebook.html")


def text(result: AuditResult) -> str:
    """Return a result in one line."""
    said = [*(one.rstrip(".") for one in result.limitations), sentences.headline(result)]
    if result.one_run is not None and result.certifies:
        said.append(power.one_run_summary(result.one_run))
    return clean(f"{result.name}: {'; '.join(said)}")


def html(result: AuditResult) -> str:
    """Return a result for a notebook: verdict, bound, the finding in words, and the picture."""
    color, bounds = _COLORS[sentences.KINDS[result.verdict]], ", ".join(sentences.bounds(result))
    shown = Markup(plot(result)._repr_html_()) if result.explained_pair is not None else ""
    said = sentences.finding(result)
    return str(_template().result(result.name, result.verdict, color, bounds, said, shown))


def plot(result: AuditResult) -> Picture:
    """Return the errors of the rule, the effect sizes and the growth of the bound as a picture."""
    pair = result.explained_pair
    drawn = [draw(result, pair, 4) for draw in (tradeoff, sizes, growth)] if pair else []
    parts, said, across = [], [], 0
    for figure in filter(None, drawn):
        # The page's figure, of which the image takes the title and the drawing.
        element = ElementTree.fromstring(figure)
        title, inner = element.find("h4"), element.find("svg")
        assert title is not None
        assert inner is not None
        name = "".join(title.itertext())
        inner.attrib |= {"x": f"{across}", "y": f"{_TITLE}"}
        inner.attrib |= {"width": f"{WIDTH}", "height": f"{HEIGHT}"}
        parts += [
            tag("text", name, x=across + 10, y=14, style="font-weight:600;fill:var(--ink)"),
            Markup(ElementTree.tostring(inner, encoding="unicode")),
        ]
        said.append(inner.attrib.get("aria-label", name))
        across += WIDTH + _GAP
    if not parts:
        none = "guesses of few runs have no picture" if result.one_run else "nothing was drawn"
        parts, said, across = [tag("text", none, x=10, y=14)], [none], WIDTH
    style = Markup(piece("style.css").replace("<", "&lt;"))
    whole = str(_template().picture(parts, style, across, HEIGHT + _TITLE))
    return Picture(whole, " ".join(said))


class Page(str):
    """The text of a page, which a notebook shows as the page."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # A frame keeps the style of the page to itself, and its scripts away from the notebook.
        wide = "width:100%;height:40em;border:1px solid"
        return tag("iframe", srcdoc=str(self), sandbox="allow-scripts", style=wide)


def page(result: AuditResult, file: str | os.PathLike[str] | None, *, redact: bool) -> Page:
    """Return the page of one audit, and write it where a file is given."""
    settings = Settings(result.replay_samples, None, result.confidence, result.seed, TIME_LIMIT)
    settings = replace(settings, redact=redact)
    record = Record(redacted(result) if redact else result, (), settings)
    made = render(Run(provado_version(), versions(), settings, (record,), provenance()))
    if file is not None:
        write_all({Path(file): made})
    return Page(made)


def bar(name: str) -> Callable[[Progress], None]:
    """Return what shows how far an audit has come, on a terminal or in a notebook."""
    shell = sys.modules.get("IPython")
    kernel = shell.get_ipython() if shell is not None else None
    return _NotebookBar(name) if hasattr(kernel, "kernel") else Bar(name)


class _NotebookBar:
    """A bar of the notebook's own, replaced by each message."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._handle: Any = None

    def __call__(self, message: Progress) -> None:
        """Show a message."""
        from IPython import display

        if message.forecast is not None:
            sentence = clean(forecast_line(self._name, message.forecast))
            display.display(display.HTML(tag("p", sentence)))
            return
        share = {"value": str(message.made), "max": str(max(message.planned, 1))}
        shown = display.HTML(
            tag("p", tag("progress", **share), " ", clean(line(self._name, message)))
        )
        if self._handle is None:
            self._handle = display.display(shown, display_id=True)
        else:
            self._handle.update(shown)
