"""What a run may use beside processes of this machine; its counts are the same with or without."""

import contextlib
import importlib
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from provado.mechanisms import Mechanism, UsageError
from provado.reports.tasks.limits import (
    NO_LIMITS,
    Limits,
    check_confinable,
    held_to,
    may_leave_network,
)

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that a scheduler has to answer."""

ANSWER = 30.0
"""Seconds that a worker has to say whether it can keep the limits."""


def check_executor(text: str) -> None:
    """Raise ``UsageError`` unless the scheduler that is named answers, and its client is there.

    Where it does not answer the cause is the system's error.
    """
    host, port = _address(text)
    _distributed()
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        raise UsageError(f"--executor {text}: {error.strerror or error}") from error


def _address(text: str) -> tuple[str, int]:
    rule = f"--executor: {text!r} must be dask://HOST:PORT, the address of a Dask scheduler"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(rule) from error
    if parts.scheme != "dask" or not host or port is None or parts.path or parts.query:
        raise UsageError(rule)
    return host, port


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError("--executor needs distributed: pip install 'provado[dask]'") from error


class DaskExecutor(Executor):
    """The workers of a Dask cluster; connected to when first needed, in the process that needs it.

    A block whose worker is lost is drawn by another. limits: what each block is held to.
    """

    def __init__(self, text: str, limits: Limits = NO_LIMITS) -> None:
        self._host, self._port = _address(text)
        self._limits = limits
        self._client: Any = None
        self._inner: Executor | None = None

    def submit(self, call: Callable[..., T], /, *given: Any, **named: Any) -> Future[T]:
        """Hand a call over."""
        inner = self.connect()
        if self._limits.any:
            return inner.submit(held_to, self._limits, partial(call, **named), *given)
        return inner.submit(call, *given, **named)

    def connect(self) -> Executor:
        """Connect now, unless that was done; return the workers as Dask's own executor."""
        if self._inner is None:
            place = f"tcp://{self._host}:{self._port}"
            self._client = _distributed().Client(
                place, timeout=PATIENCE, set_as_default=False, name="provado"
            )
            self._inner = self._client.get_executor(pure=False)
        return self._inner

    def check(self) -> None:
        """Raise ``UsageError`` for the first worker there is that cannot keep the limits."""
        self.connect()
        asked = {
            place: self._client.submit(held_to, self._limits, bool, workers=[place], pure=False)
            for place in self._client.nthreads()
        }
        for place, answer in asked.items():
            try:
                answer.result(timeout=ANSWER)
            except Exception as error:  # whatever a worker may raise
                words = " ".join(str(error).split())
                raise UsageError(f"--executor: the worker {place}: {words}") from None

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Leave the cluster as it was found."""
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.close(timeout=PATIENCE)
            self._client = self._inner = None


def check_workers(text: str, limits: Limits) -> None:
    """Raise ``UsageError`` for a worker that cannot keep the limits, of those there are."""
    with DaskExecutor(text, limits) as executor:
        executor.check()


def send_along(mechanism: Any) -> None:
    """Let the code of a user's own file be sent with the mechanism: no worker has that file.

    What is installed is looked for where the worker is.
    """
    call = mechanism.run if isinstance(mechanism, Mechanism) else mechanism
    name = getattr(call, "__module__", None) or type(call).__module__
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if module is None or file is None:
        return
    installed = any(part in ("site-packages", "dist-packages") for part in Path(file).parts)
    if installed or name.partition(".")[0] in ("provado", *sys.stdlib_module_names):
        return
    with contextlib.suppress(ImportError):
        importlib.import_module("cloudpickle").register_pickle_by_value(module)


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
