"""Table 1: which score has a bounded sensitivity, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._hsic_bounds import below, general_findings
from provado.proofs.ledger.kusner2016._linear_ridge import Rows, kendall, residuals, spearman
from provado.proofs.ledger.kusner2016._quartiles import interquartile_range, reachable
from provado.proofs.ledger.kusner2016._terms import X, source
from provado.proofs.ledger.kusner2016.iqr_global_unbounded import unbounded_findings
from provado.proofs.ledger.kusner2016.thm1_kendall import kendall_findings
from provado.proofs.ledger.kusner2016.thm1_spearman import spearman_findings
from provado.proofs.ledger.kusner2016.thm5 import bound_findings
from provado.proofs.ledger.kusner2016.thm7 import training_findings

TRAINING_SIZES = (1, 10, 100)
EVEN = tuple(range(1, 9))
"""Eight numbers whose IQR one replaced point cannot move far."""
TIED = (0, 0, 0, 0, 0, 1, 1, 1)
"""Eight numbers whose IQR, 1, is 0 once a 1 is replaced by 0."""
N_APART = 1000
"""Training points at which residuals 1/8 apart keep their order."""


@dataclass(frozen=True)
class Cell:
    """One cell: row, column, what is printed, the findings that decide it, and the reason."""

    row: str
    column: str
    tick: bool
    findings: Callable[[], tuple[kernel.Checked, ...]]
    reason: str


def _number(value: Fraction, claimed: Fraction) -> kernel.Checked:
    return kernel.check(kernel.Identity(((value, 0, 0, 0),), ((claimed, 0, 0, 0),)))


def train_pair(n: int) -> tuple[Rows, Rows]:
    """Return neighbors with slopes 0 and 2/(3n), for the kernel xy and λ = 1."""
    return ((1, 0),) * n, ((1, 1),) + ((1, 0),) * (n - 1)


def shuffled(n: int) -> Rows:
    """Return a test set whose residuals rise with x′ at slope 0 and rank 2, 4, 1, 3 at 2/(3n)."""
    places = (Fraction(-9, 10), Fraction(-3, 10), Fraction(3, 10), Fraction(9, 10))
    return tuple(
        (x, Fraction(2, 3 * n) * x + Fraction(rank, 100 * n))
        for x, rank in zip(places, (2, 4, 1, 3), strict=True)
    )


def full_range(score: Callable[..., Fraction]) -> tuple[kernel.Checked, ...]:
    """Return that the score is 1 under one training set and 0 under its neighbor."""
    found = []
    for n in TRAINING_SIZES:
        for train, claimed in zip(train_pair(n), (1, 0), strict=True):
            test = shuffled(n)
            value = score([x for x, _ in test], residuals(train, test, 1))
            found.append(_number(value, Fraction(claimed)))
    return tuple(found)


def _apart() -> tuple[kernel.Checked, ...]:
    """Return that residuals 1/8 apart keep their order: the gap is above 2b, b = 8/n at λ = 1."""
    values = [Fraction(i, 8) for i in range(8)]
    gap = min(b - a for a, b in pairwise(values))
    return (*bound_findings(), _above(gap, Fraction(16, N_APART)))


def _above(value: Fraction, level: Fraction) -> kernel.Checked:
    terms = ((value, 0, 0, 0), (-level, 0, 0, 0))
    claim = kernel.ExpressionSign(terms, 0, kernel.Coefficients(), strict=True)
    return kernel.check(claim)


def _local_test() -> tuple[kernel.Checked, ...]:
    """Return bounds on log IQR of ``EVEN`` after one change, up and down."""
    iqr = interquartile_range(EVEN)
    lowest, highest = reachable(EVEN, 1)
    if highest is None:
        raise ValueError("one change takes the IQR to any size")
    return tuple(
        kernel.check(kernel.Enclosure(((0, end),), -1, 1, ((0, iqr),), logarithm=True))
        for end in (lowest, highest)
    )


def _not_everywhere() -> tuple[kernel.Checked, ...]:
    """Return that ``TIED`` reaches an IQR of 0 by one change, though its own is above 0."""
    iqr, (lowest, _) = interquartile_range(TIED), reachable(TIED, 1)
    return _above(iqr, Fraction(0)), _number(lowest, Fraction(0))


def _iqr_of_residuals() -> tuple[kernel.Checked, ...]:
    """Return moves of log IQR(r′_Y) by ln(2·3^j/3 − 1) ≥ j/2 for one changed training point."""
    found = []
    for j in (2, 10, 100):
        # Residuals y′ − w·x′ with y′ = x′/3^j: IQR is |1/3^j − w|·IQR(x′).
        test = tuple((x, x / 3**j) for x in (Fraction(i, 4) for i in range(4)))
        low, high = (interquartile_range(residuals(train, test, 1)) for train in train_pair(1))
        ratio = kernel.Enclosure(((0, high),), Fraction(j, 2), 2 * j, ((0, low),), logarithm=True)
        found.append(kernel.check(ratio))
    return tuple(found)


def _hsic_test() -> tuple[kernel.Checked, ...]:
    return (*general_findings(), below(16 * X - 8, (X - 1) ** 2))


_RANK_LOCAL = (
    "residuals 1/8 apart (all training y = 0, y′ = i/8) and n = 1000, λ = 1: none moves by more "
    "than 8/1000, so ranks stay and the local sensitivity is 0 (by kusner2016/thm5)"
)
_RANK_GLOBAL = (
    "with four test points and n training points (1, 0), turning one into (1, 1) takes the score "
    "from 1 to 0, its whole range, for n = 1, 10, 100: no bound below 1 holds"
)
CELLS = (
    Cell("Spearman", "test global", True, spearman_findings, "6/(m + 1) ≤ 30/m bounds it"),
    Cell("Spearman", "test local", True, spearman_findings, "the global bound bounds it"),
    Cell("Spearman", "training global", False, lambda: full_range(spearman), _RANK_GLOBAL),
    Cell("Spearman", "training local", True, _apart, _RANK_LOCAL),
    Cell("Kendall", "test global", True, kendall_findings, "4/m bounds it"),
    Cell("Kendall", "test local", True, kendall_findings, "the global bound bounds it"),
    Cell("Kendall", "training global", False, lambda: full_range(kendall), _RANK_GLOBAL),
    Cell("Kendall", "training local", True, _apart, _RANK_LOCAL),
    Cell("HSIC", "test global", True, _hsic_test, "5/m + 16/m² ≤ (16m − 8)/(m − 1)² bounds it"),
    Cell("HSIC", "test local", True, _hsic_test, "the global bound bounds it"),
    Cell("HSIC", "training global", True, training_findings, "2·L_l·b·(m/(m − 1))² bounds it"),
    Cell("HSIC", "training local", True, training_findings, "the global bound bounds it"),
    Cell("IQR", "test global", False, unbounded_findings, "log IQR moves by j·ln 3, any j"),
    Cell(
        "IQR",
        "test local",
        True,
        _local_test,
        "on 1, 2, …, 8 one change moves log IQR by less than 1",
    ),
    Cell(
        "IQR",
        "training global",
        False,
        _iqr_of_residuals,
        "with y′ = x′/3^j one training point moves log IQR(r′_Y) by at least j/2, for any j",
    ),
    Cell(
        "IQR",
        "training local",
        True,
        lambda: (*_apart(), _above(Fraction(1, 2), Fraction(16, N_APART))),
        "residuals 1/8 apart and n = 1000, λ = 1: their IQR, 1/2, moves by at most 16/1000, and "
        "its logarithm by a bounded amount",
    ),
)
"""All sixteen cells, in the order of the table."""


def _gather() -> Evidence:
    return Evidence(
        printed=(*(f for cell in CELLS for f in cell.findings()), *_not_everywhere()),
        argument=(
            'Reading: a tick in a "global" column means a bound for all data sets that is below '
            'the range of the score, a tick in a "local" column one for some data sets (section '
            '3.4: "can be bounded in the context of a specific data set"), a dash that there is '
            "none. Scores are taken with fixed kernels, training data as in section 5.",
            "The bounds are those of the entries on Theorems 1, 3, 5 and 7, whose findings are "
            "gathered here again.",
            *(
                f"{cell.row}, {cell.column} ({'✓' if cell.tick else '-'}): {cell.reason} (kernel)."
                for cell in CELLS
            ),
            "A local tick is not one for every data set: in (0, 0, 0, 0, 0, 1, 1, 1) one change "
            "takes the IQR from 1 to 0 and its logarithm to −∞ (kernel).",
        ),
    )


ENTRY = Entry(
    id="kusner2016/table1",
    source=source("Table 1"),
    printed="Test set: Spearman's ρ, Kendall's τ, HSIC ✓ ✓ (global, local), IQR - ✓. Training "
    "set: Spearman's ρ, Kendall's τ - ✓, HSIC ✓ ✓, IQR - ✓.",
    words="A tick says that a meaningful bound on the global or local sensitivity exists.",
    scope="All sixteen cells; replace-one; fixed kernels at most 1, 0 < λ ≤ 1.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin(
        "A fifth as a bound on the move ln(5/4) of log IQR of 1, …, 8 after one change up.",
        lambda: kernel.check(
            kernel.Enclosure(((0, Fraction(5)),), 0, Fraction(1, 5), ((0, 4),), logarithm=True)
        ),
    ),
)
