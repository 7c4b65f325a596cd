"""An audit of a callable, its documents and its test need no package that an extra installs."""

import subprocess
import sys

import pytest

EXTRA = (
    "pandas",
    "pyarrow",
    "networkx",
    "matplotlib",
    "opendp",
    "diffprivlib",
    "dp_accounting",
    "flint",
)
HIDE = f"import sys; sys.modules |= dict.fromkeys({EXTRA!r}); "

MECHANISM = """\
import numpy as np


def noisy_count(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)
"""
CLAIM = ["--epsilon", "1", "--relation", "replace-one", "--samples", "5000"]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "mine.py").write_text(MECHANISM)
    (tmp_path / "d.json").write_text("[1, 0, 1]")
    (tmp_path / "people.csv").write_text("age,smokes\n31,0\n58,1\n47,1\n")

    def run_code(code, *arguments):
        return subprocess.run(
            [sys.executable, "-c", HIDE + code, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run_code


MAIN = "from provado.reports.cli.main import main; sys.exit(main(sys.argv[1:]))"


def test_from_the_shell_with_json_and_page(run, tmp_path):
    done = run(MAIN, "audit", "mine.py:noisy_count", "--data", "d.json", *CLAIM, "--out", "out")
    assert done.returncode == 1, done.stderr
    assert "VIOLATION" in done.stdout
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"audit.html", "audit.json"}
    again = run(MAIN, "report", "out/audit.json", "--recheck")
    assert again.returncode == 0, again.stderr


def test_in_python(run):
    done = run(
        "from mine import noisy_count; from provado import audit; "
        "print(audit(noisy_count, epsilon=1.0, data=[1, 0, 1], relation='replace-one', "
        "samples=5000).verdict)"
    )
    assert done.stdout.strip() == "violation", done.stderr


def test_in_pytest(run, tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "from mine import noisy_count\n\n\ndef test_count(audit_dp):\n"
        "    audit_dp(noisy_count, epsilon=1.0, data=[1, 0, 1], relation='replace-one',\n"
        "             samples=5000, expected='violation')\n"
    )
    done = run("import pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider']))")
    assert done.returncode == 0, done.stdout


def test_a_table_names_the_extra(run):
    done = run(MAIN, "audit", "mine.py:noisy_count", "--data", "people.csv", *CLAIM)
    assert done.returncode == 2
    assert "needs pandas: pip install 'provado[pandas]'" in done.stderr


PROGRAM = """\
from provado.mechanisms.programs import gaussian, output


def above(q):
    output(q[0] + gaussian(1) > 0)
"""


def test_an_exact_delta_names_the_extra(run, tmp_path):
    (tmp_path / "plain.py").write_text(PROGRAM)
    done = run(
        MAIN, "prove", "plain.py:above", "--pair", "0", "1", "--epsilon", "1", "--delta", "0.1"
    )
    assert done.returncode == 2
    assert "needs flint: pip install 'provado[exact]'" in done.stderr
