"""The exact loss of an event: against known ones, and against runs of the program."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from benchmarks import prove_rows as rows
from benchmarks.prove_catalogue import count, histogram, prefix_sum
from benchmarks.prove_losses import is_just, loss_of, more_than
from benchmarks.prove_max_sum import loss_of_sum
from benchmarks.prove_row_facts import told
from provado.mechanisms import UsageError
from provado.mechanisms.programs import Program
from provado.proofs import kernel
from provado.proofs.algebra import ExpSum
from provado.proofs.programs.probability.output_probability import (
    ParameterValues,
    chance,
    distribution,
)
from provado.proofs.programs.read.ir import UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.written import function

F = Fraction
LOW = (None, F(0))


def test_a_loss_that_is_just_the_claim_is_an_identity():
    one = loss_of(rows.laplace_mechanism, ((0,), (1,)), told(LOW))
    assert is_just(one, F(1))
    assert not is_just(one, F(99, 100))
    assert one.words("epsilon") == "epsilon"


def test_a_loss_is_above_less_and_not_above_itself():
    one = loss_of(rows.laplace_mechanism, ((0,), (1,)), told(LOW))
    assert more_than(one, F(999, 1000), F(1, 10)).verdict == "refuted"
    for factor in (F(1), F(2)):
        with pytest.raises(kernel.KernelRefusal):
            more_than(one, factor, F(1, 10))


def test_an_event_that_cannot_happen_has_no_loss():
    with pytest.raises(UsageError, match="cannot happen"):
        loss_of(rows.noisy_max_value_exponential, ((0,), (1,)), told((F(-2), F(-1))))


def test_whole_noise_has_its_chances():
    one = ParameterValues(enumerate_paths(read_program(count)), {}, "epsilon")
    for value in (-2, 0, 3):
        p = chance(one, (F(1),), told(value)).value(F(2))
        assert p == pytest.approx(math.tanh(1) * math.exp(-2 * abs(value - 1)), rel=1e-12)


def test_whole_noise_that_is_summed_up_has_the_frequencies_of_runs():
    one = ParameterValues(enumerate_paths(read_program(prefix_sum)), {}, "epsilon")
    rows_ = Program(prefix_sum, epsilon=2048.0)([1, 0], size=20_000, rng=np.random.default_rng(3))
    counted = Counter(rows_)
    for first, second in itertools.product((0, 1, 2), repeat=2):
        p = chance(one, (F(1), F(0)), told(first, second)).value(F(2048))
        found = counted[first, second] / len(rows_)
        assert abs(found - p) < 5 * math.sqrt(p * (1 - p) / len(rows_))


@pytest.mark.parametrize("event", [told(None), told((F(0), F(2)))])
def test_whole_noise_needs_an_event_of_one_number(event):
    with pytest.raises(UndecidedProgramError, match="just which number"):
        loss_of(count, ((0,), (1,)), event)


def test_whole_noise_that_is_compared_is_undecided():
    text = """
    def f(x: int, epsilon):
        if x + discrete_laplace(1 / epsilon) > 0:
            output(1)
    """
    with pytest.raises(UndecidedProgramError, match="compared"):
        loss_of(function(text), ((0,), (1,)), told(1))


def test_whole_noise_of_a_histogram_loses_just_its_epsilon():
    pair = ((0, 1024), (1024, 1024))
    assert is_just(loss_of(histogram, pair, told(0, 1024)), F(1))


def test_the_chance_of_a_sum_of_two_maxima_is_that_of_its_program():
    for low in (-10, 0, 3):
        by_runs = loss_of(
            rows.noisy_max_sum, ((0,) * 4, (1,) * 4), told((None, F(low))), parameters={"first": 2}
        )
        assert by_runs.words("e") == loss_of_sum(2, F(low)).words("e")


# Repetitions and merged runs. -----------------------------------------------------------------

REPEATED = """
def f(x: int, epsilon):
    y = x
    for k in range(3):
        if bernoulli(1 / 3):
            continue
        y += k
        if bernoulli(1 / 4):
            break
    output(y)
    output(k)
"""


def test_a_repeated_loop_has_the_chances_of_runs():
    of = function(REPEATED)
    law = distribution(ParameterValues(enumerate_paths(read_program(of)), {}, "epsilon"), (F(1),))
    total = sum((share.plain().sum_at(F(1)) for share in law.values()), ExpSum())
    assert total == 1
    found = Counter(Program(of, epsilon=1.0)(1, size=20_000, rng=np.random.default_rng(4)))
    assert {tuple(float(low) for low, _ in event.numbers) for event in law} == set(found)
    for event, share in law.items():
        p = share.value(F(1))
        seen = found[tuple(float(low) for low, _ in event.numbers)] / 20_000
        assert abs(seen - p) < 5 * math.sqrt(p * (1 - p) / 20_000)


def test_runs_that_meet_have_the_chances_of_runs_that_do_not():
    # With noise that nothing depends on, no two runs are one.
    text = """
    def f(q, p=1/3):
        last = 0
        for x in q:
            if bernoulli(1 / 3):
                last = x
            elif bernoulli(1 / 4):
                last = 1 - x
            output(last)
    """
    apart = text.replace("last = 0\n", "last = 0\n        noise = laplace(1)\n").replace(
        "output(last)", "output(last if noise > 0 or noise <= 0 else 7)"
    )
    tables = []
    for one in (text, apart):
        of = read_program(function(one), {"p": F(1, 3)})
        law = distribution(
            ParameterValues(enumerate_paths(of), {"p": F(1, 3)}, None), (F(1), F(0), F(1))
        )
        tables.append({e: s.plain().sum_at(F(1)) for e, s in law.items()})
    assert {e: v for e, v in tables[1].items() if v} == tables[0]
