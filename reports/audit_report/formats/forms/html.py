"""The page."""

from collections.abc import Sequence

from provado.reports.audit_report import page
from provado.reports.audit_report.baseline import Deviation
from provado.reports.tasks.run import Run

FILE = "audit.html"


def render(run: Run, differences: Sequence[Deviation] | None = None) -> str:
    """Return the run as it is, whatever differs from a baseline."""
    del differences
    return page.render(run)
