"""HSIC with bandwidths from the data: one record moves it by .2, at any number of records."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms import ReplaceOne, Source
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity
from provado.proofs.kernel import ChangeCounterexample, Checked, KernelRefusal, Sum, check
from tests.proofs.sensitivity.sharp_bounds.exponential_scores import (
    hsic_sum,
    median_distance,
    squared_exponential,
)
from tests.proofs.sensitivity.sharp_bounds.finding import Dataset, UnboundedFinding

FAR = 20
"""Distance of the two clusters; within each, all but one record lie at one point."""

SIZES = (20, 60, 200, 600)


def score(data: Dataset) -> Sum:
    """Return HSIC with squared exponential kernels of the columns' median distances, exactly."""
    a, b = zip(*data, strict=True)
    return hsic_sum(
        data, squared_exponential(median_distance(a)), squared_exponential(median_distance(b))
    )


def clusters(first: int, second: int) -> Dataset:
    """Return two clusters of these sizes in perfect agreement, each with one record 1 aside."""
    values = (0,) * (first - 1) + (1,) + (FAR,) * (second - 1) + (FAR + 1,)
    return tuple((x, x) for x in values)


def turning_pair(m: int) -> tuple[Dataset, Dataset]:
    """Return the neighbors of m records at which the median of distances jumps to 1.

    A record moves from the smaller cluster to the larger; so many more pairs lie within a cluster
    that the median is no longer a distance between the clusters. Raises ``KernelRefusal`` if no
    sizes of the clusters do this.
    """
    for first in range(m // 2, m - 2):
        d = clusters(first, m - first)
        # The first record at FAR moves to 0.
        place = d.index((FAR, FAR))
        d_prime = (*d[:place], (0, 0), *d[place + 1 :])
        widths = [median_distance(tuple(x for x, _ in data)) for data in (d, d_prime)]
        if widths[0] > 1 and widths[1] == 1:
            return d, d_prime
    raise KernelRefusal("change", f"the median does not jump to 1 for {m} records")


def beyond(claimed: Fraction) -> Checked:
    """Return the kernel's refutation that the score moves by at most ``claimed``, below about .2.

    Raises ``KernelRefusal`` for larger claims.
    """
    for m in SIZES:
        try:
            return refute_at(m, claimed)
        except KernelRefusal:
            continue
    raise KernelRefusal("change", f"no pair of up to {SIZES[-1]} records moves by {claimed}")


def refute_at(m: int, claimed: Fraction) -> Checked:
    """Return the kernel's refutation with m records, or raise ``KernelRefusal``."""
    d, d_prime = turning_pair(m)
    values = score(d), score(d_prime)
    return check(ChangeCounterexample(d, d_prime, "replace-one", values, claimed), score)


def breaks_printed_bound(m: int = 200) -> Checked:
    """Return the kernel's refutation of (16m − 8)/(m − 1)² for this score."""
    return refute_at(m, hsic_sensitivity(m))


FINDINGS = (
    UnboundedFinding(
        score="HSIC, bandwidths by the median heuristic",
        relation=ReplaceOne(),
        scope="squared exponential kernels",
        source=Source("Kusner et al., Private Causal Inference (2016)", "equation (1)"),
        printed="(16m − 8)/(m − 1)², if Theorem 3 is read for kernels k_θ(a) as in equation (1)",
        beyond=beyond,
        steps=(
            "Two clusters 20 apart, nearly of one size, each with one record 1 aside of the rest.",
            "Under D the median distance is one between the clusters: they are nearly .6 alike, "
            "and the score is near .045.",
            "One record changes cluster, and the median is 1: the clusters are strangers, and the "
            "score is near 1/4. So it moves by .2, whatever m.",
        ),
        remark="A bandwidth must be fixed beforehand, or released under privacy itself.",
    ),
)
