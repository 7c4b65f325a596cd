"""Writes loops over a part of the answers, or over neighboring answers, as loops over all of them.

These are loops over ``q[1:]``, ``q[:5]``, ``range(1, len(q))``, ``zip(q, q[1:])``, ``pairwise(q)``
and ``np.diff(q)``; in one by ``range`` also ``q[i - 1]`` is read. What is trusted here: a loop over
all answers that leaves out steps, and keeps the answer before, runs its body as often.
"""

import ast
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from . import source
from .forms import Names, placed, put, read_of, set_to

_ANSWER, _BEFORE = read_of("this answer"), read_of("the answer before")


@dataclass
class _Part:
    """What a loop is over: answers from the position ``first`` on, before ``end`` if there is one.

    given: what the loop's names are in each step, made of ``_ANSWER`` and ``_BEFORE``. index: the
    name of its position, which is ``start`` at first. over: what the loop over all is over, if
    there is no answer in its steps; each: what else there is in each step.
    """

    first: int
    end: ast.expr | None = None
    given: dict[str, ast.expr] = field(default_factory=dict)
    index: str = ""
    start: int = 0
    over: ast.expr | None = None
    each: ast.expr | None = None


def over_all(node: ast.For, query: str, names: Names, new: Callable[[str], str]) -> list[ast.stmt]:
    """Return what is written for a loop: the loop itself if it is over all answers, from 0 on."""
    part = _part(node, query, names)
    if part is None or (part.end is not None and node.orelse):
        return [node]
    place, answer, before, kept = map(new, ("place", "answer", "answer before", "answer kept"))
    body = [n for statement in node.body for n in ast.walk(statement)]
    pairs = _BEFORE in [n for value in part.given.values() for n in ast.walk(value)]
    fixed, shift = not any(source.stores(n, part.index) for n in body), part.start - part.first
    for item in (n for n in body if isinstance(n, ast.Subscript) and fixed and part.index):
        asked = ast.unparse(item.slice)
        if asked == (f"{part.index} - {shift}" if shift else part.index):
            item.slice = placed(read_of(place), item)
        elif ast.unparse(item) == f"{query}[{part.index} - {shift + 1}]" and part.first:
            item.__class__, item.id, pairs = ast.Name, before, True  # type: ignore
    steps = [set_to(before, read_of(kept)), set_to(kept, read_of(answer))] if pairs else []
    if part.end is not None:
        steps.append(_if(read_of(place), ast.GtE(), part.end, ast.Break()))
    if part.first:
        steps.append(_if(read_of(place), ast.Lt(), ast.Constant(part.first), ast.Continue()))
    if part.index:
        number = ast.BinOp(read_of(place), ast.Add(), ast.Constant(shift))
        steps.append(set_to(part.index, number))
    own = {_ANSWER.id: read_of(answer), _BEFORE.id: read_of(before)}
    steps += [set_to(name, put(value, own, node)) for name, value in part.given.items()]
    target: ast.expr = ast.Name(place, ast.Store())
    over = part.over
    if over is None or part.each is not None:
        target = ast.Tuple([target, part.each or ast.Name(answer, ast.Store())], ast.Store())
        over = ast.Call(read_of("enumerate"), [over or read_of(query)], [])
    loop = ast.For(target, over, [*steps, *node.body], node.orelse)
    return [placed(made, node) for made in ([set_to(kept, ast.Constant(0))] * pairs + [loop])]


def _if(left: ast.expr, op: ast.cmpop, right: ast.expr, then: ast.stmt) -> ast.stmt:
    return ast.If(ast.Compare(left, [op], [right]), [then], [])


def _part(node: ast.For, query: str, names: Names) -> _Part | None:
    """Return what a loop is over; ``None`` where that is all answers, or nothing that is known."""
    target, over, index, begin = node.target, node.iter, "", 0
    if ast.unparse(over) == f"{query}[:]":
        node.iter = over = placed(read_of(query), node)
    match target, over:
        case ast.Name(name), ast.Call(func, [first, end], []) if names.meaning(func) is range:
            begin = _whole(first)
            match end:
                case ast.Call(length, [of], []) if names.meaning(length) is len and begin > 0:
                    known = source.name_of(of) == query
                    return _Part(begin, index=name, start=begin) if known else None
                case ast.BinOp(of, ast.Add(), more) if _whole(more) == begin >= 0:
                    return _Part(0, None, {}, name, begin, ast.Call(func, [of], []))
            if begin == 0:
                node.iter = placed(ast.Call(func, [end], []), node)
            return None
        case ast.Tuple([ast.Name(name), each]), ast.Call(func, [inner, *more], options) if (
            names.meaning(func) is enumerate
        ):
            index, target, over = name, each, inner
            begin = _whole([*more, *(option.value for option in options), ast.Constant(0)][0])
            if begin == 0:
                node.iter = placed(ast.Call(func, [inner], []), node)
    match target, over:
        case ast.Name(name), ast.Subscript(data, ast.Slice(lower, upper, None)) if source.name_of(
            data
        ) == query and (lower or upper):
            ends = [0 if bound is None else _whole(bound) for bound in (lower, upper)]
            known = min(*ends, begin) >= 0
            return _Part(ends[0], upper, {name: _ANSWER}, index, begin) if known else None
        case _, ast.Call(func, _, []) if begin >= 0:
            asked, function = [ast.unparse(part) for part in over.args], names.meaning(func)
            several = asked in ([query, f"{query}[1:]"], [f"{query}[:-1]", f"{query}[1:]"])
            if (function is zip and several) or (
                function is itertools.pairwise and asked == [query]
            ):
                match target:
                    case ast.Tuple([ast.Name(one), ast.Name(two)]) if one != two:
                        return _Part(1, None, {one: _BEFORE, two: _ANSWER}, index, begin)
            if function is np.diff and asked == [query] and isinstance(target, ast.Name):
                change = ast.BinOp(_ANSWER, ast.Sub(), _BEFORE)
                return _Part(1, None, {target.id: change}, index, begin)
        case ast.Name(name), ast.Call(func, [ast.Call(length)], []) if (
            names.meaning(func) is range and names.meaning(length) is len and _stored(node, name)
        ):
            return _Part(0, None, {}, name, 0, over)
    # The position of a loop over all answers counts from 0 and is not assigned to.
    counts = begin > 0 or (begin == 0 and _stored(node, index))
    if counts and not source.named(target, index):
        return _Part(0, None, {}, index, begin, over, target)
    return None


def _stored(node: ast.For, name: str) -> bool:
    return any(source.stores(n, name) for part in node.body for n in ast.walk(part))


def _whole(node: ast.expr | None) -> int:
    """Return a whole number that is written there; −1 for anything else."""
    value = getattr(node, "value", None)
    return value if type(value) is int else -1
