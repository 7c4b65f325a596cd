"""Small faults put into the kernel one at a time, each of which the kernel's tests must notice."""

from __future__ import annotations

import ast
import os
import resource
import signal
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any

import provado.proofs
from provado.proofs import kernel

SOURCE = Path(kernel.__file__).read_text("utf-8")
NAME = kernel.__name__
ARGUMENTS = (
    kernel.Coefficients,
    kernel.Enclose,
    kernel.Differentiate,
    kernel.Split,
    kernel.BoxSplit,
)
EVIDENCE = {kind.__name__ for kind in (*kernel._RULES, *ARGUMENTS)}
HERE = Path(__file__).parent

SWAPPED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
RENAMED = {"min": "max", "any": "all", "floor": "ceil", "sorted": "list", "abs": "Fraction"}
RENAMED |= {new: old for old, new in RENAMED.items() if old in ("min", "any", "floor")}


@dataclass(frozen=True)
class Mutant:
    """One fault: in which function, on which line, what stood there, and the code with it."""

    place: str
    line: int
    was: str
    now: str
    code: types.CodeType

    @property
    def words(self) -> str:
        """Return the fault as the list of equivalent ones names it."""
        return f"{self.place}: {self.was} -> {self.now}"


def unchanged() -> Mutant:
    """Return the kernel as it is, in the form of a mutant: the tests pass with it."""
    return Mutant("module", 0, "", "", compile(SOURCE, kernel.__file__, "exec"))


def mutants(every: int = 1) -> Iterator[Mutant]:
    """Yield all faults in order, or one of ``every`` so many."""
    tree = ast.parse(SOURCE)
    count = 0
    for place, node in list(_nodes(tree)):
        kind, before = type(node), dict(vars(node))
        was, line = _text(node), getattr(node, "lineno", 0)
        for change in _changes(node, place in EVIDENCE):
            count += 1
            if count % every == 0:
                change()
                code = compile(ast.fix_missing_locations(tree), kernel.__file__, "exec")
                now = _text(node)
                node.__class__ = kind
                vars(node).clear()
                vars(node).update(before)
                yield Mutant(place, line, was, now, code)


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _nodes(tree: ast.AST, place: str = "module") -> Iterator[tuple[str, Any]]:
    """Yield what may be mutated: no signature's annotation, no docstring, no refusal's reason."""
    for name, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or name in ("returns", "annotation"):
                continue
            inner = place
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                inner = node.name
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            if (
                isinstance(tree, ast.Call)
                and name == "args"
                and _refuses(tree)
                and node in tree.args[-1:]
            ):
                continue
            if hasattr(node, "lineno") or isinstance(node, ast.comprehension):
                yield inner, node
            yield from _nodes(node, inner)


def _refuses(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("_require", "KernelRefusal")


def _changes(node: Any, inside: bool) -> Iterator[Callable[[], None]]:
    def turned(new: ast.AST) -> Callable[[], None]:
        def change() -> None:
            node.__class__ = type(new)
            vars(node).clear()
            vars(node).update(vars(new))

        return change

    def put(field: str, value: Any) -> Callable[[], None]:
        return lambda: setattr(node, field, value)

    if isinstance(node, ast.Compare):
        for i, old in enumerate(node.ops):
            for new in SWAPPED[type(old)]:
                yield put("ops", [*node.ops[:i], new(), *node.ops[i + 1 :]])
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        for new in SWAPPED.get(type(node.op), ()):
            yield put("op", new())
    if isinstance(node, ast.BoolOp):
        for i in range(len(node.values)):
            rest = node.values[:i] + node.values[i + 1 :]
            yield turned(rest[0]) if len(rest) == 1 else put("values", rest)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield turned(node.left)
        yield turned(node.right)
    if isinstance(node, ast.UnaryOp):
        yield turned(node.operand)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield put("value", not node.value)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield put("value", node.value + 1)
        yield put("value", node.value - 1)
    if isinstance(node, ast.Constant) and type(node.value) is str and node.value:
        yield put("value", "")
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield put("test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.IfExp):
        yield turned(node.body)
        yield turned(node.orelse)
    if isinstance(node, ast.Expr | ast.Raise | ast.AugAssign):
        yield turned(ast.Pass())
    if isinstance(node, ast.Name) and node.id in RENAMED:
        yield put("id", RENAMED[node.id])
    if isinstance(node, ast.Attribute) and node.attr in RENAMED:
        yield put("attr", RENAMED[node.attr])
    if isinstance(node, ast.comprehension) and node.ifs:
        yield put("ifs", [])
    if isinstance(node, ast.AnnAssign) and inside:
        yield put("annotation", ast.Name("Any", ast.Load()))
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        yield put("decorator_list", [])


# The tests, run by hand: some ten times as fast as by pytest, and on the mutant.

_SHARED = "planted_certificates", "sound_certificates"
_BATTERY = (
    "test_kernel_pinned",
    "test_kernel_refusals",
    "test_kernel_planted",
    "test_kernel_data",
    "test_kernel_work",
    "test_kernel_fuzz",
    "test_kernel_findings",
)
_LATE = ("test_what_is_changed", "test_no_random_argument", "test_work_")


def survives(mutant: Mutant) -> bool:
    """Return whether the tests pass with the mutant for a kernel, in a process of its own."""
    child = os.fork()
    if not child:
        died = 1
        try:
            died = _run(mutant)
        finally:
            os._exit(died)
    return os.waitpid(child, 0)[1] == 0


def notice(mutant: Mutant) -> str:
    """Return how a case notices the mutant; "" if none does. The process ends with it as kernel."""
    try:
        module = types.ModuleType(NAME)
        module.__file__ = kernel.__file__
        sys.modules[NAME] = provado.proofs.kernel = module  # type: ignore[attr-defined]
        exec(mutant.code, module.__dict__)
        for name in _SHARED:
            _loaded(name)
        late = []
        for name in _BATTERY:
            for case, run in _cases(_loaded(name)):
                if case.startswith(_LATE):
                    late.append((next(i for i, n in enumerate(_LATE) if case.startswith(n)), run))
                else:
                    _limited(run, 3)
        for _, run in sorted(late, key=itemgetter(0)):
            _limited(run, 30)
    except BaseException:
        return traceback.format_exc()
    return ""


def _limited(run: Callable[[], None], seconds: int) -> None:
    """End the process where the case takes so much processor time: it hangs, and is noticed."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    run()


def _run(mutant: Mutant) -> int:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1), os.dup2(null, 2)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return 1 if notice(mutant) else 0


def _loaded(name: str) -> types.ModuleType:
    """Return a module of tests, loaded anew on top of the mutant."""
    module = types.ModuleType(f"{__package__}.{name}")
    module.__file__ = str(HERE / f"{name}.py")
    sys.modules[module.__name__] = module
    exec(_compiled(name), module.__dict__)
    return module


_CODES: dict[str, types.CodeType] = {}


def _compiled(name: str) -> types.CodeType:
    if name not in _CODES:
        path = HERE / f"{name}.py"
        _CODES[name] = compile(path.read_text("utf-8"), str(path), "exec")
    return _CODES[name]


def _cases(module: types.ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the tests that take no fixture, each with its parameters."""
    for name, one in list(vars(module).items()):
        if name.startswith("test_") and not _left_out(name, one):
            for arguments in _parameters(one):
                yield name, partial(one, **arguments)


def _left_out(name: str, one: Any) -> bool:
    marks = {mark.name for mark in getattr(one, "pytestmark", ())}
    # Another process would load the kernel itself; the independent check does not use it.
    return "slow" in marks or name.startswith(("test_a_pickled", "test_the_independent"))


def _parameters(one: Any) -> Iterator[dict[str, Any]]:
    marks = [mark for mark in getattr(one, "pytestmark", ()) if mark.name == "parametrize"]
    sets = []
    for mark in marks:
        names = [mark.args[0]] if isinstance(mark.args[0], str) else mark.args[0]
        single = len(names) == 1
        values = list(mark.args[1])
        sets.append([dict(zip(names, (v,) if single else v, strict=True)) for v in values])
    for parts in product(*sets):
        yield {name: value for part in parts for name, value in part.items()}


for _name in (*_SHARED, *_BATTERY):
    _compiled(_name)


def main() -> None:
    """Print each mutant that survives, one of so many as the argument says, then the number."""
    if not survives(unchanged()):
        sys.exit("the tests fail with the kernel as it is")
    tried = 0
    for mutant in mutants(int(sys.argv[1])):
        tried += 1
        if survives(mutant):
            print(mutant.words, flush=True)
    print(f"{tried} mutants")


if __name__ == "__main__":
    main()
