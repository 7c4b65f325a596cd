from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from provado.reports.cli.main import main

ROWS = "X,Y,Z\n" + "a,1,0.5\nb,2,0.75\na,2,0.1\nb,1,0.3\n" * 3
PRIV = ["--method", "priv-pc", "--epsilon", "1"]
PCD = ["--method", "pcd", "--epsilon", "1"]


def refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, arguments: list[str]
) -> str:
    table = tmp_path / "table.csv"
    table.write_text(rows, encoding="utf-8")
    assert main(["discover", str(table), *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("provado: error: ")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--epsilon: needed for a graph"),
        (["--x", "X"], "--y: needed for a pair"),
        (["--method", "anm"], "--x: needed for a pair"),
        (["--method", "anm", "--x", "X", "--y", "Y", "--out", "d"], "--out: it has no meaning"),
        ([*PRIV, "--x", "X"], "--x: it has no meaning for --method priv-pc"),
        ([*PRIV, "--protect", "test"], "--protect: it has no meaning"),
        (["--method", "fci"], "invalid choice: 'fci'"),
        (["--method", "priv-pc"], "--epsilon: needed with --method priv-pc"),
        (["--method", "pc", "--epsilon", "1"], "--epsilon: --method pc is not private"),
        (["--method", "pc", "--rounds", "3"], "--rounds: --method pc is not private"),
        (["--method", "pc", "--version", "released"], "--version: --method pc is not private"),
        (
            ["--method", "svt-pc", "--epsilon", "1", "--version", "printed"],
            "has repaired, released",
        ),
        ([*PCD, "--version", "released"], "--method pcd has repaired, printed"),
        ([*PRIV, "--version", "printed"], "--threshold: needed"),
        ([*PRIV, "--threshold", "0.5"], "--threshold: it has no meaning"),
        ([*PRIV, "--bandwidth", "1"], "--bandwidth: it has no meaning"),
        ([*PRIV, "--lam", "1"], "--lam: it has no meaning"),
        ([*PRIV, "--test", "g"], "--test: it has no meaning"),
        ([*PRIV, "--test", "rcit"], "--test: it has no meaning"),
        (["--method", "pc-numeric", "--test", "chi2"], "--test: it has no meaning"),
        ([*PRIV, "--rounds", "0"], "0 is refused"),
        ([*PRIV, "--max-tests", "0"], "0 is refused"),
        ([*PRIV, "--seconds", "0"], "0 is refused"),
        (["--x", "X", "--y", "Y", "--max-tests", "9"], "--max-tests: it has no meaning for a pair"),
        (["--x", "X", "--y", "Y", "--seconds", "9"], "--seconds: it has no meaning for a pair"),
        ([*PRIV, "--delta", "1"], "1 is refused"),
        ([*PRIV, "--epsilon", "0"], "0 is refused"),
        ([*PRIV, "--epsilon", "1e6", "--rounds", "1"], "a round has at most 1000"),
        ([*PRIV, "--alpha", "0.7"], "alpha is 0.7"),
        ([*PRIV, "--columns", "X"], "a graph needs at least 2 columns, not 1"),
        ([*PRIV, "--columns", "X", "X"], "column 'X' is named twice"),
        ([*PRIV, "--columns", "X", "W"], "no column 'W'"),
        ([*PRIV, "--ranges", "r.json"], "takes discrete columns; give --levels"),
        ([*PCD, "--levels", "r.json"], "takes numeric columns; give --ranges"),
        (PCD, "column 'X', row 1 is 'a'"),
        ([*PRIV, "--out", "table.csv/under"], "is not a folder"),
    ],
)
def test_wrong_usage_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(tmp_path, capsys, ROWS, arguments)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("X,Y\na,1\nb,2\n,2\nb,1\n", "column 'X', row 3 is empty"),
        ("X,Y\na,1\nb,2\nNaN,2\nb,1\n", "column 'X', row 3 is 'NaN'"),
        ("X,Y\na,1\na,2\na,2\na,1\n", "column 'X' is constant at 'a'"),
        ("X,Y\na,1\nb,2\n", "it has 2 rows; at least 4"),
        ("X,Y\n" + "".join(f"a,{i}\nb,{i}\n" for i in range(300)), "'Y' has 300 different values"),
        ("X,X\na,1\nb,2\na,2\nb,1\n", ".csv: column 'X' is named twice"),
        (",X,Y\n0,a,1\n1,b,2\n2,a,2\n3,b,1\n", "column 1 has no name: name it, or list"),
        ("X,Y\na,1\nb\na,2\nb,1\n", "line 3 has 1 cell"),
        ("", "a graph needs at least 2 columns"),
    ],
)
def test_bad_discrete_tables_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, said: str
) -> None:
    assert said in refused(tmp_path, capsys, rows, PRIV)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("X,Y\n1,1\n2,2\nnan,2\n3,1\n", "column 'X', row 3 is 'nan'"),
        ("X,Y\n1,1\n1,2\n1,2\n1,1\n", "column 'X' is constant at 1.0"),
        ("X,Y\n1,1\n2,inf\n3,2\n4,1\n", "column 'Y', row 2 is 'inf'"),
    ],
)
def test_bad_numeric_tables_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, said: str
) -> None:
    assert said in refused(tmp_path, capsys, rows, PCD)


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("levels", "{", "not readable as JSON"),
        ("levels", "[]", "it must be an object"),
        ("levels", '{"X": ["a", "b"]}', "column 'Y' has none"),
        ("levels", '{"X": ["a"]}', "column 'X' is ['a']: it must be a list of at least two"),
        ("levels", '{"X": "ab"}', "column 'X' is 'ab'"),
        ("levels", '{"X": ["a", null]}', "column 'X' holds None"),
        ("levels", '{"X": ["1", 1.0]}', "column 'X' holds 1 twice"),
        ("levels", '{"X": ["a", "c"], "Y": [1, 2]}', "column 'X' holds 'b'"),
        ("ranges", '{"X": [1]}', "column 'X' is [1]: it must be two finite numbers"),
        ("ranges", '{"X": [2, 1]}', "column 'X' is [2, 1]"),
        ("ranges", '{"X": ["a", 1]}', "column 'X' is ['a', 1]"),
        ("ranges", '{"Y": [1, 2]}', "column 'Z' has no range"),
    ],
)
def test_bad_knowledge_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, text: str, said: str
) -> None:
    known = tmp_path / "known.json"
    known.write_text(text)
    method, columns = (PRIV, ["X", "Y"]) if option == "levels" else (PCD, ["Y", "Z"])
    arguments = [*method, "--columns", *columns, f"--{option}", str(known)]
    assert said in refused(tmp_path, capsys, ROWS, arguments)
    known.unlink()
    assert "No such file" in refused(tmp_path, capsys, ROWS, arguments)


def test_a_missing_library_is_told_before_the_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> ModuleType:
        if name == "networkx":
            raise ImportError(name)
        return found(name)

    found = importlib.import_module

    monkeypatch.setattr(importlib, "import_module", missing)
    error = refused(tmp_path, capsys, ROWS, [*PRIV, "--out", str(tmp_path / "out")])
    assert "--out needs networkx: pip install 'provado[pictures]'" in error
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_where_the_data_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(tmp_path, capsys, "X,Y\na,\n" * 4, [*PRIV, "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()
