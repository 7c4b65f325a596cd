"""What the conformance suite does with draws: in forked processes, under other global seeds."""

from __future__ import annotations

import contextlib
import multiprocessing
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from provado.mechanisms.definitions import Dataset, Output
from provado.mechanisms.definitions.intervention import record_key, records


def forked(run: Callable[..., Output], data: Dataset) -> tuple[Output, str | None]:
    """Return 64 outputs of a forked process, or None and what went wrong there."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def work() -> None:
        try:
            send.send((run(data, size=64, rng=np.random.default_rng(3)), None))
        except BaseException as error:
            send.send((None, f"{type(error).__name__}: {error}"))

    process = context.Process(target=work)
    process.start()
    # So that a child that dies ends the waiting.
    send.close()
    try:
        output, fault = receive.recv()
    except EOFError:
        output, fault = None, "it died"
    process.join()
    return output, fault


def equal(first: Any, second: Any) -> bool:
    """Say whether two datasets, or two batches of outputs, hold the same in the same order."""
    a, b = ([record_key(each) for each in records(part)] for part in (first, second))
    return a == b


@contextlib.contextmanager
def global_generators() -> Iterator[Callable[[int], None]]:
    """Yield a function that seeds them; put both back as they were."""
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002

    def seed(number: int) -> None:
        random.seed(number)
        np.random.seed(number)  # noqa: NPY002

    try:
        yield seed
    finally:
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002
