"""Rules learned from samples: what they find, what they leave alone."""

import math

import numpy as np
import pytest

from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.audit.events.rule import learn_rule
from provado.audit.events.threshold import Goal
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms.textbook.laplace import laplace, laplace_on_grid
from provado.mechanisms.textbook.noisy_max import report_noisy_max, report_noisy_max_probabilities
from provado.mechanisms.textbook.randomized_response import randomized_response
from provado.mechanisms.textbook.rappor import one_time_rappor

N = 20_000


class Learned:
    """A rule learned from n samples a side, and its guesses on n fresh ones."""

    def __init__(self, draw, n=N, delta=0.0, seed=0, fresh=None):
        rng = np.random.default_rng(seed)
        fresh = fresh or n
        goal = Goal(2 * fresh, 0.05, delta, betting=delta > 0)
        book = PatternBook()
        a, b = (encode(draw(side, n, rng), n, book) for side in (0, 1))
        book.closed = True
        self.book, self.rule = book, learn_rule(a, b, goal, book.words)
        self.a, self.b = (encode(draw(side, fresh, rng), fresh, book) for side in (0, 1))
        self.on_d, self.on_d_prime = self.rule.guess(self.a), self.rule.guess(self.b)

    @property
    def right(self):
        return int((self.on_d == 1).sum() + (self.on_d_prime == -1).sum())

    @property
    def wrong(self):
        return int((self.on_d == -1).sum() + (self.on_d_prime == 1).sum())

    @property
    def epsilon(self):
        return binomial_epsilon_lower(self.right, self.wrong, 0.05)

    @property
    def abstains(self):
        return float(np.mean(np.concatenate([self.on_d, self.on_d_prime]) == 0))

    def guesses(self, outputs):
        return self.rule.guess(encode(outputs, len(outputs), self.book)).tolist()


def test_on_discrete_outputs_the_likelihood_ratio_decides():
    chances = np.array([[0.4, 0.3, 0.2, 0.05, 0.05], [0.1, 0.3, 0.2, 0.2, 0.2]])
    learned = Learned(lambda side, n, rng: rng.choice(5, size=n, p=chances[side]), seed=1)
    assert learned.guesses(np.arange(5)) == [1, 0, 0, -1, -1]
    assert learned.epsilon > 0.95 * math.log(4)
    assert learned.rule.words()[0] == "the output is 0"
    assert learned.rule.words()[1] in ("the output is 3, 4", "the output is 4, 3")


def test_both_tails_of_laplace_are_used():
    learned = Learned(lambda side, n, rng: laplace_on_grid(float(side), scale=1, size=n, rng=rng))
    assert learned.guesses(np.array([-20.0, 20.0])) == [1, -1]
    assert (learned.on_d == 1).any()
    assert (learned.on_d == -1).any()
    assert 0.9 < learned.epsilon < 1


def test_it_abstains_where_noisy_max_says_little():
    answers = ((1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 2.0, 2.0, 2.0, 2.0))
    learned = Learned(
        lambda side, n, rng: report_noisy_max(
            answers[side], epsilon=1.0, noise="exponential", size=n, rng=rng
        )
    )
    p, q = (report_noisy_max_probabilities(x, epsilon=1.0, noise="exponential") for x in answers)
    assert learned.guesses(np.array([0])) == [1]
    assert learned.guesses(np.arange(1, 5)) == [0] * 4
    assert learned.abstains > 0.5
    assert learned.epsilon > 0.85 * math.log(p[0] / q[0])


def test_a_change_of_scale_needs_a_score_that_is_not_monotone():
    def draw(side, n, rng):
        return laplace_on_grid(0.0, scale=1 + side, size=n, rng=rng)

    learned = Learned(draw)
    # The likelihood ratio falls from 2 at 0 to nothing on either side.
    assert set(learned.guesses(np.array([-9.0, 9.0]))) <= {0, -1}
    assert -1 in learned.guesses(np.array([-9.0, 9.0]))
    assert 1 not in learned.guesses(np.linspace(3, 12, 10))
    assert learned.epsilon > 0.8


def test_a_label_with_a_number_is_read_jointly():
    def draw(side, n, rng):
        # The number speaks one way under "x" and the other under "y"; neither part tells alone.
        heads = rng.random(n) < 0.5
        numbers = rng.laplace(size=n) + np.where(heads, side, 1 - side)
        return [
            ("x" if head else "y", round(number, 3))
            for head, number in zip(heads.tolist(), numbers.tolist(), strict=True)
        ]

    learned = Learned(draw)
    assert learned.epsilon > 0.85
    guesses = learned.guesses([("x", -5.0), ("x", 5.0), ("y", -5.0), ("y", 5.0)])
    # A corner that held few samples may be left out.
    assert sum(g == e for g, e in zip(guesses, [1, -1, -1, 1], strict=True)) >= 3
    assert sum(g == -e for g, e in zip(guesses, [1, -1, -1, 1], strict=True)) == 0


def test_what_is_spread_over_many_bits_is_added_up():
    words = (("red",), ("blue",))

    def draw(side, n, rng):
        return one_time_rappor(words[side], k=20, h=4, f=0.75, size=n, rng=rng)

    learned = Learned(draw)
    # One bit tells ln(0.625/0.375) = 0.51; eight of them 4.1.
    assert learned.epsilon > 1.5


@pytest.mark.parametrize(
    "draw",
    [
        lambda side, n, rng: rng.random(n),
        lambda side, n, rng: rng.integers(0, 1000, n),
        lambda side, n, rng: rng.normal(size=(n, 12)),
        lambda side, n, rng: [(int(x), None) for x in rng.integers(0, 3, n)],
    ],
)
def test_an_output_that_ignores_the_data_certifies_about_nothing(draw):
    assert Learned(draw).epsilon < 0.02


@pytest.mark.parametrize("value", [0, 1.5, None, "same", (1, 2), math.nan])
def test_a_constant_output_certifies_nothing(value):
    learned = Learned(lambda side, n, rng: [value] * n, n=1000)
    assert learned.epsilon < 0.05


@pytest.mark.parametrize(
    "values",
    [(0, 1), ("yes", "no"), (None, 0), (math.nan, 1.0), ((1, 2), (1, 2, 3)), (math.inf, -math.inf)],
)
def test_different_constants_are_told_apart_at_once(values):
    learned = Learned(lambda side, n, rng: [values[side]] * n, n=1000)
    assert (learned.right, learned.wrong) == (2000, 0)
    assert learned.epsilon > 6


def test_strings_are_a_table():
    def draw(side, n, rng):
        bits = randomized_response(side, epsilon=1.0, size=n, rng=rng)
        return ["heads" if bit else "tails" for bit in bits.tolist()]

    learned = Learned(draw)
    assert learned.guesses(["tails", "heads", "edge"]) == [1, -1, 0]
    assert learned.rule.words() == ("the output is 'tails'", "the output is 'heads'")


def test_the_bits_of_floats_are_read():
    learned = Learned(
        lambda side, n, rng: laplace(float(side), scale=1.0, size=n, rng=rng), n=100_000
    )
    assert learned.epsilon > 6
    assert any("2^-" in words for words in learned.rule.words())


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_few_samples_give_a_rule_too(n):
    for draw in (
        lambda side, n, rng: rng.normal(size=(n, 3)),
        lambda side, n, rng: [None] * n,
        lambda side, n, rng: np.zeros((n, 0)),
    ):
        learned = Learned(draw, n=n)
        assert set(learned.on_d.tolist()) <= {-1, 0, 1}


def test_with_delta_a_rare_leak_is_not_the_goal():
    def draw(side, n, rng):
        reports = randomized_response(side, epsilon=1.0, size=n, rng=rng)
        return np.where(rng.random(n) < 0.05, 7 + side, reports)

    pure, approximate = Learned(draw), Learned(draw, delta=0.05)
    assert pure.guesses(np.array([0, 1, 7, 8])) == [0, 0, 1, -1]
    assert approximate.guesses(np.array([0, 1, 7, 8])) == [1, -1, 1, -1]


def test_a_rule_is_plain_data():
    learned = Learned(lambda side, n, rng: laplace_on_grid(float(side), scale=1, size=n, rng=rng))
    record = learned.rule.record()
    assert record["high_means"] in ("D", "D′")
    assert record["score"]["kind"] in ("threshold", "cells", "table", "grouped", "weighted")
    assert math.isfinite(record["forecast"])
