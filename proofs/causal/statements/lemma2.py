"""Lemma 2: setting one data point averages over the others as they are in the population."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from provado.proofs.causal.battery import PEOPLE_SCOPE, all_cases
from provado.proofs.causal.exact import Value
from provado.proofs.causal.finite_mechanism import data_point_names, replaced
from provado.proofs.causal.probability import distribution
from provado.proofs.causal.search import Case, by_size
from provado.proofs.causal.statement import Counterexample, Finding, Statement, source

Formula = Callable[[Case, int, Value, Value], Fraction]


def unweighted(case: Case, j: int, value: Value, o: Value) -> Fraction:
    """Return (59) as the text has it: Σ Pr[A(…) = o] over the other points, without weights."""
    m = case.mechanism
    return sum((m.chance(d, o) for d in m.datasets if d[j] == value), Fraction(0))


def weighted(case: Case, j: int, value: Value, o: Value) -> Fraction:
    """Return Σ Pr_P[others]·Pr[A(…) = o], equations (77) and (78)."""
    people = case.people
    weights = {} if people is None else people.weights
    return sum(
        (w * case.mechanism.chance(replaced(d, j, value), o) for d, w in weights.items()),
        Fraction(0),
    )


def conditioned(case: Case, j: int, value: Value, o: Value) -> Fraction:
    """Return Pr[O = o | D_j = value], or ``weighted`` where that is not defined."""
    weights = {} if case.people is None else case.people.weights
    kept = {d: w for d, w in weights.items() if d[j] == value}
    total = sum(kept.values(), Fraction(0))
    if not total:
        return weighted(case, j, value, o)
    return sum((w * case.mechanism.chance(d, o) for d, w in kept.items()), Fraction(0)) / total


def check(claim: str, role: str, formula: Formula, cases: tuple[Case, ...], scope: str) -> Finding:
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


STATEMENT = Statement(
    id="tschantz2022/lemma2",
    source=source("Lemma 2, equations (58) to (60)"),
    printed="Pr[O = o | do(D_j = d_j′)] = Σ over the other points of Pr[A(…, d_j′, …) = o].",
    words=(
        "With the weight Pr_P[the others] in each summand, as the last lines of its proof have it. "
        "In the text at hand (59) and (60) lack it, and the sum can exceed 1. The proof's (73) "
        "conditions on events that may have probability 0; the step is marginalisation."
    ),
    scope="every finite mechanism and every population",
    argument=(
        "D_j is d_j′ and each other D_i is R_i in the sub-model, so O has the law "
        "Σ_r Pr_P[R = r]·Pr[A(r with r_j := d_j′) = o]; adding over r_j first gives the weights. "
        "Without them one data point is no counterexample (the sum has one term of weight 1), nor "
        "is one value, so two data points of two values are smallest."
    ),
    evidence=evidence,
    broken=broken,
)
