"""How often an auditor cries wolf: rates of false alarms with exact limits, into a table.

Run by ``make bench-validity``; ``python -m benchmarks.validity_bars --quick`` for a look, ``--only
WORD`` for the rows with a word in their name, which go into the table with ``--write``. Exits 1
where a bar is missed.

Outcomes are kept in build/validity.jsonl under a digest of the code: a run that was ended goes on
where it was.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.kill_bars import Kills, kill_many
from benchmarks.validity_cases import ALARM, FINE, OF_PYTEST, Case, cases
from benchmarks.validity_planted import planted_rows
from benchmarks.validity_rate import CONFIDENCE, LEVEL, Rate
from benchmarks.validity_scoreboard import scoreboard

TABLE = Path(__file__).parent / "results" / "validity.md"
ROOT = Path(__file__).parents[1]
JOURNAL = ROOT / "build" / "validity.jsonl"
CHUNK = 40
"""Audits in one piece of work."""


def rates(table: Sequence[Case], runs: int, jobs: int) -> dict[str, Rate]:
    """Run every case so often (one of many audits less often); return the rates by name."""
    work = [
        (case.name, range(first, min(first + size, number)))
        for case in table
        for number, size in [(_number(case, runs), max(CHUNK // case.cost, 1))]
        for first in range(0, number, size)
    ]
    found: dict[str, list[str]] = {case.name: [] for case in table}
    code, known = _code(), _known()
    for piece in list(work):
        if (key := _key(code, *piece)) in known:
            found[piece[0]] += known[key]
            work.remove(piece)
    JOURNAL.parent.mkdir(exist_ok=True)
    # Not a pool of multiprocessing: its processes may have no children.
    context = multiprocessing.get_context("fork")
    with (
        ProcessPoolExecutor(jobs, context, initializer=_settle) as pool,
        JOURNAL.open("a", encoding="utf-8") as journal,
    ):
        pieces = {pool.submit(_run, *piece): piece for piece in work}
        for done, piece in enumerate(as_completed(pieces), 1):
            outcomes = piece.result()
            found[pieces[piece][0]] += outcomes
            print(json.dumps([_key(code, *pieces[piece]), outcomes]), file=journal, flush=True)
            _tell(f"{done} of {len(work)} pieces of work")
    return {name: _rate(outcomes) for name, outcomes in found.items()}


def _code() -> str:
    """Return a digest of all that an outcome may depend on."""
    files = [
        file
        for room in ("audit", "mechanisms", "benchmarks")
        for file in (ROOT / room).rglob("*.py")
    ]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()[:16]


def _key(code: str, name: str, seeds: range) -> str:
    return f"{code} {name} {seeds.start}-{seeds.stop}"


def _known() -> dict[str, list[str]]:
    if not JOURNAL.exists():
        return {}
    lines = JOURNAL.read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines if line.endswith("]"))


def _number(case: Case, runs: int) -> int:
    return max(runs // 4, 2) if case.cost >= OF_PYTEST else runs


def _settle() -> None:
    """Spare each audit the search of what was imported for the generators of a mechanism."""
    threadpool_limits(1)
    gc.collect()
    gc.freeze()


def _run(name: str, seeds: Sequence[int]) -> list[str]:
    case = next(case for case in cases() if case.name == name)
    return [case.run(seed) for seed in seeds]


def _rate(outcomes: list[str]) -> Rate:
    reasons = [outcome for outcome in outcomes if outcome not in (ALARM, FINE)]
    return Rate(outcomes.count(ALARM), len(outcomes), len(reasons), tuple(sorted(set(reasons))))


def _tell(text: str) -> None:
    end = "\r" if sys.stderr.isatty() else "\n"
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, end=end, flush=True)


def audit_rows(found: dict[str, Rate]) -> Iterator[str]:
    """Yield the lines of the first table."""
    yield "| what | false alarms | rate | interval, % | unknown |"
    yield "| --- | --- | --- | --- | --- |"
    for name, rate in found.items():
        mark = " **above 5 %**" if rate.above else ""
        yield f"| {name} | " + " | ".join(rate.cells()) + f"{mark} | {rate.unknown} |"
    reasons = sorted({reason for rate in found.values() for reason in rate.reasons})
    if reasons:
        yield ""
        yield "Reasons of `unknown`:"
        yield ""
        yield from (f"- {reason[:300]}" for reason in reasons)


def kill_rows(kills: Kills) -> Iterator[str]:
    """Yield the sentence about ``kill -9``."""
    yield (
        f"{kills.killed} commands with several workers were killed by SIGKILL at random moments: "
        f"processes left after 5 s in {kills.left} of them, half-written reports in {kills.half}; "
        f"{kills.before} more had ended by themselves."
    )


def main(arguments: list[str] | None = None) -> int:
    """Run all parts, print and write the table; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="audits a row")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="20 runs a row, no table written")
    parser.add_argument("--only", default="", help="rows with this in their name")
    parser.add_argument("--write", action="store_true", help="with --only: put them in the table")
    parser.add_argument("--rivals", default="", help="the python of an environment that has them")
    asked = parser.parse_args(arguments)
    runs = 20 if asked.quick else asked.runs
    table = tuple(case for case in cases() if asked.only in case.name)
    found = rates(table, runs, asked.jobs)
    fine = not any(rate.above for rate in found.values())
    lines = ["## Audits of sound mechanisms", "", *audit_rows(found)]
    if not asked.only:
        lines += ["", "## The same mechanisms through other auditors", ""]
        lines += scoreboard(found, runs, asked.rivals)
        rows, refused = planted_rows()
        lines += ["", "## Planted certificates and emptied evidence", "", *rows]
        _tell("kill -9")
        kills = kill_many(5 if asked.quick else 100)
        lines += ["", "## kill -9", "", *kill_rows(kills)]
        fine = fine and refused and kills.fine
    print("\n".join(lines))
    if not asked.only and not asked.quick:
        TABLE.write_text("\n".join([*_head(), *lines]) + "\n", encoding="utf-8")
    elif asked.write:
        _put(lines[4:])
    print("\nAll bars met." if fine else "\nA bar was missed.")
    return 0 if fine else 1


def _put(rows: Sequence[str]) -> None:
    """Put rows of the first table in the place of those with their names, in the order of all."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    first = lines.index("| --- | --- | --- | --- | --- |") + 1
    end = lines.index("", first)
    known = {row.split(" | ")[0][2:]: row for row in [*lines[first:end], *rows]}
    lines[first:end] = [known[case.name] for case in cases() if case.name in known]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _head() -> list[str]:
    return [
        "# False alarms, as measured",
        "",
        "Written by `make bench-validity`. Every mechanism meets its claim exactly, so that the "
        f"whole level of {100 * LEVEL:.0f} % may be used, and no more. Intervals are those of "
        f"Clopper and Pearson at {100 * CONFIDENCE:.0f} %. An answer `unknown` is no alarm.",
        "",
    ]


if __name__ == "__main__":
    sys.exit(main())
