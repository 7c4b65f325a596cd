import numpy as np
import pandas as pd
import pytest

from provado.mechanisms import UsageError
from provado.reports.targets.csv_and_parquet import load_columns

GOOD = [["1", "2.5"], ["3", "-4e2"], ["5", "6"], ["7", "8"]]


def table(folder, lines, name="t.csv"):
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_csv_columns_come_by_name(tmp_path):
    file = table(tmp_path, ["\ufeffa, b,c", *(",".join([*row, "text"]) for row in GOOD)])
    columns = load_columns(file, ("b", "a"))
    np.testing.assert_array_equal(columns["a"], [1, 3, 5, 7])
    np.testing.assert_array_equal(columns["b"], [2.5, -400, 6, 8])


def test_quoted_cells_and_blank_lines(tmp_path):
    file = table(tmp_path, ['"a","b"', '"1","x, y"', "", "2,x", "3,x", "4,x"])
    np.testing.assert_array_equal(load_columns(file, ("a",))["a"], [1, 2, 3, 4])


def test_parquet_agrees_with_csv(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, 1.5, 2.5, 1e9], "t": list("wxyz")})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for name in ("a", "b"):
        ours = [load_columns(tmp_path / f"t.{kind}", (name,))[name] for kind in ("parquet", "csv")]
        np.testing.assert_array_equal(ours[0], frame[name])
        np.testing.assert_array_equal(ours[1], frame[name])


@pytest.mark.parametrize(
    ("lines", "names", "message"),
    [
        (["a,b", "1,2", "3,4", "5,x", "7,8"], ("a", "b"), "column 'b', row 3 is 'x'"),
        (["a,b", "1,2", "3,", "5,6", "7,8"], ("b",), "column 'b', row 2 is empty"),
        (["a,b", "1,2", "3,nan", "5,6", "7,8"], ("b",), "column 'b', row 2 is 'nan'"),
        (["a,b", "1,2", "3,4", "5,inf", "7,8"], ("b",), "column 'b', row 3 is 'inf'"),
        (["a,b", "1,2", "3,1_000", "5,6", "7,8"], ("b",), "column 'b', row 2 is '1_000'"),
        (["a,b", "1,2", "3,4", "5,6"], ("a", "b"), "it has 3 rows; at least 4"),
        (["height,b", "1,2"], ("heigth", "b"), "did you mean 'height'"),
        (["x,y", "1,2"], ("a",), "no column 'a'; it has 'x', 'y'"),
        (["a,a", "1,2", "1,2", "1,2", "1,2"], ("a",), "column 'a' stands 2 times"),
        (["a,b", "1,2", "1,2,3", "1,2", "1,2"], ("a",), "line 3 has 3 cells, the first line has 2"),
        (["a,b", "1,2,3", "1,2,3", "1,2,3", "1,2,3"], ("a",), "line 2 has 3 cells"),
        (["a,b", "1,2"], ("a", "a"), "column 'a' is named twice"),
        (["a,b", '1,"2'], ("a",), "not readable as CSV"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, lines, names, message):
    with pytest.raises(UsageError, match=message):
        load_columns(table(tmp_path, lines), names)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        load_columns(tmp_path / "none.csv", ("a",))
    with pytest.raises(UsageError, match=r"must end in \.csv or \.parquet"):
        load_columns(table(tmp_path, ["a"], "t.xlsx"), ("a",))
    with pytest.raises(UsageError, match="not readable as Parquet"):
        load_columns(table(tmp_path, ["a"], "t.parquet"), ("a",))
    (tmp_path / "latin.csv").write_bytes(b"a\n\xe9\n")
    with pytest.raises(UsageError, match="not readable as CSV in UTF-8"):
        load_columns(tmp_path / "latin.csv", ("a",))


def test_missing_values_of_parquet_are_named(tmp_path):
    pd.DataFrame({"a": [1.0, None, 3.0, 4.0]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(UsageError, match="column 'a', row 2"):
        load_columns(tmp_path / "t.parquet", ("a",))
