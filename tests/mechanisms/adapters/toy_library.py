"""A library of one noisy sum, its sound adapter, and adapters that break one rule each."""

import os
from dataclasses import dataclass, replace

import numpy as np

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source, UsageError, Verdict
from provado.mechanisms.adapters.adapter import default_name
from provado.mechanisms.adapters.conformance import Example

DATA, CHANGED = [0.25, 1.0, 0.5], [0.25, 0.0, 0.5]


class NoisySum:
    """Releases a sum of numbers between 0 and 1; ``factor`` below 1 is a bug."""

    def __init__(self, epsilon, factor=1.0):
        self.epsilon, self.factor = epsilon, factor


@dataclass(frozen=True)
class SumRun:
    obj: NoisySum

    def __call__(self, data, *, size=None, rng=None):
        return sum(data) + laplace_on_a_grid(self.obj.factor / self.obj.epsilon, size, rng)


def laplace_on_a_grid(scale, size=None, rng=None):
    """Return noise whose last places tell nothing of the sum that it is added to."""
    rng = np.random.default_rng() if rng is None else rng
    return np.round(rng.laplace(scale=scale, size=size) * 2**20) / 2**20


class ToyAdapter:
    name = "toy"

    def matches(self, obj):
        return isinstance(obj, NoisySum)

    def to_mechanism(self, obj, *, pairs, relation=None, name=None):
        return Mechanism(
            name=name or default_name(self.name, obj),
            run=self.run(obj),
            promise=PureDP(obj.epsilon),
            relation=relation or ReplaceOne(),
            pairs=pairs,
            source=Source("a library of the tests", "NoisySum"),
            expected=Verdict.NO_VIOLATION,
            summary="a noisy sum",
            seedable=self.seedable,
        )

    seedable = True
    run = staticmethod(SumRun)

    def releases(self):
        return (self.to_mechanism(NoisySum(1.0), pairs=((DATA, CHANGED),), name="toy/sum"),)


ADAPTER = ToyAdapter()
EXAMPLE = Example(
    "noisy sum",
    make=NoisySum,
    accounting=lambda obj: (obj.epsilon, 0.0),
    pairs=((DATA, CHANGED),),
    halved=lambda: NoisySum(1.0, factor=0.5),
    strangers=([0.0, 0.0], [1.0, 1.0]),
)


class NamelessReleases(ToyAdapter):
    def releases(self):
        return (replace(super().releases()[0], name="sum"),)


class Greedy(ToyAdapter):
    def matches(self, _):
        return True


class ConstantPromise(ToyAdapter):
    def to_mechanism(self, obj, **given):
        return replace(super().to_mechanism(obj, **given), promise=PureDP(1.0))


class Spending(ToyAdapter):
    def to_mechanism(self, obj, **given):
        made = super().to_mechanism(obj, **given)
        run = SumRun(NoisySum(obj.epsilon, obj.factor))

        def spend(data, *, size=None, rng=None):
            # Claim and bug grow together, so that the noise of later mechanisms is the same.
            obj.epsilon, obj.factor = 2 * obj.epsilon, 2 * obj.factor
            return run(data, size=size, rng=rng)

        return replace(made, run=spend)


class NoiseOfOne(ToyAdapter):
    @staticmethod
    def run(obj):
        return SumRun(NoisySum(1.0, obj.factor))


class Rebuilding(ToyAdapter):
    @staticmethod
    def run(obj):
        return SumRun(NoisySum(obj.epsilon))


@dataclass(frozen=True)
class OwnNoiseRun(SumRun):
    def __call__(self, data, *, size=None, rng=None):
        del rng
        return super().__call__(data, size=size)


class ForgetsTheSeed(ToyAdapter):
    """Draws without ``rng``, and forked processes see it too."""

    run = OwnNoiseRun


class HidesTheSeed(ToyAdapter):
    """Says that it takes no seed, and takes one."""

    seedable = False

    @staticmethod
    def run(obj):
        inner, home = SumRun(obj), os.getpid()

        def draw(data, *, size=None, rng=None):
            # Elsewhere it draws its own, so that only the rule on seeds is broken.
            return inner(data, size=size, rng=rng if os.getpid() == home else None)

        return draw


@dataclass(frozen=True)
class OneTooManyRun(SumRun):
    def __call__(self, data, *, size=None, rng=None):
        return super().__call__(data, size=None if size is None else size + 1, rng=rng)


class OneTooMany(ToyAdapter):
    run = OneTooManyRun


@dataclass(frozen=True)
class QuietBatchRun(SumRun):
    def __call__(self, data, *, size=None, rng=None):
        outputs = super().__call__(data, size=size, rng=rng)
        return outputs if size is None else sum(data) + (outputs - sum(data)) / 2


class QuietBatches(ToyAdapter):
    run = QuietBatchRun


@dataclass(frozen=True)
class EachTwiceRun(SumRun):
    def __call__(self, data, *, size=None, rng=None):
        outputs = super().__call__(data, size=size, rng=rng)
        return outputs if size is None else np.repeat(outputs, 2)[:size]


class EachTwice(ToyAdapter):
    run = EachTwiceRun


@dataclass(frozen=True)
class SortingRun(SumRun):
    def __call__(self, data, *, size=None, rng=None):
        data.sort()
        return super().__call__(data, size=size, rng=rng)


class Sorting(ToyAdapter):
    run = SortingRun


class Anything:
    def check(self, d, d_prime):
        pass

    def words(self):
        return "anything"

    def __eq__(self, other):
        return isinstance(other, Anything)


class TakesStrangers(ToyAdapter):
    def to_mechanism(self, obj, *, pairs, relation=None, name=None):
        return super().to_mechanism(obj, pairs=pairs, relation=relation or Anything(), name=name)


class Renaming(ToyAdapter):
    def to_mechanism(self, obj, **given):
        return super().to_mechanism(obj, **{**given, "name": "toy/sum"})


class Swallowing(ToyAdapter):
    def to_mechanism(self, obj, *, pairs, relation=None, name=None, **_):
        return super().to_mechanism(obj, pairs=pairs, relation=relation, name=name)


class OneProcessOnly(ToyAdapter):
    @staticmethod
    def run(obj):
        inner, home = SumRun(obj), os.getpid()

        def draw(data, *, size=None, rng=None):
            if os.getpid() != home:
                raise UsageError("the library was loaded by another process")
            return inner(data, size=size, rng=rng)

        return draw


class SharedNoise(ToyAdapter):
    """Takes no seed; its generator's state is copied into every forked process."""

    seedable = False

    @staticmethod
    def run(obj):
        inner, own = SumRun(obj), np.random.default_rng()
        return lambda data, *, size=None, rng=None: inner(data, size=size, rng=own)


BREAKS = {
    NamelessReleases: "keeps_the_protocol",
    Greedy: "matches_its_own_objects_only",
    ConstantPromise: "promises_what_the_library_accounts",
    Spending: "keeps_the_promise_after_use",
    NoiseOfOne: "draws_half_the_noise_at_twice_the_epsilon",
    Rebuilding: "runs_the_object_that_it_was_given",
    HidesTheSeed: "replays_by_seed_or_says_that_it_does_not",
    OneTooMany: "returns_as_many_as_asked_for",
    QuietBatches: "draws_batches_from_the_distribution_of_single_outputs",
    EachTwice: "draws_independent_outputs",
    Sorting: "leaves_the_data_as_they_are",
    TakesStrangers: "refuses_pairs_that_are_no_neighbors",
    Renaming: "keeps_the_name_and_relation_given",
    Swallowing: "refuses_options_that_it_does_not_know",
    OneProcessOnly: "draws_anew_in_forked_processes",
    SharedNoise: "draws_anew_in_forked_processes",
}
"""For each rule an adapter that breaks it and no other."""
