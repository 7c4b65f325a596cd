"""What the four log-IQRs of Kusner et al. (2016), section 4.3, cost together: printed, repaired."""

from provado.mechanisms.accounting.composition import (
    EPSILONS_PER_RELEASE,
    IQR_RELEASES,
    IQR_RELEASES_PRINTED,
    advanced_share,
    basic_composition,
    corollary_share_printed,
)
from provado.mechanisms.definitions import ApproximateDP
from provado.mechanisms.definitions.parameters import positive
from provado.mechanisms.definitions.promise import check_delta


def iqr_composition(epsilon: float, delta: float) -> ApproximateDP:
    """Return (12ε, 4δ): what the four log-IQRs promise about one data point (x′ₖ, y′ₖ).

    epsilon: ε of the Laplace noise Lap(1/ε) in each test and release.
    delta: δ of each release.

    Holds if each release is (3ε, δ)-DP. Source: repairs section 4.3 of Kusner et al. (2016); see
    this module's docstring. Raises ``UsageError`` unless ε > 0, 0 ≤ δ and 4δ < 1.
    """
    return _compose(epsilon, delta, IQR_RELEASES)


def iqr_composition_printed(epsilon: float, delta: float) -> ApproximateDP:
    """Return (9ε, 3δ), as printed in section 4.3 for "both x′ and y′".

    Parameters, errors and source as of ``iqr_composition``, which says what four releases cost.
    """
    return _compose(epsilon, delta, IQR_RELEASES_PRINTED)


def iqr_share(epsilon_prime: float, delta_prime: float) -> float:
    """Return the ε at which the four log-IQRs together are (ε′, 4δ + δ′)-DP.

    epsilon_prime, delta_prime: ε′ > 0 and δ′ in (0, 1) of advanced composition.

    A third of ``advanced_share`` for 4 releases, as each is (3ε, δ)-DP. Raises ``UsageError`` for
    values out of range.
    """
    return advanced_share(epsilon_prime, delta_prime, IQR_RELEASES) / EPSILONS_PER_RELEASE


def iqr_share_printed(epsilon_prime: float, delta_prime: float) -> float:
    """Return ε from 3ε = ε′/(2√(6 ln(1/δ′))), as printed in section 4.3 for (ε′, 3δ + δ′).

    0 < ε′ < 1 and 0 < δ′ < 1. It composes three releases where one data point reaches four. Source:
    Kusner et al. (2016), section 4.3. Raises ``UsageError`` for values out of range.
    """
    share = corollary_share_printed(epsilon_prime, delta_prime, IQR_RELEASES_PRINTED)
    return share / EPSILONS_PER_RELEASE


def _compose(epsilon: float, delta: float, releases: int) -> ApproximateDP:
    loss = EPSILONS_PER_RELEASE * positive(epsilon, "epsilon")
    return basic_composition([ApproximateDP(loss, check_delta(delta))] * releases)
