"""JAX Privacy: what its accountants say of DP-SGD."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from jax_privacy.accounting import accountants, analysis

PACKAGE = {"name": "jax-privacy", "version": "2.0.0", "what": "DP-SGD for JAX"}

rows = Rows(PACKAGE)


def says(config):
    """Return functions that ask an accountant, one for each kind of mechanism."""

    def sampled(sigma, rate, steps):
        accountant = analysis.DpsgdTrainingAccountant(config())
        parameters = analysis.DpParams(
            noise_multipliers=sigma,
            num_samples=1000,
            delta=DELTA,
            batch_size=round(1000 * rate),
        )
        return float(accountant.compute_epsilon(steps, parameters))

    return {
        "sampled gaussian": sampled,
        "gaussian": lambda sigma, steps: sampled(sigma, 1.0, steps),
    }


for name in ("PldAccountantConfig", "RdpAccountantConfig"):
    declare(
        rows,
        f"`DpsgdTrainingAccountant({name}())`",
        says(getattr(accountants, name)),
        claim="Compute DP epsilon given the `dp_params`.",
        place="jax_privacy/accounting/analysis.py, docstring of compute_epsilon",
    )
