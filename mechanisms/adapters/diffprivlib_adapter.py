"""The adapter of diffprivlib: a mechanism promises its ε and δ, a model what a fit is booked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms.definitions import (
    BoundedAnswers,
    Dataset,
    Mechanism,
    NeighboringRelation,
    UsageError,
)

from .adapter import Query, comes_from, default_name, itself
from .diffprivlib import from_mechanism
from .diffprivlib_models import from_model, is_model
from .diffprivlib_releases import diffprivlib_mechanisms


class DiffprivlibAdapter:
    """Takes mechanisms that randomise a value, and models; the tools have ``from_tool``."""

    name = "diffprivlib"

    def matches(self, obj: Any) -> bool:
        """Say whether ``obj`` is a mechanism or a model of diffprivlib."""
        return is_model(obj) or (
            comes_from(obj, "diffprivlib")
            and all(hasattr(obj, each) for each in ("randomise", "epsilon", "delta", "copy"))
        )

    def to_mechanism(
        self,
        obj: Any,
        *,
        pairs: Sequence[tuple[Dataset, Dataset]],
        relation: NeighboringRelation | None = None,
        name: str | None = None,
        query: Query = itself,
        attributes: Sequence[str] | None = None,
    ) -> Mechanism:
        """Return a copy of the object, taken now, as a mechanism; its draws come from ``rng``.

        relation: by default values that move by at most the object's ``sensitivity``; records
            that are replaced, for a model.
        query: turns a dataset of ``pairs`` into the value to randomise; it needs ``relation``. Into
            a matrix of records, for a model.
        attributes: of a model, the fitted attributes to release; see ``diffprivlib_models``.
        """
        kind = type(obj).__name__
        if is_model(obj):
            return from_model(
                obj,
                name=name or default_name(self.name, obj),
                pairs=pairs,
                relation=relation,
                query=query,
                attributes=attributes,
            )
        if attributes is not None:
            raise UsageError(f"attributes is given: {kind} is no model, and has none to release")
        if hasattr(obj, "utility"):
            raise UsageError(
                f"{kind}: its utilities, and so the data, were fixed when it was made; give "
                "provado.mechanisms.adapters.diffprivlib.from_mechanism a function that makes it"
            )
        if hasattr(obj, "function_sensitivity"):
            raise UsageError(f"{kind}: it releases functions; an audit compares values")
        if relation is None and (query is not itself or not hasattr(obj, "sensitivity")):
            raise UsageError(f"relation is missing: {kind} does not say which inputs are neighbors")
        return from_mechanism(
            Copies(_unseeded(obj), query),
            name=name or default_name(self.name, obj),
            pairs=pairs,
            relation=BoundedAnswers(obj.sensitivity) if relation is None else relation,
        )

    def releases(self) -> Sequence[Mechanism]:
        """Return diffprivlib's audited releases on the real data."""
        return diffprivlib_mechanisms()


@dataclass(frozen=True, eq=False)
class Copies:
    """Makes copies of ``original`` that draw from the ``random_state`` they are made with."""

    original: Any
    query: Query

    def __call__(self, data: Dataset, random_state: Any) -> tuple[Any, Any]:
        """Return a copy and the value to randomise."""
        copied = self.original.copy()
        copied.random_state = copied._rng = random_state
        value = self.query(data)
        return copied, value.item() if isinstance(value, np.generic) else value


def _unseeded(obj: Any) -> Any:
    # The library's default generator, the system's, cannot be pickled.
    copied = obj.copy()
    copied.random_state = copied._rng = None
    return copied


ADAPTER = DiffprivlibAdapter()
