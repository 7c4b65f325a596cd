"""The fixtures beside ``audit_dp``: sensitivities, the ledger, counterfactual replays and proofs.

What each of them needs is imported when a test first calls it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from provado.mechanisms import NeighboringRelation, PrivacyPromise, UsageError
from provado.reports.text.formatting import clean

from . import state
from .settings import run_again

if TYPE_CHECKING:
    from provado.audit.experiments.replay import Replay
    from provado.proofs.ledger import Decision, LedgerVerdict
    from provado.proofs.programs.decide import ProgramDecision
    from provado.proofs.releases import ReleaseDecision
    from provado.proofs.sensitivity import SensitivityCheck

LONGEST = 600
"""Characters of one finding in a failing test; ``provado verify`` shows the whole."""


class CheckFixture(state.Fixture):
    """A fixture that draws no samples that count, so that no share of alpha is spent."""

    def _seed(self, seed: int | None, number: int) -> int:
        """Return the seed given, or the one of this call in the session."""
        if seed is not None:
            return seed
        session = state.state_of(self._item.config).settings.seed
        return state.call_seed(session, self._item.nodeid, self.name, number)

    def _limit(self, time_limit: float | None) -> float:
        own = state.state_of(self._item.config).settings.time_limit
        return own if time_limit is None else time_limit

    def _again(self) -> str:
        """Return the command that runs the test again."""
        settings = state.state_of(self._item.config).settings
        return run_again(self._item, settings, share=None, samples=None)

    def _report(self, kind: str, number: int, sentence: str, verdict: str, passed: bool) -> None:
        """Note what a call found."""
        what = kind, self._item.nodeid, number, clean(sentence), verdict, passed, self._again()
        state.note(self._item, state.CallRecord(*what))

    def _fail(self, lines: Sequence[str]) -> None:
        """Fail the test with these lines, and the command that runs it again."""
        __tracebackhide__ = True
        pytest.fail("\n".join(map(clean, [*lines, f"Reproduce: {self._again()}"])))


def _one_of(expected: str, known: Collection[str]) -> str:
    """Return the verdict that is expected; raise ``UsageError`` where it is none of these."""
    if expected not in known:
        raise UsageError(f"expected is {expected!r}: it must be one of {', '.join(known)}")
    return expected


class SensitivityDP(CheckFixture):
    """What a test gets as ``sensitivity_dp``."""

    name = "sensitivity_dp"

    def __call__(
        self,
        score: Any,
        claimed: Any,
        *,
        expected: str | None = None,
        seed: int | None = None,
        time_limit: float | None = None,
        **arguments: Any,
    ) -> SensitivityCheck:
        """Check that ``score`` moves by at most ``claimed`` between neighbors, or fail the test.

        score, claimed, arguments: as in ``provado.proofs.check_sensitivity`` (``domain``, ``size``,
            ``relation``, ``exact``, ``make``, ``examples``, ``most_pairs``).
        expected: a verdict that it must be: ``"verified"`` (every pair of a finite domain was
            tried), ``"supported"`` or, for a broken twin, ``"refuted"``. By default either of the
            first two.
        seed: of a search; by default it follows from the session's seed, the test and the call.
        time_limit: seconds after which the check is given up and the test fails.

        Returns the check. The test fails with the counterexample in words where the claim is
        refuted, with the reason where the check broke, and in one line on a wrong argument.
        """
        __tracebackhide__ = True
        from provado.audit.workers.time_limits import NoAnswerError, watched
        from provado.proofs.sensitivity import SensitivityVerdict, check_sensitivity

        number, limit = self._next(), self._limit(time_limit)
        name = clean(str(getattr(score, "__qualname__", type(score).__qualname__)))
        holds = [str(SensitivityVerdict.VERIFIED), str(SensitivityVerdict.SUPPORTED)]
        known = [*holds, str(SensitivityVerdict.REFUTED)]
        try:
            wanted = holds if expected is None else [_one_of(expected, known)]
            arguments["seed"] = self._seed(seed, number)
            with watched(limit) as watch, watch.learning():
                check = check_sensitivity(score, claimed, **arguments)
        except UsageError as error:
            raise self._misused(error) from None
        except NoAnswerError as error:
            if error.interrupted:
                raise KeyboardInterrupt from None
            raise pytest.fail.Exception(f"{name}: unknown: no answer within {limit:g} s") from None
        passed = str(check.verdict) in wanted
        claim = "as claimed" if callable(claimed) else f"at most {claimed}"
        first = f"{name}, sensitivity {claim}: {check.verdict}"
        sentence = f"{first} ({check.scope})"
        self._report(state.SENSITIVITY, number, sentence, str(check.verdict), passed)
        if not passed:
            first = first if expected is None else f"{first}; expected: {expected}"
            self._fail([first, *check.words().splitlines()])
        return check


class LedgerDP(CheckFixture):
    """What a test gets as ``ledger_dp``."""

    name = "ledger_dp"

    def __call__(
        self, *ids: str, expected: str | None = None, time_limit: float | None = None
    ) -> tuple[Decision, ...]:
        """Decide entries of the ledger from their evidence, or fail the test.

        ids: entries as ``provado verify`` takes them: ``"kusner2016/thm2"``, or a glob. One of them
            at least.
        expected: the verdict that each of them must have, such as ``"refuted"``; by default each
            must have the one that is recorded with it.
        time_limit: seconds after which an entry is ``unknown``. Each is decided in a process of its
            own, so that one that hangs or crashes does no more than fail.

        Returns the decisions, in the ledger's order. The test fails with the argument of each entry
        whose verdict is another, and in one line where an id is wrong.
        """
        __tracebackhide__ = True
        from provado.proofs.ledger import LedgerVerdict, ledger
        from provado.reports.ledger.run import choose, decide_all
        from provado.reports.ledger.words import verdict

        known = [str(v) for v in LedgerVerdict if v is not LedgerVerdict.UNKNOWN]
        try:
            wanted = None if expected is None else LedgerVerdict(_one_of(expected, known))
            if not ids:
                raise UsageError("no entry was named; one such as 'kusner2016/thm2' is needed")
            decisions = decide_all(choose(ledger(ids), ids), 1, time_limit=self._limit(time_limit))
        except UsageError as error:
            raise self._misused(error) from None
        wrong = []
        for decision in decisions:
            passed = decision.as_expected if wanted is None else decision.verdict is wanted
            sentence = f"{decision.entry.id}: {verdict(decision)}"
            self._report(state.LEDGER, self._next(), sentence, str(decision.verdict), passed)
            if not passed:
                wrong += _argued(decision, wanted)
        if wrong:
            self._fail(wrong)
        return decisions


def _argued(decision: Decision, wanted: LedgerVerdict | None) -> list[str]:
    """Return a decision with its argument, as lines."""
    from provado.reports.ledger.words import Shortening, argument, verdict

    command = f"provado verify {decision.entry.id}"
    first = f"{decision.entry.id}: {verdict(decision)}"
    lines = [first if wanted is None else f"{first}; expected: {wanted}"]
    for part in argument(decision, Shortening(LONGEST, command)):
        lines += [f"{part.title}: {part.text}"] if part.text else []
        lines += [f"{part.title}: {step}" for step in part.steps]
    return [*lines, f"The whole argument: {command}"]


class ReplayDP(CheckFixture):
    """What a test gets as ``replay_dp``."""

    name = "replay_dp"

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
        expected: str | None = None,
        seed: int | None = None,
        time_limit: float | None = None,
        name: str | None = None,
    ) -> Replay:
        """Run a mechanism twice under the same noise, one data point changed, or fail the test.

        mechanism, epsilon, delta, promise, pair, data, domain, values, relation, time_limit, name:
            as in ``provado.audit.replay``.
        expected: ``"nothing"`` (the default), or the kind of a finding that a broken twin must
            have, such as ``"budget"`` or ``"noise scale"``.
        seed: of the noise; by default it follows from the session's seed, the test and the call.

        Returns the replay. The test fails on a finding, with its line and the event to audit, and
        where the mechanism could not be replayed. A replay has no false alarm by chance, and no
        share of the session's: it is no verdict either.
        """
        __tracebackhide__ = True
        arguments = dict(locals())
        for own in ("self", "mechanism", "expected", "__tracebackhide__"):
            arguments.pop(own, None)
        from provado.audit.experiments.replay import FindingKind, replay
        from provado.reports.commands.replay.words import lines
        from provado.reports.text.formatting import counted

        number = self._next()
        known = ["nothing", *(str(kind) for kind in FindingKind)]
        arguments |= {"seed": self._seed(seed, number), "time_limit": self._limit(time_limit)}
        try:
            wanted = "nothing" if expected is None else _one_of(expected, known)
            result = replay(mechanism, **arguments)
        except UsageError as error:
            raise self._misused(error) from None
        kinds = {str(finding.kind) for finding in result.findings}
        passed = result.completed and (not kinds if wanted == "nothing" else wanted in kinds)
        verdict = ", ".join(sorted(kinds)) if kinds else "nothing found"
        verdict = verdict if result.completed or kinds else "not completed"
        pairs = counted(len(result.pairs), "pair")
        sentence = clean(f"{result.name}, counterfactual replay of {pairs}: {verdict}")
        self._report(state.REPLAY, number, sentence, verdict, passed)
        if not passed:
            first = sentence if wanted == "nothing" else f"{sentence}; expected: {wanted}"
            self._fail([first, *lines(result)])
        return result


class ProveDP(CheckFixture):
    """What a test gets as ``prove_dp``."""

    name = "prove_dp"

    def __call__(
        self, program: Any, *, expected: str | None = None, **arguments: Any
    ) -> ProgramDecision | ReleaseDecision:
        """Prove that a function keeps what is claimed of it, or fail the test.

        program, arguments: as in ``provado.proofs.prove``.
        expected: a verdict that it must be: ``"proved"`` (the default) or, for a broken twin,
            ``"refuted"``.

        Returns the decision. The test fails with the counterexample in words where the claim is
        refuted, with the reason where it is undecided, and in one line on a program outside of the
        language. Nothing is drawn: no share of the session's false alarms is spent.
        """
        __tracebackhide__ = True
        from provado.proofs import prove
        from provado.proofs.programs.claim import ProgramVerdict
        from provado.reports.commands.prove.document import words_of

        number, known = self._next(), (ProgramVerdict.PROVED, ProgramVerdict.REFUTED)
        try:
            wanted = known[0] if expected is None else ProgramVerdict(_one_of(expected, known))
            decision = prove(program, **arguments)
        except UsageError as error:
            raise self._misused(error) from None
        passed = decision.verdict is wanted
        sentence = clean(f"{decision.name}, {decision.claimed}: {decision.verdict}")
        self._report(state.PROOF, number, sentence, str(decision.verdict), passed)
        if not passed:
            self._fail([f"{sentence}; expected: {wanted}", *words_of(decision).splitlines()])
        return decision
