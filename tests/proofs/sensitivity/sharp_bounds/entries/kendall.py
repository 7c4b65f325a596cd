"""Kendall's τ: the printed 4/m is sharp, for both relations and any rule in [−1, 1] a pair."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from operator import attrgetter

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Source
from provado.mechanisms.scores.kendall import kendall_sensitivity
from provado.proofs.kernel import Checked
from tests.proofs.sensitivity.sharp_bounds.exact_scores import (
    Data,
    tau_a_exact,
    tau_a_exact_absolute,
    tau_printed_exact,
    tau_printed_exact_absolute,
)
from tests.proofs.sensitivity.sharp_bounds.finding import (
    SensitivityFinding,
    WorstPair,
    recounted,
    worst_of,
)
from tests.proofs.sensitivity.sharp_bounds.polynomial import (
    minus,
    nonnegative,
    ratio_at_most,
    times,
)

SMALL = 3
"""Up to here the absolute value may move less than 4/m; the exact value is enumerated."""

_SOURCE = Source("Kusner et al., Private Causal Inference (2016)", "section 3.3 and Theorem 1")
_REPLACE = (
    "Each pair of records counts a number in [−1, 1], and τ is their sum over m(m − 1)/2.",
    "Only the m − 1 pairs of the replaced record change, each by at most 2.",
    "2(m − 1)/(m(m − 1)/2) = 4/m (the kernel compares the two). Equality: a record above all "
    "others in both columns moves below all in one.",
)
_ADD = (
    "Write n = m − 1 for the smaller size and X in [−n, n] for what the pairs of the new record "
    "add.",
    "τ_m = τ_n·(n − 1)/(n + 1) + 2X/(m(m − 1)), so that τ moves by −2τ_n/m + 2X/(m(m − 1)), and "
    "both are at most 2/m in size (the kernel adds them up).",
    "Equality: perfect agreement, and a new record that disagrees with all.",
)
_ABSOLUTE = (
    "Absolute values move no more than what is inside; from m = 4 on τ falls from 1 to "
    "1 − 4/m ≥ 0, so that nothing is lost. For smaller m all rank patterns, ties among them, are "
    "tried.",
)


def sharp_bound(m: int) -> Fraction:
    """Return 4/m."""
    return Fraction(4, m)


def replace_one_certificate() -> Checked:
    """Return the finding that 2(m − 1) over m(m − 1)/2 is at most 4/m, for m ≥ 2."""
    pairs = (0, Fraction(-1, 2), Fraction(1, 2))
    return ratio_at_most(((-2, 2), pairs), ((4,), (0, 1)), 2, tried_to=3)


def add_or_remove_one_certificate() -> Checked:
    """Return the finding that 4/m − 2/m − 2(m − 1)/(m(m − 1)) ≥ 0, for m ≥ 2."""
    over = times((0, 1), (-1, 1))
    return nonnegative(minus((-2, 2), (-2, 2)), 2, over=over, tried_to=3)


@cache
def pairs_by_enumeration(
    m: int, score: Callable[[Data], Fraction], adds: bool
) -> tuple[WorstPair, ...]:
    """Return the worst pairs of each set of other records, ties included; for small m only.

    The m + 1 values that a column takes in D and D′ together are 0 … m in some order with ties.
    """
    levels = range(m + 1)
    places = [(a, b) for a in levels for b in levels]
    worst: list[WorstPair] = []
    for others in combinations_with_replacement(places, m - 1):
        values = {place: score((*others, place)) for place in places}
        # The first and the last: two places even where all values are equal.
        low, *_, high = sorted(places, key=values.__getitem__)
        if adds:
            worst += [worst_of(others, (*others, place), score) for place in (low, high)]
        else:
            worst.append(worst_of((*others, low), (*others, high), score))
    return tuple(worst)


def _moved(m: int) -> tuple[Data, Data]:
    rest = tuple((i, i) for i in range(2, m + 1))
    return ((1, 1), *rest), ((m + 1, 1), *rest)


def _added(m: int) -> tuple[Data, Data]:
    rest = tuple((i, i) for i in range(1, m))
    return rest, (*rest, (0, m))


def _finding(
    name: str, score: Callable[[Data], Fraction], absolute: bool, adds: bool
) -> SensitivityFinding:
    family = _added if adds else _moved
    small = range(3 if adds else 2, SMALL + 1) if absolute else range(0)

    def worst(m: int) -> WorstPair:
        if m in small:
            return max(pairs_by_enumeration(m, score, adds), key=attrgetter("change"))
        return worst_of(*family(m), score)

    def certificates() -> tuple[Checked, ...]:
        bound = add_or_remove_one_certificate() if adds else replace_one_certificate()
        scopes = {m: f"the rank patterns of {m} records, with ties" for m in small}
        return (bound, *(recounted(pairs_by_enumeration(m, score, adds), scopes[m]) for m in small))

    return SensitivityFinding(
        score=f"|{name}|" if absolute else name,
        relation=AddOrRemoveOne() if adds else ReplaceOne(),
        scope="any data, ties included",
        source=_SOURCE,
        printed=kendall_sensitivity,
        printed_words="4/m",
        upper=lambda m: worst(m).change if m in small else sharp_bound(m),
        upper_words="4/m" + (" (less for m ≤ 3, by enumeration)" if absolute else ""),
        steps=(_ADD if adds else _REPLACE) + (_ABSOLUTE if absolute else ()),
        certificates=certificates,
        worst=worst,
        smallest=3 if adds else 2,
        remark="" if adds else _PROOF,
    )


_PROOF = (
    "The printed proof counts m − 1 pairs for a and m − 1 more for b; they are the same m − 1 "
    "pairs, each of which moves C − D by up to 2."
)

FINDINGS = tuple(
    _finding(name, score, absolute, adds)
    for name, score, absolute in (
        ("Kendall's τ, printed ties", tau_printed_exact_absolute, True),
        ("Kendall's τ, printed ties", tau_printed_exact, False),
        ("Kendall's τ-a", tau_a_exact_absolute, True),
        ("Kendall's τ-a", tau_a_exact, False),
    )
    for adds in (False, True)
)
