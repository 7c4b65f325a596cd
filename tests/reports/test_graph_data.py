from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from provado.mechanisms import UsageError
from provado.reports.commands.discover.graph_data import (
    Ordered,
    column_names,
    level,
    load_discrete,
    load_levels,
)


def table(tmp_path: Path, column: list[str], name: str = "X") -> Path:
    file = tmp_path / "table.csv"
    file.write_text("".join(f"{cell},{i % 2}\n" for i, cell in enumerate([name, *column])))
    return file


def codes(tmp_path: Path, column: list[str], levels: Any = None) -> list[int]:
    file = table(tmp_path, column)
    known = None
    if levels is not None:
        (tmp_path / "levels.json").write_text(json.dumps({"X": levels, "0": [0, 1]}))
        known = load_levels(tmp_path / "levels.json")
    read = load_discrete(file, ["X", "0"], known)
    assert read.codes[1].tolist() == [(i + 1) % 2 for i in range(len(column))]
    return [int(code) for code in read.codes[0]]


def test_texts_such_as_none_are_levels(tmp_path: Path) -> None:
    assert codes(tmp_path, ["None", "NA", "null", "None"]) == [1, 0, 2, 1]


def test_nan_is_a_level_only_where_it_is_listed(tmp_path: Path) -> None:
    assert codes(tmp_path, ["nan", "a", "a", "nan"], ["a", "nan"]) == [1, 0, 0, 1]
    with pytest.raises(UsageError, match="column 'X', row 1 is 'nan'"):
        codes(tmp_path, ["nan", "a", "a", "nan"])


def test_numbers_are_ordered_as_numbers(tmp_path: Path) -> None:
    assert codes(tmp_path, ["10", "9", "-1", "2.50", "2.5"]) == [3, 2, 0, 1, 1]
    assert codes(tmp_path, ["b", "10", "a", "9"]) == [3, 1, 2, 0]


def test_given_levels_keep_their_order_and_may_be_absent(tmp_path: Path) -> None:
    column = ["low", "high", "low", "low"]
    assert codes(tmp_path, column, ["low", "middle", "high"]) == [0, 2, 0, 0]
    # To refuse a column that happens to be constant would tell of the data.
    assert codes(tmp_path, ["low"] * 4, ["low", "high"]) == [0, 0, 0, 0]


def test_json_and_csv_write_values_differently(tmp_path: Path) -> None:
    assert codes(tmp_path, ["True", "False", " True", "False"], [False, True]) == [1, 0, 1, 0]
    assert codes(tmp_path, ["1", "2.0", "2", "1e0"], [2, 1.0]) == [1, 0, 0, 1]
    assert codes(tmp_path, ["007", "7", "7", "007"], ["7", "007"]) == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("0", 0),
        ("-3", -3),
        ("+4", 4),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("9007199254740993", 9007199254740993),
        ("1_000", "1_000"),
        ("0x1", "0x1"),
        ("01", "01"),
        ("1e999", "1e999"),
        ("inf", "inf"),
        (" a b ", "a b"),
        ("٣", "٣"),
        (True, "True"),
        (2, 2),
    ],
)
def test_cells_as_levels(value: Any, read: Any) -> None:
    found = level(value)
    assert (found, type(found)) == (read, type(read))


def test_parquet_columns_of_any_type(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "table.parquet"
    frame = pd.DataFrame(
        {"b": [True, False, True, False], "i": [3, 3, 1, 1], "s": ["None", "x", "x", "None"]}
    )
    frame.to_parquet(file)
    assert column_names(file) == ["b", "i", "s"]
    read = load_discrete(file, column_names(file), None)
    assert read.codes.tolist() == [[1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 1, 0]]
    frame.loc[2, "s"] = None
    frame.to_parquet(file)
    with pytest.raises(UsageError, match="column 's', row 3 is empty"):
        load_discrete(file, ["s", "i"], None)
    pd.DataFrame({"a": [1.0, np.nan, 2.0, 1.0], "b": [1, 2, 1, 2]}).to_parquet(file)
    with pytest.raises(UsageError, match="column 'a', row 2 is empty"):
        load_discrete(file, ["a", "b"], None)


def test_cells_without_a_value_may_have_a_level_of_their_own(tmp_path: Path) -> None:
    said = "write a level of its own, such as missing, in these cells"
    for column, levels in ((["a", "", "a", "b"], None), (["a", "b", "a", "b"], ["a", "b", ""])):
        with pytest.raises(UsageError, match=said):
            codes(tmp_path, column, levels)
    assert codes(tmp_path, ["a", "missing", "a", "b"]) == [0, 2, 0, 1]


def test_levels_may_be_declared_ordered(tmp_path: Path) -> None:
    file = tmp_path / "levels.json"
    file.write_text(json.dumps({"X": {"ordered": ["low", "high"]}, "Y": ["low", "high"]}))
    known = load_levels(file)
    assert known == {"X": ("low", "high"), "Y": ("low", "high")}
    assert [isinstance(known[name], Ordered) for name in "XY"] == [True, False]
    assert codes(tmp_path, ["b", "a", "b", "a"], {"ordered": ["b", "a"]}) == [0, 1, 0, 1]


@pytest.mark.parametrize(
    "levels",
    [{"ordered": ["a"]}, {"ordered": {"ordered": ["a", "b"]}}, {"order": ["a", "b"]}, {}],
)
def test_other_forms_of_levels_are_refused(tmp_path: Path, levels: Any) -> None:
    with pytest.raises(UsageError, match=r"column 'X' is .* must be a list of at least two levels"):
        codes(tmp_path, ["a", "b", "a", "b"], levels)


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    for name in ("absent.csv", "absent.parquet"):
        with pytest.raises(UsageError, match=name):
            column_names(tmp_path / name)
    with pytest.raises(UsageError, match=r"must end in \.csv or \.parquet"):
        column_names(tmp_path / "table.txt")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not readable as CSV"):
        column_names(tmp_path / "binary.csv")
