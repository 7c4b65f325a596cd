"""Section 1, on EM-PC: the sensitivity of its utility, and what a greedy search does to it."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.wang2020._removal import removal_utility
from provado.proofs.ledger.wang2020._terms import source

_ROWS = (1, *(2,) * 7, *(3,) * 3)


def _moves(claimed: int) -> kernel.Checked:
    more = (1, *_ROWS)
    values = removal_utility(_ROWS), removal_utility(more)
    claim = kernel.ChangeCounterexample(_ROWS, more, "add-or-remove-one", values, claimed)
    return kernel.check(claim, removal_utility)


def _gather() -> Evidence:
    return Evidence(
        corrected=(_moves(1),),
        correction="Counted by removals alone, the exact utility is not 1-sensitive either: one "
        "row moves it by 4 in a table of 11 rows.",
        kind="repair",
        lacks="EM-PC's utility, its printed sensitivity bound and the greedy search: they stand in "
        "Xu, Yuan and Wu (2017), not in the text",
        argument=(
            "By the released code the utility of deleting an edge is the number of rows whose "
            "removal crosses the G-test's critical value, signed by the decision. Nothing in the "
            "text says what bound was claimed for it, so there is no statement to decide.",
            "Let D hold a 2 × 2 table with cells 0, 1, 7, 3, and D′ one row more in the second: "
            "0, 2, 7, 3. D passes as independent, and no removal of fewer than 3 rows changes "
            "that; D′ does not, and one removal changes it. The utility goes from 3 to −1 (kernel, "
            "replayed; the G-test decided in exact numbers). A distance that counts added "
            "rows too would move by at most 1, and by 2 where the decision turns.",
        ),
    )


def _twin() -> object:
    return _moves(4)


ENTRY = Entry(
    id="wang2020/empc-sensitivity",
    source=source("section 1, State-of-the-art"),
    printed="The implementation from the original paper [33] uses a greedy search to approximate "
    "the solution presented in the paper. It is unclear whether the differential privacy still "
    "holds given this compromise since the original sensitivity bound does not hold anymore.",
    words="The utility of EM-PC has a known sensitivity, which its greedy approximation exceeds.",
    scope="Add-or-remove-one; the utility as the released code describes it.",
    expected=LedgerVerdict.INCOMPLETE,
    gather=_gather,
    twin=Twin("The same pair as a counterexample to a change of 4.", _twin),
)
