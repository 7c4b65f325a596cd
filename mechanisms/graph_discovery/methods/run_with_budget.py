"""A private method run at a total budget, whichever way it spends it."""

from typing import Any

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable

from .budget import round_epsilon
from .method import Method


def run_at_total(
    method: Method,
    data: CodedTable | NumericTable,
    *,
    epsilon: float,
    delta: float,
    rng: np.random.Generator,
) -> Any:
    """Return what a sound method finds by its defaults at (ε, δ) in total, fixed beforehand.

    Raises ``UsageError`` for a method that claims no privacy or whose claim is flawed.
    """
    if not method.private or method.flaw is not None:
        raise UsageError(f"method {method.name!r} has no total cost that is a guarantee")
    if method.plan is not None and isinstance(data, CodedTable):
        plan = method.plan(data.n, data.levels, epsilon=epsilon, delta=delta)
        return method.function(data, plan=plan, rng=rng, **method.parameters)
    assert method.parts is not None
    assert method.rounds is not None
    rounds = method.rounds(len(data.names), data.n, None)
    share = round_epsilon(method.parts, rounds=rounds, epsilon=epsilon, delta=delta)
    return method.function(data, epsilon=share, rounds=rounds, rng=rng, **method.parameters)
