"""Rewrites loops of a query, so that over data they are steps that a trace can bound.

``[value for v in x if condition]`` becomes a call of ``python.each`` with functions of ``v``, and a
loop that only adds up becomes a sum where ``x`` stands for data. Over anything else both do what
they did. Only code whose source is found, and compiles to it, is rewritten.
"""

import __future__

import ast
import copy
import dis
import linecache
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_KEPT = (ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
"""An expression that holds one of these is left as it is."""

_MADE = "__made__"
"""The first argument of functions that are made here."""


def rewritten(function: FunctionType) -> CodeType:
    """Return the code of a function with its loops rewritten, or as it is."""
    code = function.__code__
    if not _has_loop(code):
        return code
    lines = linecache.getlines(code.co_filename, function.__globals__)
    before, after = _codes("".join(lines), code.co_filename, code.co_flags & _FUTURE)
    at = [i for i, one in enumerate(before) if one == code]
    names = [(one.co_name, one.co_freevars, one.co_varnames[: one.co_argcount]) for one in before]
    others = [(one.co_name, one.co_freevars, one.co_varnames[: one.co_argcount]) for one in after]
    return after[at[0]] if at and names == others else code


def _has_loop(code: CodeType) -> bool:
    inside = [one for one in code.co_consts if isinstance(one, CodeType)]
    return dis.opmap["FOR_ITER"] in code.co_code[::2] or any(map(_has_loop, inside))


@cache
def _codes(text: str, file: str, flags: int) -> tuple[list[CodeType], list[CodeType]]:
    """Return the code of every function of a file as it is written, and as it is rewritten.

    None of either, once and for all, where that cannot be had.
    """
    try:
        trees = ast.parse(text), ast.fix_missing_locations(_Rewriter().visit(ast.parse(text)))
        wholes = [compile(tree, file, "exec", flags, dont_inherit=True) for tree in trees]
    except (SyntaxError, ValueError, RecursionError):
        return [], []
    found = [list(_functions(whole)) for whole in wholes]
    return found[0], found[1]


def _functions(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_name not in ("<genexpr>", "<listcomp>") and _MADE not in one.co_varnames[:1]:
                yield one
            yield from _functions(one)


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.loops = 0

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._comprehension(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._comprehension(node)

    def _comprehension(self, node: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        first, target = node.generators[0], _target(node.generators[0].target)
        parts = [node.elt, *first.ifs]
        plain = len(node.generators) == 1 and not first.is_async and target is not None
        plain = plain and not any(map(_is_kept, [*parts, first.iter]))
        self.generic_visit(node)
        if target is None or not plain:
            return node
        functions = [_function(target, one) for one in (node.elt, *first.ifs)]
        several = ast.Constant(isinstance(target, ast.Tuple))
        made = ast.Constant(isinstance(node, ast.ListComp))
        found: ast.expr = _at(node, _call("__each__", made, several, first.iter, *functions))
        return found

    def visit_For(self, node: ast.For) -> Any:
        target = _target(node.target)
        sums = None if target is None or node.orelse else _sums(node.body, [*_names(node.target)])
        self.generic_visit(node)
        if target is None or not sums or _is_kept(node.iter):
            return node
        self.loops += 1
        over = f"__loop_{self.loops}__"
        taken: list[ast.stmt] = []
        for name, conditions, value in sums:
            functions = [_function(target, one) for one in (value, *conditions)]
            several = ast.Constant(isinstance(target, ast.Tuple))
            added = _call("__added_up__", _load(name), several, _load(over), *functions)
            taken.append(_assign(name, added))
        gone = {*_names(node.target), *_stored(node.body)} - {name for name, *_ in sums}
        taken += [_assign(name, _load("__gone__")) for name in sorted(gone)]
        first = _assign(over, node.iter)
        node.iter = _load(over)
        either = ast.If(_call("__is_data__", _load(over)), taken, [node])
        return [_at(node, first), _at(node, either)]


_Sum = tuple[str, list[ast.expr], ast.expr]


def _sums(body: list[ast.stmt], own: list[str]) -> list[_Sum] | None:
    """Return what a loop adds to which name, under which conditions; ``None`` if it does more."""
    known: dict[str, ast.expr] = {}
    found: list[_Sum] = []

    def read(statements: list[ast.stmt], conditions: list[ast.expr]) -> bool:
        for one in statements:
            match one:
                case ast.AugAssign(ast.Name(name), ast.Add(), value):
                    found.append((name, conditions, _replaced(value, known)))
                case ast.Assign([ast.Name(name)], value) if not conditions and name not in own:
                    known[name] = _replaced(value, known)
                case ast.If(test, inside, []):
                    if not read(inside, [*conditions, _replaced(test, known)]):
                        return False
                case ast.Pass():
                    pass
                case _:
                    return False
        return True

    if not read(body, []):
        return None
    added = {name for name, *_ in found}
    parts = [one for _, conditions, value in found for one in (*conditions, value)]
    used = {name for one in [*parts, *known.values()] for name in _names(one)}
    # What is used before the loop gives it a value comes from the record before.
    clash = used & (added | known.keys()) or added & (known.keys() | {*own})
    return None if clash or any(map(_is_kept, parts)) else found


def _replaced(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    class PutExpressions(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return copy.deepcopy(known.get(name.id, name))

    found: ast.expr = PutExpressions().visit(copy.deepcopy(node))
    return found


def _target(node: ast.expr) -> ast.Name | ast.Tuple | None:
    """Return the variables of a loop: a name, or a tuple of names."""
    if isinstance(node, ast.Name):
        return node
    if not isinstance(node, ast.Tuple):
        return None
    names = {one.id for one in node.elts if isinstance(one, ast.Name)}
    return node if len(names) == len(node.elts) else None


def _function(target: ast.expr, body: ast.expr) -> ast.expr:
    names = [_MADE, *_names(target)]
    arguments = ast.parse(f"lambda {', '.join(names)}: 0", mode="eval").body
    assert isinstance(arguments, ast.Lambda)
    return ast.Lambda(arguments.args, copy.deepcopy(body))


def _names(node: ast.AST) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]


def _stored(body: list[ast.stmt]) -> set[str]:
    inside = [one for statement in body for one in ast.walk(statement)]
    return {x.id for x in inside if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}


def _is_kept(node: ast.expr) -> bool:
    return any(isinstance(one, _KEPT) for one in ast.walk(node))


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(name: str, *args: ast.expr) -> ast.expr:
    return ast.Call(_load(name), [*args], [])


def _at(place: ast.AST, node: Any) -> Any:
    """Return a new node at a place of the source, as far as its parts have none of their own."""
    return ast.fix_missing_locations(ast.copy_location(node, place))
