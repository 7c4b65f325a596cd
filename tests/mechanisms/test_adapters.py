import pickle
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from scipy.stats import ks_2samp

from provado.mechanisms import (
    AddOrRemoveOne,
    ApproximateDP,
    ConcentratedDP,
    PrivacyCurve,
    PureDP,
    ReplaceOne,
    UsageError,
    Verdict,
)
from provado.mechanisms.adapters import diffprivlib, opendp, pydp, real_data
from provado.mechanisms.adapters.adapter import load, stacked, stated_promise
from provado.mechanisms.adapters.diffprivlib_adapter import diffprivlib_mechanisms
from provado.mechanisms.adapters.opendp_adapter import opendp_mechanisms
from provado.mechanisms.adapters.pydp_adapter import pydp_mechanisms
from provado.mechanisms.adapters.real_data import QUESTIONS
from provado.mechanisms.definitions.relation import BoundedAnswers, changed_rows

LIBRARIES = {
    "opendp": opendp_mechanisms,
    "diffprivlib": diffprivlib_mechanisms,
    "pydp": pydp_mechanisms,
}
SHAPES = {"histogram": (4,), "histogram-replace-one": (4,)}
ALPHA = 1e-6


def installed(library):
    try:
        LIBRARIES[library]()
    except UsageError as error:
        return str(error)
    return None


MISSING = {library: installed(library) for library in LIBRARIES}


def needs(library):
    return pytest.mark.skipif(MISSING[library] is not None, reason=str(MISSING[library]))


def releases():
    for library, mechanisms in LIBRARIES.items():
        found = () if MISSING[library] else mechanisms()
        for mechanism in found:
            yield pytest.param(mechanism, id=mechanism.name)
        if not found:
            yield pytest.param(None, id=library, marks=needs(library))


every_release = pytest.mark.parametrize("mechanism", list(releases()))


def named(name):
    found = LIBRARIES[name.split("/")[0]]()
    return next(mechanism for mechanism in found if mechanism.name == name)


# What must not fire: sound releases expect no violation, and the unsound ones are these.
@needs("opendp")
@needs("diffprivlib")
@needs("pydp")
def test_the_expected_verdicts():
    found = [mechanism for release in LIBRARIES.values() for mechanism in release()]
    assert len({mechanism.name for mechanism in found}) == len(found) == 24
    violations = {m.name for m in found if m.expected is not Verdict.NO_VIOLATION}
    assert violations == {
        "diffprivlib/sum-centered",
        "diffprivlib/mean-centered",
        "diffprivlib/histogram-replace-one",
    }


@every_release
def test_outputs_have_the_size_that_was_asked_for(mechanism):
    d = mechanism.pairs[0][0]
    shape = SHAPES.get(mechanism.name.split("/")[1], ())
    for size in (1, 7):
        outputs = mechanism.run(d, size=size, rng=np.random.default_rng(size))
        assert isinstance(outputs, np.ndarray)
        assert outputs.shape == (size, *shape)
        assert np.all(np.isfinite(outputs))
    assert np.shape(mechanism.run(d)) == shape


@every_release
def test_every_release_promises_pure_privacy_on_pairs_one_record_apart(mechanism):
    assert isinstance(mechanism.promise, PureDP)
    assert mechanism.promise.epsilon == pytest.approx(1.0, abs=1e-9)
    assert mechanism.tags == ("library",)
    for d, d_prime in mechanism.pairs:
        mechanism.relation.check(d, d_prime)
        assert abs(len(d) - len(d_prime)) == (mechanism.relation == AddOrRemoveOne())


@every_release
def test_the_same_rng_gives_the_same_outputs_if_and_only_if_seedable(mechanism):
    # Two runs of 800 of the least random release (98 % one outcome) agree by chance below 1e-12.
    d = mechanism.pairs[0][0]
    first, second = (mechanism.run(d, size=800, rng=np.random.default_rng(9)) for _ in range(2))
    assert np.array_equal(first, second) == mechanism.seedable
    assert mechanism.seedable == mechanism.name.startswith("diffprivlib/")


@every_release
def test_a_run_survives_pickling(mechanism):
    run = pickle.loads(pickle.dumps(mechanism.run))
    assert len(run(mechanism.pairs[0][0], size=2)) == 2


def measurement_of(mechanism):
    """Return the single measurement of a release of OpenDP."""
    (*_, (_, single)) = mechanism.run.compositions()
    return single()


@needs("opendp")
def test_opendp_promises_what_the_map_says():
    for mechanism in opendp_mechanisms():
        measurement = measurement_of(mechanism)
        d_in = 1 if mechanism.name == "opendp/noisy-max" else 2
        assert mechanism.promise == PureDP(measurement.map(d_in))
        if d_in == 2:
            assert opendp.relation_of(measurement, 2) == mechanism.relation == ReplaceOne()
            assert opendp.relation_of(measurement, 1) == AddOrRemoveOne()


@needs("opendp")
def test_opendp_profiles_and_rho_are_read_at_the_delta_that_is_given():
    dp = opendp.prelude()
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    gaussian = dp.m.make_gaussian(*space, scale=2.0)
    curve = dp.c.make_zCDP_to_approxDP(gaussian)
    fixed = dp.c.make_fix_delta(curve, 1e-5)
    epsilon = curve.map(1.0).epsilon(1e-5)
    for measurement in (gaussian, curve, fixed):
        assert opendp.promise_of(measurement, 1.0, delta=1e-5) == ApproximateDP(epsilon, 1e-5)
    assert opendp.promise_of(gaussian, 1.0) == ConcentratedDP(0.125)
    profile = opendp.promise_of(curve, 1.0)
    assert isinstance(profile, PrivacyCurve)
    # OpenDP rounds the ε of a δ up.
    assert profile.delta(epsilon) == pytest.approx(1e-5, rel=1e-3)
    assert opendp.relation_of(gaussian, 1.0) == BoundedAnswers(sensitivity=1.0)
    with pytest.raises(UsageError, match="none of our relations"):
        opendp.relation_of(measurement_of(named("opendp/sum")), 3)


@needs("diffprivlib")
def test_diffprivlib_promises_what_the_accountant_books():
    library, tools = load("diffprivlib"), load("diffprivlib.tools")
    for mechanism in diffprivlib_mechanisms():
        if not isinstance(mechanism.run, diffprivlib.ToolRun):
            made, _ = mechanism.run.build(mechanism.pairs[0][0], 0)
            assert mechanism.promise == stated_promise(made.epsilon, made.delta)
            continue
        accountant = library.BudgetAccountant()
        options = dict(mechanism.run.options)
        tool = getattr(tools, mechanism.run.tool)
        tool(mechanism.pairs[0][0], accountant=accountant, random_state=0, **options)
        assert mechanism.promise == stated_promise(*accountant.total())


@needs("pydp")
def test_pydp_promises_what_the_algorithm_says():
    for mechanism in pydp_mechanisms():
        made = pydp.make(mechanism.run.algorithm, mechanism.run.options)
        assert (made.epsilon, made.delta) == mechanism.promise.point()
        assert mechanism.relation == AddOrRemoveOne()


# The naive twin of diffprivlib's draws: the tool itself, called once for each release.
@needs("diffprivlib")
def test_diffprivlib_draws_are_the_tools_own_to_the_last_bit():
    tools = load("diffprivlib.tools")
    for mechanism in diffprivlib_mechanisms():
        if not isinstance(mechanism.run, diffprivlib.ToolRun):
            continue
        for seed, d in enumerate(mechanism.pairs[0] * 5):
            random_state = np.random.RandomState(np.random.default_rng(seed).bit_generator)
            tool = getattr(tools, mechanism.run.tool)
            released = tool(d, random_state=random_state, **dict(mechanism.run.options))
            if mechanism.run.tool == "histogram":
                released = released[0]
            drawn = mechanism.run(d, rng=np.random.default_rng(seed))
            assert np.array_equal(drawn, released), mechanism.name


@needs("diffprivlib")
def test_diffprivlib_draws_have_the_law_of_its_default_generator():
    mechanism = named("diffprivlib/sum-centered")
    d = mechanism.pairs[0][0]
    tool = partial(load("diffprivlib.tools").sum, d, **dict(mechanism.run.options))
    default = [tool() for _ in range(1500)]
    drawn = mechanism.run(d, size=100_000, rng=np.random.default_rng(3))
    assert ks_2samp(default, drawn).pvalue > ALPHA


# The naive twins of the other two: one invocation for each release.
@needs("opendp")
def test_opendp_batches_have_the_law_of_single_invocations():
    mechanism = named("opendp/sum")
    d = mechanism.pairs[0][0]
    measurement = measurement_of(mechanism)
    single = [measurement(d.tolist()) for _ in range(500)]
    assert ks_2samp(single, mechanism.run(d, size=5000)).pvalue > ALPHA


@needs("pydp")
def test_pydp_merged_summaries_have_the_law_of_fresh_entries():
    mechanism = named("pydp/mean")
    d = mechanism.pairs[0][0]
    made = pydp.make(mechanism.run.algorithm, mechanism.run.options)
    fresh = [made.quick_result(d.tolist()) for _ in range(2000)]
    assert ks_2samp(fresh, mechanism.run(d, size=5000)).pvalue > ALPHA


@pytest.mark.parametrize(
    ("question", "size", "unit"),
    [("sum-centered", 1 / 4, 2.0**-53), ("mean-centered", 2.0**-11, 2.0**-61)],
)
@needs("diffprivlib")
def test_diffprivlib_noise_is_finer_than_one_of_the_two_answers(question, size, unit):
    mechanism = named(f"diffprivlib/{question}")
    rng = np.random.default_rng(1)
    d, d_prime = (mechanism.run(each, size=100_000, rng=rng) for each in mechanism.pairs[0])
    fine, fine_prime = (
        np.count_nonzero((np.abs(each) < size) & (each / unit % 1 != 0)) for each in (d, d_prime)
    )
    assert fine > 5000
    assert fine_prime == 0


@needs("diffprivlib")
def test_a_warning_about_privacy_is_not_hidden():
    leaks = load("diffprivlib.utils").PrivacyLeakWarning
    with pytest.warns(leaks):
        unbounded = diffprivlib.from_tool(
            "mean", name="unbounded", pairs=QUESTIONS["mean"].replaced(), epsilon=1.0
        )
    with pytest.warns(leaks):
        unbounded.run(unbounded.pairs[0][0], size=2)


@pytest.mark.parametrize(
    ("module", "use"),
    [
        ("opendp.prelude", opendp_mechanisms),
        ("diffprivlib", diffprivlib_mechanisms),
        (
            "pydp.algorithms.laplacian",
            partial(
                pydp.from_algorithm,
                "Count",
                name="count",
                pairs=QUESTIONS["count"].added(),
                epsilon=0.77,
                dtype="int",
            ),
        ),
    ],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(module, use, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=r"pip install 'provado\[libraries\]'"):
        use()


def test_the_adapters_import_without_the_libraries():
    code = (
        "import sys\n"
        "for name in ('opendp', 'diffprivlib', 'pydp'): sys.modules[name] = None\n"
        "from provado.mechanisms.adapters import opendp_adapter, diffprivlib_adapter\n"
        "from provado.mechanisms.adapters import pydp_adapter, plugins\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_real_pairs_differ_in_one_record_and_keep_to_the_public_bounds():
    for question in QUESTIONS.values():
        for d, d_prime in question.replaced():
            assert len(changed_rows(d, d_prime)) == 1
    for column, (low, high) in (
        (real_data.body_mass_index(), real_data.BMI_BOUNDS),
        (real_data.centered_body_mass_index(), real_data.CENTERED_BOUNDS),
    ):
        assert column.shape == (442,)
        assert np.all((low <= column) & (column <= high))
        assert not column.flags.writeable
    assert np.sum(real_data.centered_body_mass_index() ** 2) == pytest.approx(1)
    assert np.count_nonzero(real_data.malignant()) == 212


def test_the_moved_patient_leaves_the_fullest_band_for_the_next():
    ages, moved = QUESTIONS["histogram"].replaced()[0]
    before, after = real_data.band_counts(ages), real_data.band_counts(moved)
    fullest, runner_up = np.argsort(before)[::-1][:2]
    assert before[fullest] - after[fullest] == after[runner_up] - before[runner_up] == 1
    assert np.sum(before != after) == 2


def test_releases_that_are_no_numbers_stay_a_list():
    assert stacked(["a", "b"]) == ["a", "b"]
    assert stacked([None, 1.0]) == [None, 1.0]
    assert stacked([[1], [1, 2]]) == [[1], [1, 2]]
    assert stacked([(1, 2), (3, 4)]).shape == (2, 2)
