"""An adapter: one small object that turns a library's objects into mechanisms.

The adapters share how a released library is imported on first use and how its outputs are stacked.
"""

import importlib
import importlib.metadata
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.definitions.mechanism import Run


class Adapter(Protocol):
    """Turns the objects of one library into mechanisms.

    An instance, a class of static methods or a whole module may be one. It is registered under
    its own name in the entry-point group ``provado.adapters``.
    """

    @property
    def name(self) -> str:
        """Return the adapter's name: the entry point's, and the family of its releases' names."""
        ...

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is one of the library's objects; must not import the library.

        It is asked about any object at all and must not raise.
        """
        ...

    @property
    def to_mechanism(self) -> Callable[..., dp.Mechanism]:
        """Return the method ``to_mechanism(obj, *, pairs, relation=None, name=None, **options)``.

        It returns ``obj`` as a mechanism that promises what the library accounts for it.
        pairs: pairs of neighbors, a sequence of (D, D′).
        relation: which datasets are neighbors; by default what the object itself says.
        name: by default ``adapter/Class``.
        options: the adapter's own, by keyword; one that it does not know raises.
        It raises ``UsageError`` naming what to give where the object does not say enough.
        """
        ...

    def releases(self) -> Sequence[dp.Mechanism]:
        """Return what ``provado audit --libraries`` audits, named ``adapter/…``; may be empty."""
        ...


Neighbors = dp.NeighboringRelation | None
"""Which datasets are neighbors, where the caller says so."""


class LibraryAdapter:
    """What adapters of released libraries share: the fields that a caller states, and no releases.

    A subclass has ``name``, ``matches`` and ``adapted``.
    """

    name: str

    def adapted(self, obj: Any, relation: Neighbors, **stated: Any) -> dp.Mechanism:
        """Return ``obj`` as a mechanism; stated: name and pairs, to be handed on."""
        raise NotImplementedError

    def to_mechanism(
        self,
        obj: Any,
        *,
        pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
        relation: Neighbors = None,
        name: str | None = None,
        **options: Any,
    ) -> dp.Mechanism:
        """Return ``obj`` as a mechanism; see ``adapted`` for what it promises and the options."""
        named = name or default_name(self.name, obj)
        return self.adapted(obj, relation, name=named, pairs=pairs, **options)

    def releases(self) -> Sequence[dp.Mechanism]:
        """Return none: what is released is what the user asks for."""
        return ()


def fault_of(candidate: Any) -> str | None:
    """Return what keeps ``candidate`` from being an ``Adapter``, or None."""
    name = getattr(candidate, "name", None)
    if not isinstance(name, str) or not name or "/" in name:
        return f"its name is {name!r}: it must be a text without '/'"
    missing = [
        each
        for each in ("matches", "to_mechanism", "releases")
        if not callable(getattr(candidate, each, None))
    ]
    return f"it has no method {' or '.join(missing)}" if missing else None


def comes_from(obj: Any, package: str) -> bool:
    """Return whether ``obj`` is an instance of a class, or of a subclass of one, of ``package``.

    It reads the names of modules only, so that nothing is imported.
    """
    return any(
        str(getattr(each, "__module__", "")).split(".")[0] == package for each in type(obj).__mro__
    )


def default_name(adapter: str, obj: Any) -> str:
    """Return ``adapter/Class``, or for a function ``adapter/function``."""
    return f"{adapter}/{getattr(obj, '__name__', None) or type(obj).__name__}"


@dataclass(frozen=True, eq=False)
class LiveObject:
    """An object of a library that cannot be copied: forked processes reach it, others do not."""

    thing: Any

    def __call__(self) -> Any:
        """Return the object."""
        return self.thing

    def __reduce__(self) -> NoReturn:
        raise pickle.PicklingError(
            f"a {type(self.thing).__name__} cannot be pickled; forked processes inherit it, others "
            "need an adapter's function that makes the object from a function"
        )


Query = Callable[[dp.Dataset], Any]
"""Turns a dataset into what the library's object takes."""


def itself(data: dp.Dataset) -> Any:
    """Return ``data``: the query where the dataset is the object's argument."""
    return data


@contextmanager
def without_deprecations() -> Iterator[None]:
    """Ignore the deprecations that a library meets inside itself, and no other warning.

    A library's warnings about privacy pass. Filters that a library installs are undone.
    """
    with warnings.catch_warnings():
        for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
            warnings.simplefilter("ignore", category)
        yield


def load(module: str) -> ModuleType:
    """Import and return a module of a released library; ``UsageError`` where that fails."""
    try:
        with without_deprecations():
            return importlib.import_module(module)
    except ImportError as error:
        raise dp.UsageError(
            f"{module} cannot be imported ({error}); install it with: "
            "pip install 'provado[libraries]'"
        ) from error


def cite(distribution: str, place: str) -> dp.Source:
    """Return the source of a released function: distribution, installed version and place."""
    try:
        version = importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        version = "of unknown version"
    return dp.Source(f"{distribution} {version}", place)


def listed(data: dp.Dataset) -> Any:
    """Return numpy's arrays and numbers as the lists and numbers of Python that a library takes."""
    return data.tolist() if isinstance(data, np.ndarray | np.generic) else data


def stacked(releases: Sequence[Any]) -> dp.Output:
    """Return releases along the first axis of an array, or as a list where they are not numbers.

    Shapes: (size,) for numbers, (size, k) for vectors of k numbers.
    """
    try:
        array = np.asarray(releases)
    except ValueError:  # Vectors of different lengths.
        return list(releases)
    return array if array.dtype.kind in "biuf" else list(releases)


class LibraryRun:
    """Runs a library's object, for one output or for a batch.

    stacks: whether a batch of numbers is an array; otherwise it is a list.
    """

    stacks = True

    def draws(self, data: dp.Dataset, count: int, rng: Generator | None) -> Any:
        """Return ``count`` independent outputs."""
        raise NotImplementedError

    def __call__(
        self, data: dp.Dataset, *, size: int | None = None, rng: Generator | None = None
    ) -> dp.Output:
        """Return one output, or ``size`` of them."""
        result = self.draws(data, 1 if size is None else size, rng)
        if size is None:
            return result[0]
        return stacked(result) if self.stacks else list(result)


def stated_promise(epsilon: float, delta: float = 0.0) -> dp.PrivacyPromise:
    """Return ε-DP, or (ε, δ)-DP where δ is not 0."""
    return dp.ApproximateDP(epsilon, delta) if delta else dp.PureDP(epsilon)


def library_release(run: Run, promise: dp.PrivacyPromise, **stated: Any) -> dp.Mechanism:
    """Return a released library's run as a mechanism; stated: its other fields."""
    return dp.Mechanism(run=run, promise=promise, tags=("library",), **stated)
