"""The fixture ``audit_dp``: one audit of a test, within its share of alpha, and its words."""

import math
from collections.abc import Mapping
from typing import Any

import pytest

from provado.audit import AuditResult, audit, audit_one_run
from provado.audit.bounds.alpha_spending import call_share, confidence_of
from provado.audit.options.declaration import EXCLUSIVE, OF_PAIRS, OF_RUNS, ONE_RUN, PAIRS, taken_by
from provado.mechanisms import ExactlyDecidable, ExactVerdict, Mechanism, UsageError, Verdict
from provado.mechanisms.definitions.parameters import natural
from provado.reports.config.plan import check_relation
from provado.reports.pytest_plugin import state as plugin
from provado.reports.pytest_plugin.settings import SessionSettings, in_python, run_again
from provado.reports.targets.proof_of_target import with_program
from provado.reports.tasks.run import explore_again
from provado.reports.text import power, sentences
from provado.reports.text.formatting import clean, hint
from provado.reports.text.power import power_of, shows
from provado.reports.text.redact import redact
from provado.reports.text.sentences import searched


def sentence(result: AuditResult) -> str:
    """Return the finding on one line, and what it is worth where no violation was found."""
    said = f"{result.name}: {sentences.headline(result)}"
    worth = " ".join(filter(None, (*result.limitations, power_of(result), searched(result))))
    return clean(f"{said}. {worth}" if worth else said)


def failure(result: AuditResult, expected: Verdict, again: str, here: str, *, twin: bool) -> str:
    """Return why the test fails: the finding, the witness, and two ways to repeat it.

    again: the command that runs the test again; here: the same audit in Python. twin: the mechanism
    itself says that it is broken.
    """
    first = f"{result.name}: {sentences.headline(result)}"
    if expected is Verdict.VIOLATION and result.verdict is not Verdict.UNKNOWN:
        first += "; a violation was expected"
    lines = [first, *sentences.finding(result)]
    best = result.best
    if best is not None and not isinstance(result.verdict, ExactVerdict):
        lines.append(f"{sentences.bound(best.method, result.confidence).capitalize()}.")
        if best.witness.examples_d or best.witness.examples_d_prime:
            lines.append(_examples(result))
    if twin and result.verdict is Verdict.VIOLATION:
        lines.append("The mechanism states that it is broken: expected='violation' asks for this.")
    lines += [f"Reproduce: {again}", *([f"In Python: {here}"] if here else [])]
    return "\n".join(map(clean, lines))


def _examples(result: AuditResult) -> str:
    assert result.witness is not None
    both = ("D", result.witness.examples_d), ("D′", result.witness.examples_d_prime)
    parts = [f"on {seen[0]} it guesses {name}" for name, seen in both if seen]
    return f"For example, {' and '.join(parts)}."


class AuditDP(plugin.Fixture):
    """What a test gets as ``audit_dp``."""

    name = "audit_dp"

    def __init__(self, item: pytest.Item) -> None:
        super().__init__(item)
        self._first: int | None = None

    def __call__(self, mechanism: Any, **keywords: Any) -> AuditResult:
        """Audit a claim of (ε, δ)-differential privacy, and fail the test unless it comes out well.

        mechanism, and the keywords of ``provado.audit.audit`` that are options of the command, and
            ``name``: as there. A ``provado.mechanisms.Mechanism`` brings its own claim, pairs and
            relation; a table that can be decided exactly is.
        canaries, replacements, score, guesses, threshold, runs: as in
            ``provado.audit.audit_one_run``, which then makes the audit, by few runs with many
            interventions in each; ``data`` are the records that are always there.
            ``explore_runs`` is its ``explore``.
        expected: ``"no violation found"`` (the default), or ``"violation"`` for a broken twin,
            which the test must find.
        calls: how many audits the test makes, so that they share its part of alpha equally. Without
            it the first gets nine tenths, and those after it less and less. More audits than were
            stated are refused.
        confidence: a stricter level than this call's share asks for; a looser one changes nothing.
        seed: instead of the one that follows from the session's seed, the test and the call.
        time_limit: seconds after which the audit is ``unknown``.

        Arguments that are left out come from the nearest marker ``dp``, then from the command line
        and the configuration file.

        Returns the result. The test fails on a violation, with the witness, and on ``unknown``,
        with the reason; with ``expected="violation"``, on anything else than a violation. It also
        fails where an argument breaks a rule, in one line.

        Guarantee: if all claims that are expected to hold do hold, the probability that any test
        of the session fails with a violation is at most 1 − the session's confidence.
        """
        __tracebackhide__ = True
        for name in keywords.keys() - ARGUMENTS.keys():
            more = hint(name, ARGUMENTS)
            raise TypeError(f"{self.name}() got an unexpected keyword argument {name!r}{more}")
        arguments = {name: keywords[name] for name in ARGUMENTS if name in keywords}
        try:
            record, result, message = self._audit(mechanism, arguments)
        except UsageError as error:
            raise self._misused(error) from None
        plugin.note(self._item, record)
        if not record.passed:
            pytest.fail(message)
        return result

    def _audit(
        self, mechanism: Any, given: dict[str, Any]
    ) -> tuple[plugin.CallRecord, AuditResult, str]:
        state, test = plugin.state_of(self._item.config), self._item.nodeid
        settings, number = state.settings, self._next()
        arguments = merged(self._item, given, frozenset(ARGUMENTS))
        expected = _expected(arguments.pop("expected", None))
        share = self._share(test)
        alpha = _alpha(share, number, self._stated(number, arguments.pop("calls", None)))
        few, arguments = one_run_arguments(arguments, given)
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
            inside = isinstance(wanted, int | float) and 0 < wanted < 1
            arguments["confidence"] = max(wanted, confidence_of(alpha)) if inside else wanted
        arguments["seed"] = (
            plugin.call_seed(settings.seed, test, self.name, number) if seed is None else seed
        )
        call = audit_one_run if few else audit
        result = with_program(mechanism, arguments, call(mechanism, **arguments, time_limit=limit))
        result = redact(result) if settings.redact else result
        passed = _passes(result, expected)
        samples = None if stated or not result.samples else result.replay_samples
        again = run_again(self._item, settings, share=share, samples=samples)
        best = result.best
        asked = ", as expected" if passed and result.verdict is Verdict.VIOLATION else ""
        record = plugin.CallRecord(
            kind=plugin.AUDIT,
            test=test,
            number=number,
            said=sentence(result) + asked,
            verdict=str(result.verdict) + asked.replace(",", ""),
            passed=passed,
            replay=again,
            epsilon=result.epsilon if best or result.one_run else None,
            detectable=_detectable(result),
            share=share,
            limited=bool(result.limitations),
        )
        if passed:
            return record, result, ""
        if "seconds" in arguments and result.samples:
            arguments["samples"] = result.replay_samples
            del arguments["seconds"]
            if explored := explore_again(result):
                arguments["explore"] = explored
        for key in ("samples", "seed", "confidence") if result.exact is not None else ():
            arguments.pop(key, None)
        here = (
            ""
            if settings.redact
            else in_python(result.name, {**arguments, "name": result.name}, call.__name__)
        )
        twin = isinstance(mechanism, Mechanism) and mechanism.expected is Verdict.VIOLATION
        return record, result, failure(result, expected, again, here, twin=twin)

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
            return plugin.state_of(self._item.config).share(test)
        except ValueError as error:
            raise UsageError(str(error)) from None


ARGUMENTS = dict.fromkeys(
    (
        *(option.name for option in taken_by(PAIRS, ONE_RUN) if option.keyword != "relation"),
        *("expected", "calls", "name"),
    )
)
"""The keywords of the fixture, in their order."""


def _expected(word: Any) -> Verdict:
    words = {
        None: Verdict.NO_VIOLATION,
        str(Verdict.NO_VIOLATION): Verdict.NO_VIOLATION,
        str(Verdict.VIOLATION): Verdict.VIOLATION,
    }
    if not (word is None or isinstance(word, str)) or word not in words:
        raise UsageError(f"expected is {word!r}: it must be 'no violation found' or 'violation'")
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


def _budget(arguments: dict[str, Any], settings: SessionSettings) -> tuple[dict[str, Any], bool]:
    """Return samples or seconds, and whether the test itself states the number of samples."""
    samples, seconds = arguments.pop("samples", None), arguments.pop("seconds", None)
    if samples is not None:
        return {"samples": samples}, True
    if seconds is not None and not settings.pinned:
        return {"seconds": seconds}, False
    if settings.samples is not None:
        return {"samples": settings.samples}, False
    return {"seconds": settings.seconds}, False


def _detectable(result: AuditResult) -> float | None:
    best = result.best
    if (few := result.one_run) is not None:
        return few.detectable_epsilon if power.guesses_show(few) else math.inf
    if best is None:
        return None
    return best.detectable_epsilon if shows(best) else math.inf


def _passes(result: AuditResult, expected: Verdict) -> bool:
    if result.verdict is Verdict.UNKNOWN or (
        result.refuted_exactly and expected is not Verdict.VIOLATION
    ):
        return False
    return (result.verdict is Verdict.VIOLATION) == (expected is Verdict.VIOLATION)


EXCLUDES = {
    key: other
    for one, two in EXCLUSIVE
    if {one, two} <= {"pair", "data", "samples", "seconds", "promise", "epsilon"}
    for key, other in ((one, two), (two, one))
}
"""Arguments of which a call has one: the nearer to the call wins."""


def merged(item: pytest.Item, call: dict[str, Any], allowed: frozenset[str]) -> dict[str, Any]:
    """Return a call's arguments over the defaults of the markers, the nearest marker first.

    ``None`` is an argument that was not given. Raises ``UsageError`` for a marker with a key that
    is not ``allowed``, naming the nearest one that is, and for two arguments of one call of which
    it can have one.
    """
    layers = [call]
    for mark in item.iter_markers(plugin.MARKER):
        if mark.args:
            raise UsageError(
                f"marker {plugin.MARKER}: its arguments are keywords, such as epsilon=1.0"
            )
        for key in mark.kwargs:
            if key not in allowed:
                known = hint(key, sorted(allowed))
                raise UsageError(f"marker {plugin.MARKER}: there is no {key!r}{known}")
        layers.append(dict(mark.kwargs))
    result: dict[str, Any] = {}
    for layer in layers:
        arguments = {key: value for key, value in layer.items() if value is not None}
        for key, other in EXCLUDES.items():
            if key in arguments and other in arguments:
                raise UsageError(f"{key} and {other} are both given: an audit takes one of them")
        for key, value in arguments.items():
            if EXCLUDES.get(key) not in result:
                result.setdefault(key, value)
    return result


def one_run_arguments(
    arguments: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[bool, dict[str, Any]]:
    """Return whether there are canaries; return the arguments that then, or else, are of use.

    arguments: of the call over those of markers. given: of the call alone. Raises ``UsageError``
    for an argument of the one kind of audit in a call of the other.
    """
    if arguments.get("canaries") is None:
        for option in OF_RUNS[1:]:
            if given.get(option.name) is not None:
                raise UsageError(
                    f"{option.name} is given: it belongs to canaries, and there are none"
                )
        aside = {item.name for item in OF_RUNS}
        return False, {name: value for name, value in arguments.items() if name not in aside}
    for option in OF_PAIRS:
        if given.get(option.name) is not None:
            raise UsageError(
                f"{option.name} and canaries are both given: {option.name} is for audits of pairs"
            )
    check_relation(given.get("relation"), arguments.get("replacements"))
    aside = {"relation", *(item.name for item in OF_PAIRS)}
    aside |= set() if given.get("data") is not None else {"data"}
    result = {name: value for name, value in arguments.items() if name not in aside}
    if "explore_runs" in result:
        result["explore"] = result.pop("explore_runs")
    return True, result
