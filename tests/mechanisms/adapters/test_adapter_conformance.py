import random
import subprocess
import sys
import unittest
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import binom, chi2_contingency, ks_2samp, spearmanr

from provado.audit import audit
from provado.mechanisms import ApproximateDP, BoundedAnswers, ReplaceOne, UsageError, Verdict
from provado.mechanisms.adapters import (
    diffprivlib_adapter,
    measurement_like,
    opendp,
    opendp_adapter,
    pydp_adapter,
)
from provado.mechanisms.adapters.adapter import load
from provado.mechanisms.adapters.conformance import (
    LEVEL,
    RULES,
    AdapterConformance,
    ConformanceError,
    Example,
    NotApplicableError,
    checks,
    dependence_p_value,
    same_distribution_p_value,
)
from tests.mechanisms.adapters.toy_library import (
    ADAPTER,
    BREAKS,
    CHANGED,
    DATA,
    EXAMPLE,
    ForgetsTheSeed,
    laplace_on_a_grid,
)


def outcomes(adapter, example=EXAMPLE, audited=None):
    """Return the names of the rules that were broken and of those that said nothing."""
    broken, silent = set(), set()
    for check in checks(adapter, (example,), audited=audited):
        try:
            check()
        except ConformanceError:
            broken.add(check.rule.__name__)
        except NotApplicableError:
            silent.add(check.rule.__name__)
    return broken, silent


def finds_a_violation(mechanism):
    result = audit(mechanism, samples=20_000, confidence=0.999)
    return result.verdict is Verdict.VIOLATION


# What must not fire first.
class TestToy(AdapterConformance):
    adapter = ADAPTER
    examples = (EXAMPLE,)

    def audited(self, mechanism):
        return finds_a_violation(mechanism)


class Measured:
    """Releases by one method and states its cost; takes ``size`` and ``rng`` at once."""

    relation = ReplaceOne()

    def __init__(self, epsilon, factor=1.0):
        self.epsilon, self.scale = epsilon, factor / epsilon

    def release(self, data, *, size=None, rng):
        return sum(data) + laplace_on_a_grid(self.scale, size, rng)


SYSTEM = random.SystemRandom()


class MeasuredOnce(Measured):
    """States (ε, δ) as a pair, and releases one output at a time from the system."""

    delta = 1e-5

    @property
    def privacy_cost(self):
        return self.epsilon, self.delta

    def release(self, data):
        noise = SYSTEM.expovariate(1) - SYSTEM.expovariate(1)
        return sum(data) + round(noise * self.scale * 2**20) / 2**20


def two_sums(kind, accounting):
    return replace(
        EXAMPLE,
        name=kind.__name__,
        make=kind,
        accounting=accounting,
        halved=lambda: kind(1.0, factor=0.5),
    )


class TestMeasurementLike(AdapterConformance):
    adapter = measurement_like.ADAPTER
    examples = (
        two_sums(Measured, lambda obj: (obj.epsilon, 0.0)),
        two_sums(MeasuredOnce, lambda obj: ApproximateDP(*obj.privacy_cost)),
    )

    def audited(self, mechanism):
        return finds_a_violation(mechanism)


def needs(module):
    try:
        load(module)
    except UsageError as error:
        return pytest.mark.skip(reason=str(error))
    return pytest.mark.skipif(False, reason="it is there")


def opendp_sum(epsilon, factor=1.0):
    dp = opendp.prelude()
    space = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False), size=len(DATA)),
        dp.symmetric_distance(),
    )
    clamped = space >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum()
    return clamped >> dp.m.then_laplace(factor / epsilon)


def opendp_halved_sum():
    # A measurement of the user's own, which states a map that its function does not keep.
    dp, sound = opendp.prelude(), opendp_sum(1.0)
    dp.enable_features("honest-but-curious")
    rng = np.random.default_rng(0)
    return dp.m.make_user_measurement(
        sound.input_domain,
        sound.input_metric,
        sound.output_measure,
        function=lambda data: float(sum(data) + rng.laplace(scale=0.5)),
        privacy_map=lambda d_in: d_in / 2,
    )


@needs("opendp.prelude")
class TestOpenDP(AdapterConformance):
    adapter = opendp_adapter.ADAPTER
    examples = (
        replace(
            EXAMPLE,
            name="clamped sum",
            make=opendp_sum,
            # A replaced record counts as two.
            accounting=lambda obj: (obj.map(2), 0.0),
            relation=ReplaceOne(),
            halved=opendp_halved_sum,
        ),
    )


def noise(kind, epsilon, sensitivity=2):
    more = {"delta": 1e-3} if kind == "GaussianAnalytic" else {}
    made = getattr(load("diffprivlib.mechanisms"), kind)
    return made(epsilon=epsilon, sensitivity=sensitivity, **more)


def scaler(epsilon, bounds=(0.0, 1.0)):
    return load("diffprivlib.models").StandardScaler(epsilon=epsilon, bounds=bounds)


@needs("diffprivlib.models")
@pytest.mark.slow
class TestDiffprivlibModels(AdapterConformance):
    adapter = diffprivlib_adapter.ADAPTER
    examples = (
        Example(
            "StandardScaler",
            make=scaler,
            accounting=lambda obj: (obj.epsilon, 0.0),
            pairs=(([[0.0], [0.0], [0.0]], [[0.0], [0.0], [1.0]]),),
            # Noise is cut off at the bounds.
            scales=False,
            strangers=([[0.0], [0.0], [0.0]], [[0.0], [1.0], [1.0]]),
        ),
    )


@needs("diffprivlib")
class TestDiffprivlib(AdapterConformance):
    adapter = diffprivlib_adapter.ADAPTER
    examples = tuple(
        Example(
            kind,
            make=partial(noise, kind),
            accounting=lambda obj: (obj.epsilon, obj.delta),
            # Far from 0, where floating-point noise is coarse enough not to tell on an audit.
            pairs=((1003, 1005),),
            relation=BoundedAnswers(2.0),
            scales=kind == "Laplace",
            halved=partial(noise, kind, 1.0, sensitivity=1),
            strangers=(1003, 1006),
        )
        for kind in ("Laplace", "Geometric", "GaussianAnalytic")
    )


def pydp_sum(epsilon):
    sum_of = load("pydp.algorithms.laplacian").BoundedSum
    return sum_of(epsilon=epsilon, lower_bound=0.0, upper_bound=1.0, dtype="float")


def pydp_halved_sum():
    # The library finds its algorithm by the name of the class.
    halved = type("BoundedSum", (load("pydp.algorithms.laplacian").BoundedSum,), {"epsilon": 1.0})
    return halved(epsilon=2.0, lower_bound=0.0, upper_bound=1.0, dtype="float")


def pydp_noise(epsilon):
    return load("pydp.algorithms.numerical_mechanisms").LaplaceMechanism(
        epsilon=epsilon, sensitivity=1.0
    )


@needs("pydp.algorithms.laplacian")
class TestPyDP(AdapterConformance):
    adapter = pydp_adapter.ADAPTER
    examples = (
        Example(
            "sum",
            make=pydp_sum,
            accounting=lambda obj: (obj.epsilon, obj.delta),
            pairs=((DATA, [*DATA, 1.0]),),
            halved=pydp_halved_sum,
            strangers=(DATA, CHANGED),
        ),
        Example(
            "Laplace noise",
            make=pydp_noise,
            accounting=lambda obj: (obj.epsilon, 0.0),
            pairs=((0.0, 1.0),),
            strangers=(0.0, 1.5),
        ),
    )


# Not of OpenDP: there only a measurement of the user's own can lie, and its function is called
# back from the library, where an audit's time limit cannot interrupt it.
@pytest.mark.slow
@pytest.mark.parametrize("suite", [TestDiffprivlib, TestPyDP])
def test_an_audit_finds_the_planted_bug_of_a_library(suite):
    for check in checks(suite.adapter, suite.examples[:1], audited=finds_a_violation):
        if check.rule.__name__ == "lets_an_audit_find_a_planted_bug":
            check()


def test_every_rule_has_an_adapter_that_breaks_it_and_no_other():
    assert set(BREAKS.values()) | {"lets_an_audit_find_a_planted_bug"} == {
        rule.__name__ for rule in RULES
    }


@pytest.mark.parametrize(
    ("adapter", "rule"), BREAKS.items(), ids=[each.__name__ for each in BREAKS]
)
def test_an_adapter_that_breaks_one_rule_fails_there_only(adapter, rule):
    assert outcomes(adapter()) == ({rule}, {"lets_an_audit_find_a_planted_bug"})


def test_an_adapter_that_forgets_the_seed_fails_wherever_seeds_matter():
    broken, _ = outcomes(ForgetsTheSeed())
    assert broken == {"replays_by_seed_or_says_that_it_does_not", "draws_anew_in_forked_processes"}


@pytest.mark.parametrize("verdict", [True, False])
def test_an_audit_that_says_the_same_of_everything_fails(verdict):
    broken, silent = outcomes(ADAPTER, audited=lambda mechanism: verdict)
    assert broken == {"lets_an_audit_find_a_planted_bug"}
    assert silent == set()


def test_what_an_example_lacks_is_said_and_not_passed():
    bare = replace(EXAMPLE, halved=None, strangers=None, scales=False)
    assert outcomes(ADAPTER, bare) == (
        set(),
        {
            "draws_half_the_noise_at_twice_the_epsilon",
            "runs_the_object_that_it_was_given",
            "refuses_pairs_that_are_no_neighbors",
            "lets_an_audit_find_a_planted_bug",
        },
    )

    class Bare(AdapterConformance):
        adapter = ADAPTER
        examples = (bare,)

    with pytest.raises(unittest.SkipTest, match="noisy sum: it names no two datasets"):
        Bare().test_refuses_pairs_that_are_no_neighbors()
    with pytest.raises(UsageError, match="examples is empty"):
        checks(ADAPTER, ())


def test_a_break_names_the_example_and_what_was_seen():
    check = next(
        check
        for check in checks(next(iter(BREAKS))(), (EXAMPLE,))
        if check.rule.__name__ == "keeps_the_protocol"
    )
    assert check.name == "keeps_the_protocol[noisy sum]"
    assert check.words.startswith("Require ")
    with pytest.raises(ConformanceError, match=r"^noisy sum: releases returned 'sum': each name"):
        check()
    crash = replace(EXAMPLE, accounting=lambda obj: 1 / 0)
    with pytest.raises(ConformanceError, match="noisy sum: raised ZeroDivisionError"):
        checks(ADAPTER, (crash,))[2]()


def test_the_class_has_one_test_for_each_rule():
    tests = {name for name in vars(AdapterConformance) if name.startswith("test_")}
    assert tests == {f"test_{rule.__name__}" for rule in RULES}


def test_the_suite_imports_neither_pytest_nor_a_library():
    code = (
        "import sys\n"
        "for name in ('pytest', 'opendp', 'diffprivlib', 'pydp'): sys.modules[name] = None\n"
        "import provado.mechanisms.adapters.conformance\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# The naive twins of the two tests.
def test_the_law_of_numbers_is_compared_coordinate_by_coordinate():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(300, 2)), rng.normal(0.2, size=(400, 2))
    naive = [ks_2samp(a[:, i], b[:, i], method="asymp").pvalue for i in range(2)]
    assert same_distribution_p_value(a, b) == pytest.approx(2 * min(naive))
    assert same_distribution_p_value(a[:, 0], b[:, 0]) == pytest.approx(naive[0])
    assert same_distribution_p_value(a, b[:, :1]) == 0
    assert same_distribution_p_value(a, a + 1) < LEVEL


def test_the_law_of_anything_else_is_compared_in_a_table():
    first, second = ["a"] * 60 + ["b"] * 40 + ["c"], ["a"] * 50 + ["b"] * 50 + ["d"]
    naive = chi2_contingency([[60, 40, 1], [50, 50, 1]]).pvalue
    assert same_distribution_p_value(first, second) == pytest.approx(naive)
    assert same_distribution_p_value(["a"] * 100, ["b"] * 100) < LEVEL
    assert same_distribution_p_value(["a"] * 100, ["a"] * 90) == 1


def test_dependence_is_the_rank_correlation_of_neighbors_in_the_batch():
    values = np.random.default_rng(0).normal(size=101)
    naive = [spearmanr(values[i : 100 + i : 2], values[i + 1 : 101 + i : 2]).pvalue for i in (0, 1)]
    assert dependence_p_value(values) == pytest.approx(min(1.0, 2 * min(naive)))
    assert dependence_p_value(np.repeat(values, 2)) < LEVEL
    words = np.repeat(np.random.default_rng(1).choice(list("abcd"), 200), 2)
    assert dependence_p_value(list(words)) < LEVEL
    assert dependence_p_value([1.0, 1.0, 1.0]) == 1


@pytest.mark.parametrize("draw", ["normal", "integers", "words", "mappings"])
def test_both_keep_their_level(draw):
    rng, level, trials = np.random.default_rng(5), 0.05, 150
    law = dependence = 0
    for _ in range(trials):
        if draw == "words":
            samples = [rng.choice(list("abc"), 200, p=(0.5, 0.3, 0.2)).tolist() for _ in range(2)]
        elif draw == "mappings":
            samples = [[{"x": x} for x in rng.normal(size=200).tolist()] for _ in range(2)]
        else:
            samples = [
                rng.normal(size=200) if draw == "normal" else rng.integers(4, size=200)
                for _ in range(2)
            ]
        law += same_distribution_p_value(*samples) <= level
        dependence += dependence_p_value(samples[0]) <= level
    most = binom.isf(1e-6, trials, level)
    assert law <= most
    assert dependence <= most
