"""Definition 9: bounded relative probability, as printed and repaired."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

from provado.proofs import kernel
from provado.proofs.causal.battery import all_mechanisms
from provado.proofs.causal.statements import def9
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry

STATEMENT = replace(
    def9.STATEMENT,
    printed=def9.STATEMENT.printed + " Differential privacy is equivalent to requiring ε-BRP for "
    "all data points D_i.",
)


E_TO_MINUS_ONE: kernel.Expression = ((1, -1, 0, 0),)
E_TO_EPSILON: kernel.Expression = ((1, 0, 0, 1),)
"""The bounds as functions of ε = x."""


def constant_output(bound: kernel.Expression) -> kernel.Checked:
    """Refute "bound − RP̄ ≥ 0 for all ε = x ≥ 0" by an output that is constant: RP̄ is 1."""
    return kernel.check(kernel.PointCounterexample((*bound, (-1, 0, 0, 0)), "≥ 0", 0, 0))


def constant_within() -> kernel.Checked:
    """Return e^ε − 1 ≥ 0 for all ε = x ≥ 0: it is 0 at 0 and rises."""
    rises = kernel.Differentiate(0, "left", kernel.Coefficients())
    return kernel.check(kernel.ExpressionSign((*E_TO_EPSILON, (-1, 0, 0, 0)), 0, rises))


def least_maximum() -> kernel.Checked:
    """Return that RP̄ ≥ 1 for all mechanisms of the battery with one data point (1/RP̄ ≤ 1)."""
    rows = []
    for i, mechanism in enumerate(m for m in all_mechanisms() if m.n == 1):
        row = mechanism.table
        smallest = min(
            row[b][o] / row[a][o]
            for a, b in product(row, repeat=2)
            for o in range(len(mechanism.outputs))
            if row[a][o]
        )
        rows.append((i, Fraction(smallest)))
    scope = "1/RP̄(O, D_1), the battery's mechanisms of one data point"
    return kernel.check(kernel.Recount(tuple(rows), "maximum", 1, len(rows), scope))


def _gather() -> Evidence:
    return Evidence(
        printed=(constant_output(E_TO_MINUS_ONE), least_maximum()),
        corrected=(
            averaged(),
            constant_within(),
        ),
        correction="max over P of RP̄(Y, X) ≤ e^ε, the bound of equation (28).",
        kind="misprint",
        argument=(
            "Let O be constant: the algorithm is differentially private with ε = 0, and RP̄ is 1. "
            "The text at hand has the bound e^{-1}, in which ε does not occur; it fails at every ε "
            "(kernel). That it is a slip follows from (28), a few lines above, and from the "
            "sentence after it; whether of the paper or of its transcription is not decided here.",
            def9.STATEMENT.argument,
            "With e^ε the constant algorithm meets the bound for all ε ≥ 0 (kernel), and in "
            "general RP̄ ≤ e^ε for all P and i is Definition 8: an average on both sides.",
            AVERAGED,
            "A point mass has one term of weight 1, and gives Definition 1 back.",
            *besides(*equivalence("1", "9")),
        ),
    )


def _twin() -> object:
    return constant_output(E_TO_EPSILON)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.MISPRINT,
    _gather,
    ("The same constant algorithm as a counterexample to the bound e^ε.", _twin),
)
