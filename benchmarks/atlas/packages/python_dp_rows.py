"""python-dp (PyDP): Google's algorithms for counts, sums, means, spreads and order statistics."""

from atlas_row import Rows, by_low_bits
from pydp.algorithms import laplacian

PACKAGE = {"name": "python-dp", "version": "1.1.5", "what": "Google's C++ library in Python"}

rows = Rows(PACKAGE, "add-or-remove-one")
CLAIM = "The library provides a set of ε-differentially private algorithms"
WITH, WITHOUT = [1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0]
BOUNDED = {"epsilon": 1.0, "lower_bound": 0.0, "upper_bound": 1.0, "dtype": "float"}


def algorithm(name, options, pairs):
    """Declare a class of ``laplacian``."""

    def release(data):
        return getattr(laplacian, name)(**options).quick_result(data)

    release.__name__ = name
    rows.row(
        f"`{name}`",
        epsilon=1.0,
        pairs=pairs,
        claim=CLAIM,
        place="README",
        check=by_low_bits(release, pairs[0]),
    )(release)


PAIRS = [[WITH, WITHOUT], [[0.0, 1.0], [0.0, 1.0, 0.0]]]
algorithm("Count", {"epsilon": 1.0, "dtype": "int"}, [[[1, 1, 1], [1, 1]]])
algorithm("BoundedSum", BOUNDED, PAIRS)
algorithm("BoundedMean", BOUNDED, PAIRS)
algorithm("BoundedVariance", BOUNDED, PAIRS)
algorithm("BoundedStandardDeviation", BOUNDED, PAIRS)
algorithm("Max", BOUNDED, PAIRS)
algorithm("Min", BOUNDED, PAIRS)
algorithm("Median", BOUNDED, PAIRS)
