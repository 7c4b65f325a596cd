"""Results with counts that certify what they say, and a folder with something to audit."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provado.audit import AuditResult, Counts, PairResult, Witness, effect_sizes
from provado.audit.bounds import BoundMethod, epsilon_lower, mixture
from provado.audit.bounds.alpha_spending import RESERVE
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.events.features.feature import EventKind, EventSet
from provado.mechanisms import Verdict
from provado.mechanisms.definitions.mechanism import merge
from provado.reports.tasks.run import Record, Run, Settings

BETS = mixture(0.2, 1e-3, anytime=False)


def make_pair(
    counts: Counts, epsilon: float, *, index: int = 0, alpha: float = 0.05, delta: float = 0.0
) -> PairResult:
    # Of its share the binomial bound leaves what is kept for an experiment that is cut short.
    method = BoundMethod(alpha if delta else alpha * (1 - RESERVE), delta, BETS if delta else None)
    lower = epsilon_lower(counts, method)
    return PairResult(
        index=index,
        witness=Witness(
            "[0, 1, 1]", "[0, 1, 7]", "D′ = do(D[2] = 7)", "output ≤ 1", "output ≥ 3", ("0.5",)
        ),
        rule={"kind": "threshold", "low": 1.0, "high": 3.0},
        method=method,
        planned_trials=counts.trials,
        explored_trials=500,
        counts=counts,
        epsilon_lower=lower,
        detectable_epsilon=detectable_epsilon(counts, method, epsilon),
        effects=effect_sizes(counts),
        verdict=Verdict.VIOLATION if lower > epsilon else Verdict.NO_VIOLATION,
        checkpoints=grown(counts),
        event_kinds=(
            EventSet(EventKind.THRESHOLDS, ("output",)),
            EventSet(EventKind.INTERVALS, ("output",)),
        ),
    )


def grown(counts: Counts) -> tuple[Counts, ...]:
    """Return counts at all checkpoints, the trials in an order drawn at random."""
    cells = np.repeat(np.arange(6), counts.six if counts.trials < 10**7 else 0)
    np.random.default_rng(0).shuffle(cells)
    places = [n for n in (2**power for power in range(6, 24)) if n < len(cells)]
    steps = [Counts(*np.bincount(cells[:n], minlength=6).tolist()) for n in places]
    return (*steps, counts)


def make_result(name: str = "noisy", *pairs: PairResult, **fields: Any) -> AuditResult:
    given: dict[str, Any] = {
        "name": name,
        "verdict": merge(pair.verdict for pair in pairs),
        "reason": "" if pairs else "it broke",
        "epsilon": 1.0,
        "delta": 0.0,
        "confidence": 0.95,
        "seed": 0,
        "samples": 1000,
        "pairs": pairs,
    }
    return AuditResult(**{**given, **fields})


def make_run(*results: AuditResult) -> Run:
    return Run(
        "0.1.0",
        {"python": "3.11.0"},
        Settings(1000, None, 1 - 0.05 * max(len(results), 1), 0, 3600.0),
        tuple(Record(result, (f"x:{i}",), asked_of(result)) for i, result in enumerate(results)),
    )


def asked_of(result: AuditResult) -> Settings:
    """Return the settings that an audit of the run had, with its share of the confidence."""
    return Settings(1000, None, result.confidence, result.seed, 3600.0)


CLEAR = Counts(300, 150, 50, 150, 300, 50)
"""Right 600 times of 900: certifies about ε = .57."""

TELLING = Counts(450, 10, 40, 10, 450, 40)
"""Right 900 times of 920: certifies about ε = 3.4."""


@pytest.fixture(scope="session")
def clear() -> AuditResult:
    return make_result("clear", make_pair(CLEAR, 1.0))


@pytest.fixture(scope="session")
def violating() -> AuditResult:
    return make_result("violating", make_pair(TELLING, 1.0))


@pytest.fixture(scope="session")
def run(clear: AuditResult, violating: AuditResult) -> Run:
    approximate = make_result(
        "approximate",
        make_pair(CLEAR, 1.0, alpha=0.025, delta=1e-3),
        make_pair(TELLING, 1.0, index=1, alpha=0.025, delta=1e-3),
        delta=1e-3,
        expected=Verdict.VIOLATION,
        true_epsilon=math.inf,
        tags=("twin",),
        seedable=False,
    )
    return make_run(clear, violating, approximate, make_result("broken"))


TARGETS = '''
import random

CONSTANT = 3

def sound(data, *, size, rng):
    """Answers at random: private at any epsilon."""
    return rng.integers(0, 2, size=size)

def leaky(data, *, size, rng):
    return rng.random(size) < (0.99 if sum(data) > 1 else 0.01)

def raises(data):
    raise RuntimeError("boom\\nsecond line")

def prints(data, *, size, rng):
    print("chatter")
    return rng.integers(0, 2, size=size)

def crashes(data):
    import os
    os._exit(7)

def hangs(data):
    import time
    time.sleep(600)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder that holds ``targets_under_test.py`` and the datasets d0.json, d1.json."""
    (tmp_path / "targets_under_test.py").write_text(TARGETS)
    (tmp_path / "d0.json").write_text("[0, 1, 1]")
    (tmp_path / "d1.json").write_text("[0, 1, 0]")
    (tmp_path / "far.json").write_text("[1, 0, 0]")
    monkeypatch.chdir(tmp_path)
    # Another test's file of this name may be what Python knows by it.
    monkeypatch.delitem(sys.modules, "targets_under_test", raising=False)
    return tmp_path


@pytest.fixture
def files(folder: Path) -> Callable[[], set[str]]:
    """Tells which files have come into the folder since."""
    before = {str(file) for file in folder.rglob("*")}
    return lambda: {str(file) for file in folder.rglob("*")} - before


@pytest.fixture
def make() -> Callable[..., AuditResult]:
    return make_result


@pytest.fixture
def pair_of() -> Callable[..., PairResult]:
    return make_pair


@pytest.fixture
def run_of() -> Callable[..., Run]:
    return make_run
