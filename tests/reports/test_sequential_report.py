"""A sequential audit's report: written, shown, read, computed again and drawn again."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provado.reports.audit_report.document import digest, run_from_json, run_to_json
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import recheck_document

MECHANISM = """
def shout(data, rng):
    return float(data[0]) + rng.laplace(scale=0.25)

def whisper(data, rng):
    return float(data[0]) + rng.laplace(scale=100)
"""
FILE = "sequential_under_test.py"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / FILE).write_text(MECHANISM)
    (tmp_path / "d.json").write_text("[0]")
    (tmp_path / "e.json").write_text("[1]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, FILE[:-3], raising=False)
    return tmp_path


def words(name: str, *more: str) -> list[str]:
    pair = ("--pair", "d.json", "e.json", "--epsilon", "1")
    return ["audit", f"{FILE}:{name}", *pair, "--samples", "auto:200", *more]


@pytest.fixture
def document(place: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main([*words("shout"), "--json"]) == 1
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def differences(document: dict[str, Any]) -> str:
    document["digest"] = digest(document)
    return "\n".join(d for one in recheck_document(document) for d in one.differences)


def test_it_is_written_read_and_agrees(document: dict[str, Any]) -> None:
    (audit,) = document["audits"]
    (pair,) = audit["pairs"]
    assert pair["bound"]["name"] == "sequential"
    assert pair["explored_trials"] == 0
    trials = sum(pair["counts"].values())
    assert pair["planned_trials"] == audit["samples"] == trials <= 200
    assert f"--samples auto:{trials}" in audit["replay"]
    assert run_to_json(run_from_json(document)) == document
    assert differences(document) == ""


def bettor(document: dict[str, Any], number: int = 0) -> Any:
    return document["audits"][0]["pairs"][0]["bound"]["bettors"][number]


def one_more_right(document: dict[str, Any]) -> None:
    bettor(document)["staked"][-1][2] += 1


def wrong_made_right(document: dict[str, Any]) -> None:
    row = next(row for row in bettor(document)["staked"] if row[1] > 0 and row[3] > 0)
    row[2], row[3] = row[2] + row[3], 0


def lighter(document: dict[str, Any]) -> None:
    bettor(document)["weight"] -= 0.05


def bolder(document: dict[str, Any]) -> None:
    row = bettor(document)["staked"][-1]
    row[0] = row[1] = row[1] * 1.05


def left_out(document: dict[str, Any]) -> None:
    document["audits"][0]["pairs"][0]["bound"]["bettors"].pop()


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (one_more_right, "bettors: number 0 saw"),
        (wrong_made_right, "bound: recorded"),
        (lighter, "the weight of number 0"),
        (bolder, "a stake that it never places"),
        (left_out, "recorded; there are"),
    ],
)
def test_tampering_with_the_bets_is_noticed(
    document: dict[str, Any], tamper: Callable[[dict[str, Any]], None], said: str
) -> None:
    changed = copy.deepcopy(document)
    tamper(changed)
    assert said in differences(changed)


def test_it_is_drawn_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, status in (("shout", 1), ("whisper", 0)):
        assert main([*words(name), "--out", name]) == status
        capsys.readouterr()
        assert main(["report", f"{name}/audit.json", "--redraw"]) == 0
        assert "same counts" in capsys.readouterr().out
        assert main(["report", f"{name}/audit.json", "--recheck"]) == 0
        pages = "".join(file.read_text() for file in (place / name).glob("*.html"))
        assert "none was discarded" in pages


def test_another_word_for_a_number_of_samples_is_refused(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for word in ("many", "auto:", "auto:0", "auto:x"):
        assert main([*words("shout"), "--samples", word]) == 2
        assert "--samples" in capsys.readouterr().err
