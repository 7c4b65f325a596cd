"""``kill -9`` at random moments, again and again, and ``--resume``: the same counts, nothing left.

Every run of a chain is killed at a random moment, or ends by itself; the last one leaves a report,
which must hold what that of an unbroken run holds. Linux only.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.kill_bars import command, kill_after, prepare
from provado.audit.options.declaration import JOURNAL as NAME

BATCHED = """

def gaussian(data, *, size, rng):
    return data[0] + rng.normal(size=size)
"""

CLAIMS = {
    "one by one": ["mine.py:response", "--epsilon", "1.5", "--samples", "40000"],
    "stop early": ["mine.py:response", "--epsilon", "0.5", "--samples", "40000", "--stop-early"],
    "sequential": ["mine.py:response", "--epsilon", "1.2", "--samples", "auto:2000"],
    "a curve": ["mine.py:gaussian", "--promise", "zcdp:0.5", "--samples", "2e6"],
}
"""What is audited, in turns."""


@dataclass(frozen=True)
class Chain:
    """One audit, ended so many times.

    left: processes that stayed. said: what any run complained of, and what lay about at the end.
    same: whether the report is that of an unbroken run.
    """

    name: str
    kills: int
    left: int
    said: tuple[str, ...]
    same: bool

    @property
    def fine(self) -> bool:
        """Whether nothing was lost and nothing stayed."""
        return self.same and not self.left and not self.said


def words(name: str, jobs: int) -> list[str]:
    """Return the command of one of the audits."""
    return [*command(*CLAIMS[name], jobs=jobs), "--resume"]


def found(folder: Path) -> Any:
    """Return what a report says, but for the time and how it was run."""
    document = json.loads((folder / "out" / "audit.json").read_text("utf-8"))
    return [
        {key: value for key, value in one.items() if key not in ("seconds", "notes")}
        for one in document["audits"]
    ]


def unbroken(name: str) -> tuple[Any, float]:
    """Return what an audit finds when nobody kills it, and how long that takes."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder, BATCHED)
        started = time.monotonic()
        kill_after(None, folder, words(name, 2))
        return found(folder), time.monotonic() - started


def chain(name: str, whole: Any, length: float, moments: random.Random) -> Chain:
    """End an audit again and again, until one run comes through."""
    with tempfile.TemporaryDirectory() as place:
        folder, kills, stayed, said = Path(place), 0, 0, list[str]()
        prepare(folder, BATCHED)
        while True:
            share = moments.choice((moments.random(), moments.uniform(0.3, 1.0)))
            # At some time nobody kills it, or it would go on for ever.
            seconds = None if kills >= 6 else share * length
            end = kill_after(seconds, folder, words(name, moments.choice((1, 2, 3))))
            kills, stayed = kills + end.killed, stayed + end.left
            if end.complaint:
                said.append(end.complaint)
            if not end.killed:
                break
        same = not end.half and not said and found(folder) == whole
        names = {file.name for file in (folder / "out").iterdir()}
        # A report that was being written when it was killed leaves a file under another name.
        rest = {name for name in names if not name.startswith((".provado-", "audit."))}
        rest |= names & {NAME, f"{NAME}-wal"}
        return Chain(name, kills, stayed, (*said, *end.half, *sorted(rest)), same)


def bench_resume(kills: int, seed: int = 0) -> Iterator[tuple[str, bool]]:
    """Yield a line for each kind of audit, and whether nothing was lost, after so many kills."""
    moments, chains = random.Random(seed), list[Chain]()
    whole = {name: unbroken(name) for name in CLAIMS}
    while sum(one.kills for one in chains) < kills:
        name = list(CLAIMS)[len(chains) % len(CLAIMS)]
        chains.append(chain(name, *whole[name], moments))
    for name in CLAIMS:
        mine = [one for one in chains if one.name == name]
        done, fine = sum(one.kills for one in mine), all(one.fine for one in mine)
        said = "; ".join(dict.fromkeys(text for one in mine for text in one.said))
        left, same = sum(one.left for one in mine), sum(one.same for one in mine)
        yield (
            f"- {name}: {done} kills in {len(mine)} audits, {left} processes left, the counts of "
            f"an unbroken run in {same}{f' ({said})' if said else ''}",
            fine,
        )


if __name__ == "__main__":
    every = list(bench_resume(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
    print("\n".join(line for line, _ in every))
    sys.exit(not all(met for _, met in every))
