"""Pairs of neighbors with three columns of 0 and 1 on which discovery of a graph is watched.

In the first two, one stratum of the third column counts under one dataset only: there the first
column is constant but for the record that differs, and a stratum with a constant column is left
out. So one record brings in nearly all records, among which the columns are independent.
"""

from collections.abc import Mapping

Record = tuple[int, ...]
Records = tuple[Record, ...]
Pair = tuple[Records, Records]


def replace_first(records: Records, old: Record, new: Record) -> Records:
    """Return the records with the first that equals ``old`` replaced."""
    place = records.index(old)
    return (*records[:place], new, *records[place + 1 :])


def repeat(cells: Mapping[Record, int]) -> Records:
    """Return each record as often as it is said to occur."""
    return tuple(record for record, times in cells.items() for record in (record,) * times)


def _pair(cells: Mapping[Record, int], old: Record, new: Record) -> Pair:
    records = repeat(cells)
    return records, replace_first(records, old, new)


STRATUM_PAIR = _pair(
    {(0, 0, 0): 96, (0, 1, 0): 96, (0, 0, 1): 4, (1, 1, 1): 4}, (0, 1, 0), (1, 1, 0)
)
"""200 records. Given the third column, τ̄ of the first two goes from 4/7, over a stratum of 8
records, to nearly 0, over all."""

TWO_STRATA_PAIR = _pair(
    {(0, 0, 0): 19_920, (0, 1, 0): 8, (0, 0, 1): 8, (1, 1, 1): 64}, (0, 0, 0), (1, 0, 0)
)
"""20,000 records. The same happens to two tests at once: of the first column with the second and
with the third. The sensitivity that the released code takes shrinks as 1/√n only: that few records
are too few, as a p-value spans 1/2."""

GREEDY_PAIR = _pair(
    {(0, 1, 0): 1, (1, 0, 0): 1, (1, 1, 0): 20, (1, 1, 1): 18}, (0, 1, 0), (0, 0, 0)
)
"""40 records. The greedy count of EM-PC for the first two columns goes from 39 to 0."""
