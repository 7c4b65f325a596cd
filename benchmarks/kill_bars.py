"""``kill -9`` of an audit with several workers: no process stays, no report is written by half.

Every process of a command carries a mark in its environment, which its children inherit, so that
``/proc`` tells which are left, whoever their parent is by then. Linux only.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

MARK = "PROVADO_MARKED_BY"

PATIENCE = 5.0
"""Seconds after the kill by which no process may be left."""

MECHANISM = '''
def response(data, rng):
    """Randomized response, slow enough to be killed at its work."""
    sum(range(300))
    return data[0] ^ int(rng.random() > 0.7310585786300049)
'''

CLAIM = ("mine.py:response", "--epsilon", "1.5", "--samples", "60000")


@dataclass(frozen=True)
class Kill:
    """What one kill came to.

    killed: the command was still running. left: how many of its processes were there after
    ``PATIENCE`` seconds. half: the files that were written by half. complaint: the first error that
    it printed, or nothing.
    """

    killed: bool
    left: int
    half: tuple[str, ...]
    complaint: str


@dataclass(frozen=True)
class Kills:
    """Counts: commands killed, those with processes left, with half-written reports, too late."""

    killed: int
    left: int
    half: int
    before: int

    @property
    def fine(self) -> bool:
        """Whether nothing was left and nothing was written by half."""
        return not (self.left or self.half)


def prepare(folder: Path, more: str = "") -> None:
    """Write what is audited."""
    (folder / "mine.py").write_text(MECHANISM + more, encoding="utf-8")
    for number in (0, 1):
        (folder / f"d{number}.json").write_text(f"[{number}]", encoding="utf-8")


def command(*claim: str, jobs: int) -> list[str]:
    """Return the command of an audit whose reports go to ``out``."""
    words = ["audit", *claim, "--pair", "d0.json", "d1.json", "--jobs", str(jobs), "--out", "out"]
    return [sys.executable, "-m", "provado.reports", *words]


def start(folder: Path, words: list[str], mark: str) -> subprocess.Popen[str]:
    """Start a command in ``folder``, whose processes carry a mark."""
    return subprocess.Popen(
        words,
        cwd=folder,
        env=os.environ | {MARK: mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def marked(mark: str) -> list[int]:
    """Return the processes that carry a mark and still run; a zombie does not."""
    needle, found = f"{MARK}={mark}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if needle in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def kill_after(seconds: float | None, folder: Path, words: list[str]) -> Kill:
    """Start a command, kill it after so many seconds, and look at what is left."""
    mark, killed = uuid.uuid4().hex, False
    with start(folder, words, mark) as started:
        try:
            started.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.kill(started.pid, signal.SIGKILL)
            killed = True
        started.wait()
        end = time.monotonic() + PATIENCE
        while (left := marked(mark)) and time.monotonic() < end:
            time.sleep(0.02)
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        assert started.stderr is not None
        said = started.stderr.read()
    complaint = next((line for line in said.splitlines() if "error" in line), "")
    return Kill(killed, len(left), half_written(folder / "out"), complaint)


def half_written(out: Path) -> tuple[str, ...]:
    """Return the reports in a folder that are not whole: all of them are, or there is none."""
    half = []
    names = {file.name for file in out.iterdir()} if out.is_dir() else set[str]()
    for name in sorted(names):
        text = (out / name).read_text(encoding="utf-8", errors="replace")
        if name == "audit.json":
            try:
                json.loads(text)
            except ValueError:
                half.append(name)
        elif name == "audit.html" and not text.rstrip().endswith("</html>"):
            half.append(name)
    if len(names & {"audit.json", "audit.html"}) == 1:
        half.append("one report without the other")
    return tuple(half)


def run_time() -> float:
    """Return how many seconds the audit takes when nobody kills it."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        prepare(Path(folder))
        with start(Path(folder), command(*CLAIM, jobs=4), uuid.uuid4().hex) as audit:
            code = audit.wait()
        if code != 0 or half_written(Path(folder) / "out"):
            raise RuntimeError(f"the audit ends with status {code} by itself")
        return time.monotonic() - started


def kill_many(number: int, seed: int = 0) -> Kills:
    """Kill so many commands, each at a random moment of its run."""
    length, moments = run_time(), random.Random(seed)
    kills, before = list[Kill](), 0
    while len(kills) < number:
        # Some moments lie beyond the end: those near it, where reports are written, matter most.
        share = moments.choice((moments.random(), moments.uniform(0.9, 1.05)))
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder))
            kill = kill_after(share * length, Path(folder), command(*CLAIM, jobs=4))
        if kill.killed:
            kills.append(kill)
        else:
            before += 1
    return Kills(
        len(kills), sum(k.left > 0 for k in kills), sum(bool(k.half) for k in kills), before
    )
