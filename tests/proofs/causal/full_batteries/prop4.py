"""Proposition 4: Definition 1 implies Definition 7, but not the other way around."""

from __future__ import annotations

from provado.proofs.causal.definitions import named
from provado.proofs.causal.model import uniform
from provado.proofs.causal.search import Case, by_size
from provado.proofs.ledger.tschantz2022._witness import printed_example
from tests.proofs.causal.first_case import first

from ._arrows import arrow, missing
from ._finding import Finding, as_finding, denied


def evidence() -> tuple[Finding, ...]:
    """Check the arrow, search for the smallest case against its converse, replay the printed one.

    The last finding is about what hides an effect: the text names values of probability zero, and
    a population of full support hides it as well.
    """
    pair = (named("1"), named("7"))
    converse = "Definition 7 implies Definition 1 with the same ε"

    def breaks(case: Case) -> bool:
        return pair[0][1](case).factor > pair[1][1](case).factor

    printed = Case(printed_example(2), uniform([(a, b) for a in (0, 1) for b in (0, 1)]))
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
