"""What expressions mention, and which of them are whole numbers whatever happens."""

from __future__ import annotations

from collections.abc import Collection

from .ir import (
    LENGTH,
    Binary,
    Both,
    Choose,
    Coin,
    Compare,
    Condition,
    Draw,
    Expression,
    Name,
    Negation,
    Number,
    Uniform,
)


def variables_in(part: Expression | Condition, parameters: Collection[str]) -> set[str]:
    """Return the variables and answers that a part mentions; noise counts as one."""
    match part:
        case Name(name):
            return set() if name in parameters or name == LENGTH else {name}
        case Binary(_, left, right) | Compare(_, left, right) | Both(left, right):
            return variables_in(left, parameters) | variables_in(right, parameters)
        case Negation(condition):
            return variables_in(condition, parameters)
        case Choose(condition, then, other):
            inside = variables_in(then, parameters) | variables_in(other, parameters)
            return variables_in(condition, parameters) | inside
        case Draw() | Coin() | Uniform():
            return {"noise"}
    return set()


def is_whole(part: Expression, known: Collection[str], data: bool = False) -> bool:
    """Return whether an expression is a whole number whatever happens; ``data``: answers are."""
    match part:
        case Number(value):
            return value.denominator == 1
        case Name(name):
            counted = name.startswith("iteration ") or (data and name.startswith("answer "))
            return name in known or counted
        case Binary("+" | "-" | "*", left, right):
            return is_whole(left, known, data) and is_whole(right, known, data)
        case Choose(_, then, other):
            return is_whole(then, known, data) and is_whole(other, known, data)
        case Draw(_, "discrete_laplace", _) | Uniform():
            return True
    return False
