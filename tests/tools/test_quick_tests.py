"""Which test files the quick run takes."""

import json
import subprocess
import sys
from pathlib import Path

from tools.quick_tests import ABOVE, chosen_files, folders_of


def test_the_rooms_above_a_change_are_tested_and_not_those_below():
    assert folders_of(["audit/bounds/binomial.py"]) == {"audit", "reports"}
    assert folders_of(["tests/proofs/test_kernel.py"]) == {"proofs", "reports"}
    assert folders_of(["mechanisms/walk.py"]) == set(ABOVE)
    assert folders_of(["README.md"]) == set(ABOVE)


def test_files_are_taken_from_the_quickest_on_and_new_ones_first():
    seconds = {"a": 5.0, "b": 1.0, "c": 2.0}
    assert chosen_files(["a", "b", "c", "new"], seconds, 3.5) == ["new", "b", "c"]
    assert chosen_files(["a", "b", "c"], seconds, 100) == ["b", "c", "a"]


def test_the_processor_time_of_children_is_recorded(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["tests.processor_time"]\n')
    (tmp_path / "test_busy.py").write_text(
        "import subprocess, sys\n"
        "BUSY = 'import time\\nwhile time.process_time() < 1: pass'\n"
        "def test_child(): subprocess.run([sys.executable, '-c', BUSY], check=True)\n"
        "def test_idle(): pass\n"
    )
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=."]
    done = subprocess.run(
        [*command, "--record-times", "times.json", "test_busy.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seconds = json.loads((tmp_path / "times.json").read_text())["test_busy.py"]
    assert 0.9 < seconds < 10  # the system counts in hundredths of a second
    assert done.stdout.index("test_child") < done.stdout.index("test_idle")
