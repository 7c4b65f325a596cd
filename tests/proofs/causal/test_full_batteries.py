import math
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from provado.proofs.causal.definitions import DECIDE
from provado.proofs.ledger import Entry, ledger
from tests.proofs.causal.full_batteries import full_batteries
from tests.proofs.causal.full_batteries._finding import Counterexample, Finding, denied, stands

BATTERIES = {battery.id: battery for battery in full_batteries()}
ENTRIES = {entry.id: entry for entry in ledger() if entry.id.startswith("tschantz2022/")}
# These run over the whole battery and take seconds each.
LONG = {*(f"prop{k}" for k in range(2, 6)), "appendix-b", "def9", "lemma1", "lemma2"} | {
    *(f"table1-row{k}" for k in range(2, 9)),
    "sec6-1-eq28",
}
EACH = [
    pytest.param(battery, id=name, marks=[pytest.mark.slow] * (name.split("/")[1] in LONG))
    for name, battery in BATTERIES.items()
]
ASKED = {
    *(f"prop{k}" for k in range(1, 6)),
    *(f"table1-row{k}" for k in range(2, 9)),
    *("def4-independence", "def9", "thm1-composition", "post-processing", "appendix-b"),
    *("sec6-3-randomized-response", "sec6-3-group", "group-privacy", "lemma1", "lemma2"),
}


def check_numbers(finding):
    for _, value in finding.numbers:
        assert isinstance(value, Fraction) or value == math.inf
    for counterexample in finding.counterexamples:
        for _, value in counterexample.numbers:
            assert isinstance(value, Fraction) or value == math.inf


def check_size(finding, counterexample):
    """At most three data points of two values, but for those that are replayed from print."""
    case = counterexample.case
    if case is not None and not finding.scope.startswith("equations"):
        assert case.mechanism.n <= 3
        assert all(len(domain) <= 2 for domain in case.mechanism.domains)


def check_replay(counterexample):
    """Where the numbers are those of named definitions, compute them anew."""
    case = counterexample.case
    for name, value in counterexample.numbers:
        key = name.removeprefix("Definition ")
        if case is not None and key in DECIDE:
            assert DECIDE[key](case).factor == value


def test_every_statement_asked_for_is_there():
    assert {f"tschantz2022/{name}" for name in ASKED} <= BATTERIES.keys()
    assert BATTERIES.keys() == ENTRIES.keys()


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_statements_say_what_they_are(entry):
    assert isinstance(entry, Entry)
    for text in (entry.printed, entry.words, entry.scope):
        assert text.endswith((".", ".]")) or text == entry.scope
    assert entry.source.place
    with pytest.raises(FrozenInstanceError):
        entry.words = "other"


@pytest.mark.parametrize("battery", EACH)
def test_evidence(battery):
    findings = battery.evidence()
    assert any(finding.role == "printed" for finding in findings)
    for finding in findings:
        assert isinstance(finding, Finding)
        assert finding.tried > 0
        assert finding.scope
        check_numbers(finding)
        for counterexample in finding.counterexamples:
            check_size(finding, counterexample)
            check_replay(counterexample)
        if finding.role != "printed":
            assert finding.agrees, finding
    # Only what fails as printed is repaired or made precise.
    roles = {finding.role for finding in findings}
    if not stands(findings):
        assert roles & {"repaired", "sharper"}
    if "repaired" in roles:
        assert not stands(findings)
        assert stands(findings, "repaired")


@pytest.mark.parametrize("battery", EACH)
def test_each_check_rejects_its_broken_twin(battery):
    twin = battery.broken()
    assert twin.tried > 0
    assert twin.counterexamples
    assert not twin.holds


def test_a_finding_of_nothing_does_not_hold():
    nothing = Finding("nothing", "printed", 0, "nowhere")
    assert not nothing.holds
    assert not nothing.agrees
    assert not denied(nothing).agrees
    assert not stands([])


def test_a_counterexample_bears_out_a_denial_only():
    broken = Finding("claim", "printed", 1, "here", (Counterexample("broken", ()),))
    assert not stands([broken])
    assert stands([denied(broken)])
    assert not stands([denied(Finding("claim", "printed", 1, "here"))])
