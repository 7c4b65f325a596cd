"""From an object of any adapted library to a mechanism, and all that the libraries release."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from provado.mechanisms.definitions import Dataset, Mechanism, NeighboringRelation, UsageError
from provado.mechanisms.definitions.intervention import short

from .adapter import Adapter, fault_of
from .discovery import OWN, AdapterWarning, Broken, Found, Plugins, discover, one_line
from .measurement_like import ADAPTER as MEASUREMENT_LIKE


def as_mechanism(
    obj: Any,
    *,
    pairs: Sequence[tuple[Dataset, Dataset]],
    relation: NeighboringRelation | None = None,
    name: str | None = None,
    adapter: str | Adapter | None = None,
    **options: Any,
) -> Mechanism:
    """Return an object of a library as a mechanism that promises what the object itself states.

    obj: an object that an adapter of the group ``provado.adapters`` matches (OpenDP, diffprivlib
        and PyDP are our own), or else any that ``measurement_like`` can read by duck typing.
    pairs: pairs of neighbors on which an audit looks.
    relation: which datasets are neighbors; by default what the object says, where it does.
    adapter: an adapter, or the name of one, where several match (``"measurement"`` is the duck
        typing).
    options: the adapter's own, such as OpenDP's ``d_in``.

    Raises ``UsageError`` that names what to give where the object does not say enough, and
    ``NotNeighborsError`` for pairs that are not neighbors. An adapter that is installed and cannot
    be used gives an ``AdapterWarning`` where no library's adapter takes the object.
    """
    if isinstance(obj, Mechanism):
        raise UsageError(f"{obj.name} is a Mechanism: there is nothing to adapt")
    chosen = _chosen(obj, adapter)
    try:
        made = chosen.adapter.to_mechanism(
            obj, pairs=pairs, relation=relation, name=name, **options
        )
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(
            f"adapter {chosen.name!r} of {chosen.distribution}, for a {type(obj).__name__}: "
            f"{one_line(error)}"
        ) from error
    if not isinstance(made, Mechanism):
        raise UsageError(
            f"adapter {chosen.name!r} of {chosen.distribution} returned a {type(made).__name__}: "
            "it must return a Mechanism"
        )
    return made


def adapts(obj: Any) -> bool:
    """Say whether ``as_mechanism`` can try: an adapter or the duck typing takes ``obj``."""
    if isinstance(obj, Mechanism):
        return False
    return bool(_matching(obj, discover())[0]) or MEASUREMENT_LIKE.matches(obj)


def _chosen(obj: Any, adapter: str | Adapter | None) -> Found:
    if adapter == MEASUREMENT_LIKE.name:
        return Found(MEASUREMENT_LIKE, OWN)
    if isinstance(adapter, str):
        wanted = adapter
        plugins = discover(lambda each: each == wanted)
        if plugins.found:
            return plugins.found[0]
        known = ", ".join(each.name for each in discover().found)
        told = "; ".join(each.words() for each in plugins.broken)
        raise UsageError(told or f"adapter is {adapter!r}: it must be one of {known}, measurement")
    if adapter is not None:
        fault = fault_of(adapter)
        if fault is not None:
            raise UsageError(f"adapter is a {type(adapter).__name__}: {fault}")
        return Found(adapter, "the caller")
    plugins = discover()
    matching, failed = _matching(obj, plugins)
    if len(matching) > 1:
        names = " and ".join(f"{each.name!r} of {each.distribution}" for each in matching)
        raise UsageError(
            f"a {type(obj).__name__} is matched by the adapters {names}: say which with "
            f"adapter={matching[0].name!r}"
        )
    if matching:
        return matching[0]
    broken = plugins.broken + failed
    if MEASUREMENT_LIKE.matches(obj) or isinstance(obj, type):
        for each in broken:
            warnings.warn(each.words(), AdapterWarning, stacklevel=3)
        return Found(MEASUREMENT_LIKE, OWN)
    if callable(obj):
        need = "give it an attribute epsilon, or adapter='measurement' and promise=PureDP(…)"
    else:
        need = "it must have a method such as release and state a cost such as epsilon"
    raise UsageError(
        "; ".join([f"no adapter takes {short(obj)}: {need}", *(each.words() for each in broken)])
    )


def _matching(obj: Any, plugins: Plugins) -> tuple[list[Found], tuple[Broken, ...]]:
    matching, failed = [], []
    for found in plugins.found:
        try:
            if found.adapter.matches(obj):
                matching.append(found)
        except Exception as error:
            failed.append(found.broken(f"matches raised {one_line(error)}"))
    return matching, tuple(failed)


@dataclass(frozen=True)
class Releases:
    """The mechanisms that the adapters release, and the adapters that had to be left out."""

    mechanisms: tuple[Mechanism, ...]
    broken: tuple[Broken, ...]


def released_mechanisms(needed: Callable[[str], bool] = lambda _: True) -> Releases:
    """Return what the adapters whose name is ``needed`` release, our own libraries first.

    One of our own libraries that is missing raises ``UsageError``, with the command that installs
    it; another distribution's adapter that fails is left out.
    """
    plugins = discover(needed)
    mechanisms: list[Mechanism] = []
    broken = list(plugins.broken)
    for found in plugins.found:
        if found.distribution == OWN:
            mechanisms += found.adapter.releases()
            continue
        released, fault = _released(found.adapter)
        if fault is None:
            mechanisms += released
        else:
            broken.append(found.broken(fault))
    return Releases(tuple(mechanisms), tuple(broken))


def _released(adapter: Adapter) -> tuple[tuple[Mechanism, ...], str | None]:
    try:
        released = tuple(adapter.releases())
    except Exception as error:
        return (), f"releases raised {one_line(error)}"
    return released, releases_fault(adapter.name, released)


def releases_fault(adapter: str, released: Sequence[Any]) -> str | None:
    """Return what is wrong with an adapter's releases, or None."""
    names = []
    for each in released:
        if not isinstance(each, Mechanism):
            return f"releases returned a {type(each).__name__}: each must be a Mechanism"
        if not each.name.startswith(f"{adapter}/"):
            return f"releases returned {each.name!r}: each name must start with {adapter + '/'!r}"
        if each.name in names:
            return f"releases returned {each.name!r} twice"
        names.append(each.name)
    return None
