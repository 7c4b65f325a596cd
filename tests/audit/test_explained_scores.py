"""A learned score names few features only where they carry its bound by themselves."""

import re

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.events.features.feature import Column
from provado.audit.events.learners.learn import (
    CARRIES,
    _told,
    classify,
    explained,
    reweigh,
    weigh,
)
from provado.audit.events.threshold import Goal, best_cut
from provado.audit.target.output_encoding import Encoded
from provado.mechanisms import Verdict

GOAL = Goal(40_000, 0.05, 0.0, betting=False)
SIGNS = (-1) ** np.arange(40)


def few_of_many(data, size, rng):
    x = rng.normal(size=(size, 20))
    x[:, [4, 13]] += 0.9 * data
    x[:, 11] -= 0.9 * data
    x[:, 15:18] += 0.1 * data
    return x


def five_of_many(data, size, rng):
    x = rng.normal(size=(size, 20))
    x[:, 4:9] += 0.6 * data
    return x


def all_of_many(data, size, rng):
    return rng.normal(size=(size, 40)) + 0.2 * data * SIGNS


def sign_of_a_product(data, size, rng):
    x = rng.normal(size=(size, 20))
    agree = rng.random(size) < (0.85 if data else 0.15)
    x[:, 7] = np.abs(x[:, 7]) * np.sign(x[:, 3]) * np.where(agree, 1, -1)
    return x


def said(mechanism, samples=40_000):
    result = audit(mechanism, epsilon=0.3, pair=(0, 1), samples=samples, arithmetic="ideal")
    assert result.verdict is Verdict.VIOLATION
    witness = result.explained_pair.witness
    return witness.guess_d or witness.guess_d_prime


def named(text):
    return {int(place) for place in re.findall(r"output\[(\d+)\]", text)}


@pytest.mark.parametrize(
    ("mechanism", "places", "samples"),
    [(few_of_many, {4, 11, 13}, 40_000), (sign_of_a_product, {3, 7}, 12_000)],
)
def test_few_features_that_carry_the_bound_are_named_as_such(mechanism, places, samples):
    text = said(mechanism, samples)
    assert "numbers (chiefly output[" in text
    assert named(text) == places


def test_how_many_it_takes_is_said_where_those_named_do_not_carry_it():
    text = said(five_of_many)
    assert re.search(r"from \d+ numbers \(it takes the strongest 6, first output\[", text)
    assert "chiefly" not in text
    assert named(text) <= set(range(4, 9))


def test_that_no_few_carry_it_is_said():
    text = said(all_of_many, 12_000)
    assert re.search(r"numbers \(the strongest 24 do not carry the bound; first output\[", text)


def halves(mechanism, n=8000):
    rng = np.random.default_rng(0)
    none = np.zeros(n, dtype=np.int64)
    a, b = (Encoded(none, mechanism(side, n, rng), none) for side in (0, 1))
    return tuple((a.part(rows), b.part(rows)) for rows in (slice(0, n // 2), slice(n // 2, None)))


def promise(score, held):
    return best_cut(score(held[0]), score(held[1]), GOAL).value


@pytest.mark.parametrize("mechanism", [few_of_many, five_of_many, all_of_many])
@pytest.mark.parametrize("trees", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_what_is_said_agrees_with_rules_of_those_features_alone(mechanism, trees):
    early, late = halves(mechanism)
    width = early[0].values.shape[1]
    score = (classify if trees else weigh)([Column(j, width) for j in range(width)], *early)
    bound = promise(score, late)
    text = explained(score, early, late, GOAL, bound).told
    if trees:
        alone = promise(classify([Column(j, width) for j in sorted(named(text))], *early), late)
    else:
        parts = [part for part in score.parts if part.feature.j in named(text)]
        alone = promise(reweigh(parts, *early), late)
    assert ("chiefly" in text) == (alone >= CARRIES * bound)


def test_a_score_that_promises_nothing_or_learned_nothing_stays_as_it_is():
    early, late = halves(five_of_many)
    score = weigh([Column(j, 20) for j in range(20)], *early)
    assert explained(score, early, late, GOAL, 0.0) is score
    part = score.parts[0]
    assert explained(part, early, late, GOAL, 1.0) is part


NAMES = list("abcdefghijklmnopqrstuvwxyzäöü")


@pytest.mark.parametrize(
    ("number", "least", "expected"),
    [
        (3, 1, "a, b, c"),
        (5, 1, "5 numbers (chiefly a)"),
        (5, 2, "5 numbers (chiefly a, b)"),
        (5, 3, "5 numbers (chiefly a, b, c)"),
        (5, 4, "5 numbers (the strongest 3 do not carry the bound; first a, b, c)"),
        (9, 4, "9 numbers (it takes the strongest 6, first a, b, c)"),
        (29, 24, "29 numbers (it takes the strongest 24, first a, b, c)"),
        (29, 25, "29 numbers (the strongest 24 do not carry the bound; first a, b, c)"),
    ],
)
def test_the_fewest_that_carry_it_are_said(number, least, expected):
    assert _told(NAMES[:number], lambda k: k >= least) == expected


def test_one_that_was_not_looked_at_claims_nothing_of_its_features():
    early, _ = halves(five_of_many, 2000)
    score = weigh([Column(j, 20) for j in range(20)], *early)
    text = score.region(0.5, np.inf)
    assert re.search(r"from output\[\d+\], output\[\d+\], output\[\d+\] and \d+ more is", text)
    assert "chiefly" not in text
