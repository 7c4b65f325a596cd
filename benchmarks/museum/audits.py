"""The audit of one version of an exhibit, with a budget of time and nothing else to tune."""

from __future__ import annotations

import time
from dataclasses import dataclass

from provado.audit import audit
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.adapters.interpreter import OtherInterpreter

from .environment import NotInstalledError, environment
from .exhibit import HERE, Exhibit, Version

SECONDS = 40.0
"""Of all pairs of a version together."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Outcome:
    """What was found of one version.

    claim, lower: ε of the pair on which the certified bound exceeds the claim the most; δ with it.
    reason: why it could not be audited, or not on all pairs. trials: of all pairs.
    """

    verdict: Verdict
    claim: float = 0.0
    delta: float = 0.0
    lower: float = 0.0
    trials: int = 0
    seconds: float = 0.0
    reason: str = ""

    @property
    def words(self) -> str:
        """The bound, the claim and the verdict."""
        if self.verdict is Verdict.UNKNOWN:
            return f"unknown: {self.reason}"
        delta = f", δ = {self.delta:g}" if self.delta else ""
        return f"ε ≥ {self.lower:.4g}, claimed {self.claim:.4g}{delta}: {self.verdict}"


def outcome(exhibit: Exhibit, version: Version) -> Outcome:
    """Audit all pairs of a version, each at its share of alpha, until one certifies a violation."""
    try:
        python = str(environment(version))
    except NotInstalledError as error:
        return Outcome(Verdict.UNKNOWN, reason=f"{version.words} is not installed: {error}")
    started = time.monotonic()
    found = Outcome(Verdict.NO_VIOLATION)
    share = (1 - CONFIDENCE) / len(exhibit.pairs)
    reasons, trials = [], 0
    try:
        claimed = OtherInterpreter(python, f"{exhibit.file}:claim", str(HERE / "released"))
        mechanism = OtherInterpreter(python, exhibit.target(version), str(HERE / "released"))
        for number, pair in enumerate(exhibit.pairs):
            epsilon, delta = claimed(pair[0])
            result = audit(
                mechanism,
                epsilon=epsilon,
                delta=delta,
                pair=pair,
                confidence=1 - share,
                seconds=SECONDS / len(exhibit.pairs),
                name=f"{exhibit.name}, pair {number}",
            )
            trials += sum(one.counts.trials for one in result.pairs)
            if result.verdict is Verdict.UNKNOWN:
                reasons.append(result.reason)
                continue
            if not found.claim or result.epsilon_lower / epsilon > found.lower / found.claim:
                found = Outcome(found.verdict, epsilon, delta, result.epsilon_lower)
            if result.verdict is Verdict.VIOLATION:
                reasons = []
                break
    except Exception as error:  # whatever an old library may raise
        reasons.append(str(error) if isinstance(error, UsageError) else repr(error))
    verdict = Verdict.VIOLATION if found.lower > found.claim else Verdict.NO_VIOLATION
    if reasons:
        verdict = Verdict.UNKNOWN
    seconds = time.monotonic() - started
    return Outcome(
        verdict, found.claim, found.delta, found.lower, trials, seconds, "; ".join(reasons[:1])
    )
