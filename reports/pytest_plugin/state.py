"""What the plug-in keeps: of the session, its settings and tests; of a test, its calls."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from provado.reports.pytest_plugin.settings import SessionSettings

MARKER = "dp"
"""Sets defaults for the audits of a test, a class or a module."""


@dataclass
class State:
    """The session of one process.

    tests: the node ids of all collected tests that take ``audit_dp``, before any is deselected;
    each worker of pytest-xdist collects the same. count: how many they are, repetitions included.
    """

    settings: SessionSettings
    tests: frozenset[str] = frozenset()
    count: int = 0

    def collected(self, items: list[pytest.Item]) -> None:
        """Count the tests among which the chance of a false alarm is shared."""
        ids = [item.nodeid for item in items if "audit_dp" in getattr(item, "fixturenames", ())]
        self.tests, self.count = frozenset(ids), len(ids)

    def share(self, test: str) -> float:
        """Return a test's share of the chance of a false alarm.

        Raises ``ValueError`` for a test that was not counted, and where a share that the user set
        would exceed the whole.
        """
        if test not in self.tests:
            raise ValueError(
                "this test has no share of the session's chance of a false alarm: take audit_dp as "
                "an argument of the test or of a fixture, or put "
                "@pytest.mark.usefixtures('audit_dp') on it"
            )
        from provado.audit.bounds.alpha_spending import exact, session_alpha, share_of_each

        share, whole = self.settings.share, session_alpha(self.settings.confidence)
        if share is None:
            return share_of_each(self.settings.confidence, self.count)
        if exact(share) * self.count > whole:
            raise ValueError(
                f"--provado-share is {share!r}: {self.count} tests with audits were collected, and "
                f"together they would have more than the session's {float(whole):.4g}; name fewer "
                "tests, or lower --provado-confidence"
            )
        return share


@dataclass
class Calls:
    """The calls that one run of a test has made so far; ``new`` are not reported yet."""

    made: Counter[str] = field(default_factory=Counter)
    taken: set[str] = field(default_factory=set)
    new: list[CallRecord] = field(default_factory=list)


STATE = pytest.StashKey[State]()
CALLS = pytest.StashKey[Calls]()


def state_of(config: pytest.Config) -> State:
    """Return the session's state."""
    return config.stash[STATE]


def calls_of(item: pytest.Item) -> Calls:
    """Return the calls of the test that runs."""
    return item.stash.setdefault(CALLS, Calls())


class Fixture:
    """What a test gets under ``name``."""

    name: ClassVar[str]

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        # Counted anew: a test that is run again has the same streams.
        self._calls = calls_of(item)
        self._calls.taken.add(self.name)
        self._calls.made[self.name] = 0

    def __repr__(self) -> str:
        return self.name

    def _next(self) -> int:
        """Return the number of the call that begins, from 1 on."""
        self._calls.made[self.name] += 1
        return self._calls.made[self.name]

    def _misused(self, error: Exception) -> BaseException:
        """Return the failure of a test that breaks a rule of the fixture."""
        return pytest.fail.Exception(f"wrong use of {self.name}: {error}")


def note(item: pytest.Item, record: CallRecord) -> None:
    """Keep a record for the reports: for the summary, and in words for JUnit XML."""
    calls_of(item).new.append(record)
    item.user_properties.append((f"provado {record.kind} {record.number}", record.said))
    item.user_properties.append((f"provado replay {record.number}", record.replay))


def call_seed(session_seed: int, test: str, fixture: str, number: int) -> int:
    """Return the seed of the ``number``-th call of ``fixture`` in a test, at most 2^62.

    It depends on nothing else: neither on the order of the tests, nor on which others run, nor on
    the worker.
    """
    key = "\0".join((str(session_seed), test, fixture, str(number)))
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 2


AUDIT, SENSITIVITY, LEDGER = "audit", "sensitivity check", "ledger entry"
REPLAY, PROOF = "counterfactual replay", "proof"


@dataclass(frozen=True)
class CallRecord:
    """What one call found.

    kind: one of ``AUDIT``, ``SENSITIVITY``, ``LEDGER``, ``REPLAY``, ``PROOF``. test: the test's
    node id; number: the call's number in it, from 1 on. said: the finding in one sentence, with the
    name of what was examined. verdict: the verdict word. passed: whether it is what the test
    expects. epsilon, detectable: for an audit that drew samples, the claim, and the least violation
    detectable by its rule that would have shown; infinite where the rule tells nothing. share: the
    test's share of the chance of a false alarm. replay: how to run it again. limited: whether
    ``said`` states limitations.
    """

    kind: str
    test: str
    number: int
    said: str
    verdict: str
    passed: bool
    replay: str
    epsilon: float | None = None
    detectable: float | None = None
    share: float = 0.0
    limited: bool = False

    @property
    def weakness(self) -> float:
        """Return by which factor the claim had to be broken to be detectable; 0 where unknown."""
        if self.epsilon is None or self.detectable is None:
            return 0.0
        return self.detectable / self.epsilon
