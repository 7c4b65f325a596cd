"""Outcomes for people: on a terminal, on the page of a run, and as Markdown, one page a paper.

What an experiment leaves are its numbers as JSON and CSV and its figures as SVG and PNG. The same
findings give the same bytes.
"""

import base64
import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from provado.reports.documents import schema
from provado.reports.documents.origin import Provenance, library, provado_version, versions
from provado.reports.pages.frame import Part, filled, macros, page
from provado.reports.pages.markup import tag
from provado.reports.text.formatting import aligned, clean, plain

from .experiment import Cell, Curve, Experiment, Figure, Findings, Panel, PaperClaim, PaperTable
from .run import Outcome

NUMBERS = "numbers.json"


def files_of(outcome: Outcome, findings: Findings) -> dict[str, str | bytes]:
    """Return the files of one experiment, by name."""
    files: dict[str, str | bytes] = {NUMBERS: schema.dumps(document([outcome]))}
    for table in findings.tables:
        files[f"{table.name}.csv"] = _csv(table.head, table.rows)
    for figure in findings.figures:
        files[f"{figure.name}.csv"] = _csv(_POINTS, tuple(_points(figure)))
        svg, png = pictures(figure)
        files |= {f"{figure.name}.svg": svg, f"{figure.name}.png": png}
    return files


def places(experiment: Experiment, folder: Path) -> Path:
    """Return the file by which one sees that an experiment was run."""
    return folder / experiment.name / NUMBERS


def document(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return experiments that were completed as data; see the schema ``provado-reproduce/2``."""
    return {
        "schema": schema.REPRODUCE,
        "experiments": [
            _entry(outcome, outcome.findings)
            for outcome in outcomes
            if outcome.findings is not None
        ],
        "provado": provado_version(),
        "versions": versions(),
    }


def _entry(outcome: Outcome, findings: Findings) -> dict[str, Any]:
    own = outcome.experiment
    return {
        "experiment": own.name,
        "title": own.title,
        "source": {"work": own.source.work, "place": own.source.place},
        "setting": schema.plain(outcome.setting),
        "timed": own.timed,
        "settings": dict(findings.settings),
        "comparisons": schema.plain(findings.comparisons),
        "tables": schema.plain(findings.tables),
        "figures": schema.plain(findings.figures),
        "parts": [
            {
                "part": part.key,
                "arguments": dict(part.arguments),
                "result": outcome.results[part.key],
            }
            for part in outcome.parts
        ],
    }


_POINTS = ("panel", "curve", "x", "y", "spread")


def _points(figure: Figure) -> Iterator[tuple[Cell, ...]]:
    for panel in figure.panels:
        for curve in panel.curves:
            spread: Sequence[float | None] = curve.spread or [None] * len(curve.x)
            for x, y, s in zip(curve.x, curve.y, spread, strict=True):
                yield panel.title, curve.label, x, y, s
        for label, level in panel.levels:
            yield panel.title, label, None, level, None


def _csv(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return text.getvalue()


_COLORS = ("#2f6f9f", "#c2571a", "#3c7d3c", "#7d4a9c", "#8a6d00", "#5b6b7a", "#a33b55")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")

PIXELS = 110
"""Of a PNG, to an inch."""


def pictures(figure: Figure) -> tuple[str, bytes]:
    """Return a figure as the text of an SVG and the bytes of a PNG.

    Raises ``UsageError`` where matplotlib is not installed.
    """
    matplotlib, figures = library("matplotlib"), library("matplotlib.figure")
    # Text stays text, and no date or random identifier makes two pictures of one run differ.
    settings = {
        "svg.hashsalt": "provado",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    columns = min(figure.columns, len(figure.panels))
    rows = math.ceil(len(figure.panels) / columns)
    with matplotlib.rc_context(settings):
        drawn = figures.Figure(
            figsize=(3.6 * columns + 0.3, 2.4 * rows + 0.7), layout="constrained"
        )
        grid = drawn.subplots(rows, columns, squeeze=False)
        labels: dict[str, Any] = {}
        for i, panel in enumerate(figure.panels):
            labels |= _draw(grid[i // columns][i % columns], panel)
        for i in range(len(figure.panels), rows * columns):
            grid[i // columns][i % columns].set_axis_off()
        if len(labels) > 1 or any(len(p.curves) > 1 for p in figure.panels):
            drawn.legend(
                labels.values(),
                labels.keys(),
                loc="outside upper center",
                ncols=min(4, len(labels)),
                frameon=False,
            )
        svg, png = io.StringIO(), io.BytesIO()
        drawn.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        drawn.savefig(png, format="png", dpi=PIXELS, metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def _draw(axes: Any, panel: Panel) -> dict[str, Any]:
    """Draw a panel and return its handles by label."""
    handles: dict[str, Any] = {}
    for curve in panel.curves:
        handles[curve.label] = _curve(axes, curve)
    for label, level in panel.levels:
        handles[label] = axes.axhline(level, color="#1b2a38", linewidth=0.8, linestyle=":")
    if panel.log_x:
        axes.set_xscale("log")
        axes.minorticks_off()
    if panel.limits is not None:
        axes.set_ylim(*panel.limits)
    axes.set_title(panel.title, fontsize=8, parse_math=False)
    axes.set_xlabel(panel.x, parse_math=False)
    axes.set_ylabel(panel.y, parse_math=False)
    axes.grid(alpha=0.25)
    return handles


def _curve(axes: Any, curve: Curve) -> Any:
    color = _COLORS[curve.color % len(_COLORS)]
    style = ":" if curve.printed else "--" if curve.dashed else "-"
    mark = _MARKS[curve.color % len(_MARKS)] if len(curve.x) <= 12 and not curve.printed else None
    if curve.spread:
        low = [y - s for y, s in zip(curve.y, curve.spread, strict=True)]
        high = [y + s for y, s in zip(curve.y, curve.spread, strict=True)]
        axes.fill_between(curve.x, low, high, color=color, alpha=0.12, linewidth=0)
    (line,) = axes.plot(
        curve.x, curve.y, color=color, linestyle=style, linewidth=1.1, marker=mark, markersize=3
    )
    return line


_HOLDS = {True: "holds here", False: "not here", None: "not decided"}


def cell(value: Cell, digits: int) -> str:
    """Return a cell as it is shown; a whole number whole, nothing as a dash."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return plain(value, digits)
    return f"{value:,}" if isinstance(value, int) else value


def holds(comparison: PaperClaim) -> str:
    """Return whether what is printed was found here too, in a word."""
    return comparison.verdict or _HOLDS[comparison.holds]


def rows(table: PaperTable) -> list[tuple[str, ...]]:
    """Return the rows of a table as text, without its head."""
    return [tuple(cell(value, table.digits) for value in row) for row in table.rows]


def text(outcome: Outcome) -> str:
    """Return an experiment for a terminal: its tables and comparisons."""
    own = outcome.experiment
    lines = [f"{own.name}: {own.title}", f"  {own.source.words()}"]
    if outcome.findings is None:
        reasons = (f"  not completed: {reason}" for reason in outcome.reasons[:5])
        return "\n".join([*lines, *reasons])
    lines += [f"  {name}: {value}" for name, value in outcome.findings.settings]
    for table in outcome.findings.tables:
        lines += ["", f"  {table.caption}"]
        right = range(1, len(table.head))
        lines += [f"    {line}" for line in aligned([table.head, *rows(table)], right)]
    for c in outcome.findings.comparisons:
        lines += ["", f"  {c.place}: {c.printed}", f"    {holds(c)}: {c.measured}"]
        lines += [f"    {c.why}"] if c.why else []
    return "\n".join(lines)


def closing(outcomes: tuple[Outcome, ...]) -> str:
    """Return the run in one line."""
    paper_claims = [c for o in outcomes if o.findings is not None for c in o.findings.comparisons]
    counts = {word: sum(c.holds is is_so for c in paper_claims) for is_so, word in _HOLDS.items()}
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    broken = [o.experiment.name for o in outcomes if o.findings is None]
    end = f"; not completed: {', '.join(broken)}" if broken else ""
    return f"{len(paper_claims)} printed statements compared: {', '.join(parts) or 'none'}{end}."


# The page of a run.


def render(
    outcomes: Sequence[Outcome],
    drawn: Mapping[str, Mapping[str, str | bytes]],
    made: Provenance | None = None,
) -> str:
    """Return the page as text; it needs no other file. drawn: files by experiment's name."""
    template = macros("commands/reproduce/page.html", holds=holds, rows=rows)
    parts: list[Part] = [("summary", "Summary", [tag("p", closing(tuple(outcomes)))])]
    for outcome in outcomes:
        own = outcome.experiment
        pictures = {
            name.removesuffix(".svg"): base64.b64encode(str(svg).encode()).decode("ascii")
            for name, svg in drawn.get(own.name, {}).items()
            if name.endswith(".svg")
        }
        title, shown = clean(f"{own.name}: {own.title}"), template.experiment(outcome, pictures)
        parts.append((own.name.replace("/", "-"), title, [shown]))
    return page("The papers' experiments, run anew", parts, made=made)


# Markdown, for a documentation.


def markdown(outcomes: Sequence[Outcome]) -> dict[str, str | bytes]:
    """Return a Markdown page a paper, and the figures beside it, by file name: no time, no version.

    What depends on more than the seed, processor times, is left out and named; so is what was not
    completed.
    """
    files: dict[str, str | bytes] = {}
    for paper, group in groupby(outcomes, key=lambda item: item.experiment.name.partition("/")[0]):
        own, setting = tuple(group), outcomes[0].setting
        shown = [(o, o.findings) for o in own if o.findings is not None and not o.experiment.timed]
        files[f"{paper}.md"] = filled(
            "commands/reproduce/paper.md",
            command=f"provado reproduce {paper} --seed {setting.seed}{' --quick' * setting.quick}",
            left_out=[o.experiment.name for o in own if o.findings is None or o.experiment.timed],
            outcomes=own,
            shown=shown,
            md=escaped,
            rows=rows,
            settings=lambda found: "; ".join(f"{name}: {value}" for name, value in found.settings),
            statements=lambda found: [
                (c.printed, c.place, f"{c.measured} {c.why}".strip(), holds(c))
                for c in found.comparisons
            ],
            picture=_picture,
            table=_markdown_table,
        )
        for outcome, findings in shown:
            for name, content in files_of(outcome, findings).items():
                if name.endswith(".svg"):
                    files[_picture(outcome, name)] = content
    return files


def _picture(outcome: Outcome, name: str) -> str:
    return f"{outcome.experiment.name.replace('/', '-')}-{name}"


def _markdown_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    shown = [f"| {' | '.join(map(escaped, line))} |" for line in (head, *lines)]
    return "\n".join([shown[0], "|" + " --- |" * len(head), *shown[1:]])


def escaped(text: str) -> str:
    """Return text with the signs that Markdown reads as its own made harmless."""
    kept = " ".join(text.split()).replace("\\", "\\\\")
    for sign in "*_`<[#":
        kept = kept.replace(sign, f"\\{sign}")
    return kept.replace("|", "&#124;")
