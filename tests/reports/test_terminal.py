"""What `provado audit` prints on a terminal of 80 columns: no longer line, the verdict first."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import warnings
from pathlib import Path

import pytest

from provado.reports.cli.main import main
from provado.reports.text.terminal import fitted

COLUMNS = 80

MECHANISMS = """
def leaks(data, *, size, rng):
    return 5 * sum(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)

def keeps(data, *, size, rng):
    return rng.geometric(0.5, size)

def hangs(data, rng):
    import time
    time.sleep(100)

def keeps_although_it_has_a_name_that_no_table_of_eighty_columns_has_room_for(data, *, size, rng):
    return rng.geometric(0.5, size)
"""

LONG = "keeps_although_it_has_a_name_that_no_table_of_eighty_columns_has_room_for"
PAIR = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--relation", "replace-one"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.py").write_text(MECHANISMS)
    (tmp_path / "d0.json").write_text("[0]")
    (tmp_path / "d1.json").write_text("[1]")
    return tmp_path


def on_terminal(folder: Path, *words: str, command: str = "audit", **env: str) -> tuple[str, str]:
    """Return what a command prints on two terminals: standard output and standard error.

    It runs in a fork of this process, which has imported already what it needs.
    """
    ends = [pty.openpty() for _ in range(2)]
    for _, end in ends:
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    read: list[bytes] = [b"", b""]

    def drain(at: int) -> None:
        while True:
            try:
                more = os.read(ends[at][0], 2**16)
            except OSError:  # On Linux, how a terminal says that nobody writes to it any more.
                return
            read[at] += more

    threads = [threading.Thread(target=drain, args=(at,)) for at in range(2)]

    def run() -> None:
        os.chdir(folder)
        for name in ("NO_COLOR", "COLUMNS"):
            os.environ.pop(name, None)
        os.environ.update({"TERM": "xterm"} | env)
        for number, (_, end) in enumerate(ends, 1):
            os.dup2(end, number)
        sys.stdout = open(1, "w", 1, "utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, "utf-8", closefd=False)  # noqa: SIM115
        for file in folder.glob("*.py"):
            sys.modules.pop(file.stem, None)
        warnings.simplefilter("ignore")
        sys.exit(main([command, *words]))

    process = multiprocessing.get_context("fork").Process(target=run)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # Of the threads that do not come along.
        process.start()
    for thread, (_, end) in zip(threads, ends, strict=True):
        thread.start()
        os.close(end)
    process.join(timeout=120)
    for thread, (end, _) in zip(threads, ends, strict=True):
        thread.join(timeout=10)
        os.close(end)
    out, err = (text.decode("utf-8").replace("\r\n", "\n") for text in read)
    return out, err


def lines_of(text: str) -> list[str]:
    """Return the lines as they are seen, also those that are written over."""
    return [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line) for line in re.split(r"[\r\n]", text)]


def fits(*texts: str) -> bool:
    return all(len(line) <= COLUMNS for text in texts for line in lines_of(text))


def test_one_violation_in_full(folder: Path) -> None:
    out, err = on_terminal(folder, "m.py:leaks", *PAIR, "--samples", "20000", "--out", "out")
    assert fits(out, err)
    first, *rest = lines_of(out)
    assert re.match(r"leaks    VIOLATION    claimed ε = 1, certified ε ≥ \d", first)
    labels = [line[2:14].strip() for line in rest if re.match(r"  [A-Z]", line)]
    expected = ["Worst pair", "Evidence", "Cause", "Fix", "Coverage", "Reproduce", "Report"]
    assert [one for one in labels if one in expected] == expected
    assert "out/audit.html" in rest[-2]
    # The plan and its time, before it starts.
    plan = " ".join(one.strip() for one in lines_of(err.partition("\r\x1b[K")[0]))
    assert re.match(
        r"leaks: explore .*certify 1 pair by at most 20,000 trials.*; about .* a run", plan
    )


def test_one_pass_in_full(folder: Path) -> None:
    out, err = on_terminal(folder, "m.py:keeps", *PAIR, "--samples", "2000")
    assert fits(out, err)
    first = lines_of(out)[0]
    assert first.startswith("keeps    no violation found    claimed ε = 1,")
    assert re.search(r"certified ε ≥ [\d.]+ \(95 % confidence\)", " ".join(out.split()))
    assert "\n  Not covered  " in out


def test_a_detectable_epsilon_stands_in_the_headline(folder: Path) -> None:
    (folder / "half.py").write_text(
        "def half(data, *, size, rng):\n    return rng.random(size) < (0.7 if sum(data) else 0.4)\n"
    )
    out, err = on_terminal(folder, "half.py:half", *PAIR, "--samples", "20000")
    assert fits(out, err)
    said = " ".join(out.partition("\n\n")[0].split())
    assert re.search(r"detectable ε ≥ 1\.\d+ \(90 % power\)$", said)


def test_an_unknown_has_its_reason_and_what_to_do(folder: Path) -> None:
    out, err = on_terminal(folder, "m.py:hangs", *PAIR, "--time-limit", "1")
    assert fits(out, err)
    assert "    unknown    claimed ε = 1" in lines_of(out)[0]
    assert "\n  Reason       " in out
    assert "\n  What to do   Give it more time with --time-limit" in out


def test_twenty_are_a_table_with_violations_first(folder: Path) -> None:
    names = ["keeps"] * 18 + [LONG, "leaks"]
    targets = [f"copy{i}.py:{name}" for i, name in enumerate(names)]
    for i in range(20):
        (folder / f"copy{i}.py").write_text(MECHANISMS)
    out, err = on_terminal(folder, *targets, *PAIR, "--samples", "2000")
    assert fits(out, err)
    lines = lines_of(out)
    assert lines[0].split() == ["name", "claim", "certified", "detectable", "verdict"]
    assert lines[2].startswith("leaks ")
    assert lines[2].endswith("violation")
    assert sum(line.endswith("no violation found") for line in lines[3:22]) == 19
    assert lines[22].startswith("20 audits: 1 violation, 19 no violation found; 1 unexpected.")
    assert out.count("  Reproduce  ") == 1
    assert err.startswith("20 audits, ")
    assert "audits done; last: " in err


def test_verdicts_alone_and_everything(folder: Path) -> None:
    both = ["m.py:leaks", "m.py:keeps", *PAIR, "--samples", "2000"]
    out, _ = on_terminal(folder, *both, "--quiet")
    assert out == "leaks: violation\nkeeps: no violation found\n"
    out, _ = on_terminal(folder, *both, "--verbose")
    assert fits(out)
    assert out.count("  Reproduce  ") == out.count("\n  Hazard: floating point: ") == 2
    out, _ = on_terminal(folder, *both, "--wide")
    assert lines_of(out)[0].split()[-4:] == ["ε", "expected?", "trials", "note"]


def test_colors_are_for_terminals_that_have_them(folder: Path) -> None:
    words = ["m.py:leaks", *PAIR, "--samples", "2000"]
    out, err = on_terminal(folder, *words)
    assert "    \x1b[31mVIOLATION\x1b[0m    " in out
    assert "\x1b[K" in err
    plain, err = on_terminal(folder, *words, NO_COLOR="1")
    assert "\x1b" not in plain
    assert "\x1b[K" in err
    dumb, err = on_terminal(folder, *words, TERM="dumb")
    assert "\x1b" not in dumb + err
    assert plain == dumb == re.sub(r"\x1b\[\d+m", "", out)
    command = [sys.executable, "-m", "provado.reports", "audit", *words]
    piped = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (piped.stdout, piped.stderr) == (plain, "")


MEAN = """
import numpy as np

def mean(x):
    return sum(x) / len(x)

def noisy(x):
    return np.mean(x) + np.random.laplace(0, 1 / len(x))

def both(data, rng):
    return len(data) + rng.laplace(), sum(data)
"""


@pytest.mark.parametrize(
    "words",
    [
        ["bound", "mean.py:mean", "--domain", "0:1", "--relation", "replace-one"],
        ["prove", "mean.py:noisy", "--domain", "0:1", "--epsilon", "1"],
        ["replay", "mean.py:both", "--pair", "d0.json", "d1.json"],
        ["discover", "table.csv", "--epsilon", "1", "--redraws", "2"],
        ["list"],
    ],
    ids=lambda words: words[0],
)
def test_other_commands_wrap_on_a_terminal_what_they_print_whole_elsewhere(
    folder: Path, words: list[str]
) -> None:
    (folder / "mean.py").write_text(MEAN)
    rows = "".join(f"{k % 2},{k % 3},{k % 5}\n" for k in range(300))
    (folder / "table.csv").write_text(f"a,b,c\n{rows}")
    command, *more = words
    out, _ = on_terminal(folder, *more, command=command)
    printed = subprocess.run(
        [sys.executable, "-m", "provado.reports", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ).stdout
    assert out.split() == printed.split()
    tables = [line for line in out.splitlines() if re.search(r"\S {2,}\S.*\S {2,}\S", line)]
    assert fits(*(line for line in out.splitlines() if line not in tables))
    if command in ("bound", "discover"):
        assert len(out.splitlines()) > len(printed.splitlines())


def test_long_lines_continue_below_their_words() -> None:
    text = "  plan       " + "word " * 30 + "\n" + "a" * 90 + "\n  a  " + "b " * 50 + " c"
    lines = fitted(text).splitlines()
    assert lines[1].startswith(" " * 13 + "word")
    assert lines[-2:] == ["a" * 90, "  a  " + "b " * 50 + " c"]


@pytest.mark.parametrize(
    "words",
    [
        ("m.py:leaks", "--epsilon", "0"),
        ("m.py:leaks", "--epsilon", "1", "--data", "d0.json"),
        ("m.py:leaks", "--relation", "replace"),
        ("m.py:nosuch", *PAIR),
    ],
)
def test_an_error_fits_and_keeps_its_command_on_one_line(
    folder: Path, words: tuple[str, ...]
) -> None:
    out, err = on_terminal(folder, *words)
    assert (out, fits(err)) == ("", True)
    commands = re.findall(r"`(provado [^`]*)`", err)
    assert all("\n" not in command for command in commands)
    assert len(err.splitlines()) > 1 or len(err) < COLUMNS
