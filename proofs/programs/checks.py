"""What Python would do otherwise than it reads: refused before a function is read."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from provado.mechanisms.statement import UsageError

from .expressions import LanguageError
from .floats import read_number
from .ways import UndecidedProgramError

Complain = Callable[[ast.AST, str], LanguageError]


def annotation_of(argument: ast.arg) -> str:
    """Return the text of a parameter's annotation, or none."""
    return "" if argument.annotation is None else ast.unparse(argument.annotation)


def stores(node: ast.AST, name: str) -> bool:
    """Return whether a node assigns to a name."""
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


def assigned_in(node: ast.FunctionDef) -> frozenset[str]:
    """Return the names that the function assigns to anywhere: Python's local variables."""
    return frozenset(
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store | ast.Del)
    )


def exact_value(value: Any, name: str) -> Fraction:
    """Return a parameter's value exactly, a float as it is written; else ``UsageError``."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise UsageError(f"parameter {name} is {value!r}: it must be a number")
    try:
        return value if isinstance(value, Fraction) else read_number(value)
    except UndecidedProgramError as error:
        raise UsageError(f"parameter {name} is {value!r}: {error}") from None


def check_list(node: ast.FunctionDef, name: str, error: Complain) -> None:
    """See to it that nothing but the whole list is ever returned, and that no loop takes its name.

    Assignments to it are refused where they are read.
    """
    for one in ast.walk(node):
        if isinstance(one, ast.For) and any(stores(part, name) for part in ast.walk(one.target)):
            raise error(one, f"{name} holds the outputs: it is only appended to")
        if isinstance(one, ast.Return):
            match one.value:
                case ast.Name(returned) if returned == name:
                    continue
            raise error(one, f"what is returned is {name}, which holds the outputs")
    if not isinstance(node.body[-1], ast.Return):
        raise error(node.body[-1], f"the last line is: return {name}")


def check_generators(node: ast.FunctionDef, error: Complain) -> None:
    """See to it that the names of generators, which are theirs alone, are used nowhere else."""
    inside: set[ast.AST] = set()
    names: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.GeneratorExp | ast.ListComp):
            inside.update(ast.walk(one))
            targets = [part for g in one.generators for part in ast.walk(g.target)]
            names |= {part.id for part in targets if isinstance(part, ast.Name)}
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and one.id in names and one not in inside:
            raise error(one, f"{one.id} is a name of a generator's own: take another")
