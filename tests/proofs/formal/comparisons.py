"""The definitions of ``proofs/coq`` and the Python reference on the same small data.

Each function returns lines of Coq and boolean terms; a term is true if both give one number.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.causal.composition import models_in_sequence
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.model import Model, Population, distribution, point_mass, uniform
from provado.proofs.causal.posterior import posterior
from provado.proofs.ledger.kusner2016._exact import interquartile_range
from provado.proofs.ledger.kusner2016.unbounded_scores import variance
from tests.proofs.causal.worst_posterior import posterior_without

from .coq import listed, number, table

Checks = tuple[list[str], list[str]]
IMPORT = (
    "From Provado.definitions Require Import finite mechanism associative model interventional "
    "knowledge audit spread."
)


def small_mechanism(seed: int) -> FiniteMechanism:
    """Return a mechanism of two data points of two and three values with random quarters."""
    rng = np.random.default_rng(seed)

    def law(*_: int) -> dict[int, Fraction]:
        one = Fraction(int(rng.integers(0, 5)), 4)
        return {0: one, 1: 1 - one}

    return finite_mechanism([(0, 1), (0, 1, 2)], law)


def people() -> tuple[Population, ...]:
    """Return populations over the small mechanism's datasets: correlated, uniform, one point."""
    weights = {(0, 0): Fraction(1, 2), (1, 2): Fraction(1, 3), (1, 0): Fraction(1, 6)}
    every = list(product((0, 1), (0, 1, 2)))
    names = ("R1", "R2")
    return (
        Population(names, weights),
        Population(names, uniform(every).weights),
        point_mass((1, 1), names),
    )


def in_coq(m: FiniteMechanism, crowd: Population) -> list[str]:
    """Return definitions of m and P."""
    rows = {
        d: f"({table({o: number(p) for o, p in zip(m.outputs, row, strict=True)}, 'o', '0')})"
        for d, row in m.table.items()
    }
    weights = {d: number(w) for d, w in crowd.weights.items()}
    return [
        IMPORT,
        f"Definition m : mechanism Q nat_eqType nat_eqType := Mechanism {listed(m.domains)} "
        f"{listed(m.outputs)} (fun d o => {table(rows, 'd', '0')}).",
        f"Definition P (d : seq nat) : Q := {table(weights, 'd', '0')}.",
    ]


def conditioning(m: FiniteMechanism, crowd: Population) -> Checks:
    """Compare Pr[O = o | D_i = v], Pr[O = o | D = d] and the chances of the conditions."""
    checks = []
    for o in m.outputs:
        for i, domain in enumerate(m.domains):
            for v in domain:
                event = f"(point_is {i} {v}%N)"
                seen = sum((w for d, w in crowd.weights.items() if d[i] == v), Fraction(0))
                checks.append(f"seen m P {event} == {number(seen)}")
                if seen:
                    law = distribution(m.model, crowd, ["O"], given={f"D{i + 1}": v})
                    value = number(law.get((o,), Fraction(0)))
                    checks.append(f"given m P {event} {o}%N == {value}")
        for d in crowd.weights:
            law = distribution(m.model, crowd, ["O"], given={"D": d})
            value = number(law.get((o,), Fraction(0)))
            checks.append(f"given m P (pred1 {listed(d)}) {o}%N == {value}")
    return in_coq(m, crowd), checks


def intervening(m: FiniteMechanism, crowd: Population) -> Checks:
    """Compare Pr[O = o | do(…)] of all data points, of one, and of groups, in the model itself."""
    checks = []
    for o in m.outputs:
        for d in m.datasets:
            law = distribution(m.model, crowd, ["O"], do={"D1": d[0], "D2": d[1]})
            value = number(law.get((o,), Fraction(0)))
            checks.append(f"effect m P (set_all m {listed(d)}) {o}%N == {value}")
        for i, domain in enumerate(m.domains):
            for v in domain:
                law = distribution(m.model, crowd, ["O"], do={f"D{i + 1}": v})
                value = number(law.get((o,), Fraction(0)))
                checks.append(f"effect m P (set_one m {i} {v}%N) {o}%N == {value}")
        for d in m.datasets:
            for group in ((), (0,), (1,), (1, 0)):
                do = {f"D{i + 1}": d[i] for i in group}
                law = distribution(m.model, crowd, ["O"], do=do)
                value = number(law.get((o,), Fraction(0)))
                term = f"effect m P (set_group m {listed(group)} {listed(d)}) {o}%N"
                checks.append(f"{term} == {value}")
    return in_coq(m, crowd), checks


def data(m: FiniteMechanism) -> Checks:
    """Compare datasets, neighbors, and the chances of events."""
    checks = [f"datasets (domains m) == {listed(m.datasets)}"]
    for i, d, d_prime in m.changes():
        rest = (*d[:i], *d[i + 1 :])
        checks += [
            f"replace {listed(d)} {i} {d_prime[i]}%N == {listed(d_prime)}",
            f"others {listed(d)} {i} == {listed(rest)}",
            f"insert {listed(rest)} {i} {d_prime[i]}%N == {listed(d_prime)}",
        ]
    for d in m.datasets:
        for event in product((False, True), repeat=len(m.outputs)):
            kept = [o for o, inside in zip(m.outputs, event, strict=True) if inside]
            chance = sum((m.chance(d, o) for o in kept), Fraction(0))
            members = listed(kept)
            checks.append(
                f"chance_of m {listed(d)} (fun o => o \\in {members}) == {number(chance)}"
            )
    return in_coq(m, people()[0]), checks


def independence(m: FiniteMechanism) -> Checks:
    """Compare the product of the marginals in mutual independence."""
    crowd = people()[0]
    checks = []
    for d in m.datasets:
        marginals = [crowd.marginal([n]).weights for n in crowd.names]
        value = marginals[0].get((d[0],), Fraction(0)) * marginals[1].get((d[1],), Fraction(0))
        term = (
            f"product (fun i => seen m P (fun e => ohead (drop i e) == ohead (drop i "
            f"{listed(d)}))) (iota 0 (size (domains m)))"
        )
        checks.append(f"{term} == {number(value)}")
    return in_coq(m, crowd), checks


def sequence_model(seed: int) -> Model:
    """Return one of the random models U → X → Y → Z of Theorem 1's battery."""
    return list(models_in_sequence())[-1 - seed]


def general(model: Model) -> Checks:
    """Compare Pr[Y = y, Z = z | do(X = x)] in a model of U, X, Y and Z."""
    order = [*model.background, *model.nodes]
    place = {name: k for k, name in enumerate(order)}
    equations = []
    for name, node in model.nodes.items():
        rows: dict[object, str] = {}
        for values, chances in node.table.items():
            row: dict[object, str] = {value: number(p) for value, p in chances}
            rows[values] = f"({table(row, 'u', '0')})"
        parents = listed([place[p] for p in node.parents])
        law = f"fun us u => {table(rows, 'us', '0')}"
        equations.append(f"Equation {parents} {listed(model.ranges[name])} ({law})")
    if not model.background:
        raise UsageError("general: the model has no background variable")
    (u,) = model.background
    crowd = Population((u,), {(v,): Fraction(1, len(model.ranges[u])) for v in model.ranges[u]})
    weight = number(Fraction(1, len(model.ranges[u])))
    lines = [
        IMPORT,
        f"Definition M : model Q nat_eqType := Model [:: {listed(model.ranges[u])}] "
        f"[:: {'; '.join(equations)}].",
        f"Definition P (x : seq nat) : Q := {weight}.",
    ]
    checks = [f"nth [::] (ranges M) {place['Z']} == {listed(model.ranges['Z'])}"]
    for x in model.ranges["X"]:
        law = distribution(model, crowd, ["Y", "Z"], do={"X": x})
        for y, z in product(model.ranges["Y"], model.ranges["Z"]):
            value = number(law.get((y, z), Fraction(0)))
            checks.append(
                f"pr_do M P (one {place['X']} {x}%N) [:: {place['Y']}; {place['Z']}]%N "
                f"{listed([y, z])} == {value}"
            )
    return lines, checks


def knowledge(m: FiniteMechanism, prior: Population) -> Checks:
    """Compare the posteriors with a person's data and without."""
    checks = []
    for o in m.outputs:
        with_data = posterior(m, prior, o).weights
        for d in m.datasets:
            value = number(with_data.get(d, Fraction(0)))
            checks.append(f"posterior m P {o}%N {listed(d)} == {value}")
            for i, domain in enumerate(m.domains):
                for v in domain:
                    without = posterior_without(m, prior, o, i, v).weights
                    value = number(without.get(d, Fraction(0)))
                    checks.append(f"posterior_without m P {i} {v}%N {o}%N {listed(d)} == {value}")
    return in_coq(m, prior), checks


def guesses(m: FiniteMechanism) -> Checks:
    """Compare the chances of right and wrong guesses, from the table."""
    checks = []
    rules: list[dict[int, str]] = [
        {0: "Some true", 1: "Some false"},
        {0: "None", 1: "Some true"},
        {0: "Some false", 1: "None"},
    ]
    for rule in rules:
        shown = f"(fun o => {table(dict(rule), 'o', 'None')})"

        def chance(d: tuple[int, ...], side: str, rule: dict[int, str] = rule) -> Fraction:
            return sum((m.chance(d, o) for o in m.outputs if rule[o] == side), Fraction(0))

        for _, d, e in m.changes():
            right = (chance(d, "Some true") + chance(e, "Some false")) / 2
            wrong = (chance(d, "Some false") + chance(e, "Some true")) / 2
            checks += [
                f"right m {shown} {listed(d)} {listed(e)} == {number(right)}",
                f"wrong m {shown} {listed(d)} {listed(e)} == {number(wrong)}",
            ]
    return in_coq(m, people()[0]), checks


def wealth() -> Checks:
    """Compare the wealth of outcomes and of counts with products of the bound's factors."""
    # Coq's numbers are unary here: small ones.
    t, delta, stake = Fraction(2), Fraction(1, 2), Fraction(1, 2)
    factors = {
        "Right": 1 + stake * (1 - delta),
        "Wrong": 1 - stake * (t + delta),
        "Abstained": 1 - stake * delta,
    }
    shown = " ".join(map(number, (t, delta, stake)))
    checks = []
    for outcomes in product(factors, repeat=2):
        value = Fraction(1)
        for one in outcomes:
            value *= factors[one]
        counts = " ".join(f"{outcomes.count(name)}" for name in factors)
        checks += [
            f"wealth {shown} [:: {'; '.join(outcomes)}] == {number(value)}",
            f"wealth_of_counts {shown} {counts} == {number(value)}",
        ]
    return [IMPORT], checks


def spread() -> Checks:
    """Compare variances and interquartile ranges of random columns with the ledger's functions."""
    rng = np.random.default_rng(0)
    checks = []
    for m in (2, 3, 4, 5):
        column = [Fraction(int(v)) for v in rng.integers(-2, 3, m)]
        shown = "[:: " + "; ".join(map(number, column)) + "]"
        checks += [
            f"variance {shown} == {number(variance(column))}",
            f"interquartile_range {shown} == {number(interquartile_range(column))}",
        ]
    return [IMPORT], checks
