"""Section 3.2: the subset that adds the least noise to the sieve."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.wang2020._terms import X, grow, nonnegative, source

# With s = ε′ and c = e^(ε/2) − 1, n/m = (e^s − 1)/c: s falls as m grows.
_SLOPE = (X - 2) * grow(1) + 2
"""The sign of the derivative in s of √(e^s − 1)/s, the noise for Δ(m) = c/√m."""
_SLOPE_LINEAR = (X - 1) * grow(1) + 1
"""The same for (e^s − 1)/s, the noise for Δ(m) = c/m."""

_LOW, _HIGH = Fraction(15936, 10000), Fraction(15937, 10000)


def _unimodal(low: Fraction, high: Fraction) -> tuple[kernel.Checked, ...]:
    return (
        nonnegative(-_SLOPE, 0, low),
        nonnegative(_SLOPE, high, strict=True),
        nonnegative(_SLOPE.derivative(), 1),
    )


def _gather() -> Evidence:
    linear = nonnegative(_SLOPE_LINEAR, 0)
    return Evidence(
        printed=_unimodal(_LOW, _HIGH),
        correction="There is an explicit solution: ε′ = s* = 2 + W(−2e^(−2)) = 1.5936…, whatever "
        "ε, so m* = n(e^(ε/2) − 1)/(e^s* − 1), about n(e^(ε/2) − 1)/3.92.",
        kind="sharpening",
        argument=(
            "The formula is lost; Algorithm 2 scales Δ by n/m or by its root. The released code "
            "minimises √x/ln(x(e^(ε/2) − 1) + 1) over x = n/m, which is taken as the statement: "
            "with the root the optimum falls to 0 with ε, as the text says of it.",
            "Let s = ln(x(e^(ε/2) − 1) + 1) = ε′. The noise is √(e^s − 1)/s up to a factor, and "
            "its derivative has the sign of (s − 2)e^s + 2. That is ≤ 0 on [0, 1.5936], > 0 from "
            "1.5937 on, and rises from 1 on (kernel): one minimum, and no other stationary point.",
            "So the noise falls, then rises along m, and the best m of a range is the free optimum "
            "clipped to it; m* falls to 0 with ε. The function is not convex; a descent still ends "
            "in its one minimum.",
            "That there is no explicit solution is not so: (s − 2)e^(s − 2) = −2e^(−2) is "
            "Lambert's equation.",
            f"Read with n/m, the noise (e^s − 1)/s only rises with s, as {linear.statement}: the "
            "best subset is all of the data, m = n, for every ε, and there would be nothing to "
            "optimise.",
        ),
    )


def _twin() -> object:
    return _unimodal(Fraction(16), Fraction(17))


ENTRY = Entry(
    id="wang2020/subsample-size",
    source=source("section 3.2, Optimize sub-sampling rate"),
    printed="We can derive an optimal sub-sampling size which adds the smallest noise under the "
    "same privacy guarantee; this requires to minimize the noise level […/m …ln(n/m (exp(ϵ/2) − 1) "
    "+ 1)]; … no explicit solution …; when ϵ is small, the optimal size is also too small; we take "
    "it by clipping the solution to the range (n/20, n). [Formula and range are lost in part.]",
    words="The noise of the sieve has one optimal subset size, which falls with ε, and clipping it "
    "to a range gives the best size in the range.",
    scope="All ε > 0 and n; real m; Δ(m) = c/√m, so noise √(n/m)·Δ(n)/ε′.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The same, with the minimum claimed between 16 and 17.", _twin),
)
