"""Theorem 1: bounded relative probability composes additively in sequence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from provado.proofs.causal.composition import SCOPE, Composition, composition, models_in_sequence
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Polynomial, Recounted

from . import source
from ._arrows import IN_SEQUENCE, largest_excess, multiplied, stated


@dataclass(frozen=True)
class InSequence(Claim):
    """If X has ε₁-BRP to Y and ε₂-BRP to Z, it has the sum to ⟨Y, Z⟩; or ε₁ without ``second``."""

    second: bool = True

    @property
    def formula(self) -> str:
        return f"X has ε₁-BRP to Y, and ε₂-BRP to Z for each y: ({self._cost()})-BRP to ⟨Y, Z⟩"

    def statement(self) -> Statement | None:
        binders, model = IN_SEQUENCE
        cost = "t1 * t2" if self.second else "t1"
        return stated(
            f"{binders} (t1 t2 : R), {model} {{subset parents_of M z <= [:: x; y]}} -> "
            "brp t1 M x [:: y] -> (forall v, v \\in nth [::] (ranges M) y -> "
            f"brp t2 (submodel M (one y v)) x [:: z]) -> brp ({cost}) M x [:: y; z]"
        )

    def _cost(self) -> str:
        return "ε₁ + ε₂" if self.second else "ε₁"

    def algebra(self) -> Polynomial:
        """Return the fact that the bounds multiply."""
        return multiplied(second=self.second)

    def recounted(self) -> Recounted:
        """Return the fact that ⟨Y, Z⟩ needs no more than what is promised, over the models."""
        scope = f"1/e^({self._cost()}) less 1/e^ε of X to ⟨Y, Z⟩: {SCOPE}"
        return Recounted("maximum", 0, len(_effects()), scope)

    def obligations(self) -> tuple[Fact, ...]:
        return self.algebra(), self.recounted()


@cache
def _effects() -> tuple[Composition, ...]:
    return tuple(map(composition, models_in_sequence()))


def _gather(claim: InSequence) -> Evidence:
    algebra, fact = claim.algebra(), claim.recounted()
    pairs = ((one.whole, one.promised if claim.second else one.first) for one in _effects())
    return Evidence(
        printed=(show(algebra), largest_excess(pairs, fact)),
        argument=(
            "The equation of Z reads X and Y alone, so Pr[Y = y, Z = z | do(X = x)] is Pr[Y = y | "
            "do(X = x)]·F_Z(z | x, y). The first factor grows by at most e^ε₁ from x′ to x, and "
            "F_Z(z | x, y) = Pr[Z = z | do(Y = y), do(X = x)] by at most e^ε₂.",
            Step(
                "Bounds multiply (kernel): with s = t₁·a′ − a ≥ 0 and u = t₂·b′ − b ≥ 0, "
                "t₁·t₂·a′·b′ − a·b = (a + s)·(b + u) − a·b ≥ 0. Here a = Pr[Y = y | do(X = x)] and "
                "b = F_Z(z | x, y), with x′ in a′ and b′.",
                (algebra,),
            ),
            Step("The effects were compared in the models themselves (kernel).", (fact,)),
        ),
        proof_remark="The printed proof conditions on Y = y for y with Pr[Y = y] > 0 only; under "
        "do(X = x) other y may have positive probability. The factorisation above needs none.",
    )


ENTRY = Entry(
    id="tschantz2022/thm1-composition",
    source=source("Theorem 1"),
    printed=(
        "X, Y, Z in sequence, the parents of Z are {X, Y}, X has ε₁-BRP to Y and ε₂-BRP to Z in "
        "M[Y := y] for all y: then X has (ε₁ + ε₂)-BRP to ⟨Y, Z⟩."
    ),
    words="As printed.",
    scope="every finite model",
    claim=InSequence(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The promise e^ε₁ without the factor e^ε₂.", InSequence(second=False)),
    theorem_of=InSequence(),
)
