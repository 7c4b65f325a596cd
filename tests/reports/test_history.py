"""Runs of successive versions share one chance of a false alarm, and know what was certified."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provado.audit.bounds.alpha_spending import share_of
from provado.reports.cli.main import main
from provado.reports.documents.exit_status import AS_EXPECTED, SURPRISE, WRONG_USAGE
from provado.reports.documents.schema import HISTORY, json_schema
from tests.reports.test_journal import killed_after

CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "2000", "--jobs", "1"]
AUDIT = ["audit", "targets_under_test.py:sound", *CLAIM, "--history", "releases.json"]
LEAKY = ["audit", "targets_under_test.py:leaky", *CLAIM, "--history", "releases.json"]


def history() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("releases.json").read_text("utf-8"))
    jsonschema.validate(found, json_schema(HISTORY))
    return found


def test_each_run_spends_its_share(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2, 3):
        assert main([*AUDIT, "--out", "out"]) == AS_EXPECTED
        document = json.loads(Path("out/audit.json").read_text("utf-8"))
        confidence = document["audits"][0]["settings"]["confidence"]
        assert 1 - confidence == pytest.approx(share_of(0.05, number), rel=1e-9)
    looks = history()["looks"]
    assert [look["number"] for look in looks] == [1, 2, 3]
    assert all(look["complete"] for look in looks)
    assert [look["audits"][0]["verdict"] for look in looks] == ["no violation found"] * 3
    said = capsys.readouterr().out
    assert "Run 3 of the history releases.json: of α = 0.05 for all runs ever, 0.003377" in said
    assert "before at most" in said


def test_shares_of_a_run_are_shared_by_its_audits(folder: Path) -> None:
    both = ["targets_under_test.py:sound", "targets_under_test.py:leaky", *CLAIM]
    assert main(["audit", *both, "--history", "releases.json", "--out", "o"]) == SURPRISE
    assert main(["audit", *both, "--history", "releases.json", "--out", "o"]) == SURPRISE
    audits = json.loads(Path("o/audit.json").read_text("utf-8"))["audits"]
    spent = sum(1 - one["settings"]["confidence"] for one in audits)
    assert spent == pytest.approx(share_of(0.05, 2), rel=1e-9)


def test_what_was_certified_before_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(LEAKY) == SURPRISE
    capsys.readouterr()
    # The next release is repaired.
    source = Path("targets_under_test.py").read_text()
    Path("targets_under_test.py").write_text(source.replace("0.99", "0.5").replace("0.01", "0.5"))
    import sys

    sys.modules.pop("targets_under_test", None)
    assert main(LEAKY) == AS_EXPECTED
    assert "violation in run 1" in capsys.readouterr().out
    assert main([*LEAKY, "--json"]) == AS_EXPECTED
    told = capsys.readouterr()
    assert json.loads(told.out)["exit_status"] == AS_EXPECTED
    assert "Run 3 of the history" in told.err


def test_a_confidence_of_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*AUDIT, "--confidence", "0.9"]) == AS_EXPECTED
    assert history()["alpha"] == pytest.approx(0.1)
    assert main(AUDIT) == AS_EXPECTED
    assert main([*AUDIT, "--confidence", "0.9"]) == AS_EXPECTED
    assert main([*AUDIT, "--confidence", "0.8"]) == WRONG_USAGE
    assert "has 0.9 for all of its runs together" in capsys.readouterr().err
    assert len(history()["looks"]) == 3


def test_a_history_of_the_configuration(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep/provado.toml").write_text(
        "history = 'releases.json'\nalpha = 0.01\n[audits.one]\n"
        "target = '../targets_under_test.py:sound'\nepsilon = 1\nsamples = 2000\n"
        "pairs = [[[0, 1, 1], [0, 1, 0]]]\n"
    )
    for _ in range(2):
        assert main(["audit", "--config", "deep/provado.toml"]) == AS_EXPECTED
    found = json.loads(Path("deep/releases.json").read_text("utf-8"))
    assert found["alpha"] == pytest.approx(0.01)
    assert [look["number"] for look in found["looks"]] == [1, 2]


def test_a_run_that_was_ended_has_spent_its_share(folder: Path) -> None:
    assert killed_after(5, *AUDIT, "--out", "out") == -signal.SIGKILL
    (look,) = history()["looks"]
    assert not look["complete"]
    assert look["audits"][0]["verdict"] == ""
    Path("out/audit.journal").unlink()
    assert main([*AUDIT, "--out", "out", "--resume"]) == AS_EXPECTED
    assert [one["complete"] for one in history()["looks"]] == [False, True]


def test_a_run_that_is_gone_on_with_is_the_same_look(folder: Path) -> None:
    assert main([*AUDIT, "--out", "out"]) == AS_EXPECTED
    assert killed_after(5, *AUDIT, "--out", "out") == -signal.SIGKILL
    assert main([*AUDIT, "--out", "out", "--resume"]) == AS_EXPECTED
    assert [one["complete"] for one in history()["looks"]] == [True, True]


def test_what_is_refused_spends_nothing(folder: Path) -> None:
    assert main(AUDIT) == AS_EXPECTED
    before = Path("releases.json").read_bytes()
    assert main([*AUDIT, "--baseline", "none.json"]) == WRONG_USAGE
    assert main([*AUDIT, "--format", "json=releases.json"]) == WRONG_USAGE
    assert Path("releases.json").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alpha": 0.5}, "looks[0].alpha is"),
        ({"alpha": 2}, "alpha is 2"),
        ({"schema": "provado-baseline/1"}, "a history is of the form"),
        ({"more": 1}, "more"),
    ],
)
def test_a_history_that_was_changed_is_refused(
    folder: Path, change: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(AUDIT) == AS_EXPECTED
    Path("releases.json").write_text(json.dumps(history() | change))
    capsys.readouterr()
    assert main(AUDIT) == WRONG_USAGE
    assert words in capsys.readouterr().err


def test_a_look_that_was_taken_out_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(AUDIT) == AS_EXPECTED
    document = history()
    del document["looks"][0]
    Path("releases.json").write_text(json.dumps(document))
    assert main(AUDIT) == WRONG_USAGE
    assert "looks[0].number is 2: it must be 1" in capsys.readouterr().err


def test_two_runs_at_once_are_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(AUDIT) == AS_EXPECTED
    from provado.reports.cli.commands import audit as command

    run = command.run_planned

    def another_meanwhile(*given: Any) -> Any:
        document = history()
        document["looks"][-1]["commit"] = "0" * 40
        Path("releases.json").write_text(json.dumps(document))
        return run(*given)

    monkeypatch.setattr(command, "run_planned", another_meanwhile)
    assert main(AUDIT) == WRONG_USAGE
    assert "another run has written it meanwhile" in capsys.readouterr().err
