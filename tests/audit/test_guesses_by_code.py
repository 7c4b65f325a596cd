"""Guesses that are looked up by a code of the output, against the scores of each output."""

import pickle

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from provado.audit.events import rule as rules
from provado.audit.events.features.feature import Column, Exact, FloatBits
from provado.audit.events.learners.piecewise import CellRatios
from provado.audit.events.learners.table import Table
from provado.audit.events.rounding import Grid, Rounded
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import NO_CUT, Cut
from provado.audit.target.output_encoding import PatternBook, encode

FLOATS = st.one_of(
    st.floats(width=64),
    st.integers(-64, 64).map(lambda n: n / 8),
    st.integers(-64, 64).map(lambda n: np.nextafter(n / 8, np.inf)),
    st.integers(-64, 64).map(lambda n: np.nextafter(n / 8, -np.inf)),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, 1.7976931348623157e308]),
)
TYPES = [np.int8, np.uint8, np.int32, np.int64, np.uint64, np.bool_]
WHOLE = st.one_of(
    st.integers(0, 1),
    st.integers(-130, 140),
    st.integers(-(2**40), 2**40),
    st.integers(2**60, 2**60 + 3),
)


def scored(rule, outputs):
    """Return the guesses that follow from the score of each output, one row at a time."""
    rows = [outputs.part(np.array([row])) for row in range(len(outputs))]
    scores = np.array([rule.score(row)[0] for row in rows])
    above, below = scores >= rule.cut.high, scores <= rule.cut.low
    return (above.astype(int) - below.astype(int)) * rule.cut.sign


def cut_of(high, low, sign):
    return Cut(*{**vars(NO_CUT), "high": high, "low": low, "sign": sign}.values())


def table_of(key, outputs):
    """Return a table of about half of the outputs, with ratios of both signs."""
    keys = np.unique(key.read(outputs))[::2]
    return Table(key, keys, np.resize([1.5, -1.5, 0.2], len(keys)), ("",) * len(keys))


def book_of(array):
    book = PatternBook()
    encode(array, len(array), book)
    book.closed = True
    return book


def agree(rule, array, book):
    outputs = encode(array, len(array), book)
    with np.errstate(invalid="ignore", over="ignore"):
        wanted = scored(rule, outputs)
        for _ in range(2):
            np.testing.assert_array_equal(rule.guess(outputs), wanted)
    return outputs


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(FLOATS, min_size=1, max_size=12), st.lists(FLOATS, min_size=1, max_size=12))
@example([1.5, 0.75], [-1.5, 0.0, -0.0])
def test_bits_are_looked_up_as_they_are_scored(first, second):
    first, second = np.array(first), np.array(second)
    book = book_of(first)
    with np.errstate(invalid="ignore", over="ignore"):
        key = FloatBits(0, 1)
        table = table_of(key, encode(np.append(first, second), len(first) + len(second), book))
        rule = Rule(table, cut_of(1.0, -1.0, 1))
    for array in (first, second, np.append(second, first)):
        agree(rule, array, book)


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.data())
def test_whole_numbers_are_looked_up_as_they_are_scored(data):
    kind, width = data.draw(st.sampled_from(TYPES)), data.draw(st.integers(1, 3))
    rows = st.lists(st.lists(WHOLE, min_size=width, max_size=width), min_size=1, max_size=8)
    first, second = (np.array(data.draw(rows)).astype(kind) for _ in range(2))
    book = book_of(first)
    both = np.concatenate([first, second])
    for key in (Exact(tuple(range(width))), Exact((0,))):
        rule = Rule(table_of(key, encode(both, len(both), book)), cut_of(1.0, -1.0, -1))
        for array in (first, second, both):
            agree(rule, array, book)
    assert len(rule.guesses) <= rules.MOST_KEPT


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(FLOATS, min_size=1, max_size=12),
    st.lists(st.one_of(st.floats(-4, 4), st.sampled_from([-0.5, 0.0, 0.25, 1.0])), max_size=30).map(
        sorted
    ),
    st.sampled_from([0.0, 0.25, 2.0**-1000, 2.0**60]),
    st.sampled_from([(1.0, -1.0), (0.1, -0.1), (-0.5, -1.0), (np.inf, 0.0)]),
)
# A value that is an edge, and one that is rounded across an edge.
@example([0.25], [0.25], 0.0, (1.0, -1.0))
@example([0.15], [0.2], 0.25, (1.0, -1.0))
def test_cells_are_looked_up_as_they_are_scored(values, edges, step, limits):
    array = np.array(values)
    ratios = np.resize([1.2, 0.5, -0.7, -1.3, 0.0], len(edges) + 1)
    score = CellRatios(Column(0, 1), np.array(edges), ratios)
    for one in (score, Rounded(score, Grid((step,)))):
        agree(Rule(one, cut_of(*limits, 1)), array, book_of(array))


@pytest.mark.parametrize("number", [0.5, 3])
def test_arrays_of_single_calls_are_looked_up_with_their_notes(number):
    book = PatternBook(noted=True)
    array = [np.array([number, number + i]) for i in range(4)]
    encode(array, len(array), book)
    book.closed = True
    outputs = encode(array, len(array), book)
    assert outputs.alike
    assert outputs.notes is not None
    agree(Rule(table_of(Exact((1,)), outputs), cut_of(1.0, -1.0, 1)), array, book)


def test_a_guess_is_looked_up_and_scored_once():
    calls = []

    class Counting(Table):
        def __call__(self, outputs):
            calls.append(len(outputs))
            return super().__call__(outputs)

    array = np.arange(1000) % 7
    book = book_of(array)
    outputs = encode(array, 1000, book)
    plain = table_of(Exact((0,)), outputs)
    rule = Rule(Counting(**vars(plain)), cut_of(1.0, -1.0, 1))
    rule.guess(outputs)
    rule.guess(outputs)
    rule.guess(encode(array + 1, 1000, book))
    assert calls == [1000, 142]
    assert pickle.loads(pickle.dumps(Rule(plain, rule.cut))).guesses == {}


@pytest.mark.parametrize("planted", ["bits", "whole", "cells", "edges"])
def test_a_code_that_leaves_something_out_is_found(planted, monkeypatch):
    if planted == "bits":
        whole = FloatBits.code
        monkeypatch.setattr(FloatBits, "code", lambda self, outputs: whole(self, outputs) & ~63)
        broken = test_bits_are_looked_up_as_they_are_scored
    elif planted == "whole":
        codes = rules._codes

        def parity(outputs, score):
            key, found = codes(outputs, score)
            return key, None if found is None else found & 1

        monkeypatch.setattr(rules, "_codes", parity)
        broken = test_whole_numbers_are_looked_up_as_they_are_scored
    elif planted == "edges":
        monkeypatch.setattr(Rounded, "edges", lambda self, column, edges: edges)
        broken = test_cells_are_looked_up_as_they_are_scored
    else:
        monkeypatch.setattr(
            CellRatios,
            "saying",
            lambda self, edges, say: (
                lambda outputs: say(self.ratios[np.searchsorted(edges, self.feature.read(outputs))])
            ),
        )
        broken = test_cells_are_looked_up_as_they_are_scored
    with pytest.raises(AssertionError):
        broken()
