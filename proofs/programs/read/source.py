"""Finds the source of the code that runs, and refuses what would not run as it reads.

The text is compiled again, from the same tree that is then read, and held against the code object
that would be called: bytecode, constants, names and flags, and those of the functions inside it.
"""

import __future__

import ast
import builtins
import inspect
import linecache
import math
import operator
import sys
import textwrap
import types
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from provado.mechanisms.definitions import UsageError, parameters
from provado.mechanisms.noise import exact_noise
from provado.mechanisms.programs import batch, noise
from provado.mechanisms.programs.program import PRIMITIVES, Program

from .floats import LARGEST, read_number
from .ir import LanguageError, UndecidedProgramError

Complain = Callable[[ast.AST, str], LanguageError]


def annotation_of(argument: ast.arg) -> str:
    """Return the text of a parameter's annotation, or none."""
    return "" if argument.annotation is None else ast.unparse(argument.annotation)


def stores(node: ast.AST, name: str) -> bool:
    """Return whether a node assigns to a name."""
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


def named(node: ast.AST | list[ast.stmt], name: str) -> list[ast.Name]:
    """Return where a name stands."""
    parts = node if isinstance(node, list) else [node]
    nodes = [item for part in parts for item in ast.walk(part)]
    return [item for item in nodes if isinstance(item, ast.Name) and item.id == name]


def assigned_in(node: ast.FunctionDef) -> frozenset[str]:
    """Return the names that the function assigns to anywhere: Python's local variables."""
    return frozenset(
        item.id
        for item in ast.walk(node)
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store | ast.Del)
    )


def exact_value(value: Any, name: str) -> Fraction:
    """Return a parameter's value exactly, a float as it is written; else ``UsageError``."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise UsageError(f"parameter {name} is {value!r}: it must be a number")
    try:
        return value if isinstance(value, Fraction) else read_number(value)
    except UndecidedProgramError as error:
        raise UsageError(f"parameter {name} is {value!r}: {error}") from None


def check_list(node: ast.FunctionDef, name: str, error: Complain) -> None:
    """See to it that nothing but the whole list is ever returned, and that no loop takes its name.

    Assignments to it are refused where they are read.
    """
    for item in ast.walk(node):
        if isinstance(item, ast.For) and any(stores(part, name) for part in ast.walk(item.target)):
            raise error(item, f"{name} holds the outputs: it is only appended to")
        if isinstance(item, ast.Return):
            match item.value:
                case ast.Name(returned) if returned == name:
                    continue
            raise error(item, f"what is returned is {name}, which holds the outputs")
    if not isinstance(node.body[-1], ast.Return):
        raise error(node.body[-1], f"the last line is: return {name}")


def check_generators(node: ast.FunctionDef, error: Complain) -> None:
    """See to it that the names of generators, which are theirs alone, are used nowhere else."""
    inside: set[ast.AST] = set()
    names: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.GeneratorExp | ast.ListComp):
            inside.update(ast.walk(item))
            targets = [part for g in item.generators for part in ast.walk(g.target)]
            names |= {part.id for part in targets if isinstance(part, ast.Name)}
    for item in ast.walk(node):
        if isinstance(item, ast.Name) and item.id in names and item not in inside:
            raise error(item, f"{item.id} is a name of a generator's own: take another")


_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_PRIMITIVES = tuple(primitive.__name__ for primitive in PRIMITIVES)
_BUILTINS = ("abs", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "sum")
KNOWN = (*_PRIMITIVES, *_BUILTINS, "exp")
NUMERIC = (ast.Constant, ast.Name, ast.Load, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)


def source_of(function: Any) -> tuple[ast.FunctionDef, ast.Module, str]:
    """Return the definition of the code that runs, the whole file, and the definition's text.

    Raises ``LanguageError`` where the source is that of other code.
    """
    code, name = function.__code__, function.__name__
    first = code.co_firstlineno
    refused = partial(LanguageError, Path(code.co_filename).name, first)
    if hasattr(function, "__wrapped__"):
        raise refused(f"{name} wraps another function: name that one, without a decorator")
    if type(function.__globals__) is not dict or type(function.__builtins__) is not dict:
        raise refused(f"the globals of {name} must be a plain dictionary")
    if code.co_name == "<lambda>" or inspect.iscoroutinefunction(function):
        raise refused("a program is a plain function made by def")
    for free in code.co_freevars:
        raise refused(f"{free} belongs to an enclosing function: make it a parameter")
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise UsageError(f"program {name}: its source cannot be found")
    other = (
        f"the code of {name} that runs is not that of its source: import the file again if it was "
        "changed, and name a function that is not generated or patched"
    )
    if "@pytest_ar" in function.__globals__:
        other += "; pytest rewrites assert in the modules of tests: move the function out of them"
    flags = code.co_flags & _FUTURE | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        tree = ast.parse("".join(lines))
        with warnings.catch_warnings(action="ignore"):
            whole = compile(tree, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        raise refused(other) from None
    nodes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name
        if min([node.lineno, *(n.lineno for n in node.decorator_list)]) == first
    ]
    if len(nodes) != 1 or list(codes_in(whole)).count(code) != 1:
        raise refused(other)
    text = "".join(lines[first - 1 : nodes[0].end_lineno])
    return nodes[0], tree, textwrap.dedent(text)


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and all that are inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_in(constant)


# Names. ---------------------------------------------------------------------------------------


def known(value: Any) -> str:
    """Return the name by which the language knows a function; empty for every other object."""
    if isinstance(value, types.FunctionType):
        return next((n for n in _PRIMITIVES if vars(noise).get(n) is value), "")
    # Only classes of the interpreter itself are static, and only its functions have a module here.
    static = isinstance(value, type) and not value.__flags__ & 1 << 9
    home = value.__self__ if isinstance(value, types.BuiltinFunctionType) else None
    if static or home is builtins:
        return value.__name__ if value.__name__ in _BUILTINS else ""
    of_math = home is math or isinstance(value, np.ufunc)
    return "exp" if of_math and value.__name__ == "exp" else ""


def name_of(node: ast.AST) -> str:
    """Return the name, or the attribute, by which code asks for something; else none."""
    return getattr(node, "id", "") or getattr(node, "attr", "")


def is_written(name: str, value: Any, tree: ast.Module) -> bool:
    """Return whether a file gives a global this number, and nothing else has its name."""
    places = [node for node in ast.walk(tree) if stores(node, name)]
    nodes = [o.value for o in tree.body if isinstance(o, ast.Assign) and o.targets == places]
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(values) == len(targets):
                pairs = zip(targets, values, strict=True)
                nodes += [value for target, value in pairs if [target] == places]
    return len(nodes) == 1 and _is_same(_evaluated(nodes[0], {}), value)


def defaults_of(function: Any) -> dict[str, Any]:
    """Return the defaults that a call takes, by name."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount][::-1]
    given = zip(names, (function.__defaults__ or ())[::-1], strict=False)
    return dict(given) | (function.__kwdefaults__ or {})


def written_defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """Return the defaults of the source, by name."""
    pairs = [*zip(arguments.args[::-1], arguments.defaults[::-1], strict=False)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d]
    return {argument.arg: default for argument, default in pairs}


def check_defaults(function: types.FunctionType, node: ast.FunctionDef, error: Complain) -> None:
    """Refuse defaults that are no numbers, or not those of the source."""
    written, actual = written_defaults(node.args), defaults_of(function)
    for name in {**written, **actual}:
        value, rule = actual.get(name), ""
        if value is not None and type(value) not in (int, float, bool, str):
            rule = "it must be a number"
        elif not (
            written.keys() & actual.keys() >= {name}
            and _is_same(_evaluated(written[name], function.__globals__), value)
        ):
            rule = "its source must say that, as a number or by numbers and names of the file"
        elif type(value) in (int, float) and not 1 / LARGEST <= abs(value or 1) <= LARGEST:
            rule = "it must lie within 10^-6 and 10^6"
        if rule:
            raise error(written.get(name, node), f"the default of {name} is {value!r}: {rule}")


def _evaluated(node: ast.expr, scope: dict[str, Any]) -> Any:
    """Return the value of a constant expression; ``NotImplemented`` for every other."""
    if not all(isinstance(item, NUMERIC) for item in ast.walk(node)):
        return NotImplemented
    try:
        return eval(compile(ast.Expression(node), "<constant>", "eval"), dict(scope))
    except Exception:
        return NotImplemented


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same number, or made of the same parts."""
    return bool(_parts(one) == _parts(other))


# The noise. -----------------------------------------------------------------------------------


def check_noise() -> None:
    """Raise ``UsageError`` where what programs call is not what is installed."""
    for module in (noise, batch, sys.modules[Program.__module__], exact_noise, parameters):
        parts, asked = _installed(module)
        own = vars(module)
        changed = [(module, n) for n in parts if _parts(own.get(n), module.__name__) != parts[n]]
        for used in (np, operator, builtins):
            names = asked & vars(used).keys()
            changed += [(used, n) for n in names if not _is_own(vars(used)[n], n, used)]
        for of, name in changed:
            raise UsageError(
                f"{of.__name__}.{name} was changed since it was imported: start a new "
                "process, and do not patch it"
            )


@cache
def _installed(module: types.ModuleType) -> tuple[dict[str, Any], set[str]]:
    """Return what the names of a module stand for, made anew, and all names that its code has."""
    loader: Any = module.__loader__
    file, own = str(module.__file__), module.__name__
    names = {"__name__": own, "__package__": module.__package__}
    code = compile(loader.get_data(file), file, "exec", dont_inherit=True)
    exec(code, names)
    parts = {name: _parts(text, own) for name, text in names.items() if not name.startswith("__")}
    return parts, {name for item in codes_in(code) for name in item.co_names}


_ALIASES = {"absolute": "abs"}


def _is_own(value: Any, name: str, module: Any) -> bool:
    """Return whether a library's name stands for something of its own that has this name."""
    if not callable(value):
        return True
    if isinstance(value, types.FunctionType):
        inside = value.__code__.co_filename.startswith(str(Path(module.__file__ or "").parent))
        return inside and value.__code__.co_name == name
    # Types that are made when a program runs are those of Python code.
    kind = value if isinstance(value, type) else type(value)
    own, asked = (n.strip("_") for n in (getattr(value, "__name__", ""), name))
    return _ALIASES.get(own, own) == _ALIASES.get(asked, asked) and not kind.__flags__ & 1 << 9


def _parts(value: Any, module: str = "") -> Any:
    """Return what a function, a class of a module, or a value is made of, to be compared."""
    if isinstance(value, types.FunctionType):
        return value.__code__, value.__defaults__, value.__kwdefaults__, value.__name__
    if isinstance(value, type) and value.__module__ == module:
        # Nothing reads annotations and the fields of a dataclass when it runs.
        unread = ("__dataclass_", "__annot", "__dict__", "__weakref__")
        return {n: _parts(v, module) for n, v in vars(value).items() if not n.startswith(unread)}
    alike = isinstance(value, ContextVar | types.MemberDescriptorType)
    return type(value) if alike else (type(value), repr(value), value)
