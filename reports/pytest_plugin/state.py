"""What the plug-in keeps, of the session and of each test, and the section "provado" at its end."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from typing import ClassVar

import pytest

from provado.reports.pytest_plugin.settings import SessionSettings, session_again

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
        words = str(error)
        if state_of(self._item.config).settings.redact:
            # Imported here: pytest loads the plug-in at every start.
            from provado.reports.text.redact import masked

            words = masked(words)
        return pytest.fail.Exception(f"wrong use of {self.name}: {words}")


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


_PLURALS = {
    AUDIT: "audits",
    SENSITIVITY: "sensitivity checks",
    LEDGER: "ledger entries",
    REPLAY: "counterfactual replays",
    PROOF: "proofs",
}


class Summary:
    """Gathers the records that reports bring, on the controller of pytest-xdist too."""

    def __init__(self, config: pytest.Config, settings: SessionSettings) -> None:
        self._config = config
        self._settings = settings
        self._records: dict[tuple[str, str, int], CallRecord] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a report's records; those of a test that is run again replace the first ones."""
        for fields in getattr(report, "provado", ()):
            record = CallRecord(**fields)
            self._records[record.test, record.kind, record.number] = record

    def pytest_report_header(self) -> list[str]:
        """Show a fresh seed at the top."""
        return [self._nightly()] if self._settings.nightly else []

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the section; nothing where no test took a fixture."""
        if not self._records:
            return
        verbosity = self._config.get_verbosity()
        terminalreporter.section("provado")
        for line in lines(self._records.values(), self._settings, verbosity):
            terminalreporter.write_line(line)
        if self._settings.nightly:
            terminalreporter.write_line(self._nightly())

    def _nightly(self) -> str:
        again = session_again(self._config.invocation_params.args, self._settings.seed)
        return f"provado: fresh seed {self._settings.seed}; replay with: {again}"


def lines(
    records: Iterable[CallRecord], settings: SessionSettings, verbosity: int = 0
) -> list[str]:
    """Return the summary: how many, the chance of a false alarm, limitations, the weakest audit.

    With ``verbosity`` above 0 each finding, below 0 not the weakest.
    """
    ordered = sorted(records, key=lambda record: (record.test, record.kind, record.number))
    sentences = [_total(ordered)]
    if any(record.share for record in ordered):
        sentences.append(f"chance of any false alarm at most {false_alarm(ordered, settings)}")
    head = "; ".join(sentences)
    limits = [f"limited: {record.test}: {record.said}" for record in ordered if record.limited]
    if verbosity < 0:
        return [head, *limits]
    if verbosity > 0:
        result = [f"{record.test}: {record.said}" for record in ordered]
        return [head, *result]
    weakest = max((r for r in ordered if r.passed), key=lambda r: r.weakness, default=None)
    if weakest is None or not weakest.weakness:
        return [head, *limits]
    return [head, *limits, f"weakest: {weakest.test}: {weakest.said}"]


def false_alarm(records: Iterable[CallRecord], settings: SessionSettings) -> str:
    """Return the chance of any false alarm in the session as a percentage, rounded up."""
    from provado.audit.bounds.alpha_spending import exact, session_alpha

    alpha = session_alpha(settings.confidence)
    if settings.share is not None:
        tests = {record.test for record in records if record.kind == AUDIT}
        alpha = min(alpha, exact(settings.share) * len(tests))
    percent = Decimal(100 * alpha.numerator) / alpha.denominator
    place = Decimal((0, (1,), percent.adjusted() - 2))
    return f"{percent.quantize(place, rounding=ROUND_CEILING).normalize():f} %"


def _total(records: list[CallRecord]) -> str:
    parts = []
    for kind, plural in _PLURALS.items():
        verdicts = Counter(record.verdict for record in records if record.kind == kind)
        number = verdicts.total()
        if number:
            each = ", ".join(f"{count} {word}" for word, count in sorted(verdicts.items()))
            parts.append(f"{number} {kind if number == 1 else plural} ({each})")
    return "; ".join(parts)
