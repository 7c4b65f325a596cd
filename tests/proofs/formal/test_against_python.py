"""Coq's definitions compute what the Python reference computes, on the same small data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from . import comparisons
from .comparisons import Checks, general, people, sequence_model, small_mechanism
from .coq import copied, needs_coq, truths
from .releases import proposals, stable_releases
from .sieves import sieves

pytestmark = [pytest.mark.formal, needs_coq]

DEFINITIONS_COMPARED = [
    "definitions.interventional",
    "definitions.knowledge",
    "definitions.audit",
    "definitions.spread",
    "definitions.sieve",
    "definitions.propose",
]
COMPARISONS: dict[str, Callable[[], Checks]] = {
    "data": lambda: comparisons.data(small_mechanism(0)),
    "knowledge": lambda: comparisons.knowledge(small_mechanism(2), people()[0]),
    "guesses": lambda: comparisons.guesses(small_mechanism(3)),
    "wealth": comparisons.wealth,
    "spread": comparisons.spread,
    "stable releases": stable_releases,
    "proposals": proposals,
    "sieves": sieves,
    "independence": lambda: comparisons.independence(small_mechanism(1)),
    **{
        f"conditioning {k}": lambda k=k: comparisons.conditioning(small_mechanism(k), people()[k])
        for k in range(3)
    },
    **{
        f"intervening {k}": lambda k=k: comparisons.intervening(small_mechanism(k), people()[k])
        for k in range(3)
    },
    **{f"a model {k}": lambda k=k: general(sequence_model(k)) for k in range(3)},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("coq")
    copied(place, DEFINITIONS_COMPARED)
    return place


@pytest.mark.parametrize("name", COMPARISONS)
def test_both_compute_the_same(folder: Path, name: str) -> None:
    lines, checks = COMPARISONS[name]()
    found = truths(folder, lines, checks, name.replace(" ", "_"))
    assert [check for check, true in zip(checks, found, strict=True) if not true] == []
    assert checks


def test_a_wrong_number_is_found(folder: Path) -> None:
    lines, _ = comparisons.data(small_mechanism(0))
    assert truths(folder, lines, ["chance_of m [:: 0; 0]%N (fun _ => true) == 2%:R"], "wrong") == [
        False
    ]
