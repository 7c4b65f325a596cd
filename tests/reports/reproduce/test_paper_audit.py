import numpy as np
import pytest

from provado.mechanisms import Verdict
from provado.mechanisms.catalogue import catalogue
from provado.proofs.ledger import ledger
from provado.reports.commands.reproduce.experiment import Scope
from provado.reports.commands.reproduce.papers import _audit
from provado.reports.commands.reproduce.papers.kusner2016 import audit as kusner
from provado.reports.commands.reproduce.papers.tschantz2022 import _paper as tschantz
from provado.reports.commands.reproduce.papers.wang2020 import audit as wang
from provado.reports.commands.reproduce.papers.zhang2023 import _paper as zhang
from provado.reports.commands.reproduce.run import carry_out, make_plan

AUDITS = [module.EXPERIMENT for module in (kusner, tschantz, wang, zhang)]


def release(*, violation=False, lower=0.0, true=None, pairs=1):
    verdict = Verdict.VIOLATION if violation else Verdict.NO_VIOLATION
    return {
        "claim": "1-DP",
        "place": "Theorem 0",
        "epsilon": 1.0,
        "true_epsilon": true,
        "pairs": pairs,
        "epsilon_lower": lower,
        "verdict": str(verdict),
        "violation": violation,
        "expected": str(verdict),
        "trials": 10,
    }


def statement(verdict):
    return {
        "verdict": verdict,
        "as_on_record": True,
        "place": "Lemma 0",
        "words": "all is well",
        "formula": "0 = 0",
        "correction": "",
        "argument": "word " * 200,
    }


def tables(findings):
    return {table.name: table for table in findings.tables}


def test_the_four_audits_have_every_statement_of_the_ledger_and_its_papers_mechanisms():
    parts = {part.key for one in AUDITS for part in one.parts(Scope())}
    papers = {one.name.partition("/")[0] for one in AUDITS}
    of_papers = {e.id for e in ledger() if e.id.partition("/")[0] in papers}
    assert {key.removeprefix("statement/") for key in parts if "statement/" in key} == of_papers
    folders = ("kusner2016/", "priv-pc/", "svt-pc/", "em-pc/", "pcd/")
    named = {one.name for one in catalogue() if one.name.startswith(folders)}
    assert len(named) > 20
    assert named <= {key.removeprefix("release/") for key in parts}


@pytest.mark.parametrize("one", [kusner, wang, zhang], ids=lambda one: one.__name__)
def test_what_is_paired_and_advised_is_in_the_catalogue_as_it_is_said_there(one):
    expected = {mechanism.name: mechanism.expected for mechanism in catalogue()}
    (paper,) = one.EXPERIMENT.parts.args
    for pairing in paper.pairings:
        assert expected[pairing.printed] is Verdict.VIOLATION
        assert expected[pairing.repaired] is Verdict.NO_VIOLATION
    for advice in paper.advice:
        assert all(expected[name] is Verdict.NO_VIOLATION for name in advice.rests_on)
        assert all(expected[name] is Verdict.VIOLATION for name in advice.against)


def test_advice_stands_only_on_what_was_audited():
    advice = _audit.Advice("a task", "this", "of that", ("good",), ("bad",))
    cases = [
        ({"good": release(), "bad": release(violation=True)}, "as audited here"),
        ({"good": release()}, "not audited in this run"),
        ({"good": release(violation=True), "bad": release(violation=True)}, "NOT supported"),
        ({"good": release(), "bad": release()}, "NOT supported"),
    ]
    for releases, said in cases:
        table = _audit._advice([advice], releases)
        assert table.rows[0][-1].startswith(said)


def test_statements_stand_or_fall_by_the_verdict_that_was_reached():
    paper = _audit.Paper("none", "work", "title")
    verdicts = {"proved": True, "argued": True, "refuted": False, "misprint": False}
    answers = {f"statement/{v}": statement(v) for v in (*verdicts, "incomplete", "unknown")}
    found = _audit._findings(paper, Scope(), answers).comparisons
    holds = {one.verdict: one.holds for one in found}
    assert holds == verdicts | {"incomplete": None, "unknown": None}
    assert all(len(one.why) < _audit._LONGEST + 50 for one in found)
    surprising = answers["statement/refuted"] | {"as_on_record": False}
    assert "not the verdict on record" in _audit._compared("x", surprising).measured


def test_a_certified_bound_is_rounded_down_and_a_true_one_of_more_pairs_is_a_limit():
    releases = {
        "a": release(violation=True, lower=1.00009, true=2.0),
        "b": release(lower=0.1, true=0.25, pairs=2),
        "c": release(lower=0.1),
    }
    rows = {row[0]: row for row in _audit._releases(releases).rows}
    assert float(rows["a"][3]) <= 1.00009
    assert float(rows["a"][3]) > 1
    assert [rows[name][4] for name in "abc"] == ["2", "≥ 0.25", ""]


@pytest.mark.slow
def test_a_small_audit_finds_the_printed_form_and_not_the_repaired_one(tmp_path):
    own = zhang.EXPERIMENT
    quick = Scope(quick=True)
    outcome = carry_out(make_plan([own], quick, tmp_path, 2))[0]
    assert outcome.findings is not None, outcome.reasons
    found = tables(outcome.findings)
    for row in found["printed_beside_repaired"].rows:
        assert row[3] == "violation"
        assert row[6] == "no violation found"
    assert [row[-1] for row in found["instead"].rows] == ["as audited here"]
    again = carry_out(make_plan([own], quick, tmp_path / "again", 1))[0]
    assert again.results == outcome.results


def test_an_audit_of_one_pairing_finds_the_printed_form_by_its_seed():
    (paper,) = zhang.EXPERIMENT.parts.args
    pairing = paper.pairings[0]
    found = {name: _audit.release(name, 3_000, 0) for name in (pairing.printed, pairing.repaired)}
    assert [one["violation"] for one in found.values()] == [True, False]
    (row,) = _audit._pairs([pairing], found).rows
    assert (row[3], row[6]) == ("violation", "no violation found")
    again = _audit.release(pairing.printed, 3_000, 0)
    assert again == found[pairing.printed]


def test_costs_are_those_of_the_noise():
    work = kusner.work({"pair": 0, "seed": 0}, np.random.default_rng(0))
    chances = dict(zip([(r[0], r[2]) for r in kusner.RELEASES], work["chances"], strict=True))
    keys = list(chances)
    for cheap, dear in ((1, 0), (2, 3), (5, 4)):
        better, worse = chances[keys[cheap]], chances[keys[dear]]
        # Nearer to the noise-free answer, whichever that is.
        assert all(abs(a - 0.5) >= abs(b - 0.5) for a, b in zip(better, worse, strict=True))
