"""Find adapters, and turn an object of any adapted library into a mechanism.

Our own adapters are the files ``NAME_adapter.py`` of this folder. Those of others are entry points
of the group ``provado.adapters``, read from the metadata. What either names is only imported when
it is needed. An adapter that cannot be used is left out, and the caller is told why.
"""

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from provado.mechanisms.adapters.adapter import Adapter, fault_of
from provado.mechanisms.adapters.measurement_like import ADAPTER as MEASUREMENT_LIKE
from provado.mechanisms.definitions import Dataset, Mechanism, NeighboringRelation, UsageError
from provado.mechanisms.definitions.relation import one_line, short

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
class BrokenAdapter:
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

    def broken(self, reason: str) -> BrokenAdapter:
        """Return this adapter as one that is left out."""
        return BrokenAdapter(self.name, self.distribution, reason)


@dataclass(frozen=True)
class Plugins:
    """The adapters that can be used, our own first, and those that cannot."""

    found: tuple[Found, ...]
    broken: tuple[BrokenAdapter, ...]


def _all(_: str) -> bool:
    return True


def discover(needed: Callable[[str], bool] = _all) -> Plugins:
    """Import and return the adapters whose name is ``needed``; no other is imported.

    Of two with one name the first is kept: ours, then by the distribution's name.
    """
    result: list[Found] = []
    broken: list[BrokenAdapter] = []
    for entry_point, distribution in _registered():
        name = entry_point.name
        if not needed(name):
            continue
        taken = next((each for each in result if each.name == name), None)
        if taken is not None:
            reason = f"its name is taken by an adapter of {taken.distribution}"
            broken.append(BrokenAdapter(name, distribution, reason))
            continue
        adapter, fault = _load(entry_point)
        if fault is None:
            result.append(Found(adapter, distribution))
        else:
            broken.append(BrokenAdapter(name, distribution, fault))
    return Plugins(tuple(result), tuple(broken))


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
    """Return whether ``as_mechanism`` can try: an adapter or the duck typing takes ``obj``."""
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
            raise UsageError(f"adapter is of type {type(adapter).__name__}: {fault}")
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


def _matching(obj: Any, plugins: Plugins) -> tuple[list[Found], tuple[BrokenAdapter, ...]]:
    matching, failed = [], []
    for result in plugins.found:
        try:
            if result.adapter.matches(obj):
                matching.append(result)
        except Exception as error:
            failed.append(result.broken(f"matches raised {one_line(error)}"))
    return matching, tuple(failed)


@dataclass(frozen=True)
class Releases:
    """The mechanisms that the adapters release, and the adapters that had to be left out."""

    mechanisms: tuple[Mechanism, ...]
    broken: tuple[BrokenAdapter, ...]


def released_mechanisms(needed: Callable[[str], bool] = lambda _: True) -> Releases:
    """Return what the adapters whose name is ``needed`` release, our own libraries first.

    One of our own libraries that is missing raises ``UsageError``, with the command that installs
    it; another distribution's adapter that fails is left out.
    """
    plugins = discover(needed)
    mechanisms: list[Mechanism] = []
    broken = list(plugins.broken)
    for result in plugins.found:
        if result.distribution == OWN:
            mechanisms += result.adapter.releases()
            continue
        released, fault = _released(result.adapter)
        if fault is None:
            mechanisms += released
        else:
            broken.append(result.broken(fault))
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
