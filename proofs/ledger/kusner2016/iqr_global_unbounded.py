"""Section 4.3: one record moves the IQR, and its logarithm, without bound."""

from __future__ import annotations

from provado.proofs import kernel
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._quartiles import (
    Number,
    interquartile_range,
    quartile_ranks,
)
from provado.proofs.ledger.kusner2016._terms import source

SIZES = (2, 3, 4, 5, 7, 16)
POWERS = (1, 10, 100)


def pair(m: int, power: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return neighbors of m numbers with IQR 1 in D and 3^power in D′.

    D holds zeros up to the lower quartile, ones up to the upper one and 3^power beyond; D′ has
    3^power in place of the last 1.
    """
    p, q = quartile_ranks(m)
    far = 3**power
    return (
        (0,) * p + (1,) * (q - p) + (far,) * (m - q),
        (0,) * p + (1,) * (q - p - 1) + (far,) * (m - q + 1),
    )


def moves_by(m: int, power: int, at_least: Number) -> kernel.Checked:
    """Return that log IQR moves by ``at_least`` on the pair, and by no more than 2·power."""
    d, d_prime = (interquartile_range(values) for values in pair(m, power))
    ratio = kernel.Enclosure(((0, d_prime),), at_least, 2 * power, ((0, d),), logarithm=True)
    return kernel.check(ratio)


def unbounded_findings() -> tuple[kernel.Checked, ...]:
    """Return ln 3 ≥ 1 and the moves of log IQR on ``pair``, for all sizes and powers here."""
    return (
        kernel.check(kernel.Enclosure(((0, 3),), 1, 2, logarithm=True)),
        *(moves_by(m, power, power) for m in SIZES for power in POWERS),
    )


def _gather() -> Evidence:
    return Evidence(
        printed=unbounded_findings(),
        argument=(
            "Let p = ⌈m/4⌉ < q = ⌈3m/4⌉ be the quartiles' ranks. D holds p zeros, q − p ones and "
            "m − q times N = 3^j; D′ has N in place of one 1.",
            "The upper quartile is 1 in D and N in D′, the lower one is 0: IQR moves from 1 to "
            "N, and log IQR by j·ln 3 ≥ j, as ln 3 ≥ 1 (kernel). j is free: no bound holds, for no "
            "m ≥ 2.",
            "For six sizes and j = 1, 10, 100 both IQRs were computed and the logarithm of their "
            "ratio enclosed: it is at least j (kernel).",
            "Quartiles with interpolation lie between neighboring order statistics and move "
            "without bound likewise; an IQR of 0 has the logarithm −∞.",
        ),
    )


ENTRY = Entry(
    id="kusner2016/iqr-global-unbounded",
    source=source("section 4.3"),
    printed="Unfortunately the IQR does not have a bounded global sensitivity, as there exist "
    "datasets for which the IQR can change by an unbounded amount.",
    words="Neither the IQR nor its logarithm has a finite global sensitivity.",
    scope="All m ≥ 2, replace-one, unbounded data; quartiles as order statistics.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("A move of 2 claimed where it is ln 3 = 1.1.", lambda: moves_by(4, 1, 2)),
)
