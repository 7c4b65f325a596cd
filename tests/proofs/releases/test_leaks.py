"""Functions that return the data by ways on which no noise stands: none is proved."""

from __future__ import annotations

import contextlib
import functools
import math
import operator
import random
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

from provado.mechanisms.programs import laplace
from provado.proofs import prove
from provado.proofs.releases import decide, sources
from provado.proofs.sensitivity.trace import python, rewrite, run

RNG = np.random.default_rng()


def member_of_data(x):
    return RNG.choice(x)


def one_of_two_sums(x):
    return random.choice([x.sum(), 2 * x.sum()])


def inside_a_tuple(x):
    return random.choices([(1, x.sum()), (2, x.max())])[0]


def as_many_as_the_sum(x):
    return RNG.choice(math.ceil(x.sum()))


def weighed_sums(x):
    weights = np.exp(np.array([x.mean(), x.max()]))
    return RNG.choice([x.sum(), x.max()], p=weights / weights.sum())


def number_for_a_place(x):
    weights = np.exp(np.array([x.mean(), x.max()]))
    return [0, 0, x.sum(), x.sum()][RNG.choice([2, 3], p=weights / weights.sum())]


def digits_of_data(x):
    return round(x.sum() + laplace(1), int(x.sum()))


def type_by_match(x):
    match x:
        case np.ndarray():
            return x.sum()
    return 0


def list_by_match(x):
    match x.tolist():
        case [first, *_]:
            return first
    return 0


def is_true(x):
    return x.sum() if (float(x.sum() + laplace(1)) < 100) is True else 0


TWO = 2


def is_a_number(x):
    # Python keeps one object for each small number.
    return x.sum() if int(x[0] * 2) is TWO else 0


def is_a_number_in_a_chain(x):
    return x.sum() if int(x[0] * 2) is [TWO][0] is not None else 0


def is_the_other(x):
    first, second = x[0], x[1]
    return x.sum() if first is second else 0


def is_by_operator(x):
    return x.sum() if operator.is_(int(x[0] * 2), TWO) else 0


def by_identity(x):
    return x.sum() if id(int(x[0] * 2)) == id(TWO) else 0


def by_class(x):
    return x.sum() if x.__class__.__name__ == "ndarray" else 0


@functools.singledispatch
def by_type(x):
    return 0


by_type.register(np.ndarray, np.sum)


def dispatched(x):
    return by_type(x)


def is_scalar(x):
    return x.sum() if np.isscalar(x.sum()) else 0


def caught_error(x):
    try:
        laplace(1) ** 2
    except TypeError:
        return 0
    return x.sum()


def suppressed_error(x):
    with contextlib.suppress(TypeError):
        laplace(1) ** 2
        return x.sum()
    return 0


def swallowed_error(x):
    found = 0
    while True:
        try:
            found = laplace(1) ** 2 * 0 + x.sum()
        finally:
            break  # noqa: B012
    return found


def has_strides(x):
    noisy = np.array([x.sum(), x.max()]) + RNG.laplace(size=2)
    return x.sum() if hasattr(noisy, "strides") else noisy


LEAKS = {
    member_of_data: "a choice among what may depend on the data",
    one_of_two_sums: "a choice among what may depend on the data",
    inside_a_tuple: "a choice among what may depend on the data",
    as_many_as_the_sum: "a choice among what may depend on the data",
    weighed_sums: "a choice among what may depend on the data",
    number_for_a_place: "stands for a place in a list",
    digits_of_data: "the way that the program takes depends on the data",
    type_by_match: "compare it with ==",
    list_by_match: "compare it with ==",
    is_true: "compare it with ==",
    is_a_number: "compare it with ==",
    is_a_number_in_a_chain: "compare it with ==",
    is_the_other: "compare it with ==",
    is_by_operator: "compare it with ==",
    by_identity: "compare it with ==",
    by_class: "compare it with ==",
    dispatched: "what singledispatch chooses by a type is not followed",
    is_scalar: "do the same for each type",
    caught_error: "an exception inside of try or with is not followed: TypeError",
    suppressed_error: "an exception inside of try or with is not followed: TypeError",
    swallowed_error: "an exception inside of try or with is not followed: TypeError",
    has_strides: "compare it with ==",
}


@pytest.mark.parametrize("function", LEAKS, ids=lambda one: one.__name__)
def test_what_returns_the_data_is_not_proved(function):
    found = prove(function, epsilon=1000, domain=(0.0, 1.0), size=(3, None))
    assert found.verdict == "undecided"
    assert LEAKS[function] in found.reason


GUARDS = {
    member_of_data: (sources, "_may_hold_data", lambda _: False),
    number_for_a_place: (sources, "_members", lambda several: range(len(several))),
    is_a_number: (python, "NAMES", python.NAMES | {"__plain__": lambda value: value}),
    type_by_match: (python, "NAMES", python.NAMES | {"__plain__": lambda value: value}),
    caught_error: (python, "NAMES", python.NAMES | {"__caught__": lambda: None}),
}


@pytest.mark.parametrize("function", GUARDS, ids=lambda one: one.__name__)
def test_without_its_guard_it_would_be_proved(function):
    module, name, weaker = GUARDS[function]
    # Where the function itself is run beside it, most of them are found again.
    beside = mock.patch.object(decide, "misread", return_value="")
    with beside, mock.patch.object(run if name == "NAMES" else module, name, weaker):
        found = prove(function, epsilon=1000, domain=(0.0, 1.0), size=(3, None))
    assert found.verdict == "proved"


def test_code_without_source_that_catches_exceptions_is_refused():
    found: dict = {}
    exec(
        "def caught(x):\n    try:\n        return x.sum() + laplace(1)\n    except TypeError:\n"
        "        return 0\n",
        {"laplace": laplace},
        found,
    )
    claim = {"epsilon": 1, "domain": (0.0, 1.0)}
    assert "no source is found" in prove(found["caught"], **claim).reason
    with mock.patch.object(rewrite, "_GUARDED", set()):
        assert prove(found["caught"], **claim).verdict == "proved"


def careful(x, mode="sum", clip=True, rng=None):
    with np.errstate(all="ignore"):
        y = np.clip(x, 0, 1) if clip is True else x
    match mode:
        case "sum":
            found = y.sum()
        case _:
            found = y.max()
    try:
        return found + rng.laplace()
    finally:
        found = None


def test_what_does_the_same_with_symbols_is_still_proved():
    claim = {"domain": (0.0, 1.0), "size": (3, None)}
    assert prove(careful, epsilon=1, **claim).verdict == "proved"
    assert prove(careful, epsilon=0.99, **claim).verdict == "refuted"


def candidate(x):
    weights = np.exp(np.array([x[:, j].sum() for j in range(3)]) / 2)
    return RNG.choice([10, 20, 30], p=weights / weights.sum())


def test_a_choice_of_a_candidate_costs_what_its_place_costs():
    claim = {"domain": ((0.0, 1.0),) * 3, "size": (3, None)}
    assert prove(candidate, epsilon=1, **claim).verdict == "proved"
    assert prove(candidate, epsilon=0.5, **claim).verdict == "refuted"


MADE_OF_NOISE = {
    "rounded": lambda x: x.sum() + round(laplace(1)),
    "whole": lambda x: int(laplace(1)) + x.sum(),
    "positive": lambda x: x.sum() + abs(laplace(1)),
    "cut off": lambda x: x.sum() - max(laplace(1), 0),
    "cut off on both sides": lambda x: x.sum() + min(max(laplace(1), -3), 3),
    "one of two": lambda x: [x.max() + laplace(1), x.sum() + abs(laplace(1))],
}


@pytest.mark.parametrize("kind", MADE_OF_NOISE)
def test_what_is_made_of_noise_before_it_is_added_is_named(kind):
    found = prove(MADE_OF_NOISE[kind], epsilon=1000, domain=(0.0, 1.0), size=(3, None))
    line = MADE_OF_NOISE[kind].__code__.co_firstlineno
    assert found.verdict == "undecided"
    assert f"what is made of the noise of line {line} (rounded" in found.reason


def test_noise_added_to_nothing_is_not_named_where_none_is():
    found = prove(lambda x: (x.sum(), laplace(1)), epsilon=1, domain=(0.0, 1.0))
    assert "noise of line" not in found.reason


def scale_of_an_output(x, rng):
    first = x.sum() + rng.normal()
    return first, x.max() + rng.normal(0, max(1, first))


def scale_of_a_parameter(x, rng, scale):
    return x.sum() + rng.laplace(0, scale)


def test_a_scale_that_is_no_number_is_held_against_its_least():
    claim = {"domain": (0.0, 1.0), "size": (3, None)}
    assert prove(scale_of_an_output, mu=Fraction("1.4143"), **claim).verdict == "proved"
    assert prove(scale_of_an_output, mu=Fraction("1.41"), **claim).verdict == "undecided"
    between = {"parameters": {"scale": (1.0, 2.0)}, **claim}
    assert prove(scale_of_a_parameter, epsilon=1, **between).verdict == "proved"
    assert prove(scale_of_a_parameter, epsilon=0.99, **between).verdict == "undecided"
