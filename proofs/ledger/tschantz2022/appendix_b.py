"""Appendix B: Definition 10 does not imply Definition 1."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.appendix_b import STATEMENT, printed_mechanism
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import implication
from provado.proofs.ledger.tschantz2022._terms import besides, entry
from provado.proofs.ledger.tschantz2022._witness import (
    beyond_every_factor,
    bounded,
    in_support,
    neighbors,
    smallest_case,
    worst,
)


def unseen(case: Case) -> tuple[kernel.Checked, ...]:
    """Return that Definition 10 holds with e^ε = 1 and Definition 1 with none."""
    return (
        *bounded(in_support(case), Fraction(1)),
        beyond_every_factor(worst(neighbors(case))),
    )


def _printed(*values: int) -> tuple[kernel.Checked, ...]:
    return unseen(Case(printed_mechanism(), uniform([(value,) for value in values])))


def _gather() -> Evidence:
    return Evidence(
        printed=(*_printed(0, 1), *unseen(smallest_case("10", "1", people=(1, 2)))),
        argument=(
            "Equations (31) to (33), the population uniform on 0 and 1: all comparisons of "
            "Definition 10 have p = q = 1/2, and Pr[A(0) = 1] = 1/2 exceeds every multiple of "
            "Pr[A(2) = 1] = 0 (kernel).",
            "The same for the smallest case: one data point of two values, of which the population "
            "has one, so that Definition 10 compares nothing (kernel).",
            STATEMENT.argument,
            *besides(implication("1", "10")),
        ),
    )


def _twin() -> object:
    return _printed(0, 1, 2)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("The same with a population that has the value 2 as well.", _twin),
)
