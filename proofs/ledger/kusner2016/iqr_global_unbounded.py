"""Section 4.3: one record moves the IQR, and its logarithm, without bound."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin, show_claim

from . import source
from ._claims import Unbounded
from ._exact import interquartile_range, quartile_ranks

SIZES = (2, 3, 4, 5, 7, 16)
POWERS = (1, 10, 100)


def pair(m: int, power: int, base: int = 3) -> tuple[tuple[int, ...], tuple[int, ...]]:
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
    """The claim on the IQR, with the neighbors of ``pair``."""

    sizes = SIZES

    def values(self, m: int, power: int) -> tuple[Fraction, Fraction]:
        """Return the IQR of both neighbors."""
        d, d_prime = (interquartile_range(values) for values in pair(m, power, self.base))
        return d, d_prime


CLAIM = UnboundedIQR("IQR", 1, POWERS)


def _gather(claim: UnboundedIQR) -> Evidence:
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


ENTRY = Entry(
    id="kusner2016/iqr-global-unbounded",
    source=source("section 4.3"),
    printed="Unfortunately the IQR does not have a bounded global sensitivity, as there exist "
    "datasets for which the IQR can change by an unbounded amount.",
    words="Neither the IQR nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data; quartiles as order statistics.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("A move of 2j claimed where it is j·ln 3 = 1.1·j.", UnboundedIQR("IQR", 2, POWERS)),
    theorem_of=CLAIM,
)
