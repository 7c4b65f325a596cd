from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, UsageError
from provado.reports.ask.dataset import load_dataset, load_pair


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
        ("age\n1\n2", [1, 2]),
        ("\ufeffa,b\r\n1,2\r\n\r\n3,nan\r\n", [[1, 2], [3, math.nan]]),
        ("1,2\n", [[1, 2]]),
    ],
)
def test_csv(tmp_path: Path, text: str, expected: list[float]) -> None:
    found = load_dataset(write(tmp_path, "d.csv", text))
    np.testing.assert_array_equal(found, np.array(expected, dtype=float))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("d.json", "[1, 2", "not readable as JSON"),
        ("d.json", b"\xff\xfe", "not readable as JSON"),
        ("d.npy", "not an array", "not readable as .npy"),
        ("d.npy", "", "not readable as .npy"),
        ("d.csv", "a,b\n1,2\n3,x\n", "line 3 is '3,x': not numbers"),
        ("d.csv", "1,2\n3\n", "line 2 has 1 numbers, the lines before it have 2"),
        ("d.csv", "a,b\n", "it holds no record"),
        ("d.csv", "", "it holds no record"),
        ("d.csv", b"\xff", "not readable as UTF-8"),
        ("d.txt", "1", "the file's name must end in one of .csv, .json, .npy"),
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


@pytest.mark.parametrize("suffix", ["json", "npy", "csv"])
def test_a_missing_file_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(UsageError, match="No such file"):
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
