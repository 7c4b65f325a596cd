"""Theorems of Coq in the ledger, without Coq: what a replay is worth, and what the files hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pytest

from provado.proofs.ledger import Claim, LedgerVerdict, ledger
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.decide import decide, with_theorem
from provado.proofs.ledger.theorem import (
    ALLOWED,
    RECORDED,
    CoqReplay,
    Theorem,
    TheoremStanding,
    judge_theorem,
)
from provado.reports.ledger import formal
from provado.reports.ledger.formal import (
    ROOT,
    closure,
    digest,
    question,
    replay_all,
    requires,
    texts,
    without_comments,
)

TEXTS = texts()
ENTRIES = [entry for entry in ledger() if entry.theorem is not None]


@dataclass(frozen=True)
class Positive(Claim):
    """n > 0."""

    n: int

    @property
    def formula(self) -> str:
        return f"{self.n} > 0"

    def statement(self) -> Statement:
        return Statement(f"0 < {self.n}", ("definitions.finite",))


THEOREM = Theorem("example.one.one", Positive(1))
GOOD = CoqReplay(
    asked="0 < 1",
    said="0 < 1",
    in_full="lt 0 1",
    asked_in_full="lt 0 1",
    definitions=(("definitions.finite", "abc"),),
    coq="8.16.1",
)
KNOWN = {"definitions.finite": "abc"}


def test_a_sound_replay_is_believed() -> None:
    judged = judge_theorem(THEOREM, GOOD, KNOWN)
    assert (judged.standing, judged.reason) == (TheoremStanding.CHECKED, "")
    with_axioms = replace(GOOD, assumptions=tuple(sorted(ALLOWED)))
    assert judge_theorem(THEOREM, with_axioms, KNOWN).standing is TheoremStanding.CHECKED


def test_without_a_replay_nothing_is_said() -> None:
    assert judge_theorem(THEOREM, None, KNOWN).standing is TheoremStanding.NOT_REPLAYED


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"failure": "Coq refuses: it does not compile"}, "does not compile"),
        ({"asked": "0 < 2"}, "another statement"),
        ({"in_full": "lt 0 2", "said": "0 < 2"}, "the theorem states: 0 < 2"),
        ({"in_full": "", "asked_in_full": ""}, "the theorem states"),
        ({"assumptions": ("example.trust_me",)}, "assumes example.trust_me"),
        ({"definitions": ()}, "not examined"),
        ({"definitions": (("definitions.finite", "abd"),)}, "not the recorded ones"),
        (
            {"definitions": (("definitions.finite", "abc"), ("more", "e"))},
            "definitions of more are not the recorded ones",
        ),
    ],
)
def test_what_differs_is_refused(change: dict[str, object], reason: str) -> None:
    judged = judge_theorem(THEOREM, replace(GOOD, **change), KNOWN)  # type: ignore[arg-type]
    assert judged.standing is TheoremStanding.REFUSED
    assert reason in judged.reason


def good_replay(theorem: Theorem) -> CoqReplay:
    used = closure(theorem.statement.imports, TEXTS)
    return CoqReplay(
        asked=theorem.statement.text,
        in_full="x",
        asked_in_full="x",
        definitions=tuple((name, digest(TEXTS[name])) for name in used),
    )


def test_a_checked_theorem_makes_of_argued_proved_and_a_refused_one_unknown() -> None:
    entry = next(one for one in ENTRIES if one.id == "tschantz2022/prop1")
    assert entry.theorem is not None
    bare = decide(entry)
    unasked = with_theorem(bare, None)
    assert unasked.verdict is unasked.expected is LedgerVerdict.ARGUED
    checked = with_theorem(bare, good_replay(entry.theorem))
    assert checked.verdict is checked.expected is LedgerVerdict.PROVED
    refused = with_theorem(bare, replace(good_replay(entry.theorem), in_full="y"))
    assert refused.verdict is LedgerVerdict.UNKNOWN
    assert not refused.as_expected
    assert "tschantz2022.prop1.prop1 was refused" in refused.reason
    other = replace(entry, theorem_of=Positive(1))
    foreign = with_theorem(replace(bare, entry=other), good_replay(entry.theorem))
    assert foreign.verdict is LedgerVerdict.UNKNOWN


# The files. --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_admits_nothing_and_is_short(name: str) -> None:
    text = without_comments(TEXTS[name])
    forbidden = r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?)\b"
    outside, inner = text, 1
    while inner:
        outside, inner = re.subn(r"Section (\w+)\.(?:(?!Section ).)*? End \1\.", "", outside)
    assert re.findall(forbidden, outside) == []
    assert not re.search(r"\b(Admitted|admit|Axioms?|Conjectures?|Abort)\b", text)
    assert not re.search(r"Unset (Guard|Positivity|Universe)|bypass_check|-type-in-type", text)
    assert TEXTS[name].count("\n") <= 300
    assert max(map(len, TEXTS[name].splitlines())) <= 100


def test_what_is_required_is_there_and_comments_are_no_text() -> None:
    assert "tschantz2022.prop1" in TEXTS
    closure(TEXTS, TEXTS)
    assert requires("From Provado.a Require Import b c.\n(* From Provado Require d. *)") == (
        "a.b",
        "a.c",
    )
    assert without_comments('a (* b (* c *) "*)" *) d "(* e" f') == 'a d "(* e" f'
    assert digest("a (* b *)\n c") == digest("a c") != digest("a d")
    assert (ROOT / "_CoqProject").is_file()


def test_definitions_are_recorded_as_they_are() -> None:
    used = {n for e in ENTRIES if e.theorem for n in e.theorem.statement.imports}
    now = {name: digest(TEXTS[name]) for name in closure(used, TEXTS)}
    assert now == dict(RECORDED)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_names_a_theorem_of_a_file_of_its_name(entry) -> None:
    paper, _, name = entry.id.replace("-", "_").partition("/")
    assert entry.theorem.file.endswith(f"{paper}.{name}")
    own = entry.theorem.name.rpartition(".")[2]
    assert re.search(rf"\bTheorem {own}\b", TEXTS[entry.theorem.file])
    assert entry.theorem.statement.text in question([entry.theorem])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_a_theorem_states_the_claim_or_its_correction(entry) -> None:
    if entry.theorem.of == entry.claim:
        assert entry.expected is LedgerVerdict.ARGUED
    else:
        assert entry.gather(entry.claim).corrected_claim == entry.theorem.of


def test_where_coq_is_not_wanted_nothing_is_replayed() -> None:
    assert replay_all([THEOREM]) == {}


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 8.16.1 4.13.1; exit 1", {}),
        ("test $1 = --print-version && echo 8.16.1 4.13.1", {}),
    ],
    ids=["a compiler that fails", "a compiler without mathcomp"],
)
def test_a_compiler_that_cannot_replay_says_nothing(tmp_path, script: str, told) -> None:
    coqc = tmp_path / "coqc"
    coqc.write_text(f"#!/bin/sh\n{script}\n")
    coqc.chmod(0o755)
    assert replay_all([THEOREM], compiler=str(coqc)) == told


def test_a_compiler_that_leaves_no_answer_is_no_replay(tmp_path) -> None:
    coqc = tmp_path / "coqc"
    coqc.write_text("#!/bin/sh\necho 8.16.1 4.13.1\n")
    coqc.chmod(0o755)
    theorem = next(one for one in ENTRIES if one.id == "audit/tally").theorem
    replay = replay_all([theorem], compiler=str(coqc), cache=tmp_path)[theorem.name]
    assert "left no answer" in replay.failure
    assert judge_theorem(theorem, replay).standing is TheoremStanding.REFUSED
    assert list(tmp_path.glob("*.json")) == []
    unknown = replay_all([THEOREM], compiler=str(coqc))[THEOREM.name]
    assert "there is no file example/one.v" in unknown.failure


def test_answers_are_kept_by_content(tmp_path) -> None:
    theorem = next(one for one in ENTRIES if one.id == "audit/tally").theorem
    coqc = tmp_path / "coqc"
    coqc.write_text("#!/bin/sh\necho 8.16.1 4.13.1\n")
    coqc.chmod(0o755)
    good = good_replay(theorem)
    formal._keep(tmp_path, formal._key(theorem, TEXTS, "8.16.1"), good)
    assert replay_all([theorem], compiler=str(coqc), cache=tmp_path) == {theorem.name: good}
    for version, files in (("8.17", TEXTS), ("8.16.1", {**TEXTS, theorem.file: "changed"})):
        assert formal._kept(tmp_path, formal._key(theorem, files, version)) is None
