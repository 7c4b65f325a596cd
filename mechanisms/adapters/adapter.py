"""What an adapter is: one small object that turns a library's objects into mechanisms."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from provado.mechanisms.definitions import Dataset, Mechanism


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
        """Say whether ``obj`` is one of the library's objects; must not import the library.

        It is asked about any object at all and must not raise.
        """
        ...

    @property
    def to_mechanism(self) -> Callable[..., Mechanism]:
        """Return the method ``to_mechanism(obj, *, pairs, relation=None, name=None, **options)``.

        It returns ``obj`` as a mechanism that promises what the library accounts for it.
        pairs: pairs of neighbors, a sequence of (D, D′).
        relation: which datasets are neighbors; by default what the object itself says.
        name: by default ``adapter/Class``.
        options: the adapter's own, by keyword; one that it does not know raises.
        It raises ``UsageError`` naming what to give where the object does not say enough.
        """
        ...

    def releases(self) -> Sequence[Mechanism]:
        """Return what ``provado audit --libraries`` audits, named ``adapter/…``; may be empty."""
        ...


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
    """Say whether ``obj`` is an instance of a class, or of a subclass of one, of ``package``.

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


Query = Callable[[Dataset], Any]
"""Turns a dataset into what the library's object takes."""


def itself(data: Dataset) -> Any:
    """Return ``data``: the query where the dataset is the object's argument."""
    return data
