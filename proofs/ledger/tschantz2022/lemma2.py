"""Lemma 2: setting one data point averages over the others as they are in the population."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.causal.battery import PEOPLE_SCOPE, all_cases
from provado.proofs.causal.finite_mechanism import data_point_names
from provado.proofs.causal.probability import distribution
from provado.proofs.causal.search import by_size
from provado.proofs.causal.statements import lemma2
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import CASES_STEP
from provado.proofs.ledger.tschantz2022._steps import DISTRIBUTED, distributed
from provado.proofs.ledger.tschantz2022._terms import besides, entry

STATEMENT = replace(
    lemma2.STATEMENT,
    printed=lemma2.STATEMENT.printed + " [In the text at hand; the last lines of the proof, (77) "
    "and (78), have the factor Pr_P[the other points] in each summand.]",
)


def largest_difference(formula: lemma2.Formula) -> kernel.Checked:
    """Return that Pr[O = o | do(D_j = value)] never differs from a formula, over the battery."""
    rows = []
    for i, case in enumerate(all_cases()[::CASES_STEP]):
        m = case.mechanism
        for j, name in enumerate(data_point_names(m.n)):
            for value in m.domains[j]:
                law = distribution(m.model, case.people, ["O"], do={name: value})
                for o in m.outputs:
                    gap = abs(law.get((o,), Fraction(0)) - formula(case, j, value, o))
                    rows.append(((i, j, repr(value), repr(o)), gap))
    scope = f"|Pr[O = o | do(D_j = d)] − the formula|, every fourth of: {PEOPLE_SCOPE}"
    return kernel.check(kernel.Recount(tuple(rows), "maximum", 0, len(rows), scope))


def without_weights() -> tuple[str, kernel.Checked]:
    """Return the smallest case against (59) without weights, and that its two sides differ."""
    small = tuple(by_size(most_points=2, denominators=(1,), people=(1,)))
    found = lemma2.check("", "printed", lemma2.unweighted, small, "").counterexamples[0]
    left, right = (Fraction(number) for _, number in found.numbers)
    difference = ((left, 0, 0, 0), (-right, 0, 0, 0))
    return found.words, kernel.check(kernel.PointCounterexample(difference, "= 0", 0, 0, 0))


def _gather() -> Evidence:
    words, differ = without_weights()
    return Evidence(
        printed=distributed(),
        argument=(
            "Decided with the weights of (77) and (78). In the text at hand (58) has a stray sum "
            "and (59), (60) lack the weights; whether the paper lacks them or its transcription "
            "lost them is not decided here.",
            lemma2.STATEMENT.argument,
            DISTRIBUTED,
            "(78) follows as D_i is R_i for i ≠ j.",
            *besides(largest_difference(lemma2.weighted)),
            f"Read without weights (59) fails for two data points of two values: {words}; their "
            "difference is not 0.",
            *besides(differ),
        ),
        proof_remark="(73) conditions on events that may have probability 0; the step is "
        "marginalisation, which needs no conditioning.",
    )


def _twin() -> object:
    return largest_difference(lemma2.conditioned)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("The others weighed as they are among those who have the value, over the battery.", _twin),
)
