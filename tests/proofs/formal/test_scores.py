"""Coq's scores compute what Python's do, on the same small data."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from .coq import copied, needs_coq
from .goals import accepted, columns
from .scores import GOALS, PAIRS, SCORES_COMPARED

pytestmark = [pytest.mark.formal, needs_coq]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("coq")
    copied(made, SCORES_COMPARED)
    return made


LONG = {"strata", "criterion", "ranks"}
"""Coq counts one by one, half a minute for each of these."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in GOALS]
)
def test_the_definitions_agree(folder: Path, name: str) -> None:
    assert accepted(folder, GOALS[name]()) == ""


def test_a_wrong_value_is_refused(folder: Path) -> None:
    term = f"kendall {columns(PAIRS[0])}"
    assert "Unable to unify" in accepted(folder, [(term, Fraction(1, 7), True)])
