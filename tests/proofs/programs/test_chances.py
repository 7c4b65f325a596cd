"""Exact probabilities: against other exact ones, against running the program, for all ε at once."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from benchmarks import prove_programs as programs
from provado.mechanisms.programs import program
from provado.proofs.algebra import ExpSum
from provado.proofs.programs.probability.output_probability import (
    NUMBER,
    Event,
    ParameterValues,
    chance,
    distribution,
    outcomes,
)
from provado.proofs.programs.read.ir import UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.exact_programs import noisy_max, threshold_programs
from tests.proofs.programs.written import function

F = Fraction

ONE = F(1)


def setting(of, rate="epsilon", **values):
    exact = {name: F(value) for name, value in values.items()}
    return ParameterValues(enumerate_paths(read_program(of, exact)), exact, rate)


def told(*values):
    return Event((NUMBER,) * len(values), tuple((F(v), F(v)) for v in values))


def test_sparse_vector_has_the_known_probabilities():
    answers = (1, 0, F(5, 2), F(3, 2))
    law = threshold_programs.pattern_law(
        threshold_programs.ThresholdProgram(F(6, 5), F(2), F(8), 2), answers
    )
    one = setting(programs.sparse_vector, threshold=F(6, 5), count=2)
    for pattern, known in law.items():
        shown = [symbol for symbol in pattern if symbol >= 0]
        assert chance(one, answers, told(*shown)).plain().sum_at(ONE) == known


@pytest.mark.parametrize("of", [programs.noisy_max, programs.noisy_argmax])
def test_noisy_max_has_the_known_probabilities(of):
    answers = (F(1), F(0), F(1, 2))
    for epsilon in (ONE, F(3)):
        law = noisy_max.index_law(answers, scale=2 / epsilon)
        for index, known in law.items():
            assert chance(setting(of), answers, told(index)).plain().sum_at(epsilon) == known


def test_exponential_noise_has_the_known_probabilities():
    text = "def f(q, epsilon):\n    output(argmax(x + exponential(2 / epsilon) for x in q))\n"
    answers = (F(1), F(0), F(1, 2))
    law = noisy_max.index_law(answers, scale=2, noise="exponential")
    for index, known in law.items():
        assert chance(setting(function(text)), answers, told(index)).plain().sum_at(ONE) == known


@pytest.mark.parametrize(
    ("of", "values", "answers"),
    [
        (programs.sparse_vector, {"threshold": F(1, 2), "count": 2}, (1, 0, 1)),
        (programs.noisy_max, {}, (1, 0, 1)),
        (programs.bad_sparse_vector_2, {"threshold": 0}, (1, 0, -1)),
        (programs.bad_sparse_vector_3, {"threshold": 0, "count": 1}, (0, 0)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_probabilities_add_up_and_are_those_of_runs(of, values, answers):
    one = setting(of, **values)
    answers = tuple(map(F, answers))
    events = dict.fromkeys(
        told(*(v for v, _ in numbers)) for _, numbers in outcomes(one, answers, 100)
    )
    if of is programs.noisy_max:
        events = dict.fromkeys(told(k) for k in range(len(answers)))
    law = {e: chance(one, answers, e).plain().sum_at(ONE) for e in events}
    assert sum(law.values(), ExpSum()) == 1
    runs = program(of)
    runs.parameters = {"epsilon": 1.0, **{name: float(v) for name, v in values.items()}}
    trials = 20_000
    counted = Counter(runs(list(map(float, answers)), size=trials, rng=np.random.default_rng(1)))
    for event, exact in law.items():
        p = float(exact)
        found = counted.get(tuple(float(low) for low, _ in event.numbers), 0) / trials
        assert abs(found - p) < 5 * math.sqrt(p * (1 - p) / trials) + 1e-9


def test_numbers_with_noise_lie_in_intervals_with_these_probabilities():
    one = setting(programs.sparse_vector_with_gap, threshold=F(1, 2), count=1)
    answers = (F(0), F(1))
    runs = program(programs.sparse_vector_with_gap)
    runs.parameters = {"epsilon": 1.0, "threshold": 0.5, "count": 1}
    rows = runs([0.0, 1.0], size=20_000, rng=np.random.default_rng(2))
    for low, high in ((None, F(2)), (F(1), None), (F(1), F(3))):
        event = Event((NUMBER,) * 2, ((F(0), F(0)), (low, high)))
        p = float(chance(one, answers, event).plain().sum_at(ONE))
        hits = [
            row
            for row in rows
            if len(row) == 2 and row[1] != 0
            if (low is None or row[1] >= low) and (high is None or row[1] <= high)
        ]
        assert abs(len(hits) / len(rows) - p) < 5 * math.sqrt(p * (1 - p) / len(rows))


def test_one_formula_for_all_epsilon_agrees_with_each():
    answers = (F(1), F(0))
    formula = chance(setting(programs.sparse_vector, threshold=0, count=1), answers, told(1))
    for epsilon in (F(1, 2), F(2), F(5)):
        plain = setting(programs.sparse_vector, None, threshold=0, count=1, epsilon=epsilon)
        value = chance(plain, answers, told(1)).plain().sum_at(ONE)
        assert formula.plain().sum_at(epsilon) == value


def test_coins_and_whole_numbers_have_their_probabilities():
    text = """
    def f(x: int, epsilon):
        if bernoulli(1 / 3):
            output(x)
        else:
            output(integers(4))
    """
    law = distribution(setting(function(text), None, epsilon=1), (F(2),))
    assert {e.words(): s.plain().sum_at(ONE) for e, s in law.items()} == {
        "(0)": ExpSum.of(F(1, 6)),
        "(1)": ExpSum.of(F(1, 6)),
        "(2)": ExpSum.of(F(1, 2)),
        "(3)": ExpSum.of(F(1, 6)),
    }


def test_what_hangs_together_in_a_circle_is_undecided():
    text = """
    def f(q, epsilon):
        a = laplace(1 / epsilon)
        b = laplace(1 / epsilon)
        c = laplace(1 / epsilon)
        output(a > b)
        output(b > c)
        output(a > c)
    """
    with pytest.raises(UndecidedProgramError, match="circle"):
        chance(setting(function(text)), (F(0),), told(1, 1, 1))


def test_every_pair_of_outcomes_of_a_run_is_its_own_event():
    one = setting(programs.sparse_vector, threshold=0, count=1)
    found = outcomes(one, (F(0), F(1)), 50)
    assert all(a != b for a, b in itertools.combinations(found, 2))
