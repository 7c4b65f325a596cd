"""Lemma 1: setting all data points gives the algorithm's own probabilities."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.battery import PEOPLE_SCOPE, all_cases
from provado.proofs.causal.finite_mechanism import data_point_names
from provado.proofs.causal.probability import distribution
from provado.proofs.causal.statements.lemma1 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import CASES_STEP
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED, distributed
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def largest_difference(*, left_alone: int = 0) -> kernel.Checked:
    """Return that Pr[O = o | do(D = d)] − Pr[A(d) = o] is 0 at most, over part of the battery.

    left_alone: how many of the last data points are not set.
    """
    rows = []
    for i, case in enumerate(all_cases()[::CASES_STEP]):
        m = case.mechanism
        for d in m.datasets:
            names = data_point_names(m.n)[: m.n - left_alone]
            law = distribution(m.model, case.people, ["O"], do=dict(zip(names, d, strict=False)))
            for o in m.outputs:
                gap = abs(law.get((o,), Fraction(0)) - m.chance(d, o))
                rows.append(((i, repr(d), repr(o)), gap))
    scope = f"|Pr[O = o | do(D = d)] − Pr[A(d) = o]|, every fourth of: {PEOPLE_SCOPE}"
    return kernel.check(kernel.Recount(tuple(rows), "maximum", 0, len(rows), scope))


def _gather() -> Evidence:
    return Evidence(
        printed=distributed(),
        argument=(
            STATEMENT.argument,
            "(45) to (51) are the sub-model's equations, read off. (53) to (57): the summand does "
            "not depend on r, and Σ Pr_P[R = r] = 1.",
            DISTRIBUTED,
            *besides(largest_difference()),
        ),
    )


def _twin() -> object:
    return largest_difference(left_alone=1)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("The last data point is left alone, over the same battery.", _twin),
)
