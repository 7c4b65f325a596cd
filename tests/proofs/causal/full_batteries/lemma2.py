"""Lemma 2: setting one data point averages over the others as they are in the population."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.finite_mechanism import data_point_names
from provado.proofs.causal.model import Value, distribution
from provado.proofs.causal.search import PEOPLE_SCOPE, Case, all_cases, by_size
from provado.proofs.ledger.tschantz2022.lemmas import SumFormula, unweighted, weighted

from ._finding import Counterexample, Finding


def conditioned(case: Case, j: int, value: Value, o: Value) -> Fraction:
    """Return Pr[O = o | D_j = value], or ``weighted`` where that is not defined."""
    weights = {} if case.people is None else case.people.weights
    kept = {d: w for d, w in weights.items() if d[j] == value}
    total = sum(kept.values(), Fraction(0))
    if not total:
        return weighted(case, j, value, o)
    return sum((w * case.mechanism.chance(d, o) for d, w in kept.items()), Fraction(0)) / total


def check(
    claim: str, role: str, formula: SumFormula, cases: tuple[Case, ...], scope: str
) -> Finding:
    """Check Pr[O = o | do(D_j = d)] in the model against a formula; keep the first difference."""
    tried = 0
    for case in cases:
        m = case.mechanism
        for j, name in enumerate(data_point_names(m.n)):
            for value in m.domains[j]:
                law = distribution(m.model, case.people, ["O"], do={name: value})
                for o in m.outputs:
                    tried += 1
                    left, right = law.get((o,), Fraction(0)), formula(case, j, value, o)
                    if left != right:
                        words = f"do({name} = {value!r}), output {o!r}: {left}, not {right}"
                        numbers = (("in the model", left), ("formula", right))
                        found = (Counterexample(words, numbers, case),)
                        return Finding(claim, role, tried, scope, found)
    return Finding(claim, role, tried, scope)


def evidence() -> tuple[Finding, ...]:
    """Check the sum without weights, from the smallest case on, and the sum with them."""
    small = tuple(by_size(most_points=2, denominators=(1,), people=(1,)))
    scope = "up to two data points of two values, the smallest first"
    every = all_cases()[::2]
    return (
        check("(59), without weights", "printed", unweighted, small, scope),
        check("with the weights of (77)", "repaired", weighted, every, f"half of: {PEOPLE_SCOPE}"),
    )


def broken() -> Finding:
    """Weigh the others as they are among those who have the value: conditioning."""
    return check("conditioned", "part", conditioned, all_cases(), PEOPLE_SCOPE)
