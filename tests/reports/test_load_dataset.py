from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, UsageError
from provado.reports.targets.dataset import load_dataset, load_pair, read_domain


def write(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_json_comes_as_python_has_it(tmp_path: Path) -> None:
    assert load_dataset(write(tmp_path, "d.json", '[1, 2.5, "a", null]')) == [1, 2.5, "a", None]
    assert load_dataset(write(tmp_path, "d.json", "3")) == 3
    assert math.isnan(load_dataset(write(tmp_path, "d.JSON", "[NaN]"))[0])


def test_npy(tmp_path: Path) -> None:
    array = np.arange(6).reshape(2, 3)
    np.save(tmp_path / "d.npy", array)
    np.testing.assert_array_equal(load_dataset(tmp_path / "d.npy"), array)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\n2\n", [1, 2]),
        ("1,2\n", [[1, 2]]),
        ("1,\n 2 ,3\n", [[1, math.nan], [2, 3]]),
        ("\n1,2\n", [[1, 2]]),
    ],
)
def test_a_csv_without_a_header_is_numbers(
    tmp_path: Path, text: str, expected: list[float]
) -> None:
    for name in ("d.csv", "d.csv:matrix"):
        write(tmp_path, "d.csv", text)
        np.testing.assert_array_equal(load_dataset(tmp_path / name), np.array(expected, float))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age\n1\n2", [1, 2]),
        ("\ufeffa,b\r\n1,2\r\n\r\n3,nan\r\n", [[1, 2], [3, math.nan]]),
    ],
)
def test_a_csv_with_a_header_is_a_matrix_when_asked(
    tmp_path: Path, text: str, expected: list[float]
) -> None:
    write(tmp_path, "d.csv", text)
    found = load_dataset(tmp_path / "d.csv:matrix")
    np.testing.assert_array_equal(found, np.array(expected, float))


COLUMNS = {
    "age": st.integers(-(2**40), 2**40),
    "income": st.floats(allow_nan=False, allow_infinity=False) | st.just(math.nan),
    "city, or town": st.sampled_from(["rome", "oslo", 'the "old" one', "a,b"]),
    "member": st.booleans(),
}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(*COLUMNS.values()), min_size=1, max_size=6))
def test_a_csv_comes_back_with_its_names_and_types(rows: list[tuple[object, ...]]) -> None:
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        frame.to_csv(Path(folder) / "d.csv", index=False)
        found = load_dataset(Path(folder) / "d.csv")
    pd.testing.assert_frame_equal(found, frame, rtol=1e-15)


def test_space_around_names_and_values_of_a_csv_is_no_part_of_them(tmp_path: Path) -> None:
    write(tmp_path, "d.csv", 'age, work ,city\n39, State-gov, " a"\n50, Private,b\n')
    found = load_dataset(tmp_path / "d.csv")
    assert list(found) == ["age", "work", "city"]
    assert found["work"].tolist() == ["State-gov", "Private"]
    assert found["city"].tolist() == [" a", "b"]


def test_a_pair_of_csv_files_has_one_type_a_column(tmp_path: Path) -> None:
    write(tmp_path, "d.csv", "x,city\n1,a\n2,b\n")
    write(tmp_path, "e.csv", "x,city\n1,a\n,b\n")
    d, d_prime = load_pair((str(tmp_path / "d.csv"), str(tmp_path / "e.csv")))
    assert d.dtypes.tolist() == d_prime.dtypes.tolist()
    assert load_dataset(tmp_path / "d.csv").dtypes["x"] != d.dtypes["x"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("d.json", "[1, 2", "not readable as JSON"),
        ("d.json", b"\xff\xfe", "not readable as JSON"),
        ("d.npy", "not an array", "not readable as .npy"),
        ("d.npy", "", "not readable as .npy"),
        ("d.csv", "1,2\n3,x\n", "line 2 is '3,x': not numbers"),
        ("d.csv", "1,2\n3\n", "line 2 has 1 cell, the first line has 2"),
        ("d.csv", "a,b\n1,x\n3\n", "line 3 has 1 cell, the first line has 2"),
        ("d.csv", "a;b\n1;2\n", "line 1 is 'a;b': its columns are separated by semicolons"),
        ("d.csv", "a;b\n1,5;2,5\n", "columns are separated by semicolons, and a CSV file needs"),
        ("d.csv", "a\tb\n1\t2\n", "columns are separated by tabs, and a CSV file needs commas"),
        ("d.csv", "a,b\n", "it holds no record"),
        ("d.csv", "", "it holds no record"),
        ("d.csv", b"\xff", "perhaps in WINDOWS-1252: save it in UTF-8, for example by `iconv -f"),
        *(
            (f"d.{kind}", text.encode(code), f"seems to be in {code}: save it in UTF-8")
            for code in ("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE")
            for kind, text in (("csv", "a,b\n1,2\n"), ("json", "[1, 2, 3]"))
        ),
        ("d.txt", "1", "the file's name must end in one of .csv, .csv:matrix, .json, .npy"),
    ],
)
def test_what_cannot_be_read_is_refused(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    file = write(tmp_path, name, content)
    with pytest.raises(UsageError) as raised:
        load_dataset(file)
    assert str(file) in str(raised.value)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_text_is_no_matrix(tmp_path: Path) -> None:
    write(tmp_path, "d.csv", "a,b\n1,2\n3,x\n")
    assert load_dataset(tmp_path / "d.csv")["b"].tolist() == ["2", "x"]
    with pytest.raises(UsageError, match=r"d\.csv:matrix.*line 3 is '3,x': not numbers"):
        load_dataset(tmp_path / "d.csv:matrix")


@pytest.mark.parametrize("suffix", ["json", "npy", "csv"])
def test_a_missing_file_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(UsageError, match="No such file"):
        load_dataset(tmp_path / f"d.{suffix}")
    write(tmp_path, f"dd.{suffix}", "")
    with pytest.raises(UsageError, match=rf"No such file .*did you mean 'dd\.{suffix}'"):
        load_dataset(tmp_path / f"d.{suffix}")
    write(tmp_path, "d.parquet", "")
    with pytest.raises(UsageError, match="did you mean"):
        load_dataset(tmp_path / f"d.{suffix}")


def test_pickled_objects_are_not_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "d.npy", np.array([{1}], dtype=object), allow_pickle=True)
    with pytest.raises(UsageError, match=r"not readable as \.npy"):
        load_dataset(tmp_path / "d.npy")


def test_a_relation_is_checked(tmp_path: Path) -> None:
    d, far = (str(write(tmp_path, n, t)) for n, t in (("a.json", "[1, 2]"), ("b.json", "[3, 4]")))
    assert load_pair((d, far)) == ([1, 2], [3, 4])
    with pytest.raises(UsageError, match=r"--pair .*a\.json .*b\.json: .* differ in 2 records"):
        load_pair((d, far), ReplaceOne())
    with pytest.raises(UsageError, match="differ by 1 in length"):
        load_pair((d, far), AddOrRemoveOne())


def test_a_pair_of_equal_datasets_is_refused(tmp_path):
    for name, text in {"a.json": "[1, 2]", "b.json": "[1, 2 ]", "c.json": "[2, 1]"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    a, b, c = (str(tmp_path / name) for name in ("a.json", "b.json", "c.json"))
    with pytest.raises(UsageError, match="D and D′ are the same"):
        load_pair((a, b))
    assert load_pair((a, c)) == ([1, 2], [2, 1])


@pytest.mark.parametrize("text", ["120", "-3", "0", "2.5", " 7 ", "1e3"])
@pytest.mark.parametrize("column", ["", "age"])
def test_a_single_number_is_no_domain_and_the_range_it_offers_is_one(
    text: str, column: str
) -> None:
    """A range of which the lower end was left out would else be a bound of 0."""
    stated = [f"{column}={text}"] if column else [text]
    with pytest.raises(UsageError, match="single number") as refused:
        read_domain(stated)
    offered = str(refused.value).rpartition("as in ")[2]
    low, high = read_domain([offered])
    assert low < high
    assert float(text) in (low, high)
    # More values than one, a text alone, and a range of one number that is written out are fine.
    assert read_domain([f"{text},7.5"]) == [pytest.approx(float(text)), 7.5]
    assert read_domain(["rome"]) == ["rome"]
    assert read_domain([f"{text.strip()}:{text.strip()}"]) == (float(text), float(text))
