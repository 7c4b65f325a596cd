"""What a mechanism must keep to for its trials to count: its data as given, no memory of calls."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from typing import Any

from provado.mechanisms.statement.intervention import short

from .fresh import FreshProcesses
from .outputs import BrokenMechanismError
from .plan import Plan
from .processes import GRACE
from .watch import Watch


def require_like_copies(
    plan: Plan, fresh: FreshProcesses, watch: Watch, draws: int, kept: Sequence[str] = ()
) -> None:
    """Raise ``BrokenMechanismError`` unless fresh processes all answer alike.

    Asked where something that the mechanism holds has changed, and before anyone is accused: a
    memory need not show.
    """
    differ = fresh.differ(plan, watch, draws, GRACE)
    shows = f"{', '.join(kept[:3])} changed" if kept else "in what cannot be looked at"
    what = f"keeps state between calls ({shows})"
    if differ:
        raise BrokenMechanismError(f"{what} and fresh processes of it answer differently")
    if differ is None and kept:
        raise BrokenMechanismError(
            f"{what}, so its trials may depend on each other, and no fresh processes could be "
            "asked in time whether they answer alike"
        )


def require_same_data(d: Any, d_prime: Any, before: str) -> None:
    """Raise ``BrokenMechanismError`` where the datasets are not those of this digest."""
    if data_digest(d, d_prime) != before:
        raise BrokenMechanismError("changed the dataset that it was given")


def data_digest(d: Any, d_prime: Any) -> str:
    """Return a text that changes with the datasets."""
    try:
        return hashlib.sha256(pickle.dumps((d, d_prime))).hexdigest()
    except Exception:  # whatever a user's __reduce__ may raise
        return short((d, d_prime), 10_000)
