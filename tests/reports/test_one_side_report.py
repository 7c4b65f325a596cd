"""A report whose rule guesses one side: written, read, computed again; what is changed is named."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from provado.reports.audit_report.document import digest, run_from_json, run_to_json
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import recheck_document

MECHANISM = """
def released(data, *, size, rng):
    return (rng.random(size) < (0.1 if data[0] else 0.0)).astype(int)
"""
CLAIM = ("--pair", "d.json", "e.json", "--epsilon", "1", "--delta", "0.05")


@pytest.fixture(params=[("4000",), ("4000", "--stop-early"), ("auto:3000",)], ids=" ".join)
def document(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> dict[str, Any]:
    (tmp_path / "one_side_under_test.py").write_text(MECHANISM)
    (tmp_path / "d.json").write_text("[0]")
    (tmp_path / "e.json").write_text("[1]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "one_side_under_test", raising=False)
    asked = ["audit", "one_side_under_test.py:released", *CLAIM, "--samples", *request.param]
    assert main([*asked, "--json"]) == 1
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def bound_of(document: dict[str, Any]) -> Any:
    return document["audits"][0]["pairs"][0]["bound"]


def differences(document: dict[str, Any]) -> str:
    document["digest"] = digest(document)
    return "\n".join(d for one in recheck_document(document) for d in one.differences)


def test_it_is_written_read_and_agrees_and_what_is_changed_is_named(
    document: dict[str, Any],
) -> None:
    assert run_to_json(run_from_json(document)) == document
    assert differences(document) == ""
    bound = bound_of(document)
    if bound["bettors"]:
        assert any(row[4:] == [-1] for one in bound["bettors"] for row in one["staked"])
        other = copy.deepcopy(document)
        for one in bound_of(other)["bettors"]:
            one["staked"] = [row[:4] for row in one["staked"]]
        assert "bound: recorded" in differences(other)
        return
    assert bound["side"] == -1
    assert ("aimed" in bound) is (not document["settings"]["stop_early"])
    for change in ({"side": 1}, {"aimed": 0.5}):
        other = copy.deepcopy(document)
        bound_of(other).update(change)
        assert "bound:" in differences(other)
    other = copy.deepcopy(document)
    del bound_of(other)["side"]
    bound_of(other).pop("aimed", None)
    # Guesses of both sides, as every report had them that does not say.
    assert "bound: recorded" in differences(other)
