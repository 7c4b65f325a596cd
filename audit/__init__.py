"""Statistical evidence: randomised interventions on one data point, counts, bounds, verdicts.

The package can be called as its function ``audit``, which makes ``from provado import audit`` do.
"""

import sys
from types import ModuleType

from provado.audit.api import audit
from provado.audit.counts import Counts
from provado.audit.effect import EffectSize, effect_sizes
from provado.audit.result import AuditResult, InterruptedAudit, PairResult, Witness

__all__ = [
    "AuditResult",
    "Counts",
    "EffectSize",
    "InterruptedAudit",
    "PairResult",
    "Witness",
    "audit",
    "effect_sizes",
]


class _Callable(ModuleType):
    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _Callable
