from __future__ import annotations

import os
from pathlib import Path

import pytest

from provado.mechanisms import UsageError
from provado.reports.documents import write
from provado.reports.documents.write import check_folder, write_all


def write_files(folder: Path, contents: dict[str, str]) -> None:
    write_all({folder / name: text for name, text in contents.items()})


def test_files_are_written_into_a_new_folder(tmp_path: Path) -> None:
    write_files(tmp_path / "a" / "b", {"x": "ε\n", "y": "\udcff"})
    assert (tmp_path / "a" / "b" / "x").read_text(encoding="utf-8") == "ε\n"
    assert (tmp_path / "a" / "b" / "y").read_text() == "\\udcff"
    assert sorted(os.listdir(tmp_path / "a" / "b")) == ["x", "y"]  # noqa: PTH208


def test_modes_are_those_of_an_ordinary_file(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        write_files(tmp_path, {"x": ""})
        assert (tmp_path / "x").stat().st_mode & 0o777 == 0o644
        (tmp_path / "x").chmod(0o600)
        write_files(tmp_path, {"x": ""})
        assert (tmp_path / "x").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(mask)


@pytest.mark.parametrize("failing", ["first", "second"])
def test_a_failing_write_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    write_files(tmp_path, {"first": "old", "second": "old"})
    beside = write._write_beside

    def full(place: Path, text: str) -> Path:
        if place.name == failing:
            raise OSError(28, "No space left on device")
        return beside(place, text)

    monkeypatch.setattr(write, "_write_beside", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write_files(tmp_path, {"first": "new", "second": "new"})
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "first": "old",
        "second": "old",
    }


def test_a_write_that_fails_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(UsageError, match="Input/output error"):
        write_files(tmp_path, {"x": "new"})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check_folder(tmp_path / "new" / "deep")
    assert not (tmp_path / "new").exists()
    for folder in (tmp_path / "file", tmp_path / "file" / "deep"):
        with pytest.raises(UsageError, match="is not a folder"):
            check_folder(folder)
