"""``--python`` and the key ``python``: targets of another interpreter."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import pytest

from provado.reports.cli.main import main

TARGET = "targets_under_test.py:leaky"
CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "2000"]
CONFIG = """\
[audits.leak]
target = "targets_under_test.py:leaky"
python = {python}
epsilon = 1
samples = 2000
pairs = [["d0.json", "d1.json"]]
"""


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("provado: error: ")


def test_a_target_is_audited_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--python", sys.executable, TARGET, *CLAIM, "--json"]) == 1
    (audit,) = json.loads(capsys.readouterr().out)["audits"]
    assert audit["name"] == "leaky"
    assert audit["verdict"] == "violation"
    assert audit["notes"][0].startswith("ran in Python ")
    assert f"--python {sys.executable}" in audit["replay"]
    assert audit["location"] == "targets_under_test.py:10"
    # It was not imported here.
    assert "targets_under_test" not in sys.modules


def test_an_issue_lists_the_versions_there(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provado.reports.cli.commands.audit.versions", lambda: {"here": "9.9"})
    lines = []
    for where in ([], ["--python", sys.executable]):
        assert main(["audit", TARGET, *where, *CLAIM, "--format", "issue=issue.md"]) == 1
        capsys.readouterr()
        text = Path("issue.md").read_text()
        lines += [line for line in text.splitlines() if line.startswith("- **Versions.**")]
    assert "here 9.9" in lines[0]
    assert f"ran in Python {platform.python_version()}" in lines[1]
    assert "9.9" not in lines[1]


def test_a_configured_audit_runs_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "here").symlink_to(sys.executable)
    (folder / "below").mkdir()
    text = CONFIG.format(python=json.dumps(sys.executable))
    (folder / "provado.toml").write_text(text)
    assert main(["audit", "--json"]) == 1
    (audit,) = json.loads(capsys.readouterr().out)["audits"]
    assert audit["notes"][0].startswith("ran in Python ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--python", "./none", TARGET, *CLAIM], "python './none': there is no such file"),
        (["--python", "none-at-all", TARGET, *CLAIM], "python 'none-at-all': there is no such"),
        (["--python", sys.executable, "targets_under_test.py:no", *CLAIM], "has no 'no'"),
        (["--python", sys.executable, "--catalogue"], "--python: it is where a TARGET runs"),
    ],
)
def test_what_is_not_there_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["audit", *words]) == 2
    assert message in error_of(capsys)


def test_a_configuration_names_the_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "provado.toml").write_text(CONFIG.format(python='"./none"'))
    assert main(["audit"]) == 2
    assert error_of(capsys).startswith("provado.toml, line 3: audits.leak.python: python './none'")
