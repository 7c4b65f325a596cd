"""Section 6.3: what randomized response bounds, and what it leaves unbounded."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.effects import definition_9
from provado.proofs.causal.examples import randomized_response
from provado.proofs.causal.statements.sec6_3_randomized_response import RATIOS, STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, MULTIPLIED, averaged, multiplied
from provado.proofs.ledger.tschantz2022._terms import besides, entry
from provado.proofs.ledger.tschantz2022._witness import Compared, beyond_every_factor

PEOPLE = 2


def attribute_to_output(at: Fraction | None = None) -> kernel.Checked:
    """Refute "the effect of R_1 on O exceeds every factor x ≥ 1" for two people, at the effect.

    at: another factor to try it at.
    """
    effect = definition_9(randomized_response(RATIOS[0], PEOPLE), ["R1"], ["O"]).factor
    if not isinstance(effect, Fraction):
        raise UsageError(f"randomized response: the effect of R1 on O is {effect}, not finite")
    terms = ((effect, 0, 0, 0), (-1, 0, 1, 0))
    point = effect if at is None else at
    return kernel.check(kernel.PointCounterexample(terms, "> 0", point, 1))


def point_to_output() -> kernel.Checked:
    """Return that D_1 = 0 and D_1 = 1 are further apart than any factor where O lists the D_i."""
    at = definition_9(randomized_response(RATIOS[0], PEOPLE), ["D1"], ["O"]).at
    if at is None:
        raise UsageError("randomized response: D1 to O compares nothing")
    return beyond_every_factor(Compared((at.d,), (at.d_prime,), at.output, at.left, at.right))


def exact_effects() -> kernel.Checked:
    """Return that R_i to D_i needs r, and R_1 to O exactly r^n, for up to three people."""
    rows = []
    for r in RATIOS:
        for n in (1, 2, 3):
            model = randomized_response(r, n)
            own = max(definition_9(model, [f"R{i + 1}"], [f"D{i + 1}"]).factor for i in range(n))
            out = definition_9(model, ["R1"], ["O"]).factor
            rows.append(((repr(r), n, "own"), abs(Fraction(own) - r)))
            rows.append(((repr(r), n, "out"), abs(Fraction(out) - r**n)))
    scope = "|e^ε of R_i to D_i − r| and |e^ε of R_1 to O − r^n|, up to three people"
    return kernel.check(kernel.Recount(tuple(rows), "maximum", 0, len(rows), scope))


def _gather() -> Evidence:
    return Evidence(
        printed=(point_to_output(), attribute_to_output()),
        corrected=(averaged(), multiplied()),
        correction="From R_i to O the effect is nε at most for n people, reached if R_i moves all "
        "others along; it is unbounded only as n grows.",
        kind="repair",
        argument=(
            "From R_i to D_i: the effect is the ratio of the noise's probabilities, by definition "
            "of ε. From D_i to O, which lists the D_i: Pr[O = o | do(D_1 = d_1)] is 0 for one "
            "value and positive for the other (kernel), so no factor bounds it.",
            "From R_i to O: let n = 2, R_2 := R_1 and e^ε = 2. The largest ratio is 4, so that it "
            'does not exceed every factor (kernel). This reads "unbounded" as for D_i to O, with '
            "the people given; with n free, nε has no bound.",
            STATEMENT.argument,
            "The product of n factors, one after the other:",
            MULTIPLIED,
            "The average over the attributes: Pr[D = d | r] ≤ e^(nε)·Pr[D = d | r′] for all r, r′, "
            "so an average over r on the left, then one over r′ on the right.",
            AVERAGED,
            *besides(exact_effects()),
        ),
    )


def _twin() -> object:
    return attribute_to_output(Fraction(3))


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.REFUTED,
    _gather,
    ("The factor 3, which the effect 4 does exceed, as the counterexample.", _twin),
)
