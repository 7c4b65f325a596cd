"""An exact audit in table, page and JSON; its recheck decides the recorded table again."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provado.audit import AuditResult, audit
from provado.mechanisms import UsageError
from provado.proofs.causal.examples import noisy_count
from provado.proofs.causal.finite_mechanism import from_table
from provado.reports.audit_report.document import run_from_json, run_to_json
from provado.reports.audit_report.page import render
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import recheck_document
from provado.reports.documents import schema
from provado.reports.tasks.run import Record, Run, Settings
from provado.reports.text.sentences import finding
from provado.reports.text.terminal import audit_table, closing

COIN = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
LEAKY = from_table({("x",): COIN, ("y",): {"heads": Fraction(1, 2), "edge": Fraction(1, 2)}})


def run_of(*results: AuditResult) -> Run:
    settings = Settings(None, None, 1 - 0.05 * len(results), 0, 3600.0)
    own = replace(settings, confidence=0.95)
    return Run("1", {"python": "3"}, settings, tuple(Record(r, ("x:t",), own) for r in results))


@pytest.fixture(scope="module")
def results() -> tuple[AuditResult, ...]:
    count = noisy_count(2, 2)
    return (
        audit(count, epsilon=0.7, name="proved"),
        audit(count, epsilon=0.69, name="refuted"),
        audit(count, epsilon=0.7, pair=((0, 0), (0, 1)), name="restricted"),
        audit(LEAKY, epsilon=1, delta=Fraction(1, 3), name="leaky"),
        audit(LEAKY, epsilon=1, delta=Fraction(1, 2), name="tie"),
    )


@pytest.fixture
def document(results: tuple[AuditResult, ...], clear: AuditResult) -> dict[str, Any]:
    text = schema.dumps(run_to_json(run_of(*results, clear)))
    found: dict[str, Any] = json.loads(text)
    return found


def differences(document: dict[str, Any]) -> str:
    return "\n".join(
        f"{one.name}: {line}" for one in recheck_document(document) for line in one.differences
    )


def test_verdicts(results: tuple[AuditResult, ...]) -> None:
    words = [str(result.verdict) for result in results]
    assert words == ["proved", "violation", "verified on these pairs", "violation", "proved"]
    assert results[3].exact is not None
    assert results[3].exact.factor == math.inf


def test_the_round_trip_and_the_schema(
    document: dict[str, Any], results: tuple[AuditResult, ...]
) -> None:
    assert document["schema"] == "provado-audit/7"
    jsonschema.Draft202012Validator(schema.json_schema(schema.AUDIT)).validate(document)
    back = run_from_json(document)
    assert back.results[: len(results)] == results
    assert json.loads(schema.dumps(run_to_json(back))) == document
    assert run_from_json(run_to_json(run_of(results[0]))).results == results[:1]


def test_the_schema_describes_the_finding() -> None:
    definitions = schema.json_schema(schema.AUDIT)["$defs"]
    for name in ("exact", "exact_table"):
        for key, child in definitions[name]["properties"].items():
            assert "description" in child or "$ref" in child, key


def test_a_run_of_experiments_has_no_exact_finding(run: Run) -> None:
    assert {audit["exact"] for audit in run_to_json(run)["audits"]} == {None}


@pytest.mark.parametrize("word", ["proved", "verified on these pairs"])
def test_an_experiment_with_a_proof_s_word_is_refused(document: dict[str, Any], word: str) -> None:
    sampled = document["audits"][-1]
    assert sampled["exact"] is None
    sampled["verdict"] = word
    with pytest.raises(UsageError, match="verdict is"):
        run_from_json(document)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema.json_schema(schema.AUDIT))


def test_an_untouched_report_agrees(document: dict[str, Any]) -> None:
    assert differences(document) == ""


Tamper = Callable[[dict[str, Any]], None]


def put(*path: Any) -> Tamper:
    def tamper(audit: dict[str, Any]) -> None:
        node: Any = audit
        for key in path[:-2]:
            node = node[key]
        node[path[-2]] = path[-1]

    return tamper


PROVED, REFUTED, RESTRICTED = range(3)
TAMPERED: list[tuple[int, Tamper, str]] = [
    (REFUTED, put("verdict", "proved"), "recorded 'proved'; the table gives 'violation'"),
    (REFUTED, put("exact", "verdict", "proved"), "verdict: recorded 'proved'; the table gives"),
    (REFUTED, put("exact", "epsilon", "7/10"), "exact: verdict: recorded 'refuted'"),
    (REFUTED, put("exact", "epsilon", "7/10"), "epsilon: recorded 0.69; the claim decided is 7/10"),
    (PROVED, put("epsilon", 0.5), "epsilon: recorded 0.5; the claim decided is"),
    (PROVED, put("delta", 0.5), "delta: recorded 0.5; the claim decided is 0"),
    (PROVED, put("verdict", "violation"), "recorded 'violation'; the table gives 'proved'"),
    (PROVED, put("exact", "factor", "3/2"), "exact: factor: recorded Fraction(3, 2)"),
    (PROVED, put("exact", "lower", 0.5), "exact: lower: recorded 0.5"),
    (PROVED, put("exact", "neighbors", 2), "exact: neighbors: recorded 2"),
    (PROVED, put("exact", "statements", []), "exact: statements: recorded ()"),
    (PROVED, put("exact", "event", [1]), "exact: event: recorded (1,)"),
    (PROVED, put("exact", "table", "rows", 0, ["1", "0", "0"]), "exact: factor: recorded"),
    (PROVED, put("exact", "only", [[[0, 0], [1, 0]]]), "prove nothing for all neighbors"),
    (RESTRICTED, put("exact", "only", None), "'verified'; the table gives 'proved'"),
    (RESTRICTED, put("exact", "only", [[[0, 0], [1, 1]]]), "decide nothing: pair:"),
    (PROVED, put("true_epsilon", None), "true_epsilon: recorded None"),
    (PROVED, put("samples", 5), "draws no samples"),
    (PROVED, put("epsilon_lower", 0.5), "epsilon_lower: recorded 0.5"),
    (PROVED, put("exact", "table", "rows", 0, ["1/2", "0", "0"]), "adds up to 1/2"),
    (PROVED, put("exact", "table", "rows", 0, [0.5, "0", "0"]), "rows[0][0] is 0.5"),
    (PROVED, put("exact", "table", "rows", 0, 0, "1/0"), "must be a rational number"),
    (PROVED, put("exact", "table", "rows", 0, 0, "1e999999999"), "must be a rational number"),
    (PROVED, put("exact", "d", [0, 9]), "is no dataset of its table"),
    (PROVED, put("exact", "event", [9]), "are no outputs of its table"),
    (PROVED, put("exact", "verdict", "obvious"), "must be one of 'proved', 'verified'"),
    (PROVED, put("exact", "more", 1), "exact has the key 'more'"),
]


@pytest.mark.parametrize(("index", "tamper", "message"), TAMPERED)
def test_tampering_is_caught_and_named(
    document: dict[str, Any], index: int, tamper: Tamper, message: str
) -> None:
    changed = copy.deepcopy(document)
    tamper(changed["audits"][index])
    try:
        said = differences(changed)
    except UsageError as error:
        said = str(error)
    assert message in said


def test_the_words_state_the_exact_numbers(results: tuple[AuditResult, ...]) -> None:
    proved, refuted, restricted, leaky, tie = (" ".join(finding(result)) for result in results)
    assert "The smallest e^ε is 2: ε between 0.693147 and 0.693148." in proved
    assert "So ε = 0.7 is proved for all replace-one neighbors of this table." in proved
    assert "with probability 2/3 on D and 1/3 on D′" in refuted
    assert "So ε = 0.69 is refuted." in refuted
    assert "holds on the pairs that were given; of others nothing is said" in restricted
    assert "No ε is large enough at δ = 0.333333." in leaky
    assert "{'tails'} with probability 1/2 on D and 0 on D′" in leaky
    assert "So ε = 1.0, δ = 0.5 is proved" in tie
    assert "The smallest e^ε at δ = 0.5 is 1: ε = 0." in tie


def test_table_and_page_show_them(results: tuple[AuditResult, ...], clear: AuditResult) -> None:
    table = audit_table(results, color=True, wide=True)
    assert "\x1b[32mproved" in table
    assert "exact, over all 8 ordered pairs of neighbors; no samples" in table
    assert "2 violations, 2 proved, 1 verified on these pairs" in closing(results)
    page = render(run_of(*results, clear))
    assert '<span class="chip ok">proved</span>' in page
    assert '<span class="chip ok">verified on these pairs</span>' in page
    assert "5 claims are decided exactly" in page
    assert "1 claim no violation was found" in page
    assert "is proved for all replace-one neighbors" in page


def test_a_page_of_experiments_has_no_such_tile(run: Run) -> None:
    page = render(run)
    assert '<span class="what">proved</span>' not in page
    assert "decided exactly, from" not in page


def test_the_command_line_decides_a_table_without_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("some_tables.py").write_text(
        "from provado.proofs.causal.examples import noisy_count\ncount = noisy_count(2, 2)\n"
    )
    assert main(["audit", "some_tables.py:count", "--epsilon", "0.7", "--out", "out"]) == 0
    assert "count    proved    claimed ε = 0.7, exact ε ≥ 0.693" in capsys.readouterr().out
    assert main(["report", "out/audit.json", "--recheck"]) == 0
    assert main(["audit", "some_tables.py:count", "--epsilon", "0.69"]) == 1
    assert main(["audit", "some_tables.py:count"]) == 2
    assert "--epsilon" in capsys.readouterr().err
