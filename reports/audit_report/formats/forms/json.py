"""The document that ``provado report`` reads again."""

from collections.abc import Sequence

from provado.reports.audit_report.baseline import Deviation
from provado.reports.audit_report.document import run_to_json
from provado.reports.documents import schema
from provado.reports.tasks.run import Run

FILE = "audit.json"


def render(run: Run, differences: Sequence[Deviation] | None = None) -> str:
    """Return the run as it is, whatever differs from a baseline."""
    del differences
    return schema.dumps(run_to_json(run))
