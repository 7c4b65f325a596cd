"""Definition 4's condition on the population: as printed, and as mutual independence."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.causal.independence import mutually_independent as mutual
from provado.proofs.causal.independence import pairwise_independent_given_the_rest as pairwise
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import populations
from provado.proofs.causal.statements.def4_independence import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._dependence import (
    not_mutually_independent,
    printed_condition,
)
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry

COPIES = uniform([(0, 0, 0), (1, 1, 1)])
PRODUCT = uniform([(0, 0, 0), (0, 0, 1)])


def differ_up_to_two() -> kernel.Checked:
    """Return that up to two data points no small population meets one condition alone."""
    sizes = ((1, 2, 4), (1, 3, 3), (2, 2, 6), (2, 3, 3))
    rows = tuple(
        ((n, values, q, i), int(pairwise(people) != mutual(people)))
        for n, values, most in sizes
        for q in range(1, most + 1)
        for i, people in enumerate(populations(n, values, q))
    )
    scope = "1 where the conditions differ, over small populations of one or two data points"
    return kernel.check(kernel.Recount(rows, "maximum", 0, len(rows), scope))


def _gather() -> Evidence:
    return Evidence(
        printed=(printed_condition(COPIES), not_mutually_independent(COPIES)),
        corrected=(averaged(),),
        correction='For "D_i is independent of D_j conditioned upon the other data points" read '
        '"D_1, …, D_n are mutually independent": then Definition 4 is equivalent to DP.',
        kind="repair",
        argument=(
            "Let D = ⟨R, R, R⟩ for a fair bit R. In each plane (one data point fixed) a single "
            "pair of values is left, so the printed condition holds (kernel).",
            "Pr[D = (0, 0, 0)] is 1/2 and the product of the marginals 1/8 (kernel): Table 1's "
            '"independent D_i" is not what the condition says.',
            STATEMENT.argument,
            "With mutual independence both sides of (9) average over one law of the other points.",
            AVERAGED,
            *besides(differ_up_to_two()),
        ),
    )


def _twin() -> object:
    return printed_condition(COPIES), not_mutually_independent(PRODUCT)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.REFUTED,
    _gather,
    ("A population of two constant data points and a fair one as the counterexample.", _twin),
)
