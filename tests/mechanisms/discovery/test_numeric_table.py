from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable, numeric_columns


def test_declared_ranges_map_and_clip():
    table = numeric_columns(
        {"age": [0, 50, 100, 130], "b": np.array([1.0, 2.0, 3.0, 2.0])},
        ranges={"age": (0, 100), "b": (1, 3)},
    )
    assert table.names == ("age", "b")
    assert table.n == 4
    assert table.values == pytest.approx(np.array([[-1, 0, 1, 1], [-1, 0, 1, 0]]))
    assert not table.values.flags.writeable


def test_without_ranges_the_data_give_them_and_one_record_moves_all():
    first = numeric_columns({"a": [0, 5, 10]})
    second = numeric_columns({"a": [0, 5, 20]})
    assert first.values[0] == pytest.approx([-1, 0, 1])
    assert second.values[0][1] != first.values[0][1]
    kept = numeric_columns({"a": [0, 5, 20]}, ranges={"a": (0, 10)})
    assert kept.values[0] == pytest.approx([-1, 0, 1])


def test_each_value_is_mapped_alone():
    rng = np.random.default_rng(1)
    values = rng.normal(size=30)
    table = numeric_columns({"a": values}, ranges={"a": (-1.5, 2.0)})
    naive = [min(1, max(-1, 2 * (v + 1.5) / 3.5 - 1)) for v in values]
    assert table.values[0] == pytest.approx(naive, abs=1e-12)


def test_numbers_of_any_kind_are_taken():
    table = numeric_columns({"a": [Fraction(1, 2), 1, 0.0], "b": [True, False, True]})
    assert table.values == pytest.approx(np.array([[0, 1, -1], [1, -1, 1]]))


def test_a_constant_column_passes_within_a_declared_range_only():
    assert numeric_columns({"a": [3, 3]}, ranges={"a": (0, 6)}).values == pytest.approx(0)
    with pytest.raises(UsageError, match=r"column 'a' is constant at 3\.0"):
        numeric_columns({"a": [3, 3]})


@pytest.mark.parametrize(
    ("columns", "ranges", "message"),
    [
        ({}, None, "columns is empty"),
        ({"a": [1, 2], "b": [1, 2, 3]}, None, "column 'b' has 3 rows"),
        ({"a": [1.0, math.nan]}, None, "column 'a' holds nan in row 1"),
        ({"a": [math.inf, 1.0]}, None, "column 'a' holds inf in row 0"),
        ({"a": [1, "two"]}, None, "column 'a' holds 'two'"),
        ({"a": ["1", "2"]}, None, "column 'a' holds '1'"),
        ({"a": [1, None]}, None, "column 'a' holds None"),
        ({"a": [1, 2j]}, None, "column 'a' holds 2j"),
        ({"a": [1, 10**400]}, None, "column 'a' holds a number beyond"),
        ({"a": [1]}, None, "column 'a' has shape"),
        ({"a": [[1, 2], [3, 4]]}, None, "column 'a' has shape"),
        ({"a": [1, 2]}, {"b": (0, 1)}, "ranges names 'b'"),
        ({"a": [1, 2]}, {"a": (2, 1)}, "range of column 'a': low is 2 and high is 1"),
    ],
)
def test_bad_columns_are_named(columns, ranges, message):
    with pytest.raises(UsageError, match=message):
        numeric_columns(columns, ranges=ranges)


@pytest.mark.parametrize(
    ("names", "values", "message"),
    [
        (("a",), [[0.0, 1.5]], r"column 'a' holds 1\.5"),
        (("a",), [[0.0, math.nan]], "column 'a' holds nan"),
        (("a", "b"), [[0.0, 1.0]], "values has shape"),
        (("a", "a"), [[0.0, 1.0], [0.0, 1.0]], "names is"),
        (("a",), [[0.0]], "values has shape"),
    ],
)
def test_a_table_is_checked_at_birth(names, values, message):
    with pytest.raises(UsageError, match=message):
        NumericTable(names, np.array(values))


def test_the_table_is_a_copy():
    values = np.zeros((1, 3))
    table = NumericTable(("a",), values)
    values[0, 0] = 1
    assert table.values[0, 0] == 0
