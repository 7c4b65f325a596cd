"""What the table says of a library's noise is held against draws of it."""

import functools
import random
from collections.abc import Callable
from typing import Any

import diffprivlib.mechanisms as diffprivlib
import numpy as np
import opendp.prelude as dp
import pytest
import scipy.stats

from provado.mechanisms import UsageError
from provado.mechanisms.programs.noise_calls import (
    NOISE_CALLS,
    LibraryNoise,
    dotted_name,
    noise_call,
)

RNG = np.random.default_rng(5)
OLD = np.random.RandomState(5)
PLAIN = random.Random(5)
REALS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)

CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    *[(getattr(g, name), (2.0, 0.5), {}) for g in (RNG, OLD) for name in ("laplace", "normal")],
    (RNG.laplace, (), {"scale": 3.0}),
    (RNG.gumbel, (1.0,), {"scale": 3.0}),
    (OLD.gumbel, (), {}),
    (RNG.standard_normal, (), {}),
    (OLD.standard_normal, (), {}),
    (OLD.randn, (), {}),
    (RNG.exponential, (2.0,), {}),
    (OLD.exponential, (), {}),
    (RNG.standard_exponential, (), {}),
    (OLD.standard_exponential, (), {}),
    (RNG.geometric, (0.25,), {}),
    (OLD.geometric, (), {"p": 0.5}),
    (PLAIN.gauss, (1, 2), {}),
    (PLAIN.normalvariate, (), {"sigma": 3}),
    (PLAIN.expovariate, (4,), {}),
    (scipy.stats.laplace.rvs, (1, 2), {"random_state": OLD}),
    (scipy.stats.norm.rvs, (), {"scale": 2, "random_state": OLD}),
    (scipy.stats.expon.rvs, (), {"scale": 2, "random_state": OLD}),
    (scipy.stats.gumbel_r.rvs, (3,), {"random_state": OLD}),
    (scipy.stats.dlaplace.rvs, (0.8,), {"loc": 2, "random_state": OLD}),
    (diffprivlib.Laplace, (), {"epsilon": 2, "sensitivity": 3, "random_state": 1}),
    (diffprivlib.Geometric, (), {"epsilon": 1, "random_state": 1}),
    (
        diffprivlib.Gaussian,
        (),
        {"epsilon": 0.5, "delta": 0.01, "sensitivity": 1, "random_state": 1},
    ),
    (dp.m.make_laplace, REALS, {"scale": 2.0}),
    (dp.m.make_gaussian, (*REALS, 2.0), {}),
]

LAWS: dict[str, Any] = {
    "laplace": scipy.stats.laplace,
    "gaussian": scipy.stats.norm,
    "exponential": scipy.stats.expon,
    "gumbel": scipy.stats.gumbel_r,
}


def draw(call: LibraryNoise, function: Callable[..., Any], args: Any, options: Any) -> Any:
    """Return a function that draws once, the second call made with 5."""
    if not call.then:
        return functools.partial(function, *args, **options)
    made = function(*args, **options)
    return functools.partial(getattr(made, call.method) if call.method else made, 5)


@pytest.mark.parametrize(("function", "args", "options"), CALLS)
def test_draws_have_the_law_of_the_table(
    function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    call = noise_call(function)
    assert call is not None
    dp.enable_features("contrib")
    bound = call.bind(args, options)
    if call.then:
        bound |= call.bind_second((5,), {})
    scale, location = (call.value(one, bound) for one in (call.scale, call.location))
    one = draw(call, function, args, options)
    values = np.array([np.ravel(one())[0] for _ in range(1500)], dtype=float)
    if call.kind in LAWS:
        law = LAWS[call.kind](loc=location, scale=scale)
        assert scipy.stats.kstest(values, law.cdf).pvalue > 1e-4
        return
    geometric = call.kind == "geometric"
    law = scipy.stats.geom(scale) if geometric else scipy.stats.dlaplace(1 / scale, loc=location)
    points = np.arange(values.min(), values.max() + 1)
    apart = np.abs([np.mean(values <= x) - law.cdf(x) for x in points])
    assert apart.max() < 0.06


def test_every_row_is_held_against_draws() -> None:
    assert {dotted_name(function) for function, *_ in CALLS} == NOISE_CALLS.keys()


def test_what_draws_no_known_noise_is_not_in_the_table() -> None:
    class Mine(np.random.Generator):
        pass

    def laplace() -> None: ...

    laplace.__module__, laplace.__qualname__ = "numpy.random", "laplace"
    others = (Mine(np.random.PCG64()).laplace, laplace, scipy.stats.norm(0, 1).rvs, len, None, 3)
    assert not any(map(noise_call, others))


def test_arguments_that_change_the_noise_are_refused() -> None:
    call = NOISE_CALLS["diffprivlib.mechanisms.laplace.Laplace"]
    assert call.bind((), {"epsilon": 1, "delta": 0, "sensitivity": 1})["delta"] == 0
    with pytest.raises(UsageError, match=r"delta=0.1 of laplace noise"):
        call.bind((), {"epsilon": 1, "delta": 0.1, "sensitivity": 1})
    with pytest.raises(UsageError, match=r"missing a required"):
        call.bind((), {"epsilon": 1})
