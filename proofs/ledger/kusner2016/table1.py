"""Table 1: which score has a bounded sensitivity, cell by cell."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from provado.proofs.ledger import Claim, Entry, Evidence, Step, Twin, show
from provado.proofs.ledger.fact import AtLeastZero, Enclosed, Equal, Fact, Unshown

from . import hsic, rank_correlation, source, unbounded_scores
from ._exact import Rows, interquartile_range, kendall, reachable, residuals, spearman
from .hsic import GENERAL_FACT
from .training_set import NORM, bound_facts, training_facts

TRAINING_SIZES = (1, 10, 100)
EVEN = tuple(range(1, 9))
"""Eight numbers whose IQR one replaced point cannot move far."""
TIED = (0, 0, 0, 0, 0, 1, 1, 1)
"""Eight numbers whose IQR, 1, is 0 once a 1 is replaced by 0."""
N_APART = 1000
"""Training points at which residuals 1/8 apart keep their order."""


@dataclass(frozen=True)
class SensitivityTable(Claim):
    """The table: for each row its ticks (✓) and dashes (-), in the order of ``COLUMNS``."""

    rows: tuple[tuple[str, str], ...]

    @property
    def formula(self) -> str:
        rows = "; ".join(f"{name} {' '.join(ticks)}" for name, ticks in self.rows)
        return f"{', '.join(COLUMNS)}: {rows}"

    def cells(self) -> tuple[tuple[str, str, bool], ...]:
        """Return row, column and whether there is a tick."""
        return tuple(
            (row, column, tick == "✓")
            for row, ticks in self.rows
            for column, tick in zip(COLUMNS, ticks, strict=True)
        )

    def obligations(self) -> tuple[Fact, ...]:
        result: dict[Fact, None] = {}
        for row, column, tick in self.cells():
            open_ = (Unshown(f"{row}, {column}: {_mark(tick)}"),)
            cell = CELLS.get((row, column))
            result |= dict.fromkeys(cell[1]() if cell and cell[0] is tick else open_)
        return tuple(result)


COLUMNS = ("test global", "test local", "training global", "training local")
CLAIM = SensitivityTable(
    (("Spearman", "✓✓-✓"), ("Kendall", "✓✓-✓"), ("HSIC", "✓✓✓✓"), ("IQR", "-✓-✓"))
)


def _number(value: Fraction, claimed: Fraction) -> Equal:
    return Equal(((value, 0, 0, 0),), ((claimed, 0, 0, 0),))


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


def full_range(score: Callable[..., Fraction]) -> tuple[Fact, ...]:
    """Return that the score is 1 under one training set and 0 under its neighbor."""
    result: list[Fact] = []
    for n in TRAINING_SIZES:
        test = shuffled(n)
        one, other = (
            score([x for x, _ in test], residuals(train, test, 1)) for train in train_pair(n)
        )
        result.append(_number(one - other, Fraction(1)))
    return tuple(result)


def _apart() -> tuple[Fact, ...]:
    """Return that residuals 1/8 apart keep their order: the gap is above 2b, b = 8/n at λ = 1."""
    values = [Fraction(i, 8) for i in range(8)]
    gap = min(b - a for a, b in pairwise(values))
    return (*bound_facts(), _above(gap, Fraction(16, N_APART)))


def _above(value: Fraction, level: Fraction) -> Fact:
    return AtLeastZero(((value, 0, 0, 0), (-level, 0, 0, 0)), 0, strict=True)


def _local_step() -> tuple[Fact, ...]:
    """Return bounds on log IQR of ``EVEN`` after one change, up and down."""
    iqr = interquartile_range(EVEN)
    lowest, highest = reachable(EVEN, 1)
    if highest is None:
        raise ValueError("one change takes the IQR to any size")
    return tuple(
        Enclosed(((0, end),), -1, 1, ((0, iqr),), logarithm=True) for end in (lowest, highest)
    )


def _not_everywhere() -> tuple[Fact, ...]:
    """Return that ``TIED`` reaches an IQR of 0 by one change, though its own is above 0."""
    iqr, (lowest, _) = interquartile_range(TIED), reachable(TIED, 1)
    return _above(iqr, Fraction(0)), _number(iqr - lowest, iqr)


def _iqr_of_residuals() -> tuple[Fact, ...]:
    """Return moves of log IQR(r′_Y) by ln(2·3^j/3 − 1) ≥ j/2 for one changed training point."""
    result: list[Fact] = []
    for j in (2, 10, 100):
        # Residuals y′ − w·x′ with y′ = x′/3^j: IQR is |1/3^j − w|·IQR(x′).
        test = tuple((x, x / 3**j) for x in (Fraction(i, 4) for i in range(4)))
        low, high = (interquartile_range(residuals(train, test, 1)) for train in train_pair(1))
        result.append(Enclosed(((0, high),), Fraction(j, 2), 2 * j, ((0, low),), logarithm=True))
    return tuple(result)


def _hsic_step() -> tuple[Fact, ...]:
    return GENERAL_FACT, *hsic.THM3_CLAIM.obligations()


_RANK_LOCAL = (
    "residuals 1/8 apart (all training y = 0, y′ = i/8) and n = 1000, λ = 1: none moves by more "
    "than 8/1000, so ranks stay and the local sensitivity is 0 (by kusner2016/thm5)"
)
_RANK_GLOBAL = (
    "with four test points and n training points (1, 0), turning one into (1, 1) takes the score "
    "from 1 to 0, its whole range, for n = 1, 10, 100: no bound below 1 holds"
)
_IQR_GLOBAL = "with y′ = x′/3^j one training point moves log IQR(r′_Y) by at least j/2, for any j"
_IQR_LOCAL = (
    "residuals 1/8 apart and n = 1000, λ = 1: their IQR, 1/2, moves by at most 16/1000, and its "
    "logarithm by a bounded amount"
)


def _spearman() -> tuple[Fact, ...]:
    return rank_correlation.FITS, *rank_correlation.THM1_SPEARMAN_CLAIM.obligations()


_kendall = rank_correlation.THM1_KENDALL_CLAIM.obligations
_iqr = unbounded_scores.IQR_GLOBAL_UNBOUNDED.claim.obligations
_BOUNDED = "the global bound bounds it"
TableCell = tuple[bool, Callable[[], tuple[Fact, ...]], str]
"""Whether there is a tick, the facts, and the reason."""
_REASONS: dict[str, tuple[TableCell, ...]] = {
    "Spearman": (
        (True, _spearman, "6/(m + 1) ≤ 30/m bounds it"),
        (True, _spearman, _BOUNDED),
        (False, lambda: full_range(spearman), _RANK_GLOBAL),
        (True, _apart, _RANK_LOCAL),
    ),
    "Kendall": (
        (True, _kendall, "4/m bounds it"),
        (True, _kendall, _BOUNDED),
        (False, lambda: full_range(kendall), _RANK_GLOBAL),
        (True, _apart, _RANK_LOCAL),
    ),
    "HSIC": (
        (True, _hsic_step, "5/m + 16/m² ≤ (16m − 8)/(m − 1)² bounds it"),
        (True, _hsic_step, _BOUNDED),
        (True, training_facts, "2·L_l·b·(m/(m − 1))² bounds it"),
        (True, training_facts, _BOUNDED),
    ),
    "IQR": (
        (False, _iqr, "log IQR moves by j·ln 3, any j"),
        (True, _local_step, "on 1, 2, …, 8 one change moves log IQR by less than 1"),
        (False, _iqr_of_residuals, _IQR_GLOBAL),
        (True, lambda: (*_apart(), _above(Fraction(1, 2), Fraction(16, N_APART))), _IQR_LOCAL),
    ),
}
"""By row, in the order of ``COLUMNS``."""

CELLS = {
    (row, column): cell
    for row, cells in _REASONS.items()
    for column, cell in zip(COLUMNS, cells, strict=True)
}
"""All sixteen cells by row and column, in the order of the table."""


def _mark(tick: bool) -> str:
    return "✓" if tick else "-"


_CUTS: dict[Fact, tuple[int, ...]] = {NORM: (1,)}


@Entry(
    source=source("Table 1"),
    printed="Test set: Spearman's ρ, Kendall's τ, HSIC ✓ ✓ (global, local), IQR - ✓. Training "
    "set: Spearman's ρ, Kendall's τ - ✓, HSIC ✓ ✓, IQR - ✓.",
    words="A tick says that a meaningful bound on the global or local sensitivity exists.",
    scope="All sixteen cells; replace-one; fixed kernels at most 1, 0 < λ ≤ 1.",
    claim=CLAIM,
    twin=Twin(
        "A tick for the training set's global sensitivity of Spearman's ρ.",
        SensitivityTable((("Spearman", "✓✓✓✓"), *CLAIM.rows[1:])),
    ),
)
def _table1(claim: SensitivityTable) -> Evidence:
    beside = _not_everywhere()
    # A tick or dash that no cell gives a reason for is left without a finding.
    known = [fact for fact in claim.obligations() if not isinstance(fact, Unshown)]
    checks = [show(f, cuts=_CUTS.get(f, ())) for f in known]
    return Evidence(
        printed=(*checks, *map(show, beside)),
        argument=(
            'Reading: a tick in a "global" column means a bound for all data sets that is below '
            'the range of the score, a tick in a "local" column one for some data sets (section '
            '3.4: "can be bounded in the context of a specific data set"), a dash that there is '
            "none. Scores are taken with fixed kernels, training data as in section 5.",
            "The bounds are those of the entries on Theorems 1, 3, 5 and 7, whose findings are "
            "gathered here again.",
            *(
                Step(f"{row}, {column} ({_mark(tick)}): {reason} (kernel).", facts())
                for (row, column), (tick, facts, reason) in CELLS.items()
            ),
            Step(
                "A local tick is not one for every data set: in (0, 0, 0, 0, 0, 1, 1, 1) one "
                "change takes the IQR from 1 to 0 and its logarithm to −∞ (kernel).",
                beside,
            ),
        ),
    )


ENTRY = _table1
