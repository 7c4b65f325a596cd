import numpy as np

from provado.mechanisms.accounting.composition import IQR_RELEASES, IQR_RELEASES_PRINTED
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
