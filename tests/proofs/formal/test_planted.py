"""Planted changes are refused by the tie, and those of what is computed by the comparison, too."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

import pytest

from provado.proofs.ledger import ledger
from provado.proofs.ledger.theorem import RECORDED, CoqReplay, TheoremStanding, judge_theorem
from provado.reports.ledger.formal import ask, closure, digest, texts

from . import planted, planted_releases, planted_scores
from .coq import COQC, changed, copied, needs_coq, truths
from .goals import accepted
from .planted_change import Changed, Weaker
from .predicates import PREDICATES, PREDICATES_COMPARED, refused
from .scores import GOALS, SCORES_COMPARED
from .test_against_python import COMPARISONS, DEFINITIONS_COMPARED

_FILES = (planted, planted_scores, planted_releases)
STATEMENTS = tuple(one for file in _FILES for one in file.STATEMENTS)
DEFINITIONS = tuple(one for file in _FILES for one in file.DEFINITIONS)
COMPARED = [*DEFINITIONS_COMPARED, *SCORES_COMPARED, *PREDICATES_COMPARED]

THEOREMS = {entry.id: entry.theorem for entry in ledger() if entry.theorem is not None}


@cache
def files_of(entry: str) -> tuple[str, ...]:
    """Return the files of Coq that the theorem of an entry rests on."""
    return tuple(closure(THEOREMS[entry].statement.imports, texts()))


def test_there_are_enough() -> None:
    assert len(STATEMENTS) + len(DEFINITIONS) >= 110
    assert sum(bool(change.seen_by) for change in DEFINITIONS) >= 50


@pytest.mark.parametrize("change", DEFINITIONS, ids=lambda change: change.words)
def test_a_definition_that_was_changed_is_not_the_recorded_one(change: Changed) -> None:
    used = {**RECORDED, change.file: digest(change.text())}
    users = [t for id, t in THEOREMS.items() if change.file in files_of(id)]
    assert users
    for theorem in users:
        replay = CoqReplay(
            asked=theorem.statement.text,
            in_full="x",
            asked_in_full="x",
            definitions=tuple(used.items()),
        )
        formal = judge_theorem(theorem, replay)
        assert formal.standing is TheoremStanding.REFUSED
        assert change.file in formal.reason


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("coq") / "whole"
    copied(place, [THEOREMS[change.id].file for change in STATEMENTS])
    return place


@pytest.fixture(scope="module")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("coq") / "definitions"
    copied(place, COMPARED)
    return place


@pytest.mark.slow
@needs_coq
@pytest.mark.parametrize("weaker", STATEMENTS, ids=lambda one: f"{one.id}: {one.words}")
def test_a_theorem_that_says_another_thing_is_refused(
    weaker: Weaker, whole: Path, tmp_path: Path
) -> None:
    place = tmp_path / "coq"
    shutil.copytree(whole, place, copy_function=os.link)
    theorem = THEOREMS[weaker.id]
    changed(place, [theorem.file], weaker.file, weaker.text())
    replay = ask(str(COQC), place, [theorem], {**texts(), weaker.file: weaker.text()}, "")
    formal = judge_theorem(theorem, replay[theorem.name])
    assert formal.standing is TheoremStanding.REFUSED
    assert formal.replay is not None
    if weaker.before.startswith(("Axiom", "Lemma")):
        assert "it assumes" in formal.reason
    else:
        assert "Coq refuses" in formal.reason or "the theorem states" in formal.reason


@pytest.mark.slow
@needs_coq
def test_the_entry_s_own_theorem_is_not(whole: Path) -> None:
    assert COQC is not None
    theorems = [THEOREMS[one.id] for one in STATEMENTS]
    found = ask(COQC, whole, list(dict.fromkeys(theorems)), texts(), "")
    assert {judge_theorem(t, found[t.name]).standing for t in theorems} == {TheoremStanding.CHECKED}


@pytest.mark.slow
@needs_coq
@pytest.mark.parametrize(
    "change", [one for one in DEFINITIONS if one.seen_by], ids=lambda change: change.words
)
def test_the_comparison_with_python_finds_it(
    change: Changed, definitions: Path, tmp_path: Path
) -> None:
    place = tmp_path / "coq"
    shutil.copytree(definitions, place, copy_function=os.link)
    changed(place, COMPARED, change.file, change.text())
    if change.seen_by in GOALS:
        assert "Unable to unify" in accepted(place, GOALS[change.seen_by]())
        return
    if change.seen_by in PREDICATES:
        assert "predicates.v" in refused(place, PREDICATES[change.seen_by]())
        return
    lines, checks = COMPARISONS[change.seen_by]()
    assert not all(truths(place, lines, checks, "planted"))
