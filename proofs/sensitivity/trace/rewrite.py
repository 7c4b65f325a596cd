"""Rewrites loops of a query, so that over data they are steps that a trace can bound.

``[value for v in x if condition]`` becomes a call of ``python.each`` with functions of ``v``, and a
loop that only adds up, multiplies, keeps the largest or the least, or appends becomes a sum, a
product, and so on, where ``x`` stands for data. ``a if condition else b``, ``and``, ``or`` and
``not`` of one record's values become what they choose for each. Over anything else all of it does
what it did. ``x = f(…)`` is a call of ``__to_change__`` where ``x[…] = …`` follows. Only code whose
source is found, and compiles to it, is rewritten.
"""

import __future__

import ast
import copy
import dis
import linecache
from collections.abc import Iterator
from functools import cache
from itertools import starmap
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
    if _REWRITTEN.isdisjoint(_used_in(code)):
        return code
    lines = linecache.getlines(code.co_filename, function.__globals__)
    before, after = _codes("".join(lines), code.co_filename, code.co_flags & _FUTURE)
    at = [i for i, item in enumerate(before) if item == code]
    names = [
        (item.co_name, item.co_freevars, item.co_varnames[: item.co_argcount]) for item in before
    ]
    others = [
        (item.co_name, item.co_freevars, item.co_varnames[: item.co_argcount]) for item in after
    ]
    return after[at[0]] if at and names == others else code


def is_unguarded(before: CodeType, after: CodeType) -> bool:
    """Tell whether code may ask for a type, or catch exceptions, and is not rewritten."""
    return before is after and not _GUARDED.isdisjoint(_used_in(before))


@cache
def _used_in(code: CodeType) -> frozenset[str]:
    """Return the names and the instructions of a code, and of the functions inside it."""
    found, last = {*code.co_names}, False
    for item in dis.get_instructions(code):
        found |= {item.opname, "is"} if item.opname == "IS_OP" and not last else {item.opname}
        last = item.opname == "LOAD_CONST" and item.argval is None
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(found.union(*map(_used_in, inside)))


_GUARDED = {"PUSH_EXC_INFO", "MATCH_CLASS", "MATCH_SEQUENCE", "MATCH_MAPPING"}
_GUARDED |= {"is", "__class__"}
"""What asks for a type, or catches an exception."""

_REWRITTEN = _GUARDED | {
    name
    for name in dis.opmap
    if name in ("FOR_ITER", "STORE_SUBSCR", "JUMP_ABSOLUTE")
    or "BACKWARD" in name
    or name.startswith("POP_JUMP")
}
"""That, and instructions of a loop, a choice, or a change in place."""


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
    result = [list(_functions(whole)) for whole in wholes]
    return result[0], result[1]


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if (
                constant.co_name not in ("<genexpr>", "<listcomp>")
                and _MADE not in constant.co_varnames[:1]
            ):
                yield constant
            yield from _functions(constant)


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.loops = 0
        self.changed: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        outer = self.changed
        inside = [item for item in ast.walk(node) if isinstance(item, ast.Subscript)]
        stored = [item.value for item in inside if isinstance(item.ctx, ast.Store)]
        self.changed = {item.id for item in stored if isinstance(item, ast.Name)}
        self.generic_visit(node)
        self.changed = outer
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(made) as call) if name in self.changed:
                call.func, call.args = _at(call, _load("__to_change__")), [made, *call.args]
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._comprehension(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._comprehension(node)

    def _comprehension(self, node: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        loops = [_target(generator.target) for generator in node.generators]
        conditions = [test for generator in node.generators for test in generator.ifs]
        parts = [node.elt, *conditions, *(generator.iter for generator in node.generators)]
        plain = len(loops) < 3 and None not in loops and not any(map(_is_kept, parts))
        plain = plain and not any(generator.is_async for generator in node.generators)
        self.generic_visit(node)
        targets = [loop for loop in loops if loop is not None]
        if not plain or _clash(targets):
            return node
        made = ast.Constant(isinstance(node, ast.ListComp))
        conditions = [test for generator in node.generators for test in generator.ifs]
        inner = node.generators[1].iter if len(targets) > 1 else None
        over = node.generators[0].iter
        result: ast.expr = _at(node, _each([made], targets, over, inner, node.elt, conditions))
        return result

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self._choice(node, "__either__", node.test, node.body, node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        first, *others = node.values
        rest = others[0] if len(others) == 1 else _at(node, ast.BoolOp(node.op, others))
        name = "__both__" if isinstance(node.op, ast.And) else "__one__"
        return self._choice(node, name, first, rest)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        made = _opposite(node.operand) if isinstance(node.op, ast.Not) else node
        return _at(node, made)  # type: ignore[no-any-return]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr == "__class__":
            node.value = _at(node, _call("__plain__", node.value))
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        self.generic_visit(node)
        plain = (ast.MatchValue, ast.MatchAs, ast.MatchOr)
        patterns = [x for case in node.cases for x in ast.walk(case.pattern)]
        if any(isinstance(x, ast.pattern) and not isinstance(x, plain) for x in patterns):
            node.subject = _at(node, _call("__plain__", node.subject))
        return node

    def visit(self, node: Any) -> Any:
        """Have an exception inside ``try`` or ``with`` end the trace; else as of any node."""
        if not isinstance(node, ast.Try | ast.TryStar | ast.With):
            return super().visit(node)
        self.generic_visit(node)
        caught = [ast.Expr(_call("__caught__")), ast.Raise()]
        inner = ast.Try(node.body, [ast.ExceptHandler(None, None, caught)], [], [])
        node.body = [_at(node, inner)]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(starmap(_tells_apart, zip(node.ops, node.comparators, strict=True))):
            node.left = _at(node, _call("__plain__", node.left))
            node.comparators = [
                x if isinstance(x, ast.Constant) else _at(node, _call("__plain__", x))
                for x in node.comparators
            ]
        if len(node.ops) != 2 or not isinstance(node.comparators[0], ast.Name | ast.Constant):
            self.generic_visit(node)
            return node
        middle, last = node.comparators
        pair = [
            _at(node, ast.Compare(one, [sign], [other]))
            for one, sign, other in zip(
                (node.left, copy.deepcopy(middle)), node.ops, (middle, last), strict=True
            )
        ]
        return self._choice(node, "__both__", *pair)

    def _choice(self, node: ast.expr, name: str, first: ast.expr, *ways: ast.expr) -> ast.expr:
        """Return a call with an expression, and functions of nothing for what it decides about."""
        if any(map(_is_kept, ways)):
            self.generic_visit(node)
            return node
        nothing = ast.Tuple([], ast.Load())
        functions = [_function(nothing, self.visit(way)) for way in ways]
        return _at(node, _call(name, self.visit(first), *functions))  # type: ignore[no-any-return]

    def visit_While(self, node: ast.While) -> Any:
        """Read ``while i < end: …; i += 1`` as a loop over the numbers from i on."""
        match node.test, node.body[-1]:
            case (
                ast.Compare(ast.Name(name), [ast.Lt()], [end]),
                ast.AugAssign(ast.Name(counted), ast.Add(), ast.Constant(1)),
            ) if name == counted and not node.orelse:
                body = node.body[:-1]
                inside = [x for statement in body for x in ast.walk(statement)]
                fixed = {name, *_names(end)}.isdisjoint(_stored(body))
                if fixed and not any(isinstance(x, ast.Break | ast.Continue) for x in inside):
                    over = _call("range", _load(name), copy.deepcopy(end))
                    loop = ast.For(ast.Name(name, ast.Store()), over, copy.deepcopy(body), [])
                    result = self.visit_For(_at(node, loop))
                    if isinstance(result, list):
                        self.generic_visit(node)
                        result[-1].orelse = [node]
                        return result
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> Any:
        target = _target(node.target)
        steps = None if target is None or node.orelse else _steps(node.body, _names(node.target))
        self.generic_visit(node)
        if target is None or not steps or _is_kept(node.iter):
            return node
        self.loops += 1
        over = f"__loop_{self.loops}__"
        taken: list[ast.stmt] = []
        for name, how, conditions, value, inner in steps:
            parts = [self.visit(copy.deepcopy(item)) for item in (value, *conditions)]
            targets = [target] if inner is None else [target, inner[0]]
            within = None if inner is None else self.visit(copy.deepcopy(inner[1]))
            first = [how, _load(name)]
            left = _each(first, targets, _load(over), within, parts[0], parts[1:])
            taken.append(_assign(name, left))
        gone = {*_names(node.target), *_stored(node.body)} - {name for name, *_ in steps}
        taken += [_assign(name, _load("__gone__")) for name in sorted(gone)]
        before = _assign(over, node.iter)
        node.iter = _load(over)
        either = ast.If(_call("__is_data__", _load(over)), taken, [node])
        return [_at(node, before), _at(node, either)]


def _each(
    first: list[ast.expr],
    targets: list[ast.Name | ast.Tuple],
    over: ast.expr,
    inner: ast.expr | None,
    value: ast.expr,
    conditions: list[ast.expr],
) -> ast.expr:
    """Return the call for one loop, or for one inside another; see ``python.each``."""
    name = "__each__" if len(first) == 1 else "__gathered__"
    names = ast.Tuple([ast.Name(text) for part in targets for text in _names(part)], ast.Load())
    functions = [_function(names, node) for node in (value, *conditions)]
    several: list[ast.expr] = [ast.Constant(isinstance(target, ast.Tuple)) for target in targets]
    within = ast.Constant(None) if inner is None else _function(targets[0], inner)
    return _call(name, *first, ast.Tuple(several, ast.Load()), over, within, *functions)


def _clash(targets: list[ast.Name | ast.Tuple]) -> bool:
    names = [name for target in targets for name in _names(target)]
    return len(names) > len({*names})


_Inner = tuple[ast.Name | ast.Tuple, ast.expr] | None
"""The variables of a loop inside a loop, and what it is over."""

_Step = tuple[str, ast.expr, list[ast.expr], ast.expr, _Inner]
"""A name; how a loop changes it (see ``python.gathered``); under which conditions; by what."""


def _steps(body: list[ast.stmt], own: list[str]) -> list[_Step] | None:
    """Return what a loop does to which name, under which conditions; ``None`` if it does more."""
    known: dict[str, ast.expr] = {}
    result: list[_Step] = []

    def read(
        statements: list[ast.stmt],
        conditions: list[ast.expr],
        *,
        top: bool = False,
        inner: _Inner = None,
    ) -> bool:
        for statement in statements:
            if (step := _step(statement)) is not None:
                name, how, value = step
                result.append((name, how, conditions, _replaced(value, known), inner))
                continue
            match statement:
                case ast.For(orelse=[]) if top and inner is None and statement is statements[-1]:
                    target = _target(statement.target)
                    if target is None or {*own} & {*_names(target)}:
                        return False
                    own.extend(_names(target))
                    within = target, _replaced(statement.iter, known)
                    if not read(statement.body, conditions, top=True, inner=within):
                        return False
                case ast.Assign([ast.Name(name)], value) if top and name not in own:
                    known[name] = _replaced(value, known)
                case ast.If(test, [ast.Continue()], []) if top:
                    conditions = [*conditions, _opposite(_replaced(test, known))]
                case ast.If(test, inside, otherwise):
                    holds = _replaced(test, known)
                    first = read(inside, [*conditions, holds], inner=inner)
                    opposite = [*conditions, _opposite(holds)]
                    if not first or not read(otherwise, opposite, inner=inner):
                        return False
                case ast.Pass():
                    pass
                case _:
                    return False
        return True

    if not read(body, [], top=True):
        return None
    changed = {name for name, *_ in result}
    factors = {name for _, how, *_ in result for name in _names(how)} - {"max", "min", "__decay__"}
    if factors & (changed | known.keys() | {*own}):
        return None
    ways = {(name, ast.dump(how)) for name, how, *_ in result}
    parts = [node for _, _, conditions, value, _ in result for node in (*conditions, value)]
    parts += [inner[1] for *_, inner in result if inner is not None]
    used = {name for node in [*parts, *known.values()] for name in _names(node)}
    # What is used before the loop gives it a value comes from the record before; of two steps of
    # one name, which do not commute, the order counts.
    clash = used & (changed | known.keys()) or changed & (known.keys() | {*own})
    lists = [name for name, how, *_ in result if _is(how, "list")]
    mixed = len(ways) > len(changed) or len(lists) > len({*lists})
    return None if clash or mixed or any(map(_is_kept, parts)) else result


def _step(statement: ast.stmt) -> tuple[str, ast.expr, ast.expr] | None:
    """Return which name a statement changes, how and by what; ``None`` if it does another thing."""
    match statement:
        case ast.AugAssign(ast.Name(name), ast.Add() | ast.Sub() | ast.Mult() as sign, value):
            return name, *_by(sign, value)
        case ast.Assign(
            [ast.Name(name)], ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() as sign, right)
        ) if _is_name(left, name) or (_is_name(right, name) and not isinstance(sign, ast.Sub)):
            return name, *_by(sign, right if _is_name(left, name) else left)
        case ast.Assign([ast.Name(name)], ast.BinOp(left, ast.Add(), right)) if (
            name in _names(left)
        ) != (name in _names(right)):
            # s = c·s + value
            state, value = (left, right) if name in _names(left) else (right, left)
            match state:
                case ast.BinOp(first, ast.Mult(), second) if _is_name(first, name):
                    return name, _call("__decay__", second), value
                case ast.BinOp(first, ast.Mult(), second) if _is_name(second, name):
                    return name, _call("__decay__", first), value
        case ast.Assign(
            [ast.Name(name)], ast.Call(ast.Name("max" | "min") as how, [left, right], [])
        ) if _is_name(left, name) or _is_name(right, name):
            return name, how, right if _is_name(left, name) else left
        case ast.If(
            ast.Compare(left, [ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE() as sign], [right]),
            [ast.Assign([ast.Name(name)], value)],
            [],
        ):
            kept, beside = (left, right) if _is_name(left, name) else (right, left)
            if _is_name(kept, name) and ast.dump(beside) == ast.dump(value):
                up = isinstance(sign, ast.Gt | ast.GtE) == (beside is left)
                return name, ast.Constant("max" if up else "min"), value
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [value], [])):
            return name, ast.Constant("list"), value
    return None


def _by(sign: ast.operator, value: ast.expr) -> tuple[ast.expr, ast.expr]:
    if isinstance(sign, ast.Sub):
        value = ast.UnaryOp(ast.USub(), value)
    return ast.Constant("product" if isinstance(sign, ast.Mult) else "sum"), value


def _tells_apart(sign: ast.cmpop, other: ast.expr) -> bool:
    """Tell whether a comparison may depend on what an object is, beside whether it is ``None``."""
    identity = isinstance(sign, ast.Is | ast.IsNot)
    if not isinstance(other, ast.Constant):
        return identity
    return type(other.value) is bool or (identity and other.value is not None)


def _is(how: ast.expr, word: str) -> bool:
    return isinstance(how, ast.Constant) and how.value == word


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _opposite(condition: ast.expr) -> ast.expr:
    return _call("__opposite__", condition)


def _replaced(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    class PutExpressions(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return copy.deepcopy(known.get(name.id, name))

    return PutExpressions().visit(copy.deepcopy(node))  # type: ignore[no-any-return]


def _target(node: ast.expr) -> ast.Name | ast.Tuple | None:
    """Return the variables of a loop: a name, or a tuple of names."""
    if isinstance(node, ast.Name):
        return node
    if not isinstance(node, ast.Tuple):
        return None
    names = {element.id for element in node.elts if isinstance(element, ast.Name)}
    return node if len(names) == len(node.elts) else None


def _function(target: ast.expr, body: ast.expr) -> ast.expr:
    names = [_MADE, *_names(target)]
    arguments = ast.parse(f"lambda {', '.join(names)}: 0", mode="eval").body
    assert isinstance(arguments, ast.Lambda)
    return ast.Lambda(arguments.args, copy.deepcopy(body))


def _names(node: ast.AST) -> list[str]:
    return [item.id for item in ast.walk(node) if isinstance(item, ast.Name)]


def _stored(body: list[ast.stmt]) -> set[str]:
    inside = [node for statement in body for node in ast.walk(statement)]
    return {x.id for x in inside if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}


def _is_kept(node: ast.expr) -> bool:
    return any(isinstance(item, _KEPT) for item in ast.walk(node))


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(name: str, *args: ast.expr) -> ast.expr:
    return ast.Call(_load(name), [*args], [])


def _at(place: ast.AST, node: Any) -> Any:
    """Return a new node at a place of the source, as far as its parts have none of their own."""
    return ast.fix_missing_locations(ast.copy_location(node, place))
