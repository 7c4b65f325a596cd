"""Section 7: posterior with a person's data against posterior without."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.associative import definition_1
from provado.proofs.causal.battery import SCOPE, all_mechanisms
from provado.proofs.causal.knowledge import largest_change
from provado.proofs.causal.statements.sec7_posterior_change import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import MECHANISMS_STEP, largest_excess
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, MULTIPLIED, averaged, multiplied
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def recount(power: int) -> kernel.Checked:
    """Return that posteriors change by e^(power·ε) at most, over part of the battery."""
    pairs = []
    for mechanism in all_mechanisms()[::MECHANISMS_STEP]:
        bound = definition_1(mechanism).factor
        if isinstance(bound, Fraction):
            pairs.append((largest_change(mechanism).factor, bound**power))
    scope = f"1/e^({power}ε) less 1/(largest change), finite e^ε, every third of: {SCOPE}"
    return largest_excess(pairs, scope)


def _gather() -> Evidence:
    return Evidence(
        printed=(averaged(), multiplied()),
        argument=(
            'Decided with the factor e^{2ε} for "nearly the same": Cr[d | o] is '
            "Pr[d]·Pr[A(d) = o] over a sum of such products.",
            "The numerators of the two posteriors are e^ε apart at most, term by term, and so are "
            "the sums, with the weights Pr[d] on both sides.",
            AVERAGED,
            "Numerator over sum: the two bounds multiply.",
            MULTIPLIED,
            STATEMENT.argument,
            *besides(recount(2)),
        ),
    )


def _twin() -> object:
    return recount(1)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("The factor e^ε in place of e^{2ε}, over the same battery.", _twin),
)
