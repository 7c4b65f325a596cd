"""Searches beside two busy loops: what time decides, what it must not, and what a pass says of it.

Run by ``make bench-search``; alone: ``python -m benchmarks.coverage_bars``. With ``--samples``
a command must leave the same document on an idle and on a busy machine. With a time, ten planted
bugs must never pass without a statement of how many planned pairs were tried, and no indispensable
pair may be left out but with the verdict ``unknown``. The command that is printed to repeat an
audit with a time must repeat its counts, and twice the time must never find fewer bugs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.measure import line
from benchmarks.search_programs import Program, programs
from provado.audit import AuditResult, audit
from provado.mechanisms import Verdict
from tests.reports.test_again import NAMES, TEN

BUGS, LOOPS, SEEDS, TIMES = 10, 2, 20, (1.0, 2.0, 4.0)
RESULTS = Path(__file__).parent / "results" / "coverage.md"
OF_TIME = ("seconds", "date", "digest")
"""Keys of a document that tell when it was made and how long that took, or follow from these."""

MEAN = """
import numpy as np


def mean(data, *, size, rng):
    n = max(len(data), 1)
    return np.clip(data, 0, 1).sum() / n + rng.laplace(0, 1 / n, size)
"""


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep processors busy."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def timeless(value: Any) -> Any:
    """Return a document without what depends on the time at which it was made."""
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key not in OF_TIME}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def document(folder: Path, samples: str, out: str) -> Any:
    """Audit from the command line; return the document that it leaves."""
    command = [sys.executable, "-m", "provado.reports", "audit", "mine.py:mean", "--epsilon", "1"]
    command += ["--data", "data.json", "--domain", "0:1", "--relation", "add-or-remove-one"]
    command += ["--samples", samples, "--seed", "7", "--out", out]
    subprocess.run(command, cwd=folder, check=False, capture_output=True)
    return json.loads((folder / out / "audit.json").read_text(encoding="utf-8"))


def bench_samples(lines: list[str]) -> bool:
    """Compare the documents of one command, alone and beside busy loops."""
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.py").write_text(MEAN, encoding="utf-8")
        (folder / "data.json").write_text("[0.2, 0.35, 0.5, 0.8]", encoding="utf-8")
        for samples in ("300", "5000", "auto:3000"):
            alone = document(folder, samples, "alone")
            with busy(LOOPS):
                beside = document(folder, samples, "beside")
            same = timeless(alone) == timeless(beside)
            different += not same
            lines.append(f"| `--samples {samples}` | {'the same' if same else 'different'} |")
            print(lines[-1], flush=True)
    return line("documents that differ beside busy loops", different, 0, unit=" ", least=False)


def stated(result: AuditResult) -> bool:
    """Tell whether a pass states how many pairs were tried, or a search was complete."""
    found = result.search
    assert found is not None
    said = f"{found.tried} of {found.planned} planned pairs tried"
    whole = found.tried == found.planned
    return whole or (said in " ".join(result.limitations))


def bench_seconds(lines: list[str], seconds: float) -> bool:
    """Audit ten planted bugs with a time, beside busy loops."""
    lines += [
        "",
        f"Ten planted bugs that claim ε = 1, {seconds:g} s each, beside {LOOPS} busy loops.",
        "",
        "| program | verdict | certified ε | pairs tried, of planned | indispensable left out |",
        "|---|---|---|---|---|",
    ]
    silent = wrongly = found = 0
    with busy(LOOPS):
        for program in [one for one in programs() if one.broken][:BUGS]:
            result = _audited(program, seconds)
            searched = result.search
            if searched is None:
                lines.append(f"| {program.name} | {result.verdict} | – | – | {result.reason} |")
                silent += result.verdict is not Verdict.UNKNOWN
                continue
            passed = result.verdict is Verdict.NO_VIOLATION
            found += result.verdict is Verdict.VIOLATION
            silent += passed and not stated(result)
            wrongly += passed and searched.skipped > 0
            lines.append(
                f"| {program.name} | {result.verdict} | {result.epsilon_lower:.3f} | "
                f"{searched.tried} of {searched.planned} | {searched.skipped} |"
            )
            print(lines[-1], flush=True)
    print(f"violations found: {found} of {BUGS}")
    good = line("passes that do not state their coverage", silent, 0, unit=" ", least=False)
    named = "passes with an indispensable pair left out"
    return line(named, wrongly, 0, unit=" ", least=False) and good


def bench_again(lines: list[str]) -> bool:
    """Compare audits with a time, beside busy loops, with what the printed commands leave."""
    lines += [
        "",
        f"Ten mechanisms with `--seconds 3` beside {LOOPS} busy loops; the printed command alone.",
        "",
        "| mechanism | counts again | runs of the search, of planned | trials, of planned |",
        "|---|---|---|---|",
    ]
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ten.py").write_text(TEN, encoding="utf-8")
        (folder / "data.json").write_text("[0.2, 0.35, 0.5, 0.8, 0.4, 0.6]", encoding="utf-8")
        for mechanism in NAMES:
            command = f"audit ten.py:{mechanism} --epsilon 0.01 --data data.json --domain 0:1 "
            command += "--relation add-or-remove-one --seconds 3"
            with busy(LOOPS):
                first, printed = _printed(folder, command.split())
            (words,) = re.findall(r"^  Reproduce +provado (.*)", printed, re.M | re.S)
            again, _ = _printed(folder, shlex.split(words.replace("\\\n", "")))
            same = [one["counts"] for one in first["pairs"]] == [
                one["counts"] for one in again["pairs"]
            ]
            different += not same
            searched, counts = first["search"], first["pairs"][0]["counts"]
            lines.append(
                f"| {mechanism} | {'the same' if same else 'different'} | {searched['runs']:,} of "
                f"{searched['planned_runs']:,} | {sum(counts.values()):,} of {first['samples']:,} |"
            )
            print(lines[-1], flush=True)
    named = "printed commands that repeat other counts"
    return line(named, different, 0, unit=" ", least=False)


def _printed(folder: Path, words: list[str]) -> tuple[Any, str]:
    """Return the audit of a command, as its document holds it, and what it prints."""
    command = [sys.executable, "-m", "provado.reports", *words, "--out", "out"]
    run = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    document = json.loads((folder / "out" / "audit.json").read_text(encoding="utf-8"))
    return document["audits"][0], run.stdout


def bench_twice(lines: list[str]) -> bool:
    """Count the planted bugs that are found in a time, and in twice as much."""
    heads = " | ".join(f"{seconds:g} s" for seconds in TIMES)
    lines += [
        "",
        f"Ten planted bugs that claim ε = 1, {SEEDS} seeds each: how many are found in a time.",
        "",
        f"| program | {heads} |",
        f"|---|{'---|' * len(TIMES)}",
    ]
    total = [0] * len(TIMES)
    for program in [one for one in programs() if one.broken][:BUGS]:
        found = [
            sum(
                _audited(program, seconds, seed).verdict is Verdict.VIOLATION
                for seed in range(SEEDS)
            )
            for seconds in TIMES
        ]
        total = [one + more for one, more in zip(total, found, strict=True)]
        lines.append(f"| {program.name} | {' | '.join(map(str, found))} |")
        print(lines[-1], flush=True)
    lines.append(f"| all | {' | '.join(map(str, total))} |")
    fewer = sum(more < one for one, more in pairwise(total))
    return line("times twice as long that find fewer", fewer, 0, unit=" ", least=False)


def _audited(program: Program, seconds: float, seed: int = 0) -> AuditResult:
    return audit(
        program.run,
        epsilon=1.0,
        seconds=seconds,
        seed=seed,
        arithmetic="ideal",
        name=program.name,
        **program.given,
    )


def main() -> int:
    """Run them; write the tables; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--only", choices=["samples", "seconds", "again", "twice"])
    options = parser.parse_args()
    lines, good = ["# Searches beside busy loops", "", "| command | document |", "|---|---|"], True
    if options.only in (None, "samples"):
        good &= bench_samples(lines)
    if options.only in (None, "seconds"):
        good &= bench_seconds(lines, options.seconds)
    if options.only in (None, "again"):
        good &= bench_again(lines)
    if options.only in (None, "twice"):
        good &= bench_twice(lines)
    if options.only is None:
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
