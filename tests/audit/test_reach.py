import functools
import gc
import random

import numpy as np
import pytest

from provado.audit.target import random_state
from provado.audit.target.random_state import MOST_REACHED, held_generators, reached
from tests.audit import generator_holders

KINDS = {random.Random, np.random.RandomState, np.random.PCG64}


class Holder:
    def __init__(self, held):
        self.held = held

    def __call__(self, data):
        return self._drawn(data)

    def _drawn(self, data):
        return generator_holders.OF_THE_MODULE.random() + data


class Slotted:
    __slots__ = ("held",)

    def __init__(self, held):
        self.held = held

    def __call__(self, _):
        return self.held


def in_a_default(data, rng=random.Random(1)):  # noqa: B008
    return rng


def closure(held):
    return lambda data: (lambda: held)()


def method(held):
    return Holder(held)._drawn


def of_a_module(data):
    return [generator_holders.OF_THE_MODULE.random() for _ in range(data)]


@pytest.mark.parametrize(
    "make",
    [
        Holder,
        Slotted,
        closure,
        method,
        lambda held: functools.partial(in_a_default, rng=held),
        lambda held: Holder({"deep": [(Slotted(held),)]}),
    ],
)
def test_what_a_mechanism_holds_is_reached(make):
    held = random.Random(2)
    assert any(one is held for one in reached(make(held), KINDS))


def test_globals_that_the_code_names_are_reached_and_others_are_not():
    bits = generator_holders.OF_THE_MODULE.bit_generator
    assert any(one is bits for one in reached(of_a_module, KINDS))
    assert any(one is bits for one in reached(Holder(None), KINDS))
    assert not any(one is bits for one in reached(lambda data: data, KINDS))
    assert [type(one) for one in reached(in_a_default, KINDS)] == [random.Random]


def test_a_circle_ends_and_a_dataset_is_not_followed_for_ever():
    circle = []
    circle += [circle, random.Random(3)]
    assert len(list(reached(Holder(circle), KINDS))) >= 1
    held = random.Random(4)
    large = Holder([[[i] for i in range(2 * MOST_REACHED)], held])
    assert sum(one is held for one in reached(large, KINDS)) <= 1


def test_those_of_the_mechanism_come_right_after_the_global_ones():
    others = [random.Random(), np.random.default_rng()]
    own = random.Random(5)
    found = held_generators(of=Slotted(own))
    assert found[2] is own
    assert any(one is others[0] for one in found[3:])
    assert len(found) == len({id(one) for one in found}) == len(held_generators())


def test_what_the_collector_leaves_alone_is_found_by_who_reaches_it():
    own, other = random.Random(6), random.Random(7)
    gc.freeze()
    try:
        found = held_generators(of=Slotted(own))
    finally:
        gc.unfreeze()
    assert found[2] is own
    assert not any(one is other for one in found)
    assert any(one is other for one in held_generators(of=Slotted(own)))


def test_nothing_of_the_mechanism_is_run():
    class Hostile:
        def __getattribute__(self, name):
            raise RuntimeError(name)

    assert list(reached(Hostile(), KINDS)) == []


def test_an_older_generator_makes_the_states_of_its_seed_and_is_put_back_with_its_origin():
    own = np.random.RandomState(3)
    origin, state = own._bit_generator.seed_seq, own.get_state(legacy=False)
    with random_state.seeding(random_state.GeneratorSet([own])):
        for number in (0, 5, 2**40 + 1, 2**63 - 1):
            random_state._seed(own, number)
            fresh = np.random.RandomState([number & 0xFFFFFFFF, number >> 32])
            assert (own.random_sample(700) == fresh.random_sample(700)).all()
            assert own.standard_normal() == fresh.standard_normal()
    assert own._bit_generator.seed_seq is origin
    assert str(own.get_state(legacy=False)) == str(state)
