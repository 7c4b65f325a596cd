"""The museum: what an exhibit needs, what its table accuses itself of, how alpha is shared."""

from __future__ import annotations

import ast
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.museum import audits
from benchmarks.museum.__main__ import Row
from benchmarks.museum.audits import Outcome, outcome
from benchmarks.museum.environment import NotInstalledError, environment
from benchmarks.museum.exhibit import HERE, Exhibit, Version, exhibits
from provado.audit import AuditResult, audit
from provado.mechanisms import Verdict

HERE_AND_NOW = Version("3.11", ("nothing==1",))

RELEASED = """
import random

def claim(data):
    if data == "unknown":
        raise LookupError("no claim")
    return 1.0, 0.0

def release(data):
    return data ^ (random.random() > 0.7310585786300049)

def leaky(data):
    return data ^ (random.random() > 0.95)

def breaks(data):
    raise RuntimeError("broken")
"""


def exhibit(function: str = "release", pairs: Any = ((0, 1), (1, 0))) -> Exhibit:
    version = Version("3.11", ("nothing==1",), function=function)
    return Exhibit("a", "b", "c", "mine.py", version, None, pairs)


def of_a_size(*arguments: Any, seconds: float, **keywords: Any) -> AuditResult:
    """Audit with so many runs, as no time is the same on a busy machine."""
    return audit(*arguments, samples=4000, **keywords)


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "released").mkdir()
    (tmp_path / "released" / "mine.py").write_text(RELEASED)
    monkeypatch.setattr(audits, "HERE", tmp_path)
    monkeypatch.setattr(audits, "environment", lambda version: Path(sys.executable))
    monkeypatch.setattr(audits, "audit", of_a_size)


def test_every_exhibit_has_its_file_and_functions() -> None:
    found = list(exhibits())
    assert len(found) > 10
    assert len({one.name for one in found}) == len(found)
    assert {one.file for one in found} == {
        file.name for file in (HERE / "released").glob("*.py") if file.name != "__init__.py"
    }
    for one in found:
        tree = ast.parse((HERE / "released" / one.file).read_text())
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        wanted = {version.function for version in (one.flawed, one.fixed) if version}
        assert {"claim", *wanted} <= functions
        assert one.pairs
        assert all(len(pair) == 2 for pair in one.pairs)


def test_a_sound_version_passes_on_all_pairs_each_at_its_share(
    released: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    def recorded(*arguments: Any, **keywords: Any) -> AuditResult:
        asked.append(keywords)
        return of_a_size(*arguments, **keywords)

    monkeypatch.setattr(audits, "audit", recorded)
    found = outcome(exhibit(), HERE_AND_NOW)
    assert found.verdict is Verdict.NO_VIOLATION
    assert found.claim == 1.0
    assert 0 < found.lower <= 1
    assert [one["pair"] for one in asked] == [(0, 1), (1, 0)]
    assert math.isclose(sum(1 - one["confidence"] for one in asked), 0.05)
    assert sum(one["seconds"] for one in asked) == audits.SECONDS


def test_a_leaky_version_is_certified(released: None) -> None:
    wrong = exhibit("leaky")
    assert outcome(wrong, wrong.flawed).verdict is Verdict.VIOLATION


@pytest.mark.parametrize(
    ("function", "pairs", "reason"),
    [
        ("breaks", ((0, 1),), "the mechanism raised RuntimeError: broken"),
        ("release", (("unknown", 1),), "LookupError('no claim')"),
        ("nothing", ((0, 1),), "mine.py has no 'nothing'"),
    ],
)
def test_what_cannot_be_audited_says_why(
    released: None, function: str, pairs: Any, reason: str
) -> None:
    wrong = exhibit(function, pairs)
    found = outcome(wrong, wrong.flawed)
    assert found.verdict is Verdict.UNKNOWN
    assert reason in found.words


def test_what_cannot_be_installed_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotInstalledError, match=r"there is no Python 3\.0"):
        environment(Version("3.0", ("nothing==1",)))

    def refuse(version: Version) -> Path:
        raise NotInstalledError("there is no such wheel")

    monkeypatch.setattr(audits, "environment", refuse)
    found = outcome(exhibit(), HERE_AND_NOW)
    assert found.words == "unknown: nothing 1 is not installed: there is no such wheel"
    assert Row(exhibit(), found, None).faults == ()


PASSES = Outcome(Verdict.NO_VIOLATION, 1.0, 0.0, 0.9, 1000, 10.0)
ACCUSED = Outcome(Verdict.VIOLATION, 1.0, 0.0, 1.1, 1000, 10.0)


@pytest.mark.parametrize(
    ("flawed", "fixed", "faults"),
    [
        (ACCUSED, PASSES, ()),
        (ACCUSED, None, ()),
        (PASSES, PASSES, ("the flaw was not certified",)),
        (ACCUSED, ACCUSED, ("the fixed version was accused",)),
        (Outcome(Verdict.VIOLATION, 1, 0, 2, 1000, 181.0), PASSES, ("more than 180 s",)),
    ],
)
def test_the_table_tells_its_own_faults(
    flawed: Outcome, fixed: Outcome | None, faults: tuple[str, ...]
) -> None:
    row = Row(exhibit(), flawed, fixed)
    assert row.faults == faults
    assert row.complete == (fixed is not None)
