"""A command in a process of its own that need not import anything anew."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from provado.reports.cli.main import main


def ended(
    words: list[str], prepare: Callable[[], None], *, closed: bool = False
) -> tuple[int, str]:
    """Run a command in a forked process; return its exit status and standard error.

    prepare: called there first. closed: standard output is not there, as Python then has it. The
    status of what a signal ended is the signal's number below 0.
    """
    pid = os.fork()
    if pid == 0:
        status = 121
        try:
            os.dup2(os.open("../err", os.O_CREAT | os.O_WRONLY | os.O_TRUNC), 2)
            os.dup2(os.open("../out", os.O_CREAT | os.O_WRONLY | os.O_TRUNC), 1)
            prepare()
            sys.stdout = None if closed else os.fdopen(1, "w", closefd=False)
            sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
            try:
                status = main(words)
            except SystemExit as end:
                status = int(end.code or 0)
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()  # As Python does at its end.
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, Path("../err").read_text(encoding="utf-8")
