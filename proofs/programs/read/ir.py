"""What a program is after it has been read: a few frozen expressions, conditions and steps.

Also the budget of steps of a search: counted and not timed, so that a claim is decided alike
everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from provado.mechanisms.definitions import UsageError

NOISE = ("laplace", "exponential", "gaussian", "discrete_laplace")


class UndecidedProgramError(Exception):
    """The program is in the language, but beyond what can be decided here; the message says why."""


class LanguageError(UsageError):
    """A function is outside the language; the message names file, line and rule."""

    def __init__(self, where: str, line: int, rule: str) -> None:
        super().__init__(f"{where}, line {line}: {rule}")
        self.where, self.line, self.rule = where, line, rule


# Expressions. ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True)
class Name:
    """A variable, a parameter, ``LENGTH`` or a query's answer."""

    name: str


@dataclass(frozen=True)
class Draw:
    """A fresh draw of noise at a place of the program; ``scale`` depends on parameters alone."""

    site: int
    kind: str
    scale: Expression


@dataclass(frozen=True)
class Uniform:
    """A draw of a whole number from 0 to ``count`` − 1, each as likely."""

    site: int
    count: int


@dataclass(frozen=True)
class Binary:
    """An operation; ``%``, ``//`` and ``**`` only over public numbers."""

    op: Literal["+", "-", "*", "/", "%", "//", "**", "exp"]
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Choose:
    """``then`` if the condition holds, else ``other``."""

    condition: Condition
    then: Expression
    other: Expression


Expression = Constant | Name | Draw | Uniform | Binary | Choose

# Conditions. ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compare:
    """``left op right``."""

    op: Literal["<", "<=", ">", ">=", "==", "!="]
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Both:
    """Both hold; the right one is examined only if the left one holds."""

    left: Condition
    right: Condition


@dataclass(frozen=True)
class Negation:
    """The condition does not hold."""

    condition: Condition


@dataclass(frozen=True)
class Coin:
    """A draw that is True with probability ``p``."""

    site: int
    p: Expression


Condition = Compare | Both | Negation | Coin

# Steps. ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Assign:
    """``name`` = ``value``."""

    name: str
    value: Expression
    line: int


@dataclass(frozen=True)
class Branch:
    """Go on at ``then`` if the condition holds, else at ``other``."""

    condition: Condition
    then: int
    other: int
    line: int


@dataclass(frozen=True)
class Jump:
    """Go on at ``to``."""

    to: int


@dataclass(frozen=True)
class Head:
    """The head of a loop over all queries: the next one, or on to ``exit``.

    counter: the hidden variable that counts iterations from 0; element: the variable that holds
    the answer, index: the one that holds its position (``None`` where the loop does not name it).
    """

    loop: int
    counter: str
    element: str | None
    index: str | None
    exit: int
    line: int


@dataclass(frozen=True)
class OutputStep:
    """Output ``value``; ``tag`` is what is told of it besides: a constant, or the place."""

    value: Expression | None
    tag: str
    line: int


@dataclass(frozen=True)
class Stop:
    """The end."""


Step = Assign | Branch | Jump | Head | OutputStep | Stop

OPPOSITE: dict[str, Literal["<", "<=", ">", ">=", "==", "!="]]
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
LENGTH = "len(q)"
"""The number of queries, which is public: neighbors have the same."""


@dataclass(frozen=True)
class ParsedProgram:
    """A program as it was read.

    steps: from 0 on. parameters: public numbers that stay open, in order; whole: those that are
    whole numbers. assumed: what ``assert`` says of parameters. integers: variables that only hold
    whole numbers. text: the source, from line ``first``. query: the name of the answers. scalar:
    the data is one number. places: of each place that draws, from 1 on, its line and its words.
    whole_data: the data are whole numbers, says the function (``x: int``, ``q: list[int]``).
    levels: the parameter that is a list of public numbers, of which only answers' differences from
    them are read; answers are these differences then. of_list: the data are a list, not an array.
    lists: names of those that are returned side by side; before each output stands its ``mark``.
    """

    name: str
    steps: tuple[Step, ...]
    parameters: tuple[str, ...]
    whole: frozenset[str]
    assumed: tuple[Compare, ...]
    integers: frozenset[str]
    query: str
    text: str
    first: int
    scalar: bool = False
    places: tuple[tuple[int, str], ...] = ()
    whole_data: bool = False
    levels: str = ""
    of_list: bool = False
    lists: tuple[str, ...] = ()


# What expressions mention, and which of them are whole numbers whatever happens.


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


def is_whole_number(part: Expression, known: Collection[str], data: bool = False) -> bool:
    """Return whether an expression is a whole number whatever happens; ``data``: answers are."""
    match part:
        case Constant(value):
            return value.denominator == 1
        case Name(name):
            counted = name.startswith("iteration ") or (data and name.startswith("answer "))
            return name in known or counted
        case Binary("+" | "-" | "*", left, right):
            return is_whole_number(left, known, data) and is_whole_number(right, known, data)
        case Choose(_, then, other):
            return is_whole_number(then, known, data) and is_whole_number(other, known, data)
        case Draw(_, "discrete_laplace", _) | Uniform():
            return True
    return False


LOOK = 20
"""Steps of a look at an example of two runs."""
QUESTION = 200
"""Steps of a search for multipliers; a term of an exact probability is one step."""


class WorkIsOverError(Exception):
    """The steps that were allowed are done."""


@dataclass
class StepBudget:
    """How many steps may still be done."""

    left: int


_CURRENT: ContextVar[StepBudget | None] = ContextVar("work", default=None)


@contextmanager
def allowed(steps: int) -> Iterator[StepBudget]:
    """Allow no more steps inside."""
    work = StepBudget(steps)
    token = _CURRENT.set(work)
    try:
        yield work
    finally:
        _CURRENT.reset(token)


def spend(steps: int) -> None:
    """Count steps; raise ``WorkIsOverError`` where there are more than are allowed."""
    work = _CURRENT.get()
    if work is None:
        return
    work.left -= steps
    if work.left < 0:
        raise WorkIsOverError("the work that is allowed is done")
