"""Holds the tapes of two runs beside each other: draws, what they add to, what was seen of them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions.relation import record_key, short

from .record.generators import MOVING, weights_of
from .record.linear import Floats
from .record.recording import Call, Charged, Tape
from .result import Finding, FindingKind, unhidden


@dataclass(frozen=True, eq=False)
class Variables:
    """Noise variables of both runs. call: of each the number of its call in the first run, else −1.

    inputs: what each is added to, alone, in each run; NaN where it was not seen alone.
    """

    scale: Floats
    family: NDArray[np.str_]
    call: NDArray[np.intp]
    inputs: tuple[Floats, Floats]


@dataclass(eq=False)
class MatchedDraws:
    """The calls of both runs, matched. costs: of calls that libraries or chances charge."""

    matched: list[tuple[Call, Call]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    charged: dict[int, Charged] = field(default_factory=dict)


def matched_draws(first: Tape, second: Tape, reseeded: Tape | None = None) -> MatchedDraws:
    """Return the calls of two runs matched by line and name, and what differs in them.

    reseeded: of the first run under another seed, where a seed that is drawn is another one.
    """
    draws = MatchedDraws()
    for key in dict.fromkeys([*first.by_key, *second.by_key]):
        a, b = first.by_key.get(key, []), second.by_key.get(key, [])
        site, name = key
        if len(a) != len(b) and is_coin((a or b)[0]):
            draws.notes.append(
                f"{site.words()}: {name} is called {_times(len(a))} under D and {_times(len(b))} "
                "under D′; coins for each data point are not judged"
            )
        elif len(a) != len(b):
            words = (
                f"{site.words()} calls {name} {_times(len(a))} under D and {_times(len(b))} under "
                "D′: how often noise is drawn depends on the data"
            )
            event = "the number of noisy values"
            draws.findings.append(unhidden(FindingKind.DRAWS, words, site, event))
        for one, other in zip(a, b, strict=False):
            draws.matched.append((one, other))
            again = None if reseeded is None else reseeded.call_at(key, one.count)
            draws.findings += _differences(draws, one, other, again)
    return draws


COINS = {
    *("integers", "randint", "choice", "binomial", "getrandbits", "randrange", "shuffle", "bytes"),
    *("permutation", "permuted", "sample", "choices", "multinomial", "poisson", "randbytes"),
    *("dirichlet",),
}
"""Methods by which programs choose what to do, or with which records; they add no noise."""


def is_coin(call: Call) -> bool:
    """Return whether a call is one by which programs choose.

    What diffprivlib chooses, such as an interval between data points, is not yet what it releases.
    """
    if call.name.startswith("diffprivlib ") and not call.family:
        return True
    return call.family == "uniform" or call.name.rpartition(".")[2] in COINS


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times" if number else "never"


def is_fixed(call: Call, again: Call | None) -> bool:
    """Return whether noise is the same under another seed; whole numbers are not judged."""
    if again is None or not call.family or np.asarray(call.value).dtype.kind != "f":
        return False
    return bool(np.all(np.asarray(call.scale) != 0)) and np.array_equal(call.value, again.value)


def _differences(
    draws: MatchedDraws, one: Call, other: Call, again: Call | None
) -> Iterator[Finding]:
    where, kind = f"{one.site.words()}: {one.name}", FindingKind
    seed = one.name.startswith("seed of ")
    if not seed and np.shape(one.value) != np.shape(other.value) and is_coin(one):
        draws.notes.append(
            f"{where} draws shape {np.shape(one.value)} under D and {np.shape(other.value)} under "
            "D′; coins for each data point are not judged"
        )
        return
    if not seed and np.shape(one.value) != np.shape(other.value):
        words = (
            f"{where} draws shape {np.shape(one.value)} under D and {np.shape(other.value)} under "
            "D′: how many noisy values there are depends on the data"
        )
        yield unhidden(kind.SHAPE, words, one.site, "the shape of the output")
        return
    if one.scale is not None and not _same(one.scale, other.scale):
        words = (
            f"{where}: the scale of its noise is {short(one.scale, 40)} under D and "
            f"{short(other.scale, 40)} under D′"
        )
        yield unhidden(kind.SCALE, words, one.site, "the spread of the output")
    if one.charge is not None:
        draws.charged[one.number] = one.charge(
            one.arguments.get("input"), other.arguments.get("input")
        )
    name = one.name.rpartition(".")[2]
    weights, weights_prime = (weights_of(name, side.arguments) for side in (one, other))
    for key in dict.fromkeys([*one.arguments, *other.arguments]):
        a, b = one.arguments.get(key), other.arguments.get(key)
        if key in ("input", "x") or (weights is not None and a is weights) or _same(a, b):
            continue
        if seed and (again is None or _same(a, again.arguments.get(key))):
            words = f"{where}: the seed is {short(a, 40)} under D and {short(b, 40)} under D′"
            yield unhidden(kind.SEED, words, one.site, "any output: its noise is another")
        elif seed:
            continue
        elif key == "a" and weights is not None:
            words = f"{where}: it chooses among {short(a, 50)} under D and {short(b, 50)} under D′"
            yield unhidden(kind.DOMAIN, words, one.site, "an output that only one of them can give")
        elif one.family:
            words = f"{where}: {key} is {short(a, 40)} under D and {short(b, 40)} under D′"
            yield unhidden(kind.SCALE, words, one.site, "the spread of the output")
        elif name not in MOVING or _length(a) != _length(b):
            draws.notes.append(
                f"{where}: {key} is {short(a, 40)} under D and {short(b, 40)} under D′; what a "
                "choice among data points costs, a subsample of them too, is not judged"
            )
    if weights is not None and weights_prime is not None:
        charged = _chosen(weights, weights_prime, one)
        if charged is not None:
            draws.charged[one.number] = charged


def _length(value: Any) -> Any:
    return len(value) if hasattr(value, "__len__") else value


def _same(one: Any, other: Any) -> bool:
    try:
        return record_key(one) == record_key(other)
    except Exception:  # Of objects whose comparison raises.
        return one is other


def _chosen(weights: Any, weights_prime: Any, call: Call) -> Charged | None:
    """Return what choices with these chances cost: the largest log ratio of one of them."""
    p, q = np.asarray(weights, dtype=float), np.asarray(weights_prime, dtype=float)
    if p.shape != q.shape or not p.size:
        return None
    if "cum_weights" in call.arguments:
        p, q = np.diff(p, prepend=0), np.diff(q, prepend=0)
    with np.errstate(all="ignore"):
        ratio = np.abs(np.log(p / p.sum()) - np.log(q / q.sum()))
    ratio = ratio[~((p == 0) & (q == 0))]
    cost = float(np.max(ratio, initial=0.0)) * max(int(np.size(call.value)), 1)
    return Charged(cost, None, math.nan, "the chances of a choice")


def variables_of(first: Tape, second: Tape) -> Variables:
    """Return the noise variables of both runs, by their numbers."""
    number = max(first.variables, second.variables)
    scale, family = np.full(number, np.nan), np.full(number, "derived", dtype="U12")
    call = np.full(number, -1)
    for tape in (second, first):
        for item in tape.calls:
            if item.first >= 0:
                here = slice(item.first, item.first + int(np.size(item.value)))
                scale[here] = np.broadcast_to(
                    np.nan if item.scale is None else np.asarray(item.scale, dtype=float),
                    np.shape(item.value),
                ).ravel()
                family[here] = item.family
                call[here] = item.number if tape is first else -1
    return Variables(scale, family, call, (_inputs(first, number), _inputs(second, number)))


MOST_UNITS, _SAME_UNIT = 100_000, 4e-14
"""Noise values that are searched for repeated ones; a relative difference that is rounding."""


def repeated_noise(tape: Tape) -> Iterator[tuple[int, int]]:
    """Yield noise variables of two calls of a run that are one draw, but for scale and input.

    So it is where a generator was copied, set back, or made twice of one seed.
    """
    variables, units, families = [np.empty(0, int)], [np.empty(0)], list[str]()
    for call in tape.calls:
        held = np.asarray(call.value)
        if call.first < 0 or call.base is None or call.scale is None or held.dtype != np.float64:
            continue
        with np.errstate(all="ignore"):
            units.append(np.ravel((held - call.base) / call.scale))
        size = units[-1].size
        variables.append(np.arange(call.first, call.first + size))
        families += [call.family] * size
        if len(families) > MOST_UNITS:
            break
    place, unit, family = np.concatenate(variables), np.concatenate(units), np.array(families)
    order = np.argsort(unit, kind="stable")
    low, high = order[:-1], order[1:]
    near = np.abs(unit[high] - unit[low]) <= _SAME_UNIT * np.abs(unit[low])
    near &= np.isfinite(unit[low]) & (unit[low] != 0) & (family[low] == family[high])
    yield from zip(place[low[near]].tolist(), place[high[near]].tolist(), strict=True)


def _inputs(tape: Tape, number: int) -> Floats:
    """Return what each variable is added to where it stands alone, at last."""
    result = np.full(number, np.nan)
    for step in tape.every_step():
        if step.kind != "sum":
            continue
        form = step.form.summed()
        held = np.bincount(form.rows, minlength=form.base.size)
        alone = held[form.rows] == 1
        rows, variables = form.rows[alone], form.variables[alone]
        result[variables] = form.base.ravel()[rows] / form.weights[alone]
    return result
