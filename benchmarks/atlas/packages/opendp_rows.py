"""opendp: measurements, whose privacy map states ε or δ."""

import itertools
import math

import opendp.prelude as dp
from atlas_row import Rows, discrete_laplace, least_epsilon, response

PACKAGE = {"name": "opendp", "version": "0.16.0", "what": "measurements with a privacy map"}

dp.enable_features("contrib")
rows = Rows(PACKAGE, "absolute distance of 1")
LAP = "Make a Measurement that adds noise from the Laplace(`scale`) distribution to the input."
INTEGER = dp.atom_domain(T=int), dp.absolute_distance(T=int)
DOUBLE = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def whole(value, **clamped):
    """Return the probabilities of discrete Laplace noise of scale 1."""
    return discrete_laplace(value, 1.0, **clamped)


def chosen(scores, scale=1.0, count=1):
    """Return the probabilities of the places of the highest scores, with Gumbel noise."""
    weights, found = [math.exp(one / scale) for one in scores], {}
    for places in itertools.permutations(range(len(scores)), count):
        left, chance = sum(weights), 1.0
        for place in places:
            chance *= weights[place] / left
            left -= weights[place]
        found[places] = chance
    return found


def measured(key, made, pairs, claim, name, relation=None, distance=1, table=None):
    """Declare a measurement with the ε of its own map.

    table: from a dataset to the probabilities of its outputs, by what the noise is said to be.
    """

    def exact():
        return max(least_epsilon(*map(table, pair)) for pair in pairs), "tables of probabilities"

    def release(data):
        return made(data)

    release.__name__ = key
    rows.row(
        f"`{name}`",
        epsilon=float(made.map(distance)),
        exact=table and exact,
        pairs=pairs,
        relation=relation,
        claim=claim,
        place=f"opendp.measurements.{name}, docstring; ε from `.map({distance})`",
    )(release)


NUMBERS = [[0, 1]]
measured(
    "laplace_integer",
    dp.m.make_laplace(*INTEGER, 1.0),
    NUMBERS,
    LAP,
    "make_laplace",
    table=whole,
)
measured("laplace_double", dp.m.make_laplace(*DOUBLE, 1.0), [[0.0, 1.0]], LAP, "make_laplace")
measured(
    "geometric",
    dp.m.make_geometric(*INTEGER, 1.0),
    NUMBERS,
    "Equivalent to `make_laplace` but restricted to an integer support.",
    "make_geometric",
    table=whole,
)
measured(
    "geometric_bounded",
    dp.m.make_geometric(*INTEGER, 1.0, bounds=(0, 3)),
    [[0, 1], [1, 2]],
    "Equivalent to `make_laplace` but restricted to an integer support.",
    "make_geometric",
    table=lambda one: whole(one, low=0, high=3),
)
ANSWER = "the answer of one person"
measured(
    "response_bool",
    dp.m.make_randomized_response_bool(0.75),
    [[False, True]],
    "Make a Measurement that implements randomized response on a boolean value.",
    "make_randomized_response_bool",
    ANSWER,
    table=lambda one: response(one, (False, True), 0.75),
)
measured(
    "response",
    dp.m.make_randomized_response(["a", "b", "c"], 0.6),
    [["a", "b"]],
    "Make a Measurement that implements randomized response on a categorical value.",
    "make_randomized_response",
    ANSWER,
    table=lambda one: response(one, "abc", 0.6),
)
SCORES = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
measured(
    "noisy_max",
    dp.m.make_noisy_max(*SCORES, dp.max_divergence(), 1.0),
    [[[1, 0, 0], [0, 1, 1]]],
    "Make a Measurement that takes a vector of scores and privately selects the index of the "
    "highest score.",
    "make_noisy_max",
    "scores that move by at most 1",
    table=chosen,
)
measured(
    "noisy_top_k",
    dp.m.make_noisy_top_k(*SCORES, dp.max_divergence(), 2, 2.0),
    [[[1, 0, 0], [0, 1, 1]]],
    "Make a Measurement that takes a vector of scores and privately selects the index of the "
    "highest score.",
    "make_noisy_top_k",
    "scores that move by at most 1",
    table=lambda scores: chosen(scores, 2.0, 2),
)
COUNT = dp.t.make_count(
    dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
) >> dp.m.then_laplace(1.0)
measured(
    "count",
    COUNT,
    [[[1.0, 2.0], [1.0, 2.0, 3.0]]],
    LAP,
    "make_count, then_laplace",
    "add-or-remove-one",
)
SUM = dp.t.make_sum(
    dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0), nan=False), size=4),
    dp.symmetric_distance(),
) >> dp.m.then_laplace(1.0)
measured(
    "sized_sum",
    SUM,
    [[[0.0, 0.1, 0.2, 0.3], [1.0, 0.1, 0.2, 0.3]]],
    LAP,
    "make_sum, then_laplace",
    "replace-one, the size is public",
    2,
)
