"""diffpriv-pure: noise and helpers for sums, means and counts, of the standard library alone."""

import diffpriv_pure
from atlas_row import Rows, by_low_bits, counted

PACKAGE = {
    "name": "diffpriv-pure",
    "version": "0.1.0",
    "what": "Laplace, Gaussian and geometric noise, sums, means and counts",
}

rows = Rows(PACKAGE, "replace-one: values of one length that differ in one, within the bounds")
VALUES = [[1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]]
PLACE = "diffpriv_pure/__init__.py, docstring of "


def release_sum(data):
    return diffpriv_pure.private_sum(data, (0.0, 1.0), 1.0)


def release_mean(data):
    return diffpriv_pure.private_mean(data, (0.0, 1.0), 1.0)


def one_sided():
    """Count the output 3, which noise from 0 upward cannot make of 4."""
    return counted(lambda n: diffpriv_pure.private_count(n, 1.0), (3, 4), lambda out: out == 3)


rows.row(
    "`private_sum`",
    epsilon=1.0,
    pairs=[VALUES],
    claim="Clamp values to bounds, add Laplace (δ=0) or Gaussian (δ>0) noise.",
    place=PLACE + "private_sum",
    check=by_low_bits(release_sum, VALUES),
)(release_sum)
rows.row(
    "`private_mean`",
    epsilon=1.0,
    pairs=[VALUES],
    claim="Clamp, compute mean, add noise calibrated for sensitivity (hi-lo)/n.",
    place=PLACE + "private_mean",
    check=by_low_bits(release_mean, VALUES),
)(release_mean)


@rows.row(
    "`private_count`",
    epsilon=1.0,
    pairs=[[3, 4]],
    relation="counts that differ by one record",
    claim="Shifted geometric for pure ε-DP integer counts.",
    place=PLACE + "geometric_noise",
    check=one_sided,
)
def count(data):
    return diffpriv_pure.private_count(data, 1.0)


@rows.row(
    "`private_sum`, `delta=0.01`",
    epsilon=0.5,
    delta=0.01,
    pairs=[VALUES],
    claim="σ = Δf·√(2·ln(1.25/δ))/ε",
    place=PLACE + "gaussian_sigma",
)
def gaussian_sum(data):
    return round(diffpriv_pure.private_sum(data, (0.0, 1.0), 0.5, 0.01), 6)


rows.accountant(
    "`gaussian_sigma`, ε = 8",
    epsilon=lambda: 8.0,
    delta=1e-5,
    mechanism={"kind": "gaussian", "sigma": diffpriv_pure.gaussian_sigma(1.0, 8.0, 1e-5)},
    claim="σ = Δf·√(2·ln(1.25/δ))/ε  (Balle & Wang 2018).",
    place=PLACE + "gaussian_sigma, which sets no limit to ε",
)
rows.accountant(
    "`PrivacyBudget.advanced_composition`, 100 × ε = 0.1, δ = 1e-5",
    epsilon=lambda: diffpriv_pure.PrivacyBudget(10.0).advanced_composition(100, 0.1, 1e-5)[0],
    delta=1e-3,
    mechanism={"kind": "response", "epsilon": 0.1, "steps": 100},
    claim="Sequential (ε, δ) accountant with hard depletion.",
    place="diffpriv_pure/__init__.py, docstring of PrivacyBudget",
)
rows.accountant(
    "`PrivacyBudget.advanced_composition`, 10 × ε = 2, δ = 0.01",
    epsilon=lambda: diffpriv_pure.PrivacyBudget(100.0).advanced_composition(10, 2.0, 0.01)[0],
    delta=0.1,
    mechanism={"kind": "response", "epsilon": 2.0, "steps": 10},
    claim="Sequential (ε, δ) accountant with hard depletion.",
    place="diffpriv_pure/__init__.py, docstring of PrivacyBudget",
)
