"""How far an audit has come: told by the audit, shown on one line."""

import time

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.workers.progress import Progress, ProgressReporter
from provado.reports.tasks.progress import line


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
