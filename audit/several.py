"""Many audits that share one chance of a false alarm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from provado.mechanisms import UsageError

from .api import audit
from .options.declaration import CONFIDENCE
from .options.request import checked_confidence
from .result import AuditResult


def audit_all(
    mechanisms: Iterable[Any], *, confidence: float = CONFIDENCE, **given: Any
) -> tuple[AuditResult, ...]:
    """Audit several mechanisms, so that with ``confidence`` none of them is accused falsely.

    mechanisms: callables or whatever else ``audit`` takes, each alone or in a pair with the
        keywords of ``audit`` that are its own: ``(laplace, {"epsilon": 1.0, "pair": (0, 1)})``.
    confidence: at least 1 − the probability of any false alarm, shared equally. A loop of single
        audits at 95 % accuses one in twenty of those that use their claim up; this does not.
    given: keywords of ``audit`` for all of them; those of its own win.

    Returns one result each, in their order. Raises ``UsageError`` as ``audit``, before any draw if
    the list itself is wrong.
    """
    listed = [_with_keywords(one) for one in mechanisms]
    if not listed:
        raise UsageError("mechanisms is empty: it must hold at least one")
    share = 1 - (1 - checked_confidence(confidence)) / len(listed)
    if not share < 1:
        raise UsageError(f"confidence is {confidence!r}: too near 1 for {len(listed)} audits")
    if "keeper" in given:
        raise UsageError("keeper is given for all: each audit keeps what is its own; give one each")
    if "confidence" in given or any("confidence" in own for _, own in listed):
        raise UsageError("confidence is given for one audit: it is shared by all of them")
    return tuple(audit(one, **{**given, **own}, confidence=share) for one, own in listed)


def _with_keywords(one: Any) -> tuple[Any, dict[str, Any]]:
    if isinstance(one, tuple):
        if len(one) != 2 or not isinstance(one[1], Mapping):
            raise UsageError(
                "mechanisms holds a tuple: it must be a mechanism and a mapping of keywords"
            )
        return one[0], dict(one[1])
    return one, {}
