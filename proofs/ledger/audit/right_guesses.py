"""Under ε-differential privacy a guess that is made is right with chance e^ε/(1 + e^ε) at most."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show_claim
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact
from provado.proofs.ledger.formula import variables

from . import source
from ._terms import ANY_RULE, stated


@dataclass(frozen=True)
class RightGuesses(Claim):
    """Pr[correct] ≤ e^ε/(other + e^ε)·Pr[a guess is made]."""

    other: int = 1

    @property
    def formula(self) -> str:
        return f"Pr[correct | a guess is made] ≤ e^ε/({self.other} + e^ε), for any rule"

    def statement(self) -> Statement:
        other = "1" if self.other == 1 else f"{self.other}%:R"
        pair = "m rule d (replace d i v)"
        return stated(
            "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R), 0 <= t -> "
            f"approximate t 0 m -> {ANY_RULE} right {pair} <= "
            f"t / ({other} + t) * (right {pair} + wrong {pair})"
        )

    def obligations(self) -> tuple[Fact, ...]:
        """Return t·(r + w) − (other + t)·r ≥ 0 for r = t·w − s; variables t, w, s."""
        t, w, s = variables(3)
        r = t * w - s
        return ((t * (r + w) - (self.other * r + t * r)).nonnegative(),)


def _gather(claim: RightGuesses) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let r and w be the chances of a right and of a wrong guess. By audit/guess, "
            "s = t·w − r is at least 0 at δ = 0.",
            Step("t·(r + w) − (1 + t)·r = s ≥ 0 (kernel).", claim.obligations()),
            "Divided by 1 + t and by r + w, where a guess is made with some chance.",
        ),
    )


ENTRY = Entry(
    id="audit/right-guesses",
    source=source("the three counts, step 4"),
    printed="Under ε-DP each guess that is made is right with probability at most e^ε/(1+e^ε).",
    words=(
        "Given that the rule guesses, it is right with chance e^ε/(1 + e^ε) at most; said with "
        "both sides times the chance that it guesses, so that it holds where it never does."
    ),
    scope="every finite mechanism, replace-one neighbors, a rule without randomness of its own",
    claim=RightGuesses(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("e^ε/(2 + e^ε) as the bound.", RightGuesses(2)),
    theorem_of=RightGuesses(),
)
