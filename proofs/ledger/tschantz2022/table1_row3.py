"""Table 1, row 3: Bayesian₀ differential privacy → DP, and not back."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.associative import definition_1, definition_3
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.table1_row3 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import implication
from provado.proofs.ledger.tschantz2022._steps import CONDITIONED, conditioned
from provado.proofs.ledger.tschantz2022._terms import besides, entry
from provado.proofs.ledger.tschantz2022._witness import (
    beyond_factors_to,
    bounded,
    given_one,
    neighbors,
    single,
    smallest_case,
    worst,
)


def _correlated() -> Case:
    """Return the smallest mechanism against the converse, with its population."""
    mechanism = smallest_case("1", "3").mechanism
    at = definition_3(mechanism).at
    if at is None or at.people is None:
        raise UsageError("search: Definition 3 compares nothing in the case that was found")
    return Case(mechanism, at.people)


def associated(factor: Fraction | None = None) -> tuple[kernel.Checked, ...]:
    """Return that a factor, by default its smallest, is enough for Definition 1, not for 3."""
    case = _correlated()
    needed = definition_1(case.mechanism).factor if factor is None else factor
    if not isinstance(needed, Fraction):
        raise UsageError("search: Definition 1 holds with no factor in the case that was found")
    apart = worst(single(case, given_one))
    return (
        *bounded(neighbors(case), needed),
        beyond_factors_to(needed, apart),
    )


def _gather() -> Evidence:
    case = _correlated()
    people = {d: str(w) for d, w in case.people.weights.items()} if case.people else {}
    table = {d: tuple(map(str, row)) for d, row in case.mechanism.table.items()}
    return Evidence(
        printed=(*conditioned(), *associated()),
        argument=(
            STATEMENT.argument,
            "Definition 3 → DP: let the population have two neighbors, each half of the time, that "
            "differ in data point i. Given D_i = d_i the output has the law of that dataset.",
            CONDITIONED,
            f"Not back: A = {table} under {people}. Definition 1 holds with "
            "its smallest factor, and one comparison given D_1 exceeds that (kernel).",
            *besides(implication("3", "1")),
        ),
    )


def _twin() -> object:
    return associated(Fraction(3))


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("The same case against the converse for the factor 3.", _twin),
)
