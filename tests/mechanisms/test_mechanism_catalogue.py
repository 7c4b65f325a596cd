import copy
import dataclasses
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

from provado.mechanisms import (
    Mechanism,
    NotNeighborsError,
    UsageError,
    Verdict,
)
from provado.mechanisms import textbook as reference
from provado.mechanisms.catalogue import catalogue as all_mechanisms
from provado.mechanisms.definitions import CurvePromise

MECHANISMS = all_mechanisms()
every = pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.name)


def equal(a, b):
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def test_names_are_unique_sorted_and_of_one_form():
    names = [mechanism.name for mechanism in MECHANISMS]
    assert names == sorted(set(names))
    assert all(name.count("/") == 1 and name == name.lower() and " " not in name for name in names)


def test_all_families_are_there():
    families = {mechanism.name.split("/")[0] for mechanism in MECHANISMS}
    assert families >= {
        "laplace",
        "discrete-laplace",
        "gaussian",
        "discrete-gaussian",
        "randomized-response",
        "rappor",
        "exponential",
        "permute-and-flip",
        "noisy-max",
        "histogram",
        "noisy-sum",
        "prefix-sum",
        "truncated-geometric",
        "sparse-vector",
        "subsampling",
        "twin",
    }


def test_two_of_one_name_are_refused(monkeypatch):
    monkeypatch.setattr(
        "provado.mechanisms.catalogue._walk", lambda: iter([MECHANISMS[0], MECHANISMS[0]])
    )
    with pytest.raises(UsageError, match="stands twice"):
        all_mechanisms()


COIN = """
from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source
from provado.mechanisms.textbook.randomized_response import randomized_response

SOUND = Mechanism(
    name="coin/fair",
    run=partial(randomized_response, epsilon=1.0),
    promise=PureDP(1.0),
    relation=ReplaceOne(),
    pairs=((0, 1),),
    source=Source("A test", "here"),
    summary="A bit.",
    tags=("local",),
)
TWIN = SOUND.twin(
    "coin-biased",
    run=partial(randomized_response, epsilon=2.0),
    summary="A bit that is told too often.",
    true_epsilon=2.0,
)
MECHANISMS = (SOUND, TWIN)
"""


def test_one_new_file_holds_a_mechanism_and_its_twin(tmp_path, monkeypatch):
    (tmp_path / "coin.py").write_text(COIN)
    monkeypatch.setattr(reference, "__path__", [*reference.__path__, str(tmp_path)])
    try:
        found = {one.name: one for one in all_mechanisms()}
    finally:
        sys.modules.pop(f"{reference.__name__}.coin", None)
    assert found.keys() - {one.name for one in MECHANISMS} == {"coin/fair", "twin/coin-biased"}
    sound, twin = found["coin/fair"], found["twin/coin-biased"]
    assert (sound.expected, sound.true_epsilon) == (Verdict.NO_VIOLATION, None)
    assert (twin.expected, twin.true_epsilon) == (Verdict.VIOLATION, 2.0)
    assert twin.tags == ("twin", "local")
    assert twin.summary == "A bit that is told too often."
    same = ("promise", "relation", "pairs", "source", "seedable")
    assert all(getattr(twin, field) == getattr(sound, field) for field in same)


def test_a_twin_claims_no_true_epsilon_of_the_sound_one():
    (sound,) = (one for one in MECHANISMS if one.name == "laplace/grid-1")
    assert sound.true_epsilon == 1
    assert sound.twin("again").true_epsilon is None


def test_a_true_epsilon_may_be_computed_when_it_is_first_read():
    calls = []

    def compute():
        calls.append(1)
        return 0.5

    mechanism = dataclasses.replace(MECHANISMS[0], true_epsilon=compute)
    assert not calls
    assert (mechanism.true_epsilon, mechanism.true_epsilon, len(calls)) == (0.5, 0.5, 1)
    assert mechanism == dataclasses.replace(MECHANISMS[0], true_epsilon=0.5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.true_epsilon = 1.0


def test_the_catalogue_needs_numpy_only():
    code = (
        "import sys; from provado.mechanisms.catalogue import catalogue; catalogue();"
        "heavy = ('scipy', 'pandas', 'statsmodels', 'sklearn', 'sympy', 'dp_accounting');"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@every
def test_a_mechanism_says_what_it_is(mechanism):
    assert isinstance(mechanism, Mechanism)
    assert mechanism.summary.endswith(".")
    assert mechanism.source.work
    assert mechanism.source.place
    assert mechanism.pairs
    assert mechanism.seedable


@every
def test_pairs_are_neighbors_in_both_directions(mechanism):
    for d, d_prime in mechanism.pairs:
        mechanism.relation.check(d, d_prime)
        mechanism.relation.check(d_prime, d)


@every
def test_the_expected_verdict_follows_from_the_true_epsilon(mechanism):
    claim, _ = mechanism.promise.point()
    assert ("twin" in mechanism.tags) == mechanism.name.startswith("twin/")
    if isinstance(mechanism.promise, CurvePromise):
        # An exact ε belongs to one δ.
        assert mechanism.true_epsilon is None
        return
    assert mechanism.true_epsilon is not None
    if mechanism.expected is Verdict.VIOLATION:
        assert mechanism.true_epsilon > 1.2 * claim
    else:
        assert mechanism.true_epsilon <= claim * (1 + 1e-12)
    if "twin" in mechanism.tags:
        assert mechanism.expected is Verdict.VIOLATION


@every
def test_a_run_can_be_sent_to_a_worker_and_repeats_by_its_seed(mechanism):
    run = pickle.loads(pickle.dumps(mechanism.run))
    for data in mechanism.pairs[0]:
        first, again, other = (
            run(data, size=300, rng=np.random.default_rng(seed)) for seed in (1, 1, 2)
        )
        assert isinstance(first, np.ndarray)
        assert len(first) == 300
        assert equal(first, again)
        assert not equal(first, other)
        assert run(data, size=1, rng=np.random.default_rng(1)).shape == (1, *first.shape[1:])


@every
def test_a_whole_mechanism_can_be_sent_to_a_worker(mechanism):
    assert pickle.loads(pickle.dumps(mechanism)).name == mechanism.name


@every
def test_a_run_leaves_its_data_alone_and_takes_arrays(mechanism):
    data = mechanism.pairs[0][1]
    before = copy.deepcopy(data)
    plain = mechanism.run(data, size=20, rng=np.random.default_rng(3))
    assert data == before
    if not isinstance(data[0] if isinstance(data, tuple) else data, str):
        array = np.array(data)
        array.setflags(write=False)
        assert equal(mechanism.run(array, size=20, rng=np.random.default_rng(3)), plain)


@every
def test_a_size_below_one_is_refused(mechanism):
    for size in (0, -1, 2.5):
        with pytest.raises(UsageError, match="size is"):
            mechanism.run(mechanism.pairs[0][0], size=size, rng=np.random.default_rng(1))


@every
def test_outputs_depend_on_the_data(mechanism):
    d, d_prime = mechanism.pairs[0]
    a, b = (mechanism.run(x, size=2000, rng=np.random.default_rng(4)) for x in (d, d_prime))
    assert not equal(a, b)


def test_a_mechanism_refuses_pairs_that_are_no_neighbors():
    one = next(m for m in MECHANISMS if m.name == "discrete-gaussian/count")
    with pytest.raises(NotNeighborsError):
        Mechanism(
            one.name, one.run, one.promise, one.relation, ((0, 5),), one.source, one.expected, "x."
        )


def test_true_epsilons_of_known_rows():
    known = {
        "noisy-max/laplace": 0.484,
        "sparse-vector/svt-1": 0.93,
        "twin/svt-6": 4.03,
        "rappor/first-report": 0.4,
        "rappor/one-time": 0.8,
        "truncated-geometric/five": 0.1178,
        "twin/noisy-max-value-laplace": 1.25,
        "twin/histogram-wrong-scale": 2.0,
        "twin/svt-5": math.inf,
        "twin/noisy-max-value-exponential": math.inf,
    }
    true = {mechanism.name: mechanism.true_epsilon for mechanism in MECHANISMS}
    assert {name: true[name] for name in known} == pytest.approx(known, abs=1e-3)
