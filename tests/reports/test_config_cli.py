"""Audits of a configuration, from the command line."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from provado.reports.cli.main import main
from provado.reports.tasks import task

CONFIG = """\
confidence = 0.9
out = "reports/here"

[defaults]
samples = 500
relation = "replace-one"
seed = 3

[audits.fair]
target = "targets_under_test.py:sound"
epsilon = 1
data = [0, 1, 1]

[audits.leak]
target = "targets_under_test:leaky"
epsilon = 1
pairs = [["d0.json", [0, 1, 0]]]
samples = 700
seed = 4
expected = "violation"
"""


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    sys.modules.pop("targets_under_test", None)


@pytest.fixture
def configured(folder: Path) -> Path:
    (folder / "provado.toml").write_text(CONFIG)
    return folder


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("provado: error: ")
    assert err.count("\n") == 1
    return err.removeprefix("provado: error: ")


def document_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_all_audits_of_the_nearest_configuration(
    configured: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (configured / "below").mkdir()
    monkeypatch.chdir(configured / "below")
    assert main(["audit", "--json"]) == 0
    document = document_of(capsys)
    fair, leak = document["audits"]
    assert (fair["name"], leak["name"]) == ("fair", "leak")
    assert (fair["samples"], leak["samples"]) == (500, 700)
    assert (fair["seed"], leak["seed"]) == (3, 4)
    assert (fair["expected"], leak["expected"]) == (None, "violation")
    assert leak["verdict"] == "violation"
    assert len(fair["pairs"]) == 1
    assert fair["search"]["pairs"] > 2
    assert fair["confidence"] == leak["confidence"] == pytest.approx(0.95)
    assert (configured / "reports" / "here" / "audit.html").is_file()
    assert main(["report", "../reports/here/audit.json", "--recheck"]) == 0
    capsys.readouterr()
    # Each replays alone, from the folder that it was run from.
    for first in (fair, leak):
        program, *again = shlex.split(first["replay"])
        assert program == "provado"
        assert main([*again, "--json"]) == 0
        second = document_of(capsys)["audits"][0]
        first["seconds"] = second["seconds"] = 0
        assert first == second


def test_one_audit_by_its_name_and_what_is_typed_wins(
    configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["--epsilon", "9", "--seed", "8", "--samples", "1e3", "--confidence", "0.99"]
    where = ["--pair", "d1.json", "d0.json", "--out", "there"]
    assert main(["audit", "leak", *typed, *where, "--json"]) == 1
    found = document_of(capsys)["audits"]
    assert [one["name"] for one in found] == ["leak"]
    (leak,) = found
    assert (leak["epsilon"], leak["seed"], leak["samples"]) == (9, 8, 1000)
    assert leak["confidence"] == pytest.approx(0.99)
    assert leak["verdict"] == "no violation found"
    assert leak["surprising"]
    assert (configured / "there" / "audit.json").is_file()
    assert not (configured / "reports").exists()
    _, *again = shlex.split(leak["replay"])
    assert main([*again, "--json"]) == 1
    second = document_of(capsys)["audits"][0]
    leak["seconds"] = second["seconds"] = 0
    assert leak == second


def test_a_name_and_a_target_side_by_side(
    configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = ["targets_under_test.py:prints", "--epsilon", "1", "--pair", "d0.json", "d1.json"]
    assert main(["audit", "fair", *plain, "--samples", "2000", "--json"]) == 0
    found = document_of(capsys)["audits"]
    assert [one["name"] for one in found] == ["fair", "prints"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("targets_under_test.py:sound", "targets_under_test.py:suond", "line 10: audits.fair.target"
         ": target 'targets_under_test.py:suond': targets_under_test.py has no 'suond'; did you"),
        ("targets_under_test.py:sound", "sub/x.py:f", "target: target 'sub/x.py:f': there is no f"),
        ("epsilon = 1\ndata", "# epsilon = ?\ndata", "line 11: audits.fair.epsilon: missing: the cl"
         "aimed ε, which a plain callable does not state itself; take away the # on this line"),
        ("epsilon = 1\ndata", "data", "line 9: audits.fair.epsilon: missing"),
        ("data = [0, 1, 1]", "# data = []", "line 12: audits.fair.data: missing: a dataset of"),
        ("data = [0, 1, 1]", "", "line 9: audits.fair.data: missing"),
        ("data = [0, 1, 1]", "data = 'x.json'", "line 12: audits.fair.data: x"),
        ("data = [0, 1, 1]", "data = []", "line 12: audits.fair.data: data has no record"),
        ("data = [0, 1, 1]", "data = [1, 1]", "line 12: audits.fair.data: data and domain (1)"),
        ('relation = "replace-one"', "", "audits.fair.relation: missing: it says what neighbors"),
        ('"d0.json", [0, 1, 0]', '"far.json", [0, 1, 0]', "line 17: audits.leak.pairs[0]: pair: D"),
        ('"d0.json", [0, 1, 0]', '"gone.json", [0]', "line 17: audits.leak.pairs[0][0]: gone"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_told_with_its_line(
    configured: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    assert old in CONFIG
    (configured / "provado.toml").write_text(CONFIG.replace(old, new, 1))
    assert main(["audit"]) == 2
    told = error_of(capsys)
    assert told.startswith("provado.toml, line ")
    assert message in told.replace(str(configured) + "/", "")
    assert not (configured / "reports").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fiar"], "target 'fiar': provado.toml has no audit of this name; did you mean 'fair'?"),
        (["zzz"], "target 'zzz': provado.toml has no audit of this name; it has fair, leak"),
        (["fair", "fair"], "TARGET 'fair': it is given twice"),
        (["--config", "gone.toml"], "gone.toml: it cannot be read"),
        (["targets_under_test"], "say which, as targets_under_test:name; callables there: sound"),
        (["fair", "--pair", "far.json", "d0.json"], "--pair: pair: D and D′ differ in 3 records"),
    ],
)
def test_wrong_use_of_a_configuration(
    configured: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["audit", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_configuration_is_not_read_where_none_is_asked_for(
    configured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (configured / "provado.toml").write_text("broken")
    seen: list[Any] = []

    def none_run(jobs: Any, *_: Any) -> Any:
        seen.extend(jobs)
        raise KeyboardInterrupt

    monkeypatch.setattr(task, "run_jobs", none_run)
    assert main(["audit", "--catalogue", "--only", "laplace/*"]) == 130
    claim = ["--epsilon", "1", "--pair", "d0.json", "d1.json"]
    assert main(["audit", "targets_under_test.py:sound", *claim]) == 130
    assert len(seen) > 1
    assert main(["audit"]) == 2


def test_a_configuration_without_audits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "provado.toml").write_text("[defaults]\nseed = 1\n")
    assert main(["audit"]) == 2
    assert "provado.toml: it has no audits; `provado init --stdout`" in error_of(capsys)


def test_formats_and_a_baseline_from_the_configuration(
    configured: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = 'format = ["junit", "sarif=s/x.sarif"]\nbaseline = "known.json"\n'
    file = configured / "provado.toml"
    file.write_text(keys + CONFIG)
    below = configured / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    assert main(["audit"]) == 2
    assert "../known.json: there is no such baseline; --update-baseline" in error_of(capsys)
    assert not (configured / "s").exists()
    assert main(["audit", "leak", "--update-baseline"]) == 2
    assert "--update-baseline: it writes the whole baseline anew; leave" in error_of(capsys)
    assert main(["audit", "--update-baseline"]) == 0
    recorded = (configured / "known.json").read_bytes()
    assert (configured / "reports" / "here" / "junit.xml").is_file()
    assert (configured / "s" / "x.sarif").is_file()
    assert list(below.iterdir()) == []
    capsys.readouterr()
    assert main(["audit", "--seed", "11"]) == 0
    assert "As in the baseline ../known.json." in capsys.readouterr().out
    assert main(["audit", "leak"]) == 0
    assert "As in the baseline" in capsys.readouterr().out
    # One that answers otherwise than recorded is told, and nothing is written over the record.
    file.write_text(keys + CONFIG.replace(":sound", ":leaky"))
    assert main(["audit", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["audits"][0]["verdict"] == "violation"
    assert "  fair: verdict changed from no violation found to violation" in err
    assert (configured / "known.json").read_bytes() == recorded


def test_formats_and_a_baseline_that_are_typed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "2000"]
    leaky = ["audit", "targets_under_test.py:leaky", *claim]
    assert main([*leaky, "--format", "markdown", "--format", "junit=a/j.xml"]) == 1
    assert "leaky" in capsys.readouterr().out
    assert (folder / "a" / "j.xml").is_file()
    assert main([*leaky, "--baseline", "b.json", "--update-baseline"]) == 0
    # What the baseline records is accepted, a violation among it.
    assert main([*leaky, "--baseline", "b.json"]) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('format = "jnit"', "line 1: format: 'jnit': did you mean junit?"),
        ('format = ["junit", "junit"]', "line 1: format: two formats would be written to"),
        ('format = "sarif="', "line 1: format: 'sarif=': the file is missing"),
    ],
)
def test_wrong_formats_in_a_configuration(
    configured: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    (configured / "provado.toml").write_text(f"{line}\n{CONFIG}")
    assert main(["audit"]) == 2
    assert message in error_of(capsys)


def test_a_format_needs_a_place(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CONFIG.replace('out = "reports/here"', 'format = "junit"')
    (configured / "provado.toml").write_text(text)
    assert main(["audit"]) == 2
    assert "line 2: format: 'junit' has no file: write junit=junit.xml, or" in error_of(capsys)


MEASUREMENT = """

class Machine:
    epsilon = 0.5

    def release(self, data, *, size, rng):
        return rng.random(size) < (0.99 if sum(data) > 1 else 0.01)


machine = Machine()
"""


def test_an_object_that_states_its_own_cost(
    configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (configured / "targets_under_test.py").open("a") as file:
        file.write(MEASUREMENT)
    target = "targets_under_test.py:machine"
    small = ["--samples", "2000", "--json"]
    assert main(["audit", target, *small]) == 2
    assert "--pair: machine is of type Machine, which states its claim but" in error_of(capsys)
    neighbors = ["--pair", "d0.json", "d1.json", "--relation", "replace-one"]
    assert main(["audit", target, *neighbors, *small]) == 1
    (found,) = document_of(capsys)["audits"]
    assert (found["name"], found["epsilon"], found["verdict"]) == ("machine", 0.5, "violation")
    lines = [f'target = "{target}"', 'relation = "replace-one"', "data = [0, 1, 1]"]
    text = "\n".join(["[audits.own]", *lines, 'expected = "violation"', ""])
    (configured / "provado.toml").write_text(text)
    assert main(["audit", *small]) == 0
    assert document_of(capsys)["audits"][0]["epsilon"] == 0.5
    assert main(["audit", "targets_under_test.py"]) == 0
    assert f"provado audit {target} --pair d0.json d1.json --relation" in capsys.readouterr().out
