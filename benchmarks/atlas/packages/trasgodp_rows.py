"""trasgodp: mechanisms of local differential privacy on columns of a table."""

import math

import numpy as np
from atlas_row import Rows, by_scales, counted, least_epsilon, response
from trasgodp import categorical, numerical

PACKAGE = {
    "name": "trasgodp",
    "version": "2.1.0",
    "what": "randomized response, exponential, Laplace and Gaussian mechanisms on columns",
}

rows = Rows(PACKAGE, "replace-one: columns of one length that differ in one record")
LOCAL = "The mechanisms are implemented for being used under a local approach, adding noise "
LOCAL += "directly to the raw data."
README = "README.md"
BINARY = [["yes", "no", "yes"], ["yes", "no", "no"]]
THREE = [["a", "b", "c", "a"], ["a", "b", "c", "b"]]


def exact_response(values):
    """Return ``exact`` for one record, whose value is kept with e/(e + k − 1)."""
    kept = math.e / (math.e + len(values) - 1)
    tables = [response(one, values, kept) for one in values[:2]]
    return lambda: (least_epsilon(*tables), "table of randomized response, by its formula")


@rows.row(
    "`dp_randomized_response_binary`",
    epsilon=1.0,
    pairs=[BINARY],
    claim=LOCAL,
    place=README,
    exact=exact_response(["yes", "no"]),
)
def binary(data):
    return list(categorical.dp_randomized_response_binary_array(data, 1.0))


@rows.row(
    "`dp_randomized_response_kary`",
    epsilon=1.0,
    pairs=[THREE],
    claim=LOCAL,
    place=README,
    exact=exact_response(["a", "b", "c"]),
)
def kary(data):
    return list(categorical.dp_randomized_response_kary_array(data, 1.0))


FOUR = [["a", "b", "c", "d"], ["a", "b", "c", "c"]]


def rare(data):
    return list(categorical.dp_randomized_response_kary_array(data, 1.0))


rows.row(
    "`dp_randomized_response_kary`, a category of one record",
    epsilon=1.0,
    pairs=[FOUR],
    claim=LOCAL,
    place=README,
    check=lambda: counted(rare, FOUR, lambda out: "d" in out),
)(rare)


def exponential_rare(data):
    return list(categorical.dp_exponential_array(data, 1.0))


rows.row(
    "`dp_exponential`, a category of one record",
    epsilon=1.0,
    pairs=[FOUR],
    claim=LOCAL,
    place=README,
    check=lambda: counted(exponential_rare, FOUR, lambda out: "d" in out),
)(exponential_rare)


@rows.row("`dp_exponential`", epsilon=1.0, pairs=[THREE], claim=LOCAL, place=README)
def exponential(data):
    return list(categorical.dp_exponential_array(data, 1.0))


@rows.row(
    "`dp_clip_laplace`",
    epsilon=1.0,
    pairs=[[[0.0, 1.0], [0.0, 0.0]]],
    claim=LOCAL,
    place=README,
    exact=lambda: by_scales(laplace, [[0.0, 1.0], [0.0, 0.0]])(),
)
def laplace(data):
    return np.round(numerical.dp_clip_laplace_array(data, 1.0, 0.0, 1.0), 6)


@rows.row(
    "`dp_clip_laplace`, whole numbers",
    epsilon=1.0,
    pairs=[[[0, 10], [0, 0]]],
    claim=LOCAL,
    place=README,
)
def laplace_whole(data):
    return numerical.dp_clip_laplace_array(data, 1.0, 0, 10)


@rows.row(
    "`dp_clip_gaussian`",
    epsilon=0.5,
    delta=0.01,
    pairs=[[[0.0, 1.0], [0.0, 0.0]]],
    claim=LOCAL,
    place=README,
    exact=lambda: by_scales(gaussian, [[0.0, 1.0], [0.0, 0.0]], "normal", 0.01)(),
)
def gaussian(data):
    return np.round(numerical.dp_clip_gaussian_array(data, 0.5, 0.0, 1.0, 0.01), 6)
