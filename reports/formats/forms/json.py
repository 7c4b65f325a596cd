"""The document that ``provado report`` reads again."""

from __future__ import annotations

from collections.abc import Sequence

from provado.reports.baseline import Difference
from provado.reports.data import schema
from provado.reports.data.to_json import run_to_json
from provado.reports.run.run import Run

FILE = "audit.json"


def render(run: Run, differences: Sequence[Difference] | None = None) -> str:
    """Return the run as it is, whatever differs from a baseline."""
    del differences
    return schema.dumps(run_to_json(run))
