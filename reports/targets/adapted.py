"""Objects that release and state their own cost, turned into a ``Mechanism`` by the adapters."""

from __future__ import annotations

import functools
import types
from collections.abc import Sequence
from typing import Any

from provado.mechanisms import ExactlyDecidable, Mechanism, NeighboringRelation, UsageError
from provado.mechanisms.adapters.measurement_like import MeasurementLikeAdapter
from provado.mechanisms.programs import Program, is_program

_NEITHER = (
    *(Mechanism, ExactlyDecidable, type, types.ModuleType, functools.partial),
    *(types.FunctionType, types.MethodType, types.BuiltinFunctionType),
)


def is_measurement(found: Any) -> bool:
    """Tell whether an object, no function or class, can release and speaks of its cost."""
    if isinstance(found, _NEITHER):
        return False
    return MeasurementLikeAdapter().matches(found)


def adapted(
    found: Any,
    *,
    name: str,
    epsilon: Any,
    pairs: Sequence[tuple[Any, Any]] | None,
    relation: NeighboringRelation | None,
) -> Any:
    """Return the object as a ``Mechanism`` with the claim it states itself, or as it is.

    A plain function that calls the noise of ``mechanisms.programs`` becomes a ``Program``, of which
    many runs are drawn at once. As it is: what needs no adapter, and a callable for which
    ``epsilon``, or another promise, is claimed instead.
    Raises ``UsageError`` where the adapters need to be told more.
    """
    if is_program(found):
        return Program(found)
    if not is_measurement(found) or (callable(found) and epsilon is not None):
        return found
    if not pairs:
        raise UsageError(
            f"--pair: {name} is a {type(found).__name__}, which states its claim but has no "
            "neighbors; give --pair D0 D1"
        )
    from provado.mechanisms.adapters.plugins import as_mechanism

    return as_mechanism(found, pairs=pairs, relation=relation, name=name)
