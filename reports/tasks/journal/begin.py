"""Opens the journal of a run, where it has one, and says what it brings."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from provado.reports.tasks.run_tasks import Planned
from provado.reports.text.formatting import clean

from .file import Journal
from .identity import identity


@contextlib.contextmanager
def open_journal(
    file: Path | None, planned: Sequence[Planned], *, resume: bool
) -> Iterator[Journal | None]:
    """Yield the journal; on standard error it is said what is gone on with.

    Raises ``UsageError`` as ``Journal``.
    """
    if file is None:
        yield None
        return
    there = [identity(one.job, one.settings) for one in planned]
    with Journal(file, there, resume=resume) as journal:
        if resume:
            how = "going on with" if journal.resumed else "nothing to go on with in"
            sys.stderr.write(f"{how} {clean(str(file))}\n")
        yield journal
