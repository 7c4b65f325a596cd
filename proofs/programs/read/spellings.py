"""Writes what Python can say in many ways in one of them, before ``idioms`` and ``forms`` read it.

These are calls of helper functions with several returns, of functions inside the function and of
lambdas, loops by ``while`` and from another number than 0, ``match``, ``:=``, ``any``, ``all`` and
``next`` over the answers, ``yield``, members of enumerations, and lists whose length is asked for.
What is trusted here: what is written instead gives the same outputs with the same probabilities.
Draws are independent, so that it does not matter which of those in one statement is made first.
"""

import ast
import copy
import dataclasses
import enum
import inspect
import itertools
import types
from collections.abc import Collection
from typing import Any

import numpy as np

from . import source
from .forms import Names, placed, put, read_of, set_to
from .lists import rewrite_lists
from .windows import over_all

_PLAIN = ("exp", "max", "min", "abs", "float")
_OWN_LIFE = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_NOT_INLINED: tuple[type[ast.AST], ...] = (
    *(ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom),
    *(ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Raise, ast.Assert),
)
_MOST_STATEMENTS = 500
_ONE_NUMBER = "float", "int"
_SOUGHT = (any, all, next)
_ENUMS = (enum.Enum, enum.IntEnum, enum.StrEnum)


def _and(op: ast.boolop, parts: list[ast.expr]) -> ast.expr:
    return parts[0] if len(parts) == 1 else ast.BoolOp(op, parts)


class _Renamed(ast.NodeTransformer):
    """Puts expressions for names; what is assigned to has the name of another."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.given.get(node.id, node)
        return (
            ast.Name(source.name_of(value), node.ctx)
            if source.stores(node, node.id)
            else (copy.deepcopy(value))
        )


class _WhetherAny(ast.NodeTransformer):
    """Writes ``if q`` and ``not q``, of a list, by how many answers there are."""

    def __init__(self, query: str) -> None:
        self.query, self.found = query, False

    def _asked(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            node.values = [self._asked(item) for item in node.values]
        if source.name_of(node) != self.query:
            return node
        self.found = True
        length = ast.Call(read_of("len"), [node], [])
        return placed(ast.Compare(length, [ast.Gt()], [ast.Constant(0)]), node)

    def generic_visit(self, node: Any) -> Any:
        if isinstance(node, ast.If | ast.IfExp):
            node.test = self._asked(node.test)
        return super().generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            node.operand = self._asked(node.operand)
        return self.generic_visit(node)


class Spellings:
    """Rewrites the definition of one function.

    own: functions that are made inside it, by name; inside: helpers that are being written out.
    levels: the parameter that is a list of public numbers, one beside each answer; of_list: whether
    the data are a list for sure, as ``if q`` asks an array for its number. lists: those that are
    returned side by side.
    """

    def __init__(
        self, function: Any, names: Names, module: ast.Module, error: source.Complain
    ) -> None:
        self.function, self.names, self.module, self.error = function, names, module, error
        self.own: dict[str, ast.FunctionDef | ast.Lambda] = {}
        self.inside: list[Any] = [function]
        self.numbers = itertools.count(1)
        self.levels, self.of_list, self.lists = "", False, tuple[str, ...]()

    def rewritten(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Return the definition in fewer forms."""
        self.node = node = copy.deepcopy(node)
        self.query = node.args.args[0].arg
        nodes = list(ast.walk(node))
        self.stored = source.assigned_in(node) | {a.arg for a in nodes if isinstance(a, ast.arg)}
        made = [o for o in nodes if isinstance(o, ast.FunctionDef) and o is not node]
        self.stored |= {definition.name for definition in made}
        self.names.own |= self.stored
        aliases = [item for item in nodes if isinstance(item, ast.alias)]
        self.stored |= {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
        several = source.annotation_of(node.args.args[0]) not in _ONE_NUMBER
        node.body = self._plain(node.body, data=self.query if several else "")
        if several:
            asked = _WhetherAny(self.query)
            node, self.of_list = asked.visit(node), asked.found
            if asked.found and "array" in source.annotation_of(node.args.args[0]).lower():
                rule = f"if {self.query} asks an array for its only number"
                raise self.error(node, f"{rule}: write len({self.query}) > 0")
        self._find_levels(node)
        if several:
            self._keep_last(node)
        self._keep_functions(made)
        for k, part in enumerate(node.body):
            match part:
                case ast.If(test, [ast.Raise()], []):
                    # Parameters are refused by an exception: an assertion of them.
                    node.body[k] = placed(ast.Assert(_not(test)), part)
        if any(isinstance(item, ast.Yield | ast.YieldFrom) for item in nodes):
            self._check_yields(nodes)
        node.body = self._block(node.body) or [ast.Pass()]
        self.lists = rewrite_lists(node, self.names)
        return ast.fix_missing_locations(node)

    def _new(self, what: str) -> str:
        """Return a name of no user, and of no symbol: those begin with words such as ``answer``."""
        return f"its {what} {next(self.numbers)}"

    def _plain(
        self, body: list[ast.stmt], own: Collection[str] = (), data: str = ""
    ) -> list[ast.stmt]:
        """Return statements in fewer forms; own: the names of a helper; data: that of a list."""
        names = dataclasses.replace(self.names, own=self.names.own | {*own})
        reader = _Plain(names, self.module, self.error, data)
        return reader.visit(ast.Module(body, [])).body  # type: ignore[no-any-return]

    # The whole function. ----------------------------------------------------------------------

    def _keep_functions(self, made: list[ast.FunctionDef]) -> None:
        """Keep functions that are made inside, once and for all."""
        for part in self.node.body:
            match part:
                case ast.FunctionDef(name=name) if not part.decorator_list:
                    self.own[name] = part
                case ast.Assign([ast.Name(name)], ast.Lambda() as function):
                    self.own[name] = function
        for name, item in [*self.own.items()]:
            stores = [n for n in ast.walk(self.node) if source.stores(n, name)]
            count = len(stores) + sum(o.name == name for o in made)
            if count != 1 or name in (a.arg for a in ast.walk(self.node) if isinstance(a, ast.arg)):
                raise self.error(item, f"{name} is made once: rename the other")
            arguments = [a for a in ast.walk(item.args) if isinstance(a, ast.arg)]
            said = [*item.args.defaults, *item.args.kw_defaults, getattr(item, "returns", None)]
            said += [a.annotation for a in arguments]
            for each in (n for o in said if o is not None for n in ast.walk(o)):
                if isinstance(each, ast.Call | ast.NamedExpr | ast.Yield | ast.YieldFrom):
                    raise self.error(each, f"defaults of {name} are numbers")
            inner = {n.id for n in ast.walk(item) if isinstance(n, ast.Name)}
            own = [n.target for n in ast.walk(self.node) if isinstance(n, ast.comprehension)]
            outer = inner - {a.arg for a in arguments}
            for target in (n for o in own for n in ast.walk(o) if isinstance(n, ast.Name)):
                if target.id in outer:
                    rule = f"{name} reads {target.id}, which is not that of this list: rename it"
                    raise self.error(target, rule)
            for walrus in (n for n in ast.walk(self.node) if isinstance(n, ast.NamedExpr)):
                if walrus.target.id in inner and walrus not in ast.walk(item):
                    rule = "assign to it in a line of its own"
                    raise self.error(walrus, f"{name} reads {walrus.target.id}: {rule}")
        keep = [*self.own.values()]
        self.node.body = [o for o in self.node.body if getattr(o, "value", o) not in keep]

    def _find_levels(self, node: ast.FunctionDef) -> None:
        """Find the list beside the answers; read ``zip`` with it by position, as ``levels[i]``."""
        own = {a.arg for a in (*node.args.args, *node.args.kwonlyargs)} - source.assigned_in(node)
        for loop in (n for n in ast.walk(node) if isinstance(n, ast.For)):
            i, target, over = self._new("place"), loop.target, loop.iter
            match target, over:
                case ast.Tuple([ast.Name(at), rest]), ast.Call(func, [inner], []) if (
                    self.names.meaning(func) is enumerate
                ):
                    i, target, over = at, rest, inner
            match target, over:
                case ast.Tuple([one, two]), ast.Call(func, [ast.Name(a), ast.Name(b)]) if (
                    self.names.meaning(func) is zip
                    and own >= {a, b}
                    and (a == self.query) != (b == self.query)
                ):
                    one, two, other = (one, two, b) if a == self.query else (two, one, a)
                    level = ast.Subscript(read_of(other), read_of(i), ast.Load())
                    loop.body.insert(0, placed(ast.Assign([two], level), loop))
                    loop.target = ast.Tuple([ast.Name(i, ast.Store()), one], ast.Store())
                    loop.iter = ast.Call(read_of("enumerate"), [read_of(self.query)], [])
                    ast.fix_missing_locations(loop)
        for item in (n for n in ast.walk(node) if isinstance(n, ast.Subscript)):
            name = source.name_of(item.value)
            if name in own - {self.query}:
                if self.levels not in ("", name):
                    rule = f"{self.levels} is a list beside {self.query}: take one"
                    raise self.error(item, rule)
                self.levels = name

    def _keep_last(self, node: ast.FunctionDef) -> None:
        """Read ``q[-1]`` as what a loop over the answers, before all else, kept of them."""
        asked, name, each = ("-1", f"len({self.query}) - 1"), self._new("last"), self._new("answer")
        # A function inside may call something else by the same name.
        named = {n for f in ast.walk(node) if self._has_own_query(f, node) for n in ast.walk(f)}
        read = [
            n
            for n in ast.walk(node)
            if isinstance(n, ast.Subscript)
            and n not in named
            and isinstance(n.ctx, ast.Load)
            and source.name_of(n.value) == self.query
            and ast.unparse(n.slice) in asked
        ]
        for item in read:
            item.__class__, item.id = ast.Name, name  # type: ignore[assignment, attr-defined]
        if read:
            first = ast.Subscript(read_of(self.query), ast.Constant(0), ast.Load())
            kept = set_to(name, read_of(each))
            loop = ast.For(ast.Name(each, ast.Store()), read_of(self.query), [kept], [])
            top = (ast.Assert, ast.Expr, ast.FunctionDef)
            at = next((k for k, s in enumerate(node.body) if not isinstance(s, top)), 0)
            node.body[at:at] = [placed(made, read[0]) for made in (set_to(name, first), loop)]

    def _has_own_query(self, inner: ast.AST, outer: ast.FunctionDef) -> bool:
        if inner is outer or not isinstance(inner, ast.FunctionDef | ast.Lambda):
            return False
        return any(isinstance(a, ast.arg) and a.arg == self.query for a in ast.walk(inner.args))

    def _check_yields(self, nodes: list[ast.AST]) -> None:
        for node in nodes:
            match node:
                case ast.YieldFrom():
                    raise self.error(node, "yield from is not in the language: yield one by one")
                case ast.Return(value) if value is not None:
                    raise self.error(node, "a function that yields returns nothing: yield it")
                case ast.Call(func) if source.known(self.names.meaning(func)) == "output":
                    raise self.error(node, "use output() or yield, not both")

    # Statements. ------------------------------------------------------------------------------

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for k, item in enumerate(body):
            made: list[ast.stmt] = [item]
            if isinstance(item, ast.For):
                made = over_all(self._numbered(item, body[:k]), self.query, self.names, self._new)
            elif isinstance(item, ast.While):
                made = [self._while(item, body[:k])]
            for each in made:
                result += [placed(written, item) for written in self._statement(each)]
        return result

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what is written for a statement."""
        self._check_walrus(node)
        before: list[ast.stmt] = []
        match node:
            case ast.Expr(ast.Yield(value)):
                told = ast.Call(read_of("the output"), [value or ast.Constant(None)], [])
                return self._statement(placed(ast.Expr(placed(told, node)), node))
            case ast.Match():
                return self._block([*before, *self._match(node)])
            case ast.Expr(ast.Call() as call) if self._helper(call) is not None:
                value = self._written_out(call, before, "statement")
                # What it returns is left out where nothing happens in it.
                if value is None or self._is_pure(value):
                    return before
                return [*before, placed(ast.Expr(value), node)]
            case ast.Return(ast.Call() as call) if self._helper(call) is not None:
                value = self._written_out(call, before, "return")
                more = [] if value is None else self._statement(_return(value, node))
                return [*before, *more]
            case ast.Return(ast.IfExp(test, body, orelse)) if _has_text(body) or _has_text(orelse):
                one, other = [_return(body, node)], [_return(orelse, node)]
                return self._statement(placed(ast.If(test, one, other), node))
            case ast.Expr(ast.Call(_, [ast.IfExp(test, body, orelse)], []) as call) if _has_text(
                body
            ) or _has_text(orelse):
                one, other = ([self._with(call, side)] for side in (body, orelse))
                return self._statement(placed(ast.If(test, one, other), node))
            case ast.If():
                node.test = self._lift(node.test, before)
                node.body, node.orelse = self._block(node.body), self._block(node.orelse)
                return [*before, node]
            case ast.For():
                node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        match node:
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return():
                if node.value is not None:
                    node.value = self._lift(node.value, before)
            case ast.For():
                node.iter = self._lift(node.iter, before)
        return [*before, node]

    def _with(self, call: ast.Call, value: ast.expr) -> ast.stmt:
        made = ast.Call(copy.deepcopy(call.func), [value], [])
        return placed(ast.Expr(placed(made, call)), call)

    def _check_walrus(self, node: ast.stmt) -> None:
        """See to it that nothing that a statement names is read in it earlier."""
        own = [node] if not isinstance(node, ast.If | ast.For | ast.While) else []
        parts = own or [getattr(node, "test", getattr(node, "iter", node))]
        nodes = [item for part in parts for item in ast.walk(part)]
        for walrus in (n for n in nodes if isinstance(n, ast.NamedExpr)):
            for other in (o for part in parts for o in source.named(part, walrus.target.id)):
                if (other.lineno, other.col_offset) < (walrus.lineno, walrus.col_offset):
                    raise self.error(
                        walrus, f"{walrus.target.id} is read before := gives it a value"
                    )

    def _match(self, node: ast.Match) -> list[ast.stmt]:
        """Return cases as ``if``, one after the other."""
        name, first = source.name_of(node.subject), []
        guards = [n for case in node.cases if case.guard for n in ast.walk(case.guard)]
        kept = isinstance(node.subject, ast.Name)
        if not kept or any(source.stores(n, name) for n in guards):
            name = self._new("subject")
            first = [set_to(name, node.subject)]
        result: list[ast.stmt] = []
        for case in reversed(node.cases):
            parts = [test for test in (self._pattern(case.pattern, name), case.guard) if test]
            result = [ast.If(_and(ast.And(), parts), case.body, result)] if parts else case.body
        return [placed(statement, node) for statement in (*first, *result)]

    def _pattern(self, node: ast.pattern, name: str) -> ast.expr | None:
        """Return when a pattern matches; ``None`` where it always does."""
        match node:
            case ast.MatchAs(None, None):
                return None
            case ast.MatchValue(value):
                return placed(ast.Compare(read_of(name), [ast.Eq()], [value]), node)
            case ast.MatchSingleton(None):
                return placed(ast.Compare(read_of(name), [ast.Is()], [ast.Constant(None)]), node)
            case ast.MatchOr(patterns):
                parts = [self._pattern(pattern, name) for pattern in patterns]
                if None not in parts:
                    return placed(ast.BoolOp(ast.Or(), parts), node)  # type: ignore[arg-type]
        raise self.error(node, "case takes numbers, texts, | and _: write if and elif")

    # Loops. -----------------------------------------------------------------------------------

    def _numbered(self, node: ast.For, earlier: list[ast.stmt]) -> ast.For:
        """Give a loop over answers that counts its steps, by ``i += 1`` in each, its position."""
        plain = source.name_of(node.iter) == self.query and isinstance(node.target, ast.Name)
        for k, step in enumerate(node.body if plain else ()):
            i = source.name_of(getattr(step, "targets", [step])[0])
            if ast.unparse(step) != f"{i} = {i} + 1":
                continue
            starts = [getattr(value, "value", None) for value in _given(earlier, i)]
            starts = [start for start in starts if type(start) is int]
            stored = sum(source.stores(n, i) for n in ast.walk(self.node))
            if stored == 2 and len(starts) == 1 and not _skips(node.body[:k]):
                every = ast.Call(read_of("enumerate"), [node.iter, ast.Constant(starts[0])], [])
                target = ast.Tuple([ast.Name(i, ast.Store()), node.target], ast.Store())
                return placed(ast.For(target, every, node.body, node.orelse), node)
        return node

    def _while(self, node: ast.While, earlier: list[ast.stmt]) -> ast.For:
        """Write a loop over positions by ``for``, after which the position is their number."""
        joined = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
        tests: list[ast.expr] = node.test.values if joined else [node.test]  # type: ignore[attr-defined]
        body, end = node.body, list[ast.stmt]()
        refused = self.error(
            node, f"while is not in the language: write for i in range(len({self.query}))"
        )
        if ast.unparse(node.test) in ("True", "1"):
            match body[0]:
                case ast.If(ast.Compare(left, [ast.GtE() | ast.Eq() as ends], right), end, []) if (
                    isinstance(end[-1], ast.Break | ast.Return)
                ):
                    goes_on = ast.Lt() if isinstance(ends, ast.GtE) else ast.NotEq()
                    tests, body = [ast.Compare(left, [goes_on], right)], body[1:]
                    end = end[:-1] if isinstance(end[-1], ast.Break) else end
        else:
            end = node.orelse
        if any(isinstance(n, ast.Break | ast.Continue) for s in end for n in ast.walk(s)):
            raise refused
        result: list[tuple[int, str, ast.expr]] = []
        for k, test in enumerate(tests):
            match test:
                case ast.Compare(ast.Name(name), [ast.Lt() | ast.NotEq() as op], [end_of]):
                    if isinstance(op, ast.Lt) or self._is_length(end_of):
                        result.append((k, name, end_of))
        result.sort(key=lambda item: not self._is_length(item[2]))
        if not result:
            raise refused
        k, i, bound = result[0]
        acts = (ast.Call, ast.Subscript, ast.NamedExpr)
        if any(isinstance(n, acts) for t in tests[:k] for n in ast.walk(t)):
            raise refused
        stored = sum(source.stores(n, i) for n in ast.walk(self.node)) - len(
            [n for n in ast.walk(node) if source.stores(n, i)]
        )
        starts = [v for v in _given(earlier, i) if ast.dump(v) == ast.dump(ast.Constant(0))]
        place = self._new(f"place of {i}")
        if stored != 1 or len(starts) != 1:
            raise refused
        rest = [placed(_not(item), item) for item in (*tests[:k], *tests[k + 1 :])]
        last = [*end, ast.Break()]
        stops = [placed(ast.If(item, copy.deepcopy(last), []), node) for item in rest]
        walked = _Steps(i, place, refused)
        if walked.through([*stops, *body], {0}) - {1}:
            raise refused
        made = [placed(set_to(i, read_of(place)), node), *stops, *body]
        over = ast.Call(read_of("range"), [copy.deepcopy(bound)], [])
        loop = ast.For(ast.Name(place, ast.Store()), over, made, [set_to(i, bound), *end])
        return placed(loop, node)

    def _is_length(self, node: ast.expr) -> bool:
        """Tell whether it is the number of answers."""
        match node:
            case ast.Call(func, [ast.Name(self.query)], []):
                return self.names.meaning(func) is len
            case ast.Name(name):
                nodes = list(ast.walk(self.node))
                given = [
                    item.value
                    for item in nodes
                    if isinstance(item, ast.Assign)
                    and len(item.targets) == 1
                    and source.stores(item.targets[0], name)
                ]
                once = sum(source.stores(n, name) for n in nodes) == len(given) == 1
                return once and not isinstance(given[0], ast.Name) and self._is_length(given[0])
        return False

    # Expressions that are written before their statement. --------------------------------------

    def _is_said_before(self, node: ast.AST) -> bool:
        if isinstance(node, ast.NamedExpr):
            return True
        if not isinstance(node, ast.Call):
            return False
        function = self.names.meaning(node.func)
        sought = any(function is item for item in _SOUGHT)
        sought = (
            sought and bool(node.args) and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp)
        )
        return sought or function is np.sign or self._helper(node) is not None

    def _lift(self, node: ast.expr, before: list[ast.stmt]) -> ast.expr:
        """Return an expression, after what must be written before it."""
        if not any(map(self._is_said_before, ast.walk(node))):
            return node
        match node:
            case ast.BoolOp(op, [first, *more]):
                first = self._lift(first, before)
                if not any(self._is_said_before(n) for item in more for n in ast.walk(item)):
                    return placed(ast.BoolOp(op, [first, *more]), node)
                name = self._new("so far")
                before.append(placed(set_to(name, first), node))
                for element in more:
                    inner: list[ast.stmt] = []
                    value = self._lift(element, inner)
                    test = read_of(name) if isinstance(op, ast.And) else _not(read_of(name))
                    inner.append(placed(set_to(name, value), node))
                    before.append(placed(ast.If(test, inner, []), node))
                return placed(read_of(name), node)
            case ast.IfExp(test, body, orelse):
                name = self._new("chosen")
                test, sides = self._lift(test, before), list[list[ast.stmt]]()
                for side in (body, orelse):
                    own: list[ast.stmt] = []
                    value = self._lift(side, own)
                    sides.append([*own, placed(set_to(name, value), node)])
                before.append(placed(ast.If(test, *sides), node))
                return placed(read_of(name), node)
            case ast.NamedExpr(target, value):
                before.append(placed(set_to(target.id, self._lift(value, before)), node))
                return placed(read_of(target.id), node)
            case ast.Call() if self._is_said_before(node):
                return self._called(node, before)
            case ast.Compare(_, [_, _, *_]):
                raise self.error(node, "give what stands between two comparisons a name first")
            case ast.ListComp() | ast.GeneratorExp():
                if any(isinstance(n, ast.NamedExpr) for n in ast.walk(node)):
                    raise self.error(node, ":= in a list is not in the language: write its loop")
                node.elt = _Within(self).visit(node.elt)
                return node
        for name, child in ast.iter_fields(node):
            many = child if isinstance(child, list) else [child]
            made = [self._lift(o, before) if isinstance(o, ast.expr) else o for o in many]
            for option in (o for o in made if isinstance(o, ast.keyword)):
                option.value = self._lift(option.value, before)
            setattr(node, name, made if isinstance(child, list) else made[0])
        return node

    def _called(self, node: ast.Call, before: list[ast.stmt]) -> ast.expr:
        """Return the value of a call, after the statements that compute it."""
        if self._helper(node) is not None:
            value = self._written_out(node, before, "value")
            assert value is not None
            return value
        function = self.names.meaning(node.func)
        if function is np.sign and len(node.args) == 1 and not node.keywords:
            name = self._new("number")
            before.append(placed(set_to(name, self._lift(node.args[0], before)), node))
            sign = ast.parse("1 if __ > 0 else -1 if __ < 0 else 0", mode="eval").body
            return placed(put(sign, {"__": read_of(name)}, node), node)
        return self._found(node, function, before)

    def _found(self, node: ast.Call, function: Any, before: list[ast.stmt]) -> ast.expr:
        """Write ``any``, ``all`` or ``next`` over answers as a loop that ends where it is found."""
        over = node.args[0]
        nodes = node.args[1:]
        rule = f"{ast.unparse(node.func)} is of one condition for each of {self.query}"
        if function is next and len(nodes) != 1:
            raise self.error(node, "next takes what it gives where nothing is found")
        several = len(over.generators) != 1 or node.keywords  # type: ignore[attr-defined]
        if several or (function is not next and nodes):
            raise self.error(node, rule)
        parts = [n for child in ast.iter_child_nodes(over) for n in ast.walk(child)]
        if isinstance(over, ast.ListComp) and any(map(self._is_said_before, parts)):
            raise self.error(node, f"{rule}: write it without [ ], which goes on to the end")
        (part,) = over.generators  # type: ignore[attr-defined]
        elt, name = over.elt, self._new("found")  # type: ignore[attr-defined]
        own: dict[str, ast.expr] = {
            item.id: read_of(self._new(item.id))
            for item in ast.walk(part.target)
            if isinstance(item, ast.Name)
        }
        here = _Renamed(own)
        first: ast.expr = ast.Constant(function is all)
        value: ast.expr = ast.Constant(function is any)
        tests, test = [here.visit(item) for item in part.ifs], here.visit(elt)
        if function is next:
            first, value = nodes[0], test
        else:
            tests.append(_not(test) if function is all else test)
        done: list[ast.stmt] = [set_to(name, value), ast.Break()]
        body: list[ast.stmt] = [ast.If(_and(ast.And(), tests), done, [])] if tests else done
        loop = ast.For(here.visit(part.target), part.iter, body, [])
        made = [placed(statement, node) for statement in (set_to(name, first), loop)]
        before += self._block(made)
        return placed(read_of(name), node)

    # Helper functions. ------------------------------------------------------------------------

    def _helper(self, node: ast.Call) -> Any:
        """Return the function of the file, or of the function itself, that is called."""
        if isinstance(node.func, ast.Name) and node.func.id in self.own:
            return self.own[node.func.id]
        result = self.names.meaning(node.func)
        own = getattr(result, "__globals__", None) is self.function.__globals__
        return result if own else None

    def _written_out(
        self, node: ast.Call, before: list[ast.stmt] | None, use: str
    ) -> ast.expr | None:
        """Write the body of a helper in place of a call; return its value.

        use: its ``value`` is used, the call is a ``statement``, or it is what is returned. Without
        ``before`` it must be one expression.
        """
        helper, asked = self._helper(node), ast.unparse(node.func)
        arguments, body = self._definition(helper, node)
        nodes = [n for s in body for n in ast.walk(s)]
        if helper in self.inside or any(isinstance(n, _NOT_INLINED) for n in nodes):
            raise self.error(
                node, f"{asked} is more than assignments, if, loops and return: write it here"
            )
        plain = all(isinstance(s, ast.Assign) for s in body[:-1]) and not any(
            isinstance(n, (ast.For, ast.While, *_OWN_LIFE)) for n in nodes
        )
        plain = plain and bool(body) and isinstance(body[-1], ast.Return)
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and source.stores(n, n.id)}
        reads = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        shadowed = ({*reads} - {*arguments} - stored) & self.stored
        if shadowed and isinstance(helper, types.FunctionType):
            rule = f"{asked} reads {min(shadowed)}, which is a variable here: rename it"
            raise self.error(node, rule)
        given: dict[str, ast.expr] = {}
        steps: list[ast.stmt] = []

        def give(name: str, value: ast.expr) -> None:
            once = plain and reads.count(name) == 1
            once = once and not self._acts(value, ())
            if name in given or self._is_pure(value) or once:
                given[name] = value
                return
            given[name] = read_of(self._new(f"{name} of {asked}"))
            steps.append(set_to(source.name_of(given[name]), value))

        for statement in (n for s in body for n in ast.walk(s) if isinstance(n, ast.stmt)):
            self._check_walrus(statement)
        acts = any(isinstance(n, ast.Expr) for n in nodes if not self._is_output(n))
        if acts and use == "value":
            raise self.error(node, f"{asked} may change a list: call it in a line of its own")
        for name, value in arguments.items():
            if name in stored:
                given[name] = read_of(self._new(f"{name} of {asked}"))
                steps.append(set_to(source.name_of(given[name]), value))
            else:
                give(name, value)
        counts = {name: sum(source.stores(n, name) for n in nodes) for name in stored}
        rest: list[ast.stmt] = []
        for statement in body:
            made = _Renamed(given)
            match statement:
                case ast.Assign([ast.Name(name)], value) if (
                    not rest
                    and counts[name] == 1
                    and name not in given
                    and (plain or self._is_pure(value))
                    and not {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
                    & (stored - (given.keys() - arguments.keys()))
                ):
                    give(name, made.visit(copy.deepcopy(value)))
                case _:
                    for name in sorted(stored - given.keys()):
                        given[name] = read_of(self._new(f"{name} of {asked}"))
                    rest.append(made.visit(copy.deepcopy(statement)))
        for part in (n for s in (*steps, *rest) for n in ast.walk(s)):
            ast.copy_location(part, node)
        self.inside.append(helper)
        result = self._ended([*steps, *rest], node, before, use)
        self.inside.pop()
        return result

    def _ended(
        self, body: list[ast.stmt], node: ast.Call, before: list[ast.stmt] | None, use: str
    ) -> ast.expr | None:
        """Write a helper's body; return its value."""
        *most, last = body or [ast.Pass()]
        if isinstance(last, ast.Return) and all(isinstance(s, ast.Assign) for s in most):
            value = last.value or ast.Constant(None)
            if before is None:
                if not most:
                    return _Within(self).visit(placed(value, node))  # type: ignore[no-any-return]
                rule = "give what it is called with a name first, in a loop"
                raise self.error(node, f"{ast.unparse(node.func)} reads a value twice: {rule}")
            before += self._block([placed(s, node) for s in most])
            return self._lift(placed(value, node), before)
        if before is None:
            rule = "is more than assignments and one return: write a loop, and append its numbers"
            raise self.error(node, f"{ast.unparse(node.func)} {rule}")
        if use == "return":
            before += self._block([*(placed(s, node) for s in body), _return(None, node)])
            return None
        if any(
            isinstance(n, ast.Return)
            for s in body
            for loop in ast.walk(s)
            if isinstance(loop, ast.For | ast.While | ast.Match)
            for n in ast.walk(loop)
        ):
            rule = "returns from within a loop: write the loop here"
            raise self.error(node, f"{ast.unparse(node.func)} {rule}")
        name = self._new(f"value of {ast.unparse(node.func)}")
        made = _one_end(body, name)
        if sum(1 for s in made for n in ast.walk(s) if isinstance(n, ast.stmt)) > _MOST_STATEMENTS:
            raise self.error(node, f"{ast.unparse(node.func)} has too many returns")
        before += self._block([placed(s, node) for s in made])
        return placed(read_of(name), node)

    def _definition(
        self, helper: Any, node: ast.Call
    ) -> tuple[dict[str, ast.expr], list[ast.stmt]]:
        """Return what a helper is called with, and its body."""
        asked, definition = ast.unparse(node.func), helper
        if isinstance(helper, types.FunctionType):
            definition, _, _ = source.source_of(helper)
            source.check_defaults(helper, definition, self.error)
            if definition.decorator_list:
                raise self.error(node, f"{asked} is decorated: write it here")
        elif not isinstance(helper, ast.Lambda | ast.FunctionDef):
            raise self.error(node, f"{asked} is no plain function")
        arguments, body = definition.args, definition.body
        starred = any(isinstance(a, ast.Starred) for a in node.args)
        starred = starred or None in {k.arg for k in node.keywords}
        if arguments.vararg or arguments.kwarg or arguments.posonlyargs or starred:
            raise self.error(node, f"{asked} takes its arguments one by one")
        defaults = source.written_defaults(arguments)
        if isinstance(helper, types.FunctionType):
            defaults = {n: ast.Constant(v) for n, v in source.defaults_of(helper).items()}
        if not all(isinstance(value, ast.Constant) for value in defaults.values()):
            raise self.error(node, f"defaults of {asked} are numbers")
        kinds = inspect.Parameter
        every: list[tuple[str, Any]]
        every = [(a.arg, kinds.POSITIONAL_OR_KEYWORD) for a in arguments.args]
        every += [(a.arg, kinds.KEYWORD_ONLY) for a in arguments.kwonlyargs]
        signature = inspect.Signature(
            [kinds(name, kind, default=defaults.get(name, kinds.empty)) for name, kind in every]
        )
        try:
            bound = signature.bind(*node.args, **{str(k.arg): k.value for k in node.keywords})
        except TypeError as failed:
            raise self.error(node, f"{asked}: {failed}") from None
        bound.apply_defaults()
        if isinstance(helper, ast.Lambda):
            body = [placed(ast.Return(helper.body), helper)]
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        if isinstance(helper, types.FunctionType):
            own = {*bound.arguments} | source.assigned_in(definition)
            body = self._plain(copy.deepcopy(body), own)
        # What a call gives by name comes last, in the order in which it is written there.
        place = {str(k.arg): at for at, k in enumerate(node.keywords)}
        given = sorted(bound.arguments.items(), key=lambda item: place.get(item[0], -1))
        return dict(given), body

    def _acts(self, node: ast.AST, inside: tuple[Any, ...]) -> bool:
        """Tell whether an expression, or a helper that it names, may do more than draw."""
        for item in ast.walk(node):
            if isinstance(item, ast.NamedExpr | ast.Expr):
                return True
            helper = self._helper(ast.Call(item, [], [])) if isinstance(item, ast.Name) else None
            if helper is not None and helper not in inside:
                named = isinstance(helper, types.FunctionType)
                body = source.source_of(helper)[0] if named else helper
                if not named and not isinstance(helper, ast.AST):
                    return True
                statements = body.body if isinstance(body.body, list) else [body.body]
                if any(self._acts(each, (*inside, helper)) for each in statements):
                    return True
        return False

    def _is_output(self, node: ast.AST) -> bool:
        value = getattr(node, "value", None)
        called = isinstance(value, ast.Call) and self.names.meaning(value.func)
        return source.known(called) == "output"

    def _is_pure(self, node: ast.expr) -> bool:
        """Tell whether an expression is the same number wherever it stands.

        A list may grow in between: its length, and whether it is empty, are asked for at once.
        """
        nodes = list(ast.walk(node))
        asks = (ast.BoolOp, ast.IfExp, ast.Not)
        if any(isinstance(n, asks) for n in nodes):
            return False
        calls = [n for n in nodes if isinstance(n, ast.Call) and not self._is_length(n)]
        known = all(source.known(self.names.meaning(c.func)) in _PLAIN for c in calls)
        return known and not any(isinstance(n, (ast.NamedExpr, *_OWN_LIFE)) for n in nodes)


class _Within(ast.NodeTransformer):
    """Writes out helpers that are called where no statement can be written before."""

    def __init__(self, spellings: Spellings) -> None:
        self.spellings = spellings

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self.spellings._helper(node) is None:
            return self.generic_visit(node)
        value = self.spellings._written_out(node, None, "value")
        assert value is not None
        return value


class _Steps:
    """Follows how far a position has moved, through the body of a loop by ``while``."""

    def __init__(self, i: str, place: str, refused: Exception) -> None:
        self.i, self.place, self.refused = i, place, refused

    def through(self, body: list[ast.stmt], at: set[int]) -> set[int]:
        """Return by how much the position may have moved after a block that starts at ``at``.

        Its answer is that of the loop; where it moves, it is the loop's position and one.
        """
        for k, statement in enumerate(body):
            if ast.unparse(statement) == f"{self.i} = {self.i} + 1":
                at = {n + 1 for n in at}
                after = ast.BinOp(read_of(self.place), ast.Add(), ast.Constant(1))
                body[k] = placed(set_to(self.i, after), statement)
                continue
            if isinstance(statement, ast.If):
                if any(source.stores(n, self.i) for n in ast.walk(statement.test)):
                    raise self.refused
                self._answers(statement.test, at)
                at = self.through(statement.body, at) | self.through(statement.orelse, at)
            elif isinstance(statement, ast.Break | ast.Return):
                self._answers(statement, at)
                at = set()
            elif isinstance(statement, ast.Continue):
                if at - {1}:
                    raise self.refused
                at = set()
            else:
                inner = any(isinstance(n, ast.While | ast.Match) for n in ast.walk(statement))
                if inner or any(source.stores(n, self.i) for n in ast.walk(statement)):
                    raise self.refused
                self._answers(statement, at)
        return at

    def _answers(self, node: ast.AST, at: set[int]) -> None:
        for item in (n for n in ast.walk(node) if isinstance(n, ast.Subscript)):
            if isinstance(item.slice, ast.Name) and item.slice.id == self.i:
                if at - {0}:
                    raise self.refused
                item.slice = placed(read_of(self.place), item)


class _Plain(ast.NodeTransformer):
    """Writes out names of texts, members of enumerations and ``in``.

    One name is assigned to at a time, by ``=``. data: the name of the data if they are a list,
    which ``+=`` makes longer.
    """

    def __init__(self, names: Names, module: ast.Module, error: source.Complain, data: str) -> None:
        self.names, self.module, self.error, self.data = names, module, error, data

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.names.meaning(node)
        if not isinstance(value, str) or not source.is_written(node.id, value, self.module):
            return node
        return placed(ast.Constant(value), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        owner = self.names.meaning(node.value)
        if type(owner) is not enum.EnumType or node.attr not in owner.__members__:
            return self.generic_visit(node)
        kind = next((k for k in _ENUMS if owner.__mro__[1:] == k.__mro__), None)
        classes = [o for o in ast.walk(self.module) if isinstance(o, ast.ClassDef)]
        once = sum(class_.name == owner.__name__ for class_ in classes) == 1
        stores = any(source.stores(o, owner.__name__) for o in ast.walk(self.module))
        make: Any = kind
        plain = vars(make("Plain", {"ONE": "1"})) if kind is not None else {}
        own = [n for n, v in vars(owner).items() if callable(v) and v is not plain.get(n, plain)]
        own = [n for n in own if n.startswith("__") and n not in owner.__members__]
        if kind is None or not once or stores or own:
            raise self.error(node, f"{ast.unparse(node)} is of no plain enumeration of the file")
        member: Any = owner.__members__[node.attr]
        value = {enum.IntEnum: int, enum.StrEnum: str}.get(kind, lambda item: item)(member)
        return placed(ast.Constant(value), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        members = [isinstance(getattr(s, "value", None), enum.Enum) for s in sides]
        if any(members) and len(sides) == 2 and isinstance(node.ops[0], ast.Is | ast.IsNot):
            node.ops = [ast.Eq() if isinstance(node.ops[0], ast.Is) else ast.NotEq()]
        match node:
            case ast.Compare(ast.Name() as left, [ast.In() | ast.NotIn() as op], [several]):
                elements = getattr(several, "elts", [])
                if elements and all(isinstance(element, ast.Constant) for element in elements):
                    parts = [ast.Compare(left, [ast.Eq()], [element]) for element in elements]
                    result = _and(ast.Or(), [*parts])
                    return placed(result if isinstance(op, ast.In) else _not(result), node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return placed(ast.Pass(), node)
        return self.visit(placed(ast.Assign([node.target], node.value), node))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        name = source.name_of(node.target)
        if not isinstance(node.target, ast.Name) or name == self.data:
            return self.generic_visit(node)
        value = placed(ast.BinOp(read_of(name), node.op, node.value), node)
        return self.visit(placed(ast.Assign([node.target], value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(
                values
            ) and all(isinstance(target, ast.Name) for target in targets):
                names = [source.name_of(target) for target in targets]
                used = {source.name_of(item) for value in values for item in ast.walk(value)}
                before = []
                if not used.isdisjoint(names):
                    hidden = [f"number {k} of {name}" for k, name in enumerate(names)]
                    before = [set_to(n, v) for n, v in zip(hidden, values, strict=True)]
                    values = [read_of(n) for n in hidden]
                each = [ast.Assign([t], v) for t, v in zip(targets, values, strict=True)]
                return [placed(statement, node) for statement in (*before, *each)]
            case ast.Assign([ast.Name() as one, _, *_] as targets, value) if all(
                isinstance(target, ast.Name) for target in targets
            ) and not isinstance(value, (ast.List, ast.Dict, ast.Set, *_OWN_LIFE)):
                plain = isinstance(value, ast.Constant)
                rest = [copy.deepcopy(value) if plain else read_of(one.id) for _ in targets[1:]]
                pairs = zip(targets, [value, *rest], strict=True)
                return [placed(ast.Assign([target], given), node) for target, given in pairs]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func, [], []) if self.names.meaning(func) is list:
                return placed(ast.List([], ast.Load()), node)
            case ast.Call(func, [first, second, *more], []) if more and (
                source.known(self.names.meaning(func)) in ("max", "min")
            ):
                for item in (second, *more):
                    first = placed(ast.Call(copy.deepcopy(func), [first, item], []), node)
                return first
        return node


def _skips(body: list[ast.stmt]) -> bool:
    """Tell whether statements may continue with the next step of their loop."""
    return any(isinstance(n, ast.Continue) for s in body for n in ast.walk(s))


def _not(node: ast.expr) -> ast.expr:
    return placed(ast.UnaryOp(ast.Not(), node), node)


def _return(value: ast.expr | None, node: ast.AST) -> ast.stmt:
    return placed(ast.Return(value), node)


def _has_text(node: ast.expr) -> bool:
    """Tell whether an expression may be a text or nothing."""
    sides = [node.body, node.orelse] if isinstance(node, ast.IfExp) else []
    constant = getattr(node, "value", 0)
    return isinstance(constant, str | enum.Enum | None) or any(map(_has_text, sides))


def _given(body: list[ast.stmt], name: str) -> list[ast.expr]:
    """Return what statements, themselves, assign to a name."""
    given = [s for s in body if isinstance(s, ast.Assign)]
    return [s.value for s in given if any(source.stores(t, name) for t in s.targets)]


def _one_end(body: list[ast.stmt], name: str) -> list[ast.stmt]:
    """Return a body that assigns to a name what it would return, and ends at its end."""
    result: list[ast.stmt] = []
    for k, item in enumerate(body):
        if isinstance(item, ast.Return):
            return [*result, placed(set_to(name, item.value or ast.Constant(None)), item)]
        if isinstance(item, ast.If) and any(isinstance(n, ast.Return) for n in ast.walk(item)):
            rest = body[k + 1 :]
            sides = [
                _one_end([*side, *copy.deepcopy(rest)], name) for side in (item.body, item.orelse)
            ]
            return [*result, placed(ast.If(item.test, *sides), item)]
        result.append(item)
    return [*result, set_to(name, ast.Constant(None))]
