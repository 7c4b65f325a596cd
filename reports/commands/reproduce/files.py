"""What an experiment leaves: its numbers as JSON and CSV, its figures as SVG and PNG.

The same findings give the same bytes.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from provado.reports.commands.reproduce.experiment import (
    Cell,
    Curve,
    Experiment,
    Figure,
    Findings,
    Panel,
)
from provado.reports.commands.reproduce.run import Outcome
from provado.reports.documents import schema
from provado.reports.documents.versions import library, provado_version, versions

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
        "experiments": [_entry(one, one.findings) for one in outcomes if one.findings is not None],
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
