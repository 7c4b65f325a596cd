"""Programs whose running code is not the source that one would read: none may be proved.

Each is made from ``HONEST``, which is proved, by one change: a wrapper, another binding, another
code object, another file. What runs is not private, or nothing says that it is. ``NUMBERS`` are
programs that are private in real numbers and not in floating point.
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import itertools
import linecache
import operator
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.programs import batch, noise
from provado.mechanisms.programs.program import Program
from provado.proofs.programs.decide import decide

HEAD = "from provado.mechanisms.programs import exponential, laplace, output\n"
HONEST = (
    HEAD
    + """
LEVEL = 2

def honest(q, epsilon=1.0, *, level=2.0):
    noisy = q[0] + LEVEL + laplace(1 / epsilon)
    output(max(noisy, level))

def leaky(q, epsilon=1.0, *, level=2.0):
    output(q[0])
"""
)
_NUMBER = itertools.count()
_FOLDER = tempfile.TemporaryDirectory(prefix="provado-")


def module(text: str = HONEST) -> Any:
    """Return a module of this text, from a file of its own."""
    name = f"running_{next(_NUMBER)}"
    file = Path(_FOLDER.name) / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def bare(value: Any = 0.0) -> Callable[..., float]:
    """Return a primitive that adds no noise."""
    return lambda *_, **__: value


@contextmanager
def patched(of: Any, name: str, value: Any) -> Iterator[None]:
    """Bind another value for a while."""
    before = getattr(of, name)
    setattr(of, name, value)
    try:
        yield
    finally:
        setattr(of, name, before)


def changed(name: str, value: Any) -> Callable[[], Any]:
    """Bind a global of the module to another value after it was imported."""

    def make() -> Any:
        made = module()
        setattr(made, name, value)
        return made.honest

    return make


def attribute(name: str, value: Callable[[Any], Any]) -> Callable[[], Any]:
    """Set an attribute of the function after it was made."""

    def make() -> Any:
        made = module()
        setattr(made.honest, name, value(made))
        return made.honest

    return make


def edited(old: str, new: str, text: str = HONEST) -> Callable[[], Any]:
    """Change the file after it was imported, so that it shows the honest program."""

    def make() -> Any:
        if old not in text:
            raise AssertionError(f"{old!r} is not in the program")
        made = module(text.replace(old, new))
        Path(made.__file__).write_text(text, encoding="utf-8")
        return made.honest

    return make


def source(text: str, name: str = "honest") -> Callable[[], Any]:
    """Return the function of a module that says itself what is done to it."""
    return lambda: getattr(module(text), name)


def decorated(body: str, more: str = "") -> Callable[[], Any]:
    """Decorate the honest function by a wrapper of this body."""
    wrapper = f"""
import functools

def around(function):
{more or "    @functools.wraps(function)"}
    def wrapped(q, epsilon=1.0, *, level=2.0):
{body}
    return wrapped

"""
    return source(HONEST.replace("\ndef honest", wrapper + "@around\ndef honest"))


class Lying(dict):  # type: ignore[type-arg]
    """Globals that give the noise to one who asks, and none to the interpreter."""

    def __getitem__(self, name: str) -> Any:
        return bare() if name == "laplace" else super().__getitem__(name)


def _copied(code: Any = None, scope: Any = None) -> Callable[[], Any]:
    def make() -> Any:
        made = module()
        function = made.honest
        names = vars(made) if scope is None else scope(vars(made))
        copy = types.FunctionType(
            function.__code__ if code is None else code(made), names, "honest", (1.0,)
        )
        copy.__kwdefaults__ = {"level": 2.0}
        return copy

    return make


def _poisoned() -> Any:
    made = module(HONEST.replace(" + laplace(1 / epsilon)", ""))
    lines = HONEST.splitlines(keepends=True)
    file = made.__file__
    stat = Path(file).stat()
    linecache.cache[file] = (stat.st_size, stat.st_mtime, lines, file)
    return made.honest


def _over_a_file() -> Any:
    made = module()
    exec(compile(HONEST.replace("laplace(1 / epsilon)", "0"), made.__file__, "exec"), vars(made))
    return made.honest


def _bound() -> Any:
    class Holder:
        def run(self, q: Any) -> None:
            noise.output(q[0])

    return Holder().run


def _called() -> Any:
    class Caller:
        __wrapped__ = staticmethod(module().honest)

        def __call__(self, q: Any) -> None:
            noise.output(q[0])

    return Caller()


class Other(Program):
    """A program that tells its data, whatever its function says."""

    def __call__(self, data: Any, **_: Any) -> Any:
        """Return the data."""
        return tuple(data)


_ENCLOSED = """
def make():
    scale = 1
    def honest(q, epsilon=1.0):
        output(q[0] + laplace(scale / epsilon))
    def less(to):
        nonlocal scale
        scale = to
    less(0.001)
    return honest

honest = make()
"""
_MANGLED = """
__laplace = laplace
_Holder__laplace = lambda scale: 0.0

class Holder:
    def honest(q, epsilon=1.0):
        output(q[0] + __laplace(1 / epsilon))

honest = Holder.honest
"""

RUNNING: dict[str, Callable[[], Any]] = {
    "functools.wraps, with a release before": decorated(
        "        output(q[0])\n        function(q)"
    ),
    "functools.wraps, with a release after": decorated("        function(q)\n        output(q[0])"),
    "functools.wraps, which never calls it": decorated("        output(q[0])"),
    "a decorator without functools.wraps": decorated("        output(q[0])", "    pass"),
    "a wrapper that is given the name and the code's place": decorated(
        "        output(q[0])", "    wrapped = None"
    ),
    "__wrapped__ set by hand": attribute("__wrapped__", lambda m: m.leaky),
    "__code__ of another function": attribute("__code__", lambda m: m.leaky.__code__),
    "__code__ with another constant": attribute(
        "__code__", lambda m: m.honest.__code__.replace(co_consts=(None, 0, 1000))
    ),
    "__code__ with another name": attribute(
        "__code__",
        lambda m: m.honest.__code__.replace(
            co_names=tuple("min" if n == "max" else n for n in m.honest.__code__.co_names)
        ),
    ),
    "functools.partial": lambda: functools.partial(module().honest, epsilon=100.0),
    "a bound method": _bound,
    "a callable object": _called,
    "a lambda": source(HEAD + "honest = lambda q, epsilon=1.0: q[0] + laplace(1 / epsilon)\n"),
    "a subclass of Program": lambda: Other(module().honest),
    "laplace bound to no noise": changed("laplace", bare()),
    "laplace bound to another noise": changed("laplace", noise.exponential),
    "laplace of numpy's name": source(
        HONEST + "\nimport numpy as np\nlaplace = np.random.default_rng(0).laplace\n"
    ),
    "laplace of the user's own": source(HONEST + "\ndef laplace(scale):\n    return 0.0\n"),
    "output bound to one that tells more": changed("output", lambda value: noise.output(value)),
    "max bound to min": changed("max", min),
    "max bound to the user's own": changed("max", lambda _, b: b),
    "a global number bound again": changed("LEVEL", 3),
    "a global number assigned twice": source(HONEST + "\nLEVEL = 10\n"),
    "a global number of a subclass": changed("LEVEL", type("Two", (int,), {})(2)),
    "defaults changed": attribute("__defaults__", lambda _: (1000.0,)),
    "keyword defaults changed": attribute("__kwdefaults__", lambda _: {"level": -5.0}),
    "a mutable default": source(HONEST.replace("level=2.0", "level=[2.0]")),
    "a default by a name bound again": source(
        "E = 1.0\n" + HONEST.replace("epsilon=1.0", "epsilon=E") + "\nE = 0.1\n"
    ),
    "the file changed: the scale": edited("1 / epsilon", "0.001 / epsilon"),
    "the file changed: the noise": edited(" + laplace(1 / epsilon)", ""),
    "the file changed: a line more": edited("    output(max", "    output(q[0])\n    output(max"),
    "the lines that Python keeps were replaced": _poisoned,
    "compiled over the file's name": _over_a_file,
    "a closure that was changed": source(HEAD + _ENCLOSED),
    "a name that a class mangles": source(HEAD + _MANGLED),
    "other globals": _copied(scope=lambda names: {**names, "laplace": bare()}),
    "globals that lie": _copied(scope=Lying),
    "other builtins": _copied(
        scope=lambda names: {**names, "__builtins__": {**vars(builtins), "max": min}}
    ),
    "generated without a source": lambda: _generated(),
    "a module that answers for its names": source(
        HONEST.replace("laplace(1", "noise.laplace(1")
        + "\nclass Noise(type(__import__('sys'))):\n    laplace = staticmethod(lambda s: 0.0)\n"
        + "noise = Noise('noise')\nvars(noise)['laplace'] = laplace\n"
    ),
}

PATCHES: dict[str, tuple[Any, str, Any]] = {
    "the draw of the noise": (noise, "_draw", bare()),
    "the noise itself": (noise, "laplace", bare()),
    "the code of the noise": (noise.laplace, "__code__", (lambda _: 0.0).__code__),
    "sums of noise": (batch.Batch, "__add__", lambda _, other: other),
    "the release": (noise.output, "__code__", (lambda value: print(value)).__code__),
    "how a program is run": (Program, "__call__", lambda _, data, **__: tuple(data)),
    "the built-in max": (builtins, "max", min),
    "what noise is rounded by": (np, "floor", np.positive),
    "what small scales are computed by": (np, "expm1", lambda value: value),
    "what tells numbers apart": (np, "asarray", functools.partial(np.asarray, dtype=float)),
    "what sums are made by": (operator, "add", operator.sub),
}


def _generated() -> Any:
    scope: dict[str, Any] = {"laplace": noise.laplace, "output": noise.output}
    exec("def honest(q, epsilon=1.0):\n    output(q[0] + laplace(1 / epsilon))\n", scope)
    return scope["honest"]


NUMBERS = {
    "a cancelled answer": "output((q[0] + 1e17) - 1e17 - q[0])",
    "a cancelled answer, small numbers": "output((q[0] + 0.1) - 0.1 - q[0])",
    "through variables": "a = q[0] + 0.1\n    b = a - 0.1\n    output(b - q[0])",
    "a product": "output(q[0] * 49 / 49 - q[0])",
    "a division": "output(q[0] / 49 * 49 - q[0])",
    "through a parameter": "output((q[0] + epsilon) - epsilon - q[0])",
    "a sum that is taken away": "s = 0.0\n    for x in q:\n        s += x\n"
    "    for x in q:\n        s -= x\n    output(s)",
    "two sums": "s = 0.0\n    t = 0.0\n    for x in q:\n        s += x + 0.1 + 0.2\n"
    "        t += x + 0.3\n    output(s - t)",
    "past a loop": "s = q[0] + 0.1 + 0.2\n    t = q[0] + 0.3\n    for x in q:\n        output(1)\n"
    "    output(s - t)",
    "past a loop, compared": "s = q[0] + 0.1 + 0.2\n    t = q[0] + 0.3\n    for x in q:\n"
    "        output(1)\n    output(s > t)",
    "past a loop, with noise that cancels": "n = laplace(1 / epsilon)\n"
    "    s = q[0] + n + 0.1 + 0.2\n"
    "    t = q[0] + n + 0.3\n    for x in q:\n        output(1)\n    output(s - t)",
    "past a loop, with variables that are 0 so far": "s = 0.0\n    for x in q:\n"
    "        output(1)\n    if q[0] > 0:\n        v = s + 0.1 + 0.2\n    else:\n"
    "        v = s + 0.3\n    output(v)",
    "past a loop, with noise that was copied": "s = 0.0\n    t = 0.0\n    u = 0.0\n"
    "    for i, x in enumerate(q):\n        if i == 0:\n            u = x + laplace(1 / epsilon)\n"
    "        elif i == 1:\n            s = u\n        elif i == 2:\n            t = 0.1 - u\n"
    "    output(s + t)",
    "noise beside a large number": "output(q[0] + ((laplace(1 / epsilon) + 1e17) - 1e17))",
    "noise beside a large product": "n = laplace(1 / epsilon)\n    a = 1e6 * 1e6 * 1e6\n"
    "    output(q[0] + (n + a) - a)",
    "noise beside a number that grows": "s = 1.0\n    for x in q:\n        s = s * 1000\n"
    "    t = laplace(1 / epsilon) + s\n    output(q[0] + t - s)",
    "noise that underflows": "n = laplace(1 / epsilon) * 1e-200 * 1e-200\n"
    "    output(q[0] + n * 1e200 * 1e200)",
    "noise that overflows whole numbers": "n = discrete_laplace(1 / epsilon) * 4294967296\n"
    "    output(q[0] + n * 4294967296 / 4294967296 / 4294967296)",
    "a scale that cancels": "output(q[0] + laplace(1 / ((epsilon + 1e17) - 1e17)))",
    "a scale that cancels by a product": "output(q[0] + laplace((1 + 1e9 * epsilon * 1e9) "
    "/ epsilon - 1e18))",
    "a branch on folded numbers": "if 0.1 + 0.2 > 0.3:\n        output(q[0])",
    "a branch on a rest": "if 1 % 0.1 > 0:\n        output(q[0])",
    "a branch on a quotient": "if 1 / 49 * 49 < 1:\n        output(q[0])",
    "a branch through variables": "a = 1 / 49\n    b = a * 49\n    if b < 1:\n        output(q[0])",
    "a branch in a repeated loop": "s = 0.0\n    for k in range(10):\n        s += 0.1\n"
    "    if s < 1:\n        output(q[0])",
    "a branch on a parameter": "if epsilon + 0.1 + 0.2 > epsilon + 0.3:\n        output(q[0])",
    "a branch on data, both sides of nothing": "for x in q:\n        a = x + 0.1 + 0.2\n"
    "        if a > 0.3 and not x + 0.3 > 0.3:\n            output(x)",
    "constants that differ by a bit": "if q[0] > 0:\n        v = 0.1 + 0.2\n    else:\n"
    "        v = 0.3\n    output(v)",
    "parameters that differ by a bit": "if q[0] > 0:\n        v = epsilon + 0.1 + 0.2\n"
    "    else:\n        v = epsilon + 0.3\n    output(v)",
    "or, which gives a number": "for x in q:\n        output(x or True)",
    "and, which gives a number": "for x in q:\n        output(True and (x or True))",
    "truths that add up": "a = q[0] + 0 * laplace(1) > 0\n    output(a + a - 2 * a)",
}


def number_text(body: str) -> str:
    """Return the module of a program that is private in real numbers alone."""
    return HEAD.replace("exponential", "discrete_laplace") + (
        f"\ndef honest(q, epsilon=1.0):\n    {body}\n    output(1)\n"
    )


def is_proved(function: Any) -> bool:
    """Return whether a program is proved; a refusal is none."""
    try:
        found = decide(function, steps=400_000)
    except UsageError:
        return False
    return found.verdict == "proved"


def proved() -> list[str]:
    """Return the programs that are proved, and ``honest`` where it is not."""
    found = [words for words, make in RUNNING.items() if is_proved(make())]
    honest = module().honest
    for words, (of, name, value) in PATCHES.items():
        with patched(of, name, value):
            result = is_proved(honest)
        found += [words] * result
    found += [w for w, body in NUMBERS.items() if is_proved(module(number_text(body)).honest)]
    return found if is_proved(honest) else [*found, "honest is not"]


def rows() -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table."""
    found = proved()
    yield "| kind of program | programs | proved |", True
    yield "|---|---|---|", True
    for kind, of in (
        ("the running code is not the source", (*RUNNING, *PATCHES)),
        ("private in real numbers, not in floating point", NUMBERS),
    ):
        wrong = [one for one in found if one in of]
        yield f"| {kind} | {len(of)} | {len(wrong)} {'; '.join(wrong)} |", not wrong
    yield "", True
    yield "The program that they are made from is proved.", "honest is not" not in found
