"""How far an audit has come: told by the audit, shown on one line."""

import io
import sys
import time

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.workers.progress import Progress, ProgressReporter
from provado.reports.commands.reproduce.experiment import Piece
from provado.reports.commands.reproduce.run import Store, Task, _Parts
from provado.reports.tasks.progress import Bar, Elapsed, FinishedAudits, line


def slow(data, rng):
    time.sleep(2e-4)
    return float(np.sum(data) + rng.laplace(0, 1))


@pytest.mark.parametrize("isolate", [True, False])
def test_search_and_draws_are_told(isolate):
    told = []
    given = {"epsilon": 1.0, "samples": 6000, "isolate": isolate, "arithmetic": "ideal"}
    audit(slow, **given, data=[0, 1], relation="replace-one", progress=told.append)
    stages = [one.stage for one in told]
    assert stages == sorted(stages, key=["plan", "search", "explore", "certify"].index)
    assert {"plan", "search", "certify"} <= set(stages)
    certified = [one for one in told if one.stage == "certify"]
    made = [one.made for one in certified]
    assert made == sorted(made)
    assert all(one.made <= one.planned == 6000 for one in certified)
    assert all(one.left >= 0 and one.cost > 0 for one in certified)
    assert all(one.epsilon_lower <= 1.2 for one in certified)


def test_nobody_is_told_too_often():
    told = []
    tell = ProgressReporter(told.append)
    for made in range(1000):
        tell("certify", made, 1000)
    assert len(told) <= 3
    ProgressReporter(None)("certify", 1, 2, bound=lambda: 1 / 0)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            Progress("certify", 500, 1000, 1.234, 7.0, 6.6, 0.0051),
            "fit: certifying [#####.....], 500 of 1,000 runs, ε ≥ 1.23, 7 s left",
        ),
        (
            Progress("search", 0, 100),
            "fit: searching [..........], 0 of 100 runs, 0 s",
        ),
        (
            Progress("certify", 7, 10**12, 0.0, 3.0, -1.0),
            "fit: certifying, 7 runs, ε ≥ 0, 3 s",
        ),
    ],
)
def test_a_message_is_one_line(message, text):
    assert line("fit", message) == text


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self):
        return True


def parts_of_an_experiment():
    stores = [Store("here", type("Named", (), {"name": "wang2020/figure1"}), 0)] * 2
    return _Parts([Task(one, Piece("a long key " * 9, {}, 1.0)) for one in stores], 1, 0.0)


LINES = {
    "audits": lambda: FinishedAudits(["a long name " * 9]).finished(0),
    "graph": lambda: Elapsed("a long method " * 9, "tests").__enter__().__exit__(),
    "audit": lambda: Bar("fit")(Progress("certify", 10**12, 10**13, 1.2, 3.0, -1.0)),
    "experiments": lambda: parts_of_an_experiment().finished(0),
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("columns", [30, 80])
def test_a_line_that_is_written_over_fits_the_terminal(name, columns, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    LINES[name]()
    shown = [one for one in sys.stderr.getvalue().split("\r\x1b[K") if one]
    assert shown
    assert max(map(len, shown)) < columns
    assert "\n" not in "".join(shown)


@pytest.mark.parametrize("name", LINES)
def test_nothing_is_written_over_on_a_dumb_terminal(name, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    LINES[name]()
    assert sys.stderr.getvalue() == ""
