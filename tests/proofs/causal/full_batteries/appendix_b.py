"""Appendix B: Definition 10 does not imply Definition 1."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.definitions import named
from provado.proofs.causal.model import uniform
from provado.proofs.causal.search import Case
from provado.proofs.ledger.tschantz2022._witness import printed_example
from tests.proofs.causal.first_case import first

from ._arrows import arrow, missing
from ._finding import Finding, as_finding, denied


def replayed(people_values: tuple[int, ...]) -> Finding:
    """Replay the printed mechanism under the uniform population on some of its values.

    The finding is about the printed claim, that Definition 10 holds with e^ε = 1 and Definition 1
    with none.
    """
    case = Case(printed_example(1), uniform([(value,) for value in people_values]))
    (ten_name, ten), (one_name, one) = named("10"), named("1")
    found = first([case], lambda c: ten(c).factor != 1 or isinstance(one(c).factor, Fraction))
    claim = f"{ten_name} holds with ε = 0 where {one_name} fails for every ε"
    return as_finding(
        claim, "printed", found, "equations (31) to (33)", (ten_name, ten), (one_name, one)
    )


def evidence() -> tuple[Finding, ...]:
    """Replay the printed case, find the smallest, and check the arrow that does hold."""
    return (
        replayed((0, 1)),
        denied(missing("10", "1", people=(1, 2), role="printed")),
        arrow("1", "10", role="sharper"),
    )


def broken() -> Finding:
    """Give the value 2 a positive probability: nothing is hidden any more."""
    return replayed((0, 1, 2))
