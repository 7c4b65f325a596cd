"""Forecasts of a search: of numbers in words as of numbers; of the sign of 0."""

from __future__ import annotations

import json

import numpy as np
import pytest

from provado.audit.events.threshold import Goal
from provado.audit.search.candidates import rank
from provado.audit.target.output_encoding import PatternBook, encode

N = 2000
WORDS = {
    "JSON": lambda x, flag: json.dumps({"n": x, "many": flag}),
    "bytes": lambda x, flag: json.dumps([x, flag]).encode(),
    "sentence": lambda x, flag: f"{x:.3f} people, {'many' if flag else 'few'}",
    "table": lambda x, flag: f"city,n\nrome,{x}\noslo,{int(flag)}\n",
    "words": lambda x, flag: (str(x), str(flag)),
    "beside a number": lambda x, flag: {"text": f"{x} people", "many": float(flag)},
    "error": lambda x, flag: f"ValueError: {x:e} at line {int(flag)}",
}


def ranked(a, b, *, ideal=False):
    book = PatternBook()
    goal = Goal(100_000, 0.05, 0.0, betting=False, claimed=1.0)
    return rank(*(encode(list(side), N, book) for side in (a, b)), goal, ideal=ideal)[0]


@pytest.mark.parametrize("scale", [0.25, 0.5, 2.0, None])
@pytest.mark.parametrize("words", WORDS)
def test_numbers_in_words_promise_what_numbers_do(words, scale):
    """A flag beside them, too: where ``scale`` is None, only that depends on the data."""
    rng, write = np.random.default_rng(1), WORDS[words]
    sides = [shift * (scale is not None) + rng.laplace(0, scale or 1, N) for shift in (7, 8)]
    flags = [False, scale is None]
    told = [
        [write(x, flag) for x in side.tolist()] for side, flag in zip(sides, flags, strict=True)
    ]
    numbers = [
        [[x, float(flag)] for x in side.tolist()] for side, flag in zip(sides, flags, strict=True)
    ]
    assert ranked(*told) >= 0.85 * ranked(*numbers)
    assert ranked(*numbers) > 0.25


@pytest.mark.parametrize("words", WORDS)
def test_words_without_a_difference_promise_nothing(words):
    rng, write = np.random.default_rng(2), WORDS[words]
    sides = [[write(x, x > 8) for x in rng.laplace(8, 1, N).tolist()] for _ in "ab"]
    assert ranked(*sides) < 0.05


@pytest.mark.parametrize("width", [1, 3])
def test_the_sign_of_zero_is_an_event_but_where_arithmetic_is_ideal(width):
    rng = np.random.default_rng(3)
    plain = np.where(rng.random((2, N, width)) < 0.5, 0.0, 1.0)
    signed = [plain[0], np.where(plain[1] == 0, -0.0, plain[1])]
    assert ranked(*signed) > 2
    assert ranked(*signed, ideal=True) < 0.1
    assert ranked(*plain) < 0.1
