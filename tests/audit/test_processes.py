from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provado.audit.workers import Broken, run_in_processes
from provado.mechanisms import UsageError


def fail(message: str = "") -> None:
    raise ValueError(message)


def refuse() -> None:
    raise UsageError("epsilon is -1: it must be above 0")


def sleep_then(seconds: float, value: Any) -> Any:
    time.sleep(seconds)
    return value


def test_values_come_back_in_the_order_of_the_work() -> None:
    work = [lambda i=i: sleep_then(0.2 - 0.05 * i, i) for i in range(4)]
    finished: list[int] = []
    assert run_in_processes(work, processes=4, time_limit=30, finished=finished.append) == [
        0,
        1,
        2,
        3,
    ]
    assert sorted(finished) == [0, 1, 2, 3]


def test_no_work_is_done_at_once() -> None:
    assert run_in_processes([], processes=2, time_limit=1) == []


def test_what_breaks_says_why_and_leaves_the_others_alone() -> None:
    work = [
        lambda: "fine",
        lambda: fail("two\nlines"),
        lambda: fail(),
        lambda: os._exit(3),
        lambda: os._exit(0),
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        lambda: sys.exit("left"),
        lambda: lambda: "cannot be sent",
        lambda: "fine too",
    ]
    found = run_in_processes(work, processes=3, time_limit=30)
    assert found[0] == "fine"
    assert found[-1] == "fine too"
    reasons = [one.reason if isinstance(one, Broken) else None for one in found[1:-1]]
    assert reasons[:6] == [
        "ValueError: two lines",
        "ValueError",
        "its process ended with status 3 and no answer",
        "its process ended with status 0 and no answer",
        "its process was killed by SIGKILL",
        "SystemExit: left",
    ]
    assert "local object" in str(reasons[6])


def test_what_hangs_is_killed_with_its_children(
    stopped: Callable[[Callable[[], bool]], None],
) -> None:
    read, write = os.pipe()
    finished: list[int] = []

    def hang() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            os.write(write, f"{os.getpid()}\n".encode())
        while True:
            signal.pause()

    # The time is over once the other one has answered and there is a child to be killed.
    stopped(lambda: finished == [1] and select.select([read], [], [], 0)[0] != [])
    found = run_in_processes(
        [hang, lambda: 1], processes=2, time_limit=0.5, finished=finished.append
    )
    assert found == [Broken("no answer within 0.5 seconds"), 1]
    os.close(write)
    child = int(os.read(read, 20))
    os.close(read)
    assert ended(child)


def ended(pid: int) -> bool:
    """Wait for the end of a process, which would go on for ever if nobody killed it."""
    for _ in range(1200):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_wrong_usage_ends_all_work() -> None:
    read, write = os.pipe()

    def hang() -> None:
        os.write(write, f"{os.getpid()}\n".encode())
        while True:
            signal.pause()

    def refuse_then() -> None:
        # Not before the other one runs.
        select.select([read], [], [])
        refuse()

    with pytest.raises(UsageError, match="epsilon is -1"):
        run_in_processes([refuse_then, hang], processes=2, time_limit=600)
    assert ended(int(os.read(read, 20)))
    os.close(read)
    os.close(write)
