"""EM-PC: the utility of deleting an edge, for a 2 × 2 table, and its sensitivity.

The utility of deleting an edge in EM-PC, as the released code describes it, for a 2 × 2 table.

It is the number of rows whose removal takes the G-test across its critical value, with the sign of
the decision. Decided exactly: G = 2Σ O·ln(O·n/(R·C)) is at least c where Π (O·n/(R·C))^(2O) ≥ e^c.
"""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

from provado.proofs import kernel, ledger
from provado.proofs.ledger.find_certificate import moves_more

from . import source

CRITICAL = Fraction(3841, 1000)
"""The critical value of one degree of freedom at the level 1/20, to three places."""

Table = tuple[int, ...]


def removal_utility(rows: tuple[int, ...]) -> int:
    """Return the utility; rows hold the cell, 0 to 3 for (0, 0), (0, 1), (1, 0), (1, 1).

    Positive where the columns pass as independent. Raises ``ValueError`` where no removal crosses.
    """
    table = tuple(rows.count(cell) for cell in range(4))
    here = dependent(table)
    kept = [
        sum(other)
        for other in product(*(range(count + 1) for count in table))
        if dependent(other) is not here
    ]
    distance = len(rows) - max(kept)
    return -distance if here else distance


@cache
def dependent(table: Table) -> bool:
    """Return whether G is at least ``CRITICAL``, decided between rational numbers."""
    a, b, c, d = table
    n = a + b + c + d
    first, second = (a + b, c + d), (a + c, b + d)
    margins = zip(table, (r * k for r in first for k in second), strict=True)
    power = math.prod((Fraction(o * n, m) ** (2 * o) for o, m in margins if o), start=Fraction(1))
    low, high = kernel.exp_enclosure(CRITICAL)
    if low <= power <= high:
        raise ValueError(f"the G-test of {table} is too close to its critical value")
    return power > high


# Section 1, on EM-PC: the sensitivity of its utility, and what a greedy search does to it.

_ROWS = (1, *(2,) * 7, *(3,) * 3)


def moves_at_most(bound: str) -> ledger.Sensitivity:
    """Return the claim that the utility moves by at most a bound, tried on a table of 11 rows."""
    name = "wang2020.em_pc.removal_utility"
    return ledger.Sensitivity(
        "the utility of EM-PC",
        "add-or-remove-one",
        ledger.Formula(bound, "n"),
        ((name, len(_ROWS)),),
    )


EMPC_SENSITIVITY_CLAIM = ledger.Unstated(
    "EM-PC's utility, its printed sensitivity bound and the greedy search: they stand in Xu, Yuan "
    "and Wu (2017), not in the text",
    moves_at_most("1"),
)


@ledger.Entry(
    source=source("section 1, State-of-the-art"),
    printed="The implementation from the original paper [33] uses a greedy search to approximate "
    "the solution presented in the paper. It is unclear whether the differential privacy still "
    "holds given this compromise since the original sensitivity bound does not hold anymore.",
    words="The utility of EM-PC has a known sensitivity, which its greedy approximation exceeds.",
    scope="Add-or-remove-one; the utility as the released code describes it.",
    claim=EMPC_SENSITIVITY_CLAIM,
    expected=ledger.LedgerVerdict.INCOMPLETE,
    twin=ledger.Twin(
        "The same pair as a counterexample to a change of 4.",
        replace(EMPC_SENSITIVITY_CLAIM, reading=moves_at_most("4")),
    ),
)
def _empc_sensitivity(claim: ledger.Unstated) -> ledger.Evidence:
    (moved,) = claim.reading.counterexamples() if claim.reading else ()
    return ledger.Evidence(
        corrected=(moves_more(moved, (_ROWS, (1, *_ROWS)), removal_utility),),
        correction="Counted by removals alone, the exact utility is not 1-sensitive either: one "
        "row moves it by 4 in a table of 11 rows.",
        kind="reading",
        corrected_claim=claim.reading,
        argument=(
            "By the released code the utility of deleting an edge is the number of rows whose "
            "removal crosses the G-test's critical value, signed by the decision. Nothing in the "
            "text says what bound was claimed for it, so there is no statement to decide.",
            ledger.Step(
                "Let D hold a 2 × 2 table with cells 0, 1, 7, 3, and D′ one row more in the "
                "second: 0, 2, 7, 3. D passes as independent, and no removal of fewer than 3 rows "
                "changes that; D′ does not, and one removal changes it. The utility goes from 3 to "
                "−1 (kernel, replayed; the G-test decided in exact numbers). A distance that "
                "counts added rows too would move by at most 1, and by 2 where the decision turns.",
                (moved,),
            ),
        ),
    )


ENTRIES = (_empc_sensitivity,)
