"""Proposition 4: Definition 1 implies Definition 7, but not the other way around."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.arrows import arrow, missing
from provado.proofs.causal.definitions import named
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case, by_size, first
from provado.proofs.causal.statement import Finding, Statement, as_finding, denied, source


def printed_mechanism() -> FiniteMechanism:
    """Return the mechanism of equations (18) and (19)."""
    half = Fraction(1, 2)
    return finite_mechanism(
        [(0, 1, 2)] * 2, lambda a, b: {0: 1, 1: 0} if a == b == 2 else {0: half, 1: half}
    )


def evidence() -> tuple[Finding, ...]:
    """Check the arrow, search for the smallest case against its converse, replay the printed one.

    The last finding is about what hides an effect: the text names values of probability zero, and
    a population of full support hides it as well.
    """
    pair = (named("1"), named("7"))
    converse = "Definition 7 implies Definition 1 with the same ε"

    def breaks(case: Case) -> bool:
        return pair[0][1](case).factor > pair[1][1](case).factor

    printed = Case(printed_mechanism(), uniform([(a, b) for a in (0, 1) for b in (0, 1)]))
    full = (
        Case(case.mechanism, uniform(case.mechanism.datasets)) for case in by_size(most_points=2)
    )
    return (
        arrow("1", "7"),
        denied(missing("7", "1", people=(1, 2), role="printed")),
        missing("7", "1", most_points=1, people=(1, 2, 3), role="sharper"),
        denied(
            as_finding(
                converse, "printed", first([printed], breaks), "equations (18) and (19)", *pair
            )
        ),
        denied(
            as_finding(
                f"{converse} if the population has full support",
                "part",
                first(full, breaks),
                "up to two data points of two values, uniform population",
                *pair,
            )
        ),
    )


def broken() -> Finding:
    """Condition on the data point instead of setting it: not implied by Definition 1."""
    return arrow("1", "3 for one population")


STATEMENT = Statement(
    id="tschantz2022/prop4",
    source=source("Proposition 4, equations (13) to (19)"),
    printed="Definition 1 implies Definition 7, but not the other way around.",
    words=(
        "Differential privacy bounds the effect of one data point under any one population; a "
        "population can hide effects, with two data points of two values, even at full support. "
        "In the text at hand the steps (15), (16) and (22) lack factors Pr_P[…] and e^ε."
    ),
    scope="every finite mechanism and every population",
    argument=(
        "Pr[O = o | do(D_i = d_i)] is an average of Pr[A(d) = o] over the other points, with "
        "weights that do not depend on d_i (Lemma 2): the bound holds for the averages. With one "
        "data point nothing is averaged, and with one value nothing is compared, so no "
        "counterexample to the converse is smaller than two data points of two values."
    ),
    evidence=evidence,
    broken=broken,
)
