from __future__ import annotations

from collections.abc import Callable

from provado.audit import AuditResult
from provado.mechanisms import Verdict
from provado.reports.tasks.run import Run
from provado.reports.text import sentences
from provado.reports.text.power import power_of
from provado.reports.text.terminal import audit_table, closing


def test_columns_stand_below_each_other(run: Run) -> None:
    header, rule, *rows = audit_table(run.results, wide=True).splitlines()
    assert len(rows) == len(run.results)
    assert header.split("  ")[0] == "name"
    assert "certified" in header
    starts = [i + 2 for i in range(len(rule) - 2) if rule[i : i + 2] == "  "]
    for line in (header, *rows):
        assert all(line[start - 2 : start].strip() == "" for start in starts)
    assert "no violation found" in rows[3]
    assert "unexpected" in "".join(rows[:2])
    (other,) = [row for row in rows if "∞" in row]
    assert "cannot be seeded" in other
    assert "it broke" in rows[2]


def test_only_the_verdict_is_colored_and_only_on_demand(run: Run) -> None:
    plain = audit_table(run.results)
    assert "\x1b" not in plain
    colored = audit_table(run.results, color=True)
    for code in (
        "\x1b[31mviolation",
        "\x1b[32mno violation found\x1b[0m",
        "\x1b[33munknown\x1b[0m",
    ):
        assert code in colored


def test_what_a_mechanism_prints_cannot_command_a_terminal(
    make: Callable[..., AuditResult],
) -> None:
    table = audit_table([make("bad\x1b[2Jname\n", reason="a\r\nb\x07")], wide=True)
    assert "\x1b" not in table
    assert "\\x1b[2Jname" in table
    assert "a b\\x07" in table


def test_names_and_claims_are_cut_to_eighty_columns(make: Callable[..., AuditResult]) -> None:
    results = [make(name * 100, epsilon=1.23456789, delta=1e-300, read=name * 99) for name in "xy"]
    lines = audit_table(results).splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line.count("…") == 2 for line in lines[2:])
    assert all(line.endswith("unknown") for line in lines[2:])
    assert results[0].name in audit_table(results, wide=True)


def test_the_closing_line_counts(run: Run) -> None:
    assert closing(run.results) == (
        "4 audits: 2 violations, 1 unknown, 1 no violation found; 1 unexpected."
    )
    assert closing(run.results[:1]) == "1 audit: 1 no violation found; nothing unexpected."


def test_the_witness_in_words(clear: AuditResult) -> None:
    assert sentences.finding(clear) == [
        "Worst pair: D = [0, 1, 1], D′ = do(D[2] = 7) = [0, 1, 7]",
        "Evidence: Guess D when output ≤ 1; guess D′ when output ≥ 3: 600 of 900 guesses correct "
        "(abstained on 100 of 1,000 trials). 66.7 % are correct; ε = 1 allows 73.1 %.",
        "Power: A violation detectable by this rule (guess D when output ≤ 1; guess D′ when output "
        "≥ 3) would have been certified in nine runs of ten, if it makes guesses correct as often "
        "as ε = 1.232 allows.",
        "Coverage: 1 pair given; 1,000 certifying trials; events: thresholds of output; unions of "
        "intervals of output.",
        "Not covered: violations that show only in other or rarer events, other pairs, several "
        "releases together, time, memory and logs.",
    ]
    assert power_of(clear) == (
        "A violation detectable by this rule (guess D when output ≤ 1; guess D′ when output ≥ 3) "
        "would have been certified in nine runs of ten, if it makes guesses correct as often as "
        "ε = 1.232 allows. Covered, on 1 pair (D′ = do(D[2] = 7)) and in 500 outputs of "
        "exploration: thresholds of output; unions of intervals of output. This does not cover "
        "other kinds of events, rarer events or other pairs."
    )


def test_a_claim_with_delta_is_compared_by_trials(run: Run) -> None:
    result = run.results[2]
    assert result.best is not None
    assert sentences.compared(result, result.best) == (
        "Under the claimed ε = 1, δ = 0.001 a rule that is wrong on 2.0 % of the trials is right "
        "on at most 5.5 % of them (e^ε times as many, and δ); this rule was right on 90.0 %."
    )


def test_expectations(make: Callable[..., AuditResult], clear: AuditResult) -> None:
    assert sentences.expectation(clear) == "as expected"
    assert sentences.expectation(make("x")) == "not completed"
    missed = make("x", *clear.pairs, expected=Verdict.VIOLATION)
    assert sentences.expectation(missed) == "unexpected"
