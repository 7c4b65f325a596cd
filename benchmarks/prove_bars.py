"""Programs of CheckDP's examples, of dpest's report, and broken ones: all decided rightly, in time.

Run by ``make bench-prove``; ``--write`` puts the tables into ``benchmarks/results/prove.md``, and
``--part`` takes some of them. Exits 1 where a bar is missed: a wrong verdict, a median of 5 s or
more, 30 s or more for one program, of processor time, all on one processor. Where z3 or cvc5 is
installed (on the path, ``--solver path``, or ``--cvc5 python`` with an interpreter that has the
package cvc5) it replays the conditions of each proof.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.prove_catalogue_bars import mechanisms
from benchmarks.prove_delta import deltas, every_dataset
from benchmarks.prove_mutants import CHANGES, compiled, mutants
from benchmarks.prove_programs import CHECKDP, MORE, Case
from benchmarks.prove_row_bars import rows
from benchmarks.prove_running import rows as running
from benchmarks.prove_solvers import Solver, replayed, solvers_of
from benchmarks.prove_streams import exact, larger, streams
from provado.audit import audit
from provado.mechanisms import BoundedAnswers, Verdict
from provado.mechanisms.programs import program
from provado.proofs.programs.decide import ProgramDecision, decide

TABLE = Path(__file__).parent / "results" / "prove.md"
MEDIAN, LONGEST = 5.0, 30.0
PAPER = 70.0
"""Within so many seconds CheckDP decides each, says its abstract (on another machine)."""

RESPONSE = {"domain": [0, 1, 2, 3]}
Line = tuple[str, bool]


def row(name: str, decision: ProgramDecision, right: bool, more: str = "") -> Line:
    evidence = ""
    if decision.proofs:
        count = sum(len(found) for p in decision.proofs for _, found in p.findings)
        evidence = f"{count} certificates"
    elif decision.counterexample is not None:
        found = decision.counterexample
        loss = "∞" if found.unbounded else f"{found.loss:.2f}"
        evidence = f"loss {loss} of {float(found.epsilon):g}"
    elif decision.finite is not None:
        evidence = "exact"
    text = f"| {name} | {decision.verdict} | {evidence} | {decision.seconds:.1f} | {more} |"
    return text, right and decision.seconds < LONGEST


def certified(case: Case) -> tuple[str, bool]:
    """Return the auditor's bound on a proved program at ε = 1, which must stay within it."""
    one = program(case.program)
    names = case.program.__code__.co_varnames[1 : case.program.__code__.co_argcount]
    values = {"epsilon": 1.0, "threshold": 0.5, "count": 1, "block": 2, "last": 9}
    one.parameters = {name: values[name] for name in names}
    factor = 2.0 if case.claim.startswith("2") else 1.0
    pair = ([1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0])
    if case.neighbors == "one":
        pair = ([1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0])
    elif case.neighbors == "increasing":
        pair = pair[::-1]
    result = audit(
        one,
        epsilon=factor,
        pair=pair,
        relation=BoundedAnswers(),
        samples=60_000,
        seed=7,
    )
    return f"{result.epsilon_lower:.2f} ≤ {factor:g}", result.verdict is not Verdict.VIOLATION


def programs(solvers: list[Solver]) -> Iterator[Line]:
    yield (
        "| program | verdict | evidence | seconds | replayed by a solver, certified at ε = 1 |",
        True,
    )
    yield "|---|---|---|---|---|", True
    seconds = []
    for case in (*CHECKDP, *MORE):
        decision = decide(case.program, epsilon=case.claim, neighbors=case.neighbors)
        if case in CHECKDP:
            seconds.append(decision.seconds)
        right = decision.verdict == ("proved" if case.holds else "refuted")
        words, agrees = replayed(decision, solvers)
        if case.holds:
            bound, within = certified(case)
            words, agrees = ", ".join(filter(None, (words, bound))), agrees and within
        yield row(f"{case.program.__name__}, {case.neighbors}", decision, right and agrees, words)
    middle = statistics.median(seconds)
    yield "", True
    yield (
        f"The {len(CHECKDP)} of CheckDP: median {middle:.1f} s, longest {max(seconds):.1f} s; "
        f"CheckDP's abstract says within {PAPER:g} s.",
        middle < MEDIAN,
    )


def broken() -> Iterator[Line]:
    yield "| broken version | verdict | evidence | seconds | |", True
    yield "|---|---|---|---|---|", True
    for text in CHANGES:
        name = text.split("(")[0].removeprefix("\ndef ")
        found = decide(compiled(text, name), **(RESPONSE if name == "response" else {}))  # type: ignore[arg-type]
        yield row(f"{name}, as it should be", found, found.verdict == "proved")
    refuted = total = 0
    for one in mutants():
        found = decide(one.program, **(RESPONSE if one.of == "response" else {}))  # type: ignore[arg-type]
        total += 1
        refuted += found.verdict == "refuted"
        yield row(f"{one.of}: {one.words}", found, found.verdict != "proved")
    yield "", True
    yield f"{total} broken versions: {refuted} refuted, none proved.", refuted > total * 0.9


def parts(solvers: list[Solver]) -> dict[str, Callable[[], Iterator[Line]]]:
    """Return what makes each part of the table, by its heading."""
    return {
        "CheckDP": lambda: programs(solvers),
        "Simple streams": lambda: streams(exact()),
        "Larger streams": lambda: streams(larger()),
        "Exact δ": lambda: itertools.chain(deltas(), every_dataset()),
        "dpest": lambda: rows(solvers),
        "Catalogue": mechanisms,
        "What runs": running,
        "Broken versions": broken,
    }


def main(arguments: list[str] | None = None) -> int:
    """Decide everything, or some parts; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", help="z3 or cvc5 (those on the path)")
    parser.add_argument("--cvc5", metavar="PYTHON", help="an interpreter with the package cvc5")
    parser.add_argument("--part", action="append", choices=parts([]), help="a part (all)")
    parser.add_argument("--write", action="store_true", help="put the tables into results")
    asked = parser.parse_args(arguments)
    every, fine = parts(solvers_of(asked.solver, asked.cvc5)), True
    for name in asked.part or every:
        written: list[str] = []
        for line, met in itertools.chain(every[name](), load()):
            print(line + ("" if met else "  BAR MISSED"), flush=True)
            written.append(line + ("" if met else " bar missed"))
            fine &= met
        if asked.write:
            write(name, [*every], written)
    print("All bars met." if fine else "A bar was missed.")
    return 0 if fine else 1


def load() -> Iterator[Line]:
    """Yield how busy the machine is, which makes seconds longer, those of processor time, too."""
    text = f"Load while this part ended: {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors."
    yield from (("", True), (text, True))


def write(name: str, every: list[str], lines: list[str]) -> None:
    """Put one part into the table, in place of what stands there."""
    _, *sections = TABLE.read_text(encoding="utf-8").split("\n## ")
    found = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in sections}
    found[name] = "\n".join(lines)
    text = "".join(f"\n## {one}\n\n{found[one]}\n" for one in every if one in found)
    TABLE.write_text(f"# Programs proved and refuted\n{text}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
