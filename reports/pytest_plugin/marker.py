"""The marker ``dp``: defaults for the audits of a test, a class or a module."""

from __future__ import annotations

from typing import Any

import pytest

from provado.mechanisms import UsageError
from provado.reports.text.did_you_mean import near

from .state import MARKER

EXCLUDES = {
    "pair": "data",
    "data": "pair",
    "samples": "seconds",
    "seconds": "samples",
    "promise": "epsilon",
    "epsilon": "promise",
}
"""Arguments of which a call has one: the nearer to the call wins."""


def merged(item: pytest.Item, call: dict[str, Any], allowed: frozenset[str]) -> dict[str, Any]:
    """Return a call's arguments over the defaults of the markers, the nearest marker first.

    ``None`` is an argument that was not given. Raises ``UsageError`` for a marker with a key that
    is not ``allowed``, naming the nearest one that is, and for two arguments of one call of which
    it can have one.
    """
    layers = [call]
    for mark in item.iter_markers(MARKER):
        if mark.args:
            raise UsageError(f"marker {MARKER}: its arguments are keywords, such as epsilon=1.0")
        for key in mark.kwargs:
            if key not in allowed:
                known = near(key, sorted(allowed), always=True)
                raise UsageError(f"marker {MARKER}: there is no {key!r}; the nearest is {known!r}")
        layers.append(dict(mark.kwargs))
    result: dict[str, Any] = {}
    for layer in layers:
        given = {key: value for key, value in layer.items() if value is not None}
        for key, other in EXCLUDES.items():
            if key in given and other in given:
                raise UsageError(f"{key} and {other} are both given: an audit takes one of them")
        for key, value in given.items():
            if EXCLUDES.get(key) not in result:
                result.setdefault(key, value)
    return result
