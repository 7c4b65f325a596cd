"""An untouched report agrees; every kind of tampering is caught and named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from provado.audit import AuditResult
from provado.reports.audit_report.document import digest, run_to_json
from provado.reports.commands.recheck.recheck import recheck_document, record_differences
from provado.reports.tasks.run import Run


def differences(document: dict[str, Any]) -> str:
    """Return what is noticed without the digest: of a forger who computes it anew."""
    document["digest"] = digest(document)
    return "\n".join(
        f"{checked.name}: {difference}"
        for checked in recheck_document(document)
        for difference in checked.differences
    )


def test_an_untouched_report_agrees(run: Run) -> None:
    checked = recheck_document(run_to_json(run))
    assert all(one.agrees for one in checked)
    names = ["the run", "clear", "violating", "approximate", "broken"]
    assert [one.name for one in checked] == names


def test_a_bound_within_the_tolerance_agrees(run: Run) -> None:
    document = run_to_json(run)
    for audit in document["audits"]:
        audit["epsilon_lower"] += 5e-10
        for pair in audit["pairs"]:
            pair["epsilon_lower"] += 5e-10
    assert differences(document) == ""


Tamper = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Tamper:
    """Return what sets the value at the path, the last of which is the value."""

    def tamper(audit: dict[str, Any]) -> None:
        node: Any = audit
        for key in path[:-2]:
            node = node[key]
        node[path[-2]] = path[-1]

    return tamper


CLEAR, VIOLATING, APPROXIMATE, BROKEN = range(4)
TAMPERED: list[tuple[int, Tamper, str]] = [
    (
        VIOLATING,
        put("pairs", 0, "counts", "d_guessed_d", 440),
        "violating: pair 0: bound: recorded",
    ),
    (APPROXIMATE, put("pairs", 1, "counts", "d_abstained", 400), "approximate: pair 1: bound:"),
    (CLEAR, put("pairs", 0, "counts", "d_guessed_d", 400), "1,100 counted; at most 1,000 were"),
    (CLEAR, put("pairs", 0, "planned_trials", 2000), "1,000 counted of 2,000 planned; the binom"),
    (VIOLATING, put("verdict", "no violation found"), "violating: verdict: recorded 'no viol"),
    (CLEAR, put("verdict", "violation"), "clear: verdict: recorded 'violation'; the counts give"),
    (CLEAR, put("pairs", 0, "verdict", "violation"), "clear: pair 0: verdict: recorded 'violation"),
    (VIOLATING, put("verdict", "unknown"), "violating: verdict: unknown, and no reason is given"),
    (VIOLATING, put("verdict", "unknown"), "recorded unknown; the counts certify a violation"),
    (BROKEN, put("verdict", "no violation found"), "broken: verdict: recorded 'no violation fou"),
    (BROKEN, put("reason", ""), "broken: verdict: unknown, and no reason is given"),
    (CLEAR, put("pairs", 0, "bound", "alpha", 0.01), "clear: pair 0: bound: recorded ε ≥"),
    (CLEAR, put("pairs", 0, "bound", "alpha", 0.06), "clear: alpha: the shares sum to 0.06; a con"),
    (CLEAR, put("confidence", 0.99), "the shares sum to 0.04975; a confidence of 0.99 leaves 0.01"),
    (CLEAR, put("pairs", 0, "epsilon_lower", 0.9), "clear: pair 0: bound: recorded ε ≥ 0.9; the"),
    (CLEAR, put("epsilon_lower", 0.9), "clear: epsilon_lower: recorded 0.9"),
    (CLEAR, put("epsilon", 0.5), "clear: verdict: recorded 'no violation found'"),
    (CLEAR, put("surprising", True), "clear: surprising: recorded True; the rest gives False"),
    (
        APPROXIMATE,
        put("delta", 0.01),
        "pair 0: bound: taken at δ = 0.001; the claim is at δ = 0.01",
    ),
    (APPROXIMATE, put("pairs", 1, "index", 0), "the indexes [0, 0] must be distinct"),
    (CLEAR, put("pairs", 0, "effects", 0, "hits", 400), "effect of saying 'D': it is not that"),
    (CLEAR, put("pairs", 0, "effects", 1, "risk_difference", 0.9), "effect of saying 'D′'"),
    (CLEAR, put("pairs", 0, "effects", 0, "risk_difference_interval", [0, 0]), "saying 'D'"),
]


@pytest.mark.parametrize(("position", "tamper", "message"), TAMPERED)
def test_tampering_is_caught(run: Run, position: int, tamper: Tamper, message: str) -> None:
    document = run_to_json(run)
    tamper(document["audits"][position])
    assert message in differences(document)


GROWN = [[30, 15, 5, 15, 30, 5], [200, 100, 50, 100, 200, 50], [300, 150, 50, 150, 300, 50]]


def with_checkpoints(run: Run, rows: list[list[int]]) -> str:
    document = run_to_json(run)
    document["audits"][CLEAR]["pairs"][0]["checkpoints"] = rows
    return differences(document)


def test_checkpoints_that_grow_to_the_counts_agree(run: Run) -> None:
    rows = [list(counts.six) for counts in run.results[CLEAR].pairs[0].checkpoints]
    assert [sum(row) for row in rows] == [64, 128, 256, 512, 1000]
    assert with_checkpoints(run, rows) == ""


@pytest.mark.parametrize("left", range(5))
def test_checkpoints_that_are_not_complete_are_caught(run: Run, left: int) -> None:
    rows = [list(counts.six) for counts in run.results[CLEAR].pairs[0].checkpoints]
    del rows[left]
    assert "they are due after 64, 128, 256, 512, 1000" in with_checkpoints(run, rows)
    assert "after no trials; they are due after 64" in with_checkpoints(run, [])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (GROWN[:2], "the last are not the counts of all trials"),
        ([*GROWN[:2], [301, 149, 50, 150, 300, 50]], "the last are not the counts"),
        ([[30, 15, 51, 15, 30, 5], *GROWN[1:]], "d_abstained is 51 after 146 trials and 50 at"),
        ([GROWN[1], *GROWN[1:]], "trials is 700 after 700 trials and 700 at the next"),
        ([GROWN[1], GROWN[0], GROWN[2]], "d_guessed_d is 200 after 700 trials and 30 at the next"),
    ],
)
def test_tampered_checkpoints_are_caught(run: Run, rows: list[list[int]], message: str) -> None:
    assert f"clear: pair 0: checkpoints: {message}" in with_checkpoints(run, rows)


def test_a_tampered_exit_status_is_caught(run: Run) -> None:
    document = run_to_json(run)
    document["exit_status"] = 0
    assert differences(document) == "the run: exit_status: recorded 0; the rest gives 1"


def test_an_unknown_with_a_reason_agrees(
    make: Callable[..., AuditResult], run_of: Callable[..., Run]
) -> None:
    assert list(record_differences(run_of(make("broken")).records[0])) == []
