"""One entry for all formats: a run in, text out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from provado.reports.audit_report.baseline import Difference
from provado.reports.tasks.run import Run

from .choice import checked_format, module_of

Differences = Sequence[Difference] | None


def render(run: Run, format: str, differences: Differences = None) -> str:
    """Return a run in one of ``FORMATS``; raises ``UsageError`` for another.

    differences: what differs from the baseline, where the run was compared with one. It then
    decides what fails, and what it records is no surprise; JSON and HTML stay as they are.
    """
    write: Callable[[Run, Differences], str] = module_of(checked_format(format)).render
    return write(run, differences)
