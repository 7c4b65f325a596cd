"""Scores that claim nothing that a release uses, as statements."""

from provado.mechanisms.definitions import Source
from provado.mechanisms.scores.hsic.hsic import hsic_median_heuristic
from provado.mechanisms.scores.kendall import _WORK, kendall_a, kendall_b, kendall_sensitivity
from provado.mechanisms.scores.score import DependenceScore
from provado.mechanisms.scores.variance_score import variance_score

HSIC_MEDIAN = DependenceScore(
    name="hsic/median-heuristic",
    of=hsic_median_heuristic,
    sensitivity=None,
    source=Source(_WORK, "equation (1)"),
    summary="HSIC with bandwidths taken from the data; no sensitivity is claimed.",
)


KENDALL_A = DependenceScore(
    name="kendall/a",
    of=kendall_a,
    sensitivity=kendall_sensitivity,
    source=Source(_WORK, "section 3.3 and Theorem 1, with τ-a of Kendall (1945)"),
    summary="Absolute value of Kendall's τ-a; a tied pair counts as neither.",
)


KENDALL_B = DependenceScore(
    name="kendall/b",
    of=kendall_b,
    sensitivity=None,
    source=Source("Kendall, The Treatment of Ties in Ranking Problems (1945)", "τ-b"),
    summary="Absolute value of Kendall's τ-b, corrected for ties; no sensitivity is claimed.",
)


VARIANCE = DependenceScore(
    name="variance",
    of=variance_score,
    sensitivity=None,
    source=Source("Kusner et al., Private Causal Inference (2016)", "section 3.3"),
    summary="Sum of the logarithms of the two variances; its sensitivity has no finite bound.",
)
