"""Blocks drawn by a real Dask cluster on loopback, one of whose workers is killed on the way."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.trials.checkpoint import Checkpoint, CheckpointEntry
from provado.mechanisms import UsageError
from provado.reports.cli.main import io_failure, main
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, WRONG_USAGE
from provado.reports.tasks.resources import DaskExecutor, check_executor
from tests.reports.test_isolation import MECHANISMS

THERE = importlib.util.find_spec("distributed") is not None
NEEDED = pytest.mark.skipif(not THERE, reason="needs the extra dask")
ASKED: dict[str, Any] = {"epsilon": 1.0, "pair": (0, 1), "samples": 20_000, "explore": 1000}
SOURCE = Path(__file__).parents[2] / "src"


def slow_laplace(data: float, *, size: int, rng: np.random.Generator) -> Any:
    time.sleep(0.1)
    return data + rng.laplace(size=size)


class Cluster:
    """A scheduler and two workers, in processes that this test started."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._folder = folder
        place = f"tcp://127.0.0.1:{self.port}"
        common = ["--no-dashboard"]
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        self.workers = [
            self._start("worker", place, "--nthreads", "1", "--no-nanny", *common) for _ in range(2)
        ]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=self._folder,
            env=os.environ | {"PYTHONPATH": f"{SOURCE}:{SOURCE.parent}", "WHERE": "worker"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def address(self) -> str:
        return f"dask://127.0.0.1:{self.port}"

    def wait(self) -> None:
        from distributed import Client

        end = time.monotonic() + 120
        while True:
            try:
                with Client(f"tcp://127.0.0.1:{self.port}", timeout=5) as client:
                    client.wait_for_workers(2, timeout=60)
                    return
            except (OSError, TimeoutError):
                if time.monotonic() > end:
                    raise

    def end(self) -> None:
        for one in (*self.workers, self.scheduler):
            one.kill()
            one.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    try:
        found.wait()
        yield found
    finally:
        found.end()


def bare(result: Any) -> str:
    return repr(dataclasses.replace(result, seconds=0.0, notes=()))


@NEEDED
@pytest.mark.slow
def test_a_killed_worker_changes_no_count(cluster: Cluster) -> None:
    kept = list[CheckpointEntry]()

    def told(entry: CheckpointEntry) -> None:
        kept.append(entry)
        if sum("block" in one.name for one in kept) == 3:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

    with DaskExecutor(cluster.address) as executor:
        result = audit(slow_laplace, **ASKED, executor=executor, checkpoint=Checkpoint({}, told))
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert cluster.workers[1].poll() is None
    assert bare(result) == bare(audit(slow_laplace, **ASKED))


@NEEDED
@pytest.mark.slow
def test_the_command_line_hands_over_a_file_that_no_worker_has(
    cluster: Cluster, folder: Path
) -> None:
    asked = ["audit", "targets_under_test.py:sound", "--epsilon", "1", "--pair", "d0.json"]
    asked += ["d1.json", "--samples", "20000", "--seed", "3"]
    assert main([*asked, "--out", "here"]) == AS_EXPECTED
    assert main([*asked, "--executor", cluster.address, "--out", "there"]) == AS_EXPECTED
    here, there = (json.loads(Path(name, "audit.json").read_text()) for name in ("here", "there"))
    assert here["audits"][0]["pairs"] == there["audits"][0]["pairs"]
    assert not there["audits"][0]["notes"]


@NEEDED
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "limit", "reason"),
    [
        ("greedy_there", ["--memory", "400M"], "MemoryError"),
        ("stalls_there", ["--block-limit", "3"], "no answer within 3 seconds"),
        ("modest", ["--memory", "400M", "--block-limit", "60"], ""),
    ],
)
def test_workers_are_held_to_limits(
    cluster: Cluster, folder: Path, name: str, limit: list[str], reason: str
) -> None:
    """A worker that is told so takes too much, or too long; where none is told all is well."""
    (folder / "limited_targets.py").write_text(MECHANISMS)
    sys.modules.pop("limited_targets", None)
    asked = ["audit", f"limited_targets.py:{name}", "--epsilon", "1", "--pair", "d0.json"]
    asked += ["d1.json", "--samples", "3000", "--explore", "1000"]
    here = main([*asked, "--out", "here"])
    there = main([*asked, "--executor", cluster.address, *limit, "--out", "there"])
    assert here == AS_EXPECTED
    assert there == (NOT_COMPLETED if reason else AS_EXPECTED)
    (audit,) = json.loads(Path("there/audit.json").read_text())["audits"]
    assert reason in audit["reason"]
    if not reason:
        pairs = json.loads(Path("here/audit.json").read_text())["audits"][0]["pairs"]
        assert audit["pairs"] == pairs


@pytest.mark.parametrize(
    "text", ["dask://", "dask://host", "tcp://h:1", "dask://h:x", "dask://h:99999", "dask://h:1/x"]
)
def test_an_address_of_another_form_is_refused(
    folder: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["audit", "targets_under_test.py:sound", "--epsilon", "1", "--pair", "d0.json"]
    assert main([*asked, "d1.json", "--executor", text]) == WRONG_USAGE
    assert "must be dask://HOST:PORT" in capsys.readouterr().err


def test_nobody_at_the_address_is_a_failure_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("provado.reports.tasks.resources.optional", lambda *_: None)
    with pytest.raises(UsageError, match="refused") as caught:
        check_executor("dask://127.0.0.1:9")
    assert io_failure(caught.value)


@pytest.mark.skipif(THERE, reason="the extra dask is here")
def test_without_the_extra_it_says_what_to_install(
    folder: Path, capsys: pytest.CaptureFixture[str], files: Callable[[], set[str]]
) -> None:
    asked = ["audit", "targets_under_test.py:sound", "--epsilon", "1", "--pair", "d0.json"]
    assert main([*asked, "d1.json", "--executor", "dask://127.0.0.1:9", "--out", "o"]) == (
        WRONG_USAGE
    )
    assert "pip install 'provado[dask]'" in capsys.readouterr().err
    assert not {file for file in files() if "pycache" not in file}
