"""Any object that can release and states its cost, by duck typing.

How it releases: the first of ``invoke``, ``randomise``, ``randomize``, ``release`` and
``quick_result`` that it has, or else a call of the object itself. Two different ones of those
names are refused unless ``method`` says which.

What it promises: what it states under ``promise`` (a ``PrivacyPromise``), ``map(d_in)`` (only
where ``d_in`` is given), ``privacy_cost``, ``epsilon`` (with ``delta``, else δ = 0) and ``mu``
(Gaussian differential privacy). A cost may be a number (ε), a pair (ε, δ), a mapping or an object
with ``epsilon`` and ``delta``, or a promise; it may be an attribute or a method without arguments.
All that it states must be the same promise: two that differ are refused, not chosen from.

Which datasets are neighbors: ``relation``, or the object's own attribute of that name.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters.adapter import LibraryAdapter, stacked, stated_promise
from provado.mechanisms.definitions.relation import one_line

METHODS = ("invoke", "randomise", "randomize", "release", "quick_result")
COSTS = ("promise", "map", "privacy_cost", "epsilon", "mu")


class MeasurementLikeAdapter(LibraryAdapter):
    """Takes any object of which the rules above find out how it releases and what it promises."""

    name = "measurement"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is no class, can be asked for a release and speaks of its cost."""
        if isinstance(obj, type | dp.Mechanism):
            return False
        releases = callable(obj) or any(callable(getattr(obj, each, None)) for each in METHODS)
        return releases and any(hasattr(obj, each) for each in COSTS)

    def adapted(
        self,
        obj: Any,
        relation: dp.NeighboringRelation | None,
        *,
        d_in: float | None = None,
        promise: dp.PrivacyPromise | None = None,
        method: str | None = None,
        **stated: Any,
    ) -> dp.Mechanism:
        """Return the object as a mechanism.

        Where the method takes ``rng``, its draws come from there and replay; where it takes
        ``size`` too, it is called once for a whole batch.
        promise: for an object that states none. One that differs from what the object states is
            refused: what the object claims is what gets audited.
        method: the method to call, where several would do.
        """
        chosen = method_of(obj, method)
        release = getattr(obj, chosen)
        keywords = _keywords(release)
        return dp.Mechanism(
            run=MeasurementRun(
                obj, chosen, batched={"size", "rng"} <= keywords, takes_rng="rng" in keywords
            ),
            promise=promise_of(obj, d_in=d_in, given=promise),
            relation=_relation(obj, relation),
            source=dp.Source(f"{type(obj).__module__}.{type(obj).__qualname__}", chosen),
            expected=dp.Verdict.NO_VIOLATION,
            summary=f"an object that releases by {chosen} and states its own cost",
            seedable="rng" in keywords,
            **stated,
        )


@dataclass(frozen=True)
class MeasurementRun:
    """Calls ``obj.<method>(data)``, with ``rng`` and ``size`` where the method takes them."""

    obj: Any
    method: str
    batched: bool
    takes_rng: bool

    def __call__(
        self, data: dp.Dataset, *, size: int | None = None, rng: Generator | None = None
    ) -> dp.Output:
        """Return one release, or ``size`` of them."""
        release = getattr(self.obj, self.method)
        rng = np.random.default_rng() if rng is None else rng
        if self.batched and size is not None:
            return release(data, size=size, rng=rng)
        keywords = {"rng": rng} if self.takes_rng else {}
        if size is None:
            return release(data, **keywords)
        return stacked([release(data, **keywords) for _ in range(size)])


def method_of(obj: Any, method: str | None = None) -> str:
    """Return the name of the method that releases, by the rules of this module."""
    if isinstance(obj, type):
        raise dp.UsageError(f"{obj.__name__} is a class: give an object of it")
    if method is not None:
        if not callable(getattr(obj, method, None)):
            raise dp.UsageError(f"method is {method!r}: {type(obj).__name__} has no such method")
        return method
    result = {each: getattr(obj, each) for each in METHODS if callable(getattr(obj, each, None))}
    # Two names of one function, as an alias makes them, are one method.
    distinct = {id(getattr(each, "__func__", each)) for each in result.values()}
    if len(distinct) > 1:
        raise dp.UsageError(
            f"{type(obj).__name__} has the methods {' and '.join(result)}: which of them releases? "
            f"Give method={next(iter(result))!r} or another"
        )
    if result:
        return next(iter(result))
    if callable(obj):
        return "__call__"
    raise dp.UsageError(
        f"a {type(obj).__name__} has none of the methods {', '.join(METHODS)} and cannot be "
        "called: give method=…, or a callable"
    )


def promise_of(
    obj: Any, *, d_in: float | None = None, given: dp.PrivacyPromise | None = None
) -> dp.PrivacyPromise:
    """Return the one promise that ``obj`` states, or ``given`` where it states none."""
    stated: dict[str, dp.PrivacyPromise] = {}
    for each in COSTS:
        if not hasattr(obj, each) or (each == "map" and d_in is None):
            continue
        words = "map(d_in)" if each == "map" else each
        stated[words] = _cost(obj, each, d_in, f"{type(obj).__name__}.{words}")
    if given is not None:
        stated["promise=… as given"] = given
    if not stated:
        need = "d_in=… for its map" if hasattr(obj, "map") else "an attribute epsilon"
        raise dp.UsageError(
            f"{type(obj).__name__} states no privacy cost: give {need}, or promise=PureDP(…) or "
            "another promise"
        )
    (first, promise), *others = stated.items()
    for name, other in others:
        if other != promise:
            raise dp.UsageError(
                f"{type(obj).__name__} states two costs: {first} is {promise.words()} and {name} "
                f"is {other.words()}; which of them is claimed?"
            )
    return promise


def _cost(obj: Any, attribute: str, d_in: float | None, words: str) -> dp.PrivacyPromise:
    cost = _value(obj, attribute, words, *(() if attribute != "map" else (d_in,)))
    if attribute == "mu":
        return dp.GaussianDP(_number(cost, words))
    if attribute == "epsilon":
        delta = _value(obj, "delta", words) if getattr(obj, "delta", None) is not None else 0.0
        return _promise((cost, delta), words)
    return _promise(cost, words)


def _value(obj: Any, attribute: str, words: str, *arguments: Any) -> Any:
    """Return an attribute, or what it returns where it is a method."""
    value = getattr(obj, attribute)
    if isinstance(value, dp.PrivacyPromise) or not callable(value):
        return value
    try:
        return value(*arguments)
    except Exception as error:
        raise dp.UsageError(f"{words}: {attribute} raised {one_line(error)}") from error


def _promise(cost: Any, words: str) -> dp.PrivacyPromise:
    if not isinstance(cost, type) and isinstance(cost, dp.PrivacyPromise):
        return cost
    if isinstance(cost, Mapping):
        cost = (cost.get("epsilon"), cost.get("delta", 0.0))
    elif not isinstance(cost, tuple | list) and hasattr(cost, "epsilon"):
        cost = (cost.epsilon, getattr(cost, "delta", 0.0))
    parts = cost if isinstance(cost, tuple | list) else (cost, 0.0)
    if len(parts) != 2:
        raise dp.UsageError(f"{words} is {cost!r}: a cost is ε, (ε, δ) or a promise")
    return stated_promise(*(_number(each, words) for each in parts))


def _number(value: Any, words: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise dp.UsageError(f"{words} is {value!r}: it must be a number") from error


def _relation(
    obj: Any, neighboring_relation: dp.NeighboringRelation | None
) -> dp.NeighboringRelation:
    relation = (
        getattr(obj, "relation", None) if neighboring_relation is None else neighboring_relation
    )
    if isinstance(relation, type) or not isinstance(relation, dp.NeighboringRelation):
        raise dp.UsageError(
            f"relation is {relation!r}: {type(obj).__name__} does not say which datasets are "
            "neighbors; give relation=ReplaceOne(), AddOrRemoveOne() or another"
        )
    return relation


def _keywords(release: Any) -> set[str]:
    try:
        parameters = inspect.signature(release).parameters.values()
    except (TypeError, ValueError):
        return set()
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {each.name for each in parameters if each.kind in named}


ADAPTER = MeasurementLikeAdapter()
