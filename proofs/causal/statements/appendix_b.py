"""Appendix B: Definition 10 does not imply Definition 1."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.arrows import arrow, missing
from provado.proofs.causal.definitions import named
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case, first
from provado.proofs.causal.statement import Finding, Statement, as_finding, denied, source


def printed_mechanism() -> FiniteMechanism:
    """Return the mechanism of equations (31) to (33)."""
    half = Fraction(1, 2)
    return finite_mechanism([(0, 1, 2)], lambda d: {0: 1, 1: 0} if d == 2 else {0: half, 1: half})


def replayed(people_values: tuple[int, ...]) -> Finding:
    """Replay the printed mechanism under the uniform population on some of its values.

    The finding is about the printed claim, that Definition 10 holds with e^ε = 1 and Definition 1
    with none.
    """
    case = Case(printed_mechanism(), uniform([(value,) for value in people_values]))
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


STATEMENT = Statement(
    id="tschantz2022/appendix-b",
    source=source("Appendix B, Definition 10"),
    printed="Definition 10 does not imply Definition 1: one data point of three values.",
    words=(
        "Conditioning under one population leaves datasets of probability zero unchecked. One "
        "data point of two values already shows it."
    ),
    scope="finite mechanisms",
    argument=(
        "A population at a single value compares nothing, so Definition 10 holds with ε = 0 for "
        "every mechanism on one data point. With one value Definition 1 compares nothing either, "
        "so one data point of two values is smallest."
    ),
    evidence=evidence,
    broken=broken,
)
