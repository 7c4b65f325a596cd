"""What holds for all tests: none of them depends on how fast or how busy the machine is."""

import gc
import importlib
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis fails examples that take more than 200 ms, and strategies that draw slowly: both say
# more of the machine than of the code. All else is as it stands, in CI its profile for CI.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# Products of small matrices take many times the processor time on several threads, which wait for
# each other. Read when numpy is first imported, which no plug-in of pytest does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Once compiled, modules are read by all workers and all new processes that tests start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Theorems are compiled by the tests marked `formal` alone, whether Coq is installed or not.
os.environ["COQC"] = "none"


pytest_plugins = ["tests.processor_time"]

MODULES = 50
"""Once so many more are loaded, what they left behind is worth a collection."""
_settled = 0


def pytest_collection_finish() -> None:
    """Spare the collector, and every audit's search for generators, what will stay to the end."""
    global _settled
    gc.collect()
    gc.freeze()
    _settled = len(sys.modules)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Spare them the libraries that a test loaded, too."""
    if len(sys.modules) > _settled + MODULES and "thawed" not in item.fixturenames:  # type: ignore[attr-defined]
        pytest_collection_finish()


@pytest.fixture
def thawed() -> Iterator[None]:
    """Let generators that test modules hold be found, though no mechanism reaches them."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.fixture
def all_copies() -> None:
    """Ask as many fresh processes as the audits of users do, where a test is about a memory."""


@pytest.fixture(autouse=True)
def two_copies(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two fresh processes agree before a violation is reported, where they are not the point.

    The check is the same, only blinder to a memory; it takes 16 processes otherwise. What a test
    starts anew, instead of forking it, asks all of them.
    """
    state = sys.modules.get("provado.audit.checks.state")
    if state is not None and "all_copies" not in request.fixturenames:
        monkeypatch.setattr(state, "COPIES", 2)


class Clock:
    """Stands in for the module ``time``: ``read`` says what time it is."""

    def __init__(self, read: Callable[[], float]) -> None:
        self.monotonic = self.perf_counter = read
        self.sleep = time.sleep


def clocked() -> list[ModuleType]:
    """Return the modules that keep the time of one audit; not those that keep that of processes."""
    names = ["provado.audit.trials.checkpoint", "provado.audit.workers.time_limits"]
    for package in ("provado.audit.pipeline", "provado.audit.search"):
        found = pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")
        names += [module.name for module in found if not module.name.endswith(".isolated_run")]
    return [module for module in map(importlib.import_module, names) if hasattr(module, "time")]


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let the time of an audit go on by so many seconds each time that it is looked at."""

    def install(step: float) -> None:
        now = 0.0

        def read() -> float:
            nonlocal now
            now += step
            return now

        for module in clocked():
            monkeypatch.setattr(module, "time", Clock(read))

    return install


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], bool]], None]:
    """Let the time of forked work stand until something has happened; then every limit is over."""

    def install(happened: Callable[[], bool]) -> None:
        clock = Clock(lambda: 1e9 if happened() else 0.0)
        monkeypatch.setattr("provado.audit.workers.child.time", clock)

    return install
