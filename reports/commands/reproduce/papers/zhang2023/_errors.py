"""What the paper says of the errors of single tests, beside the measured ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.independence_tests.rank_margin import score_range
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved
from provado.mechanisms.scores.rcit import rcit_sensitivity_printed
from provado.reports.commands.reproduce.findings import Comparison

from ._tests import EPSILONS, KENDALL, KENDALL_REPAIRED, PRINTED, REPAIRED, RIDGE

SIZES = (200, 500)

Errors = Mapping[tuple[int, str, str], NDArray[np.float64]]
"""A share of tests by size, test and panel: at each ε, then without privacy."""


def comparisons(errors: Errors, noisy: Errors) -> tuple[Comparison, ...]:
    """Return what the paper says beside the errors and the shares of tests with noise."""

    def mean(n: int, test: str, panel: str) -> float:
        return float(errors[n, test, panel][:-1].mean())

    def ends(n: int, test: str, panel: str) -> str:
        own = errors[n, test, panel]
        return f"{own[0]:.2f}, {own[-2]:.2f}, {own[-1]:.2f}"

    few, many = SIZES
    bound = 2 * float(hsic_sensitivity_improved(few))
    falls = {
        test: [errors[n, test, "a"][0] - errors[n, test, "a"][-2] for n in SIZES]
        for test in (PRINTED, RIDGE)
    }

    def shares(panel: str, test: str) -> str:
        at = EPSILONS.index(1.0)
        return " and ".join(f"{float(noisy[n, test, panel][at]):.0%}" for n in SIZES)

    kendall = {p: [errors[n, KENDALL, p] for n in SIZES] for p in "ab"}
    exact = {test: [float(errors[n, test, "a"][-1]) for n in SIZES] for test in (PRINTED, RIDGE)}
    c = {(n, test): mean(n, test, "c") for n in SIZES for test in (PRINTED, KENDALL)}
    return (
        Comparison(
            "the type I error of RCIT in conditional tests falls as ε grows",
            "Figure 1 (a)",
            f"λ = 1, at ε = .1, 8, ∞: {ends(few, PRINTED, 'a')} with {few}, "
            f"{ends(many, PRINTED, 'a')} with {many}.",
            all(fall > 0.05 for fall in falls[PRINTED]),
            "With λ = 1 the ridge is m/2: residuals keep most of what Z explains, and the test "
            "without privacy rejects; only noise makes it accept.",
        ),
        Comparison(
            "the same, with a ridge of 1",
            "Figure 1 (a)",
            f"λ = 2/m, at ε = .1, 8, ∞: {ends(few, RIDGE, 'a')} with {few}, "
            f"{ends(many, RIDGE, 'a')} with {many}.",
            all(fall > 0.05 for fall in falls[RIDGE]),
            "The bound of equation (3) is then about "
            f"{rcit_sensitivity_printed(few, 2 / few, 1.0, 1.0):.2g} with {few} records, and no "
            f"score is above {score_range(few):.2f}: noise decides, and errs the other way too, "
            f"type II {mean(few, RIDGE, 'b'):.2f}.",
        ),
        Comparison(
            f"{many} records have a smaller type I error than {few} in conditional tests",
            "Figure 1 (a)",
            f"mean over ε, λ = 1: {mean(few, PRINTED, 'a'):.2f} with {few}, "
            f"{mean(many, PRINTED, 'a'):.2f} with {many}.",
            mean(many, PRINTED, "a") < mean(few, PRINTED, "a"),
            "What the ridge leaves in the residuals is seen the better the more records there are.",
        ),
        Comparison(
            "λ = 1 is a normal parameter setting for the regression",
            "Performance Evaluation",
            "type I error without privacy, given Z: with λ = 1 "
            f"{' and '.join(f'{e:.2f}' for e in exact[PRINTED])}, with λ = 2/m "
            f"{' and '.join(f'{e:.2f}' for e in exact[RIDGE])}.",
            # Twice the level leaves room for 100 repetitions.
            max(exact[PRINTED]) <= 0.1,
            "Equation (2) has λ/2 beside a mean over the records, so that λ = 1 is a ridge of m/2; "
            "where libraries say 1, it is λ = 2/m.",
        ),
        Comparison(
            "conditional Kendall's τ cannot handle unique values: type I error 1, type II 0",
            "Figure 1 (a), (b)",
            f"type I {np.mean(kendall['a']):.2f}, type II {np.mean(kendall['b']):.2f} at all ε.",
            bool(np.all(np.array(kendall["a"]) == 1) and np.all(np.array(kendall["b"]) == 0)),
        ),
        Comparison(
            f"the type II error of RCIT in conditional tests is very small, about .01 with {few}",
            "Figure 1 (b)",
            f"mean over ε: {mean(few, PRINTED, 'b'):.3f} with {few}, "
            f"{mean(many, PRINTED, 'b'):.3f} with {many}; repaired {mean(few, REPAIRED, 'b'):.2f} "
            f"and {mean(many, REPAIRED, 'b'):.2f}.",
            mean(few, PRINTED, "b") <= 0.02,
            f"At ε = 1 noise was used in {shares('b', PRINTED)} of the tests.",
        ),
        Comparison(
            f"in independence tests RCIT and Kendall err alike with {few} records, and Kendall "
            f"less with {many} (type I)",
            "Figure 1 (c)",
            f"mean over ε, RCIT and Kendall: {c[few, PRINTED]:.2f}, {c[few, KENDALL]:.2f} with "
            f"{few}; {c[many, PRINTED]:.2f}, {c[many, KENDALL]:.2f} with {many}.",
            abs(c[few, PRINTED] - c[few, KENDALL]) <= 0.1 and c[many, KENDALL] < c[many, PRINTED],
            f"At ε = 1 noise was used in {shares('c', PRINTED)} of RCIT's tests, in "
            f"{shares('c', KENDALL)} of Kendall's.",
        ),
        Comparison(
            f"the type II error of RCIT in independence tests stays at about 0 with {few} records",
            "Figure 1 (d)",
            f"at ε = .1, 8, ∞: {ends(few, PRINTED, 'd')}; repaired {ends(few, REPAIRED, 'd')}.",
            float(errors[few, PRINTED, "d"].max()) <= 0.02,
            f"Twice the bound of equation (4) is {bound:.2f} with {few} records, and no score is "
            f"above {score_range(few):.2f}: at ε = 1 noise was used in {shares('d', PRINTED)} of "
            "the tests.",
        ),
        Comparison(
            "RCIT has a far smaller type II error than Kendall in independence tests",
            "Figure 1 (d)",
            "mean over ε, RCIT and Kendall: "
            + "; ".join(
                f"{mean(n, PRINTED, 'd'):.2f}, {mean(n, KENDALL, 'd'):.2f} with {n}" for n in SIZES
            )
            + ".",
            all(mean(n, PRINTED, "d") < mean(n, KENDALL, "d") for n in SIZES),
            "It is so where RCIT's test is decided without noise: at ε = 1 noise was used in "
            f"{shares('d', PRINTED)} of RCIT's tests, in {shares('d', KENDALL)} of Kendall's. "
            "Repaired, Kendall errs less: "
            + "; ".join(
                f"{mean(n, REPAIRED, 'd'):.2f}, {mean(n, KENDALL_REPAIRED, 'd'):.2f} with {n}"
                for n in SIZES
            )
            + ".",
        ),
    )
