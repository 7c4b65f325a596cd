"""The covariance of two columns, each from 0 to 1."""

import numpy as np
import pandas as pd
from snsynth.models.dp_covariance import DPcovariance

EPSILON = 1.0


def claim(_):
    return EPSILON, 0.0


def release(data):
    table = pd.DataFrame(data, columns=["a", "b"])
    model = DPcovariance(
        n=len(table), cols=["a", "b"], rng=[[0.0, 1.0], [0.0, 1.0]], global_eps=EPSILON
    )
    # Low-order bits, another flaw of these versions, are left off.
    return np.round(model.release(table), 6)
