"""Section 6.3: what randomized response bounds, and what it leaves unbounded."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from provado.mechanisms.statement.errors import UsageError
from provado.proofs.causal.definitions import definition_9
from provado.proofs.causal.examples import randomized_response
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, refute, show
from provado.proofs.ledger.fact import Fact, Fails, Recounted

from . import source
from ._arrows import AVERAGED, MULTIPLIED, averaged, multiplied, recount
from ._witness import Compared, beyond

RATIOS = (Fraction(2), Fraction(3), Fraction(11, 10))


@dataclass(frozen=True)
class UnboundedEffect(Claim):
    """The effect of one variable on the output of randomized response exceeds every factor.

    cause: R1, an attribute that moves the others along, or D1, a response. people: how many.
    """

    cause: Literal["R1", "D1"] = "R1"
    people: int = 2

    @property
    def formula(self) -> str:
        return f"{self.cause} → O, which lists D1 to D{self.people}: no e^ε bounds the effect"

    def compared(self) -> Compared:
        """Return the two probabilities that are furthest apart."""
        model = randomized_response(RATIOS[0], self.people)
        at = definition_9(model, [self.cause], ["O"]).at
        if at is None:
            raise UsageError(f"randomized response: {self.cause} to O compares nothing")
        return Compared((at.d,), (at.d_prime,), at.output, at.left, at.right)

    def obligations(self) -> tuple[Fact, ...]:
        return (beyond(self.compared()),)

    def counterexamples(self) -> tuple[Fact, ...]:
        return (Fails(beyond(self.compared()).terms, "> 0", 1),)


CLAIM = UnboundedEffect()
RESPONSE = UnboundedEffect("D1")


def _own_and_out() -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for r in RATIOS:
        for n in (1, 2, 3):
            model = randomized_response(r, n)
            own = max(definition_9(model, [f"R{i + 1}"], [f"D{i + 1}"]).factor for i in range(n))
            out = definition_9(model, ["R1"], ["O"]).factor
            rows.append(((repr(r), n, "own"), abs(Fraction(own) - r)))
            rows.append(((repr(r), n, "out"), abs(Fraction(out) - r**n)))
    return tuple(rows)


EXACT = Recounted(
    "maximum",
    0,
    6 * len(RATIOS),
    "|e^ε of R_i to D_i − r| and |e^ε of R_1 to O − r^n|, up to three people",
)


def _gather(claim: UnboundedEffect) -> Evidence:
    (bounded,), (unbounded,) = claim.counterexamples(), RESPONSE.obligations()
    apart = claim.compared()
    ratio = apart.left / apart.right if apart.right else Fraction(1)
    return Evidence(
        printed=(refute(bounded, ratio), show(unbounded)),
        corrected=(show(averaged()), show(multiplied()), recount(_own_and_out(), EXACT)),
        correction="From R_i to O the effect is nε at most for n people, reached if R_i moves all "
        "others along; it is unbounded only as n grows.",
        kind="repair",
        argument=(
            Step(
                "From R_i to D_i: the effect is the ratio of the noise's probabilities, by "
                "definition of ε. From D_i to O, which lists the D_i: Pr[O = o | do(D_1 = d_1)] is "
                "0 for one value and positive for the other (kernel), so no factor bounds it.",
                (unbounded,),
            ),
            Step(
                "From R_i to O: let n = 2, R_2 := R_1 and e^ε = 2. The largest ratio is 4, so that "
                'it does not exceed every factor (kernel). This reads "unbounded" as for D_i to '
                "O, with the people given; with n free, nε has no bound.",
                (bounded,),
            ),
            "Given all attributes r, Pr[D = d] is a product of n factors, each between the same "
            "two numbers a and b with b/a = e^ε. So it changes by at most e^{nε} between any two "
            "r, and so do averages over r, whatever do(R_i) does to them; O is post-processing. "
            "With one person of two values the effect is e^ε, finite, which is the smallest "
            "counterexample, as one value has no effect to bound.",
            "The product of n factors, one after the other:",
            MULTIPLIED,
            "The average over the attributes: Pr[D = d | r] ≤ e^(nε)·Pr[D = d | r′] for all r, r′, "
            "so an average over r on the left, then one over r′ on the right.",
            AVERAGED,
            Step("Up to three people the effects are these exactly (kernel, recount).", (EXACT,)),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/sec6-3-randomized-response",
    source=source("Section 6.3, first application"),
    printed=(
        "Randomized response has ε-BRP from R_i to D_i; from D_i to O it is unbounded, and "
        "likewise from R_i to O, as the R_i may affect one another."
    ),
    words=(
        "The first two hold, the second where O reveals D_i. The third does not: for n people the "
        "effect of R_i on O is nε at most, reached if R_i moves all others along; it grows without "
        "bound only with n."
    ),
    scope="n people; any effects among the attributes; noise independent of them",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The effect of a response, which no factor bounds, as the counterexample.", RESPONSE),
)
