"""A linear model without intercept of records whose feature reaches from 0 to 100."""

import inspect
import warnings
from unittest import mock

import numpy as np
from diffprivlib.models import LinearRegression, linear_regression

warnings.simplefilter("ignore")

EPSILON = 1.0
OBJECTIVE = "_construct_regression_obj"
WRONG = "np.abs([bounds_X[0][i], bounds_X[0][i]])"


def claim(_):
    return EPSILON, 0.0


def release(data):
    x, y = np.array(data, dtype=float).T
    model = LinearRegression(
        epsilon=EPSILON, bounds_X=(0, 100), bounds_y=(0, 1), fit_intercept=False
    )
    # Low-order bits, another flaw of this version, are left off.
    return np.round(np.clip(model.fit(x[:, None], y).coef_, -1e6, 1e6), 6)


def with_fix():
    """Return the function that builds the objective, with the fix proposed for one index."""
    text = inspect.getsource(getattr(linear_regression, OBJECTIVE))
    assert WRONG in text
    names = dict(vars(linear_regression))
    exec(text.replace(WRONG, WRONG.replace("X[0][i]]", "X[1][i]]")), names)
    return names[OBJECTIVE]


FIXED = with_fix()


def release_with_fix(data):
    with mock.patch.object(linear_regression, OBJECTIVE, FIXED):
        return release(data)
