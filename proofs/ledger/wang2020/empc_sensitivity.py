"""Section 1, on EM-PC: the sensitivity of its utility, and what a greedy search does to it."""

from __future__ import annotations

from dataclasses import replace

from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Sensitivity,
    Step,
    Twin,
    Unstated,
)
from provado.proofs.ledger.show import moves_more

from . import source
from ._removal import removal_utility

_ROWS = (1, *(2,) * 7, *(3,) * 3)


def moves_at_most(bound: str) -> Sensitivity:
    """Return the claim that the utility moves by at most a bound, tried on a table of 11 rows."""
    name = "wang2020._removal.removal_utility"
    return Sensitivity(
        "the utility of EM-PC", "add-or-remove-one", Formula(bound, "n"), ((name, len(_ROWS)),)
    )


CLAIM = Unstated(
    "EM-PC's utility, its printed sensitivity bound and the greedy search: they stand in Xu, Yuan "
    "and Wu (2017), not in the text",
    moves_at_most("1"),
)


def _gather(claim: Unstated) -> Evidence:
    (moved,) = claim.reading.counterexamples() if claim.reading else ()
    return Evidence(
        corrected=(moves_more(moved, (_ROWS, (1, *_ROWS)), removal_utility),),
        correction="Counted by removals alone, the exact utility is not 1-sensitive either: one "
        "row moves it by 4 in a table of 11 rows.",
        kind="reading",
        corrected_claim=claim.reading,
        argument=(
            "By the released code the utility of deleting an edge is the number of rows whose "
            "removal crosses the G-test's critical value, signed by the decision. Nothing in the "
            "text says what bound was claimed for it, so there is no statement to decide.",
            Step(
                "Let D hold a 2 × 2 table with cells 0, 1, 7, 3, and D′ one row more in the "
                "second: 0, 2, 7, 3. D passes as independent, and no removal of fewer than 3 rows "
                "changes that; D′ does not, and one removal changes it. The utility goes from 3 to "
                "−1 (kernel, replayed; the G-test decided in exact numbers). A distance that "
                "counts added rows too would move by at most 1, and by 2 where the decision turns.",
                (moved,),
            ),
        ),
    )


ENTRY = Entry(
    id="wang2020/empc-sensitivity",
    source=source("section 1, State-of-the-art"),
    printed="The implementation from the original paper [33] uses a greedy search to approximate "
    "the solution presented in the paper. It is unclear whether the differential privacy still "
    "holds given this compromise since the original sensitivity bound does not hold anymore.",
    words="The utility of EM-PC has a known sensitivity, which its greedy approximation exceeds.",
    scope="Add-or-remove-one; the utility as the released code describes it.",
    claim=CLAIM,
    expected=LedgerVerdict.INCOMPLETE,
    gather=_gather,
    twin=Twin(
        "The same pair as a counterexample to a change of 4.",
        replace(CLAIM, reading=moves_at_most("4")),
    ),
)
