"""Results show themselves as reports do: by whatever is installed to show them."""

from __future__ import annotations

import functools
from importlib.metadata import entry_points
from typing import Any

from provado.mechanisms import UsageError

GROUP = "provado.views"
"""Entry points of a module with ``text``, ``html``, ``plot`` and ``page`` of a result; ``bar``."""


@functools.cache
def view() -> Any:
    """Return that module; raises ``UsageError`` where none is installed."""
    for found in entry_points(group=GROUP):
        return found.load()
    raise UsageError(f"nothing is installed under the entry points {GROUP!r}: install provado")
