"""Estimators of ``diffprivlib.models`` as mechanisms: a fit is a release of fitted attributes.

The models of diffprivlib 0.6.6 run with scikit-learn up to 1.7. Their argument ``random_state``
gets a stream that ``rng`` drives, as with the library's tools.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms.definitions import (
    Dataset,
    Mechanism,
    NeighboringRelation,
    Output,
    ReplaceOne,
    UsageError,
)

from .adapter import Query, comes_from, itself
from .diffprivlib import Stream, promise_of
from .released import cite, library_release, load, without_deprecations

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
    """Say whether ``obj`` is an estimator of diffprivlib; nothing is imported."""
    return comes_from(obj, "diffprivlib") and all(
        hasattr(obj, each) for each in ("fit", "epsilon", "get_params", "accountant")
    )


def from_model(
    model: Any,
    *,
    name: str,
    pairs: Sequence[tuple[Dataset, Dataset]],
    relation: NeighboringRelation | None = None,
    query: Query = itself,
    attributes: Sequence[str] | None = None,
) -> Mechanism:
    """Return an estimator as a mechanism that promises what its accountant books for a fit.

    A dataset is a matrix of records, the last column the label where the model learns labels.
    relation: replace-one by default, since the models take the number of records as public.
    query: turns a dataset of ``pairs`` into such a matrix.
    attributes: names of the fitted attributes to release; by default the model's parameters.
    """
    kind = type(model).__name__
    if attributes is None and kind not in ATTRIBUTES:
        raise UsageError(f"attributes is missing: which fitted attributes of {kind} are released?")
    run = Fits(_copied(model), tuple(attributes or ATTRIBUTES[kind]), query)
    with without_deprecations():
        spent = run.fitted(pairs[0][0], Stream(np.random.default_rng(0))).accountant.total()
    return library_release(
        run,
        promise_of(*spent),
        name=name,
        pairs=pairs,
        relation=ReplaceOne() if relation is None else relation,
        summary=f"{', '.join(run.attributes)} of one fit of diffprivlib's {kind}",
        source=cite("diffprivlib", f"models.{kind}"),
    )


@dataclass(frozen=True, eq=False)
class Fits:
    """Fits copies of ``original``, which draw from ``rng``."""

    original: Any
    attributes: tuple[str, ...]
    query: Query

    def fitted(self, data: Dataset, stream: Stream) -> Any:
        """Return a copy that is fitted to the data, with an accountant of its own."""
        accountant = load("diffprivlib").BudgetAccountant()
        model = _copied(self.original, random_state=stream, accountant=accountant)
        # Copied, since some models center what they are given in its place.
        table = np.array(self.query(data), dtype=float)
        columns = [table]
        if type(model).__name__ in SUPERVISED:
            columns = [table[:, :-1], table[:, -1]]
        with warnings.catch_warnings():
            # Noise may be so large that a model overflows, or does not converge.
            for category in (RuntimeWarning, load("sklearn.exceptions").ConvergenceWarning):
                warnings.simplefilter("ignore", category)
            return model.fit(*columns)

    def __call__(
        self, data: Dataset, *, size: int | None = None, rng: np.random.Generator | None = None
    ) -> Output:
        """Return the attributes of one fit as a vector, or those of ``size`` fits in a list."""
        stream = Stream(rng)
        with without_deprecations():
            fits = (self.fitted(data, stream) for _ in range(1 if size is None else size))
            found = [self._released(model) for model in fits]
        return found[0] if size is None else found

    def _released(self, model: Any) -> Output:
        return np.concatenate([np.ravel(getattr(model, each)) for each in self.attributes])


def _copied(model: Any, random_state: Any = None, accountant: Any = None) -> Any:
    # By default with neither: the system's generator cannot be pickled, a budget not be shared.
    changed = {"random_state": random_state, "accountant": accountant}
    return type(model)(**{**model.get_params(deep=False), **changed})
