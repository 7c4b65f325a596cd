"""Writes what people write in the forms that the language reads.

Names and calls stand for what they are when the function runs: imports inside it, generators such
as ``rng``, noise of libraries, helper functions, arrays of one number for each answer. What is
trusted here: what is written instead gives the same outputs with the same probabilities.
"""

import ast
import builtins
import copy
import importlib
import random
import types
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs import noise as primitives
from provado.mechanisms.programs.noise_calls import (
    GENERATORS,
    KNOWN,
    FoundGenerators,
    LibraryNoise,
    noise_call,
)

from . import source
from .ir import NOISE

LIBRARIES = ("numpy", "random", "math", "scipy", "diffprivlib", "opendp", "provado")
"""What may be imported inside of a function."""

SOURCES = ("rng", "random_state", "generator", "gen")
"""Parameters that are a generator of NumPy's where a method of theirs is called."""

GENERATOR, STATE, PYTHON = np.random.default_rng(0), np.random.RandomState(0), random.Random(0)
"""Each stands for any source of noise of its kind; none of them draws."""

MADE = {
    np.random.default_rng: GENERATOR,
    np.random.RandomState: STATE,
    random.Random: PYTHON,
    random.SystemRandom: PYTHON,
}
_PRIMITIVES = (*NOISE, "bernoulli", "integers", "argmax", "output")
_OWN = {f"the {name}": getattr(primitives, name) for name in _PRIMITIVES} | {
    f"the {name}": getattr(builtins, name) for name in ("max", "min", "sum", "abs")
}
"""Names, which no user can write, of what is written in place of calls."""
_OF_ARRAYS = {np.argmax: "argmax", np.max: "max", np.min: "min", np.sum: "sum"}
_ALIKE = (np.array, np.asarray, list)
_OF_NUMBERS = {np.maximum: ("max", 2), np.minimum: ("min", 2), np.abs: ("abs", 1)}
UNIFORM_METHODS = ("random", "rand", "random_sample", "uniform")
WHOLE_METHODS = ("randint", "integers", "randrange")
_PLAIN = ("exp", "len", "max", "min", "abs", "float")
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)

_Node = TypeVar("_Node", bound=ast.AST)


@dataclass
class Names:
    """What the names of a function stand for.

    own: its parameters and variables. made: those of them that are one object whenever it runs.
    error: complains of generators that are found outside of it, and draw what may be known.
    """

    scope: Mapping[str, Any]
    own: frozenset[str]
    error: source.Complain
    made: dict[str, Any] = field(default_factory=dict)
    generators: FoundGenerators = field(default_factory=FoundGenerators)

    @classmethod
    def of(
        cls, function: Any, node: ast.FunctionDef, bound: Mapping[str, Any], error: source.Complain
    ) -> "Names":
        """Return those of a function; bound: parameters that have a value."""
        parameters = [parameter.arg for parameter in (*node.args.args, *node.args.kwonlyargs)]
        scope = {**function.__builtins__, **function.__globals__}
        result = cls(scope, source.assigned_in(node) | {*parameters}, error, dict(_OWN))
        nodes = list(ast.walk(node))
        called = {source.name_of(item.value) for item in nodes if isinstance(item, ast.Attribute)}
        unset = {*parameters[1:]} - bound.keys()
        result.made |= {name: GENERATOR for name in SOURCES if name in unset & called}
        for imported in node.body:
            if isinstance(imported, ast.Import | ast.ImportFrom):
                result.made |= _imported(imported, result.own, error)
        fixed = {name for name, value in source.defaults_of(function).items() if value is not None}
        seeds = {None, *((unset - fixed) & {"seed", *SOURCES})}
        given: dict[str, list[Any]] = {}
        for element in nodes:
            match element:
                case ast.Assign(targets=[ast.Name(name)], value=value):
                    given.setdefault(name, []).append(result.generator(value, seeds, error))
        for name, values in given.items():
            stored = sum(source.stores(item, name) for item in nodes)
            if None not in values and stored == len(values) and name not in parameters[:1]:
                result.made[name] = values[0]
        return result

    def meaning(self, node: ast.AST) -> Any:
        """Return what a name, an attribute of a module or a method stands for; else ``None``."""
        result = self._meaning(node)
        drawing = result if isinstance(result, GENERATORS) else getattr(result, "__self__", None)
        ours = any(drawing is item for item in MADE.values())
        if isinstance(drawing, GENERATORS) and not ours and (why := self.generators.fault(drawing)):
            raise self.error(node, why)
        return result

    def _meaning(self, node: ast.AST) -> Any:
        match node:
            case ast.Name(name):
                own = name in self.own
                return self.made.get(name, None if own else self.scope.get(name))
            case ast.Call():
                return self.generator(node, {None})
            case ast.Attribute(value, name):
                owner = self.meaning(value)
                if type(owner) is types.ModuleType:
                    return vars(owner).get(name)
                of_scipy = type(owner).__module__.startswith("scipy.stats.") and name == "rvs"
                if of_scipy or any(type(owner) is type(item) for item in MADE.values()):
                    return getattr(owner, name, None)
        return None

    def generator(
        self, node: ast.expr, seeds: set[str | None], error: source.Complain | None = None
    ) -> Any:
        """Return the source of noise that an expression always is, if it is one.

        seeds: what gives a fresh one; of others ``error`` complains.
        """
        match node:
            case ast.BoolOp(ast.Or(), [ast.Name(name), value]) if name in self.made:
                return self.generator(value, seeds, error)
            case ast.Call(func, args, keywords):
                made = of_object(MADE, self.meaning(func))
                nodes = [*args, *(keyword.value for keyword in keywords)]
                fresh = all(getattr(one, "id", getattr(one, "value", 0)) in seeds for one in nodes)
                if made is not None and error is not None and not fresh:
                    raise error(node, f"{KNOWN}: leave it out")
                return made if fresh else None
        return None


def _imported(
    node: ast.Import | ast.ImportFrom, own: frozenset[str], error: source.Complain
) -> dict[str, Any]:
    """Return what an import inside of a function gives, by name."""
    result: dict[str, Any] = {}
    for item in node.names:
        plain = isinstance(node, ast.Import)
        home = item.name if plain else str(getattr(node, "module", ""))
        name = item.asname or item.name.partition(".")[0]
        if home.partition(".")[0] not in LIBRARIES or name in own:
            raise error(node, f"import {item.name} at the top of the file, by a name of its own")
        try:
            module = importlib.import_module(home)
            top = module if item.asname or not plain else importlib.import_module(name)
            result[name] = top if plain else getattr(module, item.name)
        except (ImportError, AttributeError) as failed:
            raise error(node, str(failed)) from None
    return result


class Forms(ast.NodeTransformer):
    """Rewrites the definition of one function.

    known: what names with one assignment stand for: public values, arrays of one number for each
    answer, mechanisms of a library, and draws that the language has within an expression only.
    """

    def __init__(self, names: Names, node: ast.FunctionDef, error: source.Complain) -> None:
        self.names, self.node, self.error = names, node, error
        first = node.args.args[0] if node.args.args else ast.arg("")
        self.query, self.scalar = first.arg, source.annotation_of(first) in ("float", "int")
        self.parameters = {
            parameter.arg for parameter in (*node.args.args[1:], *node.args.kwonlyargs)
        }
        self.known: dict[str, ast.expr] = {}

    def rewritten(self) -> ast.FunctionDef:
        """Return the definition in the forms of the language."""
        definition = copy.deepcopy(self.node)
        imports = (ast.Import, ast.ImportFrom)
        body = [statement for statement in definition.body if not isinstance(statement, imports)]
        definition.body = self._block(body, top=True) or [ast.Pass()]
        return ast.fix_missing_locations(definition)

    # Statements. ------------------------------------------------------------------------------

    def _block(self, body: list[ast.stmt], *, top: bool = False) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        while body:
            statement, *body = body
            match statement:
                case ast.Assign([ast.Name(name)], value) if (
                    name in self.names.made or self._is_kept(name, value, body, top=top)
                ):
                    pass
                case _:
                    made = self.visit(statement)
                    result += made if isinstance(made, list) else [made]
        return result

    def _is_kept(self, name: str, value: ast.expr, later: list[ast.stmt], *, top: bool) -> bool:
        """Keep what a name always stands for; tell whether it need not be assigned."""
        if self._stored(name) != 1 or name in self.parameters:
            return False
        array = self._array(value) if top else None
        if array is not None:
            own = {source.name_of(node) for node in ast.walk(array.generators[0].target)}
            stable = all(self._stored(text) < 2 for text in _reads(array) - own)
            once = self._is_read_once(name, later) or self._is_read_in_step(name, later)
            if not stable or not (self._is_plain(array) or once):
                raise self.error(value, f"{name} is read once, and of names that stay as they are")
            self.known[name] = array
        elif self._is_uniform(value) or (self._draw_of(value) or ("",))[0] == "geometric":
            if self._is_read_once(name, later):
                self.known[name] = value
        elif top and self._is_public(value):
            self.known[name] = self.visit(value)
        elif top and (call := self._call(value)) is not None and call.then:
            self.known[name] = value
        return name in self.known

    def _stored(self, name: str) -> int:
        return sum(source.stores(node, name) for node in ast.walk(self.node))

    def _is_read_once(self, name: str, later: list[ast.stmt]) -> bool:
        """Tell whether a name is read once, but for its length, by what is run once, later."""
        loops = (ast.For, ast.While, ast.FunctionDef, ast.Lambda, *_COMPREHENSIONS)
        again = {n for s in later for o in ast.walk(s) if isinstance(o, loops) for n in ast.walk(o)}
        reads, every = (self._read(name, body) for body in (later, self.node.body))
        return len(reads) == len(every) == 1 and reads[0] not in again

    def _is_read_in_step(self, name: str, later: list[ast.stmt]) -> bool:
        """Tell whether all that reads an array is one loop, each step its own number of it."""
        reads = self._read(name, later)
        if len(reads) < len(self._read(name, self.node.body)):
            return False
        for loop in (statement for statement in later if isinstance(statement, ast.For)):
            index, arrays = self._over(loop)
            here = [item.value for item in _at(loop, index, {name})]
            whole = [array for _, array in arrays if array in reads]
            if reads and all(node in here or node in whole for node in reads):
                return len(whole) + bool(here) == 1
        return False

    def _over(self, loop: ast.For) -> tuple[str, list[tuple[ast.expr, ast.expr]]]:
        """Return the name of a loop's position, and its targets with what they are numbers of."""
        index, target, over = "", loop.target, loop.iter
        if isinstance(over, ast.Call) and len(over.args) == 1 and not over.keywords:
            match target:
                case ast.Tuple([ast.Name(at), rest]) if self._is(over.func, "enumerate"):
                    index, target, over = at, rest, over.args[0]
                case ast.Name(at) if self._is(over.func, "range") and self._is_length(over.args[0]):
                    return at, []
        if isinstance(over, ast.Call) and self.names.meaning(over.func) is zip:
            targets = getattr(target, "elts", [])
            if len(targets) == len(over.args) and not over.keywords:
                return index, list(zip(targets, over.args, strict=True))
        return index, [(target, over)]

    def _read(self, name: str, body: list[ast.stmt]) -> list[ast.AST]:
        """Return where a name is read, but for its length."""
        nodes = [node for part in body for node in ast.walk(part)]
        lengths = {o for o in nodes if getattr(o, "attr", "") in ("shape", "size")}
        beside = {part for length in lengths for part in ast.walk(length)}
        for item in nodes:
            if isinstance(item, ast.Call) and self._is(item.func, "len"):
                beside |= {*item.args}
        named = source.named(body, name)
        return [o for o in named if isinstance(o.ctx, ast.Load) and o not in beside]

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Leave out what only makes a generator where none was given."""
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        match node.test:
            case ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)]):
                if name in self.names.made and not node.body and not node.orelse:
                    return []
        node.test = self.visit(node.test)
        node.body = node.body or [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Rewrite a loop; one over arrays takes its number of each in every step."""
        index, arrays = self._over(node)
        beside = _at(node, index, self.known.keys())
        each = f"each of {node.lineno} {node.col_offset}"
        result = [(target, self._element(array, each)) for target, array in arrays]
        named = {source.name_of(item.value) for item in beside}
        result += [
            (ast.Name(f"the {name} here", ast.Store()), self._element(read_of(name), each))
            for name in sorted(named)
        ]
        plain = all(source.name_of(array) == self.query for _, array in arrays)
        each_has = [(target, value) for target, value in result if value is not None]
        if result and (not plain or named) and len(each_has) == len(result):
            for element in beside:
                element.__class__ = ast.Name  # type: ignore[assignment]
                element.id = f"the {source.name_of(element.value)} here"  # type: ignore[attr-defined]
            before = [ast.Assign([target], value) for target, value in each_has]
            node.body = [*(placed(assignment, node) for assignment in before), *node.body]
            names = [read_of(index or f"place in {each}"), read_of(each)]
            node.target = ast.Tuple([ast.Name(name.id, ast.Store()) for name in names], ast.Store())
            node.iter = ast.Call(read_of("enumerate"), [read_of(self.query)], [])
            ast.fix_missing_locations(node)
        node.iter, node.body = self.visit(node.iter), self._block(node.body)
        node.orelse = self._block(node.orelse)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        """Return numbers side by side as outputs, one after the other."""
        if node.value is None:
            return node
        array, parts = self._array(node.value), several(node.value)
        if array is None and not parts:
            node.value = self._plain_output(node.value)
            return node
        nodes = list(ast.walk(self.node))
        returned = [o.value for o in nodes if isinstance(o, ast.Return) and o.value is not None]
        told = any(self._is(item, "output") for item in nodes)
        if told or any(shape(item) != shape(node.value) for item in returned):
            raise self.error(node, "every return gives as many numbers, and there is no output()")
        end = ast.copy_location(ast.Return(None), node)
        if array is None:
            return [*(self._output(self._plain_output(item), node) for item in parts), end]
        (each,) = array.generators
        loop = ast.For(each.target, each.iter, [self._output(array.elt, node)], [])
        return [ast.copy_location(loop, node), end]

    def _plain_output(self, value: ast.expr) -> ast.expr:
        """Return a number that comes out, whatever its type is then."""
        match value:
            case ast.Call(func, [one], []) if self._is(func, "float") or (
                self._is(func, "int") and isinstance(one, ast.Compare)
            ):
                return self._plain_output(one)
        return self.visit(value)  # type: ignore[no-any-return]

    def _output(self, value: ast.expr, node: ast.AST) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._own("output", [value], node)), node)

    # Expressions. -----------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what a name always stands for."""
        if not isinstance(node.ctx, ast.Load) or node.id not in self.known:
            return node
        result: ast.expr = self.visit(copy.deepcopy(self.known[node.id]))
        return ast.copy_location(result, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Return that a number from 0 to 1 is below a chance as a coin."""
        sides = [self.known.get(source.name_of(o), o) for o in (node.left, *node.comparators)]
        drawn = [self._is_uniform(side) for side in sides]
        if not any(drawn) or len(sides) > 2:
            return self.generic_visit(node)
        if not isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            raise self.error(node, "a number from 0 to 1 is compared by < or >")
        coin = self._own("bernoulli", [self.visit(sides[drawn[0]])], node)
        below = isinstance(node.ops[0], ast.Lt | ast.LtE)
        return coin if below == drawn[0] else ast.UnaryOp(ast.Not(), coin)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Return the difference of two draws alike as a draw of (discrete) Laplace noise."""
        terms = list(_terms(node))
        sided = [
            (sign, drawn, item)
            for sign, item in terms
            if (drawn := self._draw_of(self.known.get(source.name_of(item), item))) is not None
            and drawn[0] in ("geometric", "exponential")
        ]
        for (_, first, a), (_, second, b) in ((x, y) for x in sided for y in sided if x[0] > y[0]):
            scale, beside = first[2], second[2]
            if first[0] != second[0] or ast.dump(scale) != ast.dump(beside):
                continue
            kind = "laplace"
            if first[0] == "geometric":
                kind, scale = "discrete_laplace", self._of_geometric(scale, node)
            whole: ast.expr = self._own(kind, [scale], node)
            for sign, element in [(sign, o) for sign, o in terms if o is not a and o is not b]:
                op = ast.Add() if sign > 0 else ast.Sub()
                whole = ast.copy_location(ast.BinOp(whole, op, element), node)
            return self.visit(whole)  # type: ignore[no-any-return]
        return self.generic_visit(node)

    def _of_geometric(self, chance: ast.expr, node: ast.AST) -> ast.expr:
        """Return 1/x of a chance 1 − e^(−x)."""
        match chance:
            case ast.BinOp(ast.Constant(1 | 1.0), ast.Sub(), ast.Call(func, [power])) if self._is(
                func, "exp"
            ):
                return ast.BinOp(ast.Constant(1), ast.Div(), ast.UnaryOp(ast.USub(), power))
        raise self.error(node, "the difference of two geometric draws is read with p = 1 - exp(-x)")

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return noise of libraries, and functions of NumPy, by the names of the language."""
        function = self.names.meaning(node.func)
        name, one = source.known(function), node.args[0] if len(node.args) == 1 else None
        if (drawn := self._draw_of(node)) is not None:
            kind, location, scale = drawn
            if kind not in NOISE:
                beside = "it is followed in a function of records: --domain LOW:HIGH"
                if kind == "geometric":
                    beside = "the difference of two such draws is"
                asked = ast.unparse(node.func)
                raise self.error(node, f"{asked} draws noise that is not in the language: {beside}")
            # Python draws after it has the location.
            made = self._own(kind, [scale], node)
            return ast.copy_location(ast.BinOp(location, ast.Add(), made), node)
        match node:
            case ast.Call(ast.Attribute(value, "argmax" | "max" | "min" | "sum" as of), [], []):
                if (array := self._array(value)) is not None:
                    return self._own(of, [array], node)
        of_array = of_object(_OF_ARRAYS, function) or name
        if one is not None and not node.keywords and of_array in _OF_ARRAYS.values():
            array = None if source.name_of(one) == self.query else self._array(one)
            return self._own(of_array, [self.visit(one) if array is None else array], node)
        number, many = of_object(_OF_NUMBERS, function) or ("", 0)
        if number and many == len(node.args):
            return self.visit(self._own(number, node.args, node))  # type: ignore[no-any-return]
        if (ends := self._ends(node, function)) is not None:
            drawn_whole = self._own("integers", [ast.Constant(ends[1] - ends[0])], node)
            operation = ast.BinOp(ast.Constant(ends[0]), ast.Add(), drawn_whole)
            return ast.copy_location(operation, node)
        if name == "len" and one is not None and self._is_length(node):
            node.args = [ast.copy_location(ast.Name(self.query, ast.Load()), node)]
        # A variable that is called is no function of the language, whatever it stands for.
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.generic_visit(item) for item in node.keywords]  # type: ignore[misc]
        inner = node.args[0] if name == "int" and one is not None else None
        return inner if isinstance(inner, ast.Call) and self._is(inner.func, "argmax") else node

    def _is(self, node: ast.AST, name: str) -> bool:
        return source.known(self.names.meaning(node)) == name

    def _own(self, name: str, args: list[ast.expr], node: ast.AST) -> ast.Call:
        called = ast.Name(f"the {name}", ast.Load())
        call: ast.Call = ast.copy_location(ast.Call(called, args, []), node)
        call.written = getattr(node, "written", node)  # type: ignore[attr-defined]
        return ast.fix_missing_locations(call)

    # Noise. -----------------------------------------------------------------------------------

    def _call(self, node: ast.AST) -> LibraryNoise | None:
        return noise_call(self.names.meaning(node.func)) if isinstance(node, ast.Call) else None

    def _draw_of(self, node: ast.expr) -> tuple[str, ast.expr, ast.expr] | None:
        """Return kind, location and scale of what a call of a library draws."""
        if not isinstance(node, ast.Call):
            return None
        first, call, more = node, self._call(node), {}
        if call is None:
            func, method = node.func, getattr(node.func, "attr", "")
            value = func.value if isinstance(func, ast.Attribute) else func
            made = self.known.get(source.name_of(value), value)
            call = self._call(made)
            if not isinstance(made, ast.Call) or not (call and call.then and call.method == method):
                return None
            first, more = made, self._bound(node, call.bind_second)
        elif call.then:
            return None
        bound, asked = self._bound(first, call.bind) | more, ast.unparse(first.func)
        size, state, of = (bound.get(n) for n in ("size", "random_state", "input_domain"))
        if isinstance(size, ast.expr) and getattr(size, "value", 0) not in (None, 1):
            raise self.error(node, f"{asked} draws one number at a time here: leave size out")
        if isinstance(state, ast.expr) and not self._is_source(state):
            raise self.error(node, f"{asked} draws from a seed: leave random_state out")
        if isinstance(of, ast.expr) and not any(map(_of_floats, ast.walk(of))):
            raise self.error(node, f"{asked} is followed of atom_domain(T=float), written in it")
        given = {n: v if isinstance(v, ast.expr) else ast.Constant(v) for n, v in bound.items()}
        texts = [ast.parse(text, mode="eval").body for text in (call.location, call.scale)]
        if any(isinstance(item, ast.Call) for text in texts for item in ast.walk(text)):
            raise self.error(node, f"{asked} has a scale that is not in the language")
        location, scale = (self.visit(put(text, given, node)) for text in texts)
        return call.kind, location, scale

    def _bound(self, node: ast.Call, bind: Any) -> dict[str, Any]:
        options = {k.arg: k.value for k in node.keywords if k.arg is not None}
        if len(options) < len(node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.error(node, f"{ast.unparse(node.func)} takes its arguments one by one")
        try:
            result: dict[str, Any] = bind(node.args, options)
        except UsageError as error:
            raise self.error(node, str(error)) from None
        return result

    def _is_source(self, node: ast.AST) -> bool:
        drawn = any(self.names.meaning(node) is item for item in MADE.values())
        return drawn or (isinstance(node, ast.Constant) and node.value is None)

    def _is_uniform(self, node: ast.AST) -> bool:
        """Tell whether it draws a number from 0 to 1."""
        if not isinstance(node, ast.Call) or node.keywords:
            return False
        name = method_of(self.names.meaning(node.func))
        ends = [getattr(argument, "value", None) for argument in node.args]
        return name in UNIFORM_METHODS and (not ends or (name == "uniform" and ends == [0, 1]))

    def _ends(self, node: ast.Call, drawn: Any) -> tuple[int, int] | None:
        """Return the least whole number that a call draws, and the first above the largest."""
        if method_of(drawn) not in WHOLE_METHODS:
            return None
        given = [getattr(argument, "value", None) for argument in node.args]
        low, high = (0, *given) if len(given) == 1 else given if len(given) == 2 else (None, None)
        if node.keywords or type(low) is not int or type(high) is not int:
            raise self.error(node, "a whole number is drawn between two that are written there")
        return low, high + isinstance(drawn.__self__, random.Random) * (drawn.__name__ == "randint")

    # Public values, and arrays. ---------------------------------------------------------------

    def _is_public(self, value: ast.expr) -> bool:
        """Tell whether it is made of parameters and numbers alone, or is the number of answers."""
        if self._is_length(value):
            return True
        names = _reads(value) & self.names.own - self.names.made.keys() - self.parameters
        if not self._read(self.query, [ast.Expr(value)]):
            names -= {self.query}
        numeric = all(
            isinstance(node, (*source.NUMERIC, ast.Call, ast.Attribute)) for node in ast.walk(value)
        )
        number = isinstance(getattr(value, "value", 0), int | float)
        return number and numeric and not names - self.known.keys() and self._is_plain(value)

    def _is_plain(self, node: ast.expr) -> bool:
        """Tell whether an expression draws nothing."""
        calls = [item.func for item in ast.walk(node) if isinstance(item, ast.Call)]
        inside = [self.known[name] for name in _reads(node) & self.known.keys()]
        plain = all(source.known(self.names.meaning(call)) in _PLAIN for call in calls)
        return plain and all(map(self._is_plain, inside))

    def _is_length(self, node: ast.AST) -> bool:
        """Tell whether it is the number of answers, or the shape of an array of so many."""
        match node:
            case ast.Call(func, [ast.Name() as of], []) if self._is(func, "len"):
                return self._is_array(of)
            case ast.Attribute(ast.Name() as of, "shape" | "size"):
                return self._is_array(of)
            case ast.Subscript(ast.Attribute(_, "shape") as shape, ast.Constant(0)):
                return self._is_length(shape)
            case ast.Name(name) if name in self.known:
                return self._is_length(self.known[name])
        return False

    def _is_array(self, node: ast.Name) -> bool:
        return node.id == self.query or isinstance(self.known.get(node.id), ast.ListComp)

    def _array(self, node: ast.expr) -> ast.ListComp | None:
        """Return one number for each answer as a list of them; ``None`` of what is none."""
        known = self.known.get(source.name_of(node))
        if isinstance(known, ast.ListComp):
            return copy.deepcopy(known)
        if isinstance(node, ast.ListComp):
            self.generic_visit(node)
            return node if len(node.generators) == 1 and not node.generators[0].ifs else None
        each = f"each of {node.lineno} {node.col_offset}"
        one = None if self.scalar else self._element(node, each)
        if one is None:
            return None
        over = ast.copy_location(ast.Name(self.query, ast.Load()), node)
        part = ast.comprehension(ast.Name(each, ast.Store()), over, [], 0)
        return ast.copy_location(ast.ListComp(self.visit(one), [part]), node)

    def _element(self, node: ast.expr, each: str) -> ast.expr | None:
        """Return what an array holds for the answer ``each``; ``None`` of what is no array."""
        here = ast.copy_location(ast.Name(each, ast.Load()), node)
        known = self.known.get(source.name_of(node), node)
        match known:
            case ast.Name(name) if name == self.query:
                return here
            case ast.ListComp(elt, [ast.comprehension(ast.Name(name), ast.Name(self.query), [])]):
                return put(elt, {name: here}, node)
            case ast.BinOp(left, op, right):
                sides = [self._element(item, each) for item in (left, right)]
                if sides == [None, None]:
                    return None
                lists = [self._is_list(item) for item in (left, right)]
                if (isinstance(op, ast.Add) and all(lists)) or (
                    isinstance(op, ast.Mult) and any(lists) and None in sides
                ):
                    rule = f"of a list, {ast.unparse(node)} is a longer one: write np.array(...)"
                    raise self.error(node, rule)
                for side, one in zip(sides, (left, right), strict=True):
                    if side is None and not self._is_plain(one):
                        rule = f"draw one number for each answer, by size=len({self.query}); "
                        rule += f"where the data are one number say so: {self.query}: float"
                        raise self.error(one, rule)
                first, second = (s or o for s, o in zip(sides, (left, right), strict=True))
                return ast.copy_location(ast.BinOp(first, op, second), node)
            case ast.Call(func, [one], []) if self.names.meaning(func) in _ALIKE:
                return self._element(one, each)
            case ast.Call(ast.Attribute(value, "tolist" | "copy"), [], []):
                return self._element(value, each)
            case ast.Call() if (call := self._call(known)) is not None and not call.then:
                bound = self._bound(known, call.bind)
                given = {name: item for name, item in bound.items() if isinstance(item, ast.expr)}
                size = given.pop("size", None)
                parts = {name: self._element(item, each) for name, item in given.items()}
                if self._is_length(size) if size is not None else any(parts.values()):
                    options = [ast.keyword(n, parts[n] or item) for n, item in given.items()]
                    return ast.copy_location(ast.Call(known.func, [], options), node)
        return None

    def _is_list(self, node: ast.expr) -> bool:
        """Tell whether what is read as an array may be a list."""
        result = self.known.get(source.name_of(node), node)
        match result:
            case ast.Call(ast.Attribute(value, "tolist" | "copy" as method), [], []):
                return method == "tolist" or self._is_list(value)
            case ast.Call(func):
                return self.names.meaning(func) is list
        return isinstance(result, ast.ListComp) or source.name_of(result) == self.query


def read_of(name: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(name, ast.Load())


def set_to(name: str, value: ast.expr) -> ast.stmt:
    """Return what gives a name a value."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _at(loop: ast.For, index: str, names: Collection[str]) -> list[ast.Subscript]:
    """Return where a loop reads its own number of arrays: ``name[index]``."""
    nodes = [n for statement in loop.body for n in ast.walk(statement)]
    if not index or any(source.stores(node, index) for node in nodes):
        return []
    result = [node for node in nodes if isinstance(node, ast.Subscript)]
    at = [item for item in result if source.name_of(item.slice) == index]
    return [item for item in at if isinstance(item.value, ast.Name) and item.value.id in names]


def of_object(table: Mapping[Any, Any], value: Any) -> Any:
    """Return what a table holds for this very object; ``None`` where it has it not."""
    return next((result for item, result in table.items() if item is value), None)


def method_of(drawn: Any) -> str:
    """Return the name of a method of a source of noise."""
    owner, name = getattr(drawn, "__self__", None), str(getattr(drawn, "__name__", ""))
    return name if any(type(owner) is type(item) for item in MADE.values()) else ""


def placed(made: _Node, node: ast.AST) -> _Node:
    """Return what is written in place of a node."""
    return ast.fix_missing_locations(ast.copy_location(made, node))


def put(text: _Node, given: Mapping[str, ast.expr], node: ast.AST) -> _Node:
    """Return a copy of code with what is given for its names, at the place of a node."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            load = isinstance(name.ctx, ast.Load)
            return copy.deepcopy(given[name.id]) if load and name.id in given else name

    made: _Node = Put().visit(copy.deepcopy(text))
    return placed(made, node)


def _of_floats(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "T" and _reads(node) == {"float"}


def _terms(node: ast.expr, sign: int = 1) -> Iterator[tuple[int, ast.expr]]:
    """Yield what is added up, each with its sign."""
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right):
            yield from _terms(left, sign)
            yield from _terms(right, sign if isinstance(op, ast.Add) else -sign)
        case _:
            yield sign, node


def _reads(node: ast.AST) -> set[str]:
    """Return the names that are read."""
    names = [item for item in ast.walk(node) if isinstance(item, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def several(node: ast.expr) -> list[ast.expr]:
    """Return the numbers of a tuple, list or dictionary that is returned; of others none."""
    match node:
        case ast.Tuple(parts) | ast.List(parts):
            return parts
        case ast.Dict(keys, parts) if all(isinstance(key, ast.Constant) for key in keys):
            # Of equal keys the last one is kept.
            once = len({getattr(key, "value", None) for key in keys}) == len(keys)
            return parts if once else []
    return []


def shape(node: ast.expr) -> str:
    """Return how the numbers that are returned stand together."""
    keys = [ast.dump(item) for item in getattr(node, "keys", []) if item is not None]
    return f"{several(node) and type(node).__name__} {len(several(node))} {keys}"
