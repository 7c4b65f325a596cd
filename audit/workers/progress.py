"""How far an audit has come, told now and then while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .forecast import Forecast

SELDOM = 0.2
"""Seconds between two messages."""


@dataclass(frozen=True)
class Progress:
    """One message. stage: ``"plan"``, ``"search"``, ``"explore"`` or ``"certify"``.

    made, planned: runs of that stage so far, and in all. epsilon_lower: what the trials so far
    certify by the bound that holds whenever they end; 0 before any. seconds: since the audit
    began. left: until it ends, at the speed so far; negative where that is not known. cost: of a
    run, in seconds; 0 where that is not known. forecast: what comes, in the message ``"plan"``.
    """

    stage: str
    made: int
    planned: int
    epsilon_lower: float = 0.0
    seconds: float = 0.0
    left: float = -1.0
    cost: float = 0.0
    forecast: Forecast | None = None


def _nobody(_: Progress) -> None:
    pass


class Teller:
    """Passes messages on, not too many of them; nobody listens where there is no ``listener``."""

    def __init__(self, listener: Callable[[Progress], None] | None) -> None:
        self._listener = listener
        self._started = self._last = time.monotonic()

    def __reduce__(self) -> tuple[Any, ...]:
        # The listener stays in this process; another tells it by messages.
        return Teller, (_nobody if self.heard else None,)

    @property
    def heard(self) -> bool:
        """Whether anybody listens."""
        return self._listener is not None

    def foretell(self, forecast: Forecast) -> None:
        """Tell what comes, before it begins."""
        self.pass_on(Progress("plan", 0, 0, cost=forecast.cost, forecast=forecast))

    def to(self, listener: Callable[[Progress], None]) -> Teller:
        """Return one that tells another listener, if there was any."""
        return Teller(listener if self.heard else None)

    def pass_on(self, message: Progress) -> None:
        """Pass on a message that came from another process."""
        if self._listener is not None:
            self._listener(message)

    def __call__(
        self,
        stage: str,
        made: int,
        planned: int,
        bound: Callable[[], float] = lambda: 0.0,
        since: float | None = None,
    ) -> None:
        """Tell, if it is time. bound: asked for only then. since: when the stage began."""
        now = time.monotonic()
        if self._listener is None or now < self._last + SELDOM:
            return
        self._last = now
        cost = (now - since) / made if since is not None and made else 0.0
        left = cost * max(planned - made, 0) if cost else -1.0
        self.pass_on(Progress(stage, made, planned, bound(), now - self._started, left, cost))
