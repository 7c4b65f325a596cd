"""Planted changes of what is said of scores: of theorems' statements, and of definitions."""

from __future__ import annotations

from .planted_change import Changed, Weaker

_PAIRS = "forall (R : realFieldType) (m : nat) (D D' : dataset (R * R) m)"
_RHO = "replace_one D D' -> `|spearman D - spearman D'|"
_HSIC = (
    "forall (R : realFieldType) (S T : Type) (m : nat) (k : S -> S -> R) (l : T -> T -> R) "
    "(D D' : dataset (S * T) m), (2 <= m)%N -> "
)
_MOVE = "`|hsic k l (first D) (second D) - hsic k l (first D') (second D')|"
_PRINTED = "(12%:R * m%:R - 11%:R) / (m%:R - 1) ^+ 2"
_COST = (
    "forall (R : realFieldType) (K : nat) (score p change : R) (permuted : 'I_K -> R), "
    "(1 <= K)%N -> "
)

_FULL_RHO = (
    "forall (R : realFieldType) (m : nat), (2 <= m)%N -> "
    "(forall D D' : dataset (R * R) m, replace_one D D' -> `|spearman D - spearman D'| <= "
    "30%:R / m%:R /\\ `|spearman D - spearman D'| <= 6%:R / (m%:R + 1)) /\\ "
    "((5 <= m)%N -> exists D D' : dataset (R * R) m, replace_one D D' /\\ "
    "`|spearman D - spearman D'| = 6%:R / (m%:R + 1))"
)
_QUERY = (
    "forall (R : realFieldType) (S T : Type) (m K r : nat) (k : S -> S -> R) (l : T -> T -> R) "
    "(psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m) "
    "(query := fun E => rank_margin r (hsic k l (first E) (second E)) "
    "(fun i => hsic_permuted k l (psi i) (first E) (second E))), (2 <= m)%N -> "
    "unit_kernel k -> unit_kernel l -> (forall s, k s s = 1) -> (forall t, l t t = 1) -> "
    "(forall i, injective (psi i)) -> (0 < r <= K)%N -> replace_one D D' -> "
    "`|query D - query D'| <= 16%:R / (m%:R - 1)"
)

STATEMENTS = (
    Weaker(
        "kusner2016/thm1-spearman",
        "the printed bound alone",
        f"{_PAIRS}, (2 <= m)%N -> {_RHO} <= 30%:R / m%:R",
        "by move=> R m D D' m2 nb; have [all _] := full R m2; case: (all D D' nb).",
    ),
    Weaker(
        "kusner2016/thm1-spearman",
        "a larger constant",
        _FULL_RHO.replace("30%:R", "31%:R"),
        "move=> R m m2; have [all sharp] := full R m2; split=> // D D' nb; "
        "case: (all D D' nb) => h h'; split=> //; apply: le_trans h _; "
        "by rewrite ler_wpmul2r ?invr_ge0 ?ler0n ?ler_nat.",
    ),
    Weaker(
        "kusner2016/thm1-spearman",
        "three records or more",
        _FULL_RHO.replace("(2 <= m)", "(3 <= m)"),
        "by move=> R m m3; apply: full; exact: ltnW.",
    ),
    Weaker(
        "kusner2016/thm1-spearman",
        "reached from six records on",
        _FULL_RHO.replace("(5 <= m)", "(6 <= m)"),
        "move=> R m m2; have [all sharp] := full R m2; split=> // m6; apply: sharp; exact: ltnW.",
    ),
    Weaker(
        "kusner2016/thm1-spearman",
        "a dataset and itself",
        _FULL_RHO.replace("m, replace_one D D' -> `|", "m, D = D' -> replace_one D D' -> `|"),
        "move=> R m m2; have [all sharp] := full R m2; split=> // D D' _; exact: all.",
    ),
    Weaker(
        "kusner2016/thm1-kendall",
        "the printed rule for ties alone",
        f"{_PAIRS}, (2 <= m)%N -> replace_one D D' -> `|kendall D - kendall D'| <= 4%:R / m%:R",
        "by move=> R m D D' m2 nb; have [all _] := full R m2; case: (all D D' nb).",
    ),
    Weaker(
        "kusner2016/thm3",
        "the printed bound alone",
        "forall (R : rcfType) (S T : Type) (m : nat) (k : S -> S -> R) (l : T -> T -> R) "
        "(D D' : dataset (S * T) m), (2 <= m)%N -> semidefinite k -> semidefinite l -> "
        "diagonal_bounded k -> diagonal_bounded l -> replace_one D D' -> "
        f"{_MOVE} <= (16%:R * m%:R - 8%:R) / (m%:R - 1) ^+ 2",
        "by move=> R S T m k l D D' m2 kp lp k1 l1 nb; case: (full m2 kp lp k1 l1 nb).",
    ),
    Weaker(
        "zhang2023/thm5",
        "the largest permuted score only",
        _QUERY.replace("(0 < r <= K)%N", "r = 1%N -> (0 < r <= K)%N"),
        "by move=> R S T m K r k l psi D D' query m2 k01 l01 k1 l1 inj _; exact: full.",
    ),
    Weaker(
        "zhang2023/thm5",
        "one permutation, the identity",
        _QUERY.replace("(forall i, injective (psi i))", "(forall i j, psi i j = j)"),
        "move=> R S T m K r k l psi D D' query m2 k01 l01 k1 l1 same; apply: full => // i a b; "
        "by rewrite !same.",
    ),
    Weaker(
        "zhang2023/thm1",
        "one kernel for both columns",
        "forall (R : realFieldType) (S : Type) (m : nat) (k : S -> S -> R) "
        "(D D' : dataset (S * S) m), (2 <= m)%N -> unit_kernel k -> replace_one D D' -> "
        "`|hsic k k (first D) (second D) - hsic k k (first D') (second D')| "
        f"<= {_PRINTED}",
        "by move=> R S m k D D' m2 k1; exact: full.",
    ),
    Weaker(
        "zhang2023/thm1",
        "a hypothesis more",
        f"{_HSIC}unit_kernel k -> unit_kernel l -> (forall s, k s s = 1) -> replace_one D D' -> "
        f"{_MOVE} <= {_PRINTED}",
        "by move=> R S T m k l D D' m2 k1 l1 _; exact: full.",
    ),
    Weaker(
        "zhang2023/thm1",
        "one side of the move",
        f"{_HSIC}unit_kernel k -> unit_kernel l -> replace_one D D' -> "
        f"hsic k l (first D) (second D) - hsic k l (first D') (second D') <= {_PRINTED}",
        "move=> R S T m k l D D' m2 k1 l1 nb; exact: le_trans (ler_norm _) (full m2 k1 l1 nb).",
    ),
    Weaker(
        "zhang2023/corollary1",
        "the cost alone",
        f"{_COST}((bound_program score (codom permuted) p change).2 <= 12 * K)%N",
        "by move=> R K score p change permuted K1; case: (full score p change permuted K1).",
    ),
    Weaker(
        "zhang2023/corollary1",
        "a larger count",
        f"{_COST}((bound_program score (codom permuted) p change).2 <= 13 * K)%N /\\ "
        "(bound_program score (codom permuted) p change).1 = Num.max "
        "(p - p_low score permuted change) (p_high score permuted change - p)",
        "move=> R K score p change permuted K1; "
        "case: (full score p change permuted K1) => cost ->; split=> //; "
        "by rewrite (leq_trans cost) // leq_mul2r orbT.",
    ),
    Weaker(
        "wang2020/thm3-conditional-kendall",
        "one stratum",
        "forall (R : realFieldType) (Z : finType) (m : nat) (D D' : dataset ((R * R) * Z) m), "
        "#|Z| = 1%N -> (7 * #|Z| < 2 * m)%N -> replace_one D D' -> "
        "`|conditional_tau D - conditional_tau D'| "
        "<= 12%:R / (2%:R * m%:R - 7%:R * #|Z|%:R)",
        "by move=> R Z m D D' _; exact: full.",
    ),
)

DEFINITIONS = (
    Changed(
        "definitions.kendall",
        "(m * m.-1)%:R / 2%:R",
        "(m * m)%:R / 2%:R",
        "more pairs than there are",
        "ranks",
    ),
    Changed(
        "definitions.kendall",
        "(r.1 < s.1) && (r.2 < s.2)",
        "(r.1 < s.1)",
        "one column alone",
        "ranks",
    ),
    Changed("definitions.kendall", "Num.sg (", "(", "sizes for signs", "ranks"),
    Changed(
        "definitions.spearman",
        "(x j == x i) && (j < i)%N",
        "(x j == x i) && (i < j)%N",
        "ties the other way round",
        "ranks",
    ),
    Changed("definitions.spearman", "1 - 6%:R * squared", "1 - 5%:R * squared", "5 for 6", "ranks"),
    Changed("definitions.conditional", "(4 * n + 10)%:R", "(4 * n + 9)%:R", "9 for 10", "strata"),
    Changed(
        "definitions.conditional",
        "((D i).2 == z) && ((D j).2 == z)",
        "((D i).2 == z)",
        "pairs across strata",
        "strata",
    ),
    Changed("definitions.hsic", "1%:M - const_mx m%:R^-1", "1%:M", "not centred", "criterion"),
    Changed("definitions.hsic", "/ m.-1%:R ^+ 2", "/ m%:R ^+ 2", "m for m - 1", "criterion"),
    Changed(
        "definitions.hsic",
        "hsic k l (fun i => x (psi i)) y",
        "hsic k l x y",
        "nothing is permuted",
        "criterion",
    ),
    Changed(
        "definitions.permutation", "(2%:R * change)", "change", "half the margin", "permutation"
    ),
    Changed(
        "definitions.counted", "(value, 1%N)", "(value, 0%N)", "operations for free", "permutation"
    ),
    Changed("definitions.dataset", "i != k -> D i = D' i", "D i = D' i", "no other neighbors"),
    Changed(
        "definitions.hsic", "0 <= k x x' <= 1", "0 <= k x x' <= 0", "no kernel but 0", "kernels"
    ),
    Changed(
        "definitions.hsic",
        "forall x, k x x <= 1",
        "forall x, k x x < 0",
        "no kernel at all",
        "kernels",
    ),
    Changed(
        "definitions.hsic",
        "(forall x y, k x y = k y x) /\\",
        "True /\\",
        "kernels that are not symmetric",
        "kernels",
    ),
    Changed("definitions.hsic", "a i * a j * k", "a i * a i * k", "squares of weights", "kernels"),
    Changed("definitions.hsic", "<= L * `|s - t|", "<= L", "a bound for a slope", "slopes"),
    Changed(
        "definitions.ridge",
        "forall v, objective f y w <= objective f y v",
        "forall v, objective f y w < objective f y v",
        "nothing minimises",
        "regressions",
    ),
    Changed("definitions.ridge", "lam / 2%:R", "lam", "twice the penalty", "regressions"),
    Changed("definitions.ridge", "/ n%:R.", ".", "a sum for a mean", "regressions"),
    Changed("definitions.ridge", "target - b w g", "b w g", "no residual", "regressions"),
    Changed(
        "definitions.inner",
        "0 <= form u u",
        "form u u = 0",
        "no inner product but 0",
        "inner products",
    ),
)
