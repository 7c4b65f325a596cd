"""What a run may use beside processes of this machine; its counts are the same with or without."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from .confine import check_confinable, may_leave_network
from .executors import DaskExecutor, check_executor, check_workers, send_along
from .limits import Limits


@dataclass(frozen=True)
class Means:
    """What is used, and what is not to be.

    executor: the address of workers that draw the certifying blocks. memory: bytes that each
    process of an audit may take beyond what it begins with. no_network: it has none. block_limit:
    seconds that a block of trials may take. Workers of an executor are held to all three.
    """

    executor: str | None = None
    memory: int | None = None
    no_network: bool = False
    block_limit: float | None = None

    @property
    def limits(self) -> Limits:
        """What each process is held to."""
        return Limits(self.memory, self.no_network, self.block_limit)

    def check(self) -> None:
        """Raise ``UsageError`` where something of it is not to be had, here or on a worker."""
        if self.executor is not None:
            check_executor(self.executor)
        if self.limits.confines:
            check_confinable(self.limits.confine)
            if self.executor is not None:
                # In a process of its own, which takes the threads of a client along.
                check_confinable(partial(check_workers, self.executor, self.limits))

    @contextlib.contextmanager
    def arguments(self, *sent: Any) -> Iterator[dict[str, Any]]:
        """Confine this process, and yield the arguments of ``audit`` that say what it may use.

        sent: what an executor is handed, and may need the user's own file for.
        """
        more = {} if self.block_limit is None else {"block_limit": self.block_limit}
        if self.executor is None:
            self.limits.confine()
            yield more
            return
        if self.no_network:
            may_leave_network()
        for one in sent:
            send_along(one)
        with DaskExecutor(self.executor, self.limits) as executor:
            if self.no_network:
                # Its threads keep the network, which this one, and what it starts, is to lose.
                executor.connect()
            self.limits.confine()
            yield more | {"executor": executor}


NO_MEANS = Means()
