"""A new user's way to a planted bug, from nothing: install, command line, pytest.

``python -m benchmarks.first_use``. In a new folder and a new environment: installs the project as a
user would (a wheel, not a link), writes a mechanism of some 20 lines whose scale is half of what
its claim takes, and finds the bug by the commands of the README, without a pair. The bars are five
minutes of wall time for everything, and 90 seconds for what is not installing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BAR, OWN_BAR = 300.0, 90.0

MECHANISM = '''\
"""Counts of survey answers, released once a month."""

import numpy as np

ANSWERS = ("yes", "no", "unknown")
EPSILON = 1.0


def counts(answers):
    """Return how often each answer was given."""
    return np.array([sum(a == one for a in answers) for one in ANSWERS], dtype=float)


def monthly_release(answers, *, size, rng):
    """Claims EPSILON under replacement of one record.

    A replaced record moves two counts by 1 each, so that the scale must be 2/EPSILON.
    """
    noise = rng.laplace(scale=1 / EPSILON, size=(size, len(ANSWERS)))
    return np.round(counts(answers) + noise, 3)
'''

TEST = """\
from survey import EPSILON, monthly_release

from provado.mechanisms import ReplaceOne


def test_monthly_release(audit_dp):
    data = ["yes", "no", "yes", "unknown"]
    audit_dp(monthly_release, epsilon=EPSILON, data=data, relation=ReplaceOne())
"""


def _step(what: str, words: list[str], folder: Path, expected: int, said: str) -> bool:
    started = time.perf_counter()
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    took = time.perf_counter() - started
    fine = run.returncode == expected and said in run.stdout
    print(f"{what:44s} {took:6.1f} s{'' if fine else '  NOT AS EXPECTED'}", flush=True)
    if not fine:
        print(run.stdout[-2000:] + run.stderr[-2000:])
    return fine


def main() -> int:
    """Print what each step took; exit 1 where the bug is not found or the bar is missed."""
    root = Path(__file__).parent.parent
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, work = folder / "source", folder / "work"
        # pip builds in the source folder; a copy keeps the project's own clean.
        shutil.copytree(
            root, source, ignore=shutil.ignore_patterns(".*", "build", "out", "*.egg-info")
        )
        work.mkdir()
        (work / "survey.py").write_text(MECHANISM, encoding="utf-8")
        (work / "test_survey.py").write_text(TEST, encoding="utf-8")
        (work / "d.json").write_text('["yes", "no", "yes", "unknown"]', encoding="utf-8")
        bin_folder = folder / "venv" / "bin"
        provado = str(bin_folder / "provado")
        started = time.perf_counter()
        fine = all(
            (
                _step("environment", [sys.executable, "-m", "venv", "../venv"], work, 0, ""),
                _step(
                    "pip install provado pytest",
                    [str(bin_folder / "pip"), "install", "-q", str(source), "pytest"],
                    work,
                    0,
                    "",
                ),
            )
        )
        installed = time.perf_counter()
        fine = fine and all(
            (
                _step("provado", [provado], work, 0, "provado audit"),
                _step(
                    "provado audit survey.py", [provado, "audit", "survey.py"], work, 0, "survey"
                ),
                _step(
                    "provado audit survey.py:monthly_release",
                    [
                        *(provado, "audit", "survey.py:monthly_release", "--epsilon", "1"),
                        *("--data", "d.json", "--relation", "replace-one", "--out", "out"),
                    ],
                    work,
                    1,
                    "VIOLATION",
                ),
                _step(
                    "pytest",
                    [str(bin_folder / "pytest"), "-q"],
                    work,
                    1,
                    "violation, claimed ε = 1, certified ε ≥ 1.",
                ),
            )
        )
        ended = time.perf_counter()
        written = (work / "out" / "audit.html").is_file()
    total, own = ended - started, ended - installed
    met = fine and written and total < BAR and own < OWN_BAR
    print(f"{'everything but installing':44s} {own:6.1f} s  (bar: {OWN_BAR:g} s)")
    print(f"{'everything':44s} {total:6.1f} s  (bar: {BAR:g} s){'' if met else '  BAR MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
