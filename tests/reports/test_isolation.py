"""Limits of memory, of time a block, of the network; and run time as a part of the output."""

from __future__ import annotations

import json
import multiprocessing
import os
import socket
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.options.domains import size
from provado.audit.target.call import NOTE
from provado.mechanisms import UsageError, Verdict
from provado.reports.cli.main import main
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, WRONG_USAGE
from provado.reports.tasks import resources, task
from provado.reports.tasks.resources import LimitError, Limits, held_to
from provado.reports.tasks.run import Settings
from provado.reports.tasks.task import AuditTask

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these limits")

MECHANISMS = '''
import os
import socket
import time

import numpy as np

def greedy(data, *, size, rng):
    """Takes 600 MB for a moment; the system gives none that is not written to."""
    np.empty(75_000_000)
    return rng.integers(0, 2, size=size)

def modest(data, *, size, rng):
    return rng.integers(0, 2, size=size)

def calls(data, rng):
    """Tells its data where there is a network: a connection is refused, not impossible."""
    try:
        socket.create_connection(("127.0.0.1", 9), timeout=2).close()
    except ConnectionRefusedError:
        return data[-1]
    except OSError:
        return 0
    return data[-1]

def noisy_calls(data, rng):
    return calls(data, rng) + rng.laplace(scale=0.01)

def there():
    return os.environ.get("WHERE") == "worker"

def greedy_there(data, *, size, rng):
    return greedy(data, size=size, rng=rng) if there() else modest(data, size=size, rng=rng)

def stalls_there(data, *, size, rng):
    if there():
        time.sleep(600)
    return rng.integers(0, 2, size=size)

def bits(data, rng):
    """Takes 600 MB for a moment where its data begin with a 2."""
    if data[0] == 2:
        np.empty(75_000_000)
    return rng.random(50)

count = 0

def stalls(data, *, size, rng):
    """Hangs once it certifies."""
    global count
    count += size
    if count > 1500:
        time.sleep(600)
    return rng.integers(0, 2, size=size)

def stalls_one_by_one(data, rng):
    global count
    count += 1
    if count > 1000:
        time.sleep(0.1)
    return int(rng.integers(0, 2))
'''

CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "1000", "--jobs", "1"]


@pytest.fixture
def limited(folder: Path) -> Path:
    (folder / "limited_targets.py").write_text(MECHANISMS)
    sys.modules.pop("limited_targets", None)
    return folder


def found(name: str, *more: str) -> tuple[int, dict[str, Any]]:
    status = main(["audit", f"limited_targets.py:{name}", *CLAIM, *more, "--out", "out"])
    return status, json.loads(Path("out/audit.json").read_text())["audits"][0]


@LINUX
def test_memory(limited: Path) -> None:
    assert found("greedy")[0] == AS_EXPECTED
    status, result = found("greedy", "--memory", "400M")
    assert status == NOT_COMPLETED
    assert "MemoryError" in result["reason"]
    assert found("modest", "--memory", "400M")[0] == AS_EXPECTED


@LINUX
def test_memory_of_every_worker(limited: Path) -> None:
    status, result = found("greedy", "--memory", "400M", "--jobs", "2")
    assert status == NOT_COMPLETED
    assert "MemoryError" in result["reason"]


@LINUX
def test_no_network(limited: Path) -> None:
    try:
        resources.check_confinable(Limits(no_network=True).confine)
    except UsageError:
        pytest.skip("this system lets nobody take the network away")
    assert found("calls")[1]["verdict"] == "violation"
    assert found("calls", "--no-network")[1]["verdict"] == "no violation found"
    assert found("calls", "--no-network", "--jobs", "2")[1]["verdict"] == "no violation found"
    # This process has kept its own.
    with socket.socket() as one, pytest.raises(ConnectionRefusedError):
        one.connect(("127.0.0.1", 9))


@LINUX
def test_what_the_network_gave_is_gone(limited: Path) -> None:
    """In the process that is confined a connection is impossible, in this one refused."""
    sys.path.insert(0, str(limited))
    try:
        from limited_targets import calls  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(limited))
    rng = np.random.default_rng(0)
    assert calls([1], rng) == 1

    def confined() -> None:
        resources.leave_network()
        if calls([1], rng) != 0:
            raise UsageError("it still answers")

    try:
        resources.check_confinable(confined)
    except UsageError as error:
        if "cannot be taken away here" not in str(error):
            raise


def test_a_system_that_keeps_the_network_says_so(
    limited: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refusing = SimpleNamespace(unshare=lambda _: -1)
    monkeypatch.setattr(resources.ctypes, "CDLL", lambda *_, **__: refusing)
    monkeypatch.setattr(resources.ctypes, "get_errno", lambda: 1)
    status = main(["audit", "limited_targets.py:modest", *CLAIM, "--no-network"])
    assert status == WRONG_USAGE
    said = capsys.readouterr().err
    assert "the network cannot be taken away here: Operation not permitted" in said
    assert said.count("\n") == 1


def test_a_system_without_such_limits_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources.sys, "platform", "darwin")
    with pytest.raises(UsageError, match="only Linux can take the network"):
        resources.leave_network()
    monkeypatch.setattr(resources, "Path", lambda _: Path("/nowhere"))
    with pytest.raises(UsageError, match="only Linux says how much"):
        resources.limit_memory(10**9)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_time_of_a_block(limited: Path, jobs: str) -> None:
    status, result = found("stalls", "--block-limit", "2", "--jobs", jobs)
    assert status == NOT_COMPLETED
    assert "no answer within 2 s" in result["reason"]


def test_time_of_a_block_of_single_calls_counts_all_of_them(limited: Path) -> None:
    """No call takes long; the block does."""
    status, result = found("stalls_one_by_one", "--block-limit", "2")
    assert status == NOT_COMPLETED
    assert "no answer within 2 s" in result["reason"]


class Client:
    """Stands for a client of Dask: its one worker is a process of this machine, and a daemon."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._workers = ProcessPoolExecutor(1, initializer=_as_a_nanny_does)

    def get_executor(self, **_: Any) -> Executor:
        return self._workers

    def submit(self, call: Any, *given: Any, **_: Any) -> Any:
        return self._workers.submit(call, *given)

    def nthreads(self) -> dict[str, int]:
        return {"tcp://here:1": 1}

    def close(self, **_: Any) -> None:
        self._workers.shutdown()


def _as_a_nanny_does() -> None:
    vars(multiprocessing.current_process())["_config"]["daemon"] = True
    os.environ["WHERE"] = "worker"


@pytest.fixture
def cluster(limited: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "provado.reports.tasks.resources.optional", lambda *_: SimpleNamespace(Client=Client)
    )
    monkeypatch.setattr("provado.reports.tasks.resources.check_executor", lambda _: None)
    return limited


THERE = ["--executor", "dask://127.0.0.1:9"]


@LINUX
def test_workers_are_held_to_the_memory(cluster: Path) -> None:
    assert found("greedy_there", *THERE)[0] == AS_EXPECTED
    status, result = found("greedy_there", *THERE, "--memory", "400M")
    assert status == NOT_COMPLETED
    assert "MemoryError" in result["reason"]
    here = found("modest")[1]["pairs"]
    assert found("modest", *THERE, "--memory", "400M", "--block-limit", "60")[1]["pairs"] == here


@LINUX
def test_workers_are_held_to_the_time_of_a_block(cluster: Path) -> None:
    status, result = found("stalls_there", *THERE, "--block-limit", "1")
    assert status == NOT_COMPLETED
    assert "no answer within 1 second" in result["reason"]


@LINUX
def test_workers_have_no_network_and_this_process_still_reaches_them(cluster: Path) -> None:
    try:
        resources.check_confinable(Limits(no_network=True).confine)
    except UsageError:
        pytest.skip("this system lets nobody take the network away")
    assert found("noisy_calls", *THERE)[1]["verdict"] == "violation"
    result = found("noisy_calls", *THERE, "--no-network")[1]
    assert (result["verdict"], result["reason"]) == ("no violation found", "")


@LINUX
def test_runs_with_many_interventions_are_held_to_limits_too(cluster: Path) -> None:
    Path("canaries.json").write_text(json.dumps([1] * 50))
    Path("greedy.json").write_text("[2]")
    asked = ["audit", "limited_targets.py:bits", "--epsilon", "9", "--canaries", "canaries.json"]
    asked += ["--runs", "3", "--out", "out"]
    counts = []
    for more in ([], THERE, [*THERE, "--memory", "1G"]):
        assert main([*asked, *more]) == AS_EXPECTED
        counts.append(json.loads(Path("out/audit.json").read_text())["audits"][0]["one_run"])
    assert counts[0] == counts[1] == counts[2]
    assert main([*asked, *THERE, "--data", "greedy.json"]) == AS_EXPECTED
    assert main([*asked, *THERE, "--memory", "400M", "--data", "greedy.json"]) == NOT_COMPLETED


@LINUX
def test_a_worker_that_cannot_keep_the_limits_is_named_before_anything_is_drawn(
    cluster: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def only_here(limits: Limits) -> None:
        if os.environ.get("WHERE") == "worker":
            raise UsageError("the network cannot be taken away here")

    monkeypatch.setattr(Limits, "confine", only_here)
    status = main(["audit", "limited_targets.py:modest", *CLAIM, *THERE, "--no-network"])
    assert status == WRONG_USAGE
    said = capsys.readouterr().err
    assert "--executor: the worker tcp://here:1: the network cannot be taken away here" in said
    assert said.count("\n") == 1


def test_a_call_that_is_held_to_limits() -> None:
    assert held_to(Limits(), len, [1, 2]) == 2
    with pytest.raises(LimitError, match="no answer within"):
        held_to(Limits(block_limit=0.2), time.sleep, 60)
    with pytest.raises(LimitError, match="ZeroDivisionError"):
        held_to(Limits(), divmod, 1, 0)
    assert not Limits().any
    assert not Limits(block_limit=1.0).confines


@pytest.mark.parametrize(
    ("rights", "taken"), [("0000000000200000", []), ("00000000a80425fb", [0x10000000])]
)
def test_the_right_to_leave_the_network_is_taken_where_it_is_lacking(
    monkeypatch: pytest.MonkeyPatch, rights: str, taken: list[int]
) -> None:
    asked = list[int]()
    allowing = SimpleNamespace(unshare=lambda flags: asked.append(flags) or 0)
    monkeypatch.setattr(resources.ctypes, "CDLL", lambda *_, **__: allowing)
    monkeypatch.setattr(resources.sys, "platform", "linux")
    status = SimpleNamespace(read_text=lambda **_: f"Name:\tx\nCapEff:\t{rights}\n")
    monkeypatch.setattr(resources, "Path", lambda _: status)
    resources.may_leave_network()
    assert asked == taken


@pytest.mark.parametrize("text", ["", "M", "12", "0.5M", "-1G", "1T", "nanG", "1e99G"])
def test_sizes_of_another_form_are_refused(
    limited: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["audit", "limited_targets.py:modest", *CLAIM, f"--memory={text}"]
    assert main(asked) == WRONG_USAGE
    assert "must be a number and M or G" in capsys.readouterr().err


def test_sizes() -> None:
    assert (size("1M"), size("1.5g"), size("500M")) == (2**20, 3 * 2**29, 500 * 2**20)


class Clock:
    """Stands for the system's clock: time goes on only where a mechanism takes it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, drift: float = 0.0) -> None:
        self.now, self.drift, self.runs = 0, drift, 0
        monkeypatch.setattr(
            "provado.audit.target.call.time", SimpleNamespace(perf_counter_ns=lambda: self.now)
        )

    def takes(self, rng: np.random.Generator, seconds: float) -> None:
        """Take about so many seconds, and more from run to run."""
        self.runs += 1
        self.now += int(1e9 * seconds * (1 + 0.1 * rng.random() + self.drift * self.runs))


ASKED: dict[str, Any] = {
    "epsilon": 1.0,
    "pair": (0, 1),
    "samples": 1500,
    "explore": 1000,
    "isolate": False,
}


def test_a_leak_in_the_run_time_is_seen_only_where_it_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)

    def slower_for_one(data: int, *, size: int, rng: np.random.Generator) -> Any:
        clock.takes(rng, 1e-3 * (1 + data))
        return rng.integers(0, 2, size=size)

    assert audit(slower_for_one, **ASKED).verdict is Verdict.NO_VIOLATION
    result = audit(slower_for_one, **ASKED, timing=True)
    assert result.verdict is Verdict.VIOLATION
    assert "output['seconds']" in result.pairs[0].witness.guess_d
    assert NOTE in result.notes
    one_by_one = audit(
        lambda data, rng: slower_for_one(data, size=1, rng=rng)[0], **ASKED, timing=True, jobs=2
    )
    assert one_by_one.verdict is Verdict.VIOLATION


@pytest.mark.parametrize("samples", [1500, "auto:600"])
def test_a_machine_that_grows_slower_accuses_nobody(
    monkeypatch: pytest.MonkeyPatch, samples: Any
) -> None:
    clock = Clock(monkeypatch, drift=0.01)

    def steady(data: int, rng: np.random.Generator) -> int:
        clock.takes(rng, 1e-3)
        return int(rng.integers(0, 2))

    asked = ASKED | {"samples": samples}
    if samples != 1500:
        del asked["explore"]
    result = audit(steady, **asked, timing=True)
    assert result.verdict is Verdict.NO_VIOLATION, result.reason
    assert NOTE in result.notes


def test_timing_on_the_command_line(limited: Path) -> None:
    status, result = found("modest", "--timing")
    assert status in (AS_EXPECTED, 1)
    assert NOTE in result["notes"]
    assert "--timing" in result["selection"]
    assert main(["audit", "--catalogue", "--timing"]) == WRONG_USAGE


TALKS = """
import logging, sys

def talks(data, rng):
    print("spoken", len(data))
    print("aside", file=sys.stderr)
    logging.getLogger("talks").warning("logged")
    return rng.laplace()
"""


@pytest.mark.parametrize("verbose", [False, True])
def test_what_a_mechanism_prints_is_shown_in_part_unless_all_is_asked_for(tmp_path, capfd, verbose):
    """Of every process: of the trials' as of the search's. The report is the same."""
    file = tmp_path / f"talks{verbose:d}.py"
    file.write_text(TALKS)
    (tmp_path / "d.json").write_text("[0, 1, 1]")
    command = ["audit", f"{file}:talks", "--epsilon", "1", "--samples", "500"]
    command += ["--data", str(tmp_path / "d.json"), "--relation", "replace-one", "--jobs", "2"]
    assert main([*command, *["--verbose"] * verbose]) == AS_EXPECTED
    out, err = capfd.readouterr()
    assert "spoken" not in out
    assert err.startswith("spoken 3") or "\nspoken 3\n" in err
    assert (err.count("aside") > 500) == verbose
    if not verbose:
        printed, _, rest = err.partition("\n… more is printed, which provado audit --verbose shows")
        assert len(printed) <= 2 * resources.MOST_PRINTED
        assert "aside" not in rest
        assert "spoken" not in rest


def test_a_proof_beside_an_audit_ends_in_time_and_the_audit_stays(monkeypatch):
    """Exact algebra may take for ever; an audit of 30 seconds must not."""

    def never_ends(result):
        while True:
            time.sleep(0.01)

    def count(data, *, size, rng):
        return len(data) + rng.laplace(size=size)

    monkeypatch.setattr(task, "PROOF_SECONDS", 0.5)
    settings = Settings(samples=500)
    job = AuditTask("count", count, claim={"epsilon": 1.0, "pair": ([0], [0, 1])})
    (record,) = task.run_jobs([replace(job, settings=settings, add_proof=never_ends)], 1)
    assert record.result.verdict is Verdict.NO_VIOLATION
    assert record.result.notes[-1] == "not proved: no answer within 0.5 s"
    (record,) = task.run_jobs([replace(job, settings=settings, add_proof=lambda result: result)], 1)
    assert "not proved" not in " ".join(record.result.notes)
