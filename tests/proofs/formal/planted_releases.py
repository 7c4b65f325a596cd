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

_SIEVE = (
    "forall (R : realFieldType) (T : eqType) (e : R -> R) (I : (R -> R) -> R) "
    "(eps eps' change threshold lowered : R) (queries : seq (seq T -> R)) (m : nat) (d : seq T) "
    "(i : nat) (v : T) (k : option nat), exponential e -> 0 < eps -> 0 < eps' -> 0 < change -> "
    "(0 < m <= size d)%N -> (i < size d)%N -> "
    "e eps' = (size d)%:R / m%:R * (e (eps / 2%:R) - 1) + 1 -> "
    "laplace_mean e (2%:R * change / eps') I -> (forall j n, n \\in [:: m; size d] -> "
    "moves_at_most change (nth (fun=> 0) queries j) n) -> "
    "sieve_and_examine e I (4%:R * change / eps') (2%:R * change / eps) threshold lowered queries "
    "m d k <= e eps * sieve_and_examine e I (4%:R * change / eps') (2%:R * change / eps) "
    "threshold lowered queries m (replace d i v) k"
)
_SIEVED = "move=> R T e I eps eps' change threshold lowered queries m d i v k"
_PROPOSE = (
    "forall (R : realFieldType) (V C : eqType) (e : R -> R) (domains : seq (seq V)) "
    "(value : seq V -> R) (first second : seq V -> C) (eps level delta : R) (i : nat) (d : seq V) "
    "(v : V) (none : bool) (from : R) (ivs : seq (R * R)), exponential e -> 0 < eps -> "
    "0 < delta < 1 -> e (eps * (level - 1)) = delta^-1 -> "
    "width_one domains value first second -> (i < size domains)%N -> d \\in datasets domains -> "
    "v \\in nth [::] domains i -> in_a_row from ivs -> "
    "propose_test_release e eps level domains value first second d none ivs <= e eps ^+ 2 * "
    "propose_test_release e eps level domains value first second (replace d i v) none ivs + delta"
)
_PROPOSED = "move=> R V C e domains value first second eps level delta i d v none from ivs"

STATEMENTS = (
    Weaker(
        "kusner2016/iqr-ptr-privacy",
        "numbers alone",
        _PROPOSE.replace("exponential e ->", "none = false -> exponential e ->"),
        f"by {_PROPOSED} _; exact: full.",
    ),
    Weaker(
        "kusner2016/iqr-ptr-privacy",
        "one interval in place of two",
        _PROPOSE.replace("exponential e ->", "first = second -> exponential e ->"),
        f"by {_PROPOSED} _; exact: full.",
    ),
    Weaker(
        "kusner2016/iqr-ptr-privacy",
        "a larger δ",
        _PROPOSE.replace("none ivs + delta", "none ivs + 2%:R * delta"),
        f"{_PROPOSED} ex eps0 d1 levelE width lt_i dd vi row; "
        "apply: le_trans (full none ex eps0 d1 levelE width lt_i dd vi row) _; "
        "by case/andP: d1 => d0 _; rewrite ler_add2l mulr_natl mulr2n ler_addl ltW.",
    ),
    Weaker(
        "wang2020/thm1-algorithm1",
        "no subsampling",
        _SIEVE.replace("(i < size d)%N", "m = size d -> (i < size d)%N"),
        f"{_SIEVED} ex eps0 eps'0 change0 m_d _; exact: full.",
    ),
    Weaker(
        "wang2020/thm1-algorithm1",
        "one query",
        _SIEVE.replace("exponential e ->", "size queries = 1%N -> exponential e ->"),
        f"{_SIEVED} _; exact: full.",
    ),
    Weaker(
        "wang2020/thm1-algorithm1",
        "an output of a query alone",
        _SIEVE.replace("exponential e ->", "k <> None -> exponential e ->"),
        f"{_SIEVED} _; exact: full.",
    ),
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
        "(v == f d)%:R * passed",
        "(v != f d)%:R * passed",
        "another value is released",
        "stable releases",
    ),
    Changed("definitions.release", "forall x, 0 < e x", "forall x, e x < 0", "no exponential"),
    Changed(
        "definitions.sieve",
        "value * (laplace_tail e b x - laplace_tail e b y)",
        "value * (laplace_tail e b x)",
        "cells without an end",
        "sieves",
    ),
    Changed("definitions.sieve", "++ choose m rest", "++ [::]", "the first records only", "sieves"),
    Changed(
        "definitions.sieve", "(take k answers) *", "answers *", "its own answer is missed", "sieves"
    ),
    Changed(
        "definitions.sieve",
        "sieve_on_subset d (Some k) * examined d k\n",
        "sieve_on_subset d (Some k)\n",
        "no examination",
        "sieves",
    ),
    Changed(
        "definitions.sieve",
        "(threshold - lowered + z)",
        "(threshold + z)",
        "a threshold that is not lowered",
        "sieves",
    ),
    Changed("definitions.sieve", "value <= h z &", "h z <= value &", "steps above the function"),
    Changed(
        "definitions.sieve",
        "step_mass x cells <= v) -> I h <= v)",
        "step_mass x cells <= v) -> v <= I h)",
        "no least number",
    ),
    Changed(
        "definitions.propose",
        "interval d' != interval d",
        "interval d' == interval d",
        "the distance to the same interval",
        "proposals",
    ),
    Changed("definitions.propose", "none%:R * silent d", "silent d", "⊥ in all", "proposals"),
    Changed(
        "definitions.propose",
        "(iv.2 - value d)",
        "(iv.2 - value [::])",
        "noise around another number",
        "proposals",
    ),
    Changed("definitions.propose", "first d \\/ second", "first d /\\ second", "both intervals"),
)
