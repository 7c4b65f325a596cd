"""Broken versions of sparse vector, report noisy max and k-ary randomized response.

None of them is ε-differentially private for all parameters, so that none may be proved. They are
texts made of the sound program by one replacement each, which shows what is wrong.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import programs

SPARSE_VECTOR = """
def sparse_vector(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        noisy = x + laplace(4 * count / epsilon)
        if noisy >= noisy_threshold:
            output(True)
            found += 1
        else:
            output(False)
        if found >= count:
            break
"""

NOISY_MAX = """
def noisy_max(q, epsilon):
    best = 0
    largest = 0.0
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if i == 0 or noisy > largest:
            best = i
            largest = noisy
    output(best)
"""

RESPONSE = """
def response(x: int, epsilon):
    if bernoulli(exp(epsilon) / (exp(epsilon) + 3)):
        output(x)
    else:
        other = integers(3)
        if other >= x:
            other += 1
        output(other)
"""

_QUERY = "x + laplace(4 * count / epsilon)"
_DRAWN = "noisy_threshold = threshold + laplace(2 / epsilon)\n"

CHANGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    SPARSE_VECTOR: (
        ("half the noise on the threshold", "laplace(2 / epsilon)", "laplace(1 / epsilon)"),
        ("half the noise on answers", "4 * count", "2 * count"),
        ("noise that does not grow with the count", "4 * count / epsilon", "4 / epsilon"),
        ("no cut-off", "        if found >= count:\n            break\n", ""),
        ("no noise on the threshold", "threshold + laplace(2 / epsilon)", "threshold"),
        ("no noise on answers", _QUERY, "x"),
        ("the noisy answer is told", "output(True)", "output(noisy)"),
        ("the answer is told", "output(True)", "output(x)"),
        ("one draw for all answers", _QUERY, "x + shared"),
        ("the threshold's noise on answers", _QUERY, "x + noisy_threshold - threshold"),
        ("one more than the count", "found >= count:", "found > count:"),
        ("the count starts again", "output(False)", "output(False)\n            found = 0"),
        ("the threshold is told", "output(True)", "output(noisy_threshold)"),
        (
            "noise for large answers only",
            _QUERY,
            "x + laplace(4 * count / epsilon) if x > 0 else x",
        ),
        ("the answer decides the end", "found >= count:", "x >= threshold:"),
        ("exponential noise of half the scale", "laplace(4 * count", "exponential(2 * count"),
    ),
    NOISY_MAX: (
        ("half the noise", "2 / epsilon", "1 / epsilon"),
        ("no noise", "x + laplace(2 / epsilon)", "x"),
        ("the value is told", "output(best)", "output(largest)"),
        ("the value is told, too", "output(best)", "output(best)\n    output(largest)"),
        ("one draw for all", "x + laplace(2 / epsilon)", "x + shared"),
        ("noise on some", "x + laplace(2 / epsilon)", "x + laplace(2 / epsilon) if i > 0 else x"),
        ("the answer is kept", "largest = noisy", "largest = x"),
        ("the answer is compared", "noisy > largest", "x > largest"),
        ("whether it is large is told", "output(best)", "output(best)\n    output(largest > 0)"),
        ("each step is told", "largest = noisy", "largest = noisy\n            output(i)"),
        (
            "noise for large answers only",
            "x + laplace(2 / epsilon)",
            "x + laplace(2 / epsilon) if x > 0 else x",
        ),
        ("the last answer counts twice", "noisy > largest", "noisy + x > largest"),
        ("exponential noise of half the scale", "laplace(2 / epsilon)", "exponential(1 / epsilon)"),
        ("the answer of the best is told", "best = i", "best = x"),
    ),
    RESPONSE: (
        ("the truth too often", "(exp(epsilon) + 3)", "(exp(epsilon) + 2)"),
        ("as if there were two values", "(exp(epsilon) + 3)", "(exp(epsilon) + 1)"),
        (
            "twice the ε",
            "exp(epsilon) / (exp(epsilon) + 3)",
            "exp(2 * epsilon) / (exp(2 * epsilon) + 3)",
        ),
        ("always the truth", "output(other)", "output(x)"),
        ("never one value", "integers(3)", "integers(2)"),
        ("the coin is told", "        output(x)\n", "        output('heads')\n        output(x)\n"),
        ("twice", "output(other)", "output(other)\n    output(x)"),
        ("a lie where the truth is small", "if other >= x:", "if other > x:"),
        (
            "a lie that is the next value",
            "        other = integers(3)\n        if other >= x:\n            other += 1\n",
            "        other = x + 1 if x < 3 else 0\n",
        ),
        (
            "a lie for one value only",
            "    else:\n",
            "    elif x == 0:\n        output(0)\n    else:\n",
        ),
        ("one value is always told", "if bernoulli(", "if x == 0 or bernoulli("),
        (
            "the coin is thrown twice",
            "        output(x)\n",
            "        output(x)\n        output(x if bernoulli(1 / 2) else 0)\n",
        ),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """A broken program: what is wrong with it, and the function."""

    of: str
    words: str
    program: Callable[..., Any]


def compiled(text: str, name: str) -> Callable[..., Any]:
    """Return the function of a text, whose source Python can find again."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {n: getattr(programs, n) for n in programs.__all__}
    scope["exp"] = math.exp
    exec(compile(text, file, "exec"), scope)
    found: Callable[..., Any] = next(
        value
        for key, value in scope.items()
        if key in text and getattr(value, "__code__", None) and value.__code__.co_filename == file
    )
    return found


def mutants() -> list[Mutant]:
    """Return all of them."""
    result = []
    for text, changes in CHANGES.items():
        of = text.split("(")[0].removeprefix("\ndef ")
        for k, (words, old, new) in enumerate(changes):
            if old not in text:
                raise AssertionError(f"{of}: {words}: {old!r} is not there")
            broken = text.replace(old, new)
            if "shared" in new:
                head, _, rest = broken.partition("\n    for ")
                scale = "4 * count" if of == "sparse_vector" else "2"
                broken = f"{head}\n    shared = laplace({scale} / epsilon)\n    for {rest}"
            result.append(Mutant(of, words, compiled(broken, f"{of} {k}")))
    return result
