"""Cases of the conformance suite: an adapter, an example, and what is known about it.

The suite draws in forked processes and under other global seeds, and compares outputs by two tests,
each at a stated level.
"""

import contextlib
import copy
import multiprocessing
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters.adapter import Adapter
from provado.mechanisms.definitions.relation import record_key, records

DRAWS = 4000

Audited = Callable[[dp.Mechanism], bool]
"""An audit from outside: whether it certified a violation."""


class ConformanceError(AssertionError):
    """An adapter breaks a rule; the message says on which example and how."""


class NotApplicableError(Exception):
    """A rule says nothing about this example; the message says what the example lacks."""


@dataclass(frozen=True)
class Example:
    """One kind of object of a library, and what is known about it without the adapter.

    make: ``make(epsilon)`` makes the object that is to cost ε.
    accounting: ``accounting(obj)`` returns what the library itself accounts for the object: (ε, δ)
        or a promise, by a way that is not the adapter's.
    relation, options: passed to ``to_mechanism``.
    epsilons: the parameters at which the promise is compared.
    scales: whether the noise is numeric, continuous and inversely proportional to ε (no rounding
        and no clipping within reach).
    halved: makes the object of ``make(1.0)`` with the same claim and half the noise.
    strangers: two datasets that are no neighbors.
    """

    name: str
    make: Callable[[float], Any]
    accounting: Callable[[Any], tuple[float, float] | dp.PrivacyPromise]
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]]
    relation: dp.NeighboringRelation | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    epsilons: tuple[float, ...] = (0.5, 1.0, 2.0)
    scales: bool = True
    halved: Callable[[], Any] | None = None
    strangers: tuple[dp.Dataset, dp.Dataset] | None = None


@dataclass(frozen=True)
class ConformanceCase:
    """An adapter, one example, and an auditor where there is one."""

    adapter: Adapter
    example: Example
    audited: Audited | None = None

    def mechanism(self, obj: Any, **changed: Any) -> dp.Mechanism:
        """Return what the adapter makes of ``obj`` on the example's pairs."""
        example = self.example
        given = {"pairs": example.pairs, "relation": example.relation, **example.options}
        return self.adapter.to_mechanism(obj, **{**given, **changed})

    def draws(self, obj: Any, seed: int, size: int | None = DRAWS) -> dp.Output:
        """Return ``size`` outputs on the first dataset, each batch on a copy of it."""
        data = copy.deepcopy(self.example.pairs[0][0])
        return self.mechanism(obj).run(data, size=size, rng=np.random.default_rng(seed))


def forked(run: Callable[..., dp.Output], data: dp.Dataset) -> tuple[dp.Output, str | None]:
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
    """Return whether two datasets, or two batches of outputs, hold the same in the same order."""
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


LEVEL = 1e-6
"""The chance that a test flags a sound adapter."""

LEAST_COUNT = 30
"""Values that are seen more rarely than this are one cell."""


def same_distribution_p_value(first: Any, second: Any) -> float:
    """Return a p-value that two samples of outputs have one distribution.

    Numbers: the two-sample Kolmogorov–Smirnov test, conservative where values tie; for vectors
    the least p-value of a coordinate times their number. Anything else: the chi-square test of a
    table of values. Samples of numbers of different shapes give 0.
    """
    a, b = (_columns(each) for each in (first, second))
    if a is None or b is None:
        return _table_p_value(first, second)
    if a.shape[1] != b.shape[1]:
        return 0.0
    p_values = [
        float(stats.ks_2samp(x, y, method="asymp").pvalue) for x, y in zip(a.T, b.T, strict=True)
    ]
    return min(1.0, min(p_values) * len(p_values))


def dependence_p_value(outputs: Any) -> float:
    """Return a p-value that consecutive outputs are independent.

    Disjoint pairs of neighbors in the batch are tested for rank correlation, at both ways of
    pairing; two p-values, so twice the smaller. Vectors are read at their first coordinate, and
    what is no number by the place of its spelling in alphabetical order.
    """
    columns = _columns(outputs)
    values = _codes(outputs) if columns is None else columns[:, 0]
    p_values = []
    for start in (0, 1):
        tail = values[start : start + (values.size - start) // 2 * 2]
        x, y = tail[0::2], tail[1::2]
        if np.ptp(x) > 0 and np.ptp(y) > 0:
            p_values.append(float(stats.spearmanr(x, y).pvalue))
    return min(1.0, 2 * min(p_values)) if p_values else 1.0


def _columns(outputs: Any) -> NDArray[np.float64] | None:
    try:
        array = np.asarray(outputs)
    except ValueError:
        return None
    if array.dtype.kind not in "biuf" or not array.size:
        return None
    return array.reshape(len(array), -1).astype(np.float64)


def _codes(*samples: Any) -> NDArray[np.int64]:
    keys = [record_key(each) for sample in samples for each in records(sample)]
    # Not by first appearance: of outputs that are all different that is the order of the draws.
    places = {key: place for place, key in enumerate(sorted(set(keys), key=repr))}
    return np.array([places[key] for key in keys], dtype=np.int64)


def _table_p_value(first: Any, second: Any) -> float:
    codes, n = _codes(first, second), len(records(first))
    table = np.stack(
        [np.bincount(part, minlength=codes.max() + 1) for part in (codes[:n], codes[n:])]
    )
    rare = table.sum(axis=0) < LEAST_COUNT
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    return float(stats.chi2_contingency(table).pvalue) if table.shape[1] > 1 else 1.0
