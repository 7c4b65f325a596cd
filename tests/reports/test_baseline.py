"""Baselines: what counts as a difference, and how the file looks in a diff."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from provado.audit import AuditResult, Counts, PairResult
from provado.mechanisms import UsageError, Verdict
from provado.reports.audit_report.baseline import (
    Change,
    _upper,
    at_least,
    baseline_document,
    baseline_of,
    compare,
    dumps,
    exit_status,
    load_baseline,
    within_chance,
)
from provado.reports.cli.main import main
from provado.reports.documents.schema import BASELINE, json_schema
from provado.reports.tasks.run import Record, Run, Settings

ALPHA = 0.05


def at_most(result: AuditResult) -> float:
    """Return the upper limit on the largest ε that the rules show, without any margin."""
    alpha = (1 - result.confidence) / 2
    return max((_upper(pair, alpha) for pair in result.pairs), default=math.inf)


def _run(*results: AuditResult) -> Run:
    settings = Settings(1000, None, 1 - ALPHA, 0, 3600.0)
    return Run("0.1.0", {}, settings, tuple(Record(r, ("again",), settings) for r in results))


@pytest.fixture(scope="session")
def counted(clear: AuditResult) -> Callable[..., AuditResult]:
    """Makes a result of one pair with other counts, at δ = 0."""
    pair = clear.pairs[0]

    def make(correct: int, wrong: int, abstained: int = 0, name: str = "f") -> AuditResult:
        counts = Counts(correct, wrong, abstained, 0, 0, 0)
        result = replace(clear, name=name, pairs=(replace(pair, counts=counts),))
        lower = at_least(result)
        verdict = Verdict.VIOLATION if lower > result.epsilon else Verdict.NO_VIOLATION
        changed = replace(result.pairs[0], epsilon_lower=lower, verdict=verdict)
        return replace(result, pairs=(changed,), verdict=verdict)

    return make


def test_a_run_agrees_with_its_own_baseline(run: Run) -> None:
    assert compare(run, baseline_of(run)) == ()
    assert exit_status(run, ()) == 3
    assert exit_status(_run(*run.results[:3]), ()) == 0


def test_a_rise_beyond_chance_fails_and_says_by_how_much(
    counted: Callable[..., AuditResult],
) -> None:
    before, after = _run(counted(550, 450)), _run(counted(650, 350))
    (difference,) = compare(after, baseline_of(before))
    assert difference.changes == (Change.RISE,)
    rise = after.results[0].epsilon_lower - before.results[0].epsilon_lower
    assert f"f: certified ε rose by {rise:.2f}" in difference.line
    assert exit_status(after, (difference,)) == 1


def test_a_rise_within_chance_passes(counted: Callable[..., AuditResult]) -> None:
    before, after = _run(counted(550, 450)), _run(counted(580, 420))
    assert after.results[0].epsilon_lower > before.results[0].epsilon_lower
    assert compare(after, baseline_of(before)) == ()


def test_a_fall_is_told_and_does_not_fail(counted: Callable[..., AuditResult]) -> None:
    before, after = _run(counted(650, 350)), _run(counted(550, 450))
    (difference,) = compare(after, baseline_of(before))
    assert difference.changes == (Change.FALL,)
    assert exit_status(after, (difference,)) == 0


def test_a_changed_verdict_fails_though_within_chance(
    counted: Callable[..., AuditResult],
) -> None:
    before, after = _run(counted(755, 245)), _run(counted(770, 230))
    assert [one.results[0].verdict.name for one in (before, after)] == ["NO_VIOLATION", "VIOLATION"]
    (difference,) = compare(after, baseline_of(before))
    assert difference.changes == (Change.VERDICT,)
    assert "within chance; more samples decide" in difference.words
    assert exit_status(after, (difference,)) == 1


def test_new_vanished_and_changed_claims_fail_one_line_each(
    counted: Callable[..., AuditResult],
) -> None:
    a, b, c = (counted(550, 450, name=name) for name in "abc")
    before, after = _run(a, b), _run(replace(b, epsilon=2.0), c)
    differences = compare(after, baseline_of(before))
    assert [(one.name, one.changes) for one in differences] == [
        ("a", (Change.VANISHED,)),
        ("b", (Change.CLAIM,)),
        ("c", (Change.NEW,)),
    ]
    assert all(one.fails and "\n" not in one.line for one in differences)
    assert "claim changed from ε = 1 to ε = 2" in differences[1].line
    partly = compare(after, baseline_of(before), complete=False)
    assert [one.name for one in partly] == ["b", "c"]


def test_an_unknown_is_not_completed(
    counted: Callable[..., AuditResult], make: Callable[..., AuditResult]
) -> None:
    before, broke = _run(counted(550, 450)), _run(make("f"))
    differences = compare(broke, baseline_of(before))
    assert [one.changes for one in differences] == [(Change.VERDICT,)]
    assert "(it broke)" in differences[0].words
    assert exit_status(broke, differences) == 3
    # What was recorded as unknown and works now is a change like any other.
    assert exit_status(before, compare(before, baseline_of(broke))) == 1
    two = _run(make("f"), counted(950, 50, name="g"))
    earlier = _run(counted(550, 450), counted(550, 450, name="g"))
    assert exit_status(two, compare(two, baseline_of(earlier))) == 1


def test_a_recorded_violation_is_accepted(violating: AuditResult) -> None:
    run = _run(violating)
    assert run.exit_status == 1
    assert exit_status(run, compare(run, baseline_of(run))) == 0


def test_a_rule_without_a_wrong_guess_bounds_nothing(
    counted: Callable[..., AuditResult],
) -> None:
    before, after = _run(counted(900, 0)), _run(counted(90_000, 0))
    assert baseline_of(before).entries["f"].upper == math.inf
    assert compare(after, baseline_of(before)) == ()


def test_names_are_told_apart(counted: Callable[..., AuditResult]) -> None:
    run = _run(counted(550, 450), counted(950, 50), counted(1, 9, name="f #2"))
    entries = baseline_of(run).entries
    assert list(entries) == ["f", "f #2", "f #2 #2"]
    assert entries["f #2"].verdict is Verdict.VIOLATION


def test_the_file_is_sorted_one_line_an_audit_and_free_of_times(run: Run) -> None:
    document = baseline_document(run)
    jsonschema.validate(document, json_schema(BASELINE))
    text = dumps(document)
    assert json.loads(text) == document
    lines = [line for line in text.splitlines() if '"name"' in line]
    assert len(lines) == len(run.records)
    assert lines == sorted(lines)
    slower = tuple(
        Record(
            replace(one.result, seconds=one.result.seconds + 1),
            ("elsewhere",),
            one.settings,
            "x.py:9",
        )
        for one in reversed(run.records)
    )
    assert dumps(baseline_document(Run("9", {"a": "b"}, run.settings, slower))) == text


def test_an_empty_baseline_is_a_document(tmp_path: Path) -> None:
    text = dumps(baseline_document(_run()))
    (tmp_path / "b.json").write_text(text)
    assert load_baseline(tmp_path / "b.json").entries == {}


@settings(max_examples=20)
@given(st.lists(st.tuples(st.text(), st.integers(0, 3)), max_size=5))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, run: Run, names: list[tuple[str, int]]
) -> None:
    again = _run(*(replace(run.results[i], name=name) for name, i in names))
    file = tmp_path_factory.mktemp("baseline") / "b.json"
    text = dumps(baseline_document(again))
    file.write_bytes(text.encode("utf-8", errors="backslashreplace"))
    assert load_baseline(file) == baseline_of(again)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("provado-baseline/1", "provado-baseline/9", "schema is 'provado-baseline/9'"),
        ('"verdict": "violation"', '"verdict": "fine"', "verdict is 'fine': it must be one of"),
        ('"delta": 0.0', '"delta": 2', "it must lie between 0 and 1"),
        ('"lower": ', '"lower": -', "a limit on ε is at least 0"),
        ('"upper": ', '"more": 1, "upper": ', "the key 'more', which is not known"),
        ('"seed": 0', '"sed": 0', "no key 'seed'"),
        ('"name": "clear"', '"name": "violating"', "each audit has a name of its own"),
        ("{", "[", "not readable as JSON"),
    ],
)
def test_a_broken_file_is_refused(run: Run, tmp_path: Path, old: str, new: str, part: str) -> None:
    file = tmp_path / "b.json"
    text = dumps(baseline_document(run))
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load_baseline(file)
    assert str(raised.value).startswith(f"{file}: ")
    assert part in str(raised.value)


@given(st.integers(1, 400), st.integers(1, 400))
def test_the_limit_from_above_is_the_one_that_the_tail_defines(
    counted: Callable[..., AuditResult], correct: int, wrong: int
) -> None:
    upper = at_most(counted(correct, wrong))
    right = 1 / (1 + math.exp(-upper))
    tail = binom.cdf(correct, correct + wrong, right)
    if upper > 0:
        assert tail == pytest.approx(ALPHA / 2, rel=1e-6)
    else:
        assert tail <= ALPHA / 2 * (1 + 1e-6)


@pytest.fixture(autouse=True)
def _forget_the_target() -> Iterator[None]:
    yield
    sys.modules.pop("targets_under_test", None)


CONFIGURED = """
[audits.answer]
target = "targets_under_test.py:leaky"
epsilon = 9.0
pairs = [["d0.json", "d1.json"]]
samples = 2000
"""


def test_the_command_line_records_compares_and_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "targets_under_test.py"
    text = file.read_text()
    (folder / "provado.toml").write_text(CONFIGURED)
    file.write_text(text.replace("0.99 if", "0.6 if").replace("else 0.01", "else 0.4"))
    words = ["audit", "--baseline", "b.json"]
    assert main(words) == 2
    assert "there is no such baseline" in capsys.readouterr().err
    assert main([*words, "--update-baseline"]) == 0
    assert main([*words, "--seed", "1"]) == 0
    capsys.readouterr()
    file.write_text(text)
    sys.modules.pop("targets_under_test", None)
    assert main([*words, "--seed", "2"]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if "rose by" in line]
    assert len(told) == 1
    assert told[0].strip().startswith("answer: certified ε rose by ")


def test_the_margin_is_for_what_exploring_leaves_to_chance(
    counted: Callable[..., AuditResult],
) -> None:
    result = counted(550, 450)
    few, many = (
        replace(result, pairs=(replace(result.pairs[0], explored_trials=explored),))
        for explored in (10, 10**12)
    )
    low, high = at_least(result), at_most(result)
    assert within_chance(few) == pytest.approx(high + (high - low) / 2)
    assert within_chance(many) == pytest.approx(high, abs=1e-4)


def _with(result: AuditResult, pair: PairResult, counts: Counts) -> AuditResult:
    return replace(result, confidence=1 - ALPHA, pairs=(replace(pair, counts=counts),))


@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_with_one_rule_an_unchanged_mechanism_is_reported_no_more_often_than_stated(
    run: Run, delta: float
) -> None:
    # One rule that is right on 40 % and wrong on 20 % of the trials, in two runs of other seeds.
    template = run.results[2 if delta else 0]
    pair = replace(template.pairs[0], method=replace(template.pairs[0].method, alpha=ALPHA))
    truth = math.log((0.4 - delta) / 0.2)
    rng = np.random.default_rng(1)
    trials = 40 if delta else 400  # The betting bound is slow.
    drawn = rng.multinomial(1_000, [0.4, 0.2, 0.4], size=(trials, 2)).tolist()
    risen = naive = above = below = 0
    for old, new in drawn:
        before = _with(template, pair, Counts(old[0], old[1], old[2], 0, 0, 0))
        after = _with(template, pair, Counts(new[0], new[1], new[2], 0, 0, 0))
        lower, upper = at_least(after), at_most(before)
        risen += lower > upper
        naive += after.counts.correct > before.counts.correct
        above += lower > truth
        below += upper < truth
    most = binom.ppf(1 - 1e-3, trials, ALPHA / 2)
    assert above <= most
    assert below <= most
    assert risen <= binom.ppf(1 - 1e-3, trials, ALPHA)
    assert naive > trials / 4  # Comparing without regard to chance would cry wolf.
