"""The counts on the way: after powers of two of the trials, the same for any number of workers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from provado.audit import AuditResult, audit
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import Encoded, PatternBook
from provado.audit.trials.experiment import LEAST_CHECKPOINT, Plan, draw_block, is_checkpoint


def batched(data: int, *, size: int, rng: np.random.Generator) -> Any:
    return rng.random(size) < (0.7 if data else 0.4)


def single(data: int, rng: np.random.Generator) -> Any:
    return bool(rng.random() < (0.7 if data else 0.4))


def run(mechanism: Any, trials: int, **more: Any) -> AuditResult:
    return audit(mechanism, epsilon=2.0, pair=(0, 1), samples=trials, seed=3, **more)


@pytest.mark.parametrize("trials", [1, 63, 64, 65, 4096, 5000, 70_000, 140_000])
def test_they_stand_at_powers_of_two_and_end_at_the_counts(trials: int) -> None:
    pair = run(batched, trials).pairs[0]
    naive = [n for n in range(64, trials) if n in {2**k for k in range(40)}]
    assert [counts.trials for counts in pair.checkpoints] == [*naive, trials]
    assert pair.checkpoints[-1] == pair.counts
    for before, after in zip(pair.checkpoints, pair.checkpoints[1:], strict=False):
        assert all(vars(before)[name] <= vars(after)[name] for name in vars(before))


@pytest.mark.parametrize(("mechanism", "trials"), [(batched, 200_000), (single, 9_000)])
def test_workers_do_not_move_them(mechanism: Any, trials: int) -> None:
    assert (
        run(mechanism, trials).pairs[0].checkpoints
        == run(mechanism, trials, jobs=2).pairs[0].checkpoints
    )


def test_an_early_stop_ends_them() -> None:
    pair = audit(batched, epsilon=0.1, pair=(0, 1), samples=400_000, seed=0, stop_early=True).pairs[
        0
    ]
    assert pair.counts.trials < 400_000
    assert pair.checkpoints[-1] == pair.counts
    assert all(is_checkpoint(counts.trials) for counts in pair.checkpoints[:-1])


@pytest.mark.parametrize(("trials", "block"), [(1000, 300), (1024, 256), (200, 64), (130, 1000)])
def test_a_plan_asks_for_each_checkpoint_once(trials: int, block: int) -> None:
    plan = Plan(0, 0, 1, None, None, None, None, trials, block, 0)  # type: ignore[arg-type]
    reached = [
        number * block + place
        for number in range(plan.blocks)
        for place in plan.checkpoints(number)
    ]
    assert reached == sorted(set(reached))
    assert {n for n in reached if is_checkpoint(n)} == {
        n for n in range(LEAST_CHECKPOINT, trials + 1) if n & (n - 1) == 0
    }
    assert reached[-1] == trials


class Says:
    """A rule that takes each output for the value of the data point."""

    def guess(self, outputs: Encoded) -> NDArray[np.int8]:
        return np.where(outputs.column(0) == 0, 1, -1).astype(np.int8)


def test_the_order_of_a_batch_is_that_of_fair_coins() -> None:
    """Sides among the first 64 of 4,096 trials: as many heads as 64 fair coins show."""
    plan: Any = Plan(0, 0, 1, Says(), PatternBook(), None, None, 4096, 4096, 0)  # type: ignore[arg-type]
    first = [draw_block(Target.of(batched), plan, seed, 0)[0] for seed in range(200)]
    heads = np.array([counts.d_trials for counts in first])
    assert {counts.trials for counts in first} == {64}
    # Mean 32 and standard deviation 4: six standard errors of each.
    assert abs(heads.mean() - 32) < 6 * 4 / np.sqrt(200)
    assert abs(heads.std() - 4) < 6 * 4 / np.sqrt(400)
