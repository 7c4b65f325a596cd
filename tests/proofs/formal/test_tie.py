"""Every theorem that an entry names is compiled, read back, and says what the claim's data say."""

from __future__ import annotations

import pytest

from provado.proofs.ledger import Entry, ledger
from provado.proofs.ledger.theorem import CoqReplay, TheoremStanding, judge_theorem
from provado.reports.ledger.formal import ROOT, closure, replay_all, texts

from .coq import COQC, JOBS, copied, needs_coq

pytestmark = [pytest.mark.formal, needs_coq]

ENTRIES = [entry for entry in ledger() if entry.theorem is not None]


@pytest.fixture(scope="module")
def replays() -> dict[str, CoqReplay]:
    theorems = [entry.theorem for entry in ENTRIES if entry.theorem is not None]
    return replay_all(theorems, jobs=JOBS, compiler=COQC)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_theorem_is_checked(entry: Entry, replays: dict[str, CoqReplay]) -> None:
    assert entry.theorem is not None
    formal = judge_theorem(entry.theorem, replays[entry.theorem.name])
    assert (formal.standing, formal.reason) == (TheoremStanding.CHECKED, "")


def test_none_of_them_assumes_anything(replays: dict[str, CoqReplay]) -> None:
    assert {name: one.assumptions for name, one in replays.items() if one.assumptions} == {}


def test_files_that_no_entry_names_compile(tmp_path_factory: pytest.TempPathFactory) -> None:
    files = texts()
    named = [name for entry in ENTRIES if entry.theorem for name in (entry.theorem.file,)]
    left = sorted(files.keys() - closure(named, files).keys())
    if left:
        copied(tmp_path_factory.mktemp("coq"), left)
    assert ROOT.is_dir()
