"""What a run may use beside processes of this machine; its counts are the same with or without."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .executors import DaskExecutor, check_executor, send_along


@dataclass(frozen=True)
class Means:
    """What is used. executor: the address of workers that draw the certifying blocks."""

    executor: str | None = None

    def check(self) -> None:
        """Raise ``UsageError`` where something of it is not to be had here."""
        if self.executor is not None:
            check_executor(self.executor)

    @contextlib.contextmanager
    def arguments(self, mechanism: Any) -> Iterator[dict[str, Any]]:
        """Yield the arguments of ``audit`` that say so."""
        if self.executor is None:
            yield {}
            return
        send_along(mechanism)
        with DaskExecutor(self.executor) as executor:
            yield {"executor": executor}


NO_MEANS = Means()
