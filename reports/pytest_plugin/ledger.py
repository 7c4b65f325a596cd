"""The fixture ``ledger_dp``: published statements of the ledger, decided anew in a test."""

from __future__ import annotations

import pytest

from provado.mechanisms import UsageError
from provado.proofs.ledger import Decision, LedgerVerdict, ledger
from provado.reports.ledger.run import choose, decide_all
from provado.reports.ledger.words import Cut, argument, verdict
from provado.reports.text.formatting import clean

from .record import LEDGER, Record
from .repeat import run_again
from .state import Fixture, note, state_of

LONGEST = 600
"""Characters of one finding in a failing test; ``provado verify`` shows the whole."""


class LedgerDP(Fixture):
    """What a test gets as ``ledger_dp``."""

    name = "ledger_dp"

    def __call__(
        self, *ids: str, expect: str | None = None, time_limit: float | None = None
    ) -> tuple[Decision, ...]:
        """Decide entries of the ledger from their evidence, or fail the test.

        ids: entries as ``provado verify`` takes them: ``"kusner2016/thm2"``, or a glob. One of them
            at least.
        expect: the verdict that each of them must have, such as ``"refuted"``; by default each must
            have the one that is recorded with it.
        time_limit: seconds after which an entry is ``unknown``. Each is decided in a process of its
            own, so that one that hangs or crashes does no more than fail.

        Returns the decisions, in the ledger's order. The test fails with the argument of each entry
        whose verdict is another, and in one line where an id is wrong.
        """
        __tracebackhide__ = True
        settings = state_of(self._item.config).settings
        limit = settings.time_limit if time_limit is None else time_limit
        try:
            wanted = _wanted(expect)
            if not ids:
                raise UsageError("no entry was named; one such as 'kusner2016/thm2' is needed")
            entries = choose(ledger(), ids)
            decisions = decide_all(entries, 1, time_limit=limit)
        except UsageError as error:
            raise self._misused(error) from None
        wrong = [one for one in decisions if not _as_wanted(one, wanted)]
        again = run_again(self._item, settings, share=None, samples=None)
        for one in decisions:
            record = Record(
                LEDGER,
                self._item.nodeid,
                self._next(),
                clean(f"{one.entry.id}: {verdict(one)}"),
                str(one.verdict),
                one not in wrong,
                again,
            )
            note(self._item, record)
        if wrong:
            lines = [line for one in wrong for line in _failure(one, wanted)]
            pytest.fail("\n".join([*map(clean, lines), f"Again: {again}"]))
        return decisions


def _wanted(expect: str | None) -> LedgerVerdict | None:
    if expect is None:
        return None
    words = [str(v) for v in LedgerVerdict if v is not LedgerVerdict.UNKNOWN]
    if expect not in words:
        raise UsageError(f"expect is {expect!r}: it must be one of {', '.join(words)}")
    return LedgerVerdict(expect)


def _as_wanted(decision: Decision, wanted: LedgerVerdict | None) -> bool:
    return decision.as_expected if wanted is None else decision.verdict is wanted


def _failure(decision: Decision, wanted: LedgerVerdict | None) -> list[str]:
    command = f"provado verify {decision.entry.id}"
    first = f"{decision.entry.id}: {verdict(decision)}"
    lines = [first if wanted is None else f"{first}; expected: {wanted}"]
    for part in argument(decision, Cut(LONGEST, command)):
        lines += [f"{part.title}: {part.text}"] if part.text else []
        lines += [f"{part.title}: {step}" for step in part.steps]
    return [*lines, f"The whole argument: {command}"]
