"""diffprivlib: mechanisms, statistics and models."""

import itertools
import math
import warnings

import numpy as np
from atlas_row import Rows, by_low_bits, counted, discrete_laplace, least_epsilon
from diffprivlib import mechanisms, models, tools

PACKAGE = {
    "name": "diffprivlib",
    "version": "0.6.6",
    "what": "mechanisms, statistics and models",
    "requirements": ("scikit-learn==1.6.1",),
}

warnings.simplefilter("ignore")
rows = Rows(PACKAGE, "replace-one: two datasets of one size that differ in one record")

ON_NUMBERS = "two numbers whose distance is the stated sensitivity"
VALUES = [[0.0, 1.0]]
TWELVE = [1.0] * 6 + [0.0] * 6
SWAPPED = [1.0] * 7 + [0.0] * 5
BOUNDS = (0.0, 1.0)
LEAST = 1e-9  # Asked for where ε = 0 is promised, which implies it.


def noise_of(made, value):
    """Return the probabilities of the outputs of a mechanism on whole numbers or on texts."""
    kind = type(made).__name__
    if kind == "Binary":
        kept = math.exp(made.epsilon) / (math.exp(made.epsilon) + 1)
        return {one: kept if one == value else 1 - kept for one in (made.value0, made.value1)}
    if kind.startswith("Exponential"):
        table = {one: made._get_prob(value, one) for one in "abcd"}
        return {one: share / sum(table.values()) for one, share in table.items()}
    if kind == "GaussianDiscrete":
        table = {step: math.exp(-(step**2) / (2 * made._scale**2)) for step in range(-200, 201)}
        return {value + step: share / sum(table.values()) for step, share in table.items()}
    scale = -1 / made._scale
    if kind == "GeometricTruncated":
        return discrete_laplace(value, scale, made.lower, made.upper)
    found = {}
    for output, share in discrete_laplace(value, scale).items():
        kept = made._fold(output) if kind == "GeometricFolded" else output
        found[kept] = found.get(kept, 0.0) + share
    return found


def by_tables(made, pairs):
    """Return a function for ``exact`` from the tables of probabilities."""

    def exact():
        tables = [[noise_of(made, one) for one in pair] for pair in pairs]
        return max(least_epsilon(*two, made.delta) for two in tables), "tables of probabilities"

    return exact


def by_noise(release, pair):
    """Return a function for ``exact``: the sum of the losses of all noise that is drawn."""

    def recorded(data):
        calls, classes = [], [mechanisms.LaplaceTruncated, mechanisms.LaplaceBoundedDomain]
        classes += [mechanisms.GeometricTruncated, mechanisms.Geometric, mechanisms.Laplace]
        kept = [one.__dict__["randomise"] for one in classes]
        for one, method in zip(classes, kept):  # noqa: B905, Python 3.8

            def randomise(self, value, one=one, method=method):
                if type(self) is one:
                    calls.append((self, value))
                return method(self, value)

            one.randomise = randomise
        try:
            release(data)
        finally:
            for one, method in zip(classes, kept):  # noqa: B905, Python 3.8
                one.randomise = method
        return calls

    def loss(made, first, second):
        if isinstance(made, mechanisms.LaplaceBoundedDomain):
            inside = [
                1
                - math.exp((made.lower - one) / made._scale) / 2
                - math.exp((one - made.upper) / made._scale) / 2
                for one in (first, second)
            ]
            return abs(first - second) / made._scale + abs(math.log(inside[0] / inside[1]))
        return abs(first - second) * made.epsilon / made.sensitivity

    def exact():
        drawn = [recorded(np.array(data)) for data in pair]
        assert len(drawn[0]) == len(drawn[1]) > 0
        losses = [loss(made, x, y) for (made, x), (_, y) in zip(*drawn)]  # noqa: B905, Python 3.8
        told = f"{type(drawn[0][0][0]).__name__}, {len(losses)} drawn"
        return round(math.fsum(losses), 9), told

    return exact


def mechanism(name, made, pairs, *, claim, delta=0.0, floats=True, relation=ON_NUMBERS):
    """Declare ``made.randomise`` on the first and second number of each pair."""

    def release(data):
        return made.randomise(data)

    release.__name__ = name
    declare = rows.row(
        f"`mechanisms.{name}`",
        epsilon=made.epsilon or LEAST,
        delta=made.delta if delta is None else delta,
        pairs=pairs,
        relation=relation,
        claim=claim,
        place=f"diffprivlib.mechanisms.{name}, docstring",
        check=by_low_bits(release, pairs[0]) if floats else None,
        exact=None if floats else by_tables(made, pairs),
    )
    declare(release)


SAFE = (
    "Samples from the Laplace distribution are generated using 4 uniform variates, as detailed in "
    "[HB21]_, to prevent against reconstruction attacks due to limited floating point precision."
)
ONE = {"epsilon": 1.0, "sensitivity": 1.0}
WHOLE = {"epsilon": 1.0, "sensitivity": 1}
mechanism("Laplace", mechanisms.Laplace(**ONE), VALUES, claim=SAFE)
mechanism(
    "LaplaceTruncated",
    mechanisms.LaplaceTruncated(lower=0.0, upper=1.0, **ONE),
    VALUES,
    claim="The truncated Laplace mechanism, where values outside a pre-described domain are "
    "mapped to the closest point within the domain.",
)
mechanism(
    "LaplaceFolded",
    mechanisms.LaplaceFolded(lower=0.0, upper=1.0, **ONE),
    VALUES,
    claim="The folded Laplace mechanism, where values outside a pre-described domain are folded "
    "around the domain until they fall within.",
)
mechanism(
    "LaplaceBoundedDomain",
    mechanisms.LaplaceBoundedDomain(lower=0.0, upper=1.0, **ONE),
    VALUES,
    claim="The bounded Laplace mechanism on a bounded domain.",
)
mechanism(
    "LaplaceBoundedNoise",
    mechanisms.LaplaceBoundedNoise(epsilon=1.0, delta=0.1, sensitivity=1.0),
    VALUES,
    delta=None,
    claim="The Laplace mechanism with bounded noise, only applicable for approximate differential "
    "privacy (delta > 0)",
)
mechanism(
    "Gaussian",
    mechanisms.Gaussian(epsilon=1.0, delta=0.01, sensitivity=1.0),
    VALUES,
    delta=None,
    claim="Samples from the Gaussian distribution are generated using two samples from "
    "`random.normalvariate` as detailed in [HB21b]_, to prevent against reconstruction attacks due "
    "to limited floating point precision.",
)
mechanism(
    "GaussianAnalytic",
    mechanisms.GaussianAnalytic(epsilon=1.0, delta=0.01, sensitivity=1.0),
    VALUES,
    delta=None,
    claim="The analytic Gaussian mechanism in differential privacy.",
)
mechanism(
    "GaussianDiscrete",
    mechanisms.GaussianDiscrete(epsilon=1.0, delta=0.01, sensitivity=1),
    [[0, 1]],
    delta=None,
    floats=False,
    claim="The Discrete Gaussian mechanism in differential privacy. As proposed by Canonne, Kamath "
    "and Steinke, re-purposed for approximate",
)
mechanism(
    "Geometric",
    mechanisms.Geometric(**WHOLE),
    [[0, 1]],
    floats=False,
    claim="The classic geometric mechanism for differential privacy, as first proposed by Ghosh, "
    "Roughgarden and Sundararajan. Extended to allow for non-unity sensitivity.",
)
mechanism(
    "GeometricTruncated",
    mechanisms.GeometricTruncated(lower=0, upper=3, **WHOLE),
    [[0, 1], [1, 2]],
    floats=False,
    claim="The truncated geometric mechanism, where values that fall outside a pre-described range "
    "are mapped back to the closest point within the range.",
)
mechanism(
    "GeometricFolded",
    mechanisms.GeometricFolded(lower=0, upper=3, **WHOLE),
    [[0, 1], [1, 2]],
    floats=False,
    claim="The folded geometric mechanism, where values outside a pre-described range are folded "
    "back toward the domain around the closest point within the domain.",
)
mechanism(
    "Snapping",
    mechanisms.Snapping(lower=-50.0, upper=50.0, **ONE),
    VALUES,
    claim="It eliminates a vulnerability stemming from the representation of reals as "
    "floating-point numbers in implementations of the classic Laplace mechanism",
)
mechanism(
    "Staircase",
    mechanisms.Staircase(**ONE),
    VALUES,
    claim="The staircase mechanism is an optimisation of the classical Laplace Mechanism",
)
mechanism(
    "Uniform",
    mechanisms.Uniform(delta=0.25, sensitivity=1.0),
    VALUES,
    delta=None,
    claim="The Uniform mechanism in differential privacy. This emerges as a special case of the "
    ":class:`.LaplaceBoundedNoise` mechanism when epsilon = 0.",
)
mechanism(
    "Binary",
    mechanisms.Binary(epsilon=1.0, value0="no", value1="yes"),
    [["no", "yes"]],
    floats=False,
    relation="the answer of one person",
    claim="The classic binary mechanism in differential privacy. Given a binary input value, the "
    "mechanism randomly decides to flip to the other binary value or not, in order to satisfy "
    "differential privacy.",
)
CANDIDATES = ["a", "b", "c", "d"]
mechanism(
    "ExponentialCategorical",
    mechanisms.ExponentialCategorical(
        epsilon=1.0,
        utility_list=[[x, y, 1.0] for i, x in enumerate(CANDIDATES) for y in CANDIDATES[i + 1 :]],
    ),
    [["a", "b"], ["a", "d"]],
    floats=False,
    relation="the answer of one person",
    claim="The exponential mechanism for achieving differential privacy on categorical inputs, as "
    "first proposed by McSherry and Talwar.",
)
mechanism(
    "ExponentialHierarchical",
    mechanisms.ExponentialHierarchical(epsilon=1.0, hierarchy=[["a", "b"], ["c", "d"]]),
    [["a", "b"], ["a", "c"]],
    floats=False,
    relation="the answer of one person",
    claim="Adaptation of the exponential mechanism to hierarchical data. Simplifies the process of "
    "specifying utility values, as the values can be inferred from the hierarchy.",
)


MOVED_BY_ONE = [[[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]


def choices(utility, flipped=False, scale=0.5):
    """Return the probabilities of choices at ε = 1 and sensitivity 1, by their definition."""
    weights = [math.exp(scale * (one - max(utility))) for one in utility]
    if not flipped:
        return {place: one / sum(weights) for place, one in enumerate(weights)}
    orders = list(itertools.permutations(range(len(weights))))
    found = dict.fromkeys(range(len(weights)), 0.0)
    for order in orders:
        left = 1 / len(orders)
        for place in order:
            found[place] += left * weights[place]
            left *= 1 - weights[place]
    return found


def chooses(name, made, claim):
    """Declare the choice among candidates whose utilities are the data."""
    flipped = name == "PermuteAndFlip"

    def release(data):
        return made(data).randomise()

    release.__name__ = name
    rows.row(
        f"`mechanisms.{name}`",
        epsilon=1.0,
        pairs=MOVED_BY_ONE,
        exact=lambda: (
            max(least_epsilon(*(choices(one, flipped) for one in pair)) for pair in MOVED_BY_ONE),
            "tables of probabilities by the definition",
        ),
        relation="utilities of candidates, each of which moves by at most the sensitivity",
        claim=claim,
        place=f"diffprivlib.mechanisms.{name}, docstring",
    )(release)


chooses(
    "Exponential",
    lambda utility: mechanisms.Exponential(epsilon=1.0, sensitivity=1.0, utility=utility),
    "The exponential mechanism for achieving differential privacy on candidate selection, as first "
    "proposed by McSherry and Talwar.",
)
chooses(
    "PermuteAndFlip",
    lambda utility: mechanisms.PermuteAndFlip(epsilon=1.0, sensitivity=1.0, utility=utility),
    "The permute and flip mechanism for achieving differential privacy on candidate selection, as "
    "first proposed by McKenna and Sheldon.",
)


GROWN = [[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]]


@rows.row(
    "`mechanisms.Exponential`, `monotonic=True`",
    epsilon=1.0,
    pairs=GROWN,
    exact=lambda: (
        max(least_epsilon(*(choices(one, scale=1.0) for one in pair)) for pair in GROWN),
        "tables of probabilities by the definition",
    ),
    relation="utilities that all move in one direction, by at most the sensitivity",
    claim="Specifies if the utility function is monotonic, i.e. that adding an individual "
    "to the underlying dataset can only increase the values in `utility`.",
    place="diffprivlib.mechanisms.Exponential, docstring",
)
def monotonic(data):
    made = mechanisms.Exponential(epsilon=1.0, sensitivity=1.0, utility=data, monotonic=True)
    return made.randomise()


@rows.row(
    "`mechanisms.Vector`",
    epsilon=1.0,
    pairs=[[[0.5, 0.0], [-0.5, 0.0]]],
    relation="the data of one record of norm at most 1, in the linear term of the objective",
    claim="The vector mechanism is used when perturbing convex objective functions.",
    place="diffprivlib.mechanisms.Vector, docstring",
)
def vector(data):
    made = mechanisms.Vector(epsilon=1.0, function_sensitivity=0.25, dimension=2)
    noisy = made.randomise(lambda beta, *_: (float(np.dot(data, beta)), np.array(data)))
    return np.round(noisy(np.zeros(2))[1], 6)


@rows.row(
    "`mechanisms.Bingham`",
    epsilon=1.0,
    pairs=[[[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]]],
    relation="replace-one: second moments that differ by one record of norm 1",
    claim="Used to estimate the first eigenvector (associated with the largest eigenvalue) of a "
    "covariance matrix.",
    place="diffprivlib.mechanisms.Bingham, docstring",
)
def bingham(data):
    return np.round(mechanisms.Bingham(epsilon=1.0).randomise(np.array(data)), 6)


STATED = "Privacy parameter :math:`\\epsilon`."


def tool(
    name, call, pair, *, floats=True, claim=STATED, relation=None, key=None, exact=True, check=None
):
    """Declare a function of ``tools`` with ε = 1."""

    def release(data):
        return call(np.array(data))

    release.__name__ = key or name
    rows.row(
        f"`tools.{name}`",
        relation=relation,
        exact=by_noise(release, pair) if exact else None,
        epsilon=1.0,
        pairs=[pair],
        claim=claim,
        place=f"diffprivlib.tools.{name}, docstring, epsilon",
        check=by_low_bits(release, pair, 20_000) if floats else check,
    )(release)


MOVED = [TWELVE, SWAPPED]
HALF = [[0.5] * 12, [0.5] * 11 + [1.0]]


def bounded(name):
    """Return a function of ``tools`` with ε = 1 and bounds."""
    return lambda data: getattr(tools, name)(data, epsilon=1.0, bounds=BOUNDS)


for one in ("mean", "nanmean", "var", "nanvar", "std", "nanstd", "sum", "nansum"):
    tool(one, bounded(one), HALF if "var" in one or "std" in one else MOVED)
tool("count_nonzero", lambda data: tools.count_nonzero(data, epsilon=1.0), MOVED, floats=False)
APPLIED = "Privacy parameter :math:`\\epsilon` to be applied."
ADDED = [TWELVE, [*TWELVE, 1.0]]
SQUARES = [BOUNDS, BOUNDS]
HISTOGRAMS = {
    "histogram": lambda data: tools.histogram(data, bins=2, range=BOUNDS)[0],
    "histogram2d": lambda data: tools.histogram2d(data, data, bins=2, range=SQUARES)[0],
    "histogramdd": lambda data: tools.histogramdd(data[:, None], bins=2, range=[BOUNDS])[0],
}
for one, call in HISTOGRAMS.items():
    # No relation is stated. A record that moves from bin to bin changes two counts.
    tool(one, call, ADDED, floats=False, claim=APPLIED, relation="add-or-remove-one")


def moved_up(out):
    return out[1] - out[0] >= 2


tool(
    "histogram",
    HISTOGRAMS["histogram"],
    MOVED,
    floats=False,
    claim=APPLIED,
    key="histogram_moved",
    check=lambda: counted(
        lambda data: HISTOGRAMS["histogram"](np.array(data)), MOVED[::-1], moved_up, 50_000
    ),
)
SPREAD = [[0.0] * 6 + [1.0] * 6, [0.0] * 5 + [1.0] * 7]
tool("median", lambda data: tools.median(data, epsilon=1.0, bounds=BOUNDS), SPREAD, exact=False)
tool(
    "quantile",
    lambda data: tools.quantile(data, 0.25, epsilon=1.0, bounds=BOUNDS),
    SPREAD,
    exact=False,
)
tool(
    "percentile",
    lambda data: tools.percentile(data, 75, epsilon=1.0, bounds=BOUNDS),
    SPREAD,
    exact=False,
)


def model(name, fit, pairs, *, place=None):
    """Declare the training of a model, ε = 1, of which ``fit`` returns the parameters."""

    def release(data):
        table = np.array(data)
        return np.round(fit(table[:, :-1], table[:, -1]), 9)

    release.__name__ = name
    rows.row(
        f"`models.{name}`",
        epsilon=1.0,
        pairs=pairs,
        claim=STATED,
        place=place or f"diffprivlib.models.{name}, docstring, epsilon",
    )(release)


UNIT = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
CHANGED = [[*UNIT[:-1], [0.0, 0.0]], UNIT]
POINTS = [[0.1, 0.2, 0.0], [0.2, 0.1, 0.0], [0.8, 0.9, 1.0], [0.9, 0.8, 1.0]]
FAR = [[*POINTS[:-1], [0.0, 0.0, 0.0]], POINTS]
SQUARE = (0.0, 1.0)


def linear(x, y):
    made = models.LinearRegression(epsilon=1.0, bounds_X=SQUARE, bounds_y=SQUARE)
    made.fit(x, y)
    return np.append(made.coef_, made.intercept_)


def logistic(x, y):
    made = models.LogisticRegression(epsilon=1.0, data_norm=1.5).fit(x, y)
    return np.append(made.coef_, made.intercept_)


def bayes(x, y):
    made = models.GaussianNB(epsilon=1.0, bounds=SQUARE).fit(x, y)
    return np.concatenate([made.theta_.ravel(), made.var_.ravel(), made.class_count_])


def means(x, _):
    made = models.KMeans(n_clusters=2, epsilon=1.0, bounds=SQUARE).fit(x)
    return np.sort(made.cluster_centers_, axis=0)


def components(x, _):
    made = models.PCA(n_components=1, epsilon=1.0, data_norm=1.5, bounds=SQUARE).fit(x)
    return np.append(np.abs(made.components_), made.mean_)


def scaler(x, _):
    made = models.StandardScaler(epsilon=1.0, bounds=SQUARE).fit(x)
    return np.append(made.mean_, made.var_)


def forest(x, y):
    made = models.RandomForestClassifier(
        n_estimators=1, epsilon=1.0, bounds=SQUARE, classes=[0.0, 1.0], max_depth=1
    )
    return made.fit(x, y).predict_proba([[0.1, 0.1], [0.9, 0.9]])


def tree(x, y):
    made = models.DecisionTreeClassifier(
        epsilon=1.0, bounds=SQUARE, classes=[0.0, 1.0], max_depth=1
    )
    return made.fit(x, y).predict_proba([[0.1, 0.1], [0.9, 0.9]])


OTHER_CLASS = [[*POINTS[:-1], [0.9, 0.8, 0.0]], POINTS]
model("LinearRegression", linear, [CHANGED])
model("LogisticRegression", logistic, [OTHER_CLASS])
model("GaussianNB", bayes, [FAR])
model("KMeans", means, [FAR])
model("PCA", components, [FAR])
model("StandardScaler", scaler, [FAR])
model("RandomForestClassifier", forest, [OTHER_CLASS])
model("DecisionTreeClassifier", tree, [OTHER_CLASS], place="diffprivlib.models.forest, docstring")
