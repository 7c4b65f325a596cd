"""The catalogue: every mechanism of the folders ``FOLDERS``, found by walking them.

A file that defines a module-level ``MECHANISMS`` (a tuple of ``Mechanism``) is in the catalogue,
broken twins among them; there is no list to edit. A ``true_epsilon`` that is a long number follows
from an exact distribution, from which ``tests/mechanisms/test_true_epsilons.py`` computes it anew.
"""

from collections.abc import Iterator
from itertools import pairwise

from provado.mechanisms import textbook
from provado.mechanisms.cause_effect import catalogue as pairs
from provado.mechanisms.definitions import Mechanism
from provado.mechanisms.graph_discovery import catalogue as graphs
from provado.mechanisms.graph_discovery import edges
from provado.mechanisms.walk import modules_in

from .definitions.parameters import UsageError

FOLDERS = (textbook, pairs, edges, graphs)
"""Single algorithms; releases about pairs of columns; decisions on one edge; whole graphs."""


def catalogue() -> tuple[Mechanism, ...]:
    """Return all built-in mechanisms, sorted by name; two of one name raise ``UsageError``."""
    mechanisms = sorted(_walk(), key=lambda mechanism: mechanism.name)
    for first, second in pairwise(mechanisms):
        if first.name == second.name:
            raise UsageError(f"catalogue: {first.name!r} stands twice; names must be unique")
    return tuple(mechanisms)


def _walk() -> Iterator[Mechanism]:
    for folder in FOLDERS:
        for module in modules_in(folder.__name__):
            yield from getattr(module, "MECHANISMS", ())
