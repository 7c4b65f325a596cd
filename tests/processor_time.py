"""The processor time of tests: the ten that take most are printed, and a record of files is kept.

Processor time does not depend on what else the machine does. That of child processes counts once
they have ended and were waited for. ``--record-times FILE`` writes the seconds of each test file;
``make test-quick`` chooses files by it.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SHOWN = 10
_seconds: dict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the record."""
    parser.addoption("--record-times", metavar="FILE", help="write the seconds of each test file")


def _spent() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note the processor time of a test with its fixtures, where its report will carry it."""
    before = _spent()
    item.user_properties.append(("processor seconds", lambda: _spent() - before))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Put the time spent until now in the place of the function that measures it."""
    report = yield
    report.user_properties = [
        (name, value() if callable(value) else value) for name, value in item.user_properties
    ]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the time of a test that has ended."""
    if report.when == "teardown":
        _seconds[report.nodeid] += dict(report.user_properties).get("processor seconds", 0.0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the tests that took most processor time, and write the record if it is asked for."""
    slowest = sorted(_seconds.items(), key=lambda entry: -entry[1])[:SHOWN]
    terminalreporter.section(f"processor time: {sum(_seconds.values()):.0f} s in all")
    for name, seconds in slowest:
        terminalreporter.line(f"{seconds:8.1f} s  {name}")
    if path := config.getoption("--record-times"):
        files: dict[str, float] = defaultdict(float)
        for name, seconds in _seconds.items():
            files[name.partition("::")[0]] += seconds
        record = {name: round(seconds, 2) for name, seconds in sorted(files.items())}
        Path(path).write_text(json.dumps(record, indent=0) + "\n", encoding="utf-8")
