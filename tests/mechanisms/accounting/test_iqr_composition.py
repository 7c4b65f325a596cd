import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.composition import (
    IQR_RELEASES,
    IQR_RELEASES_PRINTED,
    advanced_share,
    iqr_composition,
    iqr_composition_printed,
    iqr_share,
    iqr_share_printed,
)
from provado.mechanisms.cause_effect.additive_noise_model import fit_directions, residuals


def released_columns(x, y):
    """Return the four columns whose log-IQRs are released."""
    train = np.linspace(-1, 1, 9)
    left = residuals(fit_directions(train, train**2, lam=0.1), x, y)
    return left.x, left.y, left.r_x, left.r_y


def test_one_changed_data_point_reaches_four_releases_not_three():
    draw = np.random.default_rng(1)
    x, y = draw.uniform(-1, 1, 8), draw.uniform(-1, 1, 8)
    other_x, other_y = x.copy(), y.copy()
    other_x[3], other_y[3] = -0.9, 0.95
    reached = sum(
        not np.array_equal(a, b)
        for a, b in zip(released_columns(x, y), released_columns(other_x, other_y), strict=True)
    )
    assert reached == IQR_RELEASES
    # The printed count is that of one changed column.
    reached = sum(
        not np.array_equal(a, b)
        for a, b in zip(released_columns(x, y), released_columns(other_x, y), strict=True)
    )
    assert reached == IQR_RELEASES_PRINTED


def test_costs():
    total, printed = iqr_composition(0.1, 1e-6), iqr_composition_printed(0.1, 1e-6)
    assert (total.epsilon, total.delta_at_epsilon) == pytest.approx((1.2, 4e-6))
    assert (printed.epsilon, printed.delta_at_epsilon) == pytest.approx((0.9, 3e-6))


def test_shares():
    assert 3 * iqr_share_printed(0.5, 1e-5) == pytest.approx(
        0.5 / (2 * math.sqrt(6 * math.log(1e5)))
    )
    assert 3 * iqr_share(0.5, 1e-5) == pytest.approx(advanced_share(0.5, 1e-5, 4))
    assert iqr_share(0.5, 1e-5) < advanced_share(0.5, 1e-5, 3) / 3


def test_bad_values_are_refused():
    with pytest.raises(UsageError, match="epsilon is"):
        iqr_composition(0.0, 1e-6)
    with pytest.raises(UsageError, match="delta is"):
        iqr_composition(0.1, -1e-6)
    with pytest.raises(UsageError, match="must stay below 1"):
        iqr_composition(0.1, 0.25)
