"""Section 7: statistical nondisclosure against 0-Bayesian₀ differential privacy."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.knowledge import posterior
from provado.proofs.causal.population import Population, uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.sec7_nondisclosure import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED, distributed
from provado.proofs.ledger.tschantz2022._terms import entry
from provado.proofs.ledger.tschantz2022._witness import given_one, not_private, single, worst

IDENTITY = finite_mechanism([(0, 1)], lambda d: {d: 1, 1 - d: 0})
PARITY = finite_mechanism([(0, 1)] * 2, lambda a, b: {a ^ b: 1, 1 - (a ^ b): 0})
SURE, FAIR = uniform([(1,)]), uniform([(0,), (1,)])
BITS = uniform([(a, b) for a in (0, 1) for b in (0, 1)])


def nothing_disclosed(mechanism: FiniteMechanism, people: Population) -> kernel.Checked:
    """Return that the posterior over datasets is the prior, for each output that can occur."""
    rows = []
    for o in mechanism.outputs:
        if any(mechanism.chance(d, o) for d in people.weights):
            after = posterior(mechanism, people, o).weights
            for d, weight in people.weights.items():
                rows.append((repr((d, o)), abs(after.get(d, Fraction(0)) - weight)))
    scope = "|posterior − prior| over datasets and outputs"
    return kernel.check(kernel.Recount(tuple(rows), "maximum", 0, len(rows), scope))


def dependent() -> kernel.Checked:
    """Refute Pr[D = d, O = o] − Pr[D = d]·Pr[O = o] = 0 for the parity of two fair bits."""
    joint = BITS.weights[(0, 0)] * PARITY.chance((0, 0), 0)
    output = sum((w * PARITY.chance(d, 0) for d, w in BITS.weights.items()), Fraction(0))
    terms = ((joint, 0, 0, 0), (-BITS.weights[(0, 0)] * output, 0, 0, 0))
    return kernel.check(kernel.PointCounterexample(terms, "= 0", 0, 0, 0))


def equal_given_one() -> kernel.Checked:
    """Return that given D_1 or D_2 alone the parity has one law: Definition 3 with ε = 0."""
    rows = tuple(
        (i, abs(c.left - c.right)) for i, c in enumerate(single(Case(PARITY, BITS), given_one))
    )
    scope = "|Pr[O = o | D_i = d] − Pr[O = o | D_i = d′]| for the parity of two fair bits"
    return kernel.check(kernel.Recount(rows, "maximum", 0, len(rows), scope))


def _gather() -> Evidence:
    case = Case(IDENTITY, FAIR)
    return Evidence(
        printed=(
            nothing_disclosed(IDENTITY, SURE),
            not_private(
                worst(single(case, given_one)),
                "O = 0, given D_1 = d_1",
                Fraction(0),
                given_one(case, 0),
            ),
            equal_given_one(),
            dependent(),
        ),
        corrected=distributed(),
        correction="Nondisclosure under a population implies Definition 3's comparison with ε = 0 "
        "under the same population, and is not implied by it.",
        kind="repair",
        argument=(
            "Let one data point be 1 for sure and O := D_1. The posterior is the prior (kernel), "
            "so nothing is disclosed; under the fair population, which Definition 3 speaks of too, "
            "ε = 0 fails (kernel, replay).",
            "Let O be the parity of two fair bits. Given one of them O is fair (kernel), but D and "
            "O are not independent (kernel).",
            STATEMENT.argument,
            "If Pr[d, o] = Pr[d]·Pr[o] for all d, adding over the d with D_i = d_i gives "
            "Pr[d_i, o] = Pr[d_i]·Pr[o], the common factor being Pr[o].",
            DISTRIBUTED,
        ),
    )


def _twin() -> object:
    return nothing_disclosed(IDENTITY, FAIR)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.REFUTED,
    _gather,
    ("The fair population as one under which O := D_1 discloses nothing.", _twin),
)
