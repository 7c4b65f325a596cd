"""Errors of Provado's own are marked as such, and not blamed on the mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import AuditResult, audit
from provado.audit.events.features.feature import (
    WORDS,
    Column,
    EventKind,
    EventSet,
    LeftOut,
    merged,
)
from provado.audit.events.learners import learn
from provado.audit.events.learners.table import Table
from provado.audit.target.exceptions import Raised
from provado.audit.workers.progress import Progress
from provado.mechanisms import Verdict
from provado.reports.text.sentences import finding

PAIR = ([0, 1], [0, 3])


def noisy(data: list[int], size: int, rng: np.random.Generator) -> Any:
    noise = rng.laplace(size=(size, 3))
    return sum(data) + noise


def audited(**given: Any) -> AuditResult:
    asked = {"epsilon": 1, "pair": PAIR, "samples": 4000, "isolate": False, **given}
    return audit(noisy, **asked)


def broken(*_: Any, **__: Any) -> Any:
    raise ValueError("Number of samples in X must be at least 2")


@pytest.mark.parametrize(
    "name", ["classify", "weigh", "distinguishing_parts", "FloatBits", "CellRatios"]
)
def test_a_family_that_fails_is_left_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    whole = audited()
    failing = type("Failing", (), {"learn": broken, "__init__": broken})
    monkeypatch.setattr(learn, name, failing if name[0].isupper() else broken)
    found = audited()
    assert found.verdict is Verdict.VIOLATION
    # Weighted sums are of cells: they fail with them.
    assert len(found.limitations) == (2 if name == "CellRatios" else 1)
    for note in found.limitations:
        assert note.startswith("Left out of the audit: ")
        assert f"Limitation: {note}" in finding(found)
        assert "an error in Provado itself, not in the mechanism; please report it" in note
        assert "ValueError: Number of samples in X must be at least 2" in note
        assert "test_own_errors.py:" in note
        assert "learn.py:" in note or "rule.py:" in note
    before, after = ({one.kind for one in each.pairs[0].event_kinds} for each in (whole, found))
    assert before > after
    notes = " ".join(found.limitations)
    assert all(WORDS[kind] in notes for kind in before - after)
    assert not whole.limitations


@pytest.mark.parametrize("samples", [4000, "auto:400"])
def test_any_other_is_no_fault_of_the_mechanism(
    monkeypatch: pytest.MonkeyPatch, samples: Any
) -> None:
    monkeypatch.setattr("provado.audit.pipeline.one_pair.pair_result", broken)
    monkeypatch.setattr("provado.audit.pipeline.sequential.pair_result", broken)
    found = audited(samples=samples)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason.startswith("an error in Provado itself, not in the mechanism; please rep")
    assert "ValueError: Number of samples" in found.reason
    assert "one_pair.py:" in found.reason or "sequential.py:" in found.reason


def test_what_a_listener_raises_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    def listener(message: Progress) -> None:
        raise LookupError("mine")

    monkeypatch.setattr("provado.audit.workers.progress.SELDOM", 0.0)
    with pytest.raises(LookupError, match="mine"):
        audited(progress=listener)


def test_what_the_mechanism_raises_is_the_mechanisms() -> None:
    found = audit(lambda data: broken(), epsilon=1, pair=PAIR, samples=1000, isolate=False)
    assert found.reason.startswith("the mechanism raised ValueError: ")
    assert "Provado itself" not in found.reason


@given(st.lists(st.tuples(st.sampled_from(EventKind), st.booleans()), max_size=12))
def test_a_kind_that_failed_once_stays_marked(rows: list[tuple[EventKind, bool]]) -> None:
    looked = [
        LeftOut(kind, (), "why") if bad else EventSet(kind, ("output",)) for kind, bad in rows
    ]
    found = {one.kind: bool(one.failed) for one in merged(merged(looked))}
    assert found == {kind: (kind, True) in rows for kind, _ in rows}


@given(st.data())
def test_no_region_is_worded_empty(data: st.DataObject) -> None:
    ratios = data.draw(st.lists(st.floats(-5, 5), min_size=1, max_size=12))
    texts = data.draw(st.lists(st.sampled_from(["", "''", "x"]), min_size=len(ratios)))
    table = Table(Column(0, 1), np.arange(len(ratios)), np.array(ratios), tuple(texts))  # type: ignore[arg-type]
    low = data.draw(st.floats(-6, 6))
    said = table.region(low, np.inf)
    inside = [r for r in ratios if r >= low]
    assert bool(said) == bool(inside)
    assert not said.endswith("is ")
    assert " is  or" not in said


def test_one_side_alone_is_put_in_words() -> None:
    def says(data: list[int], rng: np.random.Generator) -> str:
        return "x" if data[0] or rng.random() < 0.6 else ""

    found = audit(says, epsilon=0.1, pair=([1], [0]), samples="auto", isolate=False)
    assert found.verdict is Verdict.VIOLATION
    said = " ".join(finding(found))
    assert " is ;" not in said
    assert " is (" not in said


def test_short_runs_name_a_cause_and_what_carries_the_bound() -> None:
    def shifted(data: list[int], rng: np.random.Generator) -> float:
        return sum(data) * 9 + rng.laplace()

    found = audit(shifted, epsilon=1, pair=([1], [0]), samples="auto", isolate=False)
    assert found.verdict is Verdict.VIOLATION
    assert found.pairs[0].cause.words
    said = " ".join(finding(found))
    assert "turned a stake of 1 into " in said
    assert " times of " not in said
    assert float(said.partition("a stake of 1 into ")[2].split()[0]) >= 1 / 0.05


def test_digits_of_an_exception_are_shown() -> None:
    def careless(data: list[int], rng: np.random.Generator) -> float:
        if data[0] or rng.random() < 0.5:
            return 1.0
        raise TypeError("f() takes 1 positional argument but 4 were given")

    found = audit(careless, epsilon=1, pair=([1], [0]), samples=4000, isolate=False)
    assert found.witness is not None
    shown = f"{found.witness.guess_d} {found.witness.guess_d_prime} {found.witness.examples_d}"
    assert "takes 1 positional argument but 4 were given" in shown
    assert "takes … " not in shown


@pytest.mark.parametrize("call", [lambda data, seed: 1, lambda: 1, lambda data, *, scale: 1])
def test_a_call_that_lacks_arguments_says_how_a_mechanism_is_called(call: Any) -> None:
    with pytest.raises(TypeError) as raised:
        call([1])
    assert "it is called with the data alone" in Raised.of(raised.value).text


@pytest.mark.parametrize("call", [lambda data: data.index(), lambda data: data + 1])
def test_what_a_mechanism_raises_itself_is_left_alone(call: Any) -> None:
    with pytest.raises(TypeError) as raised:
        call([1])
    assert "it is called with" not in Raised.of(raised.value).text
