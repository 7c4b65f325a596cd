"""Search for a pair of neighbors beyond a claim with Hypothesis, shrunk to a smallest one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, UsageError
from provado.mechanisms.repeatable import without_local_constants

from .measure import BrokenScoreError
from .outcome import MovedPair

Evaluate = Callable[[tuple[Any, ...]], Fraction]


class _BeyondError(Exception):
    """Tells Hypothesis that an example goes beyond the claim, so that it shrinks it."""


@dataclass
class _Log:
    """What a search saw; lives only while it runs."""

    examined: int = 0
    broken: str = ""
    closest: MovedPair | None = None
    beyond: MovedPair | None = field(default=None)


def is_strategy(value: object) -> bool:
    """Return whether ``value`` is a Hypothesis strategy; false without Hypothesis."""
    try:
        from hypothesis.strategies import SearchStrategy
    except ImportError:
        return False
    return isinstance(value, SearchStrategy)


def search(
    evaluate: Evaluate,
    claim: Callable[[int], Fraction],
    records: Any,
    sizes: tuple[int, int],
    relation: NeighboringRelation,
    *,
    examples: int,
    seed: int,
) -> tuple[MovedPair | None, MovedPair | None, int, str]:
    """Return (smallest pair beyond the claim, pair closest to it, pairs examined, what broke).

    records: a Hypothesis strategy for one record. sizes: fewest and most records (of the larger
    dataset). The search is pulled towards large changes (``hypothesis.target``) and keeps
    nothing on disk. It depends on its arguments alone. Raises ``UsageError`` if Hypothesis is not
    installed.
    """
    try:
        import hypothesis
        from hypothesis import HealthCheck, Phase, strategies
    except ImportError as error:
        raise UsageError(
            "domain: a search needs the package hypothesis; install it, or give a finite domain"
        ) from error
    log = _Log()
    adds = isinstance(relation, AddOrRemoveOne)

    @strategies.composite
    def pairs(draw: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        data = tuple(draw(strategies.lists(records, min_size=sizes[0], max_size=sizes[1])))
        i = draw(strategies.integers(0, len(data) - 1))
        new = () if adds else (draw(records),)
        return data, data[:i] + new + data[i + 1 :]

    def examine(pair: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        d, d_prime = pair
        claimed = claim(len(d))
        try:
            moved = MovedPair(d, d_prime, (evaluate(d), evaluate(d_prime)), claimed)
        except BrokenScoreError as error:
            log.broken = log.broken or str(error)
            return
        log.examined += 1
        if log.closest is None or moved.excess > log.closest.excess:
            log.closest = moved
        hypothesis.target(_height(moved), label="change over claim")
        if moved.excess > 0:
            log.beyond = moved
            raise _BeyondError

    run = hypothesis.given(pairs())(examine)
    run = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=hypothesis.Verbosity.quiet,
    )(hypothesis.seed(seed)(run))
    try:
        with without_local_constants():
            run()
    except _BeyondError:
        # Hypothesis ends by running the smallest example once more, so the log holds that one.
        return log.beyond, log.closest, log.examined, log.broken
    except hypothesis.errors.HypothesisException as error:
        # A score that answers differently on the same data, or a strategy that yields nothing.
        text = " ".join(str(error).split())[:300]
        log.broken = log.broken or f"{type(error).__name__}: {text}"
    return None, log.closest, log.examined, log.broken


def _height(moved: MovedPair) -> float:
    """Return what the search climbs: the change in units of the claim, within the floats."""
    return float(min(moved.change / (moved.claimed or 1), Fraction(10) ** 300))
