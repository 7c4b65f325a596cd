"""Hooks and fixtures that pytest loads (entry point ``pytest11``); light to import.

``audit_dp`` audits a mechanism, ``sensitivity_dp`` checks a score's sensitivity, ``ledger_dp``
decides entries of the ledger, ``replay_dp`` runs a mechanism twice under the same noise. The marker
``dp`` sets defaults of a test's audits.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from provado.reports.pytest_plugin.state import Summary

from .settings import SessionSettings, add_options, read_settings
from .state import CALLS, MARKER, STATE, State, calls_of, state_of

if TYPE_CHECKING:
    from .audit_fixture import AuditDP
    from .check_fixtures import LedgerDP, ProveDP, ReplayDP, SensitivityDP

_MARKER_LINE = (
    f"{MARKER}(epsilon=…, delta=…, promise=…, pair=…, data=…, values=…, relation=…, samples=…, "
    "seconds=…, expected=…, calls=…): defaults for the audits (audit_dp) of a test; calls is the "
    "number of audits that the test makes, which then share its chance of a false alarm equally"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings; a worker of pytest-xdist has them from its controller."""
    sent = getattr(config, "workerinput", {}).get("provado")
    settings = read_settings(config) if sent is None else SessionSettings(**sent)
    config.stash[STATE] = State(settings)
    config.addinivalue_line("markers", _MARKER_LINE)
    config.pluginmanager.register(Summary(config, settings), "provado-summary")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Send the settings, with the seed that may have been drawn, to a worker."""
    node.workerinput["provado"] = asdict(state_of(node.config).settings)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Share alpha among the tests that were collected, before any is deselected."""
    state_of(config).collected(items)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse a marker of its own on a test that makes no audit."""
    own = any(mark.name == MARKER for mark in item.own_markers)
    if own and "audit_dp" not in getattr(item, "fixturenames", ()):
        pytest.fail(
            f"marker {MARKER} has no effect on {item.name}, which does not take audit_dp",
            pytrace=False,
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test that takes a fixture and never uses it: it would pass without a check."""
    result = yield
    calls = item.stash.get(CALLS, None)
    unused = sorted(name for name in calls.taken if not calls.made[name]) if calls else []
    if unused:
        pytest.fail(f"{', '.join(unused)}: taken but never called, so nothing was checked", False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Hand what was found to the report, which reaches the controller of pytest-xdist."""
    report = yield
    if CALLS in item.stash:
        calls = calls_of(item)
        vars(report)["provado"] = [asdict(record) for record in calls.new]
        calls.new.clear()
    return report


@pytest.fixture
def audit_dp(request: pytest.FixtureRequest) -> AuditDP:
    """Audit a claim of differential privacy: ``audit_dp(mechanism, epsilon=1.0, pair=(d0, d1))``.

    Fails the test with a witness on a certified violation, and on an audit that broke.
    """
    from .audit_fixture import AuditDP

    return AuditDP(request.node)


@pytest.fixture
def sensitivity_dp(request: pytest.FixtureRequest) -> SensitivityDP:
    """Check a claimed sensitivity: ``sensitivity_dp(score, 1, domain=[0, 1], size=(1, 6))``.

    Fails the test with the counterexample.
    """
    from .check_fixtures import SensitivityDP

    return SensitivityDP(request.node)


@pytest.fixture
def replay_dp(request: pytest.FixtureRequest) -> ReplayDP:
    """Replay under the same noise: ``replay_dp(mechanism, epsilon=1.0, pair=(d0, d1))``.

    Fails the test where anything else than the noise's input depends on the data, or costs more.
    """
    from .check_fixtures import ReplayDP

    return ReplayDP(request.node)


@pytest.fixture
def prove_dp(request: pytest.FixtureRequest) -> ProveDP:
    """Prove a program's claim: ``prove_dp(sparse_vector, neighbors="all")``.

    Fails the test with the counterexample, or with the reason where it is undecided.
    """
    from .check_fixtures import ProveDP

    return ProveDP(request.node)


@pytest.fixture
def ledger_dp(request: pytest.FixtureRequest) -> LedgerDP:
    """Decide entries of the ledger: ``ledger_dp("kusner2016/thm2")``.

    Fails the test where a verdict is not the recorded one.
    """
    from .check_fixtures import LedgerDP

    return LedgerDP(request.node)
