"""Modules that end, hang or rob the process which imports them: one line and status 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provado.reports.cli.main import main
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, WRONG_USAGE
from provado.reports.targets import load

F = "\ndef f(data, *, size, rng):\n    return rng.integers(0, 2, size=size)\n"
CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "500", "--jobs", "1"]
EFFECT = ["--point", "a", "--values", "0", "1", "--samples", "500"]

ENDS = {
    "import os; os._exit(0)": "its process ended with status 0 and no answer",
    "import os; os._exit(1)": "its process ended with status 1 and no answer",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": "its process was killed by SIGKILL",
    "import os, sys; os.execv(sys.executable, ['python', '-c', ''])": "ended with status 0",
    "import time; time.sleep(10_000)": "no answer within 1 seconds",
    "import sys; sys.exit(0)": "raised SystemExit: 0",
    "import sys; sys.exit()": "raised SystemExit",
    "raise KeyboardInterrupt": "raised KeyboardInterrupt",
    "raise GeneratorExit": "raised GeneratorExit",
    "raise StopIteration(3)": "raised StopIteration: 3",
    "raise OSError(28, 'No space left on device')": "raised OSError: [Errno 28] No space left",
    "class E(Exception):\n    def __str__(self): return '\\x1b[2J\\n' * 3\nraise E": "raised E: ",
}
"""What a module does, and what is said of it."""


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    sys.modules.pop("hostile_under_test", None)


@pytest.mark.parametrize("source", ENDS)
def test_a_module_that_ends_the_process_or_hangs(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    source: str,
) -> None:
    monkeypatch.setattr(load, "IMPORT_SECONDS", 1.0)
    (folder / "hostile_under_test.py").write_text(source + F)
    (folder / "family.csv").write_text("a,b\n0,1\n1,0\n1,1\n")
    (folder / "provado.toml").write_text(
        "[audits.one]\ntarget = 'hostile_under_test.py:f'\nepsilon = 1\n"
        "pairs = [['d0.json', 'd1.json']]\n"
    )
    where = "hostile_under_test.py"
    for words in (
        ["audit", f"{where}:f", *CLAIM],
        ["audit", where],
        ["audit"],
        ["effect", f"{where}:f", "--population", "family.csv", *EFFECT],
    )[: 4 if "sleep" not in source else 1]:
        before = Path.cwd()
        assert main(words) == WRONG_USAGE
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "\x1b" not in err
        assert f"target '{where}" in err
        assert f"importing {where}" in err
        assert ENDS[source] in err
        assert Path.cwd() == before


@pytest.mark.parametrize(
    "source",
    [
        "import io, sys; sys.stdout = sys.stderr = io.StringIO()",
        "import os; os.chdir('/')",
        "import os, sys; print('x' * 9); os.write(1, b'y'); sys.stdout.flush()",
    ],
)
def test_a_module_takes_neither_streams_nor_folder(
    folder: Path, capfd: pytest.CaptureFixture[str], source: str
) -> None:
    (folder / "hostile_under_test.py").write_text(source + F)
    streams = sys.stdout, sys.stderr
    assert main(["audit", "hostile_under_test.py:f", *CLAIM, "--out", "out"]) == AS_EXPECTED
    assert (sys.stdout, sys.stderr) == streams
    assert "f    no violation found" in capfd.readouterr().out
    assert sorted(os.listdir(folder / "out")) == ["audit.html", "audit.json"]  # noqa: PTH208


def test_the_folder_that_a_module_chose_is_the_mechanism_s(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "answer.txt").write_text("1")
    (folder / "hostile_under_test.py").write_text(
        "import os, pathlib; os.chdir('data')\n"
        "def f(data, *, size, rng):\n"
        "    top = 1 + int(pathlib.Path('answer.txt').read_text())\n"
        "    return rng.integers(0, top, size=size)\n"
    )
    assert main(["audit", "hostile_under_test.py:f", *CLAIM]) == AS_EXPECTED


def test_a_mechanism_that_ends_the_process_of_a_study(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "family.csv").write_text("a,b\n0,1\n1,0\n1,1\n")
    (folder / "hostile_under_test.py").write_text("import os\ndef f(d): os._exit(0)\n")
    words = ["effect", "hostile_under_test.py:f", "--population", "family.csv", *EFFECT]
    assert main(words) == NOT_COMPLETED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("provado: not completed: hostile_under_test.py:f: ")
    assert err.endswith("its process ended with status 0 and no answer\n")
    assert err.count("\n") == 1
