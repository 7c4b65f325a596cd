"""Times the exact causal definitions and the battery behind Table 1.

Bars: all ten definitions on three data points, four values and six outputs in under 2 seconds; the
evidence for the propositions and for Table 1, with its smallest counterexamples, in under 60.

Run as ``python -m benchmarks.causal_bars``.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from itertools import product

import numpy as np

from provado.proofs.causal.definitions import DECIDE
from provado.proofs.causal.finite_mechanism import FiniteMechanism
from provado.proofs.causal.model import Population, attribute_names
from provado.proofs.causal.search import Case
from tests.proofs.causal.full_batteries import full_batteries
from tests.proofs.causal.full_batteries._finding import stands

TEN = 2.0
TABLE = 60.0


def case(seed: int) -> Case:
    """Return a random mechanism of three data points, four values and six outputs, and people."""
    rng = np.random.default_rng(seed)
    datasets = list(product(range(4), repeat=3))
    table = {d: _law(rng, 6) for d in datasets}
    people = Population(attribute_names(3), dict(zip(datasets, _law(rng, 64), strict=True)))
    return Case(FiniteMechanism((tuple(range(4)),) * 3, tuple(range(6)), table), people)


def _law(rng: np.random.Generator, size: int) -> tuple[Fraction, ...]:
    weights = rng.integers(1, 1000, size).tolist()
    return tuple(Fraction(w, sum(weights)) for w in weights)


def bench_ten(seeds: int = 5) -> bool:
    """Time all definitions on fresh mechanisms; the slowest seed counts."""
    slowest = 0.0
    for seed in range(seeds):
        fresh = case(seed)
        start = time.perf_counter()
        for decide in DECIDE.values():
            decide(fresh)
        slowest = max(slowest, time.perf_counter() - start)
    ok = slowest < TEN
    print(f"ten definitions, n = 3, 4 values, 6 outputs: {slowest:.2f} s (< {TEN:g})  {_word(ok)}")
    return ok


def bench_table() -> bool:
    """Time the evidence for Propositions 1 to 5 and rows 2 to 8, battery by battery."""
    total = 0.0
    for battery in full_batteries():
        start = time.perf_counter()
        findings = battery.evidence()
        took = time.perf_counter() - start
        counted = "prop" in battery.id or "table1" in battery.id
        total += took if counted else 0.0
        says = "as printed" if stands(findings) else "not as printed"
        print(f"  {battery.id:45} {took:6.2f} s  {says}")
    ok = total < TABLE
    print(f"propositions and Table 1: {total:.1f} s (< {TABLE:g})  {_word(ok)}")
    return ok


def _word(ok: bool) -> str:
    return "ok" if ok else "BAR MISSED"


def main() -> int:
    """Run both; return 0 if both bars are met, else 1."""
    results = [bench_ten(), bench_table()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
