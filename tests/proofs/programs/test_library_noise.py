"""Noise of NumPy and of ``random`` is read as the language's own."""

import random

# ruff: noqa: NPY002
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from provado.mechanisms.programs import exponential, gaussian, laplace
from provado.proofs.programs.read.expressions import LanguageError
from provado.proofs.programs.read.parse import read_program


def located(q, epsilon=1.0):
    return np.random.laplace(q[0], 1 / epsilon)


def by_name(q, epsilon=1.0):
    return np.random.laplace(scale=1 / epsilon, loc=q[0])


def own_laplace(q, epsilon=1.0):
    return q[0] + laplace(1 / epsilon)


def normal(q, sigma=1.0):
    return np.random.normal(q[0], sigma)


def gauss(q, sigma=1.0):
    return random.gauss(q[0], sigma)


def own_gaussian(q, sigma=1.0):
    return q[0] + gaussian(sigma)


def one_sided(q, epsilon=1.0):
    return 0 + np.random.exponential(2 / epsilon)


def rate(q, epsilon=1.0):
    return 0 + random.expovariate(epsilon / 2)


def own_exponential(q, epsilon=1.0):
    return 0 + exponential(2 / epsilon)


PAIRS = [
    (located, own_laplace),
    (by_name, own_laplace),
    (normal, own_gaussian),
    (gauss, own_gaussian),
]


@pytest.mark.parametrize(("library", "own"), PAIRS)
def test_a_draw_of_a_library_is_read_as_our_own(library: Any, own: Any) -> None:
    assert read_program(library).steps == shifted(read_program(own).steps, library, own)


def shifted(steps: Any, library: Any, own: Any) -> Any:
    """Return steps with the line that they have in the other function."""
    from dataclasses import replace

    by = library.__code__.co_firstlineno - own.__code__.co_firstlineno
    return tuple(replace(s, line=s.line + by) if hasattr(s, "line") else s for s in steps)


def test_a_rate_is_the_inverse_of_a_scale() -> None:
    (drawn, *_), (own, *_) = (read_program(f).steps for f in (one_sided, own_exponential))
    assert drawn.value.right.right == own.value.right  # type: ignore[union-attr]
    (by_rate, *_) = read_program(rate).steps
    assert "epsilon" in repr(by_rate.value.right.right.scale)  # type: ignore[union-attr]
    assert by_rate.value.right.right.kind == "exponential"  # type: ignore[union-attr]


def seeded(q, epsilon=1.0):
    np.random.seed(0)
    return np.random.laplace(q[0], 1 / epsilon)


def many(q, epsilon=1.0):
    return q[0] + np.random.laplace(0, 1 / epsilon, size=3)


def of_data(q, epsilon=1.0):
    return np.random.laplace(0, q[0])


def starred(q, epsilon=1.0):
    return np.random.laplace(*q)


def too_many(q, epsilon=1.0):
    return np.random.laplace(0, 1, None, 3)


def unknown(q, epsilon=1.0):
    return q[0] + np.random.gumbel(0, 1)


REFUSED: dict[Callable[..., Any], str] = {
    seeded: "np.random.seed(0) is not in the language: leave it out",
    many: "draws one number at a time here: leave size out",
    of_data: "a scale depends on parameters and numbers alone",
    starred: "takes its arguments one by one",
    too_many: "the arguments of the noise",
    unknown: "np.random.gumbel draws noise that is not in the language",
}


@pytest.mark.parametrize("program", REFUSED)
def test_another_call_of_it_is_refused_with_its_line(program: Callable[..., Any]) -> None:
    with pytest.raises(LanguageError, match=r"line \d+: ") as refused:
        read_program(program)
    assert REFUSED[program] in str(refused.value)
