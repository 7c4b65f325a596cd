"""Audits from claim to verdict."""

import dataclasses
import functools
import math
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

from provado.audit import audit
from provado.audit.bounds import epsilon_lower
from provado.audit.bounds.alpha_spending import RESERVE
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.pipeline import one_pair
from provado.audit.pipeline.explore import Clock, explore
from provado.audit.target.call import Target
from provado.audit.target.random_state import held_generators
from provado.mechanisms import (
    ApproximateDP,
    BoundedAnswers,
    Mechanism,
    PureDP,
    ReplaceOne,
    Source,
    UsageError,
    Verdict,
)
from provado.mechanisms.textbook.gaussian import analytic_sigma, gaussian
from provado.mechanisms.textbook.laplace import MECHANISMS as LAPLACE
from tests.audit.audited_mechanisms import grid_laplace, one_at_a_time, truthful

SOURCE = Source("a test", "here")


def statement(run=truthful, **more):
    return Mechanism(
        **{
            "name": "test/truthful",
            "run": run,
            "promise": PureDP(1.0),
            "relation": ReplaceOne(),
            "pairs": ((0, 1),),
            "source": SOURCE,
            "expected": Verdict.NO_VIOLATION,
            "summary": "A test.",
        }
        | more
    )


def test_a_claim_that_holds_is_not_violated_and_nearly_reached():
    result = audit(truthful, epsilon=1.0, pair=(0, 1), samples=100_000, seed=1)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.reason == ""
    assert 0.97 < result.epsilon_lower < 1
    assert 1 < result.pairs[0].detectable_epsilon < 1.05


@pytest.mark.parametrize("stop_early", [False, True])
def test_a_claim_that_fails_is_a_violation(stop_early):
    result = audit(
        truthful, epsilon=0.8, pair=(0, 1), samples=100_000, stop_early=stop_early, seed=1
    )
    assert result.verdict is Verdict.VIOLATION
    assert 0.8 < result.epsilon_lower < 1


def test_the_result_is_consistent_with_its_counts():
    result = audit(
        grid_laplace, epsilon=0.5, pair=[(0.0, 1.0), (0.0, 0.25)], samples=30_000, confidence=0.9
    )
    assert [pair.index for pair in result.pairs] == [0, 1]
    for pair in result.pairs:
        # All of the pair's alpha but what is kept for an experiment that is cut short.
        assert pair.method.alpha == pytest.approx(0.05 * (1 - RESERVE))
        assert pair.counts.trials == pair.planned_trials == 30_000
        assert pair.explored_trials >= 30_000
        assert pair.epsilon_lower == epsilon_lower(pair.counts, pair.method)
        assert pair.detectable_epsilon == detectable_epsilon(pair.counts, pair.method, 0.5)
        assert pair.verdict == (
            Verdict.VIOLATION if pair.epsilon_lower > 0.5 else Verdict.NO_VIOLATION
        )
        assert pair.effects[0].hits == pair.counts.d_guessed_d
    assert result.best is result.pairs[0]
    assert result.counts == result.pairs[0].counts
    assert [pair.verdict for pair in result.pairs] == [Verdict.VIOLATION, Verdict.NO_VIOLATION]
    assert result.verdict is Verdict.VIOLATION


def test_a_result_is_frozen():
    result = audit(truthful, epsilon=1.0, pair=(0, 1), samples=100)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.verdict = Verdict.VIOLATION


def test_the_witness_says_when_which_is_guessed():
    result = audit(
        lambda data, *, size, rng: truthful(data[1], size=size, rng=rng),
        epsilon=1.0,
        pair=([5, 0], [5, 1]),
        relation=ReplaceOne(),
        samples=5000,
    )
    witness = result.witness
    assert (witness.d, witness.d_prime) == ("[5, 0]", "[5, 1]")
    assert witness.difference == "D′ = do(D[1] = 1)"
    assert witness.guess_d == "the output is 0"
    assert witness.guess_d_prime == "the output is 1"
    assert witness.examples_d == ("0",)
    assert witness.examples_d_prime == ("1",)
    assert result.relation == "replace-one"


def test_a_statement_brings_claim_pairs_relation_and_name():
    result = audit(statement(true_epsilon=1.0, tags=("t",), seedable=False), samples=5000)
    assert (result.name, result.epsilon, result.delta) == ("test/truthful", 1.0, 0.0)
    assert (result.promise, result.relation) == ("1-DP", "replace-one")
    assert (result.source, result.summary) == ("a test, here", "A test.")
    assert (result.expected, result.true_epsilon) == (Verdict.NO_VIOLATION, 1.0)
    assert (result.tags, result.seedable) == (("t",), False)
    assert not result.surprising


def test_arguments_go_before_the_statement():
    result = audit(statement(), epsilon=0.5, pair=(1, 0), name="mine", samples=20_000)
    assert (result.name, result.epsilon, result.witness.d) == ("mine", 0.5, "1")
    assert result.verdict is Verdict.VIOLATION
    assert result.surprising
    approximate = audit(statement(promise=ApproximateDP(1.0, 0.1)), samples=5000)
    assert (approximate.epsilon, approximate.delta) == (1.0, 0.1)
    assert approximate.pairs[0].method.name == "betting"


def test_a_statement_without_pairs_needs_one():
    with pytest.raises(UsageError, match=r"^pair"):
        audit(statement(pairs=()), samples=100)
    assert audit(statement(pairs=()), pair=(0, 1), samples=100).pairs


def test_the_bits_of_floating_point_laplace_are_found():
    floating = next(m for m in LAPLACE if m.name == "laplace/floating-point")
    result = audit(floating, samples=400_000)
    assert result.verdict is Verdict.VIOLATION
    assert result.epsilon_lower > 7
    assert not result.surprising


def test_an_early_stop_draws_no_more_than_it_needs():
    result = audit(one_at_a_time, epsilon=0.2, pair=(0, 1), samples=60_000, stop_early=True, seed=1)
    (pair,) = result.pairs
    assert result.verdict is Verdict.VIOLATION
    assert pair.counts.trials < pair.planned_trials == 60_000
    assert pair.method.name == "betting"
    honest = audit(one_at_a_time, epsilon=1.0, pair=(0, 1), samples=20_000, stop_early=True, seed=1)
    assert honest.counts.trials == 20_000
    assert honest.verdict is Verdict.NO_VIOLATION


def test_seconds_plan_the_budget(ticking):
    ticking(1e-4)
    result = audit(one_at_a_time, epsilon=1.0, pair=(0, 1), seconds=4.0)
    (pair,) = result.pairs
    assert pair.planned_trials == result.samples == pair.counts.trials
    assert pair.planned_trials >= 200
    # A tenth of a millisecond an output, and hardly more than that, makes up the time.
    assert 0.8 * 40_000 < pair.planned_trials + pair.explored_trials < 1.2 * 40_000
    assert result.verdict is Verdict.NO_VIOLATION


def test_learning_that_took_all_the_time_leaves_a_tenth_of_it_for_trials():
    over = Clock(started=time.perf_counter() - 1e6, seconds=10.0)
    assert one_pair._affordable_trials(over, speed=1000.0, most=10**6) == 920
    assert one_pair._affordable_trials(over, speed=1.0, most=10**6) == one_pair.LEAST_TRIALS
    assert one_pair._affordable_trials(over, speed=1000.0, most=300) == 300


def test_a_first_call_that_takes_long_does_not_end_exploration(monkeypatch):
    """An interpreter that starts, an import or a compilation is paid once."""
    now = [0.0]

    def slow_start(data, *, rng):
        now[0] += 1e-4 if now[0] else 5.0
        return data + rng.normal()

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    clock = Clock(started=0.0, seconds=10.0)
    target = Target.of(slow_start)
    explored = explore(target, 0, 1, 100_000, 0, 0, held_generators(), clock=clock)
    assert 8_000 < explored.samples < 25_000
    assert now[0] < 8


def gaussian_of(sigma):
    return functools.partial(gaussian, sigma=sigma, grid=2.0**-10)


def test_gaussian_noise_that_suffices_and_that_does_not():
    sigma = analytic_sigma(1.0, 0.01)
    claim = {"epsilon": 1.0, "delta": 0.01, "pair": (0.0, 1.0), "samples": 200_000}
    sound = audit(gaussian_of(sigma), relation=BoundedAnswers(), **claim)
    assert sound.verdict is Verdict.NO_VIOLATION
    assert sound.epsilon_lower > 0.75
    assert sound.pairs[0].detectable_epsilon > 1
    broken = audit(gaussian_of(sigma / 1.5), **claim)
    assert broken.verdict is Verdict.VIOLATION
    assert broken.epsilon_lower > 1.2


def test_at_delta_0_gaussian_noise_exceeds_its_epsilon():
    sigma = analytic_sigma(0.5, 0.1)
    result = audit(gaussian_of(sigma), epsilon=0.5, pair=(0.0, 1.0), samples=200_000)
    assert result.verdict is Verdict.VIOLATION


@pytest.mark.parametrize(
    ("d", "d_prime"),
    [
        (pd.DataFrame({"x": [1.0, 2.0]}), pd.DataFrame({"x": [1.0, 3.0]})),
        (pd.Series([1.0, 2.0]), pd.Series([1.0, 3.0])),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
        ({"x": 3.0}, {"x": 4.0}),
    ],
)
def test_any_object_is_a_dataset(d, d_prime):
    def noisy_sum(data, *, size, rng):
        total = sum(data.values()) if isinstance(data, dict) else float(np.sum(np.asarray(data)))
        return grid_laplace(total, size=size, rng=rng)

    result = audit(noisy_sum, epsilon=1.1, pair=(d, d_prime), samples=5000)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.epsilon_lower > 0.5


def test_a_pandas_series_is_a_batch():
    def mechanism(data, *, size, rng):
        return pd.Series(truthful(data, size=size, rng=rng))

    result = audit(mechanism, epsilon=1.0, pair=(0, 1), samples=5000)
    assert result.epsilon_lower > 0.8


def test_full_disclosure_has_a_large_epsilon():
    result = audit(lambda data: f"D is {data}", epsilon=3.0, pair=(0, 1), samples=4000)
    assert result.verdict is Verdict.VIOLATION
    assert result.epsilon_lower == pytest.approx(math.log(4000 / -math.log(0.05)), abs=0.01)
    assert "'D is 0'" in result.witness.guess_d


def test_a_pass_of_so_few_trials_that_none_could_fail_says_so_first() -> None:
    def noisy(data: list[int], rng: np.random.Generator) -> float:
        return float(sum(data) + rng.laplace(scale=1.0))

    few = audit(noisy, epsilon=1.0, pair=([0, 0], [0, 1]), samples=3, seed=1)
    assert few.verdict is Verdict.NO_VIOLATION
    assert (
        few.limitations[0] == "3 trials can show no violation, however large: nothing was tested."
    )
    enough = audit(noisy, epsilon=1.0, pair=([0, 0], [0, 1]), samples=200, seed=1)
    assert not any("nothing was tested" in one for one in enough.limitations)


@pytest.mark.parametrize("told", [0, 1])
def test_a_rule_that_guesses_one_side_tests_what_it_would_have_certified(told: int) -> None:
    def seldom(data: int, *, size: int, rng: np.random.Generator) -> Any:
        return (rng.random(size) < 0.02 * (data == told)) * 1.0

    result = audit(seldom, epsilon=1.0, delta=0.02, pair=(0, 1), samples=40_000)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.pairs[0].method.side == (-1 if told else 1)
    assert not any("nothing was tested" in one for one in result.limitations)
