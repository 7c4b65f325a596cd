"""Figure 1: errors of type I and II of RCIT and of conditional Kendall's τ against ε."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.proofs.ledger.zhang2023 import source
from provado.reports.commands.reproduce.experiment import Answers, Experiment, Part, Setting
from provado.reports.commands.reproduce.findings import Cell, Curve, Figure, Findings, Panel, Table
from provado.reports.commands.reproduce.sources.nonlinear_model import common_causes

from ._errors import SIZES, Errors, comparisons
from ._tests import EPSILONS, INFINITE, LOOKS, RIDGE, SETTINGS, TESTS, asked_of

REPETITIONS, QUICK_REPETITIONS, BLOCK, DRAWS = 100, 20, 10, 10

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
_GRID = (*EPSILONS, math.inf)


def parts(setting: Setting) -> Sequence[Part]:
    """One part a sample size and block of repetitions."""
    number = QUICK_REPETITIONS if setting.quick else REPETITIONS
    return [
        Part(f"{n}/{block}", {"n": n, "repetitions": BLOCK}, BLOCK * (0.03 + 0.13 * (n / 1e3)))
        for n in SIZES
        for block in range(number // BLOCK)
    ]


def panels_of(test: str) -> tuple[str, ...]:
    """Return the panels that a test has curves in: λ matters with a conditioning set only."""
    return tuple(p for p, (*_, given, _) in QUESTIONS.items() if given or test != RIDGE)


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return by test and panel how often it erred at each ε and without noise, and used noise."""
    wrong, noisy = (
        {test: {panel: np.zeros(len(_GRID)) for panel in panels_of(test)} for test in TESTS}
        for _ in range(2)
    )
    for _ in range(arguments["repetitions"]):
        columns = common_causes(arguments["n"], rng)
        data = numeric_columns(columns, ranges=_RANGES)
        for test, asked in asked_of(data, list(columns.values()), rng).items():
            for panel in panels_of(test):
                _, x, y, given, true = QUESTIONS[panel]
                for at, epsilon in enumerate(_GRID):
                    draws = 1 if math.isinf(epsilon) else DRAWS
                    for _ in range(draws):
                        found, used = asked.independent(x, y, given, epsilon, rng)
                        wrong[test][panel][at] += (found != true) / draws
                        noisy[test][panel][at] += used / draws
    return {"wrong": _lists(wrong), "noisy": _lists(noisy)}


def _lists(counts: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> dict[str, Any]:
    return {t: {p: np.round(v, 9).tolist() for p, v in own.items()} for t, own in counts.items()}


def findings(setting: Setting, answers: Answers) -> Findings:
    """Return the four panels for either size, the numbers, and the paper's statements."""
    number = QUICK_REPETITIONS if setting.quick else REPETITIONS
    errors, noisy = (_shares(answers, kind, number) for kind in ("wrong", "noisy"))
    settings = (
        ("records", " and ".join(map(str, SIZES))),
        ("repetitions", f"{number}, with {DRAWS} draws of the noise at each ε on each table"),
        ("ranges", "columns mapped to [−1, 1] by the ranges that the model allows"),
        *SETTINGS,
    )
    tables = tuple(_table(errors, noisy, n) for n in SIZES)
    return Findings(settings, tables, (_figure(errors),), comparisons(errors, noisy))


def _shares(answers: Answers, kind: str, number: int) -> Errors:
    found = {}
    for n in SIZES:
        own = [answer[kind] for key, answer in answers.items() if key.startswith(f"{n}/")]
        for test in TESTS:
            for panel in panels_of(test):
                found[n, test, panel] = np.sum([one[test][panel] for one in own], axis=0) / number
    return found


def _figure(errors: Errors) -> Figure:
    panels = []
    for panel, (title, *_) in QUESTIONS.items():
        for n in SIZES:
            curves = []
            for test in (t for t in TESTS if panel in panels_of(t)):
                color, dashed = LOOKS[test]
                y = tuple(errors[n, test, panel].tolist())
                curves.append(Curve(test, (*EPSILONS, INFINITE), y, color=color, dashed=dashed))
            words = f"({panel}) {title}, {n} records"
            where = f"ε; without privacy at {INFINITE:g}"
            panels.append(
                Panel(words, where, "error", tuple(curves), log_x=True, limits=(-0.03, 1.03))
            )
    caption = (
        "Errors of the tests against ε: dashed the repaired ones; an edge is kept where no test "
        "is asked."
    )
    return Figure("errors", caption, tuple(panels))


def _table(errors: Errors, noisy: Errors, n: int) -> Table:
    shown = (0, EPSILONS.index(1.0), len(EPSILONS) - 1, len(EPSILONS))
    rows: list[tuple[Cell, ...]] = [
        (
            panel,
            test,
            *(float(errors[n, test, panel][at]) for at in shown),
            float(noisy[n, test, panel][EPSILONS.index(1.0)]),
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
    return Table(f"errors{n}", caption, head, tuple(rows))


EXPERIMENT = Experiment(
    name="zhang2023/figure1",
    title="errors of RCIT and conditional Kendall's τ against ε",
    source=source("Figure 1, Simulation on Conditional Independence Test"),
    parts=parts,
    work=work,
    findings=findings,
)
