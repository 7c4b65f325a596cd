"""The fixture ``sensitivity_dp``: one check of a score's sensitivity in a test."""

from __future__ import annotations

from typing import Any

import pytest

from provado.audit.workers.time_limits import NoAnswerError, watched
from provado.mechanisms import UsageError
from provado.proofs.sensitivity import SensitivityCheck, SensitivityVerdict, check_sensitivity
from provado.reports.text.formatting import clean

from .record import SENSITIVITY, Record
from .repeat import run_again
from .seeds import call_seed
from .state import Fixture, note, state_of

HOLDS = (SensitivityVerdict.VERIFIED, SensitivityVerdict.SUPPORTED)


class SensitivityDP(Fixture):
    """What a test gets as ``sensitivity_dp``."""

    name = "sensitivity_dp"

    def __call__(
        self,
        score: Any,
        claimed: Any,
        *,
        expect: str | None = None,
        seed: int | None = None,
        time_limit: float | None = None,
        **arguments: Any,
    ) -> SensitivityCheck:
        """Check that ``score`` moves by at most ``claimed`` between neighbors, or fail the test.

        score, claimed, arguments: as in ``provado.proofs.check_sensitivity`` (``domain``, ``size``,
            ``relation``, ``exact``, ``make``, ``examples``, ``most_pairs``).
        expect: a verdict that it must be: ``"verified"`` (every pair of a finite domain was
            tried), ``"supported"`` or, for a broken twin, ``"refuted"``. By default either of the
            first two.
        seed: of a search; by default it follows from the session's seed, the test and the call.
        time_limit: seconds after which the check is given up and the test fails.

        Returns the check. The test fails with the counterexample in words where the claim is
        refuted, with the reason where the check broke, and in one line on a wrong argument.
        """
        __tracebackhide__ = True
        settings, number = state_of(self._item.config).settings, self._next()
        if seed is None:
            seed = call_seed(settings.seed, self._item.nodeid, self.name, number)
        limit = settings.time_limit if time_limit is None else time_limit
        name = clean(str(getattr(score, "__qualname__", type(score).__qualname__)))
        try:
            wanted = _wanted(expect)
            with watched(limit) as watch, watch.learning():
                check = check_sensitivity(score, claimed, seed=seed, **arguments)
        except UsageError as error:
            raise self._misused(error) from None
        except NoAnswerError as error:
            if error.interrupted:
                raise KeyboardInterrupt from None
            raise pytest.fail.Exception(f"{name}: unknown: no answer within {limit:g} s") from None
        passed = check.verdict in wanted
        again = run_again(self._item, settings, share=None, samples=None)
        said = f"{name}, sensitivity {_claim(claimed)}: {check.verdict} ({check.scope})"
        record = Record(
            SENSITIVITY, self._item.nodeid, number, clean(said), str(check.verdict), passed, again
        )
        note(self._item, record)
        if not passed:
            first = f"{name}, sensitivity {_claim(claimed)}: {check.verdict}"
            if expect is not None:
                first += f"; expected: {expect}"
            lines = [first, *check.words().splitlines(), f"Again: {again}"]
            pytest.fail("\n".join(map(clean, lines)))
        return check


def _wanted(expect: str | None) -> tuple[SensitivityVerdict, ...]:
    if expect is None:
        return HOLDS
    words = [str(v) for v in (*HOLDS, SensitivityVerdict.REFUTED)]
    if expect not in words:
        raise UsageError(f"expect is {expect!r}: it must be one of {', '.join(words)}")
    return (SensitivityVerdict(expect),)


def _claim(claimed: Any) -> str:
    return "as claimed" if callable(claimed) else f"at most {claimed}"
