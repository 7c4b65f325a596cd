"""Section 3.3: the sensitivity of conditional Spearman's ρ."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.wang2020._strata import one_stratum_of_two, rho_average
from provado.proofs.ledger.wang2020._terms import source

_N = 36


def _moves(claimed: Fraction, wrong: int = 0) -> kernel.Checked:
    pair = one_stratum_of_two(_N)
    values = rho_average(pair[0]) + wrong, rho_average(pair[1])
    claim = kernel.ChangeCounterexample(*pair, "replace-one", values, claimed)
    return kernel.check(claim, rho_average)


def _gather() -> Evidence:
    return Evidence(
        corrected=(_moves(Fraction(30, _N)),),
        correction="No bound of the form c/n or c/√n holds without a bound on the number of "
        "strata.",
        kind="repair",
        lacks="the definition and the sensitivity of Appendix E: the text gives neither the "
        "weights nor the coefficient",
        argument=(
            "The text says only that the coefficient is large, so that the score serves large "
            "datasets; there is no number to decide.",
            "What can be said: with ρ in each stratum and weights n − 1, let two records form a "
            "stratum and each other one its own, of weight 0. Turning one record moves the average "
            "from 1 to −1, whatever n; for n = 36 beyond 30/n, Kusner et al.'s bound for the "
            "unconditional ρ (kernel, replayed). The change is 2 for weights of any kind.",
        ),
    )


def _twin() -> object:
    return _moves(Fraction(30, _N), wrong=1)


ENTRY = Entry(
    id="wang2020/conditional-spearman",
    source=source("section 3.3, on Appendix E"),
    printed="Conditional Spearman's ρ is another candidate but it can only be used on large "
    "datasets because of the large coefficient in its sensitivity (Appendix E).",
    words="The sensitivity of the stratified ρ falls with n, with a large coefficient.",
    scope="Replace-one. The appendix is not in the text.",
    expected=LedgerVerdict.INCOMPLETE,
    gather=_gather,
    twin=Twin("The same pair with a score of 2 stated for D, where it is 1.", _twin),
)
