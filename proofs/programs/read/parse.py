"""Reads a plain Python function into a ``ParsedProgram``; refuses what is outside the language.

What names mean is looked up in the function's own globals, so that ``laplace`` is ours and not
another's. Numbers are read as they are written: 0.1 is one tenth. What is trusted here: that each
construct taken means in Python what the step made of it says. Everything else is refused.
"""

import ast
import enum
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs.program import Program as Runnable
from provado.mechanisms.programs.program import program as decorator

from . import ir, source
from .expressions import ELEMENT, ZERO, ExpressionReader, truths_in
from .forms import Forms
from .idioms import Idioms
from .source import annotation_of, assigned_in, check_generators, check_list, exact_value, stores
from .spellings import Spellings

Bound = Mapping[str, Fraction | int | float]

MOST_TIMES, MOST_STEPS = 64, 2000
"""How often a loop over numbers is repeated, and how many steps that may make."""


def read_program(
    function: Any, bound: Bound | None = None, whole_data: bool = False
) -> ir.ParsedProgram:
    """Return a function as a ``ParsedProgram``.

    function: a plain function, or a ``mechanisms.programs.Program``.
    bound: parameters that have a value; the others stay open. whole_data: whether the data are
        known to be whole numbers, whatever the function says.

    Raises ``LanguageError``, a ``UsageError`` that names file, line and rule.
    """
    values = dict(bound or {})
    if type(function) is Runnable:
        values = {**function.parameters, **values}
        function = function.function
    if not isinstance(function, types.FunctionType):
        raise UsageError(
            f"program is of type {type(function).__name__}: it must be a plain function"
        )
    source.check_noise()
    node, module, text = source.source_of(function)
    return _Reader(function, node, module, text, values, whole_data).program()


@dataclass
class _Loop:
    """A loop that is being read: where ``continue`` and ``break`` jump to is filled in later."""

    breaks: list[int] = field(default_factory=list)
    continues: list[int] = field(default_factory=list)
    over_data: bool = True


class _Reader(ExpressionReader):
    """The state of reading one function."""

    def __init__(
        self,
        function: Any,
        node: ast.FunctionDef,
        module: ast.Module,
        text: str,
        bound: dict[str, Any],
        whole_data: bool,
    ) -> None:
        super().__init__(function, node, module, bound)
        self.text = text
        self.steps: list[ir.Step] = []
        self.loops: list[_Loop] = []
        self.loop_count = self.tells = 0
        self.told: str | None = None
        self.assumed: list[ir.Compare] = []
        self.stopped: list[int] = []
        for decorated in node.decorator_list:
            if self.names.meaning(decorated) is not decorator:
                raise self.error(decorated, "no decorator but provado's own program")
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
            raise self.error(node, "parameters are plain: no *, no **, no /")
        names = [a.arg for a in (*arguments.args, *arguments.kwonlyargs)]
        if not arguments.args:
            raise self.error(node, "the first parameter is the data")
        self.query, noted = names[0], annotation_of(arguments.args[0])
        source.check_defaults(function, node, self.error)
        for item in ast.walk(node):
            if (asked := source.name_of(item)).startswith("__") and asked != "__getitem__":
                raise self.error(item, f"{asked} begins with two underscores: rename it")
        for name in bound:
            if name not in names[1:]:
                raise UsageError(f"program {function.__name__}: it has no parameter {name!r}")
        spellings = Spellings(function, self.names, module, self.error)
        node = spellings.rewritten(node)
        self.levels, self.of_list = spellings.levels, spellings.of_list
        self.lists = spellings.lists
        idioms = Idioms(self.names, self.error)
        node = idioms.rewritten(node)
        self.names.own |= assigned_in(node) | idioms.unset
        self.node = node = Forms(self.names, node, self.error).rewritten()
        assigned = assigned_in(node)
        self.names.own |= assigned
        check_generators(node, self.error)
        for name in names:
            if name in assigned:
                at = next(n for n in ast.walk(node) if stores(n, name))
                raise self.error(at, f"parameters stay as they are, and {name} is assigned to")
        self.constants = {n: exact_value(v, n) for n, v in bound.items()}
        known = {*self.constants, *self.names.made, self.levels}
        self.parameters = tuple(n for n in names[1:] if n not in known)
        self.whole = frozenset(self._whole(self.parameters))
        self.variables, self.truths = assigned | idioms.unset, truths_in(node)
        self.scalar = noted in ("float", "int")
        self.whole_data = whole_data or noted in ("int", "list[int]")

    # The function. ----------------------------------------------------------------------------

    def program(self) -> ir.ParsedProgram:
        """Read it all."""
        body = list(self.node.body)
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        while body and isinstance(body[0], ast.Assert):
            self._assume(body.pop(0))
        self._block(body)
        end = len(self.steps)
        self.steps.append(ir.Stop())
        for at in self.stopped:
            self.steps[at] = ir.Jump(end)
        if least := self.longest:
            # There are as many queries as are asked for by number.
            enough = ir.Compare(">=", ir.Name(ir.LENGTH), ir.Constant(Fraction(least)))
            self.assumed.append(enough)
        return ir.ParsedProgram(
            self.function.__name__,
            tuple(self.steps),
            self.parameters,
            self.whole,
            tuple(self.assumed),
            self._integers(),
            self.query,
            self.text,
            self.first,
            self.scalar,
            tuple((self.line(node), ast.unparse(node)) for node in self.draws),
            self.whole_data,
            self.levels,
            self.of_list,
            self.lists,
        )

    def _assume(self, node: ast.stmt) -> None:
        assert isinstance(node, ast.Assert)
        if not __debug__:
            raise self.error(node, "python -O runs no assert: start Python without -O")
        before, todo = self.sites, [(self.condition(node.test), True)]
        while todo:
            condition, holds = todo.pop(0)
            match condition:
                case ir.Negation(inner):
                    todo = [(inner, not holds), *todo]
                case ir.Both(left, right) if holds:
                    todo = [(left, True), (right, True), *todo]
                case ir.Compare(op, left, right) if self.sites == before:
                    op = op if holds else ir.OPPOSITE[op]
                    if op == "!=" and (left, right) == (ir.Name(ir.LENGTH), ZERO):
                        op = ">"
                    if ir.variables_in(condition, self.parameters) or op == "!=":
                        rule = "assert may compare parameters only, with <, <=, >, >=, =="
                        raise self.error(node, rule)
                    self.assumed.append(ir.Compare(op, left, right))
                case _:
                    raise self.error(node, "assert compares parameters, joined by and")

    def _block(self, body: list[ast.stmt]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.List(elts=[])):
                if self.told is not None or node not in self.node.body:
                    raise self.error(node, "one list holds outputs, and is made once: append to it")
                if self.tells:
                    raise self.error(node, "use output() or append to one list, not both")
                check_list(self.node, name, self.error)
                self.told = name
            case ast.Assign(targets=[ast.Name(name)], value=value):
                self._assign(name, value, node)
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, body, orelse, node)
            case ast.For():
                self._for(node)
            case ast.Break():
                self._jump(self.loops[-1].breaks)
            case ast.Continue():
                self._jump(self.loops[-1].continues)
            case ast.Pass():
                pass
            case ast.Return(value=None | ast.Constant(None)):
                self._jump(self.stopped)
            case ast.Return(value=ast.Name(name)) if name == self.told:
                self._jump(self.stopped)
            case ast.Return(value=ast.expr() as value):
                self._tell(value, node)
                self._jump(self.stopped)
            case ast.Expr(value=ast.Call(func=ast.Attribute(ast.Name(name), "append")) as call) if (
                name == self.told
            ):
                self._tell(self._one_argument(call), node)
            case ast.Expr(value=ast.Call() as call) if self.called(call.func) == "output":
                if self.told is not None:
                    raise self.error(node, "use output() or append to one list, not both")
                self._tell(self._one_argument(call), node)
            case _:
                kind = type(node).__name__.lower()
                instead = {
                    "functiondef": "write it at the top of the file",
                    "expr": "leave it out, or append in the order of the outputs",
                    "assign": "assign to one name at a time",
                    "raise": "output a number instead",
                }.get(kind, "write plain statements without state between calls")
                text = ast.unparse(node) if kind in ("assign", "expr") else kind
                raise self.error(node, f"{text} is not in the language: {instead}")

    def _one_argument(self, call: ast.Call) -> ast.expr:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            raise self.error(call, "output() takes one value at a time")
        return call.args[0]

    def _jump(self, places: list[int]) -> None:
        places.append(len(self.steps))
        self.steps.append(ir.Jump(-1))

    def _assign(self, name: str, value: ast.expr, node: ast.stmt) -> None:
        if name == self.told:
            raise self.error(node, f"{name} holds the outputs: it is only appended to")
        self.steps.append(ir.Assign(name, self.expression(value), self.line(node)))

    def _tell(self, node: ast.expr, statement: ast.stmt) -> None:
        line = self.line(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | enum.Enum | None):
            # True is told as 1: the two are equal, and what is equal is told by one tag.
            plain = int(node.value) if isinstance(node.value, bool) else node.value
            self.tells += 1
            self.steps.append(ir.OutputStep(None, f"constant {plain!r}", line))
            return
        value = self.expression(node)
        self.tells += 1
        if isinstance(value, ir.Constant):
            self.steps.append(ir.OutputStep(None, f"constant {value.value}", line))
        else:
            self.steps.append(ir.OutputStep(value, f"number {self.tells}", line))

    def _if(
        self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], node: ast.stmt
    ) -> None:
        condition = self.condition(test)
        at = len(self.steps)
        self.steps.append(ir.Jump(-1))
        self._block(body)
        end = len(self.steps)
        if orelse:
            self.steps.append(ir.Jump(-1))
        self.steps[at] = ir.Branch(condition, at + 1, len(self.steps), self.line(node))
        self._block(orelse)
        if orelse:
            self.steps[end] = ir.Jump(len(self.steps))

    # Loops. -----------------------------------------------------------------------------------

    def _for(self, node: ast.For) -> None:
        times = self._times(node)
        if times is not None:
            self._repeated(node, times)
            return
        element, index = self.loop_names(node.target, node.iter, node)
        self._loop(element, index, lambda: self._block(node.body), node, node.orelse)

    def _times(self, node: ast.For) -> int | None:
        """Return how often ``for _ in range(k)`` repeats, k a number; ``None`` for other loops."""
        match node.iter:
            case ast.Call(func=func, args=[count], keywords=[]) if self.called(
                func
            ) == "range" and isinstance(node.target, ast.Name):
                value = self.number(count)
                if value is None:
                    return None
                if value not in range(MOST_TIMES + 1):
                    raise self.error(node, f"a loop is repeated 0 to {MOST_TIMES} times")
                return int(value)
        return None

    def _repeated(self, node: ast.For, times: int) -> None:
        """Write the body of a loop so many times: each copy draws at places of its own."""
        assert isinstance(node.target, ast.Name)
        loop = _Loop(over_data=False)
        self.loops.append(loop)
        for k in range(times):
            self.steps.append(ir.Assign(node.target.id, ir.Constant(Fraction(k)), self.line(node)))
            self._block(node.body)
            for place in loop.continues:
                self.steps[place] = ir.Jump(len(self.steps))
            loop.continues.clear()
            if len(self.steps) > MOST_STEPS:
                raise self.error(node, f"loops are repeated within {MOST_STEPS} steps")
        self.loops.pop()
        self._block(node.orelse)
        for place in loop.breaks:
            self.steps[place] = ir.Jump(len(self.steps))

    def _loop(
        self,
        element: str | None,
        index: str | None,
        body: Callable[[], None],
        node: ast.AST,
        orelse: list[ast.stmt],
    ) -> None:
        if any(loop.over_data for loop in self.loops):
            raise self.error(node, f"loops are not nested: write one over {self.query}")
        if self.scalar:
            raise self.error(node, "the data is one number: there is nothing to loop over")
        self.loop_count += 1
        counter = f"iteration {self.loop_count}"
        line = self.line(node)
        self.steps.append(ir.Assign(counter, ir.Constant(Fraction(0)), line))
        at = len(self.steps)
        self.steps.append(ir.Jump(-1))
        head = self.loop_count, counter, element, index
        loop = _Loop()
        self.loops.append(loop)
        named = f"answer {self.loop_count}"
        if element is not None:
            self.steps.append(ir.Assign(element, ir.Name(named), line))
        if index is not None:
            self.steps.append(ir.Assign(index, ir.Name(counter), line))
        with self.inside(index, named):
            body()
        self.loops.pop()
        for place in loop.continues:
            self.steps[place] = ir.Jump(len(self.steps))
        self.steps.append(ir.Jump(at))
        self.steps[at] = ir.Head(*head, len(self.steps), line)
        self._block(orelse)
        for place in loop.breaks:
            self.steps[place] = ir.Jump(len(self.steps))

    def _over(self, node: ast.Call, of: str) -> ir.Expression:
        argument = node.args[0]
        if self.conditional or self.answer is not None:
            raise self.error(node, f"{of} over all queries stands outside of loops and conditions")
        if self._is_query([argument]):
            hidden = ast.copy_location(ast.Name(ELEMENT, ast.Load()), argument)
            self.variables = self.variables | {ELEMENT}
            return self._loop_of_generator(node, of, ELEMENT, None, hidden)
        if not isinstance(argument, ast.GeneratorExp | ast.ListComp):
            raise self.error(node, f"{of} is of {self.query}, or of one value for each of it")
        one = argument.generators[0]
        if len(argument.generators) > 1 or one.ifs or one.is_async:
            raise self.error(node, f"{of} takes every query once")
        element, index = self.loop_names(one.target, one.iter, node)
        return self._loop_of_generator(node, of, element, index, argument.elt)

    def _loop_of_generator(
        self, node: ast.expr, of: str, element: str | None, index: str | None, value: ast.expr
    ) -> ir.Expression:
        """Write argmax, max, min or sum over a generator as a loop; return what it gives."""
        self.loop_count += 1
        name, number = f"{of} {self.loop_count}", self.loop_count
        self.loop_count -= 1
        best, found, this = f"largest {number}" if of == "argmax" else name, name, f"value {number}"
        line, zero = self.line(node), ir.Constant(Fraction(0))
        if of != "sum":
            self.longest = max(self.longest, 1)
        self.steps.append(ir.Assign(found, zero, line))
        if of != "sum":
            self.steps.append(ir.Assign(best, zero, line))
        counter = ir.Name(f"iteration {number}")

        def body() -> None:
            if of == "sum":
                total = ir.Binary("+", ir.Name(found), self.expression(value))
                self.steps.append(ir.Assign(found, total, line))
                return
            self.steps.append(ir.Assign(this, self.expression(value), line))
            first = ir.Compare("==", counter, zero)
            larger = ir.Compare("<" if of == "min" else ">", ir.Name(this), ir.Name(best))
            at = len(self.steps)
            self.steps.append(ir.Branch(self.either(first, larger), at + 1, at + 3, line))
            self.steps.append(ir.Assign(best, ir.Name(this), line))
            position: ir.Expression = counter if of == "argmax" else ir.Name(this)
            self.steps.append(ir.Assign(found, position, line))

        self._loop(element, index, body, node, [])
        return ir.Name(found)

    # Names and numbers. -----------------------------------------------------------------------

    def _whole(self, names: tuple[str, ...]) -> set[str]:
        defaults = source.defaults_of(self.function)
        noted = {
            a.arg: annotation_of(a) for a in (*self.node.args.args, *self.node.args.kwonlyargs)
        }
        return {
            name
            for name in names
            if noted[name] == "int"
            # An ε of 1 by default is a number like any other.
            or (not noted[name] and name != "epsilon" and type(defaults.get(name)) is int)
        }

    def _integers(self) -> frozenset[str]:
        """Return the variables that hold whole numbers whatever happens: a greatest fixed point."""
        values: dict[str, list[ir.Expression]] = {}
        for step in self.steps:
            if isinstance(step, ir.Assign):
                values.setdefault(step.name, []).append(step.value)
        whole = set(values)
        while True:
            known = whole | self.whole | {ir.LENGTH}
            data = self.whole_data
            left = {n for n in whole if all(ir.is_whole_number(v, known, data) for v in values[n])}
            if left == whole:
                return frozenset(whole)
            whole = left
