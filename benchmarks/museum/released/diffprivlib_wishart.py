"""A linear model of four records without intercept: its coefficient and its singular value."""

import warnings

import numpy as np
from diffprivlib.models import LinearRegression

warnings.simplefilter("ignore")

EPSILON = 1.0


def claim(_):
    return EPSILON, 0.0


def release(data):
    x, y = np.array(data, dtype=float).T
    model = LinearRegression(
        epsilon=EPSILON, bounds_X=(-1, 1), bounds_y=(-1, 1), fit_intercept=False
    )
    model.data_norm = 1.0
    model.fit(x[:, None], y)
    singular = getattr(model, "singular_", None)
    # Low-order bits, another flaw of these versions, are left off.
    released = [*model.coef_, *(singular if singular is not None else ())]
    return np.round(np.clip(released, -1e6, 1e6), 6)
