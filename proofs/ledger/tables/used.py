"""The planted fault beside it: noise by the number of tables that were used."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Step,
    Twin,
    not_private,
    show_claim,
)
from provado.proofs.ledger.fact import Fact, NotPrivate

from . import source
from ._terms import PAIR, Charge, telling_event

_EVENT = (
    "cells (0, 0) of all three tables show at least 1, cells (1, 1) at most 0, and six coins, each "
    "with chance (1 + e^(−1/b))/2 of heads, show heads"
)


@dataclass(frozen=True)
class NoiseFor(Claim):
    """Three tables are released with noise of scale 2·tables/ε, and cost ε; tried at ε = 1."""

    tables: int = 1

    @property
    def formula(self) -> str:
        return (
            f"the tables of three pairs with discrete Laplace noise of scale {2 * self.tables}/ε "
            "on each cell are ε-DP, tried at ε = 1"
        )

    def counterexamples(self) -> tuple[Fact, ...]:
        name = f"tables._terms.telling_event_with_noise_for_{self.tables}"
        return (NotPrivate(name, "replace-one", 1),)


CLAIM, REPAIRED = NoiseFor(), Charge()


def _gather(claim: NoiseFor) -> Evidence:
    (broken,) = claim.counterexamples()
    return Evidence(
        printed=(not_private(broken, PAIR, _EVENT, telling_event(claim.tables)),),
        corrected=show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="Noise by the number of tables that are planned, as tables/planned has it.",
        kind="repair",
        argument=(
            "Of three tables one takes an edge away. To charge this one alone is to say that the "
            "others, which are released as well, tell nothing.",
            Step(
                "Let D be one record (0, 0, 0), and let D′ be (1, 1, 1): six cells move by 1. That "
                "all of them show what D has is e^(6/b) times as likely under D, with b = 2 that "
                "is e^3. Six coins that do not depend on the data make the chances finite sums, "
                "1/64 and e^(−3)/64 (kernel, replayed).",
                (broken,),
            ),
            Step("The repaired form is tables/planned (kernel).", REPAIRED.obligations()),
        ),
    )


ENTRY = Entry(
    id="tables/used",
    source=source("a planted fault, the twin tables-used-not-planned of the catalogue"),
    printed="[Planted:] noise of scale 2k/ε on each cell, k the tables that took an edge away.",
    words="Tables with noise for as many as were used cost ε, however many were released.",
    scope="Replace-one; three columns of two levels, the tables of all pairs released, one used.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same event where the noise is for all three tables.", NoiseFor(3)),
)
