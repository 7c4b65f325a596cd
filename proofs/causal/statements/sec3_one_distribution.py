"""Section 3: one distribution instead of all for strong adversary differential privacy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from provado.proofs.causal.battery import SCOPE, all_mechanisms
from provado.proofs.causal.definitions import named
from provado.proofs.causal.population import Population, uniform
from provado.proofs.causal.search import Case, by_size
from provado.proofs.causal.statement import Finding, Statement, compare, source


def _cases(mechanisms: Iterator[Case], crowd: Callable[[Case], Population]) -> Iterator[Case]:
    return (Case(case.mechanism, crowd(case)) for case in mechanisms)


def _battery() -> Iterator[Case]:
    return (Case(mechanism) for mechanism in all_mechanisms())


def copies(case: Case) -> Population:
    """Return the population in which all have the same status, each value equally often."""
    m = case.mechanism
    return uniform([(value,) * m.n for value in m.domains[0]])


def everything(case: Case) -> Population:
    """Return the uniform population over all datasets."""
    return uniform(case.mechanism.datasets)


def evidence() -> tuple[Finding, ...]:
    """Give every value of a data point, or every dataset, a positive probability."""
    one, ten = named("1"), named("10")
    small = "up to two data points of two values, copies of one status, the smallest first"
    return (
        compare(
            "one population with every value of every data point is enough",
            _cases(by_size(most_points=2), copies),
            small,
            one,
            ten,
        ),
        compare(
            "one population with every dataset is enough",
            _cases(_battery(), everything),
            SCOPE,
            one,
            ten,
            equal=True,
            role="repaired",
        ),
    )


def broken() -> Finding:
    """Leave one dataset out of the population."""

    def almost(case: Case) -> Population:
        return uniform(case.mechanism.datasets[1:] or case.mechanism.datasets)

    return compare(
        "all datasets but one", _cases(_battery(), almost), SCOPE, named("1"), named("10")
    )


STATEMENT = Statement(
    id="tschantz2022/sec3-one-distribution",
    source=source("Section 3, before Proposition 1; section 1.2"),
    printed=(
        "Alternately, one distribution that assigns non-zero probability to all possible input "
        "data points could have been used."
    ),
    words=(
        "One population is enough if it gives every dataset positive probability. That it gives "
        "every value of every data point one is not: copies of one status leave nothing to compare."
    ),
    scope="every finite mechanism",
    argument=(
        "Definition 10 compares the neighbors within the support. With one data point datasets "
        "and values are the same, and with one value nothing is compared, so two data points of "
        "two values are smallest."
    ),
    evidence=evidence,
    broken=broken,
)
