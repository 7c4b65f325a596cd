import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy.integrate import quad

from provado.mechanisms import UsageError
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW
from provado.mechanisms.textbook.noisy_max import report_noisy_max_probabilities
from provado.proofs import kernel
from provado.proofs.algebra import ExpSum, Piecewise, exp, laplace
from provado.proofs.ledger.kusner2016._exact import PassTest, pass_probability, release_probability
from tests.mechanisms.exact.sparse_vector import pattern_epsilon, pattern_probabilities, patterns
from tests.proofs.exact_programs import noisy_max, threshold_programs
from tests.proofs.exact_programs.factors import exact_answers
from tests.proofs.exact_programs.pair_privacy import (
    ExactEpsilon,
    exact_delta,
    exact_epsilon,
    prove_density_ratio,
)
from tests.proofs.exact_programs.release_loss import release_ratio
from tests.proofs.exact_programs.sieve_and_examine import mixture, one_off_law
from tests.proofs.exact_programs.threshold_programs import (
    ThresholdProgram,
    pattern_law,
    pattern_probability,
    proved_pattern_probability,
    svt,
)

F = Fraction
CATALOGUE = {mechanism.name: mechanism for mechanism in catalogue()}
ANSWERS = (1, 0, F(5, 2), F(3, 2))
SWAPPED = (ABOVE,) * 5 + (BELOW,) * 5


def pair(name):
    return CATALOGUE[name].pairs[0]


@pytest.mark.parametrize(
    ("cutoff", "query_scale"), [(1, 2), (2, F(2, 3)), (None, 1), (None, 0), (2, 0)]
)
def test_patterns_agree_with_quadrature(cutoff, query_scale):
    program = ThresholdProgram(F(6, 5), F(3, 2), query_scale, cutoff)
    law = pattern_law(program, ANSWERS)
    assert sum(law.values(), ExpSum()) == 1
    numeric = pattern_probabilities(
        [float(a) for a in ANSWERS],
        patterns(4, cutoff),
        threshold=1.2,
        threshold_scale=1.5,
        query_scale=float(query_scale),
    )
    for (pattern, chance), near in zip(law.items(), numeric, strict=True):
        assert float(chance) == pytest.approx(near, abs=1e-12), pattern


def test_a_renewed_threshold_is_drawn_anew():
    program = svt(2, threshold=F(6, 5), epsilon=2, cutoff=2)
    law = pattern_law(program, ANSWERS)
    assert sum(law.values(), ExpSum()) == 1
    plain = ThresholdProgram(F(6, 5), program.threshold_scale, program.query_scale, 1)
    # ⊤ and then ⊥ ⊥ ⊥ are two runs of one comparison series each.
    first = pattern_probability(plain, ANSWERS[:1], (ABOVE,))
    then = pattern_probability(plain, ANSWERS[1:], (BELOW,) * 3)
    assert law[ABOVE, BELOW, BELOW, BELOW] == first * then
    kept = ThresholdProgram(F(6, 5), program.threshold_scale, program.query_scale, 2)
    assert law[ABOVE, BELOW, BELOW, BELOW] != pattern_law(kept, ANSWERS)[ABOVE, BELOW, BELOW, BELOW]


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("sparse-vector/above-threshold", svt(1, threshold=F(1, 2), epsilon=1)),
        ("sparse-vector/svt-1", svt(1, threshold=F(1, 2), epsilon=1)),
        ("twin/svt-4", svt(4, threshold=1, epsilon=1)),
    ],
)
def test_epsilon_of_the_catalogue_pairs(name, program):
    laws = [pattern_law(program, data) for data in pair(name)]
    epsilon = exact_epsilon(*laws)
    assert float(epsilon) == pytest.approx(CATALOGUE[name].true_epsilon, abs=1e-12)
    finding = epsilon.checked(80)
    assert finding.verdict == "proved"
    low, high = epsilon.enclosure(80)
    assert 0 < high - low < F(1, 2**78)
    assert float(sympy.N(epsilon.to_sympy())) == pytest.approx(float(epsilon), abs=1e-12)
    # δ vanishes from ε on, and not before.
    assert exact_delta(*laws, high) == 0
    assert exact_delta(*laws, low - F(1, 2**60)) > 0


def test_published_bounds_hold_or_fail_on_the_catalogue_pairs():
    split = [pattern_law(svt(4, threshold=1, epsilon=1), data) for data in pair("twin/svt-4")]
    worst = exact_epsilon(*split)
    assert kernel.sum_sign((worst.likelier - exp(1) * worst.rarer).as_data()) > 0
    # Lyu, Su and Li: SVT 4 is ((1 + 6c)/4)·ε-DP.
    assert worst.likelier < exp(F(7, 4)) * worst.rarer


def test_epsilon_of_svt_5_is_infinite():
    program = svt(5, threshold=1, epsilon=1)
    d, d_prime = (pattern_probability(program, a, SWAPPED) for a in pair("twin/svt-5"))
    assert d == 0
    assert d_prime == 1 - exp(F(-1, 2))
    answers = [a[4:6] for a in pair("twin/svt-5")]
    epsilon = exact_epsilon(*(pattern_law(program, a) for a in answers))
    assert float(epsilon) == math.inf == CATALOGUE["twin/svt-5"].true_epsilon
    assert epsilon.to_sympy() == sympy.oo
    with pytest.raises(UsageError, match="infinite"):
        epsilon.enclosure()


def test_epsilon_of_svt_6():
    program = svt(6, threshold=1, epsilon=1)
    name = "twin/svt-6"
    d, d_prime = (pattern_probability(program, a, SWAPPED) for a in pair(name))
    epsilon = ExactEpsilon(SWAPPED, d, d_prime)
    assert float(epsilon) == pytest.approx(CATALOGUE[name].true_epsilon, abs=1e-12)
    # Over all 64 patterns of six of the answers the same kind of pattern is worst.
    few = [a[2:8] for a in pair(name)]
    worst = exact_epsilon(*(pattern_law(program, a) for a in few))
    assert worst.output in {(1, 1, 1, 0, 0, 0), (0, 0, 0, 1, 1, 1)}
    numeric = pattern_epsilon(
        tuple(few), patterns(6, None), threshold=1.0, threshold_scale=2.0, query_scale=2.0
    )
    assert float(worst) == pytest.approx(numeric, abs=1e-12)


def test_svt_3_loses_exactly_three_at_a_released_number():
    program = svt(3, threshold=1, epsilon=1)
    assert CATALOGUE["twin/svt-3"].true_epsilon == 3
    f, g = (threshold_programs.value_density(program, a, 5) for a in pair("twin/svt-3"))
    assert f.at(1) == exp(3) * g.at(1)
    findings = prove_density_ratio(f, g, 3)
    assert findings is not None
    assert all(finding.verdict == "proved" for finding in findings)
    assert prove_density_ratio(f, g, F(299, 100)) is None


def test_value_densities_agree_with_patterns():
    program = svt(3, threshold=F(6, 5), epsilon=1)
    for place in range(4):
        density = threshold_programs.value_density(program, ANSWERS, place)
        pattern = (BELOW,) * place + (ABOVE,) + (-1,) * (3 - place)
        assert density.integral() == pattern_probability(program, ANSWERS, pattern)


@pytest.mark.parametrize("noise", ["laplace", "exponential"])
def test_noisy_max_agrees_with_the_catalogue(noise):
    laws = [noisy_max.index_law(a, scale=4, noise=noise) for a in pair(f"noisy-max/{noise}")]
    epsilon = exact_epsilon(*laws)
    expected = CATALOGUE[f"noisy-max/{noise}"].true_epsilon
    assert float(epsilon) == pytest.approx(expected, abs=1e-12)
    law = noisy_max.index_law(ANSWERS, scale=4, noise=noise)
    numeric = report_noisy_max_probabilities(list(map(float, ANSWERS)), epsilon=0.5, noise=noise)
    assert [float(p) for p in law.values()] == pytest.approx(list(numeric), abs=1e-12)
    density = noisy_max.value_density(ANSWERS, scale=4, noise=noise)
    assert density.integral() == 1
    proved, finding = noisy_max.proved_index_probability(ANSWERS, 2, scale=4, noise=noise)
    assert proved == law[2]
    assert finding.verdict == "proved"


def test_exponential_noise_spends_exactly_its_epsilon_on_the_catalogue_pair():
    laws = [
        noisy_max.index_law(a, scale=4, noise="exponential") for a in pair("noisy-max/exponential")
    ]
    epsilon = exact_epsilon(*laws)
    assert epsilon.likelier == exp(F(1, 2)) * epsilon.rarer


def test_noisy_max_that_releases_the_value_loses_half_an_epsilon_a_query():
    name = "twin/noisy-max-value-laplace"
    f, g = (noisy_max.value_density(a, scale=4) for a in pair(name))
    assert CATALOGUE[name].true_epsilon == 1.25
    assert prove_density_ratio(f, g, F(5, 4)) is not None
    assert prove_density_ratio(f, g, F(124, 100)) is None
    # The bound is reached in the lower tail, and nowhere exceeded.
    assert f.at(-3) == exp(F(5, 4)) * g.at(-3)
    f, g = (
        noisy_max.value_density(a, scale=4, noise="exponential")
        for a in pair("twin/noisy-max-value-exponential")
    )
    assert g.at(F(3, 2)) == 0 < f.at(F(3, 2))


def test_proved_pattern_probabilities():
    program = svt(2, threshold=F(6, 5), epsilon=2, cutoff=2)
    pattern = (BELOW, ABOVE, BELOW, ABOVE)
    value, findings = proved_pattern_probability(program, ANSWERS, pattern)
    assert value == pattern_probability(program, ANSWERS, pattern)
    assert len(findings) == 2
    assert {finding.verdict for finding in findings} == {"proved"}


def test_a_refuted_claim_replays():
    program = svt(4, threshold=1, epsilon=1)

    def five_below_then_above(data):
        return pattern_probability(program, data, (BELOW,) * 5 + (ABOVE,) + (-1,) * 4).as_data()

    d, d_prime = (exact_answers(a) for a in pair("twin/svt-4"))
    chances = (five_below_then_above(d), five_below_then_above(d_prime))
    event = "the first ⊤ at the sixth query"
    counterexample = kernel.PrivacyCounterexample(d, d_prime, 1, event, chances, 1)
    finding = kernel.check(counterexample, five_below_then_above)
    assert finding.verdict == "refuted"
    assert "five_below_then_above" in finding.assumptions[0]
    fair = kernel.PrivacyCounterexample(d, d_prime, 1, event, chances, F(7, 4))
    with pytest.raises(kernel.KernelRefusal, match=r"^privacy"):
        kernel.check(fair, five_below_then_above)


def test_delta_of_a_laplace_pair_cut_into_cells():
    # Two cells, below and above the middle: δ(0) is the distance of the laws there.
    law = {"low": ExpSum.of(F(1, 2)), "high": ExpSum.of(F(1, 2))}
    moved = {"low": exp(-1) * F(1, 2), "high": 1 - exp(-1) * F(1, 2)}
    assert exact_delta(law, moved, 0) == F(1, 2) - exp(-1) * F(1, 2)
    assert exact_delta(law, moved, 1) == 0
    assert exact_epsilon(law, moved).likelier == F(1, 2)
    with pytest.raises(UsageError, match="add up"):
        exact_epsilon(law, {"low": ExpSum.of(1), "high": ExpSum.of(1)})
    with pytest.raises(UsageError, match="must be the same"):
        exact_epsilon(law, {"low": ExpSum.of(1)})
    with pytest.raises(UsageError, match="epsilon is"):
        exact_delta(law, moved, -1)


def tail_by_quadrature(distance, scale, threshold):
    rule = lambda x: math.exp(-abs(x - distance) / scale) / (2 * scale)  # noqa: E731
    middle = max(distance, threshold)
    pieces = [(threshold, middle), (middle, middle + 60 * scale)]
    return sum(quad(rule, a, b, epsabs=1e-13)[0] for a, b in pieces if a < b)


@pytest.mark.parametrize("distance", [0, 1, 4, 9])
def test_pass_probabilities_agree_with_quadrature(distance):
    # Dwork and Roth, Algorithm 13, at ε = 1/2 and δ = 1/20.
    test = PassTest(scale=2, delta=F(1, 20), times=2)
    near = tail_by_quadrature(distance, 2.0, 2 * math.log(20))
    assert float(pass_probability(test, distance)) == pytest.approx(near, abs=1e-10)
    # Kusner et al., Algorithm 1, at ε = 1/2 and δ = e^(−3): a threshold of 1 + 3.
    test = PassTest(scale=2, offset=4)
    near = tail_by_quadrature(distance, 2.0, 4.0)
    assert float(pass_probability(test, distance)) == pytest.approx(near, abs=1e-10)
    # The algebra says the same.
    mass = laplace(distance, 2).integral(F(4), None)
    assert pass_probability(test, distance) == mass


def test_an_unstable_dataset_passes_with_at_most_half_of_delta():
    # Distance 0 under Algorithm 13: exactly δ/2, and with two intervals δ − δ²/4.
    test = PassTest(scale=3, delta=F(1, 100), times=3)
    assert pass_probability(test, 0) == F(1, 200)
    assert release_probability(test, [0, 0]) == 1 - F(199, 200) ** 2


def test_loss_of_propose_test_release_on_a_pair():
    test = PassTest(scale=1, offset=4)
    top, bottom = release_ratio(test, [3, 1], [2, 0], move=F(1, 2), release_scale=1)
    epsilon = ExactEpsilon("number", top, bottom)
    p, q = (float(release_probability(test, d)) for d in ([3, 1], [2, 0]))
    assert float(epsilon) == pytest.approx(abs(math.log(p / q)) + 0.5, abs=1e-12)
    assert epsilon.checked().verdict == "proved"
    top, bottom = release_ratio(test, [9, 9], [8, 8], move=0, release_scale=1)
    silent = [1 - float(release_probability(test, d)) for d in ([8, 8], [9, 9])]
    assert float(top) / float(bottom) == pytest.approx(silent[0] / silent[1], rel=1e-9)


def test_one_off_sieve_and_examine_agrees_with_simulation():
    sieve = ThresholdProgram(F(1, 2), 1, 2, 1)
    seen, whole = (0, 1, 2), (0, F(1, 2), F(3, 2))
    law = one_off_law(sieve, seen, whole, threshold=1, examine_scale=1)
    assert sum(law.values(), ExpSum()) == 1
    n, rng = 200_000, np.random.default_rng(4)
    level = 0.5 + rng.laplace(scale=1, size=(n, 1))
    above = np.array(seen, dtype=float) + rng.laplace(scale=2, size=(n, 3)) >= level
    first = np.where(above.any(axis=1), above.argmax(axis=1), -1)
    passed = np.array(whole, dtype=float)[first] + rng.laplace(size=n) >= 1
    for (kind, k), chance in law.items():
        hits = np.sum((first == k) & ((kind == "none") | (passed == (kind == "kept"))))
        deviation = (hits / n - float(chance)) / math.sqrt(float(chance) * (1 - float(chance)) / n)
        assert abs(deviation) < 5
    told = one_off_law(sieve, seen, whole, threshold=1, examine_scale=1, tells_dropped=False)
    assert told["silent", -1] == law["none", -1] + sum(
        (law["dropped", i] for i in range(3)), ExpSum()
    )
    mixed = mixture([law, law], [F(1, 3), F(2, 3)])
    assert mixed == law
    with pytest.raises(UsageError, match="weights are"):
        mixture([law, law], [F(1, 3), F(1, 3)])


def test_bad_parameters_are_refused():
    good = ThresholdProgram(1, 1, 1)
    for call in (
        lambda: ThresholdProgram(0.5, 1, 1),
        lambda: ThresholdProgram(1, 0, 1),
        lambda: ThresholdProgram(1, 1, -1),
        lambda: ThresholdProgram(1, 1, 1, 0),
        lambda: svt(7, threshold=1, epsilon=1),
        lambda: svt(1, threshold=1, epsilon=0.1),
        lambda: pattern_probability(good, (1, 2), (ABOVE, ABOVE)),
        lambda: pattern_probability(good, (1, 2), (BELOW,)),
        lambda: pattern_probability(good, (math.nan,), (BELOW,)),
        lambda: pattern_probability(good, (), ()),
        lambda: threshold_programs.value_density(good, (1, 2), 2),
        lambda: noisy_max.index_law((1, 2), scale=0.5),
        lambda: noisy_max.index_law((1, 2), scale=1, noise="gaussian"),
        lambda: noisy_max.proved_index_probability((1, 2), 2, scale=1),
        lambda: PassTest(scale=2, times=3),
        lambda: PassTest(scale=2, delta=2),
        lambda: PassTest(scale=0),
        lambda: release_probability(PassTest(scale=1), []),
        lambda: one_off_law(good, (1,), (1, 2), threshold=1, examine_scale=1),
    ):
        with pytest.raises(UsageError):
            call()


def test_a_ratio_that_fails_somewhere_is_not_proved():
    f, g = laplace(0, 1), laplace(1, 1)
    assert prove_density_ratio(f, g, 1) is not None
    assert prove_density_ratio(f, g, F(99, 100)) is None
    assert prove_density_ratio(f, Piecewise.constant(0), 1) is None


def test_numbers_with_fresh_noise_cost_what_the_catalogue_says():
    name = "sparse-vector/numeric"
    program = ThresholdProgram(F(1, 2), F(9, 4), F(9, 2), 1)
    d, d_prime = (pattern_law(program, a) for a in pair(name))
    silent = (BELOW,) * 10
    # A number with Laplace noise of scale 9 on an answer that moves by 1 costs 1/9 more.
    losses = []
    for pattern in d:
        p, q = max(d[pattern], d_prime[pattern]), min(d[pattern], d_prime[pattern])
        told = p if pattern == silent else p * exp(F(1, 9))
        losses.append(float(ExactEpsilon(pattern, told, q)))
    assert max(losses) == pytest.approx(CATALOGUE[name].true_epsilon, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "program", "epsilon", "places"),
    [
        ("twin/svt-3", svt(3, threshold=1, epsilon=1), F(3), range(7)),
        ("twin/numeric-sparse", ThresholdProgram(2, 2, 4, 1), F(5, 2), range(10)),
        pytest.param(
            "twin/svt-3",
            svt(3, threshold=1, epsilon=1),
            F(3),
            range(7, 10),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_numbers_that_were_compared_cost_exactly_what_the_catalogue_says(
    name, program, epsilon, places
):
    assert CATALOGUE[name].true_epsilon == epsilon
    d, d_prime = pair(name)
    for place in places:
        f, g = (threshold_programs.value_density(program, a, place) for a in (d, d_prime))
        assert prove_density_ratio(f, g, epsilon) is not None, place
    silent = [pattern_probability(program, a, (BELOW,) * 10) for a in (d, d_prime)]
    assert max(silent) <= exp(epsilon) * min(silent)
    # Reached: the ratio at 1 is the bound itself, at one place at least.
    ratios = [
        [threshold_programs.value_density(program, a, place).at(1) for a in (d, d_prime)]
        for place in range(10)
    ]
    assert any(max(pair_) == exp(epsilon) * min(pair_) for pair_ in ratios)
