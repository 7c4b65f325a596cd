"""The fixture ``replay_dp``: counterfactual replays in a test."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from provado.audit.experiments.replay import Replay, replay
from provado.mechanisms import NeighboringRelation, PrivacyPromise, UsageError
from provado.reports.commands.replay.words import lines
from provado.reports.text.formatting import clean, counted

from .record import REPLAY, Record
from .repeat import run_again
from .seeds import call_seed
from .state import Fixture, note, state_of


class ReplayDP(Fixture):
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
        expect: str | None = None,
        seed: int | None = None,
        time_limit: float | None = None,
        name: str | None = None,
    ) -> Replay:
        """Run a mechanism twice under the same noise, one data point changed, or fail the test.

        mechanism, epsilon, delta, promise, pair, data, domain, values, relation, time_limit, name:
            as in ``provado.audit.replay``.
        expect: ``"nothing"`` (the default), or the kind of a finding that a broken twin must have,
            such as ``"budget"`` or ``"noise scale"``.
        seed: of the noise; by default it follows from the session's seed, the test and the call.

        Returns the replay. The test fails on a finding, with its line and the event to audit, and
        where the mechanism could not be replayed. A replay has no false alarm by chance, and no
        share of the session's: it is no verdict either.
        """
        __tracebackhide__ = True
        settings, number = state_of(self._item.config).settings, self._next()
        if seed is None:
            seed = call_seed(settings.seed, self._item.nodeid, self.name, number)
        try:
            wanted = _wanted(expect)
            found = replay(
                mechanism,
                epsilon=epsilon,
                delta=delta,
                promise=promise,
                pair=pair,
                data=data,
                domain=domain,
                values=values,
                relation=relation,
                seed=seed,
                time_limit=settings.time_limit if time_limit is None else time_limit,
                name=name,
            )
        except UsageError as error:
            raise self._misused(error) from None
        kinds = {str(one.kind) for one in found.findings}
        passed = found.completed and (wanted in kinds if wanted else not kinds)
        verdict = ", ".join(sorted(kinds)) if kinds else "nothing found"
        verdict = verdict if found.completed or kinds else "not completed"
        again = run_again(self._item, settings, share=None, samples=None)
        said = f"{found.name}, counterfactual replay of {counted(len(found.pairs), 'pair')}: "
        said = clean(f"{said}{verdict}")
        note(
            self._item,
            Record(REPLAY, self._item.nodeid, number, said, verdict, passed, again),
        )
        if not passed:
            first = f"{said}; expected: {wanted}" if wanted else said
            pytest.fail("\n".join([first, *lines(found), clean(f"Again: {again}")]))
        return found


def _wanted(expect: str | None) -> str:
    """Return the kind of finding that is expected, empty where none is."""
    from provado.audit.experiments.replay import FindingKind

    if expect in (None, "nothing"):
        return ""
    kinds = [str(kind) for kind in FindingKind]
    if expect not in kinds:
        raise UsageError(f"expect is {expect!r}: it must be one of nothing, {', '.join(kinds)}")
    return str(expect)
