"""What an experiment leaves: its numbers as JSON and CSV, its figures as SVG and PNG."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from provado.reports.documents import schema
from provado.reports.documents.versions import provado_version, versions

from .experiment import Experiment
from .findings import Cell, Figure, Findings
from .picture import pictures
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
