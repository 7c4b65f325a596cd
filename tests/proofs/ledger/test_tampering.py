"""No entry keeps its verdict without its evidence, or for another claim; each twin bites."""

import re

import pytest

from provado.proofs.kernel import check
from provado.proofs.ledger import Formula, LaplaceTail, LedgerVerdict, Unstated, decide, ledger
from provado.proofs.ledger.decide import judge, judge_correction, rule_allows, used_rules
from provado.proofs.ledger.fact import vacuous
from tests.proofs.ledger.tampering import (
    CLAIMED,
    disturbed,
    emptied,
    kept_when_disturbed,
    kept_when_emptied,
    survivors,
)

# These go over thousands of cases in the model and take seconds each.
LONG = {"lemma1", "lemma2", "table1-row4", "table1-row7"}
UNNUMBERED = {"zhang2023/corollary1", "wang2020/thm2-type1", "wang2020/thm2-type2"}
EACH = [
    pytest.param(one, id=one.id, marks=[pytest.mark.slow] * (one.id.split("/")[1] in LONG))
    for one in ledger()
]


@pytest.fixture(scope="module")
def decided():
    """Return a function that decides an entry once for all tests."""
    known = {}

    def of(entry):
        if entry.id not in known:
            known[entry.id] = decide(entry)
        return known[entry.id]

    return of


@pytest.mark.parametrize("entry", EACH)
def test_no_verdict_outlives_its_evidence(entry, decided):
    assert kept_when_emptied(decided(entry)) == []
    correction = judge_correction(emptied(decided(entry).evidence))
    assert correction is None or correction.verdict not in CLAIMED


@pytest.mark.parametrize("entry", EACH)
def test_no_verdict_is_kept_for_a_claim_with_another_constant_or_relation(entry, decided):
    assert kept_when_disturbed(decided(entry)) == []
    # Nothing to disturb would make this test empty.
    assert list(disturbed(entry.claim))


@pytest.mark.parametrize("entry", EACH)
def test_the_findings_of_another_entry_say_nothing(entry, decided):
    others = [one for one in ledger() if one.id.startswith("kusner2016/thm2")]
    strange = [decided(one).evidence for one in others if one.claim != entry.claim]
    assert all(judge(entry.claim, e).verdict not in CLAIMED for e in strange)


@pytest.mark.parametrize("entry", EACH)
def test_the_twin_disturbs_what_decides_and_falls_by_a_rule_that_decides(entry, decided):
    decision = decided(entry)
    real, twin = (_facts(claim) for claim in (entry.claim, entry.twin.claim))
    assert real != twin
    lacking = isinstance(entry.claim, Unstated)
    deciding = decision.correction if lacking else decision.judgement
    assert deciding.met
    assert any(rule_allows(rule, decision.twin.rule) for rule in used_rules(deciding))


def _facts(claim):
    whole = claim.reading if isinstance(claim, Unstated) else claim
    return whole.obligations() + whole.counterexamples()


@pytest.mark.parametrize("entry", EACH)
def test_what_decides_says_something(entry, decided):
    assert not any(vacuous(fact) for fact, _ in decided(entry).judgement.met)
    assert entry.claim.formula


def test_proved_is_only_what_was_checked_whole():
    proved = [one for one in ledger() if one.expected is LedgerVerdict.PROVED]
    assert proved
    assert all(type(one.claim) is LaplaceTail for one in proved)


def test_survivors_are_counted(decided, monkeypatch):
    some = [one for one in ledger() if one.id in ("kusner2016/thm2", "zhang2023/thm1")]
    found = survivors(some)
    assert (found.entries, found.emptied, found.disturbed) == (2, (), ())
    assert found.claims > 10
    # With a verdict that looks at nothing, both would be counted.
    monkeypatch.setattr(
        "tests.proofs.ledger.tampering.judge", lambda claim, _: decided(some[0]).judgement
    )
    assert survivors(some).emptied == tuple(one.id for one in some)
    assert check(decided(some[0]).evidence.printed[0].evidence).verdict == "proved"


def test_the_numbers_of_a_printed_formula_are_those_of_the_data():
    """The quotation stays text; its numbers at least must be the ones that were computed with."""
    tried = 0
    for entry in ledger():
        formula = getattr(entry.claim, "bound", getattr(entry.claim, "tail", None))
        # These print no number: O(k), and formulas that are lost in part.
        if not isinstance(formula, Formula) or entry.id in UNNUMBERED:
            continue
        tried += 1
        numbers = set(re.findall(r"\d+", formula.text)) - {"1"}
        assert numbers <= set(re.findall(r"\d+", entry.printed)), entry.id
    assert tried >= 10
