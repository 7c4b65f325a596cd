"""What no noise hides: outputs that differ though all noise is frozen; and what was not judged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from .match_draws import Draws, is_coin
from .recording import DERIVED, Tape
from .released_forms import Seen
from .result import Finding, FindingKind, Parted, place
from .source_location import NOWHERE

_FOLLOWS = {FindingKind.DRAWS, FindingKind.SHAPE, FindingKind.SEED, FindingKind.DOMAIN}
"""Where noise is other noise, outputs differ of course."""

MOST_SHOWN = 3
"""Places of an output that are named."""


def of_output(
    seen: Seen,
    findings: Sequence[Finding],
    draws: Draws,
    parted: Parted | None,
) -> tuple[list[Finding], list[str]]:
    """Return findings on outputs that differ though all noise is frozen, and notes on others."""
    if any(one.kind in _FOLLOWS for one in findings):
        return [], []
    site = place(parted.after if parted is not None else NOWHERE)
    found = [
        Finding(one.kind, f"{one.words}, under the same noise", event=one.words, **site)
        for one in seen.mismatches
    ]
    coins = [one for one, _ in draws.matched if is_coin(one)]
    notes = list[str]()
    for words in seen.plain[:MOST_SHOWN]:
        if coins:
            names = ", ".join(dict.fromkeys(f"{c.name} at {c.site.words()}" for c in coins))
            notes.append(
                f"{words}, with the coins as they fell ({names}): of a program that chooses by a "
                "coin whether to tell the truth, one run shows no more"
            )
        else:
            said = f"{words}, though all noise is the same"
            kind = FindingKind.OUTPUT
            found.append(Finding(kind, said, event=words, cost=math.inf, **site))
    return found, notes


def by_chance(
    findings: Sequence[Finding], draws: Draws, by_call: Mapping[int, float]
) -> tuple[list[Finding], list[str]]:
    """Return findings on costs as notes where coins were tossed that cost nothing themselves.

    A subsample makes what is done with it cheaper, and by how much does not show in two runs.
    """
    coins = [one for one, _ in draws.matched if is_coin(one) and not by_call.get(one.number)]
    if not coins:
        return [*findings], []
    names = ", ".join(dict.fromkeys(f"{one.name} at {one.site.words()}" for one in coins))
    return [], [
        f"{one.words}; but coins were tossed ({names}), and a subsample, or a coin, may make it "
        "cheaper than it looks in one run"
        for one in findings
    ]


def of_derived(moved: Sequence[int], first: Tape, second: Tape) -> tuple[list[Finding], list[str]]:
    """Return what is to be said of derived numbers that data were added to.

    moved: their variables. Where what a number was derived of is noise alone, it is noise made by
    hand; else data were added to a noisy value after it was made.
    """
    found, notes = list[Finding](), list[str]()
    wanted = set(moved)
    made = [step for step in first.every_step() if step.kind == DERIVED]
    for step in made:
        if wanted.isdisjoint(step.form.variables.tolist()):
            continue
        there = second.steps.get((step.site, DERIVED), ())
        other = there[step.count] if step.count < len(there) else None
        data = other is not None and any(
            a.shape != b.shape or not np.array_equal(a.base, b.base, equal_nan=True)
            for a, b in zip(step.parents, other.parents, strict=False)
        )
        where = step.site.words()
        if data:
            words = f"{where}: data are added, without noise of their own, to a noisy value that "
            words += "was computed here"
            found.append(
                Finding(
                    *(FindingKind.OUTPUT, words),
                    event="where the output lies",
                    cost=math.inf,
                    **place(step.site),
                )
            )
        else:
            notes.append(
                f"{where}: this noise is computed by hand, so that its scale and what it costs are "
                "not known; noise(scale=…) marks a function that adds it"
            )
    return found, notes


def unjudged(draws: Draws, seen: Seen, judged: set[int], moved: set[int]) -> dict[int, str]:
    """Return of each call whose cost is not known, by its number, why.

    judged: noise variables that were released or compared; moved: those that have to hide a move.
    """
    notes = dict[int, str]()
    for one, _ in draws.matched:
        where = f"{one.site.words()}: {one.name}"
        if one.first < 0:
            known = draws.charged.get(one.number)
            if known is not None and known.epsilon is None and known.rho is None:
                notes[one.number] = f"{where}: what it costs is not known {known.words}".rstrip()
            continue
        here = set(range(one.first, one.first + int(np.size(one.value))))
        # Of an array that is followed to all of the output, the rest was left out.
        left_out = seen.followed and not here.isdisjoint(judged)
        if one.family == "other" or (one.family == "uniform" and not moved.isdisjoint(here)):
            why = f"{where}: the cost of such noise is not known; noise(scale=…) marks it"
            notes[one.number] = why
        elif one.family != "uniform" and not (left_out or here <= judged):
            lost = "is not followed to an output"
            if one.family == "gaussian":
                lost = "is compared alone or not followed to an output"
            notes[one.number] = f"{where}: its noise {lost}, so that its cost is not known"
    return notes
