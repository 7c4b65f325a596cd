"""One seed, one result: whatever the workers, the other pairs, and the user's own random state."""

import dataclasses
import functools
import random

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.target.random_state import CERTIFY, EXPLORE, generators
from tests.audit.audited_mechanisms import (
    by_global_numpy,
    by_global_random,
    grid_laplace,
    one_at_a_time,
    truthful,
)


def run(mechanism=truthful, pair=(0, 1), **more):
    return audit(mechanism, **({"epsilon": 1.0, "pair": pair, "samples": 6000} | more))


def timeless(result):
    return dataclasses.replace(result, seconds=0.0)


MECHANISMS = [truthful, grid_laplace, one_at_a_time, by_global_numpy, by_global_random]


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_seed_replays(mechanism):
    first, again = run(mechanism, seed=3), run(mechanism, seed=3)
    assert timeless(first) == timeless(again)
    assert run(mechanism, seed=4).counts != first.counts


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_counts_do_not_depend_on_the_number_of_workers(mechanism):
    one, two = run(mechanism), run(mechanism, jobs=2)
    assert timeless(one) == timeless(two)


def test_workers_take_many_blocks_of_batches_too():
    one, three = (run(samples=60_000, jobs=jobs).counts for jobs in (1, 3))
    assert one == three
    assert one.trials == 60_000


def test_closures_and_lambdas_run_in_workers():
    probability, lock = 0.75, object()

    def closure(data, rng):
        assert lock is not None
        return int(data) ^ int(rng.random() > probability)

    for mechanism in (closure, lambda data, rng: int(data) ^ int(rng.random() > probability)):
        assert run(mechanism, epsilon=1.2, jobs=2).counts == run(mechanism, epsilon=1.2).counts


def test_the_users_random_state_is_left_alone():
    for mechanism in (by_global_numpy, by_global_random, truthful):
        for more in ({}, {"jobs": 2}, {"seconds": 0.05}):
            random.seed(11)
            np.random.seed(12)  # noqa: NPY002
            expected = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
            run(mechanism, **more)
            found = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
            assert found == expected


def test_the_users_random_state_does_not_matter():
    random.seed(1)
    first = run(by_global_random).counts
    random.seed(2)
    assert run(by_global_random).counts == first


def test_another_pair_moves_nothing_of_the_first_but_its_share_of_alpha():
    alone = run(grid_laplace, pair=(0.0, 1.0))
    both = run(grid_laplace, pair=[(0.0, 1.0), (2.0, 3.0)])
    assert len(both.pairs) == 2
    first = both.pairs[0]
    assert first.method.alpha == pytest.approx(alone.pairs[0].method.alpha / 2)
    assert first.explored_trials == alone.pairs[0].explored_trials
    assert first.counts.d_trials == alone.counts.d_trials
    assert first.witness.d == alone.witness.d


def test_another_discrete_pair_moves_no_count_of_the_first():
    assert run(pair=[(0, 1), (1, 0)]).pairs[0].counts == run().counts


def test_the_name_chooses_the_stream():
    assert run(name="a").counts != run(name="b").counts
    assert run(name="a").counts == run(name="a").counts
    assert run(name="a").name == "a"
    assert run(functools.partial(truthful)).name == "randomized_response"


def test_streams_are_told_apart_by_every_part_of_their_name():
    keys = [
        (0, "a", 0, EXPLORE, 0),
        (1, "a", 0, EXPLORE, 0),
        (0, "b", 0, EXPLORE, 0),
        (0, "a", 1, EXPLORE, 0),
        (0, "a", 0, CERTIFY, 0),
        (0, "a", 0, EXPLORE, 1),
    ]
    firsts = [g.integers(2**62) for key in keys for g in generators(*key)]
    assert len(set(firsts)) == len(firsts)
    again = [g.integers(2**62) for key in keys for g in generators(*key)]
    assert firsts == again


@pytest.mark.parametrize("make", [list, tuple, np.array])
def test_datasets_are_never_changed(make):
    d, d_prime = make([1.0, 2.0]), make([1.0, 3.0])
    run(lambda data, *, size, rng: sum(data) + rng.laplace(size=size), pair=(d, d_prime))
    assert list(d) == [1.0, 2.0]
    assert list(d_prime) == [1.0, 3.0]
    pairs = [(d, d_prime)]
    run(lambda data, *, size, rng: sum(data) + rng.laplace(size=size), pair=pairs)
    assert len(pairs) == 1
