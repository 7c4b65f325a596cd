"""Figure 1: errors of type I and II of RCIT and of conditional Kendall's τ against ε."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.independence_tests.margin import score_range
from provado.mechanisms.graph_discovery.independence_tests.rcit import rcit_sensitivity_printed
from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved
from provado.proofs.ledger.zhang2023 import source

from ... import experiment
from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope, under
from ...sources.networks import common_causes
from . import _paper as paper
from ._paper import EPSILONS, KENDALL, KENDALL_REPAIRED, PRINTED, REPAIRED, RIDGE, TESTS

SIZES = (200, 500)
REPETITIONS, BLOCK, DRAWS = (100, 20), 10, 10

QUESTIONS: Mapping[str, tuple[str, int, int, tuple[int, ...], bool]] = {
    "a": ("type I, X and Y given Z", 0, 1, (2, 3, 4, 5, 6), True),
    "b": ("type II, X and Y given all of Z but one", 0, 1, (2, 3, 4, 5), False),
    "c": ("type I, two of Z", 2, 3, (), True),
    "d": ("type II, X and Y", 0, 1, (), False),
}
"""By panel: what is tested, two columns, the conditioning columns, whether they are independent.

The columns are x, y, z1, …, z5.
"""

_RANGES = {**dict.fromkeys("xy", (-1.5, 1.5)), **{f"z{i}": (-0.5, 0.5) for i in range(1, 6)}}

Errors = Mapping[tuple[int, str, str], NDArray[np.float64]]
"""A share of tests by size, test and panel: at each ε, then without privacy."""


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a sample size and block of repetitions."""
    return [
        Piece(f"{n}/{block}", {"n": n, "repetitions": BLOCK}, BLOCK * (0.03 + 0.13 * (n / 1e3)))
        for n in SIZES
        for block in range(setting.of(REPETITIONS) // BLOCK)
    ]


def panels_of(test: str) -> tuple[str, ...]:
    """Return the panels that a test has curves in: λ matters with a conditioning set only."""
    return tuple(p for p, (*_, given, _) in QUESTIONS.items() if given or test != RIDGE)


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return by test and panel how often it erred at each ε and without noise, and used noise."""
    counts = {
        kind: {
            test: {panel: np.zeros(len(paper.GRID)) for panel in panels_of(test)} for test in TESTS
        }
        for kind in ("wrong", "noisy")
    }
    for _ in range(arguments["repetitions"]):
        columns = common_causes(arguments["n"], rng)
        data = numeric_columns(columns, ranges=_RANGES)
        for test, independence_test in paper.asked_of(data, list(columns.values()), rng).items():
            for panel in panels_of(test):
                _, x, y, given, true = QUESTIONS[panel]
                for at, epsilon in enumerate(paper.GRID):
                    draws = 1 if math.isinf(epsilon) else DRAWS
                    for _ in range(draws):
                        found, used = independence_test.independent(x, y, given, epsilon, rng)
                        counts["wrong"][test][panel][at] += (found != true) / draws
                        counts["noisy"][test][panel][at] += used / draws
    return {
        kind: {t: {p: np.round(v, 9).tolist() for p, v in own.items()} for t, own in of.items()}
        for kind, of in counts.items()
    }


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return the four panels for either size, the numbers, and the paper's statements."""
    number = setting.of(REPETITIONS)
    cases = [(n, test, p) for n in SIZES for test in TESTS for p in panels_of(test)]

    def shares(kind: str, n: int, test: str, p: str) -> NDArray[np.float64]:
        own = under(answers, str(n)).values()
        return np.asarray(np.sum([a[kind][test][p] for a in own], axis=0) / number)

    errors, noisy = ({c: shares(kind, *c) for c in cases} for kind in ("wrong", "noisy"))
    settings = (
        ("records", " and ".join(map(str, SIZES))),
        ("repetitions", f"{number}, with {DRAWS} draws of the noise at each ε on each table"),
        ("ranges", "columns mapped to [−1, 1] by the ranges that the model allows"),
        *paper.SETTINGS,
    )
    panels = [
        paper.panel(
            f"({p}) {title}, {n} records",
            "error",
            {test: errors[n, test, p] for test in TESTS if p in panels_of(test)},
        )
        for p, (title, *_) in QUESTIONS.items()
        for n in SIZES
    ]
    caption = (
        "Errors of the tests against ε: dashed the repaired ones; an edge is kept where no test "
        "is asked."
    )
    tables = [_table(errors, noisy, n) for n in SIZES]
    claims = (*_conditional(errors, noisy), *_unconditional(errors, noisy))
    return Findings(settings, tables, [experiment.Figure("errors", caption, panels)], claims)


def _table(errors: Errors, noisy: Errors, n: int) -> PaperTable:
    one = EPSILONS.index(1.0)
    rows: list[experiment.Cells] = [
        (
            panel,
            test,
            *(float(errors[n, test, panel][at]) for at in (0, one, -2, -1)),
            float(noisy[n, test, panel][one]),
        )
        for panel in QUESTIONS
        for test in TESTS
        if panel in panels_of(test)
    ]
    caption = (
        f"Errors with {n} records by panel of the figure, and the share of tests that were decided "
        "with noise at ε = 1: the printed rule uses none far from the level."
    )
    head = ("panel", "test", "ε = .1", "ε = 1", "ε = 8", "∞", "with noise")
    return PaperTable(f"errors{n}", caption, head, rows)


def _mean(errors: Errors, n: int, test: str, panel: str) -> float:
    return float(errors[n, test, panel][:-1].mean())


def _ends(errors: Errors, n: int, test: str, panel: str) -> str:
    own = errors[n, test, panel]
    return f"{own[0]:.2f}, {own[-2]:.2f}, {own[-1]:.2f}"


def _shares(noisy: Errors, panel: str, test: str) -> str:
    at = EPSILONS.index(1.0)
    return " and ".join(f"{float(noisy[n, test, panel][at]):.0%}" for n in SIZES)


def _conditional(errors: Errors, noisy: Errors) -> tuple[PaperClaim, ...]:
    """Return what the paper says of tests given Z: panels (a) and (b)."""
    (few, many), mean, ends = SIZES, partial(_mean, errors), partial(_ends, errors)
    falls = {
        test: [errors[n, test, "a"][0] - errors[n, test, "a"][-2] for n in SIZES]
        for test in (PRINTED, RIDGE)
    }
    kendall = {p: [errors[n, KENDALL, p] for n in SIZES] for p in "ab"}
    exact = {test: [float(errors[n, test, "a"][-1]) for n in SIZES] for test in (PRINTED, RIDGE)}
    return (
        PaperClaim(
            "the type I error of RCIT in conditional tests falls as ε grows",
            "Figure 1 (a)",
            f"λ = 1, at ε = .1, 8, ∞: {ends(few, PRINTED, 'a')} with {few}, "
            f"{ends(many, PRINTED, 'a')} with {many}.",
            all(fall > 0.05 for fall in falls[PRINTED]),
            "With λ = 1 the ridge is m/2: residuals keep most of what Z explains, and the test "
            "without privacy rejects; only noise makes it accept.",
        ),
        PaperClaim(
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
        PaperClaim(
            f"{many} records have a smaller type I error than {few} in conditional tests",
            "Figure 1 (a)",
            f"mean over ε, λ = 1: {mean(few, PRINTED, 'a'):.2f} with {few}, "
            f"{mean(many, PRINTED, 'a'):.2f} with {many}.",
            mean(many, PRINTED, "a") < mean(few, PRINTED, "a"),
            "What the ridge leaves in the residuals is seen the better the more records there are.",
        ),
        PaperClaim(
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
        PaperClaim(
            "conditional Kendall's τ cannot handle unique values: type I error 1, type II 0",
            "Figure 1 (a), (b)",
            f"type I {np.mean(kendall['a']):.2f}, type II {np.mean(kendall['b']):.2f} at all ε.",
            bool(np.all(np.array(kendall["a"]) == 1) and np.all(np.array(kendall["b"]) == 0)),
        ),
        PaperClaim(
            f"the type II error of RCIT in conditional tests is very small, about .01 with {few}",
            "Figure 1 (b)",
            f"mean over ε: {mean(few, PRINTED, 'b'):.3f} with {few}, "
            f"{mean(many, PRINTED, 'b'):.3f} with {many}; repaired {mean(few, REPAIRED, 'b'):.2f} "
            f"and {mean(many, REPAIRED, 'b'):.2f}.",
            mean(few, PRINTED, "b") <= 0.02,
            f"At ε = 1 noise was used in {_shares(noisy, 'b', PRINTED)} of the tests.",
        ),
    )


def _unconditional(errors: Errors, noisy: Errors) -> tuple[PaperClaim, ...]:
    """Return what the paper says of independence tests: panels (c) and (d)."""
    (few, many), shares = SIZES, partial(_shares, noisy)
    mean, ends = partial(_mean, errors), partial(_ends, errors)
    bound = 2 * float(hsic_sensitivity_improved(few))
    c = {(n, test): mean(n, test, "c") for n in SIZES for test in (PRINTED, KENDALL)}
    return (
        PaperClaim(
            f"in independence tests RCIT and Kendall err alike with {few} records, and Kendall "
            f"less with {many} (type I)",
            "Figure 1 (c)",
            f"mean over ε, RCIT and Kendall: {c[few, PRINTED]:.2f}, {c[few, KENDALL]:.2f} with "
            f"{few}; {c[many, PRINTED]:.2f}, {c[many, KENDALL]:.2f} with {many}.",
            abs(c[few, PRINTED] - c[few, KENDALL]) <= 0.1 and c[many, KENDALL] < c[many, PRINTED],
            f"At ε = 1 noise was used in {shares('c', PRINTED)} of RCIT's tests, in "
            f"{shares('c', KENDALL)} of Kendall's.",
        ),
        PaperClaim(
            f"the type II error of RCIT in independence tests stays at about 0 with {few} records",
            "Figure 1 (d)",
            f"at ε = .1, 8, ∞: {ends(few, PRINTED, 'd')}; repaired {ends(few, REPAIRED, 'd')}.",
            float(errors[few, PRINTED, "d"].max()) <= 0.02,
            f"Twice the bound of equation (4) is {bound:.2f} with {few} records, and no score is "
            f"above {score_range(few):.2f}: at ε = 1 noise was used in {shares('d', PRINTED)} of "
            "the tests.",
        ),
        PaperClaim(
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


EXPERIMENT = Experiment(
    "zhang2023/figure1",
    "errors of RCIT and conditional Kendall's τ against ε",
    source("Figure 1, Simulation on Conditional Independence Test"),
    *(parts, work, findings),
)
