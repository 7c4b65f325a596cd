"""Hypothesis strategies and slow, plain twins for the tests of causal models."""

import math
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from provado.proofs.causal.finite_mechanism import FiniteMechanism
from provado.proofs.causal.model import Equation, Population, attribute_names, structural_model


@st.composite
def laws(draw, size, *, zeros=True, most=8):
    weights = draw(st.lists(st.integers(0 if zeros else 1, most), min_size=size, max_size=size))
    if not any(weights):
        weights[draw(st.integers(0, size - 1))] = 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


@st.composite
def mechanisms(draw, *, most_points=3, most_values=3, most_outputs=3, zeros=True):
    n = draw(st.integers(1, most_points))
    values = draw(st.integers(1, most_values))
    outputs = draw(st.integers(1, most_outputs))
    domains = (tuple(range(values)),) * n
    table = {d: draw(laws(outputs, zeros=zeros)) for d in product(*domains)}
    return FiniteMechanism(domains, tuple(range(outputs)), table)


@st.composite
def populations(draw, mechanism):
    weights = draw(laws(len(mechanism.datasets), most=4))
    names = attribute_names(mechanism.n)
    return Population(names, dict(zip(mechanism.datasets, weights, strict=True)))


@st.composite
def cases(draw, **sizes):
    mechanism = draw(mechanisms(**sizes))
    return mechanism, draw(populations(mechanism))


@st.composite
def models(draw):
    """Two background variables and three others, with random parents among those before."""
    ranges = {"U": (0, 1), "V": (0, 1, 2)}
    equations = {}
    for name in ("X", "Y", "Z"):
        parents = tuple(p for p in ranges if draw(st.booleans()))
        size = draw(st.integers(1, 3))
        rows = {
            v: dict(enumerate(draw(laws(size)))) for v in product(*(ranges[p] for p in parents))
        }
        ranges[name] = tuple(range(size))
        equations[name] = Equation(parents, lambda *v, rows=rows: rows[v], ranges[name])
    pairs = list(product((0, 1), (0, 1, 2)))
    people = Population(("U", "V"), dict(zip(pairs, draw(laws(6)), strict=True)))
    return structural_model({"U": (0, 1), "V": (0, 1, 2)}, equations), people


def worlds(model, people, do=None):
    """Yield (values of all variables, probability), by plain enumeration."""
    do = do or {}
    names = list(model.ranges)
    for values in product(*(model.ranges[name] for name in names)):
        world = dict(zip(names, values, strict=True))
        background = [name for name in people.names if name not in do]
        weight = sum(
            (
                w
                for key, w in people.weights.items()
                if all(
                    dict(zip(people.names, key, strict=True))[name] == world[name]
                    for name in background
                )
            ),
            Fraction(0),
        )
        for name, value in do.items():
            weight *= world[name] == value
        for name, node in model.nodes.items():
            if name not in do:
                row = dict(node.table[tuple(world[p] for p in node.parents)])
                weight *= row.get(world[name], Fraction(0))
        if weight:
            yield world, weight


def largest_ratio(pairs):
    """Return the largest p/q over pairs of fractions, at least 1; p/0 is infinite, 0/0 nothing."""
    best = Fraction(1)
    for p, q in pairs:
        if q == 0:
            best = math.inf if p else best
        elif best != math.inf:
            best = max(best, p / q)
    return best


def distance(a, b):
    return sum(x != y for x, y in zip(a, b, strict=True))
