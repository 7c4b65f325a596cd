"""Coq proves of predicates on small data what Python decides of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .coq import copied, needs_coq
from .predicates import PREDICATES, PREDICATES_COMPARED, refused

pytestmark = [pytest.mark.formal, needs_coq]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("coq")
    copied(made, PREDICATES_COMPARED)
    return made


@pytest.mark.parametrize("name", PREDICATES)
def test_what_python_decides_is_proved(folder: Path, name: str) -> None:
    proved = PREDICATES[name]()
    assert any(statement.startswith("~ ") for statement, _ in proved)
    assert not all(statement.startswith("~ ") for statement, _ in proved)
    assert refused(folder, proved) == ""


def test_the_opposite_is_refused(folder: Path) -> None:
    (statement, proof), *_ = PREDICATES["slopes"]()
    assert refused(folder, [(f"~ {statement}", proof)]) != ""
