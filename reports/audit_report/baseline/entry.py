"""What is kept of each audit of an earlier run: its claim, its verdict and two limits on ε."""

from __future__ import annotations

import math
from dataclasses import dataclass

from provado.audit.result import AuditResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.tasks.run import Run
from provado.reports.text.numbers import certified, up

from .limit import within_chance


@dataclass(frozen=True)
class Recorded:
    """One audit of the baseline.

    epsilon, delta: the claim; of a curve its parameter and 0. lower: the certified lower limit on
    ε, of a curve on its parameter, rounded down.
    upper: what another run may reach by chance, rounded up; infinite where the counts do not
    bound it.
    samples, seed: what replays it.
    """

    epsilon: float
    delta: float
    verdict: Verdict | ExactVerdict
    lower: float
    upper: float
    samples: int
    seed: int


@dataclass(frozen=True)
class Baseline:
    """Entries by name, and the confidence of the run that they come from."""

    confidence: float
    entries: dict[str, Recorded]


def baseline_of(run: Run) -> Baseline:
    """Return what is kept of a run, by name, sorted."""
    found = named(run)
    return Baseline(run.settings.confidence, {name: _entry(found[name]) for name in sorted(found)})


def named(run: Run) -> dict[str, AuditResult]:
    """Return the results by a name of their own: a second ``f`` of a run is ``f #2``."""
    found: dict[str, AuditResult] = {}
    for result in run.results:
        name, number = result.name, 1
        while name in found:
            number += 1
            name = f"{result.name} #{number}"
        found[name] = result
    return found


def _entry(result: AuditResult) -> Recorded:
    epsilon, delta = claimed(result)
    return Recorded(
        epsilon=epsilon,
        delta=delta,
        verdict=result.verdict,
        lower=_number(certified(result.lower, epsilon)),
        # Of a curve no limit from above is known.
        upper=_number(up(within_chance(result))) if result.curve is None else math.inf,
        samples=result.samples,
        seed=result.seed,
    )


def claimed(result: AuditResult) -> tuple[float, float]:
    """Return ε and δ of a claim; of a curve its parameter and 0, as the point tested may vary."""
    if result.curve is not None:
        return float(result.curve.parameter), 0.0
    return float(result.epsilon), float(result.delta)


def _number(text: str) -> float:
    return float(text.replace("∞", "inf"))
