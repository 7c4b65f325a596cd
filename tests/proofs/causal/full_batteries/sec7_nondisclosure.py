"""Section 7: statistical nondisclosure against 0-Bayesian₀ differential privacy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from provado.proofs.causal.definitions import bayesian_for, definition_3, people_of
from provado.proofs.causal.posterior import posterior
from provado.proofs.causal.search import PEOPLE_SCOPE, Case, all_cases, by_size

from ._finding import Counterexample, Finding

Test = Callable[[Case], bool]


def discloses_nothing(case: Case) -> bool:
    """Return whether the posterior over datasets is the prior, the population, for all outputs."""
    people, m = people_of(case), case.mechanism
    seen = [o for o in m.outputs if any(m.chance(d, o) for d in people.weights)]
    return all(posterior(m, people, o).weights == people.weights for o in seen)


def bayesian_here(case: Case) -> bool:
    """Return whether Definition 3's comparison holds with ε = 0 under this population."""
    return bayesian_for(case.mechanism, people_of(case)).factor == 1


def bayesian_everywhere(case: Case) -> bool:
    """Return whether Definition 3 itself, over all populations, holds with ε = 0."""
    return definition_3(case.mechanism).factor == 1


def implies(
    claim: str, role: str, strong: Test, weak: Test, cases: Iterator[Case], scope: str
) -> Finding:
    """PublicFacts for a case that meets the strong condition and not the weak one."""
    tried = 0
    for case in cases:
        tried += 1
        if strong(case) and not weak(case):
            table = {d: tuple(map(str, row)) for d, row in case.mechanism.table.items()}
            words = f"{table!r} under {dict(people_of(case).weights)!r}"
            return Finding(claim, role, tried, scope, (Counterexample(words, (), case),))
    return Finding(claim, role, tried, scope)


def evidence() -> tuple[Finding, ...]:
    """Try the implication and the two equivalences that its reason names."""

    def small() -> Iterator[Case]:
        return by_size(most_points=2, denominators=(1, 2), people=(1, 2, 4))

    scope = "up to two data points of two values, the smallest first"
    none, here = discloses_nothing, bayesian_here
    return (
        implies(
            "nondisclosure for the true population implies Definition 3 with ε = 0",
            "printed", none, bayesian_everywhere, small(), scope,
        ),
        implies(
            "Definition 3's comparison under one population makes D and O independent",
            "printed", here, none, small(), scope,
        ),
        implies(
            "nondisclosure implies Definition 3's comparison under that population",
            "repaired", none, here, iter(all_cases()), PEOPLE_SCOPE,
        ),
    )  # fmt: skip


def broken() -> Finding:
    """Turn the repaired implication round."""
    cases = by_size(most_points=2, denominators=(1,), people=(4,))
    return implies("the converse", "part", bayesian_here, discloses_nothing, cases, "small cases")
