"""Section 7: posterior with a person's data against posterior without."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from provado.proofs.causal.associative import definition_1
from provado.proofs.causal.battery import SCOPE, all_mechanisms
from provado.proofs.causal.exact import Factor
from provado.proofs.causal.knowledge import largest_change
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.fact import Fact, Recounted
from provado.proofs.ledger.statement import Statement
from provado.proofs.ledger.theorem import Theorem

from ._battery import MECHANISMS_STEP, largest_excess, theorem_name
from ._coq import IMPORTS
from ._steps import AVERAGED, MULTIPLIED, averaged, multiplied
from ._terms import source


@dataclass(frozen=True)
class PosteriorChange(Claim):
    """Posteriors with a person's data and without are e^(power·ε) apart at most."""

    power: int = 2

    @property
    def formula(self) -> str:
        return f"Cr[d | o] ≤ e^({self.power}ε)·Cr′[d | o], and the other way round"

    def statement(self) -> Statement:
        change = f"t ^+ {self.power}"
        return Statement(
            "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) "
            "(prior : seq V -> R), well_formed m -> definition_1 t m -> population m prior -> "
            "forall i v o d, (i < size (domains m))%N -> v \\in nth [::] (domains m) i -> "
            "o \\in outputs m -> d \\in datasets (domains m) -> "
            f"posterior m prior o d <= {change} * posterior_without m prior i v o d /\\ "
            f"posterior_without m prior i v o d <= {change} * posterior m prior o d",
            (*IMPORTS, "definitions.knowledge"),
        )

    def recounted(self) -> Recounted:
        """Return the fact that posteriors change by no more, over part of the battery."""
        scope = f"1/e^({self.power}ε) less 1/(largest change), finite e^ε, every third of: {SCOPE}"
        return Recounted("maximum", 0, len(_changes()), scope)

    def obligations(self) -> tuple[Fact, ...]:
        return averaged(), multiplied(), self.recounted()


@cache
def _changes() -> tuple[tuple[Factor, Fraction], ...]:
    """Return the largest change and e^ε, for the mechanisms where that is finite."""
    pairs = []
    for mechanism in all_mechanisms()[::MECHANISMS_STEP]:
        bound = definition_1(mechanism).factor
        if isinstance(bound, Fraction):
            pairs.append((largest_change(mechanism).factor, bound))
    return tuple(pairs)


def _gather(claim: PosteriorChange) -> Evidence:
    fact = claim.recounted()
    pairs = ((change, bound**claim.power) for change, bound in _changes())
    return Evidence(
        printed=(show(averaged()), show(multiplied()), largest_excess(pairs, fact)),
        argument=(
            f'Decided with the factor e^({claim.power}ε) for "nearly the same": Cr[d | o] is '
            "Pr[d]·Pr[A(d) = o] over a sum of such products.",
            "The numerators of the two posteriors are e^ε apart at most, term by term, and so are "
            "the sums, with the weights Pr[d] on both sides.",
            AVERAGED,
            "Numerator over sum: the two bounds multiply.",
            MULTIPLIED,
            "See provado.proofs.causal.knowledge: the posteriors differ by weights in [e^-ε, "
            "e^ε], normalised. With one data point of two values one of the two weights is 1, so "
            "the factor is e^ε at most, and with one value it is 1: two data points of two values "
            "are smallest.",
            Step("Over part of the battery the posteriors were computed (kernel).", (fact,)),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/sec7-posterior-change",
    source=source("Section 7, after equation (29)"),
    printed=(
        "Differential privacy ensures that Cr[D = d | O = o, B] and the same under do(D_i = d_i′) "
        "are close in nearly the same sense as Pr[O = o] and Pr[O = o | do(D_i = d_i′)]."
    ),
    words=(
        '"Nearly": the factor is e^{2ε} instead of e^ε, and no smaller power of e^ε will do; an '
        "event's probability changes by (e^ε − 1)/(e^ε + 1) at most."
    ),
    scope="every finite mechanism and every prior",
    claim=PosteriorChange(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The factor e^ε in place of e^{2ε}, over the same battery.", PosteriorChange(1)),
    theorem=Theorem(theorem_name("tschantz2022/sec7-posterior-change"), PosteriorChange()),
)
