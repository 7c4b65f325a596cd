"""What a run may use beside processes of this machine; its counts are the same with or without."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import UsageError

from .confine import check_confinable, leave_network, limit_memory
from .executors import DaskExecutor, check_executor, send_along


@dataclass(frozen=True)
class Means:
    """What is used, and what is not to be.

    executor: the address of workers that draw the certifying blocks. memory: bytes that each
    process of an audit may take beyond what it begins with. no_network: it has none. block_limit:
    seconds that a block of trials may take.
    """

    executor: str | None = None
    memory: int | None = None
    no_network: bool = False
    block_limit: float | None = None

    def check(self) -> None:
        """Raise ``UsageError`` where something of it is not to be had here."""
        if self.executor is not None:
            limits = {
                "--memory": self.memory is not None,
                "--no-network": self.no_network,
                "--block-limit": self.block_limit is not None,
            }
            for name, given in limits.items():
                if given:
                    raise UsageError(
                        f"{name} and --executor: the workers of an executor have limits of their "
                        "own; give one"
                    )
            check_executor(self.executor)
        if self.memory is not None or self.no_network:
            check_confinable(self.confine)

    def confine(self) -> None:
        """Hold this process, and all that it forks, to the limits."""
        if self.no_network:
            leave_network()
        if self.memory is not None:
            limit_memory(self.memory)

    @contextlib.contextmanager
    def arguments(self, mechanism: Any) -> Iterator[dict[str, Any]]:
        """Yield the arguments of ``audit`` that say so."""
        more = {} if self.block_limit is None else {"block_limit": self.block_limit}
        if self.executor is None:
            yield more
            return
        send_along(mechanism)
        with DaskExecutor(self.executor) as executor:
            yield more | {"executor": executor}


NO_MEANS = Means()
