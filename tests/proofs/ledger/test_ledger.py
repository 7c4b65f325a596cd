"""The ledger's own rules: where entries are found, and what a verdict follows from."""

import re
import types

import pytest

from provado.mechanisms import Source, UsageError
from provado.proofs import kernel
from provado.proofs.ledger import (
    Decision,
    Entry,
    Evidence,
    LedgerVerdict,
    Searched,
    Twin,
    decide,
    walk,
)

ONE, TWO = ((1, 0, 0, 0),), ((2, 0, 0, 0),)


def proved():
    return kernel.check(kernel.Identity(ONE, ONE))


def refuted():
    return kernel.check(kernel.PointCounterexample(ONE, "= 0", 0))


def verified():
    return kernel.check(kernel.Recount((("a", 1), ("b", 2)), "maximum", 2, 2, "two letters"))


def refusing():
    return kernel.check(kernel.Identity(ONE, TWO))


def crashing():
    raise ZeroDivisionError("nothing\n  to see")


SEARCHED = Searched("a hundred pairs", 100)


def entry(gather=lambda: Evidence(printed=(proved(),)), twin=refusing, expected="proved"):
    return Entry(
        id="somewhere/something",
        source=Source("Somebody (1900)", "page 1"),
        printed="1 = 1",
        words="One is one.",
        scope="one",
        expected=LedgerVerdict(expected),
        gather=gather,
        twin=Twin("One is two.", twin),
    )


def test_all_findings_proved_is_proved():
    assert Evidence(printed=(proved(), proved())).verdict is LedgerVerdict.PROVED


@pytest.mark.parametrize(
    ("findings", "verdict"),
    [
        ((), "unknown"),
        ((proved, verified), "verified"),
        ((verified, proved), "verified"),
        ((proved, verified, lambda: SEARCHED), "supported"),
        ((lambda: SEARCHED,), "supported"),
        ((proved, refuted), "refuted"),
        ((lambda: SEARCHED, refuted, verified), "refuted"),
    ],
)
def test_the_weakest_finding_decides_and_a_refutation_beats_all(findings, verdict):
    evidence = Evidence(printed=tuple(find() for find in findings))
    assert evidence.verdict == verdict


@pytest.mark.parametrize(
    ("corrected", "kind", "verdict"),
    [
        ((proved,), "misprint", "misprint"),
        ((proved, proved), "misprint", "misprint"),
        ((), "misprint", "refuted"),
        ((proved, verified), "misprint", "refuted"),
        ((proved, lambda: SEARCHED), "misprint", "refuted"),
        ((proved, refuted), "misprint", "refuted"),
        ((proved,), "repair", "refuted"),
        ((proved,), None, "refuted"),
    ],
)
def test_only_a_wholly_proved_correction_makes_a_misprint(corrected, kind, verdict):
    evidence = Evidence(
        printed=(refuted(),), corrected=tuple(find() for find in corrected), kind=kind
    )
    assert evidence.verdict == verdict


def test_a_correction_does_not_lift_or_lower_a_true_statement():
    assert Evidence(printed=(verified(),), corrected=(proved(),)).verdict == "verified"
    assert Evidence(printed=(proved(),), corrected=(SEARCHED,)).verdict == "proved"


def test_what_the_text_lacks_makes_it_incomplete_whatever_was_found():
    assert Evidence(printed=(proved(),), lacks="what a is").verdict == "incomplete"
    assert Evidence(printed=(refuted(),), lacks="what a is").verdict == "incomplete"


def test_no_verdict_can_be_written_beside_the_evidence():
    with pytest.raises(TypeError):
        Evidence(verdict=LedgerVerdict.PROVED)
    with pytest.raises(AttributeError):
        Evidence().verdict = LedgerVerdict.PROVED
    with pytest.raises(kernel.KernelRefusal):
        kernel.Checked("proved", "identity", "0 = 1", (), None)


def test_a_sound_entry_is_decided_as_expected():
    decision = decide(entry())
    assert decision.as_expected
    assert decision.reason == ""
    assert "identity" in decision.twin_refusal


def test_another_verdict_than_the_recorded_one_is_a_surprise():
    decision = decide(entry(expected="refuted"))
    assert decision.verdict is LedgerVerdict.PROVED
    assert not decision.as_expected


def test_a_twin_that_is_accepted_voids_the_check():
    decision = decide(entry(twin=proved))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert "One is two." in decision.reason
    assert not decision.as_expected


@pytest.mark.parametrize("twin", [crashing, lambda: {}["missing"], lambda: 1 / 0])
def test_a_twin_that_fails_for_another_reason_voids_the_check(twin):
    decision = decide(entry(twin=twin))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert "another reason" in decision.reason


@pytest.mark.parametrize(
    ("gather", "word"), [(crashing, "ZeroDivisionError"), (refusing, "KernelRefusal")]
)
def test_evidence_that_fails_is_unknown_with_its_error(gather, word):
    decision = decide(entry(gather=gather))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert decision.reason.startswith(word)
    assert "\n" not in decision.reason
    assert decision.evidence == Evidence()


def test_a_decision_without_a_refused_twin_is_unknown():
    sound = entry()
    assert Decision(sound, sound.gather(), "", None).verdict is LedgerVerdict.UNKNOWN
    assert Decision(sound, sound.gather(), "", "identity: no").verdict is LedgerVerdict.PROVED


def modules(tree, monkeypatch, ids):
    """Stand in for the folders: paper -> files, each with the entry of the given id."""

    def walk_packages(path):
        if list(path) == ["root"]:
            return [types.SimpleNamespace(name=paper, ispkg=True) for paper in tree] + [
                types.SimpleNamespace(name="walk", ispkg=False)
            ]
        return [types.SimpleNamespace(name=name, ispkg=False) for name in tree[path[0]]]

    def load(name):
        *_, paper, module = name.split(".")
        if module in tree:
            return types.SimpleNamespace(__name__=name, __path__=[module])
        made = entry()
        object.__setattr__(made, "id", ids.get((paper, module), ""))
        return types.SimpleNamespace(ENTRY=made)

    monkeypatch.setattr(walk, "folder", types.SimpleNamespace(__path__=["root"], __name__="l"))
    monkeypatch.setattr(walk.pkgutil, "iter_modules", walk_packages)
    monkeypatch.setattr(walk.importlib, "import_module", load)
    walk.ledger.cache_clear()


@pytest.fixture
def fresh_walk():
    yield
    walk.ledger.cache_clear()


@pytest.mark.usefixtures("fresh_walk")
def test_every_file_of_every_paper_is_found_in_order(monkeypatch):
    tree = {"zoe1999": ["thm1"], "adam1990": ["thm2_b", "_helper", "thm1"]}
    ids = {
        ("zoe1999", "thm1"): "zoe1999/thm1",
        ("adam1990", "thm1"): "adam1990/thm1",
        ("adam1990", "thm2_b"): "adam1990/thm2-b",
    }
    modules(tree, monkeypatch, ids)
    found = [one.id for one in walk.ledger()]
    assert found == ["adam1990/thm1", "adam1990/thm2-b", "zoe1999/thm1"]


@pytest.mark.usefixtures("fresh_walk")
def test_an_entry_that_stands_in_the_wrong_place_is_refused(monkeypatch):
    modules({"zoe1999": ["thm1"]}, monkeypatch, {("zoe1999", "thm1"): "zoe1999/thm2"})
    with pytest.raises(UsageError, match=re.escape("'zoe1999/thm2' stands in 'zoe1999/thm1'")):
        walk.ledger()
