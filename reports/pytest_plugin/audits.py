"""The fixture ``audit_dp``: one audit of a test, within the test's share of alpha."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from provado.audit import AuditResult, audit, audit_one_run
from provado.mechanisms import (
    ExactlyDecidable,
    Mechanism,
    NeighboringRelation,
    PrivacyPromise,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.parameters import natural
from provado.reports.targets.proof_of_target import with_program
from provado.reports.tasks.repeat_command import explore_again
from provado.reports.text import power
from provado.reports.text.power import shows

from . import finding
from .marker import merged
from .one_run import few_runs
from .record import AUDIT, Record
from .repeat import in_python, run_again
from .seeds import call_seed
from .settings import Settings
from .shares import call_share, confidence_of
from .state import Fixture, note, state_of


class AuditDP(Fixture):
    """What a test gets as ``audit_dp``."""

    name = "audit_dp"

    def __init__(self, item: pytest.Item) -> None:
        super().__init__(item)
        self._first: int | None = None

    def __call__(
        self,
        mechanism: Any,
        *,
        epsilon: float | Fraction | None = None,
        delta: float | Fraction | None = None,
        promise: PrivacyPromise | None = None,
        pair: Any = None,
        data: Any = None,
        domain: Any = None,
        values: Sequence[Any] | None = None,
        relation: NeighboringRelation | str | None = None,
        arithmetic: str | None = None,
        samples: int | str | None = None,
        seconds: float | None = None,
        expect: str | None = None,
        calls: int | None = None,
        confidence: float | None = None,
        seed: int | None = None,
        time_limit: float | None = None,
        stop_early: bool | None = None,
        jobs: int | None = None,
        read: Callable[[Any], Any] | None = None,
        canaries: Any = None,
        instead: Any = None,
        score: Callable[[Any], Any] | None = None,
        guesses: int | None = None,
        threshold: float | None = None,
        runs: int | None = None,
        explore_runs: int | None = None,
        name: str | None = None,
    ) -> AuditResult:
        """Audit a claim of (ε, δ)-differential privacy, and fail the test unless it comes out well.

        mechanism, epsilon, delta, promise, pair, data, domain, values, relation, samples, seconds,
        stop_early, jobs, arithmetic, read, name: as in ``provado.audit.audit``. A
            ``provado.mechanisms.Mechanism`` brings its own claim, pairs and relation; a table that
            can be decided exactly is.
        canaries, instead, score, guesses, threshold, runs: as in
            ``provado.audit.audit_one_run``, which then makes the audit, by few runs with many
            interventions in each; ``data`` are the records that are always there.
            ``explore_runs`` is its ``explore``.
        expect: ``"no violation"`` (the default), or ``"violation"`` for a broken twin, which the
            test must find.
        calls: how many audits the test makes, so that they share its part of alpha equally. Without
            it the first gets nine tenths, and those after it less and less. More audits than were
            stated are refused.
        confidence: a stricter level than this call's share asks for; a looser one changes nothing.
        seed: instead of the one that follows from the session's seed, the test and the call.
        time_limit: seconds after which the audit is ``unknown``.

        Arguments that are left out come from the nearest marker ``dp``, then from the command line
        and the configuration file.

        Returns the result. The test fails on a violation, with the witness, and on ``unknown``,
        with the reason; with ``expect="violation"``, on anything else than a violation. It also
        fails where an argument breaks a rule, in one line.

        Guarantee: if all claims that are expected to hold do hold, the probability that any test
        of the session fails with a violation is at most 1 − the session's confidence.
        """
        __tracebackhide__ = True
        given = {k: v for k, v in locals().items() if k not in ("self", "mechanism")}
        given.pop("__tracebackhide__", None)
        try:
            record, result, message = self._audit(mechanism, given)
        except UsageError as error:
            raise self._misused(error) from None
        note(self._item, record)
        if not record.passed:
            pytest.fail(message)
        return result

    def _audit(self, mechanism: Any, given: dict[str, Any]) -> tuple[Record, AuditResult, str]:
        state, test = state_of(self._item.config), self._item.nodeid
        settings, number = state.settings, self._next()
        arguments = merged(self._item, given, ARGUMENTS)
        expected = _expected(arguments.pop("expect", None))
        share = self._share(test)
        alpha = _alpha(share, number, self._stated(number, arguments.pop("calls", None)))
        few, arguments = few_runs(arguments, given)
        budget, stated = ({}, True) if few else _budget(arguments, settings)
        if isinstance(mechanism, ExactlyDecidable) and "data" in arguments:
            raise UsageError("data: a table is decided for all of its neighbors; leave data out")
        wanted = arguments.pop("confidence", None)
        seed = arguments.pop("seed", None)
        limit = arguments.pop("time_limit", settings.time_limit)
        arguments |= budget
        arguments["confidence"] = confidence_of(alpha)
        if wanted is not None:
            # Outside of (0, 1) it is the audit's to refuse.
            arguments["confidence"] = _stricter(wanted, arguments["confidence"])
        arguments["seed"] = (
            call_seed(settings.seed, test, self.name, number) if seed is None else seed
        )
        call = audit_one_run if few else audit
        result = with_program(mechanism, arguments, call(mechanism, **arguments, time_limit=limit))
        passed = _passes(result, expected)
        samples = None if stated or not result.samples else result.samples_again
        again = run_again(self._item, settings, share=share, samples=samples)
        best = result.best
        asked = ", as expected" if passed and result.verdict is Verdict.VIOLATION else ""
        record = Record(
            kind=AUDIT,
            test=test,
            number=number,
            said=finding.sentence(result) + asked,
            verdict=str(result.verdict) + asked.replace(",", ""),
            passed=passed,
            replay=again,
            epsilon=result.epsilon if best or result.one_run else None,
            visible=_visible(result),
            share=share,
            limited=bool(result.limitations),
        )
        if passed:
            return record, result, ""
        if "seconds" in arguments and result.samples:
            arguments["samples"] = result.samples_again
            del arguments["seconds"]
            if explored := explore_again(result):
                arguments["explore"] = explored
        for key in ("samples", "seed", "confidence") if result.exact is not None else ():
            arguments.pop(key, None)
        here = in_python(result.name, {**arguments, "name": result.name}, call.__name__)
        twin = isinstance(mechanism, Mechanism) and mechanism.expected is Verdict.VIOLATION
        return record, result, finding.failure(result, expected, again, here, twin=twin)

    def _stated(self, number: int, calls: int | None) -> int | None:
        """Return the stated number of calls, which must be the same in all calls of a test."""
        if number == 1:
            self._first = calls
        elif calls != self._first:
            # Shares by two different rules could add up to more than the test has.
            raise UsageError(
                f"calls is {calls!r} here and {self._first!r} in the test's first audit: state the "
                "same number in each, or in the marker dp"
            )
        return calls

    def _share(self, test: str) -> float:
        try:
            return state_of(self._item.config).share(test)
        except ValueError as error:
            raise UsageError(str(error)) from None


ARGUMENTS = frozenset(inspect.signature(AuditDP.__call__).parameters) - {"self", "mechanism"}


def _expected(word: Any) -> Verdict:
    words = {
        None: Verdict.NO_VIOLATION,
        "no violation": Verdict.NO_VIOLATION,
        str(Verdict.NO_VIOLATION): Verdict.NO_VIOLATION,
        str(Verdict.VIOLATION): Verdict.VIOLATION,
    }
    if not (word is None or isinstance(word, str)) or word not in words:
        raise UsageError(f"expect is {word!r}: it must be 'no violation' or 'violation'")
    return words[word]


def _alpha(share: float, number: int, calls: int | None) -> float:
    if calls is not None and number > natural(calls, "calls"):
        raise UsageError(f"calls is {calls!r}: this is audit number {number} of the test")
    alpha = call_share(share, number, calls)
    if not confidence_of(alpha) < 1:
        raise UsageError(
            f"audit number {number} of the test has alpha {alpha:.3g}, too little for any: state "
            "the number of audits in the test with calls=…"
        )
    return alpha


def _budget(arguments: dict[str, Any], settings: Settings) -> tuple[dict[str, Any], bool]:
    """Return samples or seconds, and whether the test itself states the number of samples."""
    samples, seconds = arguments.pop("samples", None), arguments.pop("seconds", None)
    if samples is not None:
        return {"samples": samples}, True
    if seconds is not None and not settings.pinned:
        return {"seconds": seconds}, False
    if settings.samples is not None:
        return {"samples": settings.samples}, False
    return {"seconds": settings.seconds}, False


def _visible(result: AuditResult) -> float | None:
    best = result.best
    if (few := result.one_run) is not None:
        return few.visible_epsilon if power.guesses_show(few) else math.inf
    if best is None:
        return None
    return best.visible_epsilon if shows(best) else math.inf


def _stricter(wanted: Any, confidence: float) -> Any:
    inside = isinstance(wanted, int | float) and 0 < wanted < 1
    return max(wanted, confidence) if inside else wanted


def _passes(result: AuditResult, expected: Verdict) -> bool:
    if result.verdict is Verdict.UNKNOWN or (result.refuted and expected is not Verdict.VIOLATION):
        return False
    return (result.verdict is Verdict.VIOLATION) == (expected is Verdict.VIOLATION)
