"""Finds what looks like a mechanism in Python files, from their text alone: nothing is imported."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 500

_RANDOM = re.compile(
    r"^(uniform|triangular|choices?|sample|integers|rand(om|int|range|below|bits|om_sample|n)?|"
    r"getrandbits|rvs|poisson|shuffle|permut(ation|ed)|bernoulli|default_rng)$"
)
_NOISE = re.compile(
    r"laplace|gumbel|gauss|noise|noisy|^(standard_|log)?normal$|normalvariate|exponential|"
    r"variate$|geometric|binomial|^logistic$|randomi[sz]ed_response|" + _RANDOM.pattern,
    re.IGNORECASE,
)
_EPSILON = ("epsilon", "eps", "ε")
_SKIPPED = {"build", "dist", "env", "node_modules", "site-packages", "venv", "__pycache__"}


@dataclass(frozen=True)
class FoundMechanism:
    """Something that can be audited, or could be with a wrapper.

    target: as ``provado audit`` takes it, with the file relative to the folder. why: what it was
    recognised by. stated: it brings its own claim: a ``Mechanism`` all that an audit takes, another
    object (``pairs``) all but pairs of datasets. epsilon: the default of a parameter of that name.
    needs: parameters beside the data that have no default, so that a wrapper is needed. line: where
    it stands in its file. unsure: a function in which no noise was seen, beside others with noise.
    """

    name: str
    target: str
    why: str
    line: int
    stated: bool = False
    pairs: bool = False
    epsilon: float | None = None
    needs: tuple[str, ...] = ()
    unsure: bool = False


def scan_folder(folder: Path, *, unsure: bool = False) -> tuple[FoundMechanism, ...]:
    """Return what the Python files of a folder and those below hold, by file and line.

    unsure: also the other public functions of files that hold a mechanism. Skipped are hidden
    folders, environments, tests, files that cannot be read or parsed, and files beyond the first
    500.
    """
    mechanisms: list[FoundMechanism] = []
    for number, file in enumerate(_files(folder)):
        if number >= MOST_FILES:
            break
        mechanisms += scan_file(file, file.relative_to(folder).as_posix())
    return tuple(mechanism for mechanism in mechanisms if unsure or not mechanism.unsure)


def scan_file(file: Path, shown: str) -> tuple[FoundMechanism, ...]:
    """Return what one file holds, in its order; nothing where it cannot be read or parsed.

    These are public names of the module: functions that take ``rng``, or call something that is
    named like noise, themselves or through another function of the file; lambdas, ``partial``
    of such functions, what they are bound to or return, and objects of the file's classes whose
    ``__call__`` does; a ``Mechanism(...)``; and objects of libraries that are made by something
    that is named like noise. Where there is any, other functions of the file are ``unsure``.
    """
    try:
        with warnings.catch_warnings():
            # Of a file that is only examined, a wrong escape is no business of ours.
            warnings.simplefilter("ignore")
            tree = ast.parse(file.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return ()
    known = _Known(tree, shown)
    mechanisms: list[FoundMechanism] = []
    for node in _statements(tree):
        if isinstance(node, ast.FunctionDef):
            mechanisms += known.seen(node.name, node.args, known.noisy.get(node.name), node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            mechanisms += known.assigned(node)
    sure = any(not mechanism.unsure for mechanism in mechanisms)
    return tuple(mechanisms) if sure else ()


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a module, with those of its conditions and other blocks."""
    for item in ast.iter_child_nodes(node):
        if isinstance(item, ast.stmt):
            yield item
        if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
            yield from _statements(item)


def _files(folder: Path) -> Iterator[Path]:
    """Yield files, those of a folder before those below it, in the order of their names."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        tests = entry.name.startswith("test_") or entry.name in ("conftest.py", "setup.py")
        if entry.suffix == ".py" and not tests and entry.is_file():
            yield entry
    for entry in entries:
        hidden = entry.name.startswith(".") or entry.name in _SKIPPED or entry.name == "tests"
        if entry.is_dir() and not (hidden or entry.is_symlink() or (entry / "pyvenv.cfg").exists()):
            yield from _files(entry)


class _Known:
    """The functions and classes of a file, and which of them call noise, and by what name."""

    def __init__(self, tree: ast.Module, shown: str) -> None:
        self.shown = shown
        body = list(_statements(tree))
        self.functions = {item.name: item for item in body if isinstance(item, ast.FunctionDef)}
        self.classes = {
            statement.name: call
            for statement in body
            if isinstance(statement, ast.ClassDef)
            for call in statement.body
            if isinstance(call, ast.FunctionDef) and call.name == "__call__"
        }
        self.noisy = _noisy(self.functions)

    def seen(
        self,
        name: str,
        arguments: ast.arguments,
        noise: str | None,
        node: ast.stmt,
        bound: int = 0,
        given: Iterable[str] = (),
    ) -> Iterator[FoundMechanism]:
        """Yield what can be called with a dataset, if it looks like a mechanism.

        The first ``bound`` arguments and those that are named are given already.
        """
        named = set(given)
        positional = [*arguments.posonlyargs, *arguments.args]
        required = positional[bound : len(positional) - len(arguments.defaults)]
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        others = [parameter.arg for parameter in required[1:]]
        others += [parameter.arg for parameter, default in pairs if default is None]
        free = {parameter.arg for parameter in (*positional[bound:], *arguments.kwonlyargs)} - named
        batch = {"size", "rng"} <= free
        own = named | ({"size", "rng"} if batch else {"rng"})
        data = any(parameter.arg not in own for parameter in positional[bound:]) or arguments.vararg
        if name.startswith("_") or not data:
            return
        takes = "rng" in free and _RANDOM.match(noise or "random")
        why = "it takes rng" if takes else f"it calls {noise}"
        yield FoundMechanism(
            name=name,
            target=f"{self.shown}:{name}",
            why="it takes size and rng" if batch else why,
            line=node.lineno,
            epsilon=None if named & set(_EPSILON) else _epsilon(arguments),
            needs=tuple(name for name in others if name not in own),
            unsure=not ("rng" in free or noise),
        )

    def assigned(self, node: ast.Assign | ast.AnnAssign) -> Iterator[FoundMechanism]:
        """Yield what a name of the module is bound to, if it looks like a mechanism."""
        value = node.value
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if not isinstance(target, ast.Name) or value is None:
                continue
            name, call = target.id, _called(value) if isinstance(value, ast.Call) else ""
            if isinstance(value, ast.Lambda):
                yield from self.seen(name, value.args, self._noise(value), node)
            elif isinstance(value, ast.Call) and call == "partial" and value.args:
                yield from self._partial(name, value, node)
            elif isinstance(value, ast.Name) and (function := self.functions.get(value.id)):
                yield from self.seen(name, function.args, self._noise(function), node)
            elif isinstance(value, ast.Call) and (inner := self._returned(call)) is not None:
                yield from self.seen(name, inner.args, self._noise(inner), node)
            elif call in self.classes:
                inner = self.classes[call]
                yield from self.seen(name, inner.args, self._noise(inner), node, bound=1)
            elif not name.startswith("_") and (why := _own_claim(value, call)):
                pairs = call != "Mechanism"
                at = f"{self.shown}:{name}"
                yield FoundMechanism(name, at, why, node.lineno, stated=True, pairs=pairs)

    def _returned(self, name: str) -> ast.FunctionDef | ast.Lambda | None:
        """Return the function that a function of the file makes, if it makes one."""
        made = ast.walk(self.functions[name]) if name in self.functions else iter(())
        kinds = (ast.FunctionDef, ast.Lambda)
        next(made, None)  # The first is the function itself.
        return next((node for node in made if isinstance(node, kinds)), None)

    def _partial(self, name: str, value: ast.Call, node: ast.stmt) -> Iterator[FoundMechanism]:
        function = self.functions.get(getattr(value.args[0], "id", ""))
        given = [keyword.arg for keyword in value.keywords]
        if function is not None and all(text is not None for text in given):
            noise = self.noisy.get(function.name)
            names, bound = [text for text in given if text], len(value.args) - 1
            yield from self.seen(name, function.args, noise, node, bound, names)

    def _noise(self, node: ast.AST) -> str | None:
        called = (_called(item) for item in ast.walk(node) if isinstance(item, ast.Call))
        return next((text for text in called if _NOISE.search(text) or text in self.noisy), None)


def _own_claim(value: ast.expr, call: str) -> str:
    """Say what an object is recognised by that states its own claim; "" of any other value."""
    if call == "Mechanism":
        return "it is a Mechanism"
    names = [_called(node) for node in ast.walk(value) if isinstance(node, ast.Call)]
    made = [name for name in names if name.startswith(("make_", "then_")) or name[:1].isupper()]
    noise = next((name for name in made if _NOISE.search(name)), "")
    return f"it is made by {noise}" if noise else ""


def _noisy(functions: dict[str, ast.FunctionDef]) -> dict[str, str]:
    """Return the functions that call noise, and by what name each calls it."""
    calls = {
        name: [_called(item) for item in ast.walk(node) if isinstance(item, ast.Call)]
        for name, node in functions.items()
    }
    result: dict[str, str] = {}
    grown = True
    while grown:
        grown = False
        for name, called in calls.items():
            known = (
                text for text in called if _NOISE.search(text) or (text in result and text != name)
            )
            why = next(known, None)
            if name not in result and why is not None:
                result[name] = why
                grown = True
    return result


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _epsilon(arguments: ast.arguments) -> float | None:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = zip(
        [*positional, *arguments.kwonlyargs],
        [*defaults, *arguments.defaults, *arguments.kw_defaults],
        strict=True,
    )
    for parameter, default in pairs:
        if parameter.arg in _EPSILON and isinstance(default, ast.Constant):
            value = default.value
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e308:
                return float(value)
    return None
