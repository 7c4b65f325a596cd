"""Pairs of columns whose cause is known, or that have none, in kinds that mislead.

A kind takes a generator and the number of rows, and returns the cause before its effect. In
``NONE`` neither column causes the other, or both directions describe the rows equally well.
"""

import numpy as np


def _contaminated(r, column):
    rare = r.random(column.size) < 0.01
    return np.where(rare, column + 20 * r.normal(size=column.size), column)


def _pair(draw, effect):
    """Return a kind: the cause by ``draw``, then its effect."""

    def kind(r, n):
        x = np.asarray(draw(r, n), dtype=float)
        return x, np.asarray(effect(x, r, n), dtype=float)

    return kind


def _normal(r, n):
    return r.normal(size=n)


def _uniform(r, n):
    return r.uniform(-1, 1, n)


def _positive(r, n):
    return r.uniform(0.2, 1, n)


def _between(low, high):
    return lambda r, n: r.uniform(low, high, n)


def _whole(levels):
    return lambda r, n: r.integers(0, levels, n)


ADDITIVE = {
    "cubic, uniform": _pair(_uniform, lambda x, r, n: x**3 + x + 0.4 * _uniform(r, n)),
    "cubic, normal": _pair(_normal, lambda x, r, n: x**3 + x + _normal(r, n)),
    "square": _pair(_uniform, lambda x, r, n: x**2 + 0.3 * _uniform(r, n)),
    "line, uniform": _pair(_uniform, lambda x, r, n: x + _uniform(r, n)),
    "line, Laplace": _pair(lambda r, n: r.laplace(size=n), lambda x, r, n: x + r.laplace(size=n)),
    "sine": _pair(_between(-3, 3), lambda x, r, n: np.sin(2 * x) + 0.3 * _normal(r, n)),
    "tanh": _pair(lambda r, n: 2 * _normal(r, n), lambda x, r, n: np.tanh(x) + 0.2 * _normal(r, n)),
    "skewed noise": _pair(_uniform, lambda x, r, n: np.exp(x) + 0.5 * r.exponential(size=n)),
    "skewed": _pair(
        lambda r, n: r.gamma(1, 1, n), lambda x, r, n: np.sqrt(x) + 0.3 * r.gamma(1, 1, n)
    ),
    "clusters": _pair(
        lambda r, n: r.integers(0, 3, n) + 0.2 * _normal(r, n),
        lambda x, r, n: (x - 1) ** 2 + 0.3 * _normal(r, n),
    ),
    "two modes": _pair(
        lambda r, n: np.where(r.random(n) < 0.5, -2, 2) + 0.4 * _normal(r, n),
        lambda x, r, n: 2 * np.tanh(x) + _normal(r, n),
    ),
    "heavy tails": _pair(lambda r, n: r.standard_t(2, n), lambda x, r, n: x + r.standard_t(2, n)),
    "Cauchy cause": _pair(
        lambda r, n: r.standard_cauchy(n), lambda x, r, n: np.tanh(x) + 0.3 * _normal(r, n)
    ),
    "heavy noise": _pair(_normal, lambda x, r, n: x**2 + 0.3 * r.standard_t(1.5, n)),
}

UNEVEN = {
    "noise |x|, normal": _pair(_normal, lambda x, r, n: x + np.abs(x) * _normal(r, n)),
    "noise |x|, uniform": _pair(_uniform, lambda x, r, n: x + np.abs(x) * _uniform(r, n)),
    "noise .3 + .2|x|": _pair(_normal, lambda x, r, n: x + (0.3 + 0.2 * np.abs(x)) * _normal(r, n)),
    "cubic, noise |x|": _pair(
        _normal, lambda x, r, n: x**3 + x + (0.2 + np.abs(x)) * _normal(r, n)
    ),
    "square, noise |x|": _pair(_uniform, lambda x, r, n: x**2 + 0.5 * np.abs(x) * _normal(r, n)),
    "noise x, positive": _pair(_between(0, 1), lambda x, r, n: x + 0.5 * x * _normal(r, n)),
    "noise exp(x/2)": _pair(_normal, lambda x, r, n: x + 0.5 * np.exp(x / 2) * _normal(r, n)),
    "noise that shrinks": _pair(_normal, lambda x, r, n: x + _normal(r, n) / (1 + np.abs(x))),
    "noise in two steps": _pair(
        _normal, lambda x, r, n: x + np.where(x > 0, 1, 0.2) * _normal(r, n)
    ),
    "sine, noise |x|": _pair(
        _between(-3, 3), lambda x, r, n: np.sin(x) + 0.5 * np.abs(x) * _uniform(r, n)
    ),
    "scale alone": _pair(_uniform, lambda x, r, n: x * _normal(r, n)),
    "scale alone, positive": _pair(_positive, lambda x, r, n: x * _normal(r, n)),
    "product, log-normal": _pair(
        lambda r, n: r.lognormal(0, 0.5, n), lambda x, r, n: x * r.lognormal(0, 0.3, n)
    ),
    "product, uniform": _pair(_between(0, 1), lambda x, r, n: x * r.uniform(0.5, 1.5, n)),
    "product, gamma": _pair(lambda r, n: r.gamma(2, 1, n), lambda x, r, n: x * r.gamma(5, 0.2, n)),
    "two mechanisms": _pair(
        _normal, lambda x, r, n: np.where(r.random(n) < 0.5, x, -x) + 0.3 * _normal(r, n)
    ),
    "outliers of the effect": _pair(
        _uniform, lambda x, r, n: _contaminated(r, x + 0.2 * _normal(r, n))
    ),
}

RECORDED = {
    "logarithm": _pair(_between(0.1, 3), lambda x, r, n: np.log(x + 0.5 * r.exponential(size=n))),
    "exponential": _pair(_normal, lambda x, r, n: np.exp(0.5 * (x + 0.5 * _normal(r, n)))),
    "tanh of a sum": _pair(_normal, lambda x, r, n: np.tanh(x**3 / 4 + x + 0.5 * _normal(r, n))),
    "cube of a sum": _pair(_uniform, lambda x, r, n: (x**2 + 0.5 * _uniform(r, n)) ** 3),
    "root of a sum": _pair(_uniform, lambda x, r, n: np.cbrt(x + 0.5 * _uniform(r, n))),
    "censored": _pair(_normal, lambda x, r, n: np.maximum(x + _normal(r, n), 0)),
    "clipped": _pair(_normal, lambda x, r, n: np.clip(x + 0.5 * _normal(r, n), -1, 1)),
    "counts": _pair(_between(0, 3), lambda x, r, n: r.poisson(np.exp(x))),
    "two values of the effect": _pair(
        _normal, lambda x, r, n: r.random(n) < 1 / (1 + np.exp(-2 * x))
    ),
    "five levels of the effect": _pair(
        _normal, lambda x, r, n: np.clip(np.round(x + _normal(r, n)), -2, 2)
    ),
    "rounded effect": _pair(_normal, lambda x, r, n: np.round(x**3 + x + _normal(r, n))),
    "rounded cause": _pair(
        lambda r, n: np.round(4 * _uniform(r, n)) / 4, lambda x, r, n: x**2 + 0.5 * _uniform(r, n)
    ),
    "both rounded": _pair(
        lambda r, n: np.round(2 * _normal(r, n)), lambda x, r, n: np.round(x + 0.8 * _normal(r, n))
    ),
    "age and income": _pair(
        lambda r, n: np.round(r.uniform(18, 80, n)),
        lambda x, r, n: np.round(r.lognormal(10 + 0.3 * np.sin(x / 15), 0.5), -2),
    ),
    "two values of the cause": _pair(_whole(2), lambda x, r, n: x + _normal(r, n)),
    "three values of the cause": _pair(_whole(3), lambda x, r, n: x + 0.5 * _normal(r, n)),
    "four values, uneven noise": _pair(
        _whole(4), lambda x, r, n: x + (0.2 + 0.5 * x) * _normal(r, n)
    ),
    "two values each": _pair(_whole(2), lambda x, r, n: np.where(r.random(n) < 0.3, 1 - x, x)),
}


def _hidden(draw, first, second):
    def kind(r, n):
        h = draw(r, n)
        return first(h, r, n), second(h, r, n)

    return kind


NONE = {
    "normal": _pair(_normal, lambda x, r, n: x + _normal(r, n)),
    "log-normal": _hidden(
        _normal, lambda h, r, n: np.exp(h), lambda h, r, n: np.exp(0.7 * h + 0.7 * _normal(r, n))
    ),
    "independent": _pair(lambda r, n: r.exponential(size=n), lambda x, r, n: _uniform(r, n)),
    "multiple": _pair(_uniform, lambda x, r, n: 2 * x),
    "hidden, normal": _hidden(
        _normal, lambda h, r, n: h + _normal(r, n), lambda h, r, n: h + _normal(r, n)
    ),
    "hidden, uniform": _hidden(
        _uniform, lambda h, r, n: h + 0.4 * _uniform(r, n), lambda h, r, n: h + 0.4 * _uniform(r, n)
    ),
    "hidden, square": _hidden(
        _normal, lambda h, r, n: h + 0.5 * _normal(r, n), lambda h, r, n: h**2 + 0.5 * _normal(r, n)
    ),
    "hidden, scale": _hidden(
        _normal, lambda h, r, n: h + 0.3 * _normal(r, n), lambda h, r, n: np.abs(h) * _normal(r, n)
    ),
    "hidden, both scales": _hidden(
        lambda r, n: r.lognormal(0, 0.7, n),
        lambda h, r, n: h * _normal(r, n),
        lambda h, r, n: h * _normal(r, n),
    ),
    "ring": _hidden(
        _between(0, 2 * np.pi),
        lambda h, r, n: np.cos(h) + 0.1 * _normal(r, n),
        lambda h, r, n: np.sin(h) + 0.1 * _normal(r, n),
    ),
    "rotated": lambda r, n: tuple(np.array([[1, 1], [1, -1]]) @ r.uniform(-1, 1, (2, n))),
}

KINDS = ADDITIVE | UNEVEN | RECORDED | NONE


def pair_of(kind, seed, rows):
    """Return both columns, and whether the first is the cause; ``None`` where none is."""
    r = np.random.default_rng([seed, rows, list(KINDS).index(kind)])
    columns = KINDS[kind](r, rows)
    swapped = bool(r.integers(2))
    return *columns[:: -1 if swapped else 1], None if kind in NONE else not swapped
