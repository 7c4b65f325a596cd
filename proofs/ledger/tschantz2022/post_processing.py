"""Post-processing: what is caused through Y alone is bounded as Y is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from provado.proofs.causal.composition import Composition, composition, models_in_sequence
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Recounted

from . import source
from ._arrows import AVERAGED, IN_SEQUENCE, averaged, largest_excess, stated


@dataclass(frozen=True)
class PostProcessing(Claim):
    """If X has ε-BRP to Y, then X has ε-BRP to what is computed from Y alone.

    direct: X reaches Z past Y as well.
    """

    direct: bool = False

    @property
    def formula(self) -> str:
        arrows = "X → Y → Z and X → Z" if self.direct else "X → Y → Z"
        return f"{arrows}: X to Z, and X to ⟨Y, Z⟩, need no larger e^ε than X to Y"

    def statement(self) -> Statement | None:
        binders, model = IN_SEQUENCE
        parents = "[:: x; y]" if self.direct else "[:: y]"
        return stated(
            f"{binders} (t : R), {model} {{subset parents_of M z <= {parents}}} -> "
            "brp t M x [:: y] -> brp t M x [:: y; z] /\\ brp t M x [:: z]"
        )

    def recounted(self) -> Recounted:
        """Return the fact that Z and ⟨Y, Z⟩ need no more than Y, over the models."""
        scope = (
            "1/e^ε of X to Y less that of X to Z and ⟨Y, Z⟩: Y and Z of two values on a grid, all "
            "of them, and 60 random models of up to three values"
        )
        past = ", with an arrow from X to Z" if self.direct else ""
        return Recounted("maximum", 0, len(_effects(self.direct)), scope + past)

    def obligations(self) -> tuple[Fact, ...]:
        return averaged(), self.recounted()


@cache
def _effects(direct: bool) -> tuple[Composition, ...]:
    return tuple(map(composition, models_in_sequence(direct=direct)))


def _gather(claim: PostProcessing) -> Evidence:
    fact = claim.recounted()
    pairs = ((max(one.whole, one.last), one.first) for one in _effects(claim.direct))
    return Evidence(
        printed=(show(averaged()), largest_excess(pairs, fact)),
        argument=(
            "Theorem 1 with ε₂ = 0: F_Z(z | y) does not read X. For Z alone add over y. "
            "Conversely ⟨Y, Z⟩ needs no less than Y, by adding over z.",
            "Pr[Z = z | do(X = x)] is Σ_y F_Z(z | y)·Pr[Y = y | do(X = x)], in which the weights "
            "F_Z(z | y) do not depend on x.",
            AVERAGED,
            Step("The effects were compared in the models themselves (kernel).", (fact,)),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/post-processing",
    source=source("Section 6.2, post-processing condition"),
    printed="If X has ε-BRP to Y, then any subsequent consequence Z of Y is also ε-BRP.",
    words="If Z has no parent but Y, an ε with which X has ε-BRP to Y does for ⟨Y, Z⟩ and for Z.",
    scope="every finite model with X, Y, Z in sequence in which Z has no parent but Y",
    claim=PostProcessing(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "An arrow from X to Z past Y, over models of the same kind.", PostProcessing(direct=True)
    ),
    theorem_of=PostProcessing(),
)
