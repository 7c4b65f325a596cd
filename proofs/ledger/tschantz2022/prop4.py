"""Proposition 4: Definition 1 implies Definition 7, but not the other way around."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.prop4 import STATEMENT, printed_mechanism
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import implication
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry
from provado.proofs.ledger.tschantz2022._witness import (
    beyond_every_factor,
    bounded,
    neighbors,
    set_one,
    single,
    smallest_case,
    worst,
)


def hidden_effect(case: Case) -> tuple[kernel.Checked, ...]:
    """Return that Definition 7 holds with e^ε = 1 and Definition 1 with none."""
    return (
        *bounded(single(case, set_one), Fraction(1)),
        beyond_every_factor(worst(neighbors(case))),
    )


def converse_findings() -> tuple[kernel.Checked, ...]:
    """Return the smallest case against the converse."""
    return hidden_effect(smallest_case("7", "1", people=(1, 2)))


def _gather() -> Evidence:
    printed = Case(printed_mechanism(), uniform([(a, b) for a in (0, 1) for b in (0, 1)]))
    case = smallest_case("7", "1", people=(1, 2))
    table = {d: tuple(map(str, row)) for d, row in case.mechanism.table.items()}
    people = {d: str(w) for d, w in case.people.weights.items()} if case.people else {}
    return Evidence(
        printed=(averaged(), *hidden_effect(printed), *converse_findings()),
        argument=(
            STATEMENT.argument,
            AVERAGED,
            "Equations (18) and (19), the population uniform on {0, 1}²: all probabilities of "
            "Definition 7 are 1/2, and those of the outputs at (2, 2) and (0, 2) differ by more "
            "than any factor (kernel).",
            f"The smallest case: A = {table} under {people}. Definition 7 holds with e^ε = 1, and "
            "two neighbors have p > x·q for every factor x ≥ 1 (kernel).",
            *besides(implication("1", "7")),
        ),
        proof_remark="In the text at hand (15), (16) and (22) lack factors Pr_P[…] and e^ε; with "
        "the factors of (14) the steps are those above.",
    )


def _twin() -> object:
    return averaged(same_weights=False)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Averages whose weights depend on d_i: conditioning on it instead of setting it.", _twin),
)
