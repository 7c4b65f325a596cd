"""One entry for all formats: a run in, text out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from provado.reports.baseline import Difference
from provado.reports.data.write import write_files
from provado.reports.run.run import Run

from .choice import FORMATS, checked_format, module_of

Differences = Sequence[Difference] | None


def render(run: Run, format: str, differences: Differences = None) -> str:
    """Return a run in one of ``FORMATS``; raises ``UsageError`` for another.

    differences: what differs from the baseline, where the run was compared with one. It then
    decides what fails, and what it records is no surprise; JSON and HTML stay as they are.
    """
    write: Callable[[Run, Differences], str] = module_of(checked_format(format)).render
    return write(run, differences)


def write_formats(
    run: Run, formats: Sequence[str], folder: Path, differences: Differences = None
) -> tuple[Path, ...]:
    """Write a run in each format into ``folder`` under the names of ``FORMATS``; return them."""
    contents = {FORMATS[checked_format(one)]: render(run, one, differences) for one in formats}
    write_files(folder, contents)
    return tuple(folder / name for name in contents)
