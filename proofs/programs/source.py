"""Finds the source of the code that runs, and refuses every other.

The text is compiled again, from the same tree that is then read, and held against the code object
that would be called: bytecode, constants, names and flags, and those of the functions inside it.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import linecache
import math
import sys
import textwrap
import types
import warnings
from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from provado.mechanisms.noise import grid
from provado.mechanisms.program import batch, noise
from provado.mechanisms.program.program import PRIMITIVES, Program
from provado.mechanisms.statement import UsageError, parameters

from .checks import Complain, stores
from .expressions import LanguageError
from .floats import LARGEST

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_PRIMITIVES = tuple(one.__name__ for one in PRIMITIVES)
_BUILTINS = ("abs", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "sum")
KNOWN = (*_PRIMITIVES, *_BUILTINS, "exp")
_NUMERIC = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp),
    *(ast.operator, ast.unaryop, ast.Load, ast.Call),
)


def source_of(function: Any) -> tuple[ast.FunctionDef, ast.Module, str]:
    """Return the definition of the code that runs, the whole file, and the definition's text.

    Raises ``LanguageError`` where the source is that of other code.
    """
    code, name = function.__code__, function.__name__
    where, first = Path(code.co_filename).name, code.co_firstlineno
    if hasattr(function, "__wrapped__"):
        rule = f"{name} wraps another function: name the function itself, without a decorator"
        raise LanguageError(where, first, rule)
    if type(function.__globals__) is not dict or type(function.__builtins__) is not dict:
        raise LanguageError(where, first, f"the globals of {name} must be a plain dictionary")
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise UsageError(f"program {name}: its source cannot be found")
    rule = (
        f"the code of {name} that runs is not that of its source: import the file again if it was "
        "changed, and name a function that is not generated or patched"
    )
    if "@pytest_ar" in function.__globals__:
        rule += "; pytest rewrites assert in the modules of tests: move the function out of them"
    try:
        tree = ast.parse("".join(lines))
        flags = code.co_flags & _FUTURE | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = compile(tree, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        raise LanguageError(where, first, rule) from None
    found = [
        one for one in codes_in(whole) if (one.co_name, one.co_firstlineno) == (code.co_name, first)
    ]
    nodes = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == code.co_name
        if min(n.lineno for n in (one, *one.decorator_list)) == first
    ]
    if code.co_name == "<lambda>" or any(isinstance(n, ast.AsyncFunctionDef) for n in nodes):
        raise LanguageError(where, first, "a program is a plain function made by def")
    if len(nodes) != 1 or found != [code]:
        raise LanguageError(where, first, rule)
    node = nodes[0]
    assert isinstance(node, ast.FunctionDef)
    if code.co_freevars:
        rule = f"{code.co_freevars[0]} belongs to an enclosing function: make it a parameter"
        raise LanguageError(where, first, rule)
    text = "".join(lines[first - 1 : node.end_lineno])
    return node, tree, textwrap.dedent(text)


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and all that are inside it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from codes_in(one)


# Names. ---------------------------------------------------------------------------------------


def known(value: Any) -> str:
    """Return the name by which the language knows a function; empty for every other object."""
    if isinstance(value, types.FunctionType):
        return next((n for n in _PRIMITIVES if vars(noise).get(n) is value), "")
    callable_ = isinstance(value, type | types.BuiltinFunctionType | np.ufunc)
    name: str = value.__name__ if callable_ else ""
    # Only classes of the interpreter itself are static, and only its functions have a module here.
    static = isinstance(value, type) and not value.__flags__ & 1 << 9
    if (static or getattr(value, "__self__", None) is builtins) and name in _BUILTINS:
        return name
    of_math = isinstance(value, np.ufunc) or getattr(value, "__self__", None) is math
    return name if of_math and name == "exp" else ""


def name_of(node: ast.AST) -> str:
    """Return the name, or the attribute, by which code asks for something; else none."""
    return getattr(node, "id", "") or getattr(node, "attr", "")


def is_written(name: str, value: Any, tree: ast.Module) -> bool:
    """Return whether a file gives a global this number, and assigns to it only there."""
    given = [
        one.value
        for one in tree.body
        if isinstance(one, ast.Assign) and any(stores(target, name) for target in one.targets)
    ]
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    outside = [one for one in tree.body if not isinstance(one, inner)]
    times = sum(stores(part, name) for one in outside for part in ast.walk(one))
    return len(given) == times == 1 and _is_same(_evaluated(given[0], {}), value)


def defaults_of(function: Any) -> dict[str, Any]:
    """Return the defaults that a call takes, by name."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount][::-1]
    given = zip(names, (function.__defaults__ or ())[::-1], strict=False)
    return dict(given) | (function.__kwdefaults__ or {})


def check_defaults(function: types.FunctionType, node: ast.FunctionDef, error: Complain) -> None:
    """Refuse defaults that are no numbers, or not those of the source."""
    names, actual = [a.arg for a in node.args.args][::-1], defaults_of(function)
    written = dict(zip(names, node.args.defaults[::-1], strict=False))
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    written |= {a.arg: default for a, default in pairs if default is not None}
    for name in {**written, **actual}:
        at, value = written.get(name, node), actual.get(name)
        if value is not None and type(value) not in (int, float, bool, str):
            raise error(at, f"the default of {name} is {value!r}: it must be a number")
        read = _evaluated(written[name], function.__globals__) if name in written else ...
        if name not in actual or not _is_same(read, value):
            raise error(at, f"the default of {name} is {value!r}, not that of the source")
        if type(value) in (int, float) and not 1 / LARGEST <= abs(value or 1) <= LARGEST:
            raise error(
                at, f"the default of {name} is {value!r}: it must lie within 10^-6 and 10^6"
            )


def _evaluated(node: ast.expr, scope: dict[str, Any]) -> Any:
    """Return the value of a constant expression; ``NotImplemented`` for every other."""
    for one in ast.walk(node):
        if not isinstance(one, _NUMERIC) or (
            isinstance(one, ast.Call) and not _is_of_math(one.func, scope)
        ):
            return NotImplemented
    try:
        return eval(compile(ast.Expression(node), "<constant>", "eval"), dict(scope))
    except Exception:
        return NotImplemented


def _is_of_math(node: ast.expr, scope: dict[str, Any]) -> bool:
    match node:
        case ast.Name(name):
            found = scope.get(name)
        case ast.Attribute(ast.Name(name), attribute):
            found = getattr(scope.get(name), attribute, None)
        case _:
            return False
    return isinstance(found, types.BuiltinFunctionType) and found.__self__ is math


# The noise. -----------------------------------------------------------------------------------


def check_noise() -> None:
    """Raise ``UsageError`` where what programs call is not what is installed."""
    for module in (noise, batch, sys.modules[Program.__module__], grid, parameters):
        for name, value in _installed(module).items():
            if not _is_same(value, vars(module).get(name)):
                raise UsageError(
                    f"{module.__name__}.{name} was changed since it was imported: start a new "
                    "process, and do not patch it"
                )


@cache
def _installed(module: types.ModuleType) -> dict[str, Any]:
    """Return the names of a module, made anew from its source."""
    loader: Any = module.__loader__
    file = str(module.__file__)
    names = {"__name__": module.__name__, "__package__": module.__package__}
    exec(compile(loader.get_data(file), file, "exec", dont_inherit=True), names)
    return {name: value for name, value in names.items() if not name.startswith("__")}


def _is_same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, types.FunctionType):
        parts = ("__code__", "__defaults__", "__kwdefaults__", "__name__")
        return all(getattr(one, part) == getattr(other, part) for part in parts)
    if isinstance(one, type):
        # Nothing reads annotations and the fields of a dataclass when it runs.
        unread = ("__dataclass_", "__annot", "__dict__", "__weakref__")
        names = {name for name in (*vars(one), *vars(other)) if not name.startswith(unread)}
        return all(
            name in vars(one) and _is_same(vars(one)[name], vars(other).get(name, NotImplemented))
            for name in names
        )
    if isinstance(one, ContextVar | types.MemberDescriptorType):
        return True
    return bool(one == other) and repr(one) == repr(other)
