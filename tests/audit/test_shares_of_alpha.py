"""What decides: shares of alpha, the bound that was planned, all trials, and what exceeds what."""

import math
from fractions import Fraction

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.bounds import epsilon_lower
from provado.audit.pipeline.explore import explore, make_plans
from provado.audit.target.call import Target
from provado.audit.target.random_state import held_generators
from provado.audit.trials.experiment import count_blocks
from provado.mechanisms import Verdict
from tests.audit.audited_mechanisms import one_at_a_time, truthful
from tests.audit.experiments import anything, plan_of

CLAIM = {"epsilon": 1.0, "pair": (0, 1), "samples": 2000}


def leaky(data, *, size, rng):
    """True ε of ln 9."""
    return (rng.random(size) < (0.9 if data else 0.1)).astype(int)


def plan_for(mechanism, *, trials=2000, delta=0.0, anytime=False, alpha=0.05):
    explored = explore(Target.of(mechanism), 0, 1, 2000, 0, 0, held_generators())
    (plan,) = make_plans(
        explored, 0, 1, pair=0, trials=trials, alpha=alpha, delta=delta, anytime=anytime
    )
    return plan


def spent(plan):
    """Return the alpha that a plan may spend in all: two bounds, or one that is both."""
    methods = {plan.method, plan.early}
    return sum(Fraction(method.alpha) for method in methods)


@pytest.mark.parametrize(("number", "confidence"), [(1, 0.95), (2, 0.9), (3, 0.999)])
@pytest.mark.parametrize("more", [{}, {"delta": 0.01}, {"stop_early": True}])
def test_the_pairs_of_a_call_share_its_alpha(number, confidence, more):
    given = CLAIM | {"pair": [(0, 1)] * number, "samples": 100, "confidence": confidence} | more
    result = audit(truthful, **given)
    alphas = [pair.method.alpha for pair in result.pairs]
    assert len(set(alphas)) == 1
    assert 0.99 * (1 - confidence) <= math.fsum(alphas) <= (1 - confidence) * (1 + 1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 1e-6])
@pytest.mark.parametrize("more", [{}, {"delta": 0.01}, {"anytime": True}])
def test_the_bounds_of_a_plan_share_its_alpha(alpha, more):
    plan = plan_for(leaky, alpha=alpha, **more)
    assert spent(plan) <= Fraction(alpha) * (1 + Fraction(1, 10**12))
    assert plan.method.alpha > 0.99 * alpha
    assert {plan.method.delta, plan.early.delta} == {more.get("delta", 0.0)}


def test_only_bets_bound_an_experiment_that_may_end_at_any_time():
    # The binomial needs a number of trials that nothing they show can change.
    assert plan_for(leaky).method.bets is None
    assert plan_for(leaky).early.bets is not None
    for plan in (plan_for(leaky, anytime=True), plan_for(leaky, delta=0.01)):
        assert plan.method == plan.early
        assert plan.method.bets is not None


@pytest.mark.parametrize("mechanism", [leaky, one_at_a_time])
def test_without_leave_to_stop_early_all_trials_are_made(mechanism):
    result = audit(mechanism, **CLAIM | {"epsilon": 0.1, "samples": 6000})
    assert result.verdict is Verdict.VIOLATION
    assert result.counts.trials == 6000
    assert result.pairs[0].method.name == "binomial"


def test_an_early_stop_is_bound_by_bets_on_all_trials_made():
    result = audit(leaky, **CLAIM | {"epsilon": 0.1, "samples": 40_000}, stop_early=True)
    (pair,) = result.pairs
    assert pair.counts.trials < 40_000
    assert pair.method.name == "betting"
    assert pair.epsilon_lower == epsilon_lower(pair.counts, pair.method) > 0.1


def test_what_might_have_stopped_early_is_bound_by_bets_at_its_end_too():
    result = audit(leaky, **CLAIM | {"epsilon": 50.0, "samples": 6000}, stop_early=True)
    (pair,) = result.pairs
    assert pair.counts.trials == 6000
    assert pair.method.name == "betting"


@pytest.mark.parametrize("more", [{}, {"delta": 0.01}, {"stop_early": True}])
def test_the_bound_is_that_of_the_counts_and_decides_which_way_it_exceeds(more):
    given = CLAIM | more
    (pair,) = audit(leaky, **given | {"epsilon": 50.0}).pairs
    limit = pair.epsilon_lower
    assert 1.5 < limit == epsilon_lower(pair.counts, pair.method) < math.log(9)
    assert pair.verdict is Verdict.NO_VIOLATION
    if "stop_early" not in more:  # Then the claim says when it ends.
        for claimed, verdict in (
            (limit * 1.001, Verdict.NO_VIOLATION),
            (limit, Verdict.NO_VIOLATION),
            (limit * 0.999, Verdict.VIOLATION),
        ):
            result = audit(leaky, **given | {"epsilon": claimed})
            assert result.counts == pair.counts
            assert result.verdict is verdict


def test_one_pair_with_a_violation_is_enough_and_the_others_do_not_dilute_it():
    def parity(data, *, size, rng):
        return leaky(data % 2, size=size, rng=rng)

    result = audit(parity, **CLAIM | {"pair": [(0, 2), (0, 1), (1, 3)]})
    assert [pair.verdict for pair in result.pairs] == [
        Verdict.NO_VIOLATION,
        Verdict.VIOLATION,
        Verdict.NO_VIOLATION,
    ]
    assert result.verdict is Verdict.VIOLATION
    assert result.best.index == 1


def constant_in_a_block(data, *, size, rng):
    return np.full(size, float(rng.integers(-1, 2)))


def test_blocks_come_in_their_order_from_any_number_of_processes():
    plan, target = plan_of(1000, 64), Target.of(constant_in_a_block)
    one, three = (list(count_blocks(target, plan, 5, jobs, held_generators())) for jobs in (1, 3))
    assert [block[-1].trials for block in one] == [64] * 15 + [40]
    # They are told apart by what they hold.
    assert len({block[-1] for block in one}) > 10
    assert one == three


def test_an_audit_counts_each_trial_once():
    """Trials so far at the powers of two, and all of them at the end."""
    result = audit(truthful, **CLAIM | {"samples": 5000})
    (pair,) = result.pairs
    assert [counts.trials for counts in pair.checkpoints] == [64 * 2**i for i in range(7)] + [5000]
    assert pair.counts.d_trials + pair.counts.d_prime_trials == 5000


def test_a_rule_guesses_by_one_output_whatever_the_others_are():
    from provado.audit.target.output_encoding import encode

    plan = plan_of(10)
    outputs = anything(None, 300, np.random.default_rng(0))
    together = plan.rule.guess(encode(outputs, 300, plan.book)).tolist()
    alone = [int(plan.rule.guess(encode([one], 1, plan.book))[0]) for one in outputs]
    assert together == alone == [int(one) for one in outputs]
