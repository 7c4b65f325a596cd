"""What a counterfactual replay found: findings, calls of noise primitives, what was not seen."""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .record.recording import NOWHERE, Site


class FindingKind(StrEnum):
    """What depends on the data though the noise is the same, by the field's name."""

    DRAWS = "number of draws"
    SHAPE = "shape"
    SCALE = "noise scale"
    SENSITIVITY = "sensitivity"
    BUDGET = "budget"
    REUSED = "reused noise"
    NAN = "not a number"
    SEED = "seed"
    DOMAIN = "domain"
    KEYS = "keys"
    TYPE = "type"
    OUTPUT = "output"
    EXCEPTION = "exception"
    HANG = "no answer"


@dataclass(frozen=True)
class ReplayedClaim:
    """What was replayed: the mechanism, the pair and the claim. command: an audit of it, typed."""

    mechanism: Any
    pair: tuple[Any, Any]
    epsilon: float | None
    delta: float | None
    promise: Any = None
    relation: Any = None
    command: str = ""


@dataclass(frozen=True)
class Finding:
    """Something that depends on the data point though the noise is frozen: no verdict.

    words: one sentence. file, line: of the user's code; empty and 0 where there is none. event:
    what an audit of the pair can look at. cost: the ε that it stands for, where that is known;
    infinite where no shift of noise hides it.
    """

    kind: FindingKind
    words: str
    file: str = ""
    line: int = 0
    event: str = ""
    cost: float | None = None
    claim: ReplayedClaim | None = field(default=None, repr=False, compare=False)

    @property
    def command(self) -> str:
        """The command that audits the pair, where a command made the replay."""
        return self.claim.command if self.claim else ""

    def audit(self, **options: Any) -> Any:
        """Audit the claim on the pair of this finding; returns an ``AuditResult``.

        options: as of ``provado.audit.audit``, ``samples`` and ``seed`` among them.
        Raises ``UsageError`` where the replay was asked without a claim and none is given.
        """
        from provado.audit.api import audit

        assert self.claim is not None
        claim = {"epsilon": self.claim.epsilon, "delta": self.claim.delta}
        if self.claim.promise is not None:
            claim = {"promise": self.claim.promise}
        arguments = {"pair": self.claim.pair, "relation": self.claim.relation, **claim, **options}
        return audit(self.claim.mechanism, **arguments)


@dataclass(frozen=True)
class NoiseCall:
    """One call of a noise primitive in both runs.

    name: as ``Generator.laplace``. file, line: of the user's code. size: how many numbers it drew.
    scale: of its noise, ``None`` where it has none or none is known; of several the least.
    input_d, input_d_prime: the noiseless input of each run in words; empty where it was not seen.
    input_distance: how far the input moved, in the ℓ1 norm; ``None`` where it was not seen.
    sensitivity: the most that it may move, where that is declared. cost: what the call costs in ε
    on this pair, where it is known: of noise that is only compared, its part of the cheapest
    alignment; NaN where that was not followed.
    """

    name: str
    family: str
    file: str
    line: int
    size: int
    scale: float | None
    input_d: str
    input_d_prime: str
    input_distance: float | None
    sensitivity: float | None
    cost: float | None


@dataclass(frozen=True)
class Divergence:
    """Where control flow parts. after: the last line that both runs execute.

    d, d_prime: the line that each executes next, line 0 where it ends. noise_before: how many noise
    calls both had made so far.
    """

    after: Site
    d: Site
    d_prime: Site
    noise_before: int


@dataclass(frozen=True)
class PairReplay:
    """Two runs of one pair under the same noise.

    difference: how D′ comes from D. calls: those of noise primitives, in order. epsilon: what they
    add up to on this pair, along this control flow, in pure ε; infinite where noise hides nothing,
    NaN where something was not followed or there was no replay. deviations: how many standard
    deviations Gaussian means moved, in the ℓ2 norm. rho: zCDP that libraries account for. notes:
    what was not followed, or not judged. reason: why there was no replay. seconds: of each run.
    """

    difference: str
    findings: tuple[Finding, ...] = ()
    calls: tuple[NoiseCall, ...] = ()
    divergence: Divergence | None = None
    epsilon: float = math.nan
    deviations: float = 0.0
    rho: float = 0.0
    notes: tuple[str, ...] = ()
    reason: str = ""
    seconds: tuple[float, ...] = ()


@dataclass(frozen=True)
class Replay:
    """Counterfactual replays of one mechanism.

    epsilon, delta: the claim; ``None`` where none was stated. promise: the claim in words.
    """

    name: str
    epsilon: float | None
    delta: float | None
    promise: str
    relation: str
    seed: int
    pairs: tuple[PairReplay, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of all pairs."""
        return tuple(finding for pair in self.pairs for finding in pair.findings)

    @property
    def completed(self) -> bool:
        """Whether every pair was replayed, and followed unless something was found on it."""
        return not any(
            pair.reason or (math.isnan(pair.epsilon) and not pair.findings) for pair in self.pairs
        )


def place(site: Site = NOWHERE) -> dict[str, Any]:
    """Return a site as the fields of a finding."""
    return {"file": site.file, "line": site.line}


def unhidden(kind: FindingKind, words: str, site: Site, event: str = "") -> Finding:
    """Return a finding that no shift of the noise hides."""
    return Finding(kind, words, event=event, cost=math.inf, **place(site))
