"""Sections 3.3 and 4.3: one record moves the variance and the IQR without bound."""

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs.kernel import Number
from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin, show_claim

from . import source
from ._claims import Unbounded
from ._exact import interquartile_range, quartile_ranks

VARIANCE_SIZES = (2, 3, 10)
VARIANCE_POWERS = (1, 10, 100)


def variance(values: Sequence[Number]) -> Fraction:
    """Return the mean squared deviation from the mean; the divisor m − 1 gives the same ratios."""
    mean = Fraction(sum(values), len(values))
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / len(values)


def variance_pair(m: int, power: int, base: int = 3) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers: zeros and a 1 in D, zeros and base^power in D′."""
    zeros = (0,) * (m - 1)
    return (*zeros, 1), (*zeros, base**power)


class UnboundedVariance(Unbounded):
    """The claim on the variance, with the neighbors of ``variance_pair``."""

    sizes = VARIANCE_SIZES

    def values(self, m: int, power: int) -> tuple[Fraction, Fraction]:
        """Return the variance of both neighbors."""
        d, d_prime = (variance(values) for values in variance_pair(m, power, self.base))
        return d, d_prime


VARIANCE_UNBOUNDED_CLAIM = UnboundedVariance("V", 2, VARIANCE_POWERS)


def _gather_variance_unbounded(claim: UnboundedVariance) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let D hold m − 1 zeros and 1, D′ m − 1 zeros and N = 3^j; b is any column with "
            "V(b) > 0 that stays.",
            Step(
                "V(D′) = N²·V(D), as the variance is of degree 2, so the score moves by "
                "2j·ln 3 ≥ 2j, as ln 3 ≥ 1 (kernel).",
                claim.obligations()[:1],
            ),
            "j is free: no bound holds, for no m ≥ 2.",
            Step(
                "For m = 2, 3, 10 and j = 1, 10, 100 the logarithm of the two variances' ratio was "
                "enclosed: it is at least 2j (kernel).",
                claim.obligations()[1:],
            ),
        ),
    )


VARIANCE_UNBOUNDED = Entry(
    id="kusner2016/variance-unbounded",
    source=source("section 3.3, variance score"),
    printed="Changes to a single input value can induce arbitrarily large changes to this score "
    "[log V(a) + log V(b)].",
    words="Neither a column's variance nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data.",
    claim=VARIANCE_UNBOUNDED_CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather_variance_unbounded,
    twin=Twin(
        "A move of 3j claimed where it is 2j·ln 3 = 2.2·j.",
        UnboundedVariance("V", 3, VARIANCE_POWERS),
    ),
    theorem_of=VARIANCE_UNBOUNDED_CLAIM,
)


# Section 4.3: one record moves the IQR, and its logarithm, without bound.

IQR_SIZES = (2, 3, 4, 5, 7, 16)
IQR_POWERS = (1, 10, 100)


def iqr_pair(m: int, power: int, base: int = 3) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers with IQR 1 in D and base^power in D′.

    D holds zeros up to the lower quartile, ones up to the upper one and base^power beyond; D′ has
    base^power in place of the last 1.
    """
    p, q = quartile_ranks(m)
    far = base**power
    return (
        (0,) * p + (1,) * (q - p) + (far,) * (m - q),
        (0,) * p + (1,) * (q - p - 1) + (far,) * (m - q + 1),
    )


class UnboundedIQR(Unbounded):
    """The claim on the IQR, with the neighbors of ``iqr_pair``."""

    sizes = IQR_SIZES

    def values(self, m: int, power: int) -> tuple[Fraction, Fraction]:
        """Return the IQR of both neighbors."""
        d, d_prime = (interquartile_range(values) for values in iqr_pair(m, power, self.base))
        return d, d_prime


IQR_GLOBAL_UNBOUNDED_CLAIM = UnboundedIQR("IQR", 1, IQR_POWERS)


def _gather_iqr_global_unbounded(claim: UnboundedIQR) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let p = ⌈m/4⌉ < q = ⌈3m/4⌉ be the quartiles' ranks. D holds p zeros, q − p ones and "
            "m − q times N = 3^j; D′ has N in place of one 1.",
            Step(
                "The upper quartile is 1 in D and N in D′, the lower one is 0: IQR moves from 1 to "
                "N, and log IQR by j·ln 3 ≥ j, as ln 3 ≥ 1 (kernel).",
                claim.obligations()[:1],
            ),
            "j is free: no bound holds, for no m ≥ 2.",
            Step(
                "For six sizes and j = 1, 10, 100 both IQRs were computed and the logarithm of "
                "their ratio enclosed: it is at least j (kernel).",
                claim.obligations()[1:],
            ),
        ),
    )


IQR_GLOBAL_UNBOUNDED = Entry(
    id="kusner2016/iqr-global-unbounded",
    source=source("section 4.3"),
    printed="Unfortunately the IQR does not have a bounded global sensitivity, as there exist "
    "datasets for which the IQR can change by an unbounded amount.",
    words="Neither the IQR nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data; quartiles as order statistics.",
    claim=IQR_GLOBAL_UNBOUNDED_CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather_iqr_global_unbounded,
    twin=Twin(
        "A move of 2j claimed where it is j·ln 3 = 1.1·j.", UnboundedIQR("IQR", 2, IQR_POWERS)
    ),
    theorem_of=IQR_GLOBAL_UNBOUNDED_CLAIM,
)

ENTRIES = (VARIANCE_UNBOUNDED, IQR_GLOBAL_UNBOUNDED)
