"""What a mechanism must keep to for its trials to count: its data as given, no memory of calls."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from provado.audit.options.request import Request
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.trials.plan import Plan
from provado.audit.workers import GRACE
from provado.audit.workers.time_limits import Watch
from provado.mechanisms.definitions.relation import short

from .fresh_process import FreshProcesses
from .state import changed, fingerprint

CHANGED = "changed the dataset that it was given"


@dataclass(frozen=True)
class Before:
    """What the datasets and the mechanism's memory were like before its first call."""

    data: str
    memory: dict[str, str]

    @classmethod
    def of(cls, request: Request, index: int) -> Before:
        """Look at one pair."""
        return cls(digest(request.pairs[index]), fingerprint(request.target.call))

    def require_same_data(self, d: Any, d_prime: Any) -> None:
        """Raise ``BrokenMechanismError`` where the datasets are no longer as they were."""
        if digest((d, d_prime)) != self.data:
            raise BrokenMechanismError(CHANGED)

    def kept(self, request: Request) -> list[str]:
        """Return the names of what the mechanism remembers of calls since."""
        return changed(self.memory, fingerprint(request.target.call))


def require_like_copies(
    plan: Plan,
    target: Target,
    fresh: FreshProcesses,
    watch: Watch,
    draws: int,
    kept: Sequence[str] = (),
) -> None:
    """Raise ``BrokenMechanismError`` unless fresh processes all answer alike.

    Asked where something that the mechanism holds has changed, and before anyone is accused: a
    memory need not show.
    """
    differ = fresh.differ(plan, target, watch, draws, GRACE)
    shows = f"{', '.join(kept[:3])} changed" if kept else "in what cannot be looked at"
    what = f"keeps state between calls ({shows})"
    if differ:
        raise BrokenMechanismError(f"{what} and fresh processes of it answer differently")
    if differ is None and kept:
        raise BrokenMechanismError(
            f"{what}, so its trials may depend on each other, and no fresh processes could be "
            "asked in time whether they answer alike"
        )


def digest(data: Any) -> str:
    """Return what changes when the data do. Arrays are read where they are, not copied."""
    made = hashlib.sha256()
    try:
        made.update(pickle.dumps(data, 5, buffer_callback=lambda part: made.update(part.raw())))
    except Exception:  # whatever a user's __reduce__ may raise
        return short(data, 10_000)
    return made.hexdigest()
