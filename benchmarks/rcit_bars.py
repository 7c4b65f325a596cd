"""The permutation p-value of RCIT against its bars.

Run by ``python -m benchmarks.rcit_bars``. Every figure is a ratio of two processor times measured
in turn in this run on one thread. What is timed is the whole p-value of two columns: k = 100
permutations drawn from a generator and checked, kernels or factors, all scores. The yardstick for
any kernel is one np.trace(K @ H @ L @ H) of matrices that are already there, times 100; for the
squared exponential kernel it is one low-rank HSIC from the columns.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.measure import line, seconds
from provado.mechanisms.regression.kernels import SquaredExponential, median_bandwidth
from provado.mechanisms.scores.hsic.hsic import hsic
from provado.mechanisms.scores.hsic.permuted import (
    PermutationTest,
    draw_permutations,
    hsic_permuted,
    hsic_permuted_gathered,
)
from tests.mechanisms.regression.matern import Matern
from tests.mechanisms.scores.gamma_approximation import hsic_gamma_p_value
from tests.mechanisms.scores.rcit_p_values import residuals
from tests.mechanisms.scores.score_variants import hsic_low_rank

K = 100
Array = np.ndarray[Any, Any]


def _residuals(m: int) -> tuple[Array, Array]:
    """Return the residuals of two columns on a third that both depend on."""
    rng = np.random.default_rng(m)
    z = rng.uniform(-1, 1, m)
    kernel = SquaredExponential(1.0)
    x, y = (np.clip(np.sin(2 * z) / 2 + rng.normal(scale=0.15, size=m), -1, 1) for _ in range(2))
    return residuals(x, z, kernel=kernel, lam=0.01), residuals(y, z, kernel=kernel, lam=0.01)


def _tent(x: Array, y: Array) -> Array:
    """Return a kernel such as a user might write, of full rank."""
    found: Array = np.maximum(0.0, 1 - np.abs(x - y) / 0.3)
    return found


def _matrices(u: Array, v: Array, kernel: Callable[[Array, Array], Array]) -> list[Array]:
    m = u.size
    return [kernel(u[:, None], u), kernel(v[:, None], v), np.eye(m) - 1 / m]


def _naive(u: Array, v: Array, kernel: Callable[[Array, Array], Array], orders: Array) -> Array:
    m = u.size
    k_matrix, l_matrix, h = _matrices(u, v, kernel)
    return np.array(
        [np.trace(k_matrix[np.ix_(p, p)] @ h @ l_matrix @ h) / (m - 1) ** 2 for p in orders]
    )


def bench_rcit(repeat: int) -> bool:
    """Print the p-value's time against 100 trace(KHLH) and against single HSICs."""
    return all([_any_kernel(repeat), _squared_exponential(repeat)])


def _any_kernel(repeat: int) -> bool:
    m = 1000
    u, v = _residuals(m)
    print(f"\np-value by {K} permutations, m = {m:,}: {K} × trace(KHLH) over ours")
    fine = True
    for name, kernel in (
        ("Laplacian", Matern(0.5, 0.3)),
        ("a function of the user", _tent),
        ("squared exponential, by gathers", SquaredExponential(0.3)),
    ):
        k_matrix, l_matrix, h = _matrices(u, v, kernel)

        def ours(kernel: Any = kernel) -> PermutationTest:
            orders = draw_permutations(m, K, np.random.default_rng(0))
            return hsic_permuted_gathered(u, v, orders, kernel, kernel)

        def theirs(k: Array = k_matrix, l: Array = l_matrix, h: Array = h) -> float:  # noqa: E741
            return float(np.trace(k @ h @ l @ h))

        fast, slow = seconds(ours, theirs, repeat=repeat)
        what = f"{name} ({1e3 * fast:.0f} ms, one trace {1e3 * slow:.0f} ms)"
        fine &= line(what, K * slow / fast, 50, least=True)
        orders = draw_permutations(m, K, np.random.default_rng(0))[:3]
        wanted = _naive(u, v, kernel, orders)
        apart = np.abs(ours().permuted[:3] / wanted - 1).max()
        fine &= line("  apart from the matrices", apart, 1e-10, least=False, unit="")
    return fine


def _squared_exponential(repeat: int) -> bool:
    print(f"\np-value by {K} permutations, squared exponential kernels: ours over a single HSIC")
    fine = True
    for m in (1000, 4000):
        u, v = _residuals(m)
        kernels = tuple(SquaredExponential(median_bandwidth(column)) for column in (u, v))

        def ours(u: Array = u, v: Array = v, kernels: Any = kernels) -> PermutationTest:
            orders = draw_permutations(u.size, K, np.random.default_rng(0))
            return hsic_permuted(u, v, orders, *kernels)

        def single(u: Array = u, v: Array = v, kernels: Any = kernels) -> float:
            return hsic_low_rank(u, v, *kernels).value

        def gamma(u: Array = u, v: Array = v, kernels: Any = kernels) -> float:
            return hsic_gamma_p_value(u, v, *kernels)

        many, one = seconds(ours, single, repeat=3 * repeat)
        what = f"m = {m:,} ({1e3 * many:.1f} ms, a single HSIC {1e3 * one:.2f} ms)"
        fine &= line(what, many / one, 20, least=False)
        (approximate,) = seconds(gamma, repeat=1)
        found = ours()
        fine &= line(
            "  certified error over the mean permuted score",
            found.error / float(found.permuted.mean()),
            1e-9,
            least=False,
            unit="",
        )
        fine &= line(
            "  the score, apart from hsic",
            abs(found.score / hsic(u, v, *kernels) - 1),
            1e-9,
            least=False,
            unit="",
        )
        print(
            f"  p as printed {float(found.p_printed):.3f}, valid {float(found.p_valid):.3f}; "
            f"gamma {gamma():.3f} ({1e3 * approximate:.0f} ms)"
        )
    return fine


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7, help="runs of each call")
    with threadpool_limits(1):
        fine = bench_rcit(parser.parse_args().repeat)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
