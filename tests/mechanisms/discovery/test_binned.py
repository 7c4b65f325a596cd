from __future__ import annotations

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graphs.noisy.bins import LEAST_BINS, MOST_BINS, plan_bins
from provado.mechanisms.graphs.tables.binned import beside, binned
from provado.mechanisms.graphs.tables.coded import code_columns
from provado.mechanisms.graphs.tables.numeric import numeric_columns


def test_bins_are_of_equal_width_and_both_ends_are_in_one() -> None:
    values = [0.0, 0.99, 1.0, 2.5, 3.99, 4.0, 9.0, -3.0]
    data = binned(numeric_columns({"v": values}, ranges={"v": (0.0, 4.0)}), 4)
    assert data.codes[0].tolist() == [0, 0, 1, 2, 3, 3, 3, 0]
    assert data.levels == (4,)
    for wrong in (1, 257):
        with pytest.raises(UsageError, match="bins is"):
            binned(numeric_columns({"v": values}, ranges={"v": (0.0, 4.0)}), wrong)


def test_columns_stand_in_the_order_of_the_names() -> None:
    first = code_columns({"a": [0, 1, 1, 0], "c": [2, 2, 1, 0]})
    second = binned(numeric_columns({"b": [0.0, 1.0, 0.2, 0.9]}, ranges={"b": (0.0, 1.0)}), 2)
    both = beside([first, second], ["a", "b", "c"])
    assert both.codes.tolist() == [[0, 1, 1, 0], [0, 1, 0, 1], [2, 2, 1, 0]]
    assert both.levels == (2, 2, 3)
    with pytest.raises(UsageError, match="names is"):
        beside([first, second], ["a", "b"])
    short = code_columns({"d": [0, 1]})
    with pytest.raises(UsageError, match="same records"):
        beside([first, short], ["a", "c", "d"])


def test_bins_grow_with_rows_and_budget() -> None:
    few = plan_bins(1000, (2,), 5, epsilon=0.1, delta=1e-6)
    more = plan_bins(100_000, (2,), 5, epsilon=0.3, delta=1e-6)
    many = plan_bins(10_000_000, (2,), 5, epsilon=10.0, delta=1e-6)
    assert LEAST_BINS == few <= more <= many == MOST_BINS
    assert np.all(np.diff([few, more, many]) >= 0)
