"""Decide whether a function of records keeps what is claimed of it."""

import inspect
import itertools
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from numbers import Number
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.read.forms import SOURCES
from provado.proofs.programs.read.source import exact_value
from provado.proofs.sensitivity.bounded import dataset_sizes, datasets_words
from provado.proofs.sensitivity.change.arrays import Following, SymbolicNumber, constant_of
from provado.proofs.sensitivity.change.beside import misread
from provado.proofs.sensitivity.change.expression import PublicSymbol
from provado.proofs.sensitivity.change.prove import ends_of, following_of, standing
from provado.proofs.sensitivity.change.ratio import Ratio
from provado.proofs.sensitivity.change.vectors import SymbolicVector
from provado.proofs.sensitivity.trace.bound import RecordColumns, read_domain
from provado.proofs.sensitivity.trace.rewrite import rewritten
from provado.proofs.sensitivity.trace.run import as_written, held_by, may_hold_more, released_by
from provado.proofs.sensitivity.trace.untraceable import (
    Blocked,
    QueryTrace,
    Sizes,
    fewer_records,
    said,
    stop,
)

from .beside import at_few_lines, read_otherwise
from .noise import MOST_WAYS, Release, ReleaseRun, Way, Weight, settle
from .noise_costs import CostBounds, NotShownError, ProvedCost, ReleaseClaim
from .refute import TOLD, RefutedRelease, refute
from .sources import EqualDraws, NoiseSource, stand_ins

AGAIN = 7
"""So often each way through a function is repeated: what differs is not followed."""

SECONDS = 20.0
"""After so long a claim is left undecided."""


@dataclass(frozen=True)
class ReleaseDecision:
    """The verdict on what is claimed of a function of records, with its evidence.

    claim: as a formula. scope: of which datasets it speaks; relation: which of them are neighbors.
    parameters: the function's other arguments. text, first: its source and the line where that
    begins. ways: for each way through the function, what it
    releases and what that costs. counterexample: two datasets with their loss. reason: why it is
    neither proved nor refuted. seconds: of processor time.
    """

    name: str
    claim: ReleaseClaim
    scope: str
    relation: str
    parameters: Mapping[str, Any]
    text: str
    first: int
    ways: tuple[tuple[ProvedCost, ...], ...] = ()
    counterexample: RefutedRelease | None = None
    reason: str = ""
    seconds: float = 0.0

    @property
    def claimed(self) -> str:
        """The claim in words."""
        return self.claim.words()

    @property
    def verdict(self) -> ProgramVerdict:
        """The verdict, which follows from the evidence alone."""
        if self.counterexample is not None:
            return ProgramVerdict.REFUTED
        return ProgramVerdict.UNDECIDED if self.reason else ProgramVerdict.PROVED


class ExactInt(int):
    """A whole number of an argument, whose quotients are exact."""

    following: Following

    def __truediv__(self, other: Any) -> Any:
        return SymbolicNumber(Ratio.number(int(self)), self.following) / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / SymbolicNumber(Ratio.number(int(self)), self.following)


def decide_releases(
    function: Callable[..., Any],
    claim: ReleaseClaim,
    *,
    domain: Any,
    relation: NeighboringRelation | None = None,
    size: int | tuple[int, int | None] = (1, None),
    parameters: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
) -> ReleaseDecision:
    """Prove or refute that a function of records keeps what is claimed of it.

    function: takes an array of records first, and returns numbers and places computed with noise of
        NumPy, ``random`` or ``mechanisms.programs``. claim: ε, ε and δ, μ or ρ.
    domain, relation, size: as of ``bound_sensitivity``.
    parameters: values of its other arguments, of which (low, high) is any from one to the other;
        those that are left out have their defaults.

    ``proved``: for all datasets, in real numbers: the kernel checked the signs of polynomials on
    which each bound of a change depends, and ``rules`` says what a changed number costs.
    ``refuted``: by two datasets, on which the function's own numbers were computed, with their
    loss. Raises ``UsageError`` for bad arguments, and nothing for what the function does.
    """
    start = time.process_time()
    relation = ReplaceOne() if relation is None else relation
    records, sizes = read_domain(domain), dataset_sizes(size, relation)
    given = arguments(function, parameters or {})

    def decided(**found: Any) -> ReleaseDecision:
        return ReleaseDecision(
            function.__name__,
            claim,
            datasets_words(sizes, domain),
            relation.words(),
            given,
            *_source(function),
            seconds=time.process_time() - start,
            **found,
        )

    one_more = isinstance(relation, AddOrRemoveOne)
    if not one_more and not isinstance(relation, ReplaceOne):
        raise UsageError(f"relation is {relation!r}: it must be ReplaceOne() or AddOrRemoveOne()")
    columns = ends_of(records)
    if columns is None:
        return decided(reason="records of these columns are not followed: numbers with ends are")

    def ways_of(sizes: Sizes) -> tuple[Sizes, Following, list[Way | str]]:
        following = following_of(*columns, *sizes, one_more=one_more)
        data = standing(following, columns[1], records)
        ways = ways_through(function, data, following, given)
        return sizes, following, list(itertools.islice(ways, MOST_WAYS + 1))

    def reasons(found: tuple[Sizes, Following, list[Way | str]]) -> list[Way | str]:
        return [way for way in found[2] if isinstance(way, str)]

    sizes, following, found = fewer_records(sizes, ways_of, reasons)
    ways = [way for way in found if isinstance(way, Way)]
    if len(ways) < len(found):
        return decided(reason=next(way for way in found if isinstance(way, str)))
    if len(ways) > MOST_WAYS:
        return decided(reason=f"noisy numbers decide in more than {MOST_WAYS} ways")

    for chosen in plain_arguments(given) if len(ways) == 1 else ():

        def run(data: Any, chosen: Mapping[str, Any] = chosen) -> Way | None:
            result = run_with(function, ReleaseRun(told=TOLD), records.made(data), chosen)
            return None if isinstance(result, str) else result

        broken = refute(run, records, relation, sizes, ways[0], claim)
        if broken is not None:
            return decided(counterexample=broken)
    costs, shown = CostBounds(following, time.monotonic() + seconds), []
    for way in ways:
        plain = Release(None, way.returned, Ratio.number(1), 0)
        try:
            shown.append(tuple(costs.prove([*way.releases, plain], claim)))
        except NotShownError as error:
            return decided(reason=str(error))
    if reason := _misread(function, ways, records, sizes, given):
        return decided(reason=reason)
    return decided(ways=tuple(shown))


def _misread(
    function: Callable[..., Any],
    ways: Sequence[Way],
    records: RecordColumns,
    sizes: Sizes,
    given: Mapping[str, Any],
) -> str:
    """Return on which dataset a function returns other numbers than were read of it; else nothing.

    The function is run as it is written, each draw of noise being equally many scales.
    """
    rng, every = np.random.default_rng(1), list(plain_arguments(given))
    ends = {name: item for name, item in given.items() if isinstance(item, tuple)}

    def compared(data: Sequence[Any], number: int) -> tuple[str, str]:
        chosen = every[number % len(every)]
        chosen = {n: float(x) if isinstance(x, Fraction) else x for n, x in chosen.items()}
        known = {PublicSymbol(n, *map(Fraction, end)): chosen[n] for n, end in ends.items()}
        words = "".join(f", {name} = {chosen[name]!r}" for name in ends)
        scales = float(rng.uniform(0.2, 0.8)) if at_few_lines(ways) else 0.0
        ran = run_with(function, ReleaseRun(told=TOLD), records.made(data), chosen, scales)
        if isinstance(ran, str):
            return ran, words
        result = [read_otherwise(way, ran.returned, records, data, known, scales) for way in ways]
        return min(result, key=bool), words

    return misread(records, sizes, compared)


def _source(function: Callable[..., Any]) -> tuple[str, int]:
    """Return the text of a function and its first line, where these are known."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return "", 1
    return textwrap.dedent("".join(lines)), first


def arguments(
    function: Callable[..., Any], parameters: Mapping[str, Any], *, needed: bool = True
) -> dict[str, Any]:
    """Return the arguments of a function but for the first.

    needed: whether each must have a value, else ``UsageError`` is raised.
    """
    _, *others = inspect.signature(function).parameters.values()
    names = [other.name for other in others]
    for name in parameters:
        if name not in names:
            raise UsageError(
                f"parameter {name}: {function.__name__} has {', '.join(names) or 'none'}"
            )
    plain = [item for item in others if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)]
    result = {item.name: parameters.get(item.name, item.default) for item in plain}
    open_to = [name for name, value in result.items() if value is inspect.Parameter.empty]
    missing = [name for name in open_to if name not in (*SOURCES, "seed")]
    if needed and missing:
        several = len(missing) > 1
        raise UsageError(
            f"parameter{'s' * several} {', '.join(missing)} of {function.__name__} "
            f"{'have' if several else 'has'} no value: give {'one each' if several else 'one'}, as "
            f"in {' '.join(f'--set {name}=1' for name in missing)}"
        )
    return result | dict.fromkeys(open_to)


def ways_through(
    function: Callable[..., Any], standing: Any, following: Following, given: Mapping[str, Any]
) -> Iterator[Way | str]:
    """Yield every way through a function, by what its noisy numbers decide; or why it has none."""
    ways: list[bool] | None = []
    while ways is not None:
        way, run = _followed(function, standing, following, given, ways)
        if any(
            _followed(function, standing, following, given, list(run.ways))[0] != way
            for _ in range(AGAIN)
        ):
            way = "two runs differ: it draws what is not followed, or keeps state"
        yield way
        ways = None if isinstance(way, str) else run.next_ways()


def _followed(
    function: Callable[..., Any],
    standing: Any,
    following: Following,
    given: Mapping[str, Any],
    ways: list[bool],
) -> tuple[Way | str, ReleaseRun]:
    run = ReleaseRun(following, ways=ways)
    following.decide, following.unknown, following.place = run.decide, run.unknown, run.place
    return run_with(function, run, standing, exactly(given, following)), run


def run_with(
    function: Callable[..., Any],
    run: ReleaseRun,
    data: Any,
    given: Mapping[str, Any],
    equal: float | None = None,
) -> Way | str:
    """Return one way through a function, or why it could not be run.

    equal: how many scales each draw is, where the function is run as it is written.
    """
    source = NoiseSource(run) if equal is None else EqualDraws(run, equal)
    options = {
        name: source if name in SOURCES and value is None else value
        for name, value in given.items()
        if value is None or isinstance(value, Number | SymbolicNumber)
    }
    # What else is given stands for noise, or is copied, as if it were found.
    function = partial(function, **{n: item for n, item in given.items() if n not in options})
    trace = QueryTrace(False, run.following.least if run.following else 1, None)

    def finish(released: Any) -> tuple[Any, ...]:
        return tuple(map(run.exactly, returned_numbers(released)))

    def called(data: Any, **options: Any) -> tuple[Any, ...]:
        return finish(function(data, **options))

    read = rewritten if equal is None else as_written
    returned, reason = released_by(called, data, trace, stand_ins(run, source), read, **options)
    return reason or Way(tuple(run.releases), returned, run.rounded, dict(run.asked))


def returned_numbers(released: Any) -> Iterator[Any]:
    """Yield the numbers that a function returned; text and nothing hold none of the data.

    Of an object whose class was there before the run, what it holds is returned. Any other object
    that may hold more than is read of it ends the trace.
    """
    released = settle(released)
    kind = type(released)
    series = kind.__name__ == "Series" and kind.__module__.startswith("pandas")
    if series and vars(released).keys() <= vars(kind()).keys():
        # Its index and its name too.
        yield from returned_numbers([*released.index.tolist(), released.name, released.attrs])
        released = released.tolist()
    if not isinstance(released, Blocked | SymbolicVector | ExactInt) and may_hold_more(released):
        what = f"an object of {kind.__name__}, which may hold more than is read of it"
        raise stop(f"it returns {what}: return a number, a list, a tuple or a dict")
    if isinstance(released, Mapping):
        for key, value in released.items():
            yield from returned_numbers(key)
            yield from returned_numbers(value)
    elif isinstance(released, list | tuple | SymbolicVector):
        for item in released:
            yield from returned_numbers(item)
    elif isinstance(released, np.ndarray):
        yield from returned_numbers(released.tolist())
    elif isinstance(released, Weight):
        yield released.number()
    elif isinstance(released, SymbolicNumber) or constant_of(released) is not None:
        yield released
    elif (attributes := held_by(released)) is not None:
        yield from returned_numbers(attributes)
    elif released is not None and not isinstance(released, str | bytes):
        what = said(released) if isinstance(released, Blocked) else kind.__name__
        followed = "numbers, places, text and objects of classes of its file are followed"
        raise stop(f"it returns {what}: {followed}")


def plain_arguments(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield arguments as numbers: an interval by its ends."""
    values = [
        value
        if isinstance(value, tuple)
        else (float(value),)
        if isinstance(value, Fraction)
        else (value,)
        for value in given.values()
    ]
    for chosen in itertools.product(*values):
        yield dict(zip(given, chosen, strict=True))


def exactly(given: Mapping[str, Any], following: Following) -> dict[str, Any]:
    """Return arguments whose arithmetic is exact: a decimal is the number that is written."""
    result: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, tuple):
            public = Ratio.symbol(PublicSymbol(name, *map(Fraction, value)))
            value = SymbolicNumber(public, following)
        elif isinstance(value, float | Fraction):
            value = SymbolicNumber(Ratio.number(exact_value(value, name)), following)
        elif type(value) is int:
            value = ExactInt(value)
            value.following = following
        result[name] = value
    return result
