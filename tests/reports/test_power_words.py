"""What "no violation found" is worth: the same words everywhere, and no more than is true."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from provado.audit import AuditResult, Counts, PairResult, audit
from provado.mechanisms import Verdict
from provado.reports.audit_report.formats import render
from provado.reports.commands.audit import Detail, show_run
from provado.reports.pytest_plugin.audit_fixture import sentence
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import up
from provado.reports.text.power import (
    COLUMN,
    LEGEND,
    NOT_COVERED,
    NOTHING,
    REST,
    detectable,
    kinds_of_event,
    not_covered,
    power_of,
    power_of_pairs,
    shows,
)

ROOT = Path(__file__).parents[2]
FALSE = re.compile(r"would (catch|have caught|have been (caught|detected|found))|caught from ε")


def digit_sum_tells(data: Any, *, size: int, rng: np.random.Generator) -> Any:
    """Laplace noise for ε = 1; all digits add up to an even number on D alone: ε is ∞."""
    noisy = np.rint(1e5 * (sum(data) + rng.laplace(size=size))).astype(np.int64)
    digits = sum(np.abs(noisy) // 10**place % 10 for place in range(9))
    last = 2 * rng.integers(0, 5, size) + (digits + sum(data)) % 2
    return np.sign(noisy) * np.round(np.abs(noisy) / 1e5 + last / 1e6, 6)


def last_digit_whispers(data: Any, *, size: int, rng: np.random.Generator) -> Any:
    """A uniform number whose sixth decimal is even nine times in ten on D: the true ε is ln 9."""
    odd = (rng.random(size) < 0.1) ^ (sum(data) % 2)
    return np.round(rng.integers(0, 10**5, size) * 1e-5 + 1e-6 * (odd + 2.0), 6)


def constant(data: Any, *, size: int, rng: np.random.Generator) -> Any:
    return np.zeros(size)


def audited(mechanism: Callable[..., Any], **fields: Any) -> AuditResult:
    given = {"epsilon": 1.0, "pair": ([1, 1], [1, 0]), "samples": 100_000, "seed": 1}
    return audit(mechanism, **{**given, **fields})


@pytest.fixture(scope="module")
def unseen() -> AuditResult:
    """An audit of a true ε of ∞ whose rule sees the Laplace noise alone."""
    return audited(digit_sum_tells)


@pytest.fixture(scope="module")
def whispered() -> AuditResult:
    """An audit of a true ε of 2.2 whose rule sees nothing."""
    return audited(last_digit_whispers)


def shown(result: AuditResult, run: Run, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return the run of this result in each form, as the text that a reader sees."""
    show_run(run, Detail(verbose=True))
    log = json.loads(render(run, "sarif"))["runs"][0]
    suite = ElementTree.fromstring(render(run, "junit"))
    page = re.sub(r"<script.*?</script>|<style.*?</style>", "", render(run, "html"), flags=re.S)
    return {
        "terminal": re.sub(r"\n {4,}", " ", capsys.readouterr().out),
        "json": json.loads(render(run, "json"))["audits"][0]["power"],
        "html": html.unescape(re.sub(r"<[^>]+>", "\n", page)),
        "markdown": html.unescape(render(run, "markdown")).replace(r"\_", "_"),
        "junit": "\n".join(suite.itertext()),
        "sarif": json.dumps(log["invocations"], ensure_ascii=False),
        "pytest": sentence(result),
    }


@pytest.mark.parametrize("name", ["unseen", "whispered"])
def test_every_form_carries_the_same_words(
    name: str,
    request: pytest.FixtureRequest,
    run_of: Callable[..., Run],
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = request.getfixturevalue(name)
    assert result.verdict is Verdict.NO_VIOLATION
    for form, text in shown(result, run_of(result), capsys).items():
        words = " ".join(text.split())
        assert power_of_pairs(result) in words, form
        assert kinds_of_event(result) in words, form
        assert REST in words or NOT_COVERED in words, form
        assert not FALSE.search(text), form


@pytest.mark.parametrize(("delta", "said"), [(0.0, False), (0.01, True)])
def test_above_delta_0_a_pass_says_how_rare_an_event_may_be(delta: float, *, said: bool) -> None:
    passed = audited(constant, delta=delta, samples=30_000)
    words = not_covered(passed)
    assert words.endswith(NOT_COVERED)
    assert (words != NOT_COVERED) is said
    figure = "outputs that only one dataset gives, in less than 1.399 % of its runs (δ is 1 %)"
    assert words.startswith(figure) is said


def test_a_leak_that_the_rule_does_not_see_is_not_said_to_have_shown(
    unseen: AuditResult, run_of: Callable[..., Run], capsys: pytest.CaptureFixture[str]
) -> None:
    # The audit is blind to the sum of digits: that is what its report must not hide.
    assert unseen.epsilon_lower < 1
    said = power_of(unseen)
    figure = up(unseen.pairs[0].detectable_epsilon)
    assert 1 < float(figure) < 1.1
    assert said.startswith("A violation detectable by this rule (guess D when output ≥ ")
    assert said.endswith(REST)
    kinds = {str(one.kind) for one in unseen.pairs[0].event_kinds}
    assert kinds == {"thresholds", "intervals", "float-bits", "bits"}
    assert all(one.words() in said for one in unseen.pairs[0].event_kinds)
    for form, text in shown(unseen, run_of(unseen), capsys).items():
        parts = re.split(r"\. |\n", text)
        held = [part for part in parts if re.search(rf"(?<![\d.]){figure}(?!\d)", part)]
        named = [part for part in held if f"{COLUMN} {figure} (90 % power)" in part]
        # Such a headline is followed by what the figure does not cover.
        assert not named or NOT_COVERED in " ".join(text.split()), form
        bare = [part for part in held if "detectable by this rule" not in part]
        bare = [part for part in bare if part not in named]
        assert held
        # What is left are cells of a column that is headed so.
        if form in ("terminal", "markdown", "html"):
            assert COLUMN in text
            assert LEGEND in text or form == "terminal"
            assert len(bare) <= 1, bare
        else:
            assert bare == [], form


def test_where_the_rule_tells_nothing_no_figure_is_given(
    whispered: AuditResult, run_of: Callable[..., Run], capsys: pytest.CaptureFixture[str]
) -> None:
    assert not shows(whispered.pairs[0])
    assert detectable(whispered) == "–"
    assert power_of(whispered).startswith(f"As released: {NOTHING}")
    assert power_of(whispered).endswith(REST)
    figure = up(whispered.pairs[0].detectable_epsilon)
    for form, text in shown(whispered, run_of(whispered), capsys).items():
        assert figure not in text, form


def test_without_a_rule_nothing_is_said_to_show() -> None:
    result = audited(constant, samples=2000)
    assert power_of(result).startswith(f"{NOTHING[0].upper()}{NOTHING[1:]}")
    assert detectable(result) == "–"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (
            Counts(0, 0, 500, 0, 0, 500),
            "No event was found that distinguishes D from D′: the rule (guess D",
        ),
        (Counts(3, 0, 497, 0, 2, 498), "the rule (guess D when output ≤ 1; guess D′ when output"),
        (Counts(20, 3, 477, 3, 20, 477), "; it abstained on 95.4 % of the trials) would have been"),
        (Counts(250, 250, 0, 250, 250, 0), ": 500 of 1,000 guesses of the rule (guess D when"),
    ],
)
def test_a_rule_that_seldom_speaks_is_said_to(
    counts: Counts,
    said: str,
    make: Callable[..., AuditResult],
    pair_of: Callable[..., PairResult],
) -> None:
    result = make("x", pair_of(counts, 2.0), epsilon=2.0)
    assert said.casefold() in power_of(result).casefold()
    assert ("detectable by this rule" in power_of(result)) == (detectable(result) != "–")


def test_each_pair_is_named_with_its_rule(
    make: Callable[..., AuditResult], pair_of: Callable[..., PairResult]
) -> None:
    pairs = (pair_of(Counts(300, 150, 50, 150, 300, 50), 1.0), pair_of(Counts(), 1.0, index=1))
    said = power_of(make("x", *pairs))
    assert "Pair 0 (D′ = do(D[2] = 7)): a violation detectable by this rule (" in said
    assert f"Pair 1 (D′ = do(D[2] = 7)): {NOTHING}" in said
    assert "Covered, on 2 pairs and in 500 outputs of exploration" in said


def test_nothing_is_added_to_a_violation_or_an_unknown(
    violating: AuditResult, make: Callable[..., AuditResult]
) -> None:
    assert power_of(violating) == power_of(make("broken")) == ""


def test_the_readme_quotes_what_the_page_prints() -> None:
    quoted = re.search(r"(?:^> .*\n)+", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert quoted is not None
    sentence = " ".join(quoted[0].replace("> ", "").split())
    page = (ROOT / "docs/pages/explanation/verdicts.md").read_text(encoding="utf-8")
    assert sentence in " ".join(page.split())
    assert sentence.endswith(REST)


LIST = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/**/*.yml")]
LIST += [
    file
    for room in ("audit", "mechanisms", "reports")
    for file in ROOT.glob(f"{room}/**/*.*")
    if file.suffix not in (".npy", ".pyc")
]


def test_no_text_promises_what_the_rule_does_not_see() -> None:
    assert len(LIST) > 200
    texts = {file: file.read_text(encoding="utf-8") for file in LIST}
    assert [str(file) for file, text in texts.items() if FALSE.search(text)] == []
