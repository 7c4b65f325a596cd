"""Theorems of Coq that say what a claim says: how one is asked for, what an answer is worth.

A claim's data make the statement in Coq's language, by code. What comes back of a replay
(``provado.reports.ledger.formal``) is held against it here: the statement must be the same, the
definitions that it is written with must be the recorded ones, and it may assume nothing beyond the
axioms of Coq's own classical real numbers and of mathcomp's classical logic.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from provado.mechanisms import UsageError

from .claim import Bounded, Claim, Statement
from .fact import POWERS, AtLeastZero, Fact
from .formula import POWERS_READ, Formula

RECORDED: Final[Mapping[str, str]] = {
    "definitions.associative": "f6f3763c372270b3",
    "definitions.audit": "735b8e23e21d6364",
    "definitions.conditional": "9527450551779b0c",
    "definitions.counted": "de9d338449b40620",
    "definitions.dataset": "ca9e0f5c0c5f0286",
    "definitions.finite": "af70712616590f4f",
    "definitions.hsic": "674be01bfd175028",
    "definitions.inner": "986f3032f2c2eeac",
    "definitions.interventional": "bf17ada24dbcf998",
    "definitions.kendall": "f16e319ba29b51c0",
    "definitions.knowledge": "fbe1eef2a88869bc",
    "definitions.mechanism": "8debfef233563bf1",
    "definitions.model": "b6445ebc8d651525",
    "definitions.permutation": "b3bf0de3aadc5e1e",
    "definitions.propose": "3e6b8b4fea43bb61",
    "definitions.release": "dd432cc1daa10369",
    "definitions.ridge": "2496f947e2e6406d",
    "definitions.sieve": "a88267ea40060b61",
    "definitions.spearman": "adc51c99dfc84321",
    "definitions.spread": "50fc1f0d442bf2a9",
}
"""The definitions that theorems are stated with, by digest, as they were last read and compared.

File, with dots below ``proofs/coq``, and digest of its text without comments. A file of definitions
that has changed is refused until somebody has read it again, has run the comparison with Python
(``make verify-formal``), and has written down its digest here.
"""

_SIGNS = {"·": " * ", "/": " / ", "+": " + ", "-": " - ", "^": " ^+ "}


def in_coq(formula: Formula, variable: str, suffix: str = "%:R") -> str:
    """Return a formula without exponentials as a term of Coq, token by token.

    variable: the term for its variable. suffix: what follows a number; empty for natural numbers.

    Raises ``UsageError`` for exponentials.
    """
    text, before = "", ""
    for token in formula.tokens():
        if token == "e":
            raise formula.refusal("an exponential has no form in Coq here")
        if before == "^":
            shown = token
        elif token[0] in POWERS:
            shown = f" ^+ {token.translate(POWERS_READ)}"
        elif token.isdecimal() or token in (formula.variable, "("):
            # Factors may stand side by side.
            text += " * " if before and before not in "·/+-(" else ""
            number = token if token == "1" else f"{token}{suffix}"
            shown = {formula.variable: variable, "(": "("}.get(token, number)
        else:
            shown = _SIGNS.get(token, token)
        text, before = text + shown, token
    return text


@dataclass(frozen=True)
class Wording:
    """How a claim on a bound reads in Coq, with its numbers left out.

    text: the proposition; ``{bound}`` stands for the bound, ``{derived}`` for the first derived
    one, ``{start}`` for where the claim begins, ``{reached}`` for where it is sharp. variable,
    suffix: as ``in_coq`` takes them. imports: the files of definitions.
    """

    text: str
    imports: tuple[str, ...]
    variable: str = "m%:R"
    suffix: str = "%:R"


@dataclass(frozen=True)
class Reached:
    """For all sizes from ``start`` on some datasets reach the derived bound.

    rest: what must not fall below 0 for that.
    """

    rest: Formula
    start: int


@dataclass(frozen=True)
class Stated(Bounded):
    """A bound that is a theorem of Coq, too: its numbers are those of the claim.

    sharp: where the first derived bound, which may be the printed one, is reached.
    """

    wording: Wording | None = None
    sharp: Reached | None = None

    @property
    def formula(self) -> str:
        """Return the bound, and from where on it is reached."""
        if self.sharp is None:
            return super().formula
        bound = self.bound if self.same else self.stretches[0].derived
        return f"{super().formula}; {bound} is reached from {bound.variable} = {self.sharp.start}"

    def obligations(self) -> tuple[Fact, ...]:
        """Return those of the bound, and that it is reached."""
        if self.sharp is None:
            return super().obligations()
        rest = self.sharp.rest.value().as_data()
        return *super().obligations(), AtLeastZero(rest, self.sharp.start)

    def statement(self) -> Statement | None:
        """Return the wording with the claim's numbers."""
        if self.wording is None:
            return None
        start = min(Fraction(s.lower) for s in self.stretches)
        text = self.wording.text.replace("{start}", f"{start}")
        if self.sharp is not None:
            text = text.replace("{reached}", f"{self.sharp.start}")
        for name, bound in (("bound", self.bound), ("derived", self.stretches[0].derived)):
            if f"{{{name}}}" in text:
                term = in_coq(bound, self.wording.variable, self.wording.suffix)
                text = text.replace(f"{{{name}}}", term)
        return Statement(text, self.wording.imports)


ALLOWED = frozenset(
    {
        "Classical_Prop.classic",
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "boolp.functional_extensionality_dep",
        "boolp.propositional_extensionality",
        "boolp.constructive_indefinite_description",
    }
)
"""Axioms that a theorem may rest on, by file and name."""


@dataclass(frozen=True)
class Theorem:
    """A theorem of ``proofs/coq``: ``tschantz2022.prop1.prop1`` is the one of that file.

    of: the claim that it states: the entry's own, or the corrected one.
    """

    name: str
    of: Claim

    @property
    def statement(self) -> Statement:
        """Return what it must say; a claim without a statement raises ``UsageError``."""
        statement = self.of.statement()
        if statement is None:
            raise UsageError(f"theorem {self.name}: its claim has no statement in Coq's language")
        return statement

    @property
    def file(self) -> str:
        """Return the file that holds it, with dots."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True)
class CoqReplay:
    """What Coq made of a theorem, as texts.

    asked: the statement that was put beside the theorem. said: the theorem's own, as Coq prints it.
    in_full, asked_in_full: the two without notations, implicit arguments or coercions.
    assumptions: the axioms that the proof uses. definitions: a digest of each file of definitions.
    coq: its version. failure: why there is nothing of this; else empty.
    """

    asked: str
    said: str = ""
    in_full: str = ""
    asked_in_full: str = ""
    assumptions: tuple[str, ...] = ()
    definitions: tuple[tuple[str, str], ...] = ()
    coq: str = ""
    failure: str = ""


class TheoremStanding(StrEnum):
    """What is known of a theorem here.

    ``CHECKED``: Coq compiled it just so, on this machine. ``NOT_REPLAYED``: there is no Coq here,
    or it was not asked. ``REFUSED``: Coq was asked, and what it said is not what is claimed.
    """

    CHECKED = "checked by Coq"
    NOT_REPLAYED = "not replayed here"
    REFUSED = "refused"


@dataclass(frozen=True)
class Formal:
    """A theorem with its standing. Only ``judge_theorem`` should make one."""

    theorem: Theorem
    standing: TheoremStanding
    replay: CoqReplay | None = None
    reason: str = ""


def judge_theorem(
    theorem: Theorem, replay: CoqReplay | None, recorded: Mapping[str, str] = RECORDED
) -> Formal:
    """Return what a replay makes of a theorem.

    recorded: the digest of each file of definitions as it was when its definitions were read and
    compared with Python's.
    """
    if replay is None:
        return Formal(theorem, TheoremStanding.NOT_REPLAYED)
    reason = _refusal(theorem, replay, recorded)
    return Formal(
        theorem, TheoremStanding.REFUSED if reason else TheoremStanding.CHECKED, replay, reason
    )


def _refusal(theorem: Theorem, replay: CoqReplay, recorded: Mapping[str, str]) -> str:
    """Return why a replay does not bear a theorem out; empty if it does."""
    if replay.failure:
        return replay.failure
    if replay.asked != theorem.statement.text:
        return "Coq was asked about another statement"
    if not replay.in_full or replay.in_full != replay.asked_in_full:
        return f"the theorem states: {replay.said}"
    foreign = [name for name in replay.assumptions if name not in ALLOWED]
    if foreign:
        return f"it assumes {', '.join(foreign)}"
    seen = dict(replay.definitions)
    for name in theorem.statement.imports:
        if name not in seen:
            return f"the definitions of {name} were not examined"
    for name, digest in seen.items():
        if recorded.get(name) != digest:
            return f"the definitions of {name} are not the recorded ones ({digest})"
    return ""
