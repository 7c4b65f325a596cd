"""diffprivlib's tools, mechanisms and models as mechanisms; the promise is what it accounts for.

By default the library takes its uniform numbers from ``secrets.SystemRandom``. Here its documented
argument ``random_state`` hands it a stream that ``rng`` drives: the same 53-bit uniform numbers on
[0, 1) go through the same code, so what is audited is the released sampler, and it replays.
(One default differs: the last step of its quantiles, a point inside the chosen interval, comes
from numpy's global Mersenne Twister and not from the system.)

Of the estimators of ``diffprivlib.models`` a fit is a release of fitted attributes. The models of
diffprivlib 0.6.6 run with scikit-learn up to 1.7. Their argument ``random_state`` gets a stream
that ``rng`` drives, as with the library's tools.
"""

import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter

Options = tuple[tuple[str, Any], ...]
"""Keyword arguments as pairs, so that what holds them stays frozen."""


class Stream(np.random.RandomState):
    """A ``RandomState`` over the bits of ``rng`` that can answer for many draws at once."""

    def __init__(self, rng: Generator | None) -> None:
        self.bits = (np.random.default_rng() if rng is None else rng).bit_generator
        super().__init__(self.bits)
        self.batch: int | None = None

    def random(self, size: Any = None) -> Any:
        """Return a uniform number, or ``batch`` of them where one was asked for."""
        return super().random(self.batch if size is None else size)


@dataclass(frozen=True)
class MechanismRun(adapter.LibraryRun):
    """Draws from the mechanism and value that ``build(data, random_state)`` returns."""

    build: Callable[[dp.Dataset, Any], tuple[Any, Any]]

    def draws(self, data: dp.Dataset, count: int, rng: Generator | None) -> Any:
        """Return the releases; all randomness comes from ``rng``."""
        stream = Stream(rng)
        with adapter.without_deprecations():
            return _draw(*self.build(data, stream), count, stream)


@dataclass(frozen=True)
class ToolRun(adapter.LibraryRun):
    """Draws what ``diffprivlib.tools.<tool>(data, **options)`` releases.

    The tool runs once a batch, up to the place where it draws: there its mechanism (with the
    sensitivity and the bounds that the tool computed) and the exact value are taken, and the
    draws come from them. A tool's call costs ten times its draw.
    """

    tool: str
    options: Options

    def draws(self, data: dp.Dataset, count: int, rng: Generator | None) -> Any:
        """Return the releases; all randomness comes from ``rng``."""
        stream = Stream(rng)
        with adapter.without_deprecations():
            taken = _taken(self.tool, data, self.options, stream)
            releases = np.stack([_draw(*each, count, stream) for each in taken], axis=-1)
            if self.tool in ("median", "quantile", "percentile"):
                releases = self._within_intervals(data, releases, stream)
        return releases if self.tool == "histogram" else releases[:, 0]

    def _within_intervals(
        self, data: dp.Dataset, index: NDArray[Any], stream: Stream
    ) -> NDArray[Any]:
        # The tool's last step after its exponential mechanism: a uniform point of the interval.
        bounds = dict(self.options)["bounds"]
        ends = np.sort(np.append(np.clip(np.ravel(data), *bounds), bounds))
        points: NDArray[Any] = stream.random(index.shape) * np.diff(ends)[index] + ends[index]
        return points


def _draw(mechanism: Any, value: Any, size: int, stream: Stream) -> Any:
    library = adapter.load("diffprivlib.mechanisms")
    plain = type(mechanism) in (library.Laplace, library.LaplaceTruncated)
    if plain and "randomise" not in vars(mechanism):
        # Its sampler is a formula in four uniform numbers: with arrays of them, the released
        # method returns as many releases. Truncation compares single numbers, hence the clip.
        stream.batch = size
        try:
            releases = library.Laplace.randomise(mechanism, value)
        finally:
            stream.batch = None
        if type(mechanism) is library.LaplaceTruncated:
            releases = np.clip(releases, mechanism.lower, mechanism.upper)
        return releases
    # Checking the same parameters again costs most of a release: once is enough.
    releases = [mechanism.randomise(value) for _ in range(min(size, 1))]
    with mock.patch.object(mechanism, "_check_all", _checked):
        releases += [mechanism.randomise(value) for _ in range(size - 1)]
    return adapter.stacked(releases)


def _checked(_: Any) -> bool:
    return True


def _taken(tool: str, data: dp.Dataset, options: Options, stream: Stream) -> list[tuple[Any, Any]]:
    state = stream.bits.state
    with _drawing_nothing() as taken:
        getattr(adapter.load("diffprivlib.tools"), tool)(data, random_state=stream, **dict(options))
    stream.bits.state = state
    return taken


_PATCHING = threading.Lock()


@contextmanager
def _drawing_nothing() -> Iterator[list[tuple[Any, Any]]]:
    """Take what this thread would randomise; to other threads the library stays as it is.

    One thread patches at a time: patches that overlap would restore each other's replacements.
    """
    library = adapter.load("diffprivlib.mechanisms")
    taken: list[tuple[Any, Any]] = []
    own = threading.get_ident()

    def replacement(original: Callable[..., Any]) -> Callable[..., Any]:
        def randomise(mechanism: Any, value: Any = None) -> Any:
            if threading.get_ident() != own:
                # What is a release there must not come out without noise.
                return original(mechanism, value)
            taken.append((mechanism, value))
            return 0 if value is None else value

        return randomise

    names = ("LaplaceTruncated", "LaplaceBoundedDomain", "GeometricTruncated", "Exponential")
    with _PATCHING, ExitStack() as stack:
        for kind in (getattr(library, name) for name in names):
            stack.enter_context(mock.patch.object(kind, "randomise", replacement(kind.randomise)))
        yield taken


def from_mechanism(
    build: Callable[[dp.Dataset, Any], tuple[Any, Any]],
    *,
    name: str,
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
    relation: dp.NeighboringRelation,
    summary: str = "a released diffprivlib mechanism",
    source: dp.Source | None = None,
    **stated: Any,
) -> dp.Mechanism:
    """Return a ``diffprivlib.mechanisms`` object as a mechanism, promising its ε and δ.

    build: a function of a module that takes a dataset and a ``random_state`` and returns the
        object, made with that ``random_state``, and the value to randomise (None for a selection).
    relation: what the sensitivity that ``build`` gave the object holds for.
    stated: other fields of the mechanism, such as ``expected``.
    """
    with adapter.without_deprecations():
        mechanism, _ = build(pairs[0][0], 0)
    return adapter.library_release(
        MechanismRun(build),
        adapter.stated_promise(mechanism.epsilon, mechanism.delta),
        name=name,
        pairs=pairs,
        relation=relation,
        summary=summary,
        source=source or adapter.cite("diffprivlib", f"mechanisms.{type(mechanism).__name__}"),
        **stated,
    )


def from_tool(
    tool: str,
    *,
    name: str,
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
    relation: dp.NeighboringRelation | None = None,
    summary: str = "a released diffprivlib tool",
    source: dp.Source | None = None,
    expected: dp.Verdict = dp.Verdict.NO_VIOLATION,
    true_epsilon: float | None = None,
    **options: Any,
) -> dp.Mechanism:
    """Return a function of ``diffprivlib.tools`` as a mechanism.

    tool: one of count_nonzero, mean, sum, var, histogram, median. The promise is what the
        library's budget accountant books for one call with ``options``.
    relation: replace-one by default, since the tools compute bounds and sensitivity from the
        number of records and so take it as public.
    options: passed to the tool, ``epsilon`` and ``bounds`` (or ``bins`` and ``range``) among them.
        Without bounds the library warns that it leaks, and so it does.
    """
    with adapter.without_deprecations():
        accountant = adapter.load("diffprivlib").BudgetAccountant()
        function = getattr(adapter.load("diffprivlib.tools"), tool)
        function(pairs[0][0], random_state=0, accountant=accountant, **options)
        spent = accountant.total()
    return adapter.library_release(
        ToolRun(tool, tuple(options.items())),
        adapter.stated_promise(*spent),
        name=name,
        pairs=pairs,
        relation=dp.ReplaceOne() if relation is None else relation,
        summary=summary,
        source=source or adapter.cite("diffprivlib", f"tools.{tool}"),
        expected=expected,
        true_epsilon=true_epsilon,
    )


ATTRIBUTES = {
    "GaussianNB": ("class_prior_", "theta_", "var_"),
    "KMeans": ("cluster_centers_",),
    "LinearRegression": ("coef_", "intercept_"),
    "LogisticRegression": ("coef_", "intercept_"),
    "PCA": ("components_", "explained_variance_", "mean_"),
    "StandardScaler": ("mean_", "var_"),
}
"""What a model is fitted for. Others hold one entry a record, such as ``labels_`` of KMeans."""

SUPERVISED = ("GaussianNB", "LinearRegression", "LogisticRegression")


def is_model(obj: Any) -> bool:
    """Return whether ``obj`` is an estimator of diffprivlib; nothing is imported."""
    return adapter.comes_from(obj, "diffprivlib") and all(
        hasattr(obj, each) for each in ("fit", "epsilon", "get_params", "accountant")
    )


def from_model(
    model: Any,
    *,
    name: str,
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
    relation: dp.NeighboringRelation | None = None,
    query: adapter.Query = adapter.itself,
    attributes: Sequence[str] | None = None,
) -> dp.Mechanism:
    """Return an estimator as a mechanism that promises what its accountant books for a fit.

    A dataset is a matrix of records, the last column the label where the model learns labels.
    relation: replace-one by default, since the models take the number of records as public.
    query: turns a dataset of ``pairs`` into such a matrix.
    attributes: names of the fitted attributes to release; by default the model's parameters.
    """
    kind = type(model).__name__
    if attributes is None and kind not in ATTRIBUTES:
        raise dp.UsageError(
            f"attributes is missing: which fitted attributes of {kind} are released?"
        )
    run = Fits(_copied(model), tuple(attributes or ATTRIBUTES[kind]), query)
    with adapter.without_deprecations():
        spent = run.fitted(pairs[0][0], Stream(np.random.default_rng(0))).accountant.total()
    return adapter.library_release(
        run,
        adapter.stated_promise(*spent),
        name=name,
        pairs=pairs,
        relation=dp.ReplaceOne() if relation is None else relation,
        summary=f"{', '.join(run.attributes)} of one fit of diffprivlib's {kind}",
        source=adapter.cite("diffprivlib", f"models.{kind}"),
    )


@dataclass(frozen=True, eq=False)
class Fits(adapter.LibraryRun):
    """Fits copies of ``original``, which draw from ``rng``."""

    original: Any
    attributes: tuple[str, ...]
    query: adapter.Query
    stacks = False

    def fitted(self, data: dp.Dataset, stream: Stream) -> Any:
        """Return a copy that is fitted to the data, with an accountant of its own."""
        accountant = adapter.load("diffprivlib").BudgetAccountant()
        model = _copied(self.original, random_state=stream, accountant=accountant)
        # Copied, since some models center what they are given in its place.
        table = np.array(self.query(data), dtype=float)
        columns = [table]
        if type(model).__name__ in SUPERVISED:
            columns = [table[:, :-1], table[:, -1]]
        with warnings.catch_warnings():
            # Noise may be so large that a model overflows, or does not converge.
            for category in (RuntimeWarning, adapter.load("sklearn.exceptions").ConvergenceWarning):
                warnings.simplefilter("ignore", category)
            return model.fit(*columns)

    def draws(self, data: dp.Dataset, count: int, rng: Generator | None) -> list[Any]:
        """Return the attributes of each fit as a vector."""
        stream = Stream(rng)
        with adapter.without_deprecations():
            return [self._released(self.fitted(data, stream)) for _ in range(count)]

    def _released(self, model: Any) -> dp.Output:
        return np.concatenate([np.ravel(getattr(model, each)) for each in self.attributes])


def _copied(model: Any, random_state: Any = None, accountant: Any = None) -> Any:
    # By default with neither: the system's generator cannot be pickled, a budget not be shared.
    changed = {"random_state": random_state, "accountant": accountant}
    return type(model)(**{**model.get_params(deep=False), **changed})
