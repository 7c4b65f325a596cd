"""Programs as tutorials of well-known libraries write them, each decided or refused by name."""

import math
import random

import numpy as np
import pytest
from numpy.random import laplace as numpy_laplace
from scipy import stats

from provado.proofs import prove
from provado.proofs.programs.read.expressions import LanguageError
from provado.proofs.programs.repair import Repair, repair

# ruff: noqa: NPY002 - as people write them

generator = np.random.default_rng()


def above_threshold(q, epsilon, threshold):
    rng = np.random.default_rng()
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    for i, answer in enumerate(q):
        if answer + rng.laplace(0, 4 / epsilon) >= noisy_threshold:
            return i
    return None


def sparse_vector(q, epsilon, threshold, count: int, rng=None):
    if rng is None:
        rng = np.random.default_rng()
    epsilon_1, epsilon_2 = epsilon / 2, epsilon / 2
    noisy_threshold = threshold + rng.laplace(scale=1 / epsilon_1)
    scale = 2 * count / epsilon_2
    found = 0
    answers = []
    for answer in q:
        if answer + rng.laplace(scale=scale) >= noisy_threshold:
            answers.append(True)
            found += 1
            if found == count:
                break
        else:
            answers.append(False)
    return answers


def noisy_max(q, epsilon):
    noisy = [answer + np.random.laplace(0, 2 / epsilon) for answer in q]
    return np.argmax(noisy)


def noisy_max_of_an_array(q, epsilon, rng):
    scores = np.array(q)
    noisy = scores + rng.laplace(scale=2 / epsilon, size=len(scores))
    return int(noisy.argmax())


def permute_and_flip(q, epsilon):
    return np.argmax(q + generator.exponential(2 / epsilon, size=len(q)))


def histogram(q, epsilon):
    b = 1 / epsilon
    return [count + np.random.laplace(0, b) for count in q]


def histogram_of_an_array(q, epsilon):
    from numpy import random as noise

    counts = np.asarray(q)
    return counts + noise.laplace(0, 1 / epsilon, size=counts.shape)


def histogram_around(q, epsilon):
    return np.random.laplace(loc=q, scale=1 / epsilon).tolist()


def histogram_of_geometric_noise(q: list[int], epsilon):
    p = 1 - math.exp(-epsilon)
    n = len(q)
    return q + (np.random.geometric(p, size=n) - np.random.geometric(p, size=n))


def two_answers(q, epsilon):
    scale = 2 / epsilon
    return {"sum": q[0] + numpy_laplace(scale=scale), "count": q[1] + numpy_laplace(scale=scale)}


def sum_of_scipy(q, epsilon):
    return float(q[0] + stats.laplace.rvs(scale=1 / epsilon, random_state=None))


def sum_with_an_import(q, epsilon):
    import scipy.stats as st

    noise = st.laplace.rvs(loc=0, scale=1 / epsilon, size=1)
    return q[0] + noise


def sum_with_two_exponentials(q, epsilon):
    noise = random.expovariate(epsilon) - random.expovariate(epsilon)
    return q[0] + noise


def count_with_geometric_noise(q: list[int], epsilon, seed=None):
    rng = np.random.default_rng(seed)
    alpha = np.exp(-epsilon)
    x = rng.geometric(1 - alpha)
    y = rng.geometric(1 - alpha)
    return q[0] + x - y


def mean_of_diffprivlib(q, epsilon):
    from diffprivlib.mechanisms import Laplace

    return Laplace(epsilon=epsilon, sensitivity=1).randomise(q[0])


def counts_of_diffprivlib(q: list[int], epsilon):
    from diffprivlib import mechanisms

    mechanism = mechanisms.Geometric(epsilon=epsilon / 2)
    return mechanism.randomise(q[0]), mechanism.randomise(q[1])


def sum_of_opendp(q, epsilon):
    import opendp.prelude as dp

    domain_scale = 1 / epsilon
    laplace = dp.m.make_laplace(
        dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=domain_scale
    )
    return laplace(q[0])


MECHANISMS = {
    above_threshold: {},
    sparse_vector: {},
    noisy_max: {},
    noisy_max_of_an_array: {},
    permute_and_flip: {},
    histogram: {"neighbors": "one"},
    histogram_of_an_array: {"neighbors": "one"},
    histogram_around: {"neighbors": "one"},
    histogram_of_geometric_noise: {"neighbors": "one"},
    two_answers: {},
    sum_of_scipy: {},
    sum_with_an_import: {},
    sum_with_two_exponentials: {},
    count_with_geometric_noise: {},
    mean_of_diffprivlib: {},
    counts_of_diffprivlib: {},
    sum_of_opendp: {},
}


@pytest.mark.parametrize("function", MECHANISMS, ids=lambda one: one.__name__)
def test_it_is_proved_at_its_epsilon(function):
    found = prove(function, epsilon="epsilon", **MECHANISMS[function])
    assert found.verdict == "proved", found.reason


@pytest.mark.parametrize("function", MECHANISMS, ids=lambda one: one.__name__)
def test_with_half_of_the_noise_it_is_not(function):
    found = prove(function, epsilon="epsilon/2", **MECHANISMS[function])
    assert found.verdict != "proved"


@pytest.mark.parametrize("function", list(MECHANISMS)[-8:], ids=lambda one: one.__name__)
def test_a_little_less_is_refuted(function):
    found = prove(function, epsilon="99*epsilon/100", **MECHANISMS[function])
    assert found.verdict == "refuted", found.reason


# Coins of one value, of which all probabilities are computed.


def response(x: int, p):
    return x if random.random() < p else 1 - x


def response_of_a_draw(x: int, p):
    u = np.random.rand()
    if u >= p:
        return 1 - x
    return x


def response_by_uniform(x: int, p):
    return 1 - x if p < generator.uniform(0, 1) else x


def response_of_its_epsilon(x: int, epsilon):
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    return x if random.random() < p else 1 - x


def two_coins(x: int):
    if random.randint(0, 1) == 0:
        return x
    return random.randint(0, 1)


def three_sided(x: int, p):
    if np.random.randint(0, 3) == 2:
        return 1
    return x if generator.random() < p else 1 - x


RESPONSES = {
    response: ({"p": 0.75}, math.log(3)),
    response_of_a_draw: ({"p": 0.75}, math.log(3)),
    response_by_uniform: ({"p": 0.75}, math.log(3)),
    response_of_its_epsilon: ({"epsilon": 0.5}, 0.5),
    two_coins: ({}, math.log(3)),
    # Of 0: 2/3·3/4 against 2/3·1/4; of 1: 1/3 + 2/3·3/4 against 1/3 + 2/3·1/4.
    three_sided: ({"p": 0.75}, math.log(3)),
}


@pytest.mark.parametrize("function", RESPONSES, ids=lambda one: one.__name__)
def test_coins_have_their_exact_epsilon(function):
    parameters, exact = RESPONSES[function]
    for factor, verdict in ((1.001, "proved"), (0.999, "refuted")):
        given = {"domain": [0, 1], "parameters": parameters}
        found = prove(function, epsilon=exact * factor, **given)
        assert found.verdict == verdict, found.reason


def coin_below(x: int, p):
    return 1 if random.random() < p else x


def coin_above(x: int, p):
    return 1 if random.random() > 1 - p else x


def test_a_coin_is_not_taken_for_its_other_side():
    # What says 1 with 1/4 says 0 of 0 with 3/4, and never of 1.
    for function in (coin_below, coin_above):
        found = prove(function, epsilon=1, domain=[0, 1], parameters={"p": 0.25}).finite
        assert found.quotient.loss(0) in (math.inf, pytest.approx(math.log(4)))


def test_two_geometric_draws_are_discrete_laplace():
    rng, p, many = np.random.default_rng(3), 1 - math.exp(-0.7), 200_000
    drawn = rng.geometric(p, size=many) - rng.geometric(p, size=many)
    for k in range(-3, 4):
        chance = math.tanh(0.35) * math.exp(-0.7 * abs(k))
        assert abs(np.mean(drawn == k) - chance) < 5 * math.sqrt(chance / many)


# What must not be read as noise for each answer, or as fresh noise.


def one_draw_for_all(q, epsilon):
    return q + np.random.laplace(0, 1 / epsilon)


def read_twice(q, epsilon):
    noisy = q + np.random.laplace(0, 2 / epsilon, size=len(q))
    return np.argmax(noisy), np.max(noisy)


def read_in_a_loop(q, epsilon):
    noisy = q + np.random.laplace(0, 2 / epsilon, size=len(q))
    out = []
    for _ in range(3):
        out.append(np.argmax(noisy))
    return out


def of_what_changes(q, epsilon):
    k = 0
    shifted = [answer + k for answer in q]
    k = q[0]
    return np.max(shifted) + k


def same_draw_subtracted(q: list[int], epsilon):
    x = np.random.geometric(1 - math.exp(-epsilon))
    return q[0] + x - x


def of_two_scales(q, epsilon):
    return q[0] + random.expovariate(epsilon) - random.expovariate(2 * epsilon)


def of_another_chance(q: list[int], epsilon):
    return q[0] + np.random.geometric(1 / 2) - np.random.geometric(1 / 2)


def sum_of_two(q: list[int], epsilon):
    p = 1 - math.exp(-epsilon)
    return q[0] + np.random.geometric(p) + np.random.geometric(p)


def seeded(q, epsilon):
    rng = np.random.default_rng(42)
    return q[0] + rng.laplace(0, 1 / epsilon)


def seeded_by_default(q, epsilon, seed=0):
    rng = np.random.default_rng(seed)
    return q[0] + rng.laplace(0, 1 / epsilon)


def seeded_call(q, epsilon):
    return q[0] + stats.laplace.rvs(scale=1 / epsilon, random_state=3)


def one_draw_compared_twice(q, epsilon):
    u = random.random()
    if u < 1 / 2:
        return 1
    return 2 if u < 3 / 4 else q[0]


def of_several_shapes(q, epsilon):
    if q[0] + numpy_laplace(scale=1 / epsilon) > 0:
        return (1,)
    return 1


def bounded_noise(q, epsilon):
    from diffprivlib.mechanisms import LaplaceBoundedNoise

    return LaplaceBoundedNoise(epsilon=epsilon, delta=0.1, sensitivity=1).randomise(q[0])


def integers_of_opendp(q, epsilon):
    import opendp.prelude as dp

    return dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), 1 / epsilon)(q[0])


def other_of_opendp(q, epsilon):
    import opendp.prelude as dp

    return (dp.m.then_laplace(1 / epsilon))(q[0])


def rounded_values(q, epsilon):
    return round(q[0] + numpy_laplace(scale=1 / epsilon))


def weights(q, epsilon):
    return np.argmax([epsilon * answer / 2 + np.random.gumbel() for answer in q])


def noise_where_a_generator_is_given(q, epsilon, rng=None):
    noisy = q[0]
    if rng is None:
        rng = np.random.default_rng()
    else:
        noisy = q[0] + rng.laplace(0, 1 / epsilon)
    return noisy


REFUSED = {
    noise_where_a_generator_is_given: "is None compares no numbers",
    one_draw_for_all: r"draw one number for each answer, by size=len\(q\)",
    read_twice: "noisy is read once",
    read_in_a_loop: "noisy is read once",
    of_what_changes: "of names that stay as they are",
    same_draw_subtracted: "draws noise that is not in the language: the difference of two",
    of_another_chance: r"is read with p = 1 - exp\(-x\)",
    sum_of_two: "draws noise that is not in the language: the difference of two",
    seeded: "noise from a seed",
    seeded_by_default: "noise from a seed",
    seeded_call: "draws from a seed: leave random_state out",
    one_draw_compared_twice: "random.random is not a function",
    of_several_shapes: "every return gives as many numbers",
    bounded_noise: r"LaplaceBoundedNoise\(.*\).randomise is not a function of the language",
    integers_of_opendp: r"is followed of atom_domain\(T=float\)",
    other_of_opendp: "then_laplace.* is not a function of the language",
    rounded_values: "round is not a function of the language",
    weights: "it is followed in a function of records: --domain LOW:HIGH",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda one: one.__name__)
def test_another_use_is_refused_with_its_line(function):
    with pytest.raises(LanguageError, match=REFUSED[function]) as refused:
        prove(function, epsilon="epsilon")
    inside = refused.value.line - function.__code__.co_firstlineno
    assert 0 < inside < 7


def test_draws_of_two_scales_are_no_laplace_noise():
    assert prove(of_two_scales, epsilon="epsilon").verdict != "proved"


def too_little(q, epsilon):
    rng = np.random.default_rng()
    return q[0] + rng.laplace(0, 1 / (2 * epsilon))


def draw(scale):
    return np.random.laplace(0, scale)


def helped(q, epsilon):
    return q[0] + draw(1 / (2 * epsilon))


def test_noise_of_a_helper_is_not_repaired():
    found = repair(helped, epsilon="epsilon")
    assert "draw may add noise: write it in helped" in found.reason


def test_noise_of_a_generator_is_repaired():
    found = repair(too_little, epsilon="epsilon")
    assert isinstance(found, Repair)
    assert found.changes[0][2] == "rng.laplace(0, 1 / epsilon)"
