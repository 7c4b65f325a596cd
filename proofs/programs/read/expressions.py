"""Reads Python's expressions and conditions into those of ``ir``."""

import ast
import contextlib
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import ir, source
from .floats import folded, is_faithful, read_number
from .forms import Names
from .ir import NOISE, LanguageError

_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.FloorDiv: "//",
    ast.Pow: "**",
}
_COMPARISONS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_INSTEAD = {
    "Constant": ": text is no number; number its values, 0, 1, 2",
    "ListComp": ": write its loop, and append the numbers one by one",
    "Lambda": ": write it by def at the top of the file",
    "JoinedStr": ": release the number itself",
    "List": ": return its numbers, or append them one by one",
    "list": ": write [… for x in q]",
    "round": ": release the number itself; what is made of it is as private",
    "str": ": release the number itself; what is made of it is as private",
    "Dict": ": return one with all of its numbers, {'a': x, 'b': y}",
    "mean": ": write sum, with noise as many times as large, or say by --domain what a record is",
}
_OTHER = ": write out what it computes, or say by --domain what a record is"
"""What to write instead of what people write."""
ELEMENT = "the answer"
"""The hidden variable of a loop over the answers themselves; no name of a user has a space."""

ONE, ZERO = ir.Constant(Fraction(1)), ir.Constant(Fraction(0))


class ExpressionReader:
    """What expressions may mention at the place that is being read.

    parameters: those that stay open; constants: those that have a value. variables: all names that
    are assigned to; truths: those of them that are True or False whatever happens. scalar: the data
    are one number; whole_data: they are whole numbers.
    """

    def __init__(
        self, function: Any, node: ast.FunctionDef, module: ast.Module, bound: dict[str, Any]
    ) -> None:
        self.function, self.node, self.module = function, node, module
        self.first = function.__code__.co_firstlineno
        self.names = Names.of(function, node, bound, self.error)
        self.query = self.levels = ""
        self.scalar = self.whole_data = False
        self.parameters: tuple[str, ...] = ()
        self.constants: dict[str, Fraction] = {}
        self.variables, self.truths = frozenset[str](), set[str]()
        self.draws: list[ast.expr] = []
        self.longest = self.conditional = 0
        self.index: str | None = None
        self.answer: str | None = None

    def error(self, node: ast.AST, rule: str) -> LanguageError:
        """Return what to raise where a node breaks a rule."""
        where = Path(self.function.__code__.co_filename).name
        return LanguageError(where, self.line(node), rule)

    def line(self, node: ast.AST) -> int:
        """Return the line of a node."""
        return getattr(node, "lineno", self.first)  # type: ignore[no-any-return]

    def called(self, node: ast.expr) -> str:
        """Return which function of the language is called; empty for any other."""
        result, asked = source.known(self.names.meaning(node)), source.name_of(node)
        if result and asked in source.KNOWN and asked != result:
            raise self.error(node, f"{asked} is {result} when it runs")
        return result

    def constant(self, node: ast.Name) -> Any:
        """Return the number that a global name stands for, else ``None``."""
        value = self.names.meaning(node)
        if isinstance(value, int | float) and not source.is_written(node.id, value, self.module):
            rule = f"{node.id} is {value!r}, which its file does not say: make it a parameter"
            raise self.error(node, rule)
        return value

    @property
    def sites(self) -> int:
        """How many places that draw have been read."""
        return len(self.draws)

    @contextlib.contextmanager
    def inside(self, index: str | None, answer: str) -> Iterator[None]:
        """Read the body of a loop whose position is ``index`` and whose element is ``answer``."""
        before = self.index, self.answer
        self.index, self.answer = index, answer
        yield
        self.index, self.answer = before

    # Expressions. -----------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> ir.Expression:
        """Return an expression that is a number."""
        match node:
            case ast.Constant(value=bool(value)):
                return ONE if value else ZERO
            case ast.Constant(value=int(value) | float(value)):
                return self._folded(node, read_number, value)
            case ast.Name(name):
                return self._name(name, node)
            case ast.UnaryOp(ast.USub(), operand):
                return self._binary("*", ir.Constant(Fraction(-1)), self.expression(operand), node)
            case ast.UnaryOp(ast.UAdd(), operand):
                return self.expression(operand)
            case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
                first = self.expression(left)
                return self._binary(_OPERATORS[type(op)], first, self.expression(right), node)
            case ast.IfExp(test, body, orelse):
                condition = self.condition(test)
                with self._perhaps():
                    return ir.Choose(condition, self.expression(body), self.expression(orelse))
            case ast.Subscript(ast.Name(self.query), index):
                return self._answer(index, node)
            case ast.Subscript(ast.Name(self.levels), ast.Name(self.index)) if self.answer:
                return ir.Name(self.answer.replace("answer", "level"))
            case ast.Subscript(ast.Name(self.levels)) | ast.Name(self.levels):
                rule = f"{self.levels}, a list, is read by {self.levels}[i]"
                raise self.error(node, f"{rule} beside {self.query}[i], or by zip of both")
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left, ast.BitAnd() | ast.BitOr() | ast.BitXor() as op, right) if (
                is_truth(left, self.truths) and is_truth(right, self.truths)
            ):
                return self._of_truths(self.condition(left), op, self.condition(right))
            case ast.BoolOp() if not all(is_truth(item, self.truths) for item in _joined(node)):
                raise self.error(node, "and, or give one of their numbers: join comparisons")
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not(), _):
                return ir.Choose(self.condition(node), ONE, ZERO)
        kind = type(node).__name__
        text = {"JoinedStr": "an f-string", "ListComp": "such a list"}.get(kind, kind)
        raise self.error(
            node, f"{text} is not an expression of the language{_INSTEAD.get(kind, '')}"
        )

    def _folded(self, node: ast.AST, fold: Callable[..., Fraction], *of: Any) -> ir.Constant:
        try:
            return ir.Constant(fold(*of))
        except ir.UndecidedProgramError as error:
            raise self.error(node, str(error)) from None

    @contextlib.contextmanager
    def _perhaps(self) -> Iterator[None]:
        """Read what Python may skip: no loop can be written for it beforehand."""
        self.conditional += 1
        yield
        self.conditional -= 1

    def _of_truths(
        self, left: ir.Condition, op: ast.operator, right: ir.Condition
    ) -> ir.Expression:
        """Return ``&``, ``|`` or ``^``, which examine both sides."""
        both = ZERO if isinstance(op, ast.BitXor) else ONE
        one = ZERO if isinstance(op, ast.BitAnd) else ONE
        return ir.Choose(left, ir.Choose(right, both, one), ir.Choose(right, one, ZERO))

    def number(self, node: ast.expr) -> Fraction | None:
        """Return the number that an expression is before any run, or ``None``."""
        if isinstance(node, ast.Call):
            return None
        constant = self.expression(node)
        return constant.value if isinstance(constant, ir.Constant) else None

    def _name(self, name: str, node: ast.expr) -> ir.Expression:
        if name in self.constants:
            return ir.Constant(self.constants[name])
        if name in self.parameters or name in self.variables:
            return ir.Name(name)
        if name == self.query:
            if self.scalar:
                return ir.Name("answer 0")
            rule = f"{name} holds all answers, which are looped over or asked for by {name}[k]"
            raise self.error(node, f"{rule} and len; of one number only, write {name}: float")
        value = self.constant(ast.Name(name)) if isinstance(node, ast.Name) else None
        if isinstance(value, int | float):
            return self._folded(node, read_number, value)
        raise self.error(node, f"{name} is neither a variable nor a number that is known")

    def _answer(self, index: ast.expr, node: ast.expr) -> ir.Expression:
        if self.scalar:
            raise self.error(node, "the data is one number")
        if isinstance(index, ast.Name) and index.id == self.index and self.answer is not None:
            return ir.Name(self.answer)
        if isinstance(index, ast.Constant) and type(index.value) is int and index.value >= 0:
            self.longest = max(self.longest, index.value + 1)
            return ir.Name(f"answer at {index.value}")
        raise self.error(
            node, f"{self.query}[k] takes the loop's own position, or a number from 0 on"
        )

    def _binary(
        self, op: str, left: ir.Expression, right: ir.Expression, node: ast.AST
    ) -> ir.Expression:
        if isinstance(left, ir.Constant) and isinstance(right, ir.Constant):
            return self._folded(node, folded, op, left.value, right.value)
        return ir.Binary(op, left, right)  # type: ignore[arg-type]

    def _call(self, node: ast.Call) -> ir.Expression:
        called = self.called(node.func)
        if called in NOISE:
            return self._draw(node, called, self._only(node, "scale"))
        many = 0 if node.keywords else len(node.args)
        if called in ("argmax", "max", "min", "sum") and many == 1:
            return self._over(node, called)
        if called == "len" and many == 1 and self._is_query(node.args):
            return ir.Name(ir.LENGTH)
        if called in ("max", "min") and many == 2:
            return self._larger(node, called == "max")
        if called == "abs" and many == 1:
            return self._absolute(node)
        if called == "exp" and many == 1:
            return ir.Binary("exp", self.expression(node.args[0]), ZERO)
        if called == "integers":
            count = self.expression(self._only(node, "count"))
            if not isinstance(count, ir.Constant) or count.value not in range(1, 65):
                raise self.error(node, "integers takes a number from 1 to 64")
            self.draws.append(getattr(node, "written", node))
            return ir.Uniform(self.sites, int(count.value))
        if called == "bernoulli":
            return ir.Choose(self._coin(node), ONE, ZERO)
        if called in ("bool", "int") and many == 1 and is_truth(node.args[0], self.truths):
            return ir.Choose(self.condition(node.args[0]), ONE, ZERO)
        if called in ("float", "int"):
            raise self.error(node, "numbers are not converted: release the number itself")
        asked, instead = ast.unparse(node.func), _INSTEAD.get(source.name_of(node.func), _OTHER)
        raise self.error(node, f"{asked} is not a function of the language{instead}")

    def _draw(self, node: ast.Call, kind: str, scale: ast.expr) -> ir.Draw:
        before = self.sites
        value = self.expression(scale)
        if self.sites != before or ir.variables_in(value, self.parameters):
            raise self.error(node, "a scale depends on parameters and numbers alone")
        self._check_faithful(value, node)
        self.draws.append(getattr(node, "written", node))
        return ir.Draw(self.sites, kind, value)

    def _check_faithful(self, part: ir.Expression, node: ast.expr) -> None:
        if not is_faithful(part):
            rule = "floating point gives another scale, or chance, than real numbers"
            raise self.error(node, rule)

    def _only(self, node: ast.Call, keyword: str) -> ast.expr:
        nodes = [*node.args, *(k.value for k in node.keywords if k.arg == keyword)]
        if len(nodes) != 1 or len(node.args) + len(node.keywords) != 1:
            raise self.error(node, f"it takes one argument, {keyword}")
        return nodes[0]

    def _is_query(self, nodes: list[ast.expr]) -> bool:
        return len(nodes) == 1 and isinstance(nodes[0], ast.Name) and nodes[0].id == self.query

    def _over(self, node: ast.Call, of: str) -> ir.Expression:
        """Return what argmax, max, min or sum gives of one number for each answer."""
        raise NotImplementedError

    def _larger(self, node: ast.Call, most: bool) -> ir.Expression:
        a, b = (self.expression(v) for v in node.args)
        return ir.Choose(ir.Compare(">" if most else "<", b, a), b, a)

    def _absolute(self, node: ast.Call) -> ir.Expression:
        value = self.expression(node.args[0])
        less = ir.Binary("*", ir.Constant(Fraction(-1)), value)
        return ir.Choose(ir.Compare("<", value, ZERO), less, value)

    def _coin(self, node: ast.Call) -> ir.Coin:
        p = self.expression(self._only(node, "p"))
        if ir.variables_in(p, self.parameters):
            raise self.error(node, "a coin's probability depends on parameters and numbers alone")
        self._check_faithful(p, node)
        self.draws.append(node)
        return ir.Coin(self.sites, p)

    def loop_names(
        self, target: ast.expr, over: ast.expr, node: ast.AST
    ) -> tuple[str | None, str | None]:
        """Return the names of the element and the position of a loop over all queries."""
        if self._is_query([over]) and isinstance(target, ast.Name):
            return target.id, None
        if isinstance(over, ast.Call) and not over.keywords:
            called = self.called(over.func)
            if called == "enumerate" and self._is_query(over.args):
                match target:
                    case ast.Tuple(elts=[ast.Name(index), ast.Name(element)]) if index != element:
                        return element, index
            if called == "range" and len(over.args) == 1 and isinstance(target, ast.Name):
                inner = over.args[0]
                length = isinstance(inner, ast.Call) and self.called(inner.func) == "len"
                if isinstance(inner, ast.Call) and length and not inner.keywords:
                    if not self._is_query(inner.args):
                        raise self.error(node, f"the length is that of {self.query}")
                    return None, target.id
        query = self.query
        rule = f"a loop is over {query}, enumerate({query}) or range(len({query})); end it by break"
        raise self.error(node, f"{rule}; this one is over {ast.unparse(over)}")

    # Conditions. ------------------------------------------------------------------------------

    def condition(self, node: ast.expr) -> ir.Condition:
        """Return a condition."""
        match node:
            case ast.BoolOp(op, values):
                parts = [self.condition(values[0])]
                with self._perhaps():
                    parts += [self.condition(v) for v in values[1:]]
                whole = parts[-1]
                for part in reversed(parts[:-1]):
                    both = isinstance(op, ast.And)
                    whole = ir.Both(part, whole) if both else self.either(part, whole)
                return whole
            case ast.UnaryOp(ast.Not(), operand):
                return ir.Negation(self.condition(operand))
            case ast.Compare(left, [op], [right]) if type(op) in _COMPARISONS:
                first = self.expression(left)
                second = self.expression(right)
                return ir.Compare(_COMPARISONS[type(op)], first, second)  # type: ignore[arg-type]
            case ast.Constant(value=bool(value)):
                return ir.Compare("==", ZERO, ZERO if value else ONE)
            case ast.Call() if self.called(node.func) == "bernoulli":
                return self._coin(node)
            case ast.Name() | ast.BinOp() | ast.Call() if isinstance(node, ast.Name) or is_truth(
                node, self.truths
            ):
                return ir.Compare("!=", self.expression(node), ZERO)
            case ast.Compare(_, [ast.Is() | ast.IsNot()], [ast.Constant(bool())]):
                rule = "is compares objects, and NumPy has True and False of its own"
                raise self.error(node, f"{rule}: write {ast.unparse(node.left)}, or ==")
            case ast.Compare(_, [ast.Is() | ast.IsNot()]):
                rule = "is None compares no numbers: give a parameter a number as its default"
                raise self.error(node, f"{rule}, or none")
            case ast.Compare():
                raise self.error(node, "one comparison at a time, of numbers")
        raise self.error(node, f"{ast.unparse(node)} is not a condition of the language")

    def either(self, left: ir.Condition, right: ir.Condition) -> ir.Condition:
        """Return left or right."""
        return ir.Negation(ir.Both(ir.Negation(left), ir.Negation(right)))


def _joined(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what ``and`` and ``or`` join."""
    for item in ast.walk(node):
        yield from item.values if isinstance(item, ast.BoolOp) else ()


def is_truth(node: ast.AST, truths: Collection[str]) -> bool:
    """Tell whether an expression is True or False whatever happens; truths: names that are."""
    match node:
        case ast.Name(name):
            return name in truths
        case ast.Constant(value):
            return isinstance(value, bool)
        case ast.Compare() | ast.UnaryOp(ast.Not(), _):
            return True
        case ast.BoolOp(_, values):
            return all(is_truth(item, truths) for item in values)
        case ast.IfExp(_, one, other):
            return is_truth(one, truths) and is_truth(other, truths)
        case ast.BinOp(one, ast.BitAnd() | ast.BitOr() | ast.BitXor(), other):
            return is_truth(one, truths) and is_truth(other, truths)
        case ast.Call(ast.Name("the bernoulli" | "bernoulli" | "bool")):
            return True
    return False


def truths_in(node: ast.AST) -> set[str]:
    """Return the variables that are True or False whatever happens: a greatest fixed point."""
    nodes = list(ast.walk(node))
    given: dict[str, list[ast.expr]] = {}
    for item in nodes:
        match item:
            case ast.Assign([ast.Name(name)], value):
                given.setdefault(name, []).append(value)
    stored = [n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    result = {name for name, values in given.items() if stored.count(name) == len(values)}
    while result != (less := {n for n in result if all(is_truth(v, result) for v in given[n])}):
        result = less
    return result
