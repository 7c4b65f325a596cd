"""Statistical evidence: randomised interventions on one data point, counts, bounds, verdicts."""

from provado.audit.api import audit
from provado.audit.counts import Counts
from provado.audit.effect import EffectSize, effect_sizes
from provado.audit.result import AuditResult, PairResult, Witness

__all__ = [
    "AuditResult",
    "Counts",
    "EffectSize",
    "PairResult",
    "Witness",
    "audit",
    "effect_sizes",
]
