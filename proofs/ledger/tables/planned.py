"""The promise of noisy tables: noise by the number of tables that were planned."""

from __future__ import annotations

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Reading, Step, Twin, show_claim

from . import source
from ._terms import Charge

CLAIM = Charge()


def _gather(claim: Charge) -> Evidence:
    ratio, charge = claim.obligations()
    return Evidence(
        printed=show_claim(claim),
        argument=(
            Reading(
                "The plan says how many tables there are of each kind, and the scale b of the "
                "noise on each of their cells. It follows from ε and the numbers of records, "
                "columns and levels, which are public. Tables of pairs are released at once, "
                "tables of three columns on demand, up to the planned number. A histogram that "
                "cuts the bins of a numeric column is a table of one column, released before."
            ),
            "A record is in one cell of each table. Replacing one takes 1 from a cell and adds 1 "
            "to a cell: two cells of a table move by 1, or none does.",
            Step(
                "The chance of noise z is c·e^(−|z|/b), that of z + 1 is e^(−1/b) or e^(1/b) times "
                "it, and c does not depend on z: both ratios are at most e^x, x = 1/b (kernel).",
                (ratio,),
            ),
            "So a table, its cells' noise independent, tells at most 2/b: the logarithms add up. "
            "Which table comes next may depend on those before; given these it is the same "
            "question for both datasets, and the losses of all tables add up (adaptive basic "
            "composition).",
            Step(
                "Tables at once x1 + x2, each telling 2·x5, and x3 of the x3 + x4 on demand, each "
                "telling 2·x6, x8 histograms, each telling 2·x9, and x7 of ε to spare: what is "
                "planned is never less than what is told (kernel).",
                (charge,),
            ),
            "All else, tests, scores, directions and what stands, is computed from the tables.",
        ),
    )


ENTRY = Entry(
    id="tables/planned",
    source=source("the sum that is charged, with Laplace noise"),
    printed="[Code:] cost = Σ 2/b over all tables that the plan allows, at most ε.",
    words="All that a run tells is ε-DP, ε the sum of 2/b over the planned tables.",
    scope="Replace-one; the numbers of records, columns and levels fixed beforehand; discrete "
    "Laplace noise by an exact sampler. With Gaussian noise the same sum is one of ρ = 1/σ².",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "Counted are the tables that were used, not those that were planned.", Charge(planned=False)
    ),
)
