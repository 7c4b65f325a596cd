"""Streams that no search was written for: private ones are proved, and nothing else is."""

import pytest

from provado.proofs.programs.alignment.prove import Proof, prove
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.refutation.pump_search import pumped
from tests.proofs.programs.streams import BROKEN, PRIVATE, with_less_noise
from tests.proofs.programs.written import claim, function

OPEN = {
    "the level moves with the first answer",
    "rise and fall, twice",
}
"""Private ones whose alignment is not found."""
LONG = {"range, drawn again, exits alike", "the largest", "twice, one answer moves"}
EVERY = {
    "no end",
    "noise of its own for each level",
    "the level follows the stream",
    "a range that only tells",
    "a range without its end above",
    "count is never raised",
    "left is put back",
    "one level of two leaks",
    "numbers without end after the level",
}
"""Broken ones that are refuted for every multiple of epsilon."""


def named(streams):
    return pytest.mark.parametrize("one", streams, ids=lambda one: one.name)


@named(
    [
        pytest.param(one, marks=[pytest.mark.slow] * (one.name in LONG))
        for one in PRIVATE
        if one.name not in OPEN
    ]
)
def test_what_is_private_is_proved(one):
    found = prove(claim(function(one.text), one.claim, one.neighbors), steps=1_000_000)
    assert isinstance(found, Proof)


@named([one for one in BROKEN if one.name in EVERY])
def test_what_leaks_without_end_is_refuted_for_every_multiple(one):
    assert pumped(claim(function(one.text), one.claim, one.neighbors), steps=1_000_000)


@pytest.mark.slow
@named(PRIVATE)
def test_what_is_private_has_no_pump(one):
    assert pumped(claim(function(one.text), one.claim, one.neighbors), steps=40_000) is None


@pytest.mark.slow
@named([*BROKEN, *(less for one in PRIVATE if one.tight for less in with_less_noise(one))])
def test_what_is_not_private_is_never_proved(one):
    found = decide(function(one.text), epsilon=one.claim, neighbors=one.neighbors, steps=1_500_000)
    assert found.verdict is not ProgramVerdict.PROVED


@pytest.mark.slow
@named(PRIVATE)
def test_what_is_private_is_never_refuted(one):
    found = decide(function(one.text), epsilon=one.claim, neighbors=one.neighbors, steps=3_000_000)
    assert found.verdict is not ProgramVerdict.REFUTED
