"""Spearman's ρ: one record moves it by at most 6/(m + 1), a fifth of the printed 30/m."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations
from operator import attrgetter

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Source
from provado.mechanisms.scores.spearman import spearman_sensitivity
from provado.proofs.kernel import Checked
from tests.proofs.sensitivity.sharp_bounds.exact_scores import (
    Data,
    spearman_exact,
    spearman_exact_absolute,
)
from tests.proofs.sensitivity.sharp_bounds.finding import (
    SensitivityFinding,
    WorstPair,
    recounted,
    worst_of,
)
from tests.proofs.sensitivity.sharp_bounds.polynomial import (
    combine,
    nonnegative_from,
    ratio_at_most,
    variable,
)

SMALL = 4
"""Up to here the absolute value keeps the change below 6/(m + 1); the exact value is enumerated."""

_SOURCE = Source("Kusner et al., Private Causal Inference (2016)", "section 3.3 and Theorem 1")
_SCOPE = "ranks 1 … m in both columns: no ties, or ties ranked by position"
_REPLACE = (
    "Ranks are two permutations, so Σd² = 2·Σi² − 2·S with S = Σ r·s, r and s the two ranks, and ρ "
    "moves by 12/(m(m² − 1)) times the change of S.",
    "Take record k out: n = m − 1 records with ranks (i, σ_i) stay. With k at ranks (p, q), "
    "S = Σ i·σ_i + Σ_{σ_i ≥ q} i + Σ_{i ≥ p} σ_i + #{i ≥ p, σ_i ≥ q} + p·q.",
    "Reversing one column turns S into a constant less S, reversing both leaves it; so S(p, q) − "
    "S(p′, q′) with α = p′ − p ≥ 0 and β = q′ − q ≥ 0 stands for all cases.",
    "The first sum loses β of the numbers 1 … n, at most β(2n − β + 1)/2; the second at most "
    "α(2n − α + 1)/2; the count at most min(n, s), s = α + β; and p′q′ − pq ≥ s + αβ.",
    "So S falls by at most s·n − s²/2 + s/2 + min(n, s) − s, which is at most n(n + 1)/2 both for "
    "s = n − t and for s = n + t (decided by the kernel).",
    "12·(m(m − 1)/2)/(m(m² − 1)) = 6/(m + 1). Equality: a record with the lowest b, moved from the "
    "lowest to the highest a, wherever the others lie.",
)
_ADD = (
    "Write n = m − 1 for the smaller size, E for its Σd², d_i = i − σ_i, and (p, q) for the ranks "
    "of the new record, p ≤ q (else swap the columns); e_i = [i ≥ p] − [σ_i ≥ q] is how d_i moves.",
    "The larger Σd² is E + 2·Σ d·e + Σ e² + w² with w = q − p; and Σ e = w, as u entries are 1 and "
    "v are −1, u − v = w.",
    "Σ d = 0, so 2·Σ d·e = 2·Σ d·(e − w/n) ≤ c·E + (Σ e² − w²/n)/c for every c > 0; "
    "take c = 3/(n − 1), for which (1 + c)/(m(m² − 1)) = 1/(n(n² − 1)): E drops out of ρ's change.",
    "What is left is at most (n − w²/n)(n − 1)/3 + n + w² as Σ e² ≤ n, and that is at most n(n + "
    "1) "
    "for 0 ≤ w ≤ n (decided by the kernel, times 3n).",
    "So ρ falls by at most 6·n(n + 1)/(m(m² − 1)) = 6/(m + 1); reversing a column turns a rise "
    "into "
    "a fall. Equality: perfect agreement, and a new record with the lowest a and the highest b.",
)
_ABSOLUTE = (
    "Absolute values move no more than what is inside; from m = 5 on ρ falls from 1 to "
    "(m − 5)/(m + 1) ≥ 0, so that nothing is lost. For smaller m all rank patterns are tried.",
)

_ORDER = (
    "The theorem is stated for replacing a record. Ranks of ties by position depend on the order "
    "of the rows, so the rows that stay must keep theirs."
)

_MID = (
    "For ties with mid-ranks nothing larger was found over all data of few levels; not proved. The "
    "printed proof's bound on d_k is false, and its sum is (m − 1)(5m − 9), not (m − 1)(5m − 3)."
)


def sharp_bound(m: int) -> Fraction:
    """Return 6/(m + 1)."""
    return Fraction(6, m + 1)


def replace_one_certificates() -> tuple[Checked, ...]:
    """Return the findings behind the bound for replace-one; variables s and t ≥ 0."""
    s, t = variable(0, 2), variable(1, 2)
    below = combine((1, [s]), (1, [t]))  # n, for s = n − t
    half = Fraction(1, 2)
    first = combine(
        (half, [below, below]),
        (half, [below]),
        (-1, [s, below]),
        (half, [s, s]),
        (-half, [s]),
    )
    n, u = s, combine((1, [s]), (1, [t]))  # s = n + t
    second = combine(
        (half, [n, n]),
        (half, [n]),
        (-1, [u, n]),
        (half, [u, u]),
        (half, [u]),
        (-1, [n]),
    )
    return nonnegative_from(first, (0, 0)), nonnegative_from(second, (0, 0)), printed_is_larger()


def add_or_remove_one_certificates() -> tuple[Checked, ...]:
    """Return the findings behind the bound for add-or-remove-one; n = w + t, w and t ≥ 0."""
    w, t = variable(0, 2), variable(1, 2)
    n = combine((1, [w]), (1, [t]))
    rest = combine((1, [n, n]), (-1, [w, w]))
    left = combine(
        (3, [n, n, n]),
        (3, [n, n]),
        (-1, [rest, n]),
        (1, [rest]),
        (-3, [n, n]),
        (-3, [n, w, w]),
    )
    return nonnegative_from(left, (0, 0)), printed_is_larger()


def printed_is_larger() -> Checked:
    """Return the finding that 30/m is at least 6/(m + 1) for all m ≥ 2."""
    return ratio_at_most(((6,), (1, 1)), ((30,), (0, 1)), 2)


def rank_patterns(m: int) -> list[tuple[Data, list[tuple[int, int]]]]:
    """Return all arrangements of m − 1 records, each with all places for one more record.

    Places lie between the records' even ranks: odd numbers from 1 to 2m − 1.
    """
    between = range(1, 2 * m, 2)
    places = [(a, b) for a in between for b in between]
    return [
        (tuple((2 * i, 2 * s) for i, s in enumerate(order, 1)), places)
        for order in permutations(range(1, m))
    ]


@cache
def pairs_by_enumeration(
    m: int, score: Callable[[Data], Fraction], adds: bool
) -> tuple[WorstPair, ...]:
    """Return the worst pairs of each arrangement of the other records; for small m only."""
    worst: list[WorstPair] = []
    for others, places in rank_patterns(m):
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


def _finding(absolute: bool, adds: bool) -> SensitivityFinding:
    score = spearman_exact_absolute if absolute else spearman_exact
    family = _added if adds else _moved

    def worst(m: int) -> WorstPair:
        if absolute and m <= SMALL:
            return max(pairs_by_enumeration(m, score, adds), key=attrgetter("change"))
        return worst_of(*family(m), score)

    def certificates() -> tuple[Checked, ...]:
        small = range(3 if adds else 2, SMALL + 1) if absolute else ()
        tables = (
            recounted(pairs_by_enumeration(m, score, adds), f"the rank patterns of {m} records")
            for m in small
        )
        proved = add_or_remove_one_certificates() if adds else replace_one_certificates()
        return (*proved, *tables)

    def upper(m: int) -> Fraction:
        return worst(m).change if absolute and m <= SMALL else sharp_bound(m)

    return SensitivityFinding(
        score="|Spearman's ρ|" if absolute else "Spearman's ρ",
        relation=AddOrRemoveOne() if adds else ReplaceOne(),
        scope=_SCOPE,
        source=_SOURCE,
        printed=spearman_sensitivity,
        printed_words="30/m",
        upper=upper,
        upper_words="6/(m + 1)" + (" (less for m ≤ 4, by enumeration)" if absolute else ""),
        steps=(_ADD if adds else _REPLACE) + (_ABSOLUTE if absolute else ()),
        certificates=certificates,
        worst=worst,
        smallest=3 if adds else 2,
        remark=_ORDER if adds else _MID,
    )


FINDINGS = tuple(_finding(absolute, adds) for absolute in (True, False) for adds in (False, True))
