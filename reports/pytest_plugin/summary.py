"""The section "provado" at the end of a session, from what the tests reported."""

from collections import Counter
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal

import pytest

from .settings import SessionSettings, session_again
from .state import AUDIT, LEDGER, PROOF, REPLAY, SENSITIVITY, CallRecord

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
    said = [_total(ordered)]
    if any(record.share for record in ordered):
        said.append(f"chance of any false alarm at most {chance(ordered, settings)}")
    head = "; ".join(said)
    limits = [f"limited: {record.test}: {record.said}" for record in ordered if record.limited]
    if verbosity < 0:
        return [head, *limits]
    if verbosity > 0:
        found = [f"{record.test}: {record.said}" for record in ordered]
        return [head, *found]
    weakest = max((r for r in ordered if r.passed), key=lambda r: r.weakness, default=None)
    if weakest is None or not weakest.weakness:
        return [head, *limits]
    return [head, *limits, f"weakest: {weakest.test}: {weakest.said}"]


def chance(records: Iterable[CallRecord], settings: SessionSettings) -> str:
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
