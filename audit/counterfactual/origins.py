"""Where a number comes from that code has passed on as a plain one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .linear import Floats, Linear, joined
from .tape import DERIVED, Tape


class Origins:
    """Finds the form of a number by its value: noise makes each value one of its kind."""

    def __init__(self, tape: Tape) -> None:
        steps = [
            s
            for s in tape.every_step()
            if s.kind in ("sum", DERIVED)
            or (s.kind == "perhaps" and np.shape(s.value) == s.form.shape)
        ]
        values = [np.asarray(s.value, dtype=float).ravel() for s in steps]
        # A whole number is one of many, but for one that was read as a plain number.
        read = np.repeat([s.kind == "perhaps" for s in steps], [v.size for v in values])
        flat = np.concatenate(values) if values else np.empty(0)
        owner = np.repeat(np.arange(len(steps)), [v.size for v in values])
        place = np.concatenate([np.arange(v.size) for v in values]) if values else np.empty(0, int)
        rare = np.isfinite(flat) & ((flat != np.round(flat)) | read.astype(bool))
        order = np.argsort(flat[rare], kind="stable")
        self._steps = steps
        self._values = flat[rare][order]
        self._owner, self._place = owner[rare][order], place[rare][order]

    def of(self, values: Floats) -> tuple[Linear | None, NDArray[np.bool_]]:
        """Return the forms of those values that are known, one after the other, and which."""
        flat = np.asarray(values, dtype=float).ravel()
        if not self._values.size:
            return None, np.zeros(flat.size, dtype=bool)
        at = np.searchsorted(self._values, flat, side="right") - 1
        known = (at >= 0) & (self._values[np.maximum(at, 0)] == flat)
        forms: list[Linear] = []
        which = at[known]
        for owner in dict.fromkeys(self._owner[which].tolist()):
            chosen = which[self._owner[which] == owner]
            forms.append(self._steps[owner].form.take(self._place[chosen]))
        if not forms:
            return None, known
        # The order of the values again, of which the forms were taken step by step.
        owners = self._owner[which]
        ranks = {owner: i for i, owner in enumerate(dict.fromkeys(owners.tolist()))}
        order = np.argsort([ranks[one] for one in owners.tolist()], kind="stable")
        back = np.argsort(order, kind="stable")
        return joined(forms).take(back), known
