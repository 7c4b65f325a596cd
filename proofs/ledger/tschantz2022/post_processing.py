"""Post-processing: what is caused through Y alone is bounded as Y is."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.causal.composition import composition, models_in_sequence
from provado.proofs.causal.statements.post_processing import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import largest_excess
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def recount(*, direct: bool = False) -> kernel.Checked:
    """Return that Z and ⟨Y, Z⟩ need no more than Y; ``direct`` lets X reach Z past Y."""
    models = map(composition, models_in_sequence(direct=direct))
    return largest_excess(
        ((max(effects.whole, effects.last), effects.first) for effects in models),
        "1/e^ε of X to Y less that of X to Z and ⟨Y, Z⟩: Y and Z of two values on a grid, all of "
        "them, and 60 random models of up to three values",
    )


def _gather() -> Evidence:
    return Evidence(
        printed=(averaged(),),
        argument=(
            STATEMENT.argument,
            "Pr[Z = z | do(X = x)] is Σ_y F_Z(z | y)·Pr[Y = y | do(X = x)], in which the weights "
            "F_Z(z | y) do not depend on x.",
            AVERAGED,
            *besides(recount()),
        ),
    )


def _twin() -> object:
    return recount(direct=True)


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("An arrow from X to Z past Y, over models of the same kind.", _twin),
)
