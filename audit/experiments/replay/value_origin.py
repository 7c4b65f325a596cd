"""Where a number comes from that code has passed on as a plain one, or written into a text."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from .linear import Linear, constant, joined
from .noisy_values import raw
from .recording import DERIVED, Tape

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
"""How numbers are written in a text."""


class Origins:
    """Finds the form of a number by its value: noise makes each value one of its kind."""

    def __init__(self, tape: Tape) -> None:
        steps = [
            s
            for s in tape.every_step()
            if s.kind in ("sum", DERIVED)
            or (s.kind == "perhaps" and np.shape(s.value) == s.form.shape)
        ]
        flat = np.concatenate([[], *(np.ravel(s.value) for s in steps)]).astype(float)
        # A whole number is one of many, but for one that was read as a plain number.
        read = np.repeat([s.kind == "perhaps" for s in steps], [np.size(s.value) for s in steps])
        self._forms = joined([constant([]), *(s.form for s in steps)]).summed()
        rare = np.isfinite(flat) & ((flat != np.round(flat)) | read.astype(bool))
        places = np.flatnonzero(rare & self._forms.noisy)
        self._places = places[np.argsort(flat[places], kind="stable")]
        self._values = flat[self._places]
        self._texts: dict[str, dict[bytes, Linear]] = {}
        for step in (s for s in tape.every_step() if s.kind == "text"):
            for text in {str(step.value), str(step.value).strip()}:  # With its padding, and alone.
                self._texts.setdefault(text, {})[step.form.variables.tobytes()] = step.form
        odd = sorted((one for one in self._texts if not NUMBER.fullmatch(one)), key=len)
        ways = [re.escape(one) for one in reversed(odd) if one]
        self._parts = re.compile("|".join([*ways, NUMBER.pattern]))

    def of(self, value: Any) -> Linear:
        """Return the forms of the numbers of a value, one after the other."""
        plain, form = np.asarray(raw(value), dtype=float).ravel(), getattr(value, "_form", None)
        cells = constant(plain) if form is None else form.take(np.arange(plain.size))
        at = np.searchsorted(self._values, plain, side="right") - 1
        known = (at >= 0) & ~cells.noisy
        known[known] = self._values[at[known]] == plain[known]
        if not known.any():
            return cells
        places = np.arange(plain.size)
        places[known] = plain.size + np.arange(known.sum())
        return joined([cells, self._forms.take(self._places[at[known]])]).take(places)

    def parts(self, text: str) -> list[tuple[str, list[Linear]]]:
        """Return the parts of a text, and of each the forms of the noisy number that it may be."""
        found = [one[0] for one in self._parts.finditer(text)]
        values = [float(one) if NUMBER.fullmatch(one) else math.nan for one in found]
        numbers = self.of(np.array(values))
        texts = [self._texts.get(one) or self._texts.get(one.lstrip("-"), {}) for one in found]
        known = [list(held.values()) for held in texts]
        for i in np.flatnonzero(numbers.noisy).tolist():
            known[i] = known[i] or [numbers.take([i])]
        literal = self._parts.split(text)
        return [*((one, []) for one in literal), *zip(found, known, strict=True)]

    def in_text(self, text: str) -> Linear:
        """Return the forms of the noisy numbers that are written in a text."""
        found = {id(form): form for _, forms in self.parts(text) for form in forms}
        return joined([constant([]), *found.values()])
