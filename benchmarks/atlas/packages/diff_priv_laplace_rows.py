"""diff-priv-laplace-python: Laplace noise for statistics."""

from statistics import mean, median, pvariance

from atlas_row import Rows, by_scales, counted
from diffpriv_laplace import DiffPrivLaplaceMechanism
from diffpriv_laplace.anonymizer.max import DiffPrivMaxAnonymizer
from diffpriv_laplace.anonymizer.mean import DiffPrivMeanAnonymizer
from diffpriv_laplace.anonymizer.median import DiffPrivMedianAnonymizer
from diffpriv_laplace.anonymizer.variance import DiffPrivVarianceAnonymizer

PACKAGE = {
    "name": "diff-priv-laplace-python",
    "version": "1.0.5",
    "what": "Laplace noise for statistics",
}

rows = Rows(PACKAGE, "replace-one: values of one length that differ in one")
CLAIM = "Python library for Laplace differential privacy"
HALVES = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
WIDE = [[0.0, 0.0, 10.0], [0.0, 10.0, 10.0]]
LARGEST = [[0.0, 0.0, 10.0], [0.0, 0.0, 0.0]]


def count(data):
    return float(DiffPrivLaplaceMechanism.create_count_anonymizer(1.0).apply(data))


rows.noise("`create_count_anonymizer`", count, claim=CLAIM, place="summary")


def statistic(key, name, made, of, pair, check=None):
    """Declare noise of a class on a statistic of the values."""

    def release(data):
        return round(float(made.apply(of(data))), 6)

    release.__name__ = key
    rows.row(
        name,
        epsilon=1.0,
        pairs=[pair],
        claim=CLAIM,
        place="summary",
        check=check and (lambda: counted(release, pair, check, 20_000)),
        exact=None if check else by_scales(release, pair),
    )(release)


statistic("mean", "the mean", DiffPrivMeanAnonymizer(1.0, 0, 1, 4), mean, HALVES)
statistic("variance", "the variance", DiffPrivVarianceAnonymizer(1.0, 0, 1, 4), pvariance, HALVES)
statistic(
    "median", "the median", DiffPrivMedianAnonymizer(1.0), median, WIDE, lambda one: one < 5.0
)
statistic("largest", "the maximum", DiffPrivMaxAnonymizer(1.0), max, LARGEST, lambda one: one > 5.0)
