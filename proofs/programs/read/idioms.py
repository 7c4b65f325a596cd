"""Writes what is common in Python in the forms that ``forms`` reads.

These are variables that begin as ``None`` or infinite or that hold texts, comparisons in a row, and
parameters that are assigned to. What is trusted here: what is written instead gives the same
outputs with the same probabilities.
"""

import ast
import copy
import enum
import math
import operator
from typing import Any

import numpy as np

from . import source
from .forms import Names, placed, put, read_of, set_to

_COMPARED = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq"}
_LEAST = {"max": -math.inf, "min": math.inf}
"""Where the largest and the least of several numbers begin."""

_FUNCTIONS = {f.__name__: f for f in (max, range, len, enumerate, operator.itemgetter)}
_LARGEST = [
    ast.parse(text, mode="eval").body
    for text in (
        "a.index(max(a))",
        "max(range(len(a)), key=lambda i: a[i])",
        "max(range(len(q)), key=lambda i: a[i])",
        "max(range(len(a)), key=a.__getitem__)",
        "max(range(len(q)), key=a.__getitem__)",
        "max(enumerate(a), key=lambda pair: pair[1])[0]",
        "max(enumerate(a), key=itemgetter(1))[0]",
    )
]
"""How people ask where the first largest number of an array stands; q: the data."""


def _has_number(name: str, *, has: bool = True) -> ast.expr:
    op = ast.GtE() if has else ast.LtE()
    return ast.Compare(read_of(f"whether {name} has a number"), [op], [ast.Constant(int(has))])


class Idioms(ast.NodeTransformer):
    """Rewrites the definition of one function.

    begins: what variables that may have no number yet are then. unset: names without a value, which
    stand where such a variable must have a number.
    """

    def __init__(self, names: Names, error: source.Complain) -> None:
        self.meaning, self.error = names.meaning, error
        self.kept = set(names.made)
        self.begins: dict[str, float | None] = {}
        self.unset: set[str] = set()
        self.texts: dict[str, list[Any]] = {}

    def rewritten(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Return the definition in fewer forms."""
        self.node = node
        for parameter in (*node.args.args, *node.args.kwonlyargs):
            if parameter.arg not in self.kept:
                self._rename(parameter, scalar=source.annotation_of(parameter) in ("float", "int"))
        for each in ast.walk(self.node):
            match each:
                case ast.Assign([ast.Name(name)], value) if name not in self.kept:
                    kind = self._no_number(value)
                    if kind != 0 and self.begins.setdefault(name, kind) != kind:
                        raise self.error(each, f"{name} begins as two things: take one")
        self._position()
        self._number_texts()
        self.generic_visit(whole := ast.Module(self.node.body, []))
        self.node.body = whole.body
        return ast.fix_missing_locations(self.node)

    def _rename(self, parameter: ast.arg, *, scalar: bool) -> None:
        """Give a parameter that is assigned to another name from there on."""
        name, later, body = parameter.arg, f"the {parameter.arg} now", self.node.body
        places = [n for n in ast.walk(self.node) if source.stores(n, name)]
        if not places:
            return
        at = next(k for k, s in enumerate(body) if any(n in places for n in ast.walk(s)))
        match body[at]:
            case ast.Assign(targets=[ast.Name() as target]) if places == [target]:
                target.id, at = later, at + 1
            case _ if parameter.arg == self.node.args.args[0].arg and not scalar:
                raise self.error(
                    places[0], f"{name} holds the data, and is assigned to: take another"
                )
            case _:
                body.insert(at, placed(set_to(later, read_of(name)), body[at]))
                at += 1
        for part in (n for s in body[at:] for n in ast.walk(s)):
            if isinstance(part, ast.Name) and part.id == name:
                part.id = later

    def _position(self) -> None:
        """Write None as −1 in a variable that else is a position, and is all that comes out."""
        nodes, last = list(ast.walk(self.node)), self.node.body[-1]
        name = source.name_of(last.value) if isinstance(last, ast.Return) and last.value else ""
        outputs = [n for n in nodes if isinstance(n, ast.Return | ast.Expr)]
        outputs = [n for n in outputs if not isinstance(n.value, ast.Constant)]
        if outputs != [last] or self.begins.get(name, 0) is not None:
            return
        loops = [n for n in nodes if isinstance(n, ast.For) and isinstance(n.iter, ast.Call)]
        of = {range: lambda t: t, enumerate: lambda t: getattr(t, "elts", [t])[0]}
        over = [(n.target, self.meaning(n.iter.func)) for n in loops]  # type: ignore[attr-defined]
        result = [source.name_of(of[f](target)) for target, f in over if f in of]
        places = {p for p in result if sum(source.stores(n, p) for n in nodes) == result.count(p)}
        given: list[ast.expr] = []
        compared: list[ast.Compare] = []
        for one in nodes:
            match one:
                case ast.Assign([ast.Name() as target], value) if target.id == name:
                    given.append(value)
                case ast.Compare(ast.Name() as left, [_], [ast.Constant(None)]) if left.id == name:
                    compared.append(one)
        none = [v for v in given if isinstance(v, ast.Constant) and v.value is None]
        stored = sum(source.stores(n, name) for n in nodes)
        read = sum(isinstance(n, ast.Name) and n.id == name for n in nodes) - stored
        apart = all(v in none or source.name_of(v) in places for v in given)
        if apart and stored == len(given) and read == len(compared) + 1:
            del self.begins[name]
            for one in (*none, *(c.comparators[0] for c in compared)):
                one.value = -1  # type: ignore[attr-defined]
            for two in compared:
                equal = isinstance(two.ops[0], ast.Is | ast.Eq)
                two.ops = [ast.Eq() if equal else ast.NotEq()]

    def _number_texts(self) -> None:
        """Write numbers for texts where a variable is given texts alone, compared and put out."""
        nodes, texts = list(ast.walk(self.node)), dict[str, list[ast.Constant]]()
        given, named = set[str](), list[str]()
        for node in nodes:
            match node:
                case ast.Assign([ast.Name(name)], value):
                    sides = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                    given.add(name)
                case ast.Compare(ast.Name(name), [ast.Eq() | ast.NotEq()], [value]):
                    sides = [value]
                case ast.Return(ast.Name(name)) | ast.Expr(ast.Call(_, [ast.Name(name)], [])):
                    sides = []
                case _:
                    continue
            kept = [s for s in sides if isinstance(s, ast.Constant)]
            kept = [s for s in kept if isinstance(s.value, str | enum.Enum)]
            if len(kept) == len(sides):
                texts.setdefault(name, []).extend(kept)
                named.append(name)
        elsewhere = [getattr(n, "id", getattr(n, "arg", "")) for n in nodes]
        elsewhere += [n for s in nodes for n in getattr(s, "names", [])]
        for name in given & {name for name, constants in texts.items() if constants}:
            if named.count(name) == elsewhere.count(name):
                words = list(dict.fromkeys(each.value for each in texts[name]))
                self.texts[name] = words
                for each in texts[name]:
                    each.value = words.index(each.value)

    def _no_number(self, node: ast.expr) -> float | None:
        """Return what a value without a number is: ``None`` or infinite; else 0."""
        match node:
            case ast.Constant(None):
                return None
            case ast.Call(func, [ast.Constant(str(text))], []) if self.meaning(func) is float:
                return float(text) if text.strip("+-") in ("inf", "infinity") else 0
            case ast.UnaryOp(ast.USub(), operand):
                return -(self._no_number(operand) or 0)
        value = self.meaning(node)
        return value if isinstance(value, float) and math.isinf(value) else 0

    # Statements. ------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Assign whether a variable has a number, too."""
        match node:
            case ast.Assign([ast.Name(name) as kept], ast.Call(func, [one, two], [])) if (
                self.begins.get(name) == _LEAST.get(source.known(self.meaning(func)), 0)
                and name in (source.name_of(one), source.name_of(two))
            ):
                # The larger one of −∞ and a number is that number.
                beside = f"number beside {name}"
                op = ast.Gt() if source.known(self.meaning(func)) == "max" else ast.Lt()
                test = ast.Compare(read_of(beside), [op], [read_of(name)])
                larger = ast.If(test, [ast.Assign([kept], read_of(beside))], [])
                number = self.visit(two if source.name_of(one) == name else one)
                return [placed(set_to(beside, number), node), self.visit(placed(larger, node))]
            case ast.Assign([ast.Name(name)], value) if name in self.begins:
                none = self._no_number(value) != 0
                number = ast.Constant(0) if none else self.visit(value)
                has = ast.Constant(int(not none))
                both = set_to(name, number), set_to(f"whether {name} has a number", has)
                return [placed(statement, node) for statement in both]
            case ast.Assign([ast.Tuple([ast.Name() as place, ast.Name(rest)])], value):
                # The place of the largest number, and that number, which nothing reads.
                named = source.named(self.node, rest)
                asked = placed(ast.Subscript(value, ast.Constant(0), ast.Load()), node)
                first = self._place_of_largest(asked)
                if first is not None and all(isinstance(n.ctx, ast.Store) for n in named):
                    return placed(ast.Assign([place], first), node)
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        """Return a variable that may have no number yet."""
        return self._apart(node, [node.value])

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Output a variable that may have no number yet."""
        return self._apart(node, getattr(node.value, "args", []))

    def _apart(self, node: ast.stmt, shown: list[Any]) -> Any:
        """Write what comes out of each text, or where it has a number and where it has none yet."""
        if len(shown) == 1 and (words := self.texts.get(source.name_of(shown[0] or node))):
            name, result = source.name_of(shown[0]), list[ast.stmt]()
            for k, word in reversed([*enumerate(words)]):
                side = [put(node, {name: ast.Constant(word)}, node)]
                test = ast.Compare(read_of(name), [ast.Eq()], [ast.Constant(k)])
                result = [placed(ast.If(test, side, result), node)] if result else side
            return result
        for item in (part for value in shown for part in getattr(value, "elts", [value])):
            name = source.name_of(item)
            if isinstance(item, ast.Name) and name in self.begins and not hasattr(item, "known"):
                none, known = (
                    ast.Constant(self.begins[name] and str(self.begins[name])),
                    read_of(name),
                )
                known.known = True  # type: ignore[attr-defined]
                sides = [[self.visit(put(node, {name: by}, node))] for by in (known, none)]
                return placed(ast.If(_has_number(name), *sides), node)
        return self.generic_visit(node)

    # Expressions. -----------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> Any:
        """Read what may have no number yet where it has one; elsewhere it has no value."""
        if node.id not in self.begins or hasattr(node, "known") or type(node.ctx) is ast.Store:
            return node
        hidden = f"{node.id}, {self.begins[node.id]} at first,"
        self.unset.add(hidden)
        return placed(ast.IfExp(_has_number(node.id), node, read_of(hidden)), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Write comparisons in a row one by one, and those of what may have no number yet."""
        sides = [node.left, *node.comparators]
        if len(sides) > 2:
            if any(isinstance(n, ast.Call) for s in sides[1:-1] for n in ast.walk(s)):
                raise self.error(node, "give what stands between two comparisons a name first")
            each = zip(sides, node.ops, sides[1:], strict=False)
            parts = [ast.Compare(a, [op], [copy.deepcopy(b)]) for a, op, b in each]
            return self.visit(placed(ast.BoolOp(ast.And(), list(parts)), node))
        name, op, none = (
            source.name_of(sides[0]),
            node.ops[0],
            getattr(sides[1], "value", 0) is None,
        )
        if none and name in self.begins and not isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            return placed(_has_number(name, has=isinstance(op, ast.IsNot | ast.NotEq)), node)
        for k, infinite in ((k, self.begins.get(source.name_of(s))) for k, s in enumerate(sides)):
            if infinite and type(op) in _COMPARED:
                pair = [infinite, 0.0] if k == 0 else [0.0, infinite]
                holds = getattr(operator, _COMPARED[type(op)])(*pair)
                name, sides[1 - k] = source.name_of(sides[k]), self.visit(sides[1 - k])
                beside = placed(ast.Compare(sides[0], [op], [sides[1]]), node)
                joined = ast.Or() if holds else ast.And()
                return placed(ast.BoolOp(joined, [_has_number(name, has=not holds), beside]), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        """Write the place of a maximum, and ``clip``."""
        if self.meaning(node.func) is np.clip and len(node.args) == 3 and not node.keywords:
            value, low, high = map(self.visit, node.args)
            return self._own("min", [self._own("max", [value, low], node), high], node)
        return self._place_of_largest(node) or self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Write the place of a maximum."""
        return self._place_of_largest(node) or self.generic_visit(node)

    def _own(self, name: str, args: list[ast.expr], node: ast.AST) -> ast.expr:
        return placed(ast.Call(read_of(f"the {name}"), args, []), node)

    def _place_of_largest(self, node: ast.expr) -> ast.expr | None:
        """Return where an array's first largest number stands, if that is asked for."""
        for pattern in _LARGEST:
            names = {"q": self.node.args.args[0].arg}
            if self._has_form(pattern, node, names) and names["a"] != names.get("i"):
                return self._own("argmax", [read_of(names["a"])], node)
        return None

    def _has_form(self, pattern: Any, node: Any, names: dict[str, str]) -> bool:
        """Tell whether code has a form; names: what its variables are called there."""
        match pattern:
            case ast.Name(name) if name in _FUNCTIONS:
                return self.meaning(node) is _FUNCTIONS[name]
            case ast.Name(name) | ast.arg(name):
                found = getattr(node, "id", getattr(node, "arg", ""))
                return type(node) is type(pattern) and names.setdefault(name, found) == found
            case ast.AST():
                parts = ((getattr(pattern, f, None), getattr(node, f, None)) for f in node._fields)
                return type(node) is type(pattern) and all(
                    self._has_form(part, beside, names) for part, beside in parts
                )
            case list():
                pairs = zip(pattern, node, strict=False)
                return len(pattern) == len(node) and all(
                    self._has_form(part, beside, names) for part, beside in pairs
                )
        return bool(pattern == node)
