"""One call of a fixture as it is reported; plain data, so that it can cross processes."""

from __future__ import annotations

from dataclasses import dataclass

AUDIT, SENSITIVITY, LEDGER = "audit", "sensitivity check", "ledger entry"
REPLAY, PROOF = "counterfactual replay", "proof"


@dataclass(frozen=True)
class Record:
    """What one call found.

    kind: one of ``AUDIT``, ``SENSITIVITY``, ``LEDGER``, ``REPLAY``, ``PROOF``. test: the test's
    node id; number: the call's number in it, from 1 on. said: the finding in one sentence, with the
    name of what was looked at. verdict: the verdict word. passed: whether it is what the test
    expects. epsilon, visible: for an audit that drew samples, the claim, and the least violation
    visible to its rule that would have shown; infinite where the rule tells nothing. share: the
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
    visible: float | None = None
    share: float = 0.0
    limited: bool = False

    @property
    def weakness(self) -> float:
        """Return by which factor the claim had to be broken to be visible; 0 where unknown."""
        if self.epsilon is None or self.visible is None:
            return 0.0
        return self.visible / self.epsilon
