"""The statements of Tschantz, Sen and Datta (2022), one file each, found by walking this folder."""

from __future__ import annotations

import importlib
import pkgutil
from itertools import pairwise

from provado.mechanisms.errors import UsageError
from provado.proofs.causal.statement import Statement


def statements() -> tuple[Statement, ...]:
    """Return all statements of the folder, sorted by id; two of one id raise ``UsageError``.

    A file that defines a module-level ``STATEMENT`` is one; there is no list to edit.
    """
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.iter_modules(__path__, __name__ + ".")
    ]
    found = sorted((module.STATEMENT for module in modules), key=lambda statement: statement.id)
    for one, other in pairwise(found):
        if one.id == other.id:
            raise UsageError(f"statements: {one.id!r} stands twice; ids must be unique")
    return tuple(found)
