"""The plan of an audit and its time are printed before it starts, in a line; of many in one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from provado.audit.workers.progress import Forecast, Progress
from provado.reports.cli.main import main
from provado.reports.tasks.progress import Bar
from provado.reports.tasks.run import Settings
from provado.reports.tasks.task import AuditTask, print_forecast
from provado.reports.text.terminal import drawing_time, forecast_line, forecast_of_all, wrapped

SLOW = Forecast(0.0051, 1, 1_000_000, 0, 0, 0, 1, 0.95, 60.0, usual=True, time_limit=3600.0)
FIXED = Forecast(0.0051, 2, 50_000, 20_000, 17, 5_000, 2, 0.99, time_limit=100.0)
TIMED = Forecast(2e-6, 1, 10**12, 10**6, 0, 0, 1, 0.95, 30.0)


@pytest.mark.parametrize(
    ("forecast", "said"),
    [
        (
            SLOW,
            "f: certify 1 pair by at most 1,000,000 trials; about 60 s (default; change it with "
            "--seconds), 5.1 ms a run",
        ),
        (
            FIXED,
            "f: search 17 or more pairs in 5,000 runs, explore in 20,000 runs, certify 2 pairs by "
            "at most 50,000 trials each on 2 processes; about 8 minutes, 5.1 ms a run; it ends as "
            "unknown after 100 s (--time-limit)",
        ),
        (TIMED, "f: explore in 1,000,000 runs, certify 1 pair; about 30 s, 2 µs a run"),
    ],
)
def test_an_audit_in_a_line(forecast: Forecast, said: str) -> None:
    assert forecast_line("f", forecast) == said


def test_many_in_one_line() -> None:
    assert forecast_of_all([SLOW, FIXED, None], 2) == (
        "3 audits, 2 at a time: 3 pairs by at most 1,000,000 trials each; the runs alone take "
        "about 100 s, but for 1 that gave no answer soon"
    )
    assert forecast_of_all([None], 2) == "1 audit, 2 at a time: none gave an answer soon"
    assert drawing_time([SLOW, SLOW, SLOW, None], 2) == 90


@pytest.mark.parametrize("terminal", [True, False])
def test_it_is_said_elsewhere_than_on_a_terminal_where_it_takes_long(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    bar = Bar("f", usual=True)
    bar(Progress("plan", 0, 0, forecast=SLOW))
    said = wrapped(forecast_line("f", SLOW), 4)
    assert capsys.readouterr().err == "".join(f"{text}\n" for text in said)
    bar(Progress("plan", 0, 0, forecast=Forecast(1e-6, 1, 1000, 1000, 0, 0, 1, 0.95)))
    bar(Progress("certify", 1, 2))
    err = capsys.readouterr().err
    assert ("1 µs a run\n\r\x1b[Kf: certifying" in err) is terminal
    assert bool(err) is terminal


MECHANISMS = """
import time
import numpy as np

def slow(data, rng):
    time.sleep(0.01)
    return int(rng.random() < 0.5)

def fast(data, *, size, rng):
    return rng.integers(0, 2, size)

def hangs(data):
    time.sleep(1000)
"""


def test_the_command_line_says_it_on_standard_error_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.py").write_text(MECHANISMS)
    for name, value in (("d0", 0), ("d1", 1)):
        Path(f"{name}.json").write_text(f"[{value}]")
    given = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--json"]
    budget = ["--samples", "auto:120"]
    for module in ("progress", "task"):
        monkeypatch.setattr(f"provado.reports.tasks.{module}.LONG", 1.0)
    assert main(["audit", "m.py:slow", *given, *budget]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["audits"][0]["verdict"] == "no violation found"
    assert err.startswith("slow: certify 1 pair by at most 120 trials; at most ")
    assert "ms a run" in err
    assert all(len(line) <= 80 for line in err.splitlines())
    assert main(["audit", "m.py:slow", "m.py:fast", *given, *budget]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["exit_status"] == 0
    assert err.count("\n") <= 2
    assert err.startswith("2 audits, ")
    assert main(["audit", "m.py:fast", *given, "--samples", "2000"]) == 0
    assert capfd.readouterr().err == ""


def test_one_that_hangs_is_said_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("provado.reports.tasks.task.FORECAST_SECONDS", 6.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    space: dict[str, object] = {}
    exec(MECHANISMS, space)
    claim = {"epsilon": 1.0, "pair": (0, 1)}
    settings = Settings(None, None, 0.95, 0, 3600.0)
    jobs = [
        AuditTask(name, space[name], (), claim, settings=settings) for name in ("fast", "hangs")
    ]
    print_forecast(jobs, 2)
    err = capsys.readouterr().err
    assert err.startswith("2 audits, 2 at a time: 1 pair by at most 1,000,000 trials each; ")
    assert all(len(line) <= 80 for line in err.splitlines())
    assert " ".join(err.split()).endswith(", but for 1 that gave no answer soon")
