"""``--files N``: each test file in a forked process of its own, N of them at a time.

A process that runs all files holds the tests and libraries of all of them, which every process that
a test forks has to be given in turn, and each of several workers collects all tests. Here the
process that forks holds what most files need, and each file is collected once, where it is run.
"""

import atexit
import gc
import importlib
import os
import pickle
import pkgutil
import signal
import sys
import traceback
from collections.abc import Iterator
from itertools import zip_longest
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import provado

SHARED = ("flint", "jinja2", "jsonschema", "pandas", "scipy.stats", "sklearn.ensemble")
"""What many files import, beside the modules of this package."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that says how many files are run at a time."""
    parser.addoption("--files", type=int, default=0, metavar="N", help=__doc__.splitlines()[0])


def pytest_collection(session: pytest.Session) -> bool | None:
    """Leave the collection of each file to the process that runs it."""
    if not session.config.option.files:
        return None
    session.items, session.testscollected = [], 0
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the files in the order of their names, so that no long one is the last."""
    if not session.config.option.files:
        return None
    waiting = iter(_files(session))
    _prepare(session)
    running: dict[Connection, tuple[str, int, list[Any]]] = {}
    try:
        while True:
            while len(running) < session.config.option.files and (file := next(waiting, "")):
                line, pid = _start(session, file)
                running[line] = file, pid, []
            if not running:
                return True
            for line in wait(list(running)):
                file, pid, said = running[line]
                try:
                    one = pickle.loads(line.recv_bytes())
                except EOFError:
                    one = f"its process ended with status {os.waitpid(pid, 0)[1]}"
                    pid = 0
                said.append(one)
                if one is None or isinstance(one, str):
                    del running[line]
                    line.close()
                    if pid:
                        os.waitpid(pid, 0)
                    _report(session, file, said)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
    finally:
        for _, pid, _ in running.values():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _files(session: pytest.Session) -> Iterator[str]:
    for given_ in session.config.args:
        path = Path(given_)
        found = sorted(path.rglob("test_*.py")) if path.is_dir() else [given_]
        yield from map(str, found)


def _prepare(session: pytest.Session) -> None:
    """Do once what every process would have to do."""
    ours = pkgutil.walk_packages(provado.__path__, f"{provado.__name__}.")
    for name in (*SHARED, *(one.name for one in ours if not one.name.endswith("__main__"))):
        importlib.import_module(name)
    # Hypothesis reads the constants of all modules when the first property is tried.
    given(st.integers())(lambda number: None)()
    session.config._tmp_path_factory.getbasetemp()
    gc.collect()
    gc.freeze()


def _start(session: pytest.Session, file: str) -> tuple[Connection, int]:
    line, other = Pipe(duplex=False)
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        other.close()
        return line, pid
    status = 1
    try:
        line.close()
        _run(session, file, other)
        atexit._run_exitfuncs()
        other.send_bytes(pickle.dumps(None))
        status = 0
    except BaseException:
        other.send_bytes(pickle.dumps(traceback.format_exc()))
    finally:
        os._exit(status)


class _Telling:
    """Sends what the process of one file has to report."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config, self._line = config, line

    def _send(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        hook = self._config.hook.pytest_report_to_serializable
        self._line.send_bytes(pickle.dumps(hook(config=self._config, report=report)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._send(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self._send(report)


def _run(session: pytest.Session, file: str, line: Connection) -> None:
    """Collect and run one file, and tell of it."""
    config = session.config
    # What is printed here goes to files of this process, and nobody's terminal.
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    config.pluginmanager.unregister(name="terminalreporter")
    folders = config._tmp_path_factory
    folders._basetemp = folders.getbasetemp() / str(os.getpid())
    folders._basetemp.mkdir(mode=0o700)
    config.pluginmanager.register(_Telling(config, line))
    items = session.perform_collect([file])
    for item, following in zip_longest(items, items[1:]):
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            break


def _report(session: pytest.Session, file: str, said: list[Any]) -> None:
    """Report what a file said; it ends with ``None``, or with what broke its process."""
    hook, config = session.config.hook, session.config
    for one in said:
        if isinstance(one, str):
            broken = pytest.CollectReport(nodeid=file, outcome="failed", longrepr=one, result=[])
            hook.pytest_collectreport(report=broken)
        elif one is not None:
            report = hook.pytest_report_from_serializable(config=config, data=one)
            if isinstance(report, pytest.CollectReport):
                hook.pytest_collectreport(report=report)
                continue
            where = {"nodeid": report.nodeid, "location": report.location}
            if report.when == "setup":
                session.testscollected += 1
                hook.pytest_runtest_logstart(**where)
            hook.pytest_runtest_logreport(report=report)
            if report.when == "teardown":
                hook.pytest_runtest_logfinish(**where)
