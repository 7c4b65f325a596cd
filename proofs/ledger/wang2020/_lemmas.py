"""Two lemmas that Theorem 1 and the accounting of Algorithm 2 rest on."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.ledger.wang2020._terms import grow, less, nonnegative, times, variables

SIEVE = (
    "Let b = Δ/ε′, and let each answer on the subset move by at most Δ between neighboring "
    "subsets. Shift the threshold's noise by +Δ for the outputs (⊥, …, ⊥, ⊤), and by +Δ too for "
    "(⊥, …, ⊥). The density of Lap(2b) loses at most the factor e^(−ε′/2), as |x + Δ| ≤ |x| + Δ. A "
    "⊥ only gets likelier: the threshold has moved by Δ, the answer by Δ at most. For ⊤ the "
    "distance grows by at most 2Δ, and the upper tail S of Lap(4b) loses at most the factor "
    "e^(−2Δ/(4b)) = e^(−ε′/2), because e^x·S(x) does not fall: for x ≥ 0 it is 1/2, and for x = −y "
    "< 0 it is e^(−y) − e^(−2y)/2, with derivative in x of e^(−y) − e^(−2y) ≥ 0 (kernel).",
    "So which query passes first, or that none does, is ε′-DP on the subset, for any number of "
    "queries, chosen one after the other.",
)
AMPLIFY = (
    "Replace record i of n. With probability q = m/n it is in the subset. Let p₁, p₁′ be the "
    "probabilities of an event given that it is, p₀ given that it is not, the same for both "
    "datasets. A subset with i turns into one without i by exchanging i for a uniform other "
    "record, so p₁ ≤ e^ε′·p₁′ and p₁ ≤ e^ε′·p₀. Then q·p₁ + (1 − q)·p₀ ≤ (1 + q(e^ε′ − 1))·"
    "(q·p₁′ + (1 − q)·p₀): with q = a/(a + r), e^ε′ = 1 + w, p₁′ = μ + u, p₀ = μ + v and "
    "p₁ = (1 + w)·μ − s, the difference times (a + r)² has no coefficient below 0 (kernel).",
    "With ε′ = ln((n/m)(e^(ε/2) − 1) + 1) the factor 1 + q(e^ε′ − 1) is e^(ε/2).",
)


def tail_keeps_up() -> kernel.Checked:
    """Return that e^(−y) − e^(−2y) ≥ 0 for y ≥ 0."""
    return nonnegative(grow(-1) - grow(-2), 0)


def amplification(*, loss_on_subset: int = 1) -> kernel.Checked:
    """Return that subsampling keeps a share q of e^ε′ − 1.

    loss_on_subset: 1; with 2 the event loses (1 + 2w) on the subset, and the kernel refuses.
    """
    a, r, w, mu, u, v, s = variables(7)
    n, kept, other = a + r, mu + u, mu + v
    lost = times(mu, tuple((loss_on_subset * c, p) for c, p in w)) + mu
    right = times(n + times(a, w), times(a, kept) + times(r, other))
    left = times(n, less(times(a, lost), times(a, s)) + times(r, other))
    return kernel.check(kernel.MultivariateSign(less(right, left), (0,) * 7))
