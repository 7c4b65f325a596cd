"""Processes that are not forked: where a fork is not safe, work is sent to new ones by value."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from provado.audit import AuditResult, audit, audit_one_run, replay
from provado.audit.workers import Broken, can_isolate, run_in_processes
from provado.audit.workers.start import start_method
from provado.mechanisms import UsageError, Verdict

PAIR = ([0, 1], [0, 2])


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start new processes in this test."""
    monkeypatch.setenv("PROVADO_START", "spawn")


def noisy(data: list[int], size: int, rng: np.random.Generator) -> Any:
    return sum(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)


def with_a_generator_of_its_own() -> Callable[[list[int]], int]:
    own = np.random.default_rng(7)
    return lambda data: int(sum(data) + own.geometric(0.5) - own.geometric(0.5))


def audited(mechanism: Any, **given: Any) -> AuditResult:
    return audit(mechanism, **{"epsilon": 1, "pair": PAIR, "samples": 4000, "name": "f", **given})


def test_values_and_reasons_come_back(spawned: None) -> None:
    lock = threading.Lock()

    def fail() -> None:
        raise ValueError("two\nlines")

    work = [lambda: 1, fail, lambda: os._exit(3), lambda: lock, lambda: os.getpid()]
    found = run_in_processes(work, processes=2, time_limit=600)
    assert found[:3] == [1, Broken("ValueError: two lines"), found[2]]
    assert found[2] == Broken("its process ended with status 3 and no answer")
    assert isinstance(found[3], Broken)
    assert found[3].reason.startswith("it cannot be sent to another process (TypeError: ")
    assert found[4] != os.getpid()


def test_what_cannot_be_imported_there_is_named(spawned: None) -> None:
    here_only = ModuleType("here_only")
    exec("def answer():\n    return 1", vars(here_only))
    sys.modules["here_only"] = here_only
    try:
        (found,) = run_in_processes([here_only.answer], processes=1, time_limit=600)
    finally:
        del sys.modules["here_only"]
    assert found == Broken("ModuleNotFoundError: No module named 'here_only'")


@pytest.fixture
def slowly_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A mechanism of a module that takes three seconds to be imported, in new processes alone."""
    (tmp_path / "slowly_imported.py").write_text(
        "import os, time\n"
        "time.sleep(3 if os.getpid() != " + str(os.getpid()) + " else 0)\n"
        "def noisy(data, size, rng):\n"
        "    return sum(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("slowly_imported").noisy
    del sys.modules["slowly_imported"]


def test_what_takes_long_to_import_is_not_held_to_the_limit_of_its_work(
    spawned: None, slowly_imported: Any
) -> None:
    work = partial(slowly_imported, [0, 1], 1, np.random.default_rng(0))
    (found,) = run_in_processes([work], processes=1, time_limit=2.0)
    assert not isinstance(found, Broken)


def test_workers_that_take_long_to_begin_do_not_hang(
    spawned: None, slowly_imported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provado.audit.workers.time_limits.STALL_SECONDS", 2.0)
    result = audited(slowly_imported, jobs=2, isolate=False)
    assert (result.verdict, result.reason) == (Verdict.NO_VIOLATION, "")


def test_work_that_never_begins_is_broken(
    spawned: None, slowly_imported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provado.audit.workers.child.BEGINS", 0.1)
    work = partial(slowly_imported, [0, 1], 1, np.random.default_rng(0))
    assert run_in_processes([work], processes=1, time_limit=0.1) == [
        Broken("no answer within 0.1 seconds")
    ]


def test_usage_errors_are_the_callers(spawned: None) -> None:
    def refuse() -> None:
        raise UsageError("epsilon is -1: it must be above 0")

    with pytest.raises(UsageError, match="epsilon is -1"):
        run_in_processes([refuse], processes=1, time_limit=600)


@pytest.mark.parametrize("mechanism", [noisy, with_a_generator_of_its_own()])
def test_counts_are_those_of_forked_processes(
    mechanism: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for method, jobs in (("fork", 2), ("spawn", 2)):
        monkeypatch.setenv("PROVADO_START", method)
        results.append(audited(mechanism, jobs=jobs))
    forked, new = results
    assert new.verdict is forked.verdict is Verdict.NO_VIOLATION
    assert new.pairs[0].counts == forked.pairs[0].counts
    assert new.notes == forked.notes == ()


@pytest.mark.parametrize(
    ("end", "limit", "reason"),
    [
        (lambda: os._exit(4), None, "status 4"),
        (lambda: os.kill(os.getpid(), 9), None, "SIGKILL"),
        (lambda: threading.Event().wait(), 1.0, "no answer within 1 s"),
    ],
)
def test_what_ends_its_process_is_unknown(
    spawned: None, end: Callable[[], None], limit: float | None, reason: str
) -> None:
    def mechanism(data: list[int]) -> int:
        end()
        return 0

    result = audited(mechanism, time_limit=limit)
    assert result.verdict is Verdict.UNKNOWN
    assert reason in result.reason


def test_what_cannot_be_sent_runs_here_and_says_so(spawned: None) -> None:
    lock, here = threading.Lock(), os.getpid()

    def locked(data: list[int], size: int, rng: np.random.Generator) -> Any:
        with lock:
            assert os.getpid() == here
            return noisy(data, size, rng)

    result = audited(locked, jobs=2)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.notes[0].startswith("run in the calling process, which the mechanism may end: ")
    assert result.notes[1].startswith("drawn in one process: it cannot be sent")


def test_few_runs_and_replays_of_what_cannot_be_sent_say_so_too(spawned: None) -> None:
    lock = threading.Lock()

    def locked(data: Any, rng: np.random.Generator) -> Any:
        with lock:
            return sum(data) + rng.laplace()

    few = audit_one_run(locked, canaries=[1.0] * 4, score=lambda out: [out] * 4, epsilon=1)
    twice = replay(locked, epsilon=1, pair=PAIR).pairs[0]
    for done in (few, twice):
        assert not done.reason
        assert done.notes[0].startswith("run in the calling process, which the mechanism may end: ")


def test_an_unknown_method_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVADO_START", "thread")
    with pytest.raises(
        UsageError, match="PROVADO_START is 'thread': here it must be fork or spawn"
    ):
        can_isolate()


SCRIPT = """
import sys
from provado import audit
from provado.audit.workers import child

print("once")
{first}

def mechanism(data, size, rng):
    return sum(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)

result = audit(mechanism, epsilon=1, pair=([0], [1]), samples=2000, name="f")
print(result.verdict.value)
print(result.reason)
"""


def ran(script: str, folder: Path, **environment: str) -> list[str]:
    (folder / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_script_is_not_run_again_by_its_processes(tmp_path: Path) -> None:
    script = SCRIPT.format(first="")
    assert ran(script, tmp_path, PROVADO_START="spawn")[:2] == ["once", "no violation found"]


def test_a_fork_that_a_library_holds_up_is_unknown(tmp_path: Path) -> None:
    """As a thread pool does that joins its threads in the forked process, where none are."""
    first = "import os, time\nchild.BEGINS = 0.5\n"
    first += "os.register_at_fork(after_in_child=lambda: time.sleep(1e6))"
    script = SCRIPT.format(first=first)
    once, verdict, reason = ran(script, tmp_path, PROVADO_START="fork")
    assert (once, verdict) == ("once", "unknown")
    assert "never began (PROVADO_START=spawn starts new ones)" in reason
    assert ran(script, tmp_path, PROVADO_START="spawn")[1] == "no violation found"


@pytest.mark.parametrize(("version", "method"), [((3, 13, 9), "fork"), ((3, 14, 0), "spawn")])
def test_no_fork_where_python_no_longer_forks(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], method: str
) -> None:
    monkeypatch.delenv("PROVADO_START", raising=False)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "version_info", version)
        patched.setattr(sys, "platform", "linux")
        found = start_method()
    assert found == method
    monkeypatch.setenv("PROVADO_START", "fork")
    assert start_method() == "fork"
