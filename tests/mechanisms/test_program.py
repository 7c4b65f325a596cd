"""Plain functions that call our noise: drawn many at a time without being rewritten."""

import math
from collections import Counter

import numpy as np
import pytest

from provado.audit import audit
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.noise.exact_noise import FINE_GRID
from provado.mechanisms.programs import (
    Program,
    argmax,
    bernoulli,
    discrete_laplace,
    exponential,
    gaussian,
    integers,
    is_program,
    laplace,
    output,
    program,
)


def above(q, epsilon=1.0, threshold=0.5):
    level = threshold + laplace(2 / epsilon)
    for i, x in enumerate(q):
        noisy = x + laplace(4 / epsilon)
        if noisy >= level and not (noisy > 100 or i > 7):
            output(True)
            break
        output(False)


def every_noise(q):
    return [
        laplace(2.0),
        exponential(3.0),
        gaussian(0.5),
        discrete_laplace(1.5),
        bernoulli(0.25),
        integers(5),
        abs(-laplace(1.0)) / 2 - 1,
        argmax([laplace(1.0), 2 + laplace(1.0)]),
    ]


def draw(of, data, size, seed=0, **parameters):
    return Program(of, **parameters)(data, size=size, rng=np.random.default_rng(seed))


def test_many_runs_at_once_are_distributed_as_one_by_one():
    # The slow twin: a batch of one has one way.
    size = 6000
    at_once = Counter(draw(above, [1.0, 0.0, 1.0], size))
    rng = np.random.default_rng(1)
    one = program(above)
    singly = Counter(one([1.0, 0.0, 1.0], rng=rng) for _ in range(size))
    assert at_once.keys() == singly.keys()
    for outcome in at_once:
        p = (at_once[outcome] + singly[outcome]) / (2 * size)
        apart = abs(at_once[outcome] - singly[outcome]) / size
        assert apart < 5 * math.sqrt(2 * p * (1 - p) / size)


def test_trials_are_independent_of_each_other():
    rows = draw(lambda q: output(laplace(1.0)), [0], 4000)
    values = np.array(rows)[:, 0]
    assert len(set(values)) == 4000
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.1


def test_each_noise_is_what_it_says():
    n = 40_000
    columns = list(zip(*draw(every_noise, [0], n), strict=True))
    la, ex, ga, whole, coin, number, size, best = (np.array(c, dtype=float) for c in columns)
    within = 6 / math.sqrt(n)
    assert abs(np.abs(la).mean() - 2) < 2 * within
    assert abs(ex.mean() - 3) < 3 * within
    assert ex.min() >= 0
    assert abs((ga**2).mean() - 0.25) < within
    assert set(whole) >= {-2.0, -1.0, 0.0, 1.0, 2.0}
    ratio = (whole == 1).sum() / (whole == 0).sum()
    assert abs(ratio - math.exp(-1 / 1.5)) < 6 * within
    assert abs(coin.mean() - 0.25) < within
    assert set(number) == {0.0, 1.0, 2.0, 3.0, 4.0}
    assert abs(number.mean() - 2) < 2 * within
    assert size.min() >= -1
    assert 0.7 < best.mean() < 0.95


def test_a_run_tells_a_tuple_and_a_seed_repeats_it():
    assert draw(above, [1.0, 0.0], 50, seed=3) == draw(above, [1.0, 0.0], 50, seed=3)
    single = program(above)([1.0, 0.0], rng=np.random.default_rng(3))
    assert isinstance(single, tuple)


def test_a_list_that_is_returned_is_what_is_told():
    def kept(q):
        out = []
        for x in q:
            out.append(x + laplace(1e-9))
        return out

    row = draw(kept, [1.0, 2.0], 3)[0]
    assert row == pytest.approx((1.0, 2.0), abs=1e-6)


def test_parameters_are_set_by_name():
    assert set(draw(above, [0.0], 200, threshold=1e9)) == {(False,)}


@pytest.mark.parametrize("call", [lambda: laplace(1.0), lambda: output(1), lambda: bernoulli(0.5)])
def test_noise_outside_of_a_run_is_refused(call):
    with pytest.raises(UsageError, match="outside of a run"):
        call()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q: laplace(0.0),
        lambda q: exponential(-1.0),
        lambda q: bernoulli(1.5),
        lambda q: integers(0),
        lambda q: argmax([]),
        lambda q: output(float(laplace(1.0))),
    ],
)
def test_wrong_noise_is_refused(wrong):
    with pytest.raises(UsageError):
        draw(wrong, [0], 2)


def test_a_generator_is_needed():
    with pytest.raises(UsageError, match="rng"):
        program(above)([1.0])


def test_only_functions_that_call_our_noise_are_programs():
    assert is_program(above)
    assert not is_program(len)
    assert not is_program(draw)
    assert not is_program(program(above))
    # A generator's own method of the same name is no call of ours.
    assert not is_program(lambda data, rng: sum(data) + rng.laplace(scale=1.0))


def test_low_bits_of_what_is_told_do_not_speak():
    rows = draw(lambda q: output(q[0] + laplace(1.0)), [0.1], 1000)
    values = np.array(rows)[:, 0] / FINE_GRID
    assert np.array_equal(values, np.floor(values))
    told = program(lambda q: output(q[0] + laplace(1.0)))
    result = audit(told, epsilon=1.0, pair=([1.0], [0.0]), samples=20_000, seed=1)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.epsilon_lower > 0.9


def test_an_audit_draws_from_the_function_itself():
    pair = ([1.0] * 4, [0.0] * 4)
    sound = audit(program(above), epsilon=1.0, pair=pair, samples=20_000, seed=1)
    assert sound.verdict is Verdict.NO_VIOLATION

    def leaks(q):
        output(q[0] + laplace(0.2))

    broken = audit(program(leaks), epsilon=1.0, pair=pair, samples=20_000, seed=1)
    assert broken.verdict is Verdict.VIOLATION


def test_equal_numbers_are_told_alike():
    def f(q):
        output(True if q[0] > 0 else 1)
        output(q[0])
        output(bernoulli(1 / 2))
        output(bernoulli(1 / 2) + 0.0)

    for row in program(f)([1.0], size=20, rng=np.random.default_rng(0)):
        assert [type(value) for value in row] == [int] * 4


def test_whether_a_coin_or_the_answer_was_told_is_not_seen():
    def response(q):
        for x in q:
            if bernoulli(0.95):
                output(bernoulli(1 / 2))
            else:
                output(x)

    pair = ([1] * 4, [0] * 4)
    result = audit(program(response), epsilon=0.41, pair=pair, samples=5000, seed=1)
    assert result.verdict is not Verdict.VIOLATION
