import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.checks.state import changed, fingerprint
from provado.mechanisms import (
    AddOrRemoveOne,
    ApproximateDP,
    BoundedAnswers,
    ConcentratedDP,
    NotNeighborsError,
    PureDP,
    ReplaceOne,
    UsageError,
    Verdict,
)
from provado.mechanisms.adapters import conformance, diffprivlib, opendp
from provado.mechanisms.adapters.adapter import load
from provado.mechanisms.adapters.plugins import as_mechanism
from provado.mechanisms.adapters.real_data import QUESTIONS

NUMBERS = ((0.0, 1.0),)


def dp():
    pytest.importorskip("opendp")
    return opendp.prelude()


def noise():
    pytest.importorskip("diffprivlib")
    return load("diffprivlib.mechanisms")


def laplace():
    library = dp()
    space = library.atom_domain(T=float, nan=False), library.absolute_distance(T=float)
    return library.m.make_laplace(*space, scale=2.0)


def test_opendp_reads_the_map_at_the_distance_of_the_relation():
    measurement = laplace()
    made = as_mechanism(measurement, pairs=NUMBERS, relation=BoundedAnswers(1.0))
    assert (made.name, made.promise) == ("opendp/Measurement", PureDP(0.5))
    wide = as_mechanism(measurement, pairs=NUMBERS, d_in=3)
    assert (wide.promise, wide.relation) == (PureDP(1.5), BoundedAnswers(3.0))
    with pytest.raises(UsageError, match="d_in is missing"):
        as_mechanism(measurement, pairs=NUMBERS)
    with pytest.raises(UsageError, match="the distance of replace-one neighbors is not known"):
        as_mechanism(measurement, pairs=NUMBERS, relation=ReplaceOne())
    with pytest.raises(NotNeighborsError):
        as_mechanism(measurement, pairs=((0.0, 9.0),), d_in=3)
    with pytest.raises(UsageError, match=r"say d_in=… and relation=… too"):
        as_mechanism(measurement, pairs=NUMBERS, d_in=3, prepare=float)


def test_opendp_refuses_a_distance_below_the_relations():
    library = dp()
    domain = library.vector_domain(library.atom_domain(bounds=(0, 1)), size=2)
    counted = (domain, library.symmetric_distance()) >> library.t.then_sum()
    measurement = counted >> library.m.then_laplace(2.0)
    pairs = (([0, 1], [1, 1]),)
    assert as_mechanism(measurement, pairs=pairs, relation=ReplaceOne()).promise == PureDP(0.5)
    with pytest.raises(UsageError, match="replace-one neighbors are at distance 2 under Symm"):
        as_mechanism(measurement, pairs=pairs, relation=ReplaceOne(), d_in=1)


def test_opendp_promises_its_own_unless_a_delta_is_given():
    library = dp()
    space = library.atom_domain(T=float, nan=False), library.absolute_distance(T=float)
    gaussian = library.m.make_gaussian(*space, scale=4.0)
    assert as_mechanism(gaussian, pairs=NUMBERS, d_in=1).promise == ConcentratedDP(1 / 32)
    assert isinstance(
        as_mechanism(gaussian, pairs=NUMBERS, d_in=1, delta=1e-5).promise, ApproximateDP
    )


@pytest.mark.parametrize("size", [1, 9, 10, 2345])
def test_opendp_batches_are_composed_of_single_releases(size):
    library = dp()
    made = as_mechanism(laplace(), pairs=NUMBERS, d_in=1)
    assert [count for count, _ in made.run.compositions()] == [1000, 100, 10, 1]
    drawn = made.run(0.0, size=size)
    assert drawn.shape == (size,)
    assert len(set(drawn)) == size
    # A profile does not compose: each release is a call.
    space = library.atom_domain(T=float, nan=False), library.absolute_distance(T=float)
    curve = library.c.make_zCDP_to_approxDP(library.m.make_gaussian(*space, scale=4.0))
    single = as_mechanism(curve, pairs=NUMBERS, d_in=1, delta=1e-5)
    assert [count for count, _ in single.run.compositions()] == [1]
    assert single.run(0.0, size=3).shape == (3,)


def test_an_audit_sees_that_a_live_measurement_keeps_nothing():
    run = as_mechanism(laplace(), pairs=NUMBERS, d_in=1).run
    before = fingerprint(run)
    run(0.0, size=1234)
    assert changed(before, fingerprint(run)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "verdict"), [(2.0, Verdict.NO_VIOLATION), (0.5, Verdict.VIOLATION)]
)
def test_an_audit_takes_a_live_measurement(scale, verdict):
    library = dp()
    space = library.atom_domain(T=int), library.absolute_distance(T=int)
    measurement = library.m.make_laplace(*space, scale=scale)
    made = as_mechanism(measurement, pairs=((3, 4),), d_in=1)
    assert made.promise == PureDP(1 / scale)
    assert audit(made, epsilon=1.0, samples=20_000).verdict is verdict


def test_a_live_measurement_says_why_it_cannot_be_pickled():
    made = as_mechanism(laplace(), pairs=NUMBERS, d_in=1)
    with pytest.raises(pickle.PicklingError, match="a Measurement cannot be pickled; forked"):
        pickle.dumps(made.run)


def test_diffprivlib_takes_the_object_as_it_is_now():
    obj = noise().Laplace(epsilon=0.5, sensitivity=1)
    made = as_mechanism(obj, pairs=NUMBERS)
    assert (made.name, made.promise) == ("diffprivlib/Laplace", PureDP(0.5))
    assert made.relation == BoundedAnswers(1.0)
    before = made.run(0.0, size=50, rng=np.random.default_rng(1))
    obj.epsilon = 100.0
    assert np.array_equal(made.run(0.0, size=50, rng=np.random.default_rng(1)), before)
    copied = pickle.loads(pickle.dumps(made.run))
    assert np.array_equal(copied(0.0, size=50, rng=np.random.default_rng(1)), before)


def test_diffprivlib_keeps_a_release_that_was_replaced_in_the_object():
    obj = noise().Laplace(epsilon=0.5, sensitivity=1)
    obj.randomise = len
    assert np.array_equal(
        as_mechanism(obj, pairs=NUMBERS, query=str, relation=BoundedAnswers(1.0)).run(0.5, size=2),
        [3, 3],
    )


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("Exponential", {"sensitivity": 1, "utility": [1, 2]}, "its utilities, and so the data"),
        ("Vector", {"function_sensitivity": 1, "dimension": 2}, "it releases functions"),
        ("Binary", {"value0": "a", "value1": "b"}, "Binary does not say which inputs are neighb"),
    ],
)
def test_diffprivlib_objects_that_do_not_say_enough(kind, options, words):
    obj = getattr(noise(), kind)(epsilon=1.0, **options)
    with pytest.raises(UsageError, match=words):
        as_mechanism(obj, pairs=(("a", "b"),))


def test_diffprivlib_binary_values_with_a_relation():
    obj = noise().Binary(epsilon=1.0, value0="a", value1="b")
    made = as_mechanism(obj, pairs=(("a", "b"),), relation=ReplaceOne())
    assert set(made.run("a", size=200, rng=np.random.default_rng(0))) == {"a", "b"}


def test_another_thread_never_gets_a_release_without_noise():
    # While one thread takes what a tool would randomise, others get the library's own noise.
    library = noise()
    obj = library.LaplaceTruncated(epsilon=1.0, sensitivity=1, lower=-1e9, upper=1e9)
    seen, done = [], threading.Event()

    def release():
        seen.append(obj.randomise(0.5))
        done.set()

    with diffprivlib._drawing_nothing() as taken:
        thread = threading.Thread(target=release)
        thread.start()
        assert done.wait(30)
        thread.join()
        # The broken twin: in this thread there is no noise.
        assert obj.randomise(0.5) == 0.5
    assert seen[0] != 0.5
    assert len(taken) == 1
    assert obj.randomise(0.5) != 0.5


def test_tools_in_many_threads_draw_as_in_one():
    noise()
    made = diffprivlib.from_tool(
        "mean", name="mean", pairs=QUESTIONS["mean"].replaced(), epsilon=1.0, bounds=(15.0, 50.0)
    )
    data = made.pairs[0][0]
    alone = [made.run(data, size=5, rng=np.random.default_rng(i)) for i in range(24)]
    together = [None] * 24

    def work(start):
        for i in range(start, 24, 4):
            together[i] = made.run(data, size=5, rng=np.random.default_rng(i))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert np.array_equal(alone, together)


def test_forks_of_a_process_that_has_drawn_share_none_of_pydp_s_noise():
    numerical = pytest.importorskip("pydp.algorithms.numerical_mechanisms")
    live = numerical.LaplaceMechanism(1.0, sensitivity=1.0)
    run = as_mechanism(live, pairs=[(0.0, 1.0)]).run
    run(0.0, size=3)
    drawn = [conformance.forked(run, 0.0) for _ in range(3)]
    assert [fault for _, fault in drawn] == [None] * 3
    first, second, third = (np.asarray(outputs) for outputs, _ in drawn)
    # Without the noise thrown away, all of them are equal.
    assert np.mean(first == second) < 0.5
    assert np.mean(second == third) < 0.5


def test_pydp_algorithms_and_numerical_mechanisms():
    pytest.importorskip("pydp")
    algorithms = load("pydp.algorithms.laplacian")
    obj = algorithms.BoundedSum(epsilon=0.5, lower_bound=0, upper_bound=1, dtype="float")
    pairs = (([0.5], [0.5, 1.0]),)
    made = as_mechanism(obj, pairs=pairs)
    assert (made.name, made.promise, made.relation) == (
        "pydp/BoundedSum",
        PureDP(0.5),
        AddOrRemoveOne(),
    )
    assert made.source.work.startswith("python-dp ")
    assert len(made.run(np.array([0.5]), size=3)) == 3
    with pytest.raises(UsageError, match=r"say relation=… too"):
        as_mechanism(obj, pairs=pairs, prepare=list)
    numerical = load("pydp.algorithms.numerical_mechanisms")
    made = as_mechanism(numerical.LaplaceMechanism(epsilon=0.5, sensitivity=2.0), pairs=((0, 2),))
    assert (made.promise, made.relation) == (PureDP(0.5), BoundedAnswers(2.0))


def test_matching_imports_no_library():
    code = (
        "import sys\n"
        "from provado.mechanisms.adapters.plugins import discover\n"
        "assert not any(each.adapter.matches(object()) for each in discover().found)\n"
        "assert not {'opendp', 'diffprivlib', 'pydp'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_audit_takes_an_object_with_the_claim_that_its_library_accounts_for():
    geometric = noise().Geometric(epsilon=1)
    found = audit(geometric, pair=(3, 4), samples=20_000)
    assert (found.epsilon, found.verdict) == (1.0, Verdict.NO_VIOLATION)
    stricter = audit(geometric, epsilon=0.5, pair=(3, 4), samples=20_000)
    assert (stricter.epsilon, stricter.verdict) == (0.5, Verdict.VIOLATION)
    with pytest.raises(UsageError, match="epsilon is missing"):
        audit(lambda data: data, pair=(3, 4))
