"""eeprivacy: sums, means, histograms and quantiles of energy data."""

import numpy as np
from atlas_row import Rows, by_low_bits, by_scales, counted
from eeprivacy import mechanisms, operations

PACKAGE = {
    "name": "eeprivacy",
    "version": "0.0.5",
    "what": "clamped sums and means, histograms, quantiles",
    "requirements": ("setuptools<81",),
}

rows = Rows(PACKAGE, "replace-one: values of one length that differ in one")
VALUES = [[1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]]
BEYOND = [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 1000.0]]
UNIT = {"lower_bound": 0.0, "upper_bound": 1.0}
HERE = "eeprivacy/operations.py, docstring of "


def laplace(data):
    return mechanisms.LaplaceMechanism.execute(value=data, epsilon=1.0, sensitivity=1.0)


rows.row(
    "`LaplaceMechanism.execute`",
    epsilon=1.0,
    pairs=[[0.0, 1.0]],
    relation="two numbers whose distance is the sensitivity",
    claim="Run the Laplace Mechanism, adding noise to `value` to realize differential private at "
    "`epsilon` for the provided `sensitivity`.",
    place="eeprivacy/mechanisms.py, docstring of LaplaceMechanism.execute",
    check=by_low_bits(laplace, [0.0, 1.0]),
)(laplace)


@rows.row(
    "`GaussianMechanism.execute`",
    epsilon=0.5,
    delta=0.01,
    pairs=[[0.0, 1.0]],
    exact=lambda: by_scales(gaussian, [0.0, 1.0], "normal", 0.01)(),
    relation="two numbers whose distance is the sensitivity",
    claim="Run the Gaussian Mechanism, adding noise to `value` to realize differential private at "
    "(`epsilon`, `delta`) for the provided `sensitivity`.",
    place="eeprivacy/mechanisms.py, docstring of GaussianMechanism.execute",
)
def gaussian(data):
    noisy = mechanisms.GaussianMechanism.execute(
        value=data, epsilon=0.5, delta=0.01, sensitivity=1.0
    )
    return round(noisy, 6)


@rows.row(
    "`PrivateClampedSum`",
    epsilon=1.0,
    exact=lambda: by_scales(clamped_sum, VALUES)(),
    pairs=[VALUES, BEYOND],
    claim="Compute a sum, bounding sensitivity with clamping. Employs the Laplace Mechanism.",
    place=HERE + "PrivateClampedSum",
)
def clamped_sum(data):
    return round(operations.PrivateClampedSum(**UNIT).execute(values=data, epsilon=1.0), 6)


def clamped_mean(data):
    mean = operations.PrivateClampedMean(**UNIT).execute(values=data, epsilon=1.0)
    return round(float(mean), 6)


rows.row(
    "`PrivateClampedMean`",
    epsilon=1.0,
    pairs=[BEYOND],
    claim="Compute a mean, bounding sensitivity with clamping. Employs the Laplace Mechanism.",
    place=HERE + "PrivateClampedMean",
    check=lambda: counted(clamped_mean, BEYOND[::-1], lambda out: out == 1.0, 20_000),
)(clamped_mean)


@rows.row(
    "`PrivateClampedMean`, values within the bounds",
    epsilon=1.0,
    exact=lambda: by_scales(mean_within, VALUES)(),
    pairs=[VALUES],
    claim="Compute a mean, bounding sensitivity with clamping. Employs the Laplace Mechanism.",
    place=HERE + "PrivateClampedMean",
)
def mean_within(data):
    return clamped_mean(data)


VECTORS = [[[0.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 0.0]]]
SIZES = {"lower_bound": 0.0, "upper_bound": 1.0, "k": 2, "N": 2}


def laplace_vectors(data):
    made = operations.PrivateVectorClampedMeanLaplace(**SIZES)
    return np.round(made.execute(vectors=data, epsilon=1.0, delta=0.0), 6)


rows.row(
    "`PrivateVectorClampedMeanLaplace`",
    epsilon=1.0,
    pairs=[VECTORS],
    claim="With the Laplace Mechanism, noise is scaled to the L1 norm of the dataset.",
    place=HERE + "PrivateVectorClampedMeanLaplace",
    check=lambda: counted(
        laplace_vectors, VECTORS, lambda out: abs(out[0] - out[1]) < 1e-3, 20_000
    ),
)(laplace_vectors)


@rows.row(
    "`PrivateVectorClampedMeanGaussian`",
    epsilon=0.5,
    delta=0.01,
    pairs=[VECTORS],
    claim="With the Gaussian Mechanism, noise is scaled to the L2 norm of the dataset.",
    place=HERE + "PrivateVectorClampedMeanGaussian",
    exact=lambda: by_scales(gaussian_vectors, VECTORS, "normal", 0.01)(),
)
def gaussian_vectors(data):
    made = operations.PrivateVectorClampedMeanGaussian(**SIZES)
    return np.round(made.execute(vectors=data, epsilon=0.5, delta=0.01), 6)


BINNED = [[0.5, 1.5, 1.5], [0.5, 1.5]]


@rows.row(
    "`PrivateHistogram`",
    epsilon=1.0,
    pairs=[BINNED],
    exact=lambda: by_scales(histogram, BINNED)(),
    relation="add-or-remove-one",
    claim="Compute a private histogram with the Laplace Mechanism.",
    place=HERE + "PrivateHistogram",
)
def histogram(data):
    made = operations.PrivateHistogram(bins=[0.0, 1.0, 2.0])
    return np.round(made.execute(values=data, epsilon=1.0), 6)


OPTIONS = [0.5, 1.5, 2.5]


@rows.row(
    "`PrivateQuantile`",
    epsilon=1.0,
    pairs=[[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]], [[0.0, 1.0], [0.0, 1.0, 2.0]]],
    relation="add-or-remove-one",
    claim="Implemented using Report Noisy Max (Claim 3.9) of [Dwork and Roth].",
    place=HERE + "PrivateQuantile.execute",
)
def quantile(data):
    made = operations.PrivateQuantile(options=OPTIONS)
    return made.execute(values=np.array(data), epsilon=1.0, quantile=0.5)


rows.accountant(
    "`GaussianMechanism.scale`, ε = 8",
    epsilon=lambda: 8.0,
    delta=1e-5,
    mechanism={
        "kind": "gaussian",
        "sigma": float(
            mechanisms.GaussianMechanism.scale(sensitivity=1.0, epsilon=8.0, delta=1e-5)
        ),
    },
    claim="Run the Gaussian Mechanism, adding noise to `value` to realize differential private at "
    "(`epsilon`, `delta`) for the provided `sensitivity`.",
    place="eeprivacy/mechanisms.py, docstring of GaussianMechanism.execute",
)
