"""PETINA: noise and encodings for lists, arrays and tensors."""

import math

import numpy as np
from atlas_row import Rows, bits, counted
from PETINA import DP_Mechanisms, Encoding_Pertubation

PACKAGE = {
    "name": "petina",
    "version": "0.0.19",
    "what": "noise and encodings for lists, arrays and tensors",
}

rows = Rows(PACKAGE, "replace-one: values of one length that differ in one")
CLAIM = "epsilon (float): Privacy parameter (default: "
HERE = "PETINA/DP_Mechanisms/core.py, docstring of "


def laplace(data):
    return float(DP_Mechanisms.applyDPLaplace([data], sensitivity=1, epsilon=1.0)[0])


def exponential(data):
    return float(DP_Mechanisms.applyDPExponential([data], sensitivity=1, epsilon=1.0)[0])


def gaussian(data):
    return float(DP_Mechanisms.applyDPGaussian([data], delta=0.01, epsilon=0.5)[0])


rows.noise(
    "`applyDPLaplace`",
    laplace,
    claim="Applies Laplace noise to the input data for differential privacy.",
    place=HERE + "applyDPLaplace",
)
rows.noise(
    "`applyDPExponential`",
    exponential,
    claim=CLAIM + "1.0).",
    place=HERE + "applyDPExponential",
)
rows.noise(
    "`applyDPGaussian`",
    gaussian,
    epsilon=0.5,
    delta=0.01,
    claim="Compute σ for (ε, δ)-Gaussian mechanism",
    place=HERE + "applyDPGaussian",
)
UNARY = "(p * (1 - q)) / ((1 - p) * q)"
SEVERAL = [["a", "b", "b"], ["a", "a", "b"]]
RARE = [["a", "b", "c"], ["a", "b", "b"]]


def unary(data):
    found = dict(Encoding_Pertubation.unaryEncoding(data, p=0.75, q=0.25))
    return [round(float(found.get(one, math.nan)), 6) for one in "abc"]


def unary_of_two(data):
    return unary(data)[:2]


def encoded(key, name, release, pair, check=None, exact=None):
    release.__name__ = key
    rows.row(
        name,
        epsilon=math.log(9),
        pairs=[pair],
        claim=UNARY,
        place="PETINA/Encoding_Pertubation/bit_perturbation_and_encoding.py, unary_epsilon",
        check=check and (lambda: counted(release, pair, check, 20_000)),
        exact=exact,
    )(release)


encoded(
    "unary_of_two",
    "`unaryEncoding`, p = 0.75, q = 0.25",
    unary_of_two,
    SEVERAL,
    exact=bits(0.75, 0.25),
)
encoded(
    "unary_rare",
    "`unaryEncoding`, a category of one record",
    unary,
    RARE,
    lambda out: not np.isnan(out[2]),
)


def histogram(data):
    return [round(float(one), 6) for one in Encoding_Pertubation.histogramEncoding(data)]


rows.row(
    "`histogramEncoding`",
    epsilon=0.1,
    pairs=[[[1.0, 2.0, 2.0], [1.0, 1.0, 2.0]]],
    claim="Histogram encoding with Laplace perturbation.",
    place="PETINA/Encoding_Pertubation/bit_perturbation_and_encoding.py, default of epsilon",
)(histogram)
