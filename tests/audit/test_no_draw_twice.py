"""No draw counts twice: every generator that a mechanism sees, and every output, is another one.

The mechanism writes down what it draws, so that draws of other processes are seen, too.
"""

import os
import random

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.target.call import Target
from provado.audit.trials.experiment import draw_block
from tests.audit.experiments import plan_of

CLAIM = {"epsilon": 1.0, "pair": (0, 1)}
TRIALS = 3000
"""Enough for sixteen blocks."""


class Written:
    """Draws ``size`` whole numbers below 2^62 by ``draw(rng, size)`` and writes them to a file."""

    def __init__(self, path, draw):
        self.path, self.draw = str(path), draw

    def write(self, rng, size):
        numbers = self.draw(rng, size)
        # One call writes one line as a whole, whichever process it is in.
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(file, (" ".join(map(str, numbers)) + "\n").encode())
        finally:
            os.close(file)
        return np.asarray(numbers)

    def read(self):
        with open(self.path) as file:  # noqa: PTH123
            return [int(number) for line in file for number in line.split()]


class Batched(Written):
    def __call__(self, data, *, size, rng):  # noqa: ARG002
        return self.write(rng, size)


class Single(Written):
    def __call__(self, data, rng):  # noqa: ARG002
        return float(self.write(rng, 1)[0])


def given(rng, size):
    return rng.integers(2**62, size=size).tolist()


@pytest.mark.parametrize("kind", [Batched, Single])
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_output_of_an_audit_comes_again(kind, jobs, tmp_path):
    """Exploring and certifying, both sides, all blocks, three pairs."""
    mechanism = kind(tmp_path / "drawn", given)
    pairs = [(0, 1), (1, 2), (0, 2)]
    result = audit(mechanism, epsilon=1.0, pair=pairs, samples=TRIALS, jobs=jobs)
    drawn = mechanism.read()
    assert [pair.counts.trials for pair in result.pairs] == [TRIALS] * 3
    assert len(drawn) >= 3 * TRIALS + sum(pair.explored_trials for pair in result.pairs)
    assert len(set(drawn)) == len(drawn)


def test_no_output_of_one_audit_comes_again_in_another(tmp_path):
    mechanism = Batched(tmp_path / "drawn", given)
    for seed in (0, 1):
        for name in ("one", "other"):
            audit(mechanism, **CLAIM, samples=TRIALS, seed=seed, name=name)
    drawn = mechanism.read()
    assert len(set(drawn)) == len(drawn) > 4 * TRIALS


@pytest.mark.parametrize("kind", [Batched, Single])
def test_every_part_of_a_stream_s_name_makes_another(kind, tmp_path):
    """Seed, name, pair and block: one draw of each, by ``draw_block`` alone."""
    mechanism = kind(tmp_path / "drawn", given)
    for seed in (0, 1):
        for name in ("one", "other"):
            target = Target.of(mechanism, name)
            for pair in (0, 1):
                plan = plan_of(300, 100, pair=pair)
                for block in range(plan.blocks):
                    draw_block(target, plan, seed, block)
    drawn = mechanism.read()
    assert len(drawn) == 2 * 2 * 2 * 300
    assert len(set(drawn)) == len(drawn)


GLOBAL = np.random.default_rng(8)
STATE = np.random.RandomState(9)


def held_by_attribute():
    class Holder:
        def __init__(self):
            self.own = np.random.default_rng(1)

        def draw(self, _, size):
            return given(self.own, size)

    return Holder().draw


def held_by_closure():
    own = np.random.default_rng(2)
    return lambda rng, size: given(own, size)


def made_on_first_use():
    own = []

    def draw(rng, size):
        if not own:
            own.append(np.random.default_rng(3))
        return given(own[0], size)

    return draw


def python_s_own():
    own = random.Random(4)
    return lambda rng, size: [own.getrandbits(62) for _ in range(size)]


OWN = {
    "attribute": held_by_attribute,
    "closure": held_by_closure,
    "module": lambda: lambda rng, size: given(GLOBAL, size),
    "RandomState": lambda: lambda rng, size: STATE.randint(2**62, size=size).tolist(),
    "random.Random": python_s_own,
    "numpy.random": lambda: (
        lambda rng, size: np.random.randint(2**62, size=size).tolist()  # noqa: NPY002
    ),
    "random": lambda: lambda rng, size: [random.getrandbits(62) for _ in range(size)],
    "first use": made_on_first_use,
    "system": lambda: lambda rng, size: [int.from_bytes(os.urandom(7), "big") for _ in range(size)],
}


IN_BATCHES = ("attribute", "numpy.random", "random", "first use")
"""These are drawn from in batches in the fast suite, too."""


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        *((Single, own) for own in OWN),
        *((Batched, own) for own in IN_BATCHES),
        *(
            pytest.param(Batched, own, marks=pytest.mark.slow)
            for own in OWN
            if own not in IN_BATCHES
        ),
    ],
)
def test_no_output_of_a_generator_of_its_own_comes_again(kind, own, tmp_path):
    """Wherever a mechanism's generator lives: not in another block, and not in another worker."""
    mechanism = kind(tmp_path / "drawn", OWN[own]())
    result = audit(mechanism, **CLAIM, samples=TRIALS, jobs=3)
    drawn = mechanism.read()
    assert result.counts.trials == TRIALS
    assert len(drawn) > TRIALS + result.pairs[0].explored_trials
    # Of so many draws out of 2^56, two are equal by chance once in some million runs.
    assert len(set(drawn)) == len(drawn)
