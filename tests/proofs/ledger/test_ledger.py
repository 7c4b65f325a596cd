"""The ledger's own rules: where entries are found, and what a verdict follows from."""

import re
import subprocess
import sys
import types
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from provado.mechanisms import Source, UsageError
from provado.proofs import kernel
from provado.proofs.ledger import (
    All,
    Decision,
    Entry,
    Evidence,
    Formula,
    LaplaceTail,
    LedgerVerdict,
    Reading,
    Refusal,
    Searched,
    Step,
    Twin,
    Unstated,
    decide,
    show,
    show_claim,
)
from provado.proofs.ledger import entry as walk
from provado.proofs.ledger.claim import WHOLE, whole
from provado.proofs.ledger.decide import MATCHING, judge, judge_correction
from provado.proofs.ledger.fact import (
    AtLeastZero,
    Equal,
    Fact,
    Polynomial,
    Unshown,
    fact_of,
    vacuous,
)

LEDGER = Path(walk.__file__).parent
ONE, TWO = ((1, 0, 0, 0),), ((2, 0, 0, 0),)


@dataclass(frozen=True)
class Same:
    """left = right, by way of other facts beside it; refuted by them where they refute."""

    left: int
    right: int
    beside: tuple[Fact, ...] = ()
    against: tuple[Fact, ...] = ()

    @property
    def formula(self):
        return f"{self.left} = {self.right}"

    def obligations(self):
        return Equal(((self.left, 0, 0, 0),), ((self.right, 0, 0, 0),)), *self.beside

    def counterexamples(self):
        return self.against


def proved():
    return kernel.check(kernel.Identity(ONE, ONE))


def other():
    return kernel.check(kernel.Identity(TWO, TWO))


def refuted():
    return kernel.check(kernel.PointCounterexample(ONE, "= 0", 0))


def verified():
    return kernel.check(kernel.Recount((("a", 1), ("b", 2)), "maximum", 2, 2, "two letters"))


def refusing():
    return kernel.check(kernel.Identity(ONE, TWO))


def crashing(_=None):
    raise ZeroDivisionError("nothing\n  to see")


SEARCHED = Searched("a hundred pairs", 100, Unshown("two pairs"))
CLAIM, TWIN = Same(1, 1), Same(1, 2)
NOT_ZERO, TWO_LETTERS = fact_of(refuted()), fact_of(verified())
TAIL = LaplaceTail((1, 1), Formula("(x + 2)/4·e^(−x)"), "two noises")


def shown(claim):
    return Evidence(printed=tuple(map(show, claim.obligations()[:1])))


def entry(gather=shown, claim=CLAIM, twin=TWIN, expected="argued"):
    return Entry(
        id="somewhere/something",
        source=Source("Somebody (1900)", "page 1"),
        printed="1 = 1",
        words="One is one.",
        scope="one",
        claim=claim,
        expected=LedgerVerdict(expected),
        gather=gather,
        twin=Twin("One is two.", twin),
    )


def judged(claim, *findings, **more):
    return judge(claim, Evidence(printed=findings, **more))


# What a verdict follows from. -----------------------------------------------------------------


def test_a_whole_claim_without_prose_is_proved():
    assert judge(TAIL, Evidence(printed=show_claim(TAIL))).verdict is LedgerVerdict.PROVED
    read = Evidence(printed=show_claim(TAIL), argument=(Reading("x is γ/σ"),))
    assert judge(TAIL, read).verdict is LedgerVerdict.PROVED


def test_prose_in_the_argument_makes_a_whole_claim_argued():
    prose = Evidence(printed=show_claim(TAIL), argument=("By symmetry.",))
    assert judge(TAIL, prose).verdict is LedgerVerdict.ARGUED


def test_a_claim_that_is_not_whole_is_argued_at_most():
    assert judged(CLAIM, proved()).verdict is LedgerVerdict.ARGUED
    assert judged(All((TAIL, CLAIM)), *show_claim(TAIL), proved()).verdict == "argued"
    assert judged(All((TAIL, TAIL)), *show_claim(TAIL)).verdict == "proved"


def test_only_these_claims_are_whole_and_no_subclass_is():
    assert set(WHOLE) == {LaplaceTail}

    class Pretender(LaplaceTail):
        def obligations(self):
            return ()

    assert not whole(Pretender(TAIL.scales, TAIL.tail, ""))
    assert not whole(All(()))


def test_without_a_finding_that_says_so_nothing_is_shown():
    for findings in ((), (other(),), (refuted(), verified())):
        found = judged(CLAIM, *findings)
        assert found.verdict is LedgerVerdict.UNKNOWN
        assert found.reason == "no finding shows: 1 = 1"


def test_each_obligation_must_be_met():
    claim = Same(1, 1, beside=(TWO_LETTERS,))
    assert judged(claim, proved(), verified()).verdict == "argued"
    assert judged(claim, proved()).verdict == "unknown"
    assert judged(claim, verified()).verdict == "unknown"


def test_a_search_supports_and_a_checked_finding_comes_before_it():
    claim = Same(1, 1, beside=(TWO_LETTERS,))
    tried = Searched("all letters", 2, TWO_LETTERS)
    assert judged(claim, proved(), tried).verdict == "supported"
    assert judged(claim, proved(), tried, verified()).verdict == "argued"
    assert judged(claim, proved(), verified(), tried).verdict == "argued"


def test_a_refutation_must_be_one_of_this_claim():
    claim = Same(1, 2, against=(NOT_ZERO, TWO_LETTERS))
    assert judged(claim, refuted(), verified()).verdict == "refuted"
    assert judged(claim, refuted()).verdict == "unknown"
    assert judged(Same(1, 2), refuted(), verified()).verdict == "unknown"


def test_a_refutation_beats_what_was_shown():
    claim = Same(1, 1, against=(NOT_ZERO,))
    assert judged(claim, proved(), refuted()).verdict == "refuted"
    assert judged(claim, proved()).verdict == "argued"


def test_facts_that_say_nothing_are_never_met():
    nothing = kernel.check(kernel.Identity((), ()))
    assert judged(Same(0, 0), nothing).verdict == "unknown"
    for fact in (Unshown("anything"), Polynomial((), (0,)), AtLeastZero((), 0)):
        assert vacuous(fact)
        searched = Searched("everything", 1, fact)
        assert judged(Same(1, 1, beside=(fact,)), proved(), searched).verdict == "unknown"


def test_a_claim_without_obligations_is_shown_by_nothing():
    found = judged(All(()), proved())
    assert (found.verdict, found.reason) == ("unknown", "nothing would show this claim")


def test_a_step_whose_fact_nothing_shows_voids_the_verdict():
    step = Step("Twice one is two.", (fact_of(other()),))
    assert judged(CLAIM, proved(), argument=(step,)).verdict == "unknown"
    assert judged(CLAIM, proved(), other(), argument=(step,)).verdict == "argued"
    assert judged(CLAIM, proved(), corrected=(other(),), argument=(step,)).verdict == "argued"


@pytest.mark.parametrize(
    ("corrected", "kind", "meant", "verdict"),
    [
        ((proved,), "misprint", CLAIM, "misprint"),
        ((proved,), "misprint", None, "refuted"),
        ((), "misprint", CLAIM, "refuted"),
        ((other,), "misprint", CLAIM, "refuted"),
        ((proved,), "misprint", Same(1, 1, beside=(NOT_ZERO,)), "refuted"),
        ((proved,), "repair", CLAIM, "refuted"),
        ((proved,), None, CLAIM, "refuted"),
    ],
)
def test_only_a_correction_that_is_shown_makes_a_misprint(corrected, kind, meant, verdict):
    evidence = Evidence(
        printed=(refuted(),),
        corrected=tuple(find() for find in corrected),
        kind=kind,
        corrected_claim=meant,
    )
    assert judge(Same(1, 2, against=(NOT_ZERO,)), evidence).verdict == verdict


def test_a_supported_correction_makes_no_misprint():
    searched = Searched("many", 9, CLAIM.obligations()[0])
    evidence = Evidence(
        printed=(refuted(),), corrected=(searched,), kind="misprint", corrected_claim=CLAIM
    )
    assert judge(Same(1, 2, against=(NOT_ZERO,)), evidence).verdict == "refuted"


def test_a_correction_does_not_lift_or_lower_a_true_statement():
    better = Evidence(
        printed=(proved(),), corrected=show_claim(TAIL), kind="sharpening", corrected_claim=TAIL
    )
    assert judge(CLAIM, better).verdict == "argued"
    assert judge_correction(better).verdict == "proved"


def test_what_the_text_lacks_makes_it_incomplete_whatever_was_found():
    lacking = Unstated("what a is", CLAIM)
    assert judged(lacking, proved()).verdict == "incomplete"
    assert judged(lacking, refuted()).verdict == "incomplete"


def test_no_verdict_can_be_written_beside_the_evidence():
    with pytest.raises(TypeError):
        Evidence(verdict=LedgerVerdict.PROVED)
    with pytest.raises(TypeError):
        entry().__class__(verdict=LedgerVerdict.PROVED)
    with pytest.raises(kernel.KernelRefusal):
        kernel.Checked("proved", "identity", "0 = 1", (), None)


# What becomes of an entry. --------------------------------------------------------------------


def test_a_sound_entry_is_decided_as_expected():
    decision = decide(entry())
    assert decision.as_expected
    assert decision.reason == ""
    assert decision.twin.rule == "identity"


def test_another_verdict_than_the_recorded_one_is_a_surprise():
    decision = decide(entry(expected="proved"))
    assert decision.verdict is LedgerVerdict.ARGUED
    assert not decision.as_expected


def test_a_twin_that_the_evidence_does_not_fit_falls_by_matching():
    decision = decide(entry(lambda _: Evidence(printed=(proved(),))))
    assert decision.as_expected
    assert decision.twin == Refusal(MATCHING, "no finding shows: 1 = 2")


@pytest.mark.parametrize("twin", [CLAIM, Same(1, 2, against=(NOT_ZERO,)), Unstated("a")])
def test_a_twin_of_which_anything_is_said_voids_the_check(twin):
    decision = decide(entry(lambda _: Evidence(printed=(proved(), refuted())), twin=twin))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert "One is two." in decision.reason
    assert not decision.as_expected


def test_a_twin_that_falls_by_a_rule_that_decides_nothing_voids_the_check():
    def gather(claim):
        if claim == TWIN:
            return kernel.check(kernel.Recount((("a", 1),), "maximum", 2, 1, "one letter"))
        return shown(claim)

    decision = decide(entry(gather))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert "a rule that decides nothing here: recount" in decision.reason


def test_a_twin_that_fails_for_another_reason_voids_the_check():
    def gather(claim):
        return crashing() if claim == TWIN else shown(claim)

    decision = decide(entry(gather))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert "another reason" in decision.reason


@pytest.mark.parametrize(
    ("gather", "word"),
    [(crashing, "ZeroDivisionError"), (lambda _: refusing(), "KernelRefusal")],
)
def test_evidence_that_fails_is_unknown_with_its_error(gather, word):
    decision = decide(entry(gather=gather))
    assert decision.verdict is LedgerVerdict.UNKNOWN
    assert decision.reason.startswith(word)
    assert "\n" not in decision.reason
    assert decision.evidence == Evidence()


def test_a_decision_without_a_refused_twin_is_unknown():
    sound = entry()
    evidence = sound.gather(CLAIM)
    found = judge(CLAIM, evidence)
    assert Decision(sound, evidence, found).verdict is LedgerVerdict.UNKNOWN
    fell = Refusal("identity", "no")
    assert Decision(sound, evidence, found, twin=fell).verdict is LedgerVerdict.ARGUED


def modules(tree, monkeypatch, ids):
    """Stand in for the folders: paper -> files, each with the entry or rows of these ids."""

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
        named = ids.get((paper, module), "")
        if isinstance(named, str):
            return types.SimpleNamespace(ENTRY=replace(entry(), id=named))
        return types.SimpleNamespace(ENTRIES=tuple(replace(entry(), id=row) for row in named))

    monkeypatch.setattr(walk, "folder", types.SimpleNamespace(__path__=["root"], __name__="l"))
    monkeypatch.setattr(walk.pkgutil, "iter_modules", walk_packages)
    monkeypatch.setattr(walk.importlib, "import_module", load)
    walk.entries_of.cache_clear()


@pytest.fixture
def fresh_walk():
    yield
    walk.entries_of.cache_clear()


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


@pytest.mark.usefixtures("fresh_walk")
def test_several_entries_stand_in_one_file_and_are_sorted_by_id(monkeypatch):
    ids = {
        ("adam1990", "table1"): ("adam1990/row2", "adam1990/row1"),
        ("adam1990", "thm1"): "adam1990/thm1",
    }
    modules({"adam1990": ["table1", "thm1"]}, monkeypatch, ids)
    found = [one.id for one in walk.ledger()]
    assert found == ["adam1990/row1", "adam1990/row2", "adam1990/thm1"]


@pytest.mark.parametrize("row", ["zoe1999/row1", "adam1990/lemma1", "adam1990/row1"])
@pytest.mark.usefixtures("fresh_walk")
def test_a_row_of_another_paper_or_with_an_id_that_is_taken_is_refused(monkeypatch, row):
    ids = {
        ("adam1990", "lemma1"): "adam1990/lemma1",
        ("adam1990", "table1"): ("adam1990/row1", row),
    }
    modules({"adam1990": ["lemma1", "table1"]}, monkeypatch, ids)
    with pytest.raises(UsageError, match=re.escape(f"{row!r} stands in 'adam1990/table1'")):
        walk.ledger()


PAPERS = {"zoe1999": ["thm1"], "adam1990": ["thm1", "thm2"], "adam1991": ["thm1"]}
PLACES = {(paper, name): f"{paper}/{name}" for paper, names in PAPERS.items() for name in names}


@pytest.mark.parametrize(
    ("patterns", "imported"),
    [
        (["zoe1999/thm1"], {"zoe1999"}),
        (["zoe1999/*"], {"zoe1999"}),
        (["zoe*"], {"zoe1999"}),
        (["adam199?/thm1"], {"adam1990", "adam1991"}),
        (["adam1990/thm2", "zoe1999/thm[1]"], {"adam1990", "zoe1999"}),
        (["*/thm2"], set(PAPERS)),
        ([], set(PAPERS)),
        (["zoe1999/thm7"], set(PAPERS)),
        (["zoe"], set(PAPERS)),
    ],
)
@pytest.mark.usefixtures("fresh_walk")
def test_papers_that_no_pattern_may_mean_are_not_imported(monkeypatch, patterns, imported):
    modules(PAPERS, monkeypatch, PLACES)
    load, loaded = walk.importlib.import_module, set()

    def noting(name):
        loaded.add(name.split(".")[1])
        return load(name)

    monkeypatch.setattr(walk.importlib, "import_module", noting)
    found = [one.id for one in walk.ledger(patterns)]
    assert loaded == imported
    assert found == sorted(id for (paper, _), id in PLACES.items() if paper in imported)


def test_an_entry_imports_its_own_paper_at_most():
    said = "import sys; from provado.proofs.ledger import ledger; ledger(['tschantz2022/prop1']); "
    print_them = "print(*(n for n in sys.modules if n.startswith('provado.proofs.')))"
    done = subprocess.run(
        [sys.executable, "-c", said + print_them], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "provado.proofs.ledger.tschantz2022.propositions" in loaded
    others = {path.parent.name for path in LEDGER.glob("*/__init__.py")} - {"tschantz2022"}
    assert len(others) >= 6
    assert not [name for name in loaded if others & set(name.split("."))]
    assert "provado.proofs.sensitivity" not in loaded
