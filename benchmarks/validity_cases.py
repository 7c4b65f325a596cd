"""What is run a thousand times: audits of sound mechanisms, baselines, whole runs of pytest."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import validity_mechanisms as sound
from provado.audit import AuditResult, audit
from provado.mechanisms import Verdict
from provado.reports.audit_report.baseline import baseline_of, compare
from provado.reports.tasks.run import Record, Run, Settings

ALARM, FINE = "alarm", ""
"""What a run comes to; anything else is the reason of an ``unknown``."""

SAMPLES = 512
"""Certifying trials of an audit: eight blocks, one for each of eight workers."""

NEAR_ZERO = 1e-6
"""A claim about output that ignores the data: the level is used where it is nearly its true ε."""

OF_PYTEST = 20
"""Audits in one run of pytest."""


@dataclass(frozen=True)
class Case:
    """A row of the table. run: from a seed to what came out. cost: its time beside an audit's."""

    name: str
    run: Callable[[int], str]
    cost: int = 1


def cases() -> tuple[Case, ...]:
    """Return all rows, in the order of the table."""
    return (*_plain(), *_holders(), *_baselines(), Case("pytest, 20 audits", _suite, OF_PYTEST))


def outcome(result: AuditResult) -> str:
    """Return what one audit comes to."""
    if result.verdict is Verdict.VIOLATION:
        return ALARM
    return FINE if result.verdict is Verdict.NO_VIOLATION else result.reason


def _plain() -> tuple[Case, ...]:
    one, far = (0, 1), (0.0, 1.0)
    bits, numbers = [(0, 1), (1, 0), (0, 1)], [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]
    early, eight = {"stop_early": True}, {"jobs": 8}
    of_gaussian = {"delta": sound.DELTA}
    nothing, of_event = {"epsilon": NEAR_ZERO}, {"delta": sound.EVENT}
    table: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        ("Laplace", sound.laplace, {"pair": far}),
        ("Laplace, three pairs", sound.laplace, {"pair": numbers}),
        ("Laplace, stopping early", sound.laplace, {"pair": far, **early}),
        ("Laplace, eight workers", sound.laplace, {"pair": far, **eight}),
        ("randomized response", sound.response, {"pair": one}),
        ("randomized response, three pairs", sound.response, {"pair": bits}),
        ("randomized response, stopping early", sound.response, {"pair": one, **early}),
        ("randomized response, eight workers", sound.response, {"pair": one, **eight}),
        ("Gaussian at its exact (ε, δ)", sound.exact_gaussian, {"pair": far, **of_gaussian}),
        (
            "Gaussian, three pairs, stopping early, eight workers",
            sound.exact_gaussian,
            {"pair": numbers, **of_gaussian, **early, **eight},
        ),
        ("event of D′ alone at its exact δ", sound.event, {"pair": one, **of_event, **nothing}),
        ("event of D alone at its exact δ", sound.event, {"pair": (1, 0), **of_event, **nothing}),
        (
            "event of D′ alone at its exact δ, stopping early",
            sound.event,
            {"pair": one, **of_event, **nothing, **early},
        ),
        (
            "event of D′ alone at its exact δ, sequential",
            sound.event,
            {"pair": one, **of_event, **nothing, "samples": f"auto:{SAMPLES}"},
        ),
        *(
            (f"{name} at its exact δ{how}", of, {"pair": one, **of_event, **nothing, **more})
            for name, of in (
                ("partition of D′ alone", sound.partition),
                ("exception of D′ alone", sound.fails),
            )
            for how, more in (("", {}), (", sequential", {"samples": f"auto:{SAMPLES}"}))
        ),
        ("event at its exact (1, δ)", sound.likelier_event, {"pair": one, **of_event}),
        (
            "event at its exact (1, δ), sequential",
            sound.likelier_event,
            {"pair": one, **of_event, "samples": f"auto:{SAMPLES}"},
        ),
        ("heavy ties", sound.heavy_ties, {"pair": far}),
        ("heavy ties, three pairs", sound.heavy_ties, {"pair": [far, far[::-1], far]}),
        ("20,000 values", sound.many_values, {"pair": one}),
        ("20,000 values, stopping early", sound.many_values, {"pair": one, **early}),
        ("output that ignores the data", sound.ignoring, {"pair": one, **nothing}),
        ("output that ignores the data, three pairs", sound.ignoring, {"pair": bits, **nothing}),
        (
            "output that ignores the data, stopping early",
            sound.ignoring,
            {"pair": one, **nothing, **early},
        ),
        ("vector that ignores the data", sound.ignoring_vector, {"pair": one, **nothing}),
    )
    return tuple(
        Case(name, functools.partial(_audit, mechanism, given)) for name, mechanism, given in table
    )


def _audit(mechanism: Any, given: dict[str, Any], seed: int) -> str:
    return outcome(audit(mechanism, **{"epsilon": 1.0, "samples": SAMPLES, "seed": seed} | given))


def _holders() -> tuple[Case, ...]:
    return tuple(
        Case(f"{name}, eight workers", functools.partial(_held, make))
        for name, make in sound.HOLDERS.items()
    )


def _held(make: Any, seed: int) -> str:
    """Audit a mechanism that gives one output a call, and by turns one that draws in batches."""
    form = (sound.OneACall, sound.InBatches)[seed % 2]
    return _audit(form(make(seed)), {"pair": (0, 1), "jobs": 8}, seed)


def _baselines() -> tuple[Case, ...]:
    return (
        Case("baseline, the claim far above", functools.partial(_rises, 2.0), 2),
        Case("baseline, the claim exact", functools.partial(_rises, 1.0), 2),
    )


def _rises(epsilon: float, seed: int) -> str:
    """Compare a run with a baseline that found no violation in the same mechanism."""
    given = {"epsilon": epsilon, "pair": (0.0, 1.0), "samples": SAMPLES, "name": "it"}
    for attempt in range(100):
        # Half of all seeds are for baselines; one with a violation would not be recorded.
        recorded = audit(sound.laplace, seed=2 * seed + 10**6 * attempt, **given)
        if recorded.verdict is not Verdict.VIOLATION:
            break
    result = audit(sound.laplace, seed=2 * seed + 1, **given)
    for one in (recorded, result):
        if one.verdict is Verdict.UNKNOWN:
            return one.reason
    differences = compare(_run_of(result), baseline_of(_run_of(recorded)))
    return ALARM if any(one.fails for one in differences) else FINE


def _run_of(result: AuditResult) -> Run:
    settings = Settings(SAMPLES, None, result.confidence, result.seed, 3600.0)
    return Run("0", {}, settings, (Record(result, (), settings),))


_TESTS = f"""
import pytest
from benchmarks.validity_mechanisms import response

@pytest.mark.parametrize("number", range({OF_PYTEST}))
def test_response(audit_dp, number):
    audit_dp(response, epsilon=1.0, pair=(0, 1))
"""


class _Reports:
    """Collects what failed in a run of pytest."""

    def __init__(self) -> None:
        self.passed, self.failed = 0, list[str]()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take note of a test's call."""
        if report.when == "call":
            self.passed += report.passed
        if report.failed:
            self.failed.append(report.longreprtext)


def _suite(seed: int) -> str:
    """Run pytest once in this process, on twenty audits of randomized response."""
    import pytest

    reports, here = _Reports(), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_it.py").write_text(_TESTS, encoding="utf-8")
        arguments = [
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
            "--import-mode=importlib",
        ]
        arguments += ["--provado-seed", str(seed), "--provado-samples", str(SAMPLES), folder]
        try:
            os.chdir(folder)
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                pytest.main(arguments, plugins=[reports])
        finally:
            os.chdir(here)
    if len(reports.failed) + reports.passed != OF_PYTEST:
        raise RuntimeError(f"not all tests were run: {printed.getvalue()[-2000:]}")
    if any(": violation, claimed ε" in text for text in reports.failed):
        return ALARM
    return reports.failed[0][-300:] if reports.failed else FINE
