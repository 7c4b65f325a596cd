"""``kill -9`` of a command with several workers: nothing goes on, nothing is written by half."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import uuid
from pathlib import Path

import pytest

from benchmarks import kill_bars
from provado.audit.options.declaration import JOURNAL as NAME

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

SLOW_WHEN_CERTIFYING = """
import time

calls = 0

def response(data, rng):
    global calls
    calls += 1
    if calls > 49_000:
        time.sleep(1)
    return data[0] ^ int(rng.random() > 0.7310585786300049)
"""
"""Fast while 5,500 calls are timed, 40,000 outputs explored, and 2,000 more drawn in probes; then
each worker makes some of the certifying ones, and would go on for two hours."""

WORKERS = 4


def settled(mark: str, least: int, most: int) -> list[int]:
    """Wait, for minutes if need be, until so many processes carry a mark; return them."""
    for _ in range(6000):
        found = kill_bars.marked(mark)
        if least <= len(found) <= most:
            break
        time.sleep(0.05)
    return found


def test_workers_die_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kill_bars, "MECHANISM", SLOW_WHEN_CERTIFYING)
    mark = uuid.uuid4().hex
    kill_bars.prepare(tmp_path)
    claim = [*kill_bars.CLAIM[:-1], "40000"]
    with kill_bars.start(tmp_path, kill_bars.command(*claim, jobs=WORKERS), mark) as command:
        try:
            there = settled(mark, WORKERS + 2, 100)
            assert len(there) >= WORKERS + 2
            assert command.poll() is None
            command.kill()
            command.wait()
            assert settled(mark, 0, 0) == []
            # There is no report, only what the run is gone on with from.
            assert {file.name for file in (tmp_path / "out").iterdir()} <= {NAME, f"{NAME}-wal"}
        finally:
            for process in kill_bars.marked(mark):
                os.kill(process, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_kill_at_any_moment_leaves_nothing_behind(seed: int, tmp_path: Path) -> None:
    kill_bars.prepare(tmp_path)
    words = kill_bars.command(*kill_bars.CLAIM, jobs=WORKERS)
    moment = random.Random(seed).uniform(0, kill_bars.run_time())
    kill = kill_bars.kill_after(moment, tmp_path, words)
    assert kill.left == 0
    assert kill.half == ()


def test_a_report_that_is_not_whole_is_told(tmp_path: Path) -> None:
    assert kill_bars.half_written(tmp_path / "none") == ()
    (tmp_path / "audit.json").write_text('{"form": "x"}', encoding="utf-8")
    assert kill_bars.half_written(tmp_path) == ("one report without the other",)
    page = tmp_path / "audit.html"
    page.write_text("<html></html>\n", encoding="utf-8")
    assert kill_bars.half_written(tmp_path) == ()
    page.write_text("<html>", encoding="utf-8")
    (tmp_path / "audit.json").write_text('{"form": ', encoding="utf-8")
    assert kill_bars.half_written(tmp_path) == ("audit.html", "audit.json")
