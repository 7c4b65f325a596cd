"""Section 7: posterior with a person's data against posterior without."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from provado.proofs.causal.definitions import definition_1
from provado.proofs.causal.model import Factor
from provado.proofs.causal.posterior import largest_change
from provado.proofs.causal.search import SCOPE, all_mechanisms
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Recounted

from . import source
from ._arrows import (
    AVERAGED,
    IMPORTS,
    MECHANISMS_STEP,
    MULTIPLIED,
    averaged,
    largest_excess,
    multiplied,
)


@dataclass(frozen=True)
class PosteriorChange(Claim):
    """Posteriors with a person's data and without are up to e^(power·ε) apart, events less."""

    power: int = 2

    @property
    def formula(self) -> str:
        factor = f"e^({self.power}ε)"
        return (
            f"Cr[d | o] ≤ {factor}·Cr′[d | o], and the other way round; no factor below {factor} "
            "bounds either; |Cr[E | o] − Cr′[E | o]| ≤ (e^ε − 1)/(e^ε + 1) for every event E"
        )

    def statement(self) -> Statement:
        change = f"t ^+ {self.power}"
        one, other = "posterior m prior o d", "posterior_without m prior i v o d"
        event = "sigma (fun d => (event d)%:R * {}) (datasets (domains m))"
        return Statement(
            "(forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) "
            "(prior : seq V -> R), well_formed m -> definition_1 t m -> population m prior -> "
            "forall i v o, (i < size (domains m))%N -> v \\in nth [::] (domains m) i -> "
            "o \\in outputs m -> (forall d, d \\in datasets (domains m) -> "
            f"{one} <= {change} * {other} /\\ {other} <= {change} * {one}) /\\ "
            f"forall event : pred (seq V), `|{event.format(one)} - {event.format(other)}| <= "
            f"(t - 1) / (t + 1)) /\\ (forall (R : realFieldType) (t s : R), 1 <= t -> s < {change} "
            "-> exists (V O : eqType) (m : mechanism R V O) (prior : seq V -> R) i v o o' d, "
            "[/\\ well_formed m, definition_1 t m, population m prior, "
            "[/\\ (i < size (domains m))%N, v \\in nth [::] (domains m) i, o \\in outputs m, "
            "o' \\in outputs m & d \\in datasets (domains m)] & "
            f"s * {other} < {one} /\\ s * posterior m prior o' d < "
            "posterior_without m prior i v o' d])",
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
            "No smaller factor: A says with chance t/(1 + t) whether two bits are the same, bit 1 "
            "is replaced by its opposite, the prior is q at (0, 0) and 1 − q at (0, 1). The two "
            "posteriors of (0, 0) differ by t(q + t(1 − q))/(tq + 1 − q), which tends to t².",
            "Events: the factors t and 1/t, normalised, move a probability furthest from "
            "1/(1 + t), to t/(1 + t) (see provado.proofs.causal.posterior).",
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
        '"Nearly": the factor is e^{2ε} instead of e^ε. No smaller one will do for all mechanisms '
        "and priors, in either direction and at any ε ≥ 0. An event's probability changes by at "
        "most (e^ε − 1)/(e^ε + 1)."
    ),
    scope="every finite mechanism and every prior",
    claim=PosteriorChange(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The factor e^ε in place of e^{2ε}, over the same battery.", PosteriorChange(1)),
    theorem_of=PosteriorChange(),
)
