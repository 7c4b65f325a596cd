"""Planted changes of what is said of releases of stable values."""

from __future__ import annotations

from .planted_change import Changed, Weaker

_STABLE = (
    "forall (R : realFieldType) (V O : eqType) (e : R -> R) (domains : seq (seq V)) "
    "(f : seq V -> O) (eps level delta : R), exponential e -> 0 < eps -> 0 < delta < 1 -> "
    "e (eps * level) = delta^-1 -> "
)
_PRIVATE = "approximate (e eps) delta (stable_release domains f e eps level)"
_USEFUL = (
    "forall (beta : R) k d, 0 < beta -> (delta * beta)^-1 <= e (eps * k%:R) -> "
    "d \\in datasets domains -> stable domains f k d -> "
    "1 - beta <= chance (stable_release domains f e eps level) d (Some (f d))"
)
_START = "move=> R V O e domains f eps level delta ex eps0 d1 levelE; "

STATEMENTS = (
    Weaker(
        "kusner2016/thm6",
        "privacy alone",
        f"{_STABLE}{_PRIVATE}",
        f"by {_START}case: (full domains f ex eps0 d1 levelE).",
    ),
    Weaker(
        "kusner2016/thm6",
        "usefulness for one k only",
        f"{_STABLE}{_PRIVATE} /\\ {_USEFUL.replace('0 < beta ->', '0 < beta -> k = 1%N ->')}",
        f"{_START}case: (full domains f ex eps0 d1 levelE) => private useful; split=> //; "
        "by move=> beta k d b0 _; exact: useful.",
    ),
    Weaker(
        "kusner2016/thm6",
        "a function of one value",
        f"{_STABLE.replace('exponential e ->', '(forall d, f d = f [::]) -> exponential e ->')}"
        f"{_PRIVATE} /\\ {_USEFUL}",
        "by move=> R V O e domains f eps level delta _; exact: full.",
    ),
)
DEFINITIONS = (
    Changed(
        "definitions.release",
        "1 - e (x / b) / 2%:R else",
        "e (x / b) / 2%:R else",
        "a tail that falls to the left",
        "stable releases",
    ),
    Changed(
        "definitions.release",
        "foldr minn n rest",
        "foldr maxn n rest",
        "the farthest unstable dataset",
        "stable releases",
    ),
    Changed(
        "definitions.release",
        "(hamming d d' <= k)%N ==>",
        "(hamming d d' == k)%N ==>",
        "k substitutions, not fewer",
        "stable releases",
    ),
    Changed(
        "definitions.release",
        "(v == f d)%:R * passes",
        "(v != f d)%:R * passes",
        "another value is released",
        "stable releases",
    ),
    Changed("definitions.release", "forall x, 0 < e x", "forall x, e x < 0", "no exponential"),
)
