"""Section 3: one distribution instead of all for strong adversary differential privacy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from provado.proofs.causal.definitions import named
from provado.proofs.causal.model import Population, uniform
from provado.proofs.causal.search import SCOPE, Case, all_mechanisms, by_size
from provado.proofs.ledger.tschantz2022.populations import copies, everything

from ._finding import Finding, compare


def _cases(mechanisms: Iterator[Case], crowd: Callable[[Case], Population]) -> Iterator[Case]:
    return (Case(case.mechanism, crowd(case)) for case in mechanisms)


def _battery() -> Iterator[Case]:
    return (Case(mechanism) for mechanism in all_mechanisms())


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
