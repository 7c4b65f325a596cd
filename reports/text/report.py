"""What one audit has to say: each text is made once, and every output shows it as it is."""

from functools import cached_property

from provado.audit.result import AuditResult

from . import sentences
from .evidence import Row, evidence
from .formatting import clean
from .power import power_of


class AuditReport:
    """The texts of one result. anytime: whether the audit was allowed to stop early."""

    def __init__(self, result: AuditResult, *, anytime: bool) -> None:
        self._result, self._anytime = result, anytime

    @cached_property
    def cause(self) -> str:
        """Why it violates its claim; empty for any other verdict."""
        return sentences.cause(self._result)

    @cached_property
    def power(self) -> str:
        """Which violations it would have certified; empty unless none was found."""
        return power_of(self._result)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Names and printable texts: limitations, worst pair, evidence, cause and the rest."""
        found = sentences.finding_rows(self._result, cause_said=self.cause)
        return tuple((name, clean(text)) for name, text in found)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The rows as lines."""
        return tuple(f"{name}: {text}" for name, text in self.rows)

    @cached_property
    def evidence(self) -> tuple[Row, ...]:
        """What the audit covers and what it does not."""
        return evidence(self._result, anytime=self._anytime)
