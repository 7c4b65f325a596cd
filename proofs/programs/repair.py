"""Repairs a program with too little noise: the least multiple of ε that is proved, larger scales.

Nothing here is trusted. A multiple counts once ``prove`` has shown it, and the changed source is
to be proved from its text like any other.
"""

import ast
import linecache
import math
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from provado.mechanisms.programs import Program as Runnable
from provado.mechanisms.programs.noise_calls import noise_call
from provado.proofs import kernel

from .alignment.conditions import budget
from .alignment.prove import Failure, Proof, prove
from .claim import AnswerRelation, ProgramClaim, claims_to_try
from .decide import STEPS, relations_of
from .read import ir
from .read.forms import Names
from .read.parse import Bound, read_program
from .read.path import Paths
from .read.polynomial import ratio
from .read.source import known, source_of
from .read.symbolic_execution import enumerate_paths

_TRIED = (1, 2, 8)
"""Multiples that are tried; the alignment that is found then says which one is enough."""
_PARTS = 5040
"""Multiples are whole numbers of such parts of one."""


@dataclass(frozen=True)
class Repair:
    """What was proved in place of the claim, and the noise with which the claim would be proved.

    multiple, times: the claim is proved at multiple·times·(claim); times is a whole parameter, the
    number of answers, or nothing. changes: line, call and the call with its new scale. source: the
    whole file with these.
    """

    multiple: Fraction
    times: str
    changes: tuple[tuple[int, str, str], ...]
    source: str

    @property
    def factor(self) -> str:
        """The multiple in words."""
        number = [str(self.multiple)] if self.multiple != 1 or not self.times else []
        return "·".join([*number, *filter(None, [self.times])])

    @property
    def needed(self) -> bool:
        """Whether the claim itself was not proved."""
        return bool(self.times) or self.multiple > 1


def repair(
    function: Any,
    *,
    epsilon: str | int | float | Fraction | None = None,
    sensitivity: str | int | float | Fraction = 1,
    neighbors: str = "all",
    parameters: Bound | None = None,
    steps: int = STEPS,
) -> Repair | Failure:
    """Return the least multiple of a claim that was proved, with the noise that it asks for.

    The arguments are those of ``decide``. Multiples by a number are sought first, then by a whole
    parameter, then by the number of answers. A ``Failure`` says that none was proved.
    """
    relations, given = relations_of(neighbors, sensitivity), dict(parameters or {})
    program = read_program(function, given)
    try:
        for claimed, values in claims_to_try(function, program, epsilon):
            ways = enumerate_paths(read_program(function, {**given, **values}))
            for times in ("", *sorted(ways.program.whole), ir.LENGTH):
                claim = ir.Binary("*", ir.Name(times), claimed) if times else claimed
                least = _least(ways, relations, claim, steps // 12)
                if least is not None:
                    shown = times.replace(ir.LENGTH, f"len({program.query})")
                    return Repair(least, shown, *_rewritten(function, least, shown))
    except ir.UndecidedProgramError as error:
        return Failure(str(error))
    return Failure("no shifts of the noise were found whose cost has a bound")


def _least(
    ways: Paths, relations: Sequence[AnswerRelation], claim: ir.Expression, steps: int
) -> Fraction | None:
    """Return the least multiple of a claim that was proved; ``None`` where none was."""

    def proved(multiple: Fraction) -> Fraction | None:
        proofs = []
        wanted = ratio(ir.Binary("*", ir.Constant(multiple), claim))
        for moves in relations:
            proof = prove(ProgramClaim.made(ways, moves, wanted), steps=steps)
            if isinstance(proof, Failure):
                return None
            proofs.append(proof)
        low, high = 0, math.ceil(multiple * _PARTS)
        while high - low > 1:
            middle = (low + high) // 2
            less = ir.Binary("*", ir.Constant(Fraction(middle, _PARTS)), claim)
            low, high = (low, middle) if _enough(proofs, less) else (middle, high)
        return min(multiple, Fraction(high, _PARTS))

    fraction = next((m for k in _TRIED if (m := proved(Fraction(k))) is not None), None)
    while fraction is not None and (less := proved(fraction * Fraction(99, 100))) is not None:
        fraction = less
    return fraction


def _enough(proofs: Sequence[Proof], claim: ir.Expression) -> bool:
    """Return whether the alignments of proofs cost no more than another ε."""
    try:
        for proof in proofs:
            kernel.check(budget(replace(proof.claim, epsilon=ratio(claim)), proof.alignment.bounds))
    except (kernel.KernelRefusal, ir.UndecidedProgramError):
        return False
    return True


# The changed source. --------------------------------------------------------------------------


def _rewritten(
    function: Any, multiple: Fraction, times: str
) -> tuple[tuple[tuple[int, str, str], ...], str]:
    """Return the changes, and the file of a function with all of its scales multiplied."""
    own = function.function if isinstance(function, Runnable) else function
    node, _, _ = source_of(own)
    names = Names.of(own, node, {}, lambda _, rule: ir.LanguageError("", node.lineno, rule))
    lines = [line.encode() for line in linecache.getlines(own.__code__.co_filename)]
    starts = [sum(map(len, lines[:k])) for k in range(len(lines))]
    text, changes = b"".join(lines), []
    for call, scale in reversed(list(_scales(node, names, own.__module__))):
        assert scale.end_lineno is not None
        assert scale.end_col_offset is not None
        first = starts[scale.lineno - 1] + scale.col_offset
        last = starts[scale.end_lineno - 1] + scale.end_col_offset
        before, new = ast.unparse(call), _larger(scale, multiple, times)
        text = text[:first] + ast.unparse(new).encode() + text[last:]
        call.args = [new if argument is scale else argument for argument in call.args]
        for option in call.keywords:
            option.value = new if option.value is scale else option.value
        changes.append((call.lineno, before, ast.unparse(call)))
    return tuple(reversed(changes)), text.decode()


def _scales(
    node: ast.FunctionDef, names: Names, module: str
) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield each call that draws noise with its scale, in the order of the text."""
    calls = [item for item in ast.walk(node) if isinstance(item, ast.Call)]
    for call in sorted(calls, key=lambda item: (item.lineno, item.col_offset)):
        called = names.meaning(call.func)
        options = {k.arg: k.value for k in call.keywords if k.arg is not None}
        if known(called) in ir.NOISE:
            yield call, [*call.args, *options.values()][0]
        elif (library := noise_call(called)) is not None:
            scale = library.bind(call.args, options).get(library.scale)
            if not isinstance(scale, ast.expr) or library.kind not in ir.NOISE:
                raise ir.UndecidedProgramError(f"line {call.lineno}: the call states no scale")
            yield call, scale
        elif isinstance(called, types.FunctionType) and called.__module__ == module:
            rule = f"{ast.unparse(call.func)} may add noise: write it in {node.name}"
            raise ir.UndecidedProgramError(f"line {call.lineno}: {rule}")


def _larger(scale: ast.expr, multiple: Fraction, times: str) -> ast.expr:
    """Return a scale multiplied, its numbers cancelled."""
    top, bottom = scale, None
    if isinstance(scale, ast.BinOp) and isinstance(scale.op, ast.Div):
        top, bottom = scale.left, scale.right
    (a, above), (b, below) = _split(top), _split(bottom)
    number = multiple * Fraction(a, b)
    more = [ast.parse(times, mode="eval").body] if times else []
    node = _product(number.numerator, [*more, *above])
    if number.denominator == 1 and not below:
        return node
    return ast.BinOp(node, ast.Div(), _product(number.denominator, below))


def _split(node: ast.expr | None) -> tuple[int, list[ast.expr]]:
    """Return the whole number above 0 that a product begins with, and its other factors."""
    match node:
        case None:
            return 1, []
        case ast.Constant(value=int(value)) if value > 0:
            return value, []
        case ast.BinOp(left, ast.Mult(), right):
            number, rest = _split(left)
            return number, [*rest, right]
    return 1, [node]


def _product(number: int, factors: list[ast.expr]) -> ast.expr:
    first: list[ast.expr] = [ast.Constant(number)] if number != 1 or not factors else []
    return reduce(lambda x, y: ast.BinOp(x, ast.Mult(), y), [*first, *factors])
