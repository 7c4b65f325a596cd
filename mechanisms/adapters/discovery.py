"""Finds the adapters: our own, and those that other distributions register.

Our own are the files of this folder that are called so. Those of others are entry points of the
group ``provado.adapters``, read from the metadata. What either names is only imported when it is
needed. An adapter that cannot be used is left out and told about.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .adapter import Adapter, fault_of

GROUP = "provado.adapters"
OWN = "provado"
_PACKAGE, _SUFFIX = __name__.rpartition(".")[0], "_adapter"

BUILT_IN = tuple(
    EntryPoint(module.name.removesuffix(_SUFFIX), f"{_PACKAGE}.{module.name}:ADAPTER", GROUP)
    for module in pkgutil.iter_modules(importlib.import_module(_PACKAGE).__path__)
    if module.name.endswith(_SUFFIX)
)
"""Our own: the files ``NAME_adapter.py`` of this folder, by name."""


class AdapterWarning(UserWarning):
    """An adapter that is installed cannot be used and was left out."""


@dataclass(frozen=True)
class Broken:
    """An adapter that was left out: its entry point, its distribution, and why."""

    entry_point: str
    distribution: str
    reason: str

    def words(self) -> str:
        """Return the three as one line."""
        return f"adapter {self.entry_point!r} of {self.distribution} is left out: {self.reason}"


@dataclass(frozen=True)
class Found:
    """An adapter and the distribution that it is from."""

    adapter: Adapter
    distribution: str

    @property
    def name(self) -> str:
        """Return the adapter's name."""
        return self.adapter.name

    def broken(self, reason: str) -> Broken:
        """Return this adapter as one that is left out."""
        return Broken(self.name, self.distribution, reason)


@dataclass(frozen=True)
class Plugins:
    """The adapters that can be used, our own first, and those that cannot."""

    found: tuple[Found, ...]
    broken: tuple[Broken, ...]


def _all(_: str) -> bool:
    return True


def discover(needed: Callable[[str], bool] = _all) -> Plugins:
    """Import and return the adapters whose name is ``needed``; no other is imported.

    Of two with one name the first is kept: ours, then by the distribution's name.
    """
    found: list[Found] = []
    broken: list[Broken] = []
    for entry_point, distribution in _registered():
        name = entry_point.name
        if not needed(name):
            continue
        taken = next((each for each in found if each.name == name), None)
        if taken is not None:
            reason = f"its name is taken by an adapter of {taken.distribution}"
            broken.append(Broken(name, distribution, reason))
            continue
        adapter, fault = _load(entry_point)
        if fault is None:
            found.append(Found(adapter, distribution))
        else:
            broken.append(Broken(name, distribution, fault))
    return Plugins(tuple(found), tuple(broken))


def _registered() -> list[tuple[EntryPoint, str]]:
    """Return each entry point once, with its distribution, in a fixed order."""
    own = {(each.name, each.value): each for each in BUILT_IN}
    others = {}
    for each in entry_points(group=GROUP):
        # A checkout that is installed twice over is found twice.
        if (each.name, each.value) not in own:
            distribution = "an unnamed distribution"
            if each.dist is not None:
                distribution = f"{each.dist.name} {each.dist.version}"
            others[distribution, each.name, each.value] = each
    return [(each, OWN) for each in BUILT_IN] + [(others[key], key[0]) for key in sorted(others)]


def _load(entry_point: EntryPoint) -> tuple[Any, str | None]:
    try:
        adapter = entry_point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, f"importing {entry_point.value} raised {one_line(error)}"
    fault = fault_of(adapter)
    if fault is None and adapter.name != entry_point.name:
        fault = f"it is registered as {entry_point.name!r} and calls itself {adapter.name!r}"
    return adapter, fault


def one_line(error: BaseException) -> str:
    """Return an exception's class and words as one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
