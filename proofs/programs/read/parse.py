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
from pathlib import Path
from typing import Any

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs.program import Program as Runnable
from provado.mechanisms.programs.program import program as decorator

from . import ir, source
from .expressions import ExpressionReader, LanguageError, truths_in
from .forms import Forms, Names
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


class _Reader:
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
        self.function, self.node, self.module, self.text = function, node, module, text
        self.first = function.__code__.co_firstlineno
        self.where = Path(function.__code__.co_filename).name
        self.steps: list[ir.Step] = []
        self.loops: list[_Loop] = []
        self.loop_count = 0
        self.tells = 0
        self.told: str | None = None
        self.assumed: list[ir.Compare] = []
        self.stopped: list[int] = []
        self.assigned: frozenset[str] = frozenset()
        self.names = Names.of(function, node, bound, self._error)
        for decorated in node.decorator_list:
            if self.names.meaning(decorated) is not decorator:
                raise self._error(decorated, "no decorator but provado's own program")
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
            raise self._error(node, "parameters are plain: no *, no **, no /")
        names = [a.arg for a in (*arguments.args, *arguments.kwonlyargs)]
        if not arguments.args:
            raise self._error(node, "the first parameter is the data")
        self.query = names[0]
        source.check_defaults(function, node, self._error)
        for item in ast.walk(node):
            if (asked := source.name_of(item)).startswith("__") and asked != "__getitem__":
                raise self._error(item, f"{asked} begins with two underscores: rename it")
        for name in bound:
            if name not in names[1:]:
                raise UsageError(f"program {function.__name__}: it has no parameter {name!r}")
        self.spellings = Spellings(function, self.names, module, self._error)
        node = self.spellings.rewritten(node)
        levels = self.spellings.levels
        idioms = Idioms(self.names, self._error)
        node = idioms.rewritten(node)
        self.names.own |= assigned_in(node) | idioms.unset
        self.node = node = Forms(self.names, node, self._error).rewritten()
        self.assigned = assigned_in(node)
        self.names.own |= self.assigned
        check_generators(node, self._error)
        for name in names:
            if name in self.assigned:
                at = next(n for n in ast.walk(node) if stores(n, name))
                raise self._error(at, f"parameters stay as they are, and {name} is assigned to")
        constants = {n: exact_value(v, n) for n, v in bound.items()}
        known = {*constants, *self.names.made, levels}
        self.parameters = tuple(n for n in names[1:] if n not in known)
        self.whole = frozenset(self._whole(self.parameters))
        self.reader = ExpressionReader(
            error=self._error,
            called=self._called,
            constant=self._constant,
            constants=constants,
            parameters=frozenset(self.parameters),
            variables=self.assigned | idioms.unset,
            truths=truths_in(node),
            query=self.query,
            levels=levels,
            emit=self._loop_of_generator,
            scalar=annotation_of(arguments.args[0]) in ("float", "int"),
            whole_data=whole_data or annotation_of(arguments.args[0]) in ("int", "list[int]"),
        )

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
        if least := self.reader.longest:
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
            self.reader.scalar,
            tuple((self._line(node), ast.unparse(node)) for node in self.reader.draws),
            self.reader.whole_data,
            self.spellings.levels,
            self.spellings.of_list,
        )

    def _assume(self, node: ast.stmt) -> None:
        assert isinstance(node, ast.Assert)
        if not __debug__:
            raise self._error(node, "python -O runs no assert: start Python without -O")
        before, todo = self.reader.sites, [self.reader.condition(node.test)]
        while todo:
            condition = todo.pop(0)
            if isinstance(condition, ir.Both):
                todo = [condition.left, condition.right, *todo]
                continue
            if not isinstance(condition, ir.Compare) or self.reader.sites != before:
                raise self._error(node, "assert compares parameters, joined by and")
            if ir.variables_in(condition, self.parameters) or condition.op == "!=":
                raise self._error(node, "assert may compare parameters only, with <, <=, >, >=, ==")
            self.assumed.append(condition)

    def _block(self, body: list[ast.stmt]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.List(elts=[])):
                if self.told is not None or node not in self.node.body:
                    raise self._error(
                        node, "one list holds outputs, and is made once: append to it"
                    )
                if self.tells:
                    raise self._error(node, "use output() or append to one list, not both")
                check_list(self.node, name, self._error)
                self.told = name
            case ast.Assign(targets=[ast.Name(name)], value=value):
                self._assign(name, value, node)
            case ast.AugAssign(target=ast.Name(name), op=op, value=value):
                operation = ast.BinOp(ast.Name(name, ast.Load()), op, value)
                self._assign(name, ast.copy_location(operation, node), node)
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
            case ast.Expr(value=ast.Call() as call) if self._called(call.func) == "output":
                if self.told is not None:
                    raise self._error(node, "use output() or append to one list, not both")
                self._tell(self._one_argument(call), node)
            case _:
                kind = type(node).__name__.lower()
                instead = {
                    "functiondef": ": write it at the top of the file",
                    "expr": ": leave it out",
                }
                raise self._error(node, f"{kind} is not in the language{instead.get(kind, '')}")

    def _one_argument(self, call: ast.Call) -> ast.expr:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            raise self._error(call, "output() takes one value at a time")
        return call.args[0]

    def _jump(self, places: list[int]) -> None:
        places.append(len(self.steps))
        self.steps.append(ir.Jump(-1))

    def _assign(self, name: str, value: ast.expr, node: ast.stmt) -> None:
        if name == self.told:
            raise self._error(node, f"{name} holds the outputs: it is only appended to")
        self.steps.append(ir.Assign(name, self.reader.expression(value), self._line(node)))

    def _tell(self, node: ast.expr, statement: ast.stmt) -> None:
        line = self._line(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | enum.Enum | None):
            # True is told as 1: the two are equal, and what is equal is told by one tag.
            plain = int(node.value) if isinstance(node.value, bool) else node.value
            self.tells += 1
            self.steps.append(ir.OutputStep(None, f"constant {plain!r}", line))
            return
        value = self.reader.expression(node)
        self.tells += 1
        if isinstance(value, ir.Constant):
            self.steps.append(ir.OutputStep(None, f"constant {value.value}", line))
        else:
            self.steps.append(ir.OutputStep(value, f"number {self.tells}", line))

    def _if(
        self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], node: ast.stmt
    ) -> None:
        condition = self.reader.condition(test)
        at = len(self.steps)
        self.steps.append(ir.Jump(-1))
        self._block(body)
        end = len(self.steps)
        if orelse:
            self.steps.append(ir.Jump(-1))
        self.steps[at] = ir.Branch(condition, at + 1, len(self.steps), self._line(node))
        self._block(orelse)
        if orelse:
            self.steps[end] = ir.Jump(len(self.steps))

    # Loops. -----------------------------------------------------------------------------------

    def _for(self, node: ast.For) -> None:
        times = self._times(node)
        if times is not None:
            self._repeated(node, times)
            return
        element, index = self.reader.loop_names(node.target, node.iter, node)
        self._loop(element, index, lambda: self._block(node.body), node, node.orelse)

    def _times(self, node: ast.For) -> int | None:
        """Return how often ``for _ in range(k)`` repeats, k a number; ``None`` for other loops."""
        match node.iter:
            case ast.Call(func=func, args=[count], keywords=[]) if self._called(
                func
            ) == "range" and isinstance(node.target, ast.Name):
                value = self.reader.number(count)
                if value is None:
                    return None
                if value not in range(MOST_TIMES + 1):
                    raise self._error(node, f"a loop is repeated 0 to {MOST_TIMES} times")
                return int(value)
        return None

    def _repeated(self, node: ast.For, times: int) -> None:
        """Write the body of a loop so many times: each copy draws at places of its own."""
        assert isinstance(node.target, ast.Name)
        loop = _Loop(over_data=False)
        self.loops.append(loop)
        for k in range(times):
            self.steps.append(ir.Assign(node.target.id, ir.Constant(Fraction(k)), self._line(node)))
            self._block(node.body)
            for place in loop.continues:
                self.steps[place] = ir.Jump(len(self.steps))
            loop.continues.clear()
            if len(self.steps) > MOST_STEPS:
                raise self._error(node, f"loops are repeated within {MOST_STEPS} steps")
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
            raise self._error(node, "loops are not nested")
        if self.reader.scalar:
            raise self._error(node, "the data is one number: there is nothing to loop over")
        self.loop_count += 1
        counter = f"iteration {self.loop_count}"
        line = self._line(node)
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
        with self.reader.inside(index, named):
            body()
        self.loops.pop()
        for place in loop.continues:
            self.steps[place] = ir.Jump(len(self.steps))
        self.steps.append(ir.Jump(at))
        self.steps[at] = ir.Head(*head, len(self.steps), line)
        self._block(orelse)
        for place in loop.breaks:
            self.steps[place] = ir.Jump(len(self.steps))

    def _loop_of_generator(
        self, node: ast.expr, of: str, element: str | None, index: str | None, value: ast.expr
    ) -> ir.Expression:
        """Write argmax, max, min or sum over a generator as a loop; return what it gives."""
        self.loop_count += 1
        name, number = f"{of} {self.loop_count}", self.loop_count
        self.loop_count -= 1
        best, found, this = f"largest {number}", name, f"value {number}"
        line, zero = self._line(node), ir.Constant(Fraction(0))
        if of != "sum":
            self.reader.longest = max(self.reader.longest, 1)
        self.steps.append(ir.Assign(found, zero, line))
        if of != "sum":
            self.steps.append(ir.Assign(best, zero, line))
        counter = ir.Name(f"iteration {number}")

        def body() -> None:
            if of == "sum":
                total = ir.Binary("+", ir.Name(found), self.reader.expression(value))
                self.steps.append(ir.Assign(found, total, line))
                return
            self.steps.append(ir.Assign(this, self.reader.expression(value), line))
            first = ir.Compare("==", counter, zero)
            larger = ir.Compare("<" if of == "min" else ">", ir.Name(this), ir.Name(best))
            at = len(self.steps)
            self.steps.append(ir.Branch(self.reader.either(first, larger), at + 1, at + 3, line))
            self.steps.append(ir.Assign(best, ir.Name(this), line))
            position: ir.Expression = counter if of == "argmax" else ir.Name(this)
            self.steps.append(ir.Assign(found, position, line))

        self._loop(element, index, body, node, [])
        return ir.Name(found)

    # Names and numbers. -----------------------------------------------------------------------

    def _called(self, node: ast.expr) -> str:
        """Return which function of the language is called; empty for any other."""
        result, asked = source.known(self.names.meaning(node)), source.name_of(node)
        if result and asked in source.KNOWN and asked != result:
            raise self._error(node, f"{asked} is {result} when it runs")
        return result

    def _constant(self, node: ast.Name) -> Any:
        """Return the number that a global name stands for, else ``None``."""
        value = self.names.meaning(node)
        if isinstance(value, int | float) and not source.is_written(node.id, value, self.module):
            rule = f"{node.id} is {value!r}, which its file does not say: make it a parameter"
            raise self._error(node, rule)
        return value

    def _line(self, node: ast.AST) -> int:
        return getattr(node, "lineno", self.first)  # type: ignore[no-any-return]

    def _error(self, node: ast.AST, rule: str) -> LanguageError:
        return LanguageError(self.where, self._line(node), rule)

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
            data = self.reader.whole_data
            left = {n for n in whole if all(ir.is_whole_number(v, known, data) for v in values[n])}
            if left == whole:
                return frozenset(whole)
            whole = left
