"""Section 3: one distribution instead of all for strong adversary differential privacy."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.population import Population
from provado.proofs.causal.search import Case, by_size, first
from provado.proofs.causal.statements.sec3_one_distribution import (
    STATEMENT,
    copies,
    everything,
)
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._steps import CONDITIONED, conditioned
from provado.proofs.ledger.tschantz2022._terms import entry
from provado.proofs.ledger.tschantz2022._witness import (
    Compared,
    in_support,
    neighbors,
    not_private,
    worst,
)


def unseen_pair() -> tuple[Case, Compared]:
    """Return the smallest case of copies with neighbors that differ and are not both seen."""

    def differ(case: Case) -> bool:
        with_copies = Case(case.mechanism, copies(case))
        return not any(True for _ in in_support(with_copies)) and any(
            c.left > c.right == 0 for c in neighbors(case)
        )

    found = first(by_size(most_points=2), differ).case
    if found is None:
        raise UsageError("search: no case of copies was found")
    return Case(found.mechanism, copies(found)), worst(neighbors(found))


def seen_pairs(people: Population, case: Case) -> kernel.Checked:
    """Return that Definition 10 compares no pair: 0 is the number of neighbors in the support."""
    seen = {(c.d, c.d_prime) for c in in_support(Case(case.mechanism, people))}
    pairs = {(c.d, c.d_prime) for c in neighbors(case)}
    rows = tuple((repr(pair), int(pair in seen)) for pair in sorted(pairs))
    scope = "1 where both of two neighbors have positive probability"
    return kernel.check(kernel.Recount(rows, "sum", 0, len(rows), scope))


def _gather() -> Evidence:
    case, apart = unseen_pair()
    event = f"O = {apart.output!r}"
    mechanism = case.mechanism
    return Evidence(
        printed=(
            seen_pairs(copies(case), case),
            not_private(apart, event, Fraction(1), mechanism.chance),
        ),
        corrected=conditioned(),
        correction="One distribution is enough if it gives every dataset positive probability.",
        kind="repair",
        argument=(
            "Let two data points be copies of one fair bit: every value of every data point has "
            "probability 1/2, and no two neighbors have both positive probability (kernel). So "
            "Definition 10 holds with ε = 0 for every algorithm.",
            f"Let A = { {d: tuple(map(str, row)) for d, row in mechanism.table.items()} }. An "
            "output has probability 1 on a dataset and 0 on its neighbor, here shown for ε = 1 "
            "(kernel, replay); no other ε would do either.",
            STATEMENT.argument,
            "With every dataset of positive probability all neighbors are compared.",
            CONDITIONED,
        ),
    )


def _twin() -> object:
    case, _ = unseen_pair()
    return seen_pairs(everything(case), case)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.REFUTED,
    _gather,
    ("The uniform population over all datasets as one that compares nothing.", _twin),
)
