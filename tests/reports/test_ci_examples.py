"""The examples for continuous integration: they parse, and their commands do what they say."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from provado.mechanisms import UsageError
from provado.reports.cli import main as cli
from provado.reports.cli.main import command_names

ROOT = Path(__file__).parents[2]
CI = ROOT / "docs" / "ci"
WORKFLOW = yaml.safe_load((CI / "github-actions.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((CI / "pre-commit-config.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

PROJECT = """
[project]
name = "example"
version = "0"

[tool.provado.defaults]
samples = 2000

[tool.provado.audits.sound]
target = "mine.py:sound"
epsilon = 1.0
data = [0, 1]
relation = "replace-one"

[tool.provado.audits.leaky]
target = "mine.py:leaky"
epsilon = 1.0
data = [0, 1]
relation = "replace-one"
"""

MINE = """
def sound(data, *, size, rng):
    return rng.integers(0, 2, size=size)


def leaky(data, *, size, rng):
    return rng.random(size) < (0.99 if sum(data) > 1 else 0.01)
"""


def _steps() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = WORKFLOW["jobs"]["audit"]["steps"]
    return steps


def _commands() -> Iterator[list[str]]:
    """Yield the words of every provado command of both files."""
    scripts = [step["run"] for step in _steps() if "run" in step]
    scripts += [hook["entry"] for repo in HOOKS["repos"] for hook in repo["hooks"]]
    own = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    scripts += [hook["entry"] for hook in own]
    for script in scripts:
        for line in script.splitlines():
            words = shlex.split(line.partition(">>")[0])
            if words[:1] == ["provado"]:
                yield [word.replace("$SEED", "12345") for word in words[1:]]


def _parse(words: list[str]) -> None:
    """Parse as the command line does, and run nothing."""
    made: Any = cli._parser(command_names())
    parser = made[0] if isinstance(made, tuple) else made
    parser.parse_args(words)


def test_every_command_of_the_examples_parses() -> None:
    commands = list(_commands())
    assert [words[0] for words in commands].count("audit") == 3
    assert [words[0] for words in commands].count("report") == 3
    for words in commands:
        _parse(words)
        with pytest.raises(UsageError):
            _parse([*words, "--no-such-option"])


def test_the_workflow_holds_what_it_promises() -> None:
    # YAML 1.1 reads the key `on` as true.
    triggers = WORKFLOW.get("on", WORKFLOW.get(True))
    assert set(triggers) == {"push", "pull_request", "schedule", "workflow_dispatch"}
    assert WORKFLOW["permissions"]["security-events"] == "write"
    uses = [step["uses"].partition("@")[0] for step in _steps() if "uses" in step]
    assert "github/codeql-action/upload-sarif" in uses
    # What reports must also run after an audit that failed.
    audit = next(i for i, step in enumerate(_steps()) if step.get("name") == "Audit")
    assert all("!cancelled()" in step["if"] for step in _steps()[audit + 1 :])


def test_the_hook_runs_once_over_the_whole_configuration() -> None:
    (hook,) = HOOKS["repos"][0]["hooks"]
    assert hook["language"] == "system"
    assert hook["pass_filenames"] is False


def _in_a_shell(script: str, folder: Path) -> int:
    """Run a step as the server does."""
    command = folder / "provado"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m provado.reports "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "SEED": "7",
        "OUT": "out",
        "ARGUMENTS": "--samples 2000",
    }
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode


def _in_this_process(script: str, folder: Path) -> int:
    """Run a step without starting Python for each command."""
    for line in script.splitlines():
        command, _, redirected = line.partition(">>")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = cli.main(shlex.split(command.replace("$SEED", "7"))[1:])
        if redirected:
            (folder / "summary.md").write_text(printed.getvalue(), encoding="utf-8")
        if status:
            return status
    return 0


@pytest.fixture(autouse=True)
def _forget_the_target() -> Iterator[None]:
    yield
    sys.modules.pop("mine", None)


@pytest.mark.parametrize(
    "run", [_in_this_process, pytest.param(_in_a_shell, marks=pytest.mark.slow)]
)
def test_the_steps_run_on_an_example_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[[str, Path], int]
) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    scripts = [step["run"] for step in _steps() if step.get("run", "").startswith("provado ")]
    assert [run(script, tmp_path) for script in scripts] == [1, 0, 0]
    log = json.loads((tmp_path / "out" / "audit.sarif").read_text(encoding="utf-8"))["runs"][0]
    (result,) = log["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mine.py"
    assert MINE.splitlines()[place["region"]["startLine"] - 1].startswith("def leaky")
    suite = ElementTree.parse(tmp_path / "out" / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("## ❌ Provado: 1 of 2 audits failed")


def test_the_action_audits_reports_and_keeps_the_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "mine.py").write_text(MINE)
    script = next(step["run"] for step in ACTION["runs"]["steps"] if "audit" in step["run"])
    assert _in_a_shell(script, tmp_path) == 1
    assert json.loads((tmp_path / "out" / "audit.sarif").read_text(encoding="utf-8"))["runs"]
    assert (tmp_path / "out" / "junit.xml").is_file()
    assert "1 of 2 audits failed" in (tmp_path / "summary.md").read_text(encoding="utf-8")
