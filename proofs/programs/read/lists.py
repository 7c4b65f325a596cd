"""Writes lists that a function makes in the forms that the language reads.

A list is appended to by ``append`` alone; one of which only the length is asked for is a number;
tuples are appended number by number. Lists that are returned side by side are one, in which each
number follows the name of its list. What is trusted here: what is written instead gives the same
outputs with the same probabilities, tuples of equal length number by number; of several lists it
also shows in which order they grew.
"""

import ast
import copy
import itertools
from collections.abc import Callable, Iterator

import numpy as np

from . import source
from .forms import Names, placed, put, read_of, set_to, several, shape

_LOOPS = (ast.For, ast.While, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def rewrite_lists(node: ast.FunctionDef, names: Names) -> tuple[str, ...]:
    """Rewrite the lists of a function; return the names of those that it returns side by side."""
    found = dict.fromkeys(filter(None, map(_empty, ast.walk(node))))
    for name in found:
        _each(node, lambda item, name=name: _appended(item, name, names))  # type: ignore[misc]
    beside = _side_by_side(node, names)
    for name in (name for name in found if name not in beside):
        _List(node, name, names).rewrite()
    nodes = list(ast.walk(node))
    returned = [o.value for o in nodes if isinstance(o, ast.Return) and o.value is not None]
    calls = [o for o in nodes if isinstance(o, ast.Call)]
    told = [o for o in calls if source.known(names.meaning(o.func)) == "output"]
    if not [v for v in returned if getattr(v, "value", 0) is not None]:
        _flatten(node, told)
    for block in _blocks(node):
        _join(node, block, names)
    return beside


def mark(name: str) -> str:
    """Return the output that precedes each output appended to one of several lists."""
    return f"to {name}"


def _side_by_side(node: ast.FunctionDef, names: Names) -> tuple[str, ...]:
    """Write lists that every return gives side by side as one; return their names."""
    returns = [o for o in ast.walk(node) if isinstance(o, ast.Return) and o.value is not None]
    given = {(shape(o.value), *map(source.name_of, several(o.value))) for o in returns}  # type: ignore[arg-type]
    (_, *beside) = given.pop() if len(given) == 1 else ("",)
    lists = [_List(node, name, names) for name in beside]
    if len({*beside}) != len(beside) or len(beside) < 2 or not all(beside):
        return ()
    for of in lists:
        known = [*of.made, *of.appends, *of.lengths, *of.truths, *returns]
        once = len(of.made) == 1 and of.made[0] in node.body
        if not once or len(known) != len(source.named(node, of.name)):
            return ()
    whole, begins = ", ".join(beside), [of.made[0] for of in lists]
    first = next(statement for statement in node.body if statement in begins)
    for of in lists:
        of.count_uses()

    def change(item: ast.stmt) -> list[ast.stmt]:
        if item in begins:
            return [set_to(whole, ast.List([], ast.Load()))] if item is first else []
        if item in returns:
            return [ast.Return(read_of(whole))]
        for of in lists:
            if item in of.appends:
                value: ast.expr = item.value.args[0]  # type: ignore[attr-defined]
                return [_append(whole, ast.Constant(mark(of.name))), _append(whole, value)]
        return [item]

    _each(node, change)
    return tuple(beside)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for item in list(ast.walk(node)):
        for block in (getattr(item, "body", None), getattr(item, "orelse", None)):
            if isinstance(block, list):
                yield block


def _each(node: ast.AST, change: Callable[[ast.stmt], list[ast.stmt]]) -> None:
    """Change each statement into several, or none."""
    for block in _blocks(node):
        made = [placed(new, statement) for statement in block for new in change(statement)]
        block[:] = made or [placed(ast.Pass(), statement) for statement in block[:1]]


def _empty(node: ast.AST) -> str:
    """Return the name that is given an empty list; else none."""
    match node:
        case ast.Assign([ast.Name(name)], ast.List([])):
            return name
    return ""


def _append(name: str, value: ast.expr) -> ast.stmt:
    of = ast.Attribute(read_of(name), "append", ast.Load())
    return ast.Expr(ast.Call(of, [value], []))


def _appended(node: ast.stmt, name: str, names: Names) -> list[ast.stmt]:
    """Return what adds several numbers to a list as so many times ``append``."""

    def several(of: ast.expr) -> list[ast.stmt] | None:
        plain = isinstance(of, ast.List | ast.Tuple) and not source.named(of, name)
        starred = any(isinstance(item, ast.Starred) for item in getattr(of, "elts", []))
        return [_append(name, element) for element in of.elts] if plain and not starred else None  # type: ignore[attr-defined]

    made = None
    match node:
        case ast.Assign([ast.Name(one)], ast.BinOp(ast.Name(two), ast.Add(), more)) if (
            one == two == name
        ):
            made = several(more)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(one), "extend"), [more], [])) if one == name:
            made = several(more)
        case ast.Return(ast.BinOp(ast.Name(one) as of, ast.Add(), ast.List() as more)) if (
            one == name
        ):
            made = several(more)
            made = made and [*made, ast.Return(of)]
        case ast.Return(ast.Call(func, [ast.Name(one) as of], [])) if one == name and any(
            names.meaning(func) is kind for kind in (tuple, list, np.array, np.asarray)
        ):
            made = [ast.Return(of)]
    return [node] if made is None else made


class _List:
    """One list of a function, and where its name stands."""

    def __init__(self, node: ast.FunctionDef, name: str, names: Names) -> None:
        self.node, self.name, self.names = node, name, names
        self.count, self.kept = f"length of {name}", True
        nodes = list(ast.walk(node))
        self.appends = [o for o in nodes if isinstance(o, ast.Expr) and self._is_append(o)]
        self.lengths = [o for o in nodes if isinstance(o, ast.Call) and self._is_length(o)]
        tests = [o.test for o in nodes if isinstance(o, ast.If | ast.IfExp)]
        tests += [o.operand for o in nodes if isinstance(o, ast.UnaryOp)]
        tests += [v for o in nodes if isinstance(o, ast.BoolOp) for v in o.values]
        self.truths = [o for o in tests if isinstance(o, ast.Name) and o.id == name]
        returns = [(o, o.value) for o in nodes if isinstance(o, ast.Return) and o.value]
        self.more = {o: v for o, v in returns if source.name_of([*several(v), o][0]) == name}
        self.returns = {o: v for o, v in returns if source.name_of(v) == name} | self.more
        self.made = [o for o in nodes if _empty(o) == name]

    def _is_append(self, node: ast.Expr) -> bool:
        match node.value:
            case ast.Call(ast.Attribute(ast.Name(self.name), "append"), [_], []):
                return True
        return False

    def _is_length(self, node: ast.Call) -> bool:
        named = len(node.args) == 1 and source.name_of(node.args[0]) == self.name
        return named and self.names.meaning(node.func) is len

    def rewrite(self) -> None:
        """Rewrite it, where its name stands in ways that are known."""
        known = [*self.made, *self.appends, *self.lengths, *self.truths, *self.returns]
        if len(known) < len(source.named(self.node, self.name)):
            for block in _blocks(self.node):
                self._comprehended(block)
            return
        if not self.returns:
            self.kept = False
        self.count_uses()
        if len(set(map(shape, self.returns.values()))) == 1:
            _each(self.node, self._returned)
        _flatten(self.node, [expr.value for expr in self.appends])  # type: ignore[misc]

    def count_uses(self) -> None:
        """Count what is appended where the length is asked for, or the list is not kept."""
        if self.lengths or self.truths or not self.kept:
            for one in self.lengths:
                one.__class__ = ast.Name  # type: ignore[assignment]
                one.id, one.ctx = self.count, ast.Load()  # type: ignore[attr-defined]
            for two in self.truths:
                two.id = self.count
            _each(self.node, self._counted)

    def _counted(self, node: ast.stmt) -> list[ast.stmt]:
        kept = [node] if self.kept else []
        if node in self.made:
            return [*kept, set_to(self.count, ast.Constant(0))]
        if node in self.appends:
            value = node.value.args[0]  # type: ignore[attr-defined]
            if not kept and any(isinstance(n, ast.Call) for n in ast.walk(value)):
                kept = [set_to(f"number in {self.name}", value)]
            more = ast.BinOp(read_of(self.count), ast.Add(), ast.Constant(1))
            return [*kept, set_to(self.count, more)]
        return [node]

    def _returned(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what is returned with the list, always as much, as its last outputs."""
        if not isinstance(node, ast.Return) or node not in self.more:
            return [node]
        of, *beside = several(self.more[node])
        return [*(_append(self.name, item) for item in beside), ast.Return(of)]

    def _comprehended(self, block: list[ast.stmt]) -> None:
        """Write a loop that does nothing but append to a list as a list."""
        starts = [k for k, statement in enumerate(block) if statement in self.made]
        for at, loop in enumerate(block):
            match loop:
                case ast.For(target, over, [*steps, last], []) if last in self.appends and starts:
                    value = self._value(steps, last, loop)
                    if len(self.appends) > 1 or len(self.made) > 1 or value is None:
                        return
                    if source.named(block[starts[0] + 1 : at], self.name) or starts[0] > at:
                        return
                    part = ast.comprehension(target, over, [], 0)
                    block[at] = placed(set_to(self.name, ast.ListComp(value, [part])), loop)
                    del block[starts[0]]
                    return

    def _value(self, steps: list[ast.stmt], last: ast.stmt, loop: ast.For) -> ast.expr | None:
        """Return what is appended, without the variables of its step, if it can be so written."""
        value: ast.expr = last.value.args[0]  # type: ignore[attr-defined]
        targets = [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
        for target in targets:
            if len(source.named(self.node, target)) > len(source.named(loop, target)):
                return None
        for step in reversed(steps):
            match step:
                case ast.Assign([ast.Name(name)], given):
                    stored = sum(source.stores(n, name) for n in ast.walk(self.node))
                    inside = len(source.named(self.node, name)) == len(source.named(loop, name))
                    read = source.named(value, name)
                    once = len(source.named(loop, name)) == 2 == 1 + len(read)
                    if not (inside and once and stored == 1):
                        return None
                    value = put(value, {name: given}, last)
                case _:
                    return None
        loops = any(isinstance(n, _LOOPS) for n in ast.walk(value))
        return None if loops or source.named(value, self.name) else value


def _flatten(node: ast.FunctionDef, calls: list[ast.Call]) -> None:
    """Output tuples, all of as many numbers, number by number."""
    many = {len(c.args) == 1 and len(getattr(_tuple(c), "elts", [])) for c in calls}
    if len(many) != 1 or not min(many):
        return

    def parts(statement: ast.stmt) -> list[ast.stmt]:
        if not isinstance(statement, ast.Expr) or statement.value not in calls:
            return [statement]
        call: ast.Call = statement.value
        each = _tuple(call).elts  # type: ignore[union-attr]
        return [ast.Expr(ast.Call(copy.deepcopy(call.func), [part], [])) for part in each]

    _each(node, parts)


def _tuple(call: ast.Call) -> ast.Tuple | None:
    node = call.args[0] if call.args else None
    plain = isinstance(node, ast.Tuple)
    return node if plain and not any(isinstance(o, ast.Starred) for o in node.elts) else None  # type: ignore


def _join(node: ast.FunctionDef, block: list[ast.stmt], names: Names) -> None:
    """Write what is returned in place of its name, where that is given in the line before."""
    for k, (statement, after) in reversed([*enumerate(itertools.pairwise(block))]):
        match statement, after:
            case ast.Assign([ast.Name(name)], value), ast.Return(ast.expr() as returned):
                kept = isinstance(value, ast.Tuple | ast.List | ast.Dict) and bool(
                    getattr(value, "elts", getattr(value, "keys", []))
                )
                kept = kept or (
                    isinstance(value, ast.Call) and names.meaning(value.func) in (max, np.max)
                )
                inner = [n for n in ast.walk(returned) if isinstance(n, _LOOPS)]
                once = len(source.named(node, name)) == 2 and len(source.named(returned, name)) == 1
                if kept and once and not any(source.named(n, name) for n in inner):
                    block[k + 1] = placed(ast.Return(put(returned, {name: value}, after)), after)
                    del block[k]
