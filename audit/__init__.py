"""Statistical evidence: randomised interventions on one data point, counts, bounds, verdicts.

The package can be called as its function ``audit``, which makes ``from provado import audit`` do.
Names are looked up when they are used: an import of the package alone costs nothing.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import audit, audit_all
    from .bounds.counts import Counts, EffectSize, effect_sizes
    from .experiments.one_run.api import OneRunResult, audit_one_run
    from .experiments.replay import Finding, Replay, noise, replay
    from .result import AuditResult, InterruptedAudit, PairResult, Witness

__all__ = [
    "AuditResult",
    "Counts",
    "EffectSize",
    "Finding",
    "InterruptedAudit",
    "OneRunResult",
    "PairResult",
    "Replay",
    "TradeOff",
    "Witness",
    "audit",
    "audit_all",
    "audit_one_run",
    "effect_sizes",
    "noise",
    "replay",
]

_HOLD = {
    "api": ("audit", "audit_all"),
    "bounds": ("TradeOff",),
    "bounds.counts": ("Counts", "EffectSize", "effect_sizes"),
    "experiments.one_run.api": ("OneRunResult", "audit_one_run"),
    "experiments.replay": ("Finding", "Replay", "noise", "replay"),
    "result": ("AuditResult", "InterruptedAudit", "PairResult", "Witness"),
}
_HOMES = {name: module for module, names in _HOLD.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import the module that holds a name once it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    result = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = result
    return result


class _Callable(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return __getattr__("audit")(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
