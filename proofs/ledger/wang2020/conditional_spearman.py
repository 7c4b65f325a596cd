"""Section 3.3: the sensitivity of conditional Spearman's ρ."""

from __future__ import annotations

from dataclasses import replace

from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Sensitivity,
    Step,
    Twin,
    Unstated,
)
from provado.proofs.ledger.show import moves_more

from . import source
from ._strata import one_stratum_of_two, rho_average

_N = 36


_RHO = "wang2020._strata.rho_average"


def moves_at_most(bound: str) -> Sensitivity:
    """Return the claim that the stratified ρ moves by at most a bound, tried at 36 records."""
    return Sensitivity("the stratified ρ", "replace-one", Formula(bound, "n"), ((_RHO, _N),))


CLAIM = Unstated(
    "the definition and the sensitivity of Appendix E: the text gives neither the weights nor the "
    "coefficient",
    moves_at_most("30/n"),
)


def _gather(claim: Unstated) -> Evidence:
    (moved,) = claim.reading.counterexamples() if claim.reading else ()
    return Evidence(
        corrected=(moves_more(moved, one_stratum_of_two(_N), rho_average),),
        correction="No bound of the form c/n or c/√n holds without a bound on the number of "
        "strata.",
        kind="reading",
        corrected_claim=claim.reading,
        argument=(
            "The text says only that the coefficient is large, so that the score serves large "
            "datasets; there is no number to decide.",
            Step(
                "What can be said: with ρ in each stratum and weights n − 1, let two records form "
                "a stratum and each other one its own, of weight 0. Turning one record moves the "
                "average from 1 to −1, whatever n; for n = 36 beyond 30/n, Kusner et al.'s bound "
                "for the unconditional ρ (kernel, replayed). The change is 2 for weights of any "
                "kind.",
                (moved,),
            ),
        ),
    )


ENTRY = Entry(
    id="wang2020/conditional-spearman",
    source=source("section 3.3, on Appendix E"),
    printed="Conditional Spearman's ρ is another candidate but it can only be used on large "
    "datasets because of the large coefficient in its sensitivity (Appendix E).",
    words="The sensitivity of the stratified ρ falls with n, with a large coefficient.",
    scope="Replace-one. The appendix is not in the text.",
    claim=CLAIM,
    expected=LedgerVerdict.INCOMPLETE,
    gather=_gather,
    twin=Twin(
        "The same pair against 72/n, which is 2 for 36 records.",
        replace(CLAIM, reading=moves_at_most("72/n")),
    ),
)
