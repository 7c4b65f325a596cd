"""Answers that can be used as they stand: replay lines, journals, lists, programs, refusals."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import audit
from provado.mechanisms.definitions.relation import short
from provado.reports.audit_report.notebook import Page
from provado.reports.cli.main import main
from provado.reports.targets.dataset import read_domain
from provado.reports.targets.scan import scan_folder
from provado.reports.tasks.run import _literal
from provado.reports.text.formatting import printable

LINE = ["audit", "answers_under_test.py:noisy", "--epsilon", "9", "--samples", "400"]

SOURCE = """
import random
import secrets
import sys
import numpy as np
sys.path.insert(0, __file__.rpartition("/")[0] + "/lib")

def noisy(data, rng):
    return sum(data) + rng.laplace()

def lazily(data, rng):
    import helper_under_test
    return helper_under_test.twice(sum(data)) + rng.laplace()

def uniform(data):
    return sum(data) + random.uniform(-1, 1)

def secret(data):
    return sum(data) + secrets.randbelow(3)

def bare(data):
    return sum(data)

def breaks(data, rng):
    raise ValueError("always")

def frame(data):
    return float(data["age"].sum()) + np.random.default_rng().laplace() / 1000

def make(scale):
    def inner(data, rng):
        return sum(data) + rng.laplace(0, scale)
    return inner

made = make(1.0)
alias = noisy
if True:
    def nested(data, rng):
        return sum(data) + rng.normal()
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "answers_under_test.py").write_text(SOURCE)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "helper_under_test.py").write_text("def twice(x):\n    return 2 * x\n")
    (tmp_path / "d.json").write_text("[0.5, 1, 2]")
    (tmp_path / "d0.json").write_text("[0, 1]")
    (tmp_path / "d1.json").write_text("[0, 2]")
    path = list(sys.path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.path[:] = path
    for name in ("answers_under_test", "helper_under_test"):
        sys.modules.pop(name, None)


def test_a_negative_domain_is_a_value(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", "d.json", "--relation", "replace-one"]
    # One record moves the sum by 15: less than that is refuted.
    line = ["16" if word == "9" else word for word in LINE]
    assert main([*line, *data, "--domain", "-5:10"]) == 0
    assert "numbers from -5 to 10" in " ".join(capsys.readouterr().out.split())
    assert main([*LINE, *data, "--domain", "10:-5"]) == 2
    assert "--domain: '10:-5' is refused: 10 is above -5" in capsys.readouterr().err
    assert main([*LINE, *data, "--domain", "--json"]) == 2


@given(st.integers(-(10**6), -1), st.integers(0, 10**6))
def test_any_limits_are_read(low: int, high: int) -> None:
    assert read_domain([f"{low}:{high}"]) == (low, high)


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("0:120,missing", (0, 120, None)),
        (":5 , missing", (-math.inf, 5, None)),
        ("numbers,missing", (float, None)),
        ("booleans,missing", (bool, None)),
        ("rome,oslo,missing", ["rome", "oslo", None]),
        ("missing,rome", ["missing", "rome"]),
    ],
)
def test_a_missing_value_is_a_word_after_a_comma(text: str, domain: object) -> None:
    assert read_domain(text) == domain
    assert read_domain([f"age={text}"]) == {"age": domain}


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_a_forgotten_relation_is_an_option(
    here: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, LINE[1], "--epsilon", "1", "--data", "d.json"]) == 2
    said = capsys.readouterr().err
    assert "--data: it needs --relation" in said
    assert "--relation add-or-remove-one" in said
    assert "provado.mechanisms" not in said
    assert "AddOrRemoveOne" not in said


@pytest.mark.parametrize("place", ["/dev/zero", "fifo"])
def test_a_history_is_a_regular_file(
    here: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    if place == "fifo":
        os.mkfifo(place)
    assert main([*LINE, "--pair", "d0.json", "d1.json", "--history", place]) in (2, 4)
    assert f"{place}: it is a device or a pipe" in capsys.readouterr().err
    assert main(["report", "/dev/zero"]) in (2, 4)
    assert "/dev/zero: it is a device" in capsys.readouterr().err
    assert main(["audit", "--config", "/dev/zero"]) in (2, 4)
    assert "/dev/zero: it is a device" in capsys.readouterr().err


def test_a_replay_line_has_no_limit_for_a_number_of_trials(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = "answers_under_test.py:breaks"
    pair = ["--pair", "d0.json", "d1.json"]
    assert main(["audit", place, "--epsilon", "1", *pair, "--seconds", "2"]) == 3
    said = capsys.readouterr().out
    assert "--samples" not in said
    assert "--seconds 2" in said
    assert main(["audit", place, "--epsilon", "1", *pair, "--samples", "300"]) == 3
    assert "--samples 300" in capsys.readouterr().out


def test_a_broken_mechanism_leaves_no_journal(here: Path) -> None:
    pair = ["--pair", "d0.json", "d1.json"]
    place = "answers_under_test.py:breaks"
    assert main(["audit", place, "--epsilon", "1", *pair, "--out", "out"]) == 3
    assert sorted(one.name for one in (here / "out").iterdir()) == ["audit.html", "audit.json"]


def test_what_a_file_adds_to_the_path_stays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["audit", "answers_under_test.py:lazily", "--epsilon", "9", "--samples", "400"]
    assert main([*line, "--pair", "d0.json", "d1.json"]) == 0, capsys.readouterr()


def test_nothing_that_is_listed_is_left_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "answers_under_test.py"])
    listed = set(re.findall(r"(?m)^  (\w+): ", capsys.readouterr().out))
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert all(f"answers_under_test.py:{name}" in said for name in listed)
    assert "left out, as no noise was seen in them: answers_under_test.py:bare\n" in said
    found = {one.name for one in scan_folder(here)}
    assert listed - found == {"bare"}
    assert 'target = "answers_under_test.py:bare"' in (here / "provado.toml").read_text()


def test_a_notebook_shows_the_page() -> None:
    def count(data: list[int], rng: object) -> int:
        return len(data)

    page = audit(count, epsilon=1, pair=([1], [2]), samples=400, isolate=False).to_html()
    assert isinstance(page, Page)
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "allow-same-origin" not in shown
    assert shown.count("<") == 2


def test_the_program_of_an_issue_repeats_a_table(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "d.csv").write_text("age,city\n1,a\n2,b\n")
    (here / "e.csv").write_text("age,city\n1,a\n5,b\n")
    line = ["audit", "answers_under_test.py:frame", "--epsilon", "1", "--samples", "400"]
    assert main([*line, "--pair", "d.csv", "e.csv", "--format", "issue"]) == 1
    said = capsys.readouterr().out
    program = said.partition("```python\n")[2].partition("```")[0]
    assert "D = pd.DataFrame([{'age': 1, 'city': 'a'}" in program
    (here / "again.py").write_text(program)
    ran = subprocess.run([sys.executable, "again.py"], capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("violation "), ran


def test_what_a_text_does_not_say_has_no_program() -> None:
    assert _literal("['a … b']", set()) is None
    assert _literal("[1, 2]", {".npy"}) is None
    assert _literal("[]", {".csv"}) is None
    assert _literal("[]", {".json"}) == "[]"
    assert _literal("[1.0, 2.0]", {".csv"}) == "np.array([1.0, 2.0])"


@given(st.text())
def test_no_control_character_is_printed(text: str) -> None:
    assert all(c.isprintable() or c == "\n" for c in printable(text))
    assert printable(text) == text or not all(c.isprintable() or c == "\n" for c in text)


@given(st.lists(st.text(max_size=8), max_size=3))
def test_short_data_are_shown_as_they_are(data: list[str]) -> None:
    assert short(data, limit=10_000) == repr(data)


def test_nothing_else_of_the_issue_has_a_control_character(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "answers\x1b[31m.py"
    (here / name).write_text("import math\nleak = lambda data: sum(data)\n")
    line = ["audit", f"{name}:leak", "--epsilon", "1", "--samples", "400"]
    assert main([*line, "--pair", "d0.json", "d1.json", "--format", "issue"]) == 1
    assert "\x1b" not in capsys.readouterr().out
