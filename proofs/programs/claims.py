"""Reads which ε is claimed of a program, and for which parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from provado.mechanisms.program import Program as Runnable
from provado.mechanisms.statement import UsageError

from .checks import exact_value
from .claim import Claim
from .ir import LENGTH, Binary, Expression, Name, Number, Program
from .source import defaults_of as given_defaults


def claims_to_try(
    function: Any, program: Program, epsilon: str | int | float | Fraction | None
) -> list[tuple[Expression, dict[str, Fraction]]]:
    """Return the claims to try, each with values of parameters: more general ones first.

    Only the last one is the claim itself, and all before it imply it.
    """
    if epsilon is None:
        if "epsilon" not in program.parameters:
            raise UsageError("epsilon: say which is claimed; no parameter has that name")
        return [(Name("epsilon"), {})]
    claimed = _expression(str(epsilon), program)
    if not isinstance(claimed, Number):
        return [(claimed, {})]
    if claimed.value <= 0:
        raise UsageError(f"epsilon is {epsilon}: it must be above 0")
    values = defaults_of(function, program)
    if "epsilon" in program.parameters:
        values.setdefault("epsilon", claimed.value)
        if values["epsilon"] == claimed.value:
            return [(Name("epsilon"), {}), (claimed, values)]
    return [(claimed, values)]


def defaults_of(function: Any, program: Program) -> dict[str, Fraction]:
    """Return the parameters' defaults, where they are numbers."""
    own = function.function if isinstance(function, Runnable) else function
    return {
        name: exact_value(value, name)
        for name, value in given_defaults(own).items()
        if name in program.parameters and type(value) in (int, float)
    }


def _expression(text: str, program: Program) -> Expression:
    """Read a claim."""

    def read(node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return Number(positive_number(value, "epsilon"))
            case ast.Name(name) if name in program.parameters:
                return Name(name)
            case ast.Call(ast.Name("len"), [ast.Name(program.query)], []):
                return Name(LENGTH)
            case ast.BinOp(left, ast.Add(), right):
                return Binary("+", read(left), read(right))
            case ast.BinOp(left, ast.Mult(), right):
                return Binary("*", read(left), read(right))
            case ast.BinOp(left, ast.Div(), right):
                return Binary("/", read(left), read(right))
        known = ", ".join(program.parameters) or "none"
        raise UsageError(
            f"epsilon is {text!r}: it must be a number, or made of open parameters ({known}) "
            f"with +, * and /, and of len({program.query})"
        )

    try:
        return Number(Fraction(text))
    except (ValueError, ZeroDivisionError):
        pass
    try:
        return read(ast.parse(text, mode="eval").body)
    except SyntaxError:
        raise UsageError(f"epsilon is {text!r}: it is no expression") from None


def positive_number(value: Any, name: str) -> Fraction:
    """Return a number above 0 exactly, a float as it is written; else raise ``UsageError``."""
    try:
        number = Fraction(repr(value) if isinstance(value, float) else value)
    except (ValueError, TypeError, ZeroDivisionError):
        number = Fraction(0)
    if number <= 0:
        raise UsageError(f"{name} is {value!r}: it must be a number above 0")
    return number


def scope_words(program: Program, bound: Mapping[str, Fraction], claim: Claim | None = None) -> str:
    """Return for which parameters a verdict speaks, in words."""
    parts = []
    for name in program.parameters:
        kind = "whole " if name in program.whole else ""
        above = ""
        if claim is not None and name in claim.positive:
            above = " ≥ 1" if name in program.whole else " > 0"
        parts.append(f"all {kind}{name}{above}")
    parts += [f"{name} = {value}" for name, value in bound.items()]
    said = [
        f"{_words(c.left)} {c.op} {_words(c.right)}".replace(">=", "≥").replace("<=", "≤")
        for c in program.assumed
    ]
    return ", ".join(parts) + (f", where {' and '.join(said)}" if said else "")


def _words(part: Expression) -> str:
    match part:
        case Number(value):
            return str(value)
        case Name(name):
            return name
        case Binary(op, left, right):
            return f"{_words(left)} {op} {_words(right)}"
    return "…"
