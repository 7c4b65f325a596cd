"""What is claimed of a program: its neighbors, its ε, its parameters; and how that is read."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs import Program as Runnable

from .read.ir import LENGTH, Binary, Constant, Expression, Name, ParsedProgram
from .read.path import Accounts, Paths, Public, is_whole
from .read.polynomial import Atom, LinearForm, ParameterRatio
from .read.source import defaults_of, exact_value
from .read.symbolic_execution import parameter_atoms

Kind = Literal["all", "one", "increasing", "decreasing"]
KINDS = ("all", "one", "increasing", "decreasing", "monotone")


class ProgramVerdict(StrEnum):
    """What may be said of a program's claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class AnswerRelation:
    """Neighbors q, q′ have as many answers, and each moves by at most ``width``.

    kind: ``all`` answers may move, each up or down; at most ``one`` moves; all move up
    (``increasing``) or down (``decreasing``), which are the two halves of monotone queries.
    """

    width: Fraction
    kind: Kind = "all"

    def __post_init__(self) -> None:
        if self.width <= 0:
            raise UsageError(f"sensitivity is {self.width}: it must be above 0")
        if self.kind not in KINDS:
            raise UsageError(f"neighbors are {self.kind!r}: they must be one of {', '.join(KINDS)}")

    @property
    def lower(self) -> Fraction:
        """How far an answer moves down at most, as a number ≤ 0."""
        return Fraction(0) if self.kind == "increasing" else -self.width

    @property
    def upper(self) -> Fraction:
        """How far an answer moves up at most."""
        return Fraction(0) if self.kind == "decreasing" else self.width

    def words(self) -> str:
        """Return the relation in words."""
        each = f"each answer moves by at most {self.width}"
        return {
            "all": f"{each}, up or down",
            "one": f"at most one answer moves, by at most {self.width}",
            "increasing": f"{each}, none of them down",
            "decreasing": f"{each}, none of them up",
        }[self.kind]


# What is claimed of a program: its ways, its neighbors, its ε, and for which parameters.


@dataclass(frozen=True)
class ProgramClaim:
    """``ways`` tell neighbors apart by a factor of at most e^ε, ε = ``epsilon``.

    That is for all parameters that fulfil ``assumed``, among which stands that those in
    ``positive`` are above 0, whole ones at least 1.

    ``epsilon`` may depend on the number of queries, which neighbors share: the theorem of
    ``conditions`` is about one pair, whose number is fixed. It is at least 1 then; without queries
    neighbors are equal.
    """

    ways: Paths
    moves: AnswerRelation
    epsilon: ParameterRatio
    accounts: Accounts
    assumed: tuple[Atom, ...]
    positive: tuple[str, ...]

    @classmethod
    def made(cls, ways: Paths, moves: AnswerRelation, epsilon: ParameterRatio) -> ProgramClaim:
        """Return the claim; parameters in scales and in ε are taken to be above 0."""
        accounts = Accounts.made(ways)
        result = {p for u in (*accounts.units, epsilon) for p in u.parameters()}
        for way in ways.all():
            for public in way.fixed:
                if isinstance(public, Public):
                    names = dict(public.names)
                    result |= {n for n in names if n in ways.program.parameters}
        positive = tuple(sorted(result - {LENGTH}))
        atoms = [
            Atom(LinearForm.symbol(p) - LinearForm.number(1))
            if is_whole(ways.program, p)
            else Atom(LinearForm.symbol(p), strict=True)
            for p in positive
        ]
        assumed = (*parameter_atoms(ways.program), *atoms)
        if LENGTH in result:
            assumed = (*assumed, Atom(LinearForm.symbol(LENGTH) - LinearForm.number(1)))
        return cls(ways, moves, epsilon, accounts, assumed, positive)

    @property
    def by_length(self) -> bool:
        """Whether ε, or a scale, depends on the number of queries."""
        return any(LENGTH in ratio.parameters() for ratio in (self.epsilon, *self.accounts.units))

    @cached_property
    def landmarks(self) -> dict[str, list[float]]:
        """The constants that noise, or answers alone, are compared with, where large.

        A variable with noise in it may be compared with noise later on: its constant, too.
        """
        atoms = [atom for way in self.ways.all() for atom in way.atoms]
        lines = [(a.form, s, a.form.constant / c) for a in atoms for s, c in a.form.terms]
        noise = {end for _, s, end in lines if s.startswith("noise ")}
        noise |= {
            -form.constant
            for way in self.ways.all()
            for _, form in way.after
            if any(s.startswith("noise ") for s in form.symbols())
        }
        alone = {end for f, s, end in lines if s.startswith("answer ") and len(f.terms) == 1}
        return {
            kind: sorted(-float(end) for end in ends if abs(end) > self.moves.width)
            for kind, ends in (("noise ", noise), ("answer ", alone))
        }


# Reads which ε is claimed of a program, and for which parameters.


def claims_to_try(
    function: Any, program: ParsedProgram, epsilon: str | int | float | Fraction | None
) -> list[tuple[Expression, dict[str, Fraction]]]:
    """Return the claims to try, each with values of parameters: more general ones first.

    Only the last one is the claim itself, and all before it imply it.
    """
    if epsilon is None:
        if "epsilon" not in program.parameters:
            raise UsageError("epsilon: say which is claimed; no parameter has that name")
        return [(Name("epsilon"), {})]
    claimed = _expression(str(epsilon), program)
    if not isinstance(claimed, Constant):
        return [(claimed, {})]
    if claimed.value <= 0:
        raise UsageError(f"epsilon is {epsilon}: it must be above 0")
    values = numeric_defaults_of(function, program)
    if "epsilon" in program.parameters:
        values.setdefault("epsilon", claimed.value)
        if values["epsilon"] == claimed.value:
            return [(Name("epsilon"), {}), (claimed, values)]
    return [(claimed, values)]


def numeric_defaults_of(function: Any, program: ParsedProgram) -> dict[str, Fraction]:
    """Return the parameters' defaults, where they are numbers."""
    own = function.function if isinstance(function, Runnable) else function
    return {
        name: exact_value(value, name)
        for name, value in defaults_of(own).items()
        if name in program.parameters and type(value) in (int, float)
    }


def _expression(text: str, program: ParsedProgram) -> Expression:
    """Read a claim."""

    def read(node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return Constant(positive_number(value, "epsilon"))
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
        return Constant(Fraction(text))
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


def read_delta(value: Any) -> Fraction:
    """Return a number from 0 to below 1 exactly, as ``positive_number`` does."""
    number = Fraction(0) if value in (0, "0") else positive_number(value, "delta")
    if number >= 1:
        raise UsageError(f"delta is {value!r}: it must be below 1")
    return number


def scope_words(
    program: ParsedProgram, bound: Mapping[str, Fraction], claim: ProgramClaim | None = None
) -> str:
    """Return for which parameters a verdict speaks, in words."""
    parts = []
    for name in program.parameters:
        kind = "whole " if name in program.whole else ""
        above = ""
        if claim is not None and name in claim.positive:
            above = " ≥ 1" if name in program.whole else " > 0"
        parts.append(f"all {kind}{name}{above}")
    parts += [f"{name} = {value}" for name, value in bound.items()]
    sentences = [
        f"{_words(c.left)} {c.op} {_words(c.right)}".replace(">=", "≥").replace("<=", "≤")
        for c in program.assumed
    ]
    sentences += [f"{program.query} is a list"] * program.of_list
    if program.levels:
        sentences.append(f"{program.levels} is a public list of as many numbers as {program.query}")
    return ", ".join(parts) + (f", where {' and '.join(sentences)}" if sentences else "")


def _words(part: Expression) -> str:
    match part:
        case Constant(value):
            return str(value)
        case Name(name):
            return name
        case Binary(op, left, right):
            return f"{_words(left)} {op} {_words(right)}"
    return "…"
