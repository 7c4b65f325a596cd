"""The search: bars against the known pair, forty programs, rare leaks, code from the field, causes.

Run by ``make bench-search``. Bounds are apart from low-order bits: noise is textbook floating
point, and exact real arithmetic is meant.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any

from scipy.stats import binom

from benchmarks.audit_rows import rows
from benchmarks.field_programs import field_programs
from benchmarks.measure import line
from benchmarks.rare_leaks import PAIR, RARE_LEAKS
from benchmarks.search_counts import count_programs
from benchmarks.search_programs import Program, programs
from provado.audit import AuditResult, audit
from provado.mechanisms import Verdict
from tests.audit.flawed_mechanisms import D_PRIME, FIXED, FLAWED, D

TRIALS, PROGRAM_TRIALS, SECONDS = 500_000, 200_000, 60.0
SHARE, RUNS, FOUND = 0.95, 3.0, 18
RARE_TRIALS, RARE_SEEDS, RARE_SHARE, RARE_FOUND = 1_000_000, 5, 0.6, 19 / 20
FIELD_SEEDS, LEVEL = 5, 0.05
CAUSE_TRIALS, CAUSE_SEEDS = 20_000, 5
PARTS = ["rows", "programs", "counts", "rare", "field", "causes"]
RESULTS = Path(__file__).parent / "results" / "search.md"


def innocent(pair: tuple[Any, Any]) -> Any:
    """Return data that say nothing of the pair: as many answers, all of them 1."""
    d = pair[0]
    return tuple(1.0 for _ in d) if isinstance(d, tuple) else type(d)(1)


def runs_of(result: AuditResult) -> int:
    """Return all calls of the mechanism: those of the search, of exploration, and certifying."""
    searched = result.search.runs if result.search is not None else 0
    return searched + sum(pair.explored_trials + pair.counts.trials for pair in result.pairs)


def bench_rows(lines: list[str], seed: int) -> bool:
    """Compare a search from innocent data and a domain with the pair that is known, row by row."""
    lines += [
        f"Fifteen rows, {TRIALS:,} certifying trials: certified ε from a domain alone (answers "
        f"from 0 to 2, or a bit) and with the known pair, seed {seed}.",
        "",
        "| mechanism | claimed | with the known pair | from a domain | share | runs, ratio |",
        "|---|---|---|---|---|---|",
    ]
    good = True
    for row in rows():
        mechanism = row.mechanism
        bit = row.name == "randomized response"
        domain: Any = [0, 1] if bit else (0, 5 if row.name == "truncated geometric" else 2)
        given = {"samples": TRIALS, "arithmetic": "ideal", "seed": seed}
        known = audit(mechanism, **given)
        data = innocent(mechanism.pairs[0])
        found = audit(mechanism, **given, data=data, domain=domain, relation=mechanism.relation)
        share = found.epsilon_lower / max(known.epsilon_lower, 1e-9)
        ratio = runs_of(found) / runs_of(known)
        lines.append(
            f"| {row.name} | {known.epsilon:.3g} | {known.epsilon_lower:.4f} | "
            f"{found.epsilon_lower:.4f} | {share:.3f} | {ratio:.2f} |"
        )
        good &= line(f"{row.name}: share of the known pair's ε", share, SHARE)
        good &= line(f"{row.name}: runs", ratio, RUNS, least=False)
    return good


def audited(program: Program, seed: int) -> tuple[AuditResult, float]:
    """Audit a program from its data and domain; return the result and the wall time."""
    started = time.monotonic()
    result = audit(
        program.run,
        epsilon=1.0,
        samples=PROGRAM_TRIALS,
        arithmetic="ideal",
        seed=seed,
        name=program.name,
        **program.given,
    )
    return result, time.monotonic() - started


def bench_programs(lines: list[str], seed: int) -> bool:
    """Audit the forty programs; count those found and those reported."""
    lines += [
        "",
        f"Forty programs that claim ε = 1, {PROGRAM_TRIALS:,} certifying trials, innocent data and "
        f"a domain only, seed {seed}. A bug counts as found within {SECONDS:g} s and apart from "
        "low-order bits.",
        "",
        "| program | bug | source | certified ε | verdict | cause | D | D′ | seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    found = reported = 0
    for program in programs():
        result, seconds = audited(program, seed)
        violation = result.verdict is Verdict.VIOLATION
        found += program.broken and violation and seconds <= SECONDS
        reported += violation and not program.broken
        cause = (
            result.explained_pair.cause.kind
            if result.explained_pair is not None and violation
            else "–"
        )
        witness = result.witness
        pair = f"{witness.d} | {witness.difference}" if witness is not None else "– | –"
        lines.append(
            f"| {program.name} | {'planted' if program.broken else '–'} | {program.source or '–'} "
            f"| {result.epsilon_lower:.3f} | {result.verdict} | {cause} | {pair} | {seconds:.1f} |"
        )
        print(lines[-1], flush=True)
    good = line("planted bugs found, of 20", found, FOUND, unit=" ")
    # Twenty exactly tight or slack claims at 5 % each: four are the 99.7th percentile.
    return line("sound programs reported, of 20", reported, 4, unit=" ", least=False) and good


def bench_counts(lines: list[str], seed: int) -> bool:
    """Audit the programs that fail at one count with several seeds; count those found."""
    lines += [
        "",
        f"Programs that fail at one count of equal records, {PROGRAM_TRIALS:,} certifying trials, "
        f"{RARE_SEEDS} seeds from {seed}, and each after its fix.",
        "",
        "| program | violations | certified ε, median | how the pair was made |",
        "|---|---|---|---|",
    ]
    found = reported = 0
    for program in count_programs():
        results = [audited(program, seed + i)[0] for i in range(RARE_SEEDS)]
        violations = sum(result.verdict is Verdict.VIOLATION for result in results)
        found += violations if program.broken else 0
        reported += 0 if program.broken else violations
        middle = sorted(result.epsilon_lower for result in results)[RARE_SEEDS // 2]
        made = sorted({result.search.construction for result in results if result.search})
        lines.append(
            f"| {program.name} | {violations} of {RARE_SEEDS} | {middle:.3f} | {'; '.join(made)} |"
        )
        print(lines[-1], flush=True)
    of = len(count_programs()) // 2 * RARE_SEEDS
    good = line(f"failures at one count found, of {of}", found, of, unit=" ")
    return (
        line(f"their fixed versions reported, of {of}", reported, 4, unit=" ", least=False) and good
    )


def bench_rare(lines: list[str], seed: int) -> bool:
    """Audit the rare leaks with several seeds each; count those found with most of their limit."""
    lines += [
        "",
        f"Rare leaks beside a count of exactly ε = 1, {RARE_TRIALS:,} certifying trials, "
        f"{RARE_SEEDS} seeds from {seed}. Limit: what the exact binomial test of the best event "
        "certifies at expected counts. Share: the lowest of all seeds. Control: the same without "
        "the leak, first seed.",
        "",
        "| leak | probability | limit | certified ε, median | share | violations | control |",
        "|---|---|---|---|---|---|---|",
    ]
    found = reported = 0
    for leak in RARE_LEAKS:
        arithmetic = "ideal" if leak.smooth else "floating"
        given = {"epsilon": 1.0, "pair": PAIR, "samples": RARE_TRIALS, "arithmetic": arithmetic}
        results = [
            audit(leak.mechanism(), **given, seed=seed + i, name=leak.name)
            for i in range(RARE_SEEDS)
        ]
        control = audit(leak.mechanism(sound=True), **given, seed=seed, name=leak.name)
        limit = leak.limit(RARE_TRIALS)
        shares = [result.epsilon_lower / limit for result in results]
        violations = [result.verdict is Verdict.VIOLATION for result in results]
        pairs = zip(violations, shares, strict=True)
        found += sum(violation and share >= RARE_SHARE for violation, share in pairs)
        reported += control.verdict is Verdict.VIOLATION
        middle = sorted(result.epsilon_lower for result in results)[RARE_SEEDS // 2]
        lines.append(
            f"| {leak.name} | {leak.chance:g} | {limit:.3f} | {middle:.3f} | {min(shares):.2f} | "
            f"{sum(violations)} of {RARE_SEEDS} | {control.verdict} |"
        )
        print(lines[-1], flush=True)
    of = len(RARE_LEAKS) * RARE_SEEDS
    good = line(f"rare leaks found, of {of}", found, math.ceil(RARE_FOUND * of), unit=" ")
    # Claims that are used up fail at 5 % each: three of fifteen are the 99.4th percentile.
    return line("controls reported, of 15", reported, 3, unit=" ", least=False) and good


def bench_field(lines: list[str], seed: int) -> bool:
    """Audit programs from the field and their fixed versions with several seeds each."""
    lines += [
        "",
        f"Programs from the field: innocent data, a domain, a relation and a claim; {FIELD_SEEDS} "
        f"seeds from {seed}; {PROGRAM_TRIALS:,} certifying trials, {RARE_TRIALS:,} where δ > 0, as "
        "many as there are by default where it says so. Certified: the lowest and the median of ε, "
        "or of μ.",
        "",
        "| kind | program | claimed | certified | found | fixed version reported | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    found = reported = of = 0
    for program in field_programs():
        given = {"arithmetic": "ideal", "samples": PROGRAM_TRIALS, **program.given}
        started = time.monotonic()
        broken, fixed = (
            [audit(run, **given, seed=seed + i, name=program.name) for i in range(FIELD_SEEDS)]
            for run in (program.broken, program.fixed)
        )
        seconds = (time.monotonic() - started) / (2 * FIELD_SEEDS)
        hits, alarms = (
            sum(result.verdict is Verdict.VIOLATION for result in results)
            for results in (broken, fixed)
        )
        found, reported, of = found + hits, reported + alarms, of + FIELD_SEEDS
        lower = sorted(result.lower for result in broken)
        lines.append(
            f"| {program.kind} | {program.name} | {program.claim()} | {lower[0]:.3f}, "
            f"{lower[FIELD_SEEDS // 2]:.3f} | {hits} of {FIELD_SEEDS} | {alarms} of {FIELD_SEEDS} "
            f"| {seconds:.1f} |"
        )
        print(lines[-1], flush=True)
    good = line(f"programs from the field found, of {of}", found, of, unit=" ")
    return _within_level(reported, of) and good


def bench_causes(lines: list[str], seed: int) -> bool:
    """Audit mechanisms with one flaw each, with several seeds; count those whose cause is named."""
    lines += [
        "",
        f"Mechanisms with one flaw each that claim ε = 1, {CAUSE_TRIALS:,} certifying trials, "
        f"{CAUSE_SEEDS} seeds from {seed}. Named: violations whose cause is of the right kind. "
        "Fixed: violations of the mechanism with the usual fix of that cause.",
        "",
        "| mechanism | kind | certified ε, median | violations | named | fixed |",
        "|---|---|---|---|---|---|",
    ]
    missed = fixed = 0
    given = {"epsilon": 1.0, "pair": (D, D_PRIME), "samples": CAUSE_TRIALS, "arithmetic": "ideal"}
    for name, flaw in FLAWED.items():
        seeds = range(seed, seed + CAUSE_SEEDS)
        results = [audit(flaw.call, **given, seed=one, name=name) for one in seeds]
        violations = [one for one in results if one.verdict is Verdict.VIOLATION]
        right = sum(
            one.explained_pair is not None and flaw.names(one.explained_pair.cause)
            for one in violations
        )
        controls = [
            audit(FIXED[name], **given, seed=one).verdict is Verdict.VIOLATION
            for one in (seeds if name in FIXED else ())
        ]
        missed += CAUSE_SEEDS - right
        fixed += sum(controls)
        middle = sorted(one.epsilon_lower for one in results)[CAUSE_SEEDS // 2]
        clear = f"{sum(controls)} of {CAUSE_SEEDS}" if controls else "–"
        lines.append(
            f"| {name.replace('_', ' ')} | {flaw.kind} | {middle:.3f} | {len(violations)} of "
            f"{CAUSE_SEEDS} | {right} of {CAUSE_SEEDS} | {clear} |"
        )
        print(lines[-1], flush=True)
    good = line("causes not named", missed, 0, unit=" ", least=False)
    return _within_level(fixed, CAUSE_SEEDS * len(FIXED)) and good


def _within_level(reported: int, of: int) -> bool:
    """Print how many fixed versions were reported; return whether chance alone does that."""
    most = int(binom.ppf(0.997, of, LEVEL))
    name = f"their fixed versions reported, of {of}"
    return line(name, reported, most, unit=" ", least=False)


def _put(lines: list[str]) -> None:
    """Put the title and tables of some parts, each below a paragraph, in the place of theirs."""
    known: dict[str, tuple[str, str]] = {}
    for text in (RESULTS.read_text(encoding="utf-8").strip(), "\n".join(lines)):
        title, *blocks = text.split("\n\n")
        for about, table in zip(blocks[::2], blocks[1::2], strict=True):
            known[" ".join(about.split()[:2])] = about.strip(), table
    text = "\n\n".join([title, *(block for both in known.values() for block in both)])
    RESULTS.write_text(text + "\n", encoding="utf-8")


def main() -> int:
    """Run what is asked for; write the tables; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--write", action="store_true", help="with --only: put it in the table")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    parts = [options.only] if options.only else PARTS
    lines, good = ["# Search for the worst neighbors", ""], True
    if "rows" in parts:
        good &= bench_rows(lines, options.seed)
    if "programs" in parts:
        good &= bench_programs(lines, options.seed)
    if "counts" in parts:
        good &= bench_counts(lines, options.seed)
    if "rare" in parts:
        good &= bench_rare(lines, options.seed)
    if "field" in parts:
        good &= bench_field(lines, options.seed)
    if "causes" in parts:
        good &= bench_causes(lines, options.seed)
    if parts == PARTS or options.write:
        _put(lines)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
