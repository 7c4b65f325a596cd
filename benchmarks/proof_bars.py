"""The proofs' bars: tails of sums of Laplace variables, derived and proved, and the whole ledger.

Run by ``make bench-proofs``, or ``python -m benchmarks.proof_bars tails``. Every statement that is
timed is one that the kernel checked in the same run. The part ``ledger`` times ``provado verify``
as a user runs it, on two processes, from its start to its exit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction

from provado.proofs.algebra import ExpPoly, convolve, laplace, tail
from provado.proofs.algebra.certificates import laplace_sum_tail, same

T = ExpPoly.term(power=1)
FALLS = ExpPoly.term(rate=-1)

# γ = margin and σ = scale enter as t = γ/σ; for eight, no closed form is printed anywhere.
PRINTED: dict[int, ExpPoly | None] = {
    2: (2 + T) * FALLS * Fraction(1, 4),
    4: (48 + 33 * T + 9 * T * T + T * T * T) * FALLS * Fraction(1, 96),
    8: None,
}
LIMITS = {2: 1.0, 4: 1.0, 8: 10.0}
LEDGER_LIMIT = 90.0


def bench_tails() -> bool:
    """Derive each tail by convolving the densities, prove it, and compare it with the print."""
    met = True
    for n, printed in PRINTED.items():
        started = time.perf_counter()
        density = laplace(0, 1)
        for _ in range(n - 1):
            density = convolve(density, laplace(0, 1))
        derived = tail(density)
        proved, finding = laplace_sum_tail([1] * n)
        verdicts = [finding.verdict, same(proved.parts[1], derived.parts[1]).verdict]
        if printed is not None:
            verdicts.append(same(derived.parts[1], printed).verdict)
        taken = time.perf_counter() - started
        good = proved == derived and set(verdicts) == {"proved"} and taken < LIMITS[n]
        print(f"{n} Laplace: {taken:6.3f} s of {LIMITS[n]:g} s, {verdicts}: {_word(good)}")
        met = met and good
    return met


def bench_ledger() -> bool:
    """Decide the whole ledger on two processes; each verdict must be the one on record."""
    command = [sys.executable, "-m", "provado.reports", "verify", "--jobs", "2", "--json"]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    taken = time.perf_counter() - started
    number = len(json.loads(done.stdout)["statements"]) if done.stdout else 0
    good = done.returncode == 0 and number > 0 and taken < LEDGER_LIMIT
    print(
        f"{number} statements: {taken:6.3f} s of {LEDGER_LIMIT:g} s, exit status "
        f"{done.returncode}: {_word(good)}"
    )
    return good


def _word(good: bool) -> str:
    return "met" if good else "MISSED"


PARTS: dict[str, Callable[[], bool]] = {"tails": bench_tails, "ledger": bench_ledger}


def main() -> int:
    """Run the parts named on the command line, or all; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    chosen = parser.parse_args().parts or list(PARTS)
    # Every part runs, also after one that missed.
    met = [PARTS[part]() for part in chosen]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
