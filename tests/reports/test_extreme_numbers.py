"""Numbers beyond all measure: refused at every door in one line, and never the end of a report."""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from provado.audit import audit
from provado.audit.options import domains as option_types
from provado.audit.options import request as options
from provado.mechanisms import UsageError
from provado.reports.audit_report import baseline
from provado.reports.audit_report.document import run_from_json, run_to_json
from provado.reports.audit_report.formats import FORMATS, render
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import recheck_document
from provado.reports.documents.schema import MOST_DEPTH, load_json
from provado.reports.pytest_plugin.settings import OPTIONS
from provado.reports.targets.dataset import load_dataset
from provado.reports.tasks.run import Run
from tests.reports.mutating import check_parts_once, compute_once, put

HUGE = "1" + "0" * 400

TOO_MUCH = [
    *(("time-limit", text) for text in ("1e300", "1000001", HUGE)),
    *(("seconds", text) for text in ("1e300", "1e7")),
    *(("samples", text) for text in ("1e23", "1000000000001", str(10**23), "9" * 5000)),
    *(("seed", text) for text in (str(2**128), HUGE)),
    ("epsilon", HUGE),
    ("epsilon", "1e999"),
]


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    sys.modules.pop("targets_under_test", None)


def brief(value: Any) -> str:
    return hex(value)[:9] if isinstance(value, int) else str(value)[:9]


def test_every_door_has_the_same_limits() -> None:
    names = ("MOST_SEED", "MOST_JOBS", "MOST_SECONDS")
    assert [getattr(option_types, n) for n in names] == [getattr(options, n) for n in names]
    assert option_types.MOST == options.MOST_TRIALS


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("provado: error: ")
    assert err.count("\n") == 1
    assert len(err) < 400
    return err


@pytest.mark.parametrize(
    ("name", "text"), [*TOO_MUCH, ("jobs", "1001"), ("jobs", "1e23")], ids=brief
)
def test_the_command_line_refuses(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    words = ["audit", "targets_under_test.py:sound", "--epsilon", "1", "--pair", "d0.json"]
    assert main([*words, "d1.json", f"--{name}", text]) == 2
    assert f"--{name}" in one_line(capsys)


@pytest.mark.parametrize(("name", "text"), TOO_MUCH, ids=brief)
def test_a_configuration_refuses(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (folder / "provado.toml").write_text(
        f"[audits.one]\ntarget = 'targets_under_test.py:sound'\n{name} = {text}\n"
        + ("epsilon = 1\n" if name != "epsilon" else "")
        + "pairs = [['d0.json', 'd1.json']]\n"
    )
    assert main(["audit"]) == 2
    assert "provado.toml" in one_line(capsys)


@pytest.mark.parametrize(
    ("name", "text"), [one for one in TOO_MUCH if one[0] != "epsilon"], ids=brief
)
def test_the_options_of_pytest_refuse(name: str, text: str) -> None:
    read = next(one.read for one in OPTIONS if one.name == name.replace("-", "_"))
    with pytest.raises(argparse.ArgumentTypeError, match="is refused"):
        read(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_limit", 1e300),
        ("time_limit", 10**400),
        ("seconds", 1e7),
        ("samples", 10**23),
        ("samples", 10**5000),
        ("seed", 2**128),
        ("jobs", 1001),
        ("epsilon", 10**400),
        ("epsilon", 10**5000),
        ("delta", 10**400),
        ("confidence", 10**400),
    ],
    ids=brief,
)
def test_the_library_refuses(name: str, value: int | float) -> None:
    def never(data: Any) -> Any:
        raise AssertionError("it was drawn from")

    arguments: dict[str, Any] = {"epsilon": 1.0, "pair": ([0], [1]), name: value}
    with pytest.raises(UsageError, match=f"^{name} is ") as refused:
        audit(never, **arguments)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("claim", ["1.7e308", "5e-324"])
def test_a_claim_at_the_ends_of_a_double_is_audited(folder: Path, claim: str) -> None:
    words = ["audit", "targets_under_test.py:sound", "--epsilon", claim, "--pair", "d0.json"]
    limits = ["--samples", "500", "--time-limit", "1000000", "--confidence", "0.9999999999999"]
    assert main([*words, "d1.json", *limits, "--out", "out"]) == 0
    assert main(["report", "out/audit.json", "--recheck"]) == 0


LITERALS = ("0", str(2**53), "1e308", "5e-324", HUGE, '"inf"', '"nan"')

Path_ = tuple[str | int, ...]


def numbers(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from numbers(entry, (*path, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from numbers(entry, (*path, i))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def names_in(path: Path_) -> Path_:
    """Return a path without positions in lists, all but those in a pair of two numbers."""
    *inner, last = path
    return (*(key for key in inner if isinstance(key, str)), last)


def replaced(document: Any, path: Path_, literal: str) -> str:
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = "@@"
    return json.dumps(changed).replace('"@@"', literal)


def test_a_report_with_any_number_in_it_is_read_or_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute_once(monkeypatch)
    check_parts_once(monkeypatch)
    file = tmp_path / "audit.json"
    values = []
    for literal in LITERALS:
        file.write_text(literal)
        values.append(load_json(file))
    # One number of each name, from the audit that has all of them.
    document = json.loads(json.dumps(run_to_json(replace(run, records=run.records[2:3]))))
    seen = {names_in(path): path for path in numbers(document)}
    assert len(seen) > 30
    read, refused = 0, []
    for path in seen.values():
        for literal, value in zip(LITERALS, values, strict=True):
            found = put(document, path, value)
            try:
                again = run_from_json(found, str(file))
            except UsageError as error:
                refused.append(str(error))
                continue
            read += 1
            # The page takes its time, and shows the numbers as the others do.
            formats = FORMATS if literal == "1e308" else set(FORMATS) - {"html"}
            if literal not in ("5e-324", "1e308"):
                formats = ("json", "junit", "markdown")
            for format in formats:
                assert render(again, format)
            assert recheck_document(found, str(file))
    assert read > 50
    assert all(len(line) < 400 and "\n" not in line for line in refused)


def test_a_baseline_with_any_number_in_it_is_read_or_refused(run: Run, tmp_path: Path) -> None:
    document, file = baseline.baseline_document(run), tmp_path / "baseline.json"
    refused = []
    for path in numbers(document):
        for literal in LITERALS:
            file.write_text(replaced(document, path, literal))
            try:
                known = baseline.load_baseline(file)
            except UsageError as error:
                refused.append(str(error))
                continue
            baseline.compare(run, known)
    assert all(len(line) < 400 and "\n" not in line for line in refused)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "has the key 'c' twice"),
        ("[NaN]", "it holds NaN, which is no number in JSON"),
        ("[-Infinity]", "it holds -Infinity"),
        ("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1), "nested too deeply"),
        ('{"a":' * 900 + "1" + "}" * 900, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "not readable as JSON"),
        ("\ud800", "not readable as JSON"),
    ],
    ids=range(8),
)
def test_a_document_that_json_does_not_allow(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    (folder / "audit.json").write_bytes(text.encode("utf-8", errors="surrogatepass"))
    for words in (["report", "audit.json"], ["report", "audit.json", "--recheck"]):
        assert main(words) == 2
        assert told in one_line(capsys)


def test_depth_up_to_the_limit_and_datasets_with_nan_are_read(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    file.write_text("[" * MOST_DEPTH + "]" * MOST_DEPTH)
    load_json(file)
    file.write_text("[NaN, -Infinity, 1]")
    assert load_dataset(file)[1:] == [-float("inf"), 1]


@pytest.mark.parametrize("option", ["levels", "ranges"])
@pytest.mark.parametrize(
    "value", [f"[0, {HUGE}]", "[0, 1e999]", "[0, NaN]", "[NaN, NaN]"], ids=brief
)
def test_what_is_known_of_columns_beforehand(
    folder: Path, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    (folder / "table.csv").write_text("a,b\n" + "0,1\n1,0\n0,0\n1,1\n" * 3)
    (folder / "known.json").write_text(f'{{"a": {value}, "b": [0, 1]}}')
    method = "pc" if option == "levels" else "pc-numeric"
    assert main(["discover", "table.csv", "--method", method, f"--{option}", "known.json"]) == 2
    assert ("it holds NaN" if "NaN" in value else "column 'a'") in one_line(capsys)


def test_a_number_of_many_digits_in_a_table_is_a_text(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{'7' * 5000 if i % 2 else 'x'},{i % 3}" for i in range(30)]
    (folder / "table.csv").write_text("\n".join(["a,b", *rows]))
    assert main(["discover", "table.csv", "--method", "pc"]) == 0
