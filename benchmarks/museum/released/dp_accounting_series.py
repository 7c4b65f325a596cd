"""A thousand steps of a subsampled Gaussian mechanism, of which their sum is released."""

import numpy as np
from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
from dp_accounting.rdp import RdpAccountant

STEPS, RATE, SIGMA, DELTA = 1000, 0.5, 12.0, 1e-5


def claim(_):
    accountant = RdpAccountant(orders=[1.5 + order for order in range(128)])
    accountant.compose(PoissonSampledDpEvent(RATE, GaussianDpEvent(SIGMA)), STEPS)
    return max(accountant.get_epsilon(DELTA), 1e-3), DELTA


def release(data, size, rng):
    chosen = rng.binomial(STEPS, RATE, size) if data else np.zeros(size)
    # Whole numbers: low-order bits of doubles are no matter of the accountant's.
    return np.rint(chosen + SIGMA * np.sqrt(STEPS) * rng.standard_normal(size))
