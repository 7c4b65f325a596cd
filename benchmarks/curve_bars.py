"""The bars of claims that are curves: how much of μ, ρ and ε is certified, and how often too much.

``python -m benchmarks.curve_bars``; ``--only reach``, ``events`` or ``level`` for one part, with
``--audits`` a row of the last. Exits 1 where a bar is missed.

reach: the certified parameter as a share of the truth, from a million trials; the median of three
seeds. Of Rényi claims it stands beside what half of all audits do not exceed, whatever they do.
events: what the best single event and the best three cells show of ρ, were their chances known
exactly, and some dozens of cells beside them; no bar. level: audits of which the certified
parameter exceeds the truth.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import binom
from threadpoolctl import threadpool_limits

from benchmarks.curve_limits import most_certified
from benchmarks.measure import line
from provado.audit import audit
from provado.mechanisms import ConcentratedDP, GaussianDP, RenyiDP
from provado.mechanisms.noise.exact_noise import NOISE_GRID
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian
from provado.mechanisms.textbook.gaussian import gaussian

Row = tuple[str, Any, Callable[..., Any], tuple[Any, Any]]

REACH, LEVEL, TRIALS = 0.95, 0.05, 1_000_000

ORDERS = np.concatenate([[1 + 1e-7], 1 + np.exp(np.linspace(-4.0, 5.0, 200))])


def _normal(mu: float) -> Callable[..., Any]:
    return functools.partial(gaussian, sigma=1 / mu, grid=NOISE_GRID)


def _whole(variance: Fraction) -> Callable[..., Any]:
    return functools.partial(discrete_gaussian, variance=variance)


def rows() -> list[Row]:
    """Return claims that mechanisms meet exactly, those with the bar first."""
    found: list[Row] = []
    for mu in (0.5, 1.0, 2.0):
        one = (_normal(mu), (0.0, 1.0))
        found.append((f"Gaussian, μ = {mu:g}", GaussianDP(mu), *one))
        found.append((f"Gaussian, ρ = {mu * mu / 2:g}", ConcentratedDP(mu * mu / 2), *one))
    for variance in (Fraction(1), Fraction(4)):
        rho = float(1 / (2 * variance))
        one = (_whole(variance), (0, 1))
        found.append((f"discrete Gaussian, ρ = {rho:g}", ConcentratedDP(rho), *one))
    return found


def renyi_rows() -> list[Row]:
    """Return Rényi claims at rising orders, which rarer and rarer outputs make up; no bar."""
    return [
        (f"Gaussian, ε at α = {a:g}", RenyiDP(a, a / 2), _normal(1.0), (0.0, 1.0))
        for a in (1.5, 2.0, 4.0, 8.0)
    ]


def certified(row: Row, samples: int, seed: int) -> float:
    """Return the certified parameter as a share of the true one."""
    _, promise, run, pair = row
    found = audit(
        run, promise=promise, pair=pair, samples=samples, seed=seed, isolate=False, name="row"
    )
    return found.lower / float(promise.parameter)


def reach() -> bool:
    """Print the shares certified from a million trials; return whether all meet the bar."""
    met = [line(row[0], _median(row), REACH) for row in rows()]
    for row in renyi_rows():
        most = most_certified(row[1].alpha, 1.0, TRIALS)
        print(f"{row[0]:66s} {_median(row):8.3g} ×  (any audit: at most {most:.3f})", flush=True)
    return all(met)


def _median(row: Row) -> float:
    return float(np.median([certified(row, TRIALS, seed) for seed in range(3)]))


def _shown(edges: NDArray[np.float64], mu: float) -> float:
    """Return sup over orders of D_α/α between N(μ, 1) and N(0, 1) cut at the edges, by ρ."""
    cuts = np.concatenate([[-np.inf], np.sort(edges), [np.inf]])
    # Both tails by the symmetric form, so that rare cells keep their digits.
    q = np.where(cuts[:-1] > 0, ndtr(-cuts[:-1]) - ndtr(-cuts[1:]), np.diff(ndtr(cuts)))
    moved = cuts - mu
    p = np.where(moved[:-1] > 0, ndtr(-moved[:-1]) - ndtr(-moved[1:]), np.diff(ndtr(moved)))
    kept = (p > 0) & (q > 0)
    logs = ORDERS[:, None] * np.log(p[kept]) + (1 - ORDERS[:, None]) * np.log(q[kept])
    largest = logs.max(axis=1)
    total = largest + np.log(np.exp(logs - largest[:, None]).sum(axis=1))
    return float((total / (ORDERS - 1) / ORDERS).max() / (mu * mu / 2))


def events(mu: float = 1.0) -> None:
    """Print what events and cells show of ρ, without any error of sampling."""
    places = np.linspace(-3.0, 5.0, 161)
    for least in (1e-3, 1e-5):
        one = [t for t in places if min(ndtr(-t), ndtr(t)) >= least]
        best = max(_shown(np.array([t]), mu) for t in one)
        print(f"one event of probability {least:g} or more shows {best:.3f} of ρ")
        pairs = [(s, t) for s in one[::4] for t in one[::4] if s < t]
        best = max(_shown(np.array(pair), mu) for pair in pairs)
        print(f"three cells, each as likely, show {best:.3f}")
    for cells in (8, 24, 48):
        middle = np.linspace(-2.5, 2.5 + mu, cells - 1)
        print(f"{cells} even cells show {_shown(middle, mu):.3f}")


def level(audits: int, jobs: int) -> bool:
    """Print how often the limit exceeds the truth; return whether never beyond the level."""
    met = []
    for row in (row for row in rows() if row[0] in LEVELS):
        with threadpool_limits(1), ProcessPoolExecutor(jobs, get_context("fork")) as pool:
            shares = pool.map(functools.partial(certified, row, 4_000), range(audits), chunksize=5)
            above = sum(share > 1 for share in shares)
        allowed = float(binom.ppf(0.999, audits, LEVEL)) / audits
        what = f"{row[0]}: above the truth in {audits:,} audits"
        met.append(line(what, above / audits, allowed, "of them", least=False))
    return all(met)


LEVELS = ("Gaussian, μ = 1", "Gaussian, ρ = 0.5", "discrete Gaussian, ρ = 0.125")


def main() -> int:
    """Run the parts; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("reach", "events", "level"))
    parser.add_argument("--audits", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2, help="processes that make them")
    options = parser.parse_args()
    met = True
    if options.only in (None, "reach"):
        met &= reach()
    if options.only in (None, "events"):
        events()
    if options.only in (None, "level"):
        met &= level(options.audits, options.jobs)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
