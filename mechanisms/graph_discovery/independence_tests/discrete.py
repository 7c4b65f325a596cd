"""The tests of conditional independence for PC on discrete columns, many sets at a time.

**Stratified Spearman's ρ from contingency tables.** With mid-ranks only: ranks that break ties by
position need the order of the rows, which a table does not hold. It is the correlation of the
mid-ranks. Under every permutation of one column its mean is 0 and its variance 1/(n − 1) exactly,
whatever the ties; hence the weights n − 1, and a z-score of variance 1.

1 − 6Σd²/(n(n² − 1)) would not do: ties push it up. Under independence of two fair coins it lies
near 1/4, not 0, so a test by it would take any two coarse columns to be dependent.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
section 3.3 and Appendix E, after Taylor, Kendall's and Spearman's Correlation Coefficients in the
Presence of a Blocking Variable (1987); the correction for ties: Kendall, Rank Correlation Methods
(1948), chapter 3.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, erfc

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.scores.conditional_ranks import Rule

from ..search.work_limits import Answers
from ..tables.coded import CodedTable, Tables
from ..tables.contingency import chi_squared_terms, counted, tau_terms
from ..tables.shared_tables import SharedTables, Stack


def rho_terms(
    tables: Tables, *, rule: Rule = "released"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each stratum's w·ρ and w, w = n − 1; both are 0 where it does not count.

    tables: shape (strata, levels, levels), levels in their order. rule: which strata count, see
    ``counted``; never one in which a column is constant, where the correlation is not defined.
    Raises ``UsageError`` for an unknown rule.
    """
    counts, sizes = counted(tables, rule)
    n = np.maximum(sizes, 2).astype(np.float64)
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    # Centred, so that neither sum loses digits to the mean.
    first, second = (doubled_midranks(each) - (n[:, None] + 1) for each in (rows, columns))
    square = np.einsum("ki,ki->k", rows, first**2) * np.einsum("ki,ki->k", columns, second**2)
    counts = counts & (square > 0)
    scale = np.sqrt(np.where(square > 0, square, 1.0))
    rho = np.einsum("kij,ki,kj->k", tables, first, second) / scale
    weights = (n - 1) * counts
    return weights * rho, weights


def doubled_midranks(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return first plus last rank of each level; shape as of sizes, (strata, levels)."""
    until = np.cumsum(sizes, axis=1)
    return (2 * until - sizes + 1).astype(np.float64)


_AHEAD = 8
"""Sets that are tested together at first; then twice as many each time."""

_MOST_AHEAD = 64


class Test(Enum):
    """The test of conditional independence; all sum over the strata of the conditioning set.

    The first two are rank tests, for columns whose levels are ordered.

    KENDALL: τ-a, normal, one-sided p at most 1/2, as the released code of Priv-PC has it.
    SPEARMAN: the correlation of mid-ranks, weighted by n − 1, normal, two-sided. CHI_SQUARED, G:
    against the χ² distribution, whatever the order of the levels.
    """

    KENDALL = "kendall"
    SPEARMAN = "spearman"
    CHI_SQUARED = "chi2"
    G = "g"


RANK_TESTS = Test.KENDALL, Test.SPEARMAN


def shared_answers(
    data: CodedTable, test: Test, alpha: float, *, ordered: Collection[str] | None = None
) -> Answers:
    """Return answers from tables of ``data``: the p-value where p ≥ alpha, else 0.

    They are what each table alone would give, and share the work of counting; see
    ``SharedTables``. ordered: names of the columns that a rank test may take; two levels are always
    in order, and other pairs are tested by ``G``. By default it takes all.
    """
    shared, p_values = SharedTables(data), _P_VALUES[test]
    by_rank = [
        test not in RANK_TESTS or ordered is None or name in ordered or levels == 2
        for name, levels in zip(data.names, data.levels, strict=True)
    ]
    # Without a conditioning set every pair is asked about, so many are answered together.
    apart_alone: dict[tuple[int, int], float] = {}
    alike = shared.pairs()

    def above(stack: Stack, pairs: Sequence[tuple[int, int]]) -> list[float]:
        ranked = [by_rank[x] and by_rank[y] for x, y in pairs]
        result = p_values(stack)
        if not all(ranked):
            result = np.where(ranked, result, _P_VALUES[Test.G](stack))
        return [float(p) for p in np.where(result >= alpha, result, 0.0)]

    def answers(
        x: int, y: int, around: Sequence[int], sets: Iterator[tuple[int, ...]]
    ) -> Iterator[tuple[tuple[int, ...], float]]:
        ahead = _AHEAD
        while some := list(islice(sets, ahead)):
            if not some[0]:
                pair = min(x, y), max(x, y)
                while pair not in apart_alone:
                    pairs, stack = next(alike)
                    apart_alone.update(zip(pairs, above(stack, pairs), strict=True))
                yield (), apart_alone[pair]
                continue
            stack = shared.stack(x, y, some, around)
            yield from zip(some, above(stack, [(x, y)]), strict=True)
            ahead = min(2 * ahead, _MOST_AHEAD)

    return answers


def require_testable(data: CodedTable) -> None:
    """Raise ``UsageError`` where the rows are too few for any test of two columns to say anything.

    That is below three rows, which a stratum needs to count, or where fewer than two columns vary.
    """
    names = ", ".join(repr(name) for name in data.names)
    if data.n < 3:
        raise UsageError(f"data has {data.n} rows of {names}: a stratum needs at least 3 to count")
    vary = [bool(np.any(codes != codes[0])) for codes in data.codes]
    if len(vary) > 1 and sum(vary) < 2:
        still = ", ".join(repr(n) for n, v in zip(data.names, vary, strict=True) if not v)
        raise UsageError(
            f"data has {data.n} rows in which {still} are constant: no two columns that vary are"
            " left to test"
        )


def _chi_squared(stack: Stack, statistic: Literal["chi2", "g"]) -> NDArray[np.float64]:
    values, degrees = chi_squared_terms(stack.tables, statistic=statistic)
    total = np.maximum(np.add.reduceat(values, stack.starts), 0)
    free = np.add.reduceat(degrees, stack.starts)
    untested = 1.0 if statistic == "chi2" else 0.0
    return np.where(free > 0, chdtrc(np.maximum(free, 1), total), untested)


def _kendall(stack: Stack) -> NDArray[np.float64]:
    return _tail(stack, *tau_terms(stack.tables)) / 2


def _spearman(stack: Stack) -> NDArray[np.float64]:
    return _tail(stack, *rho_terms(stack.tables))


def _tail(
    stack: Stack, weighted: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return Pr[|N(0, 1)| > |z|], 0 where no stratum counts."""
    top = np.add.reduceat(weighted, stack.starts)
    bottom = np.add.reduceat(weights, stack.starts)
    z = np.abs(top) / np.sqrt(np.where(bottom > 0, bottom, 1.0))
    return np.where(bottom > 0, erfc(z / np.sqrt(2)), 0.0)


_P_VALUES: Mapping[Test, Callable[[Stack], NDArray[np.float64]]] = {
    Test.KENDALL: _kendall,
    Test.SPEARMAN: _spearman,
    Test.CHI_SQUARED: partial(_chi_squared, statistic="chi2"),
    Test.G: partial(_chi_squared, statistic="g"),
}
