from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from provado.reports.tasks.resources import run_in_processes


def test_output_of_the_work_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    def chatter() -> None:
        print("from Python", flush=True)
        os.write(1, b"from below\n")

    run_in_processes([chatter], processes=1, time_limit=30)
    out, err = capfd.readouterr()
    assert out == ""
    assert "from below" in err


def test_the_command_line_sends_a_file_and_its_neighbors(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("def total(data):\n    return sum(data)\n")
    (tmp_path / "mine.py").write_text(
        "from beside import total\n"
        "def noisy(data, size, rng):\n"
        "    return total(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)\n"
    )
    (tmp_path / "a.json").write_text("[0]")
    (tmp_path / "b.json").write_text("[1]")
    found = []
    for method in ("fork", "spawn"):
        command = "audit mine.py:noisy --epsilon 1 --pair a.json b.json --samples 4000 --json"
        done = subprocess.run(
            [sys.executable, "-m", "provado.reports", *command.split()],
            cwd=tmp_path,
            env={**os.environ, "PROVADO_START": method},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout)["audits"][0]["pairs"][0]["counts"])
    assert found[0] == found[1]
