"""What the adapters share: importing a released library on first use, and stacking its outputs."""

from __future__ import annotations

import importlib
import importlib.metadata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from provado.mechanisms.definitions import (
    Dataset,
    Mechanism,
    Output,
    PrivacyPromise,
    Source,
    UsageError,
)
from provado.mechanisms.definitions.mechanism import Run


@contextmanager
def without_deprecations() -> Iterator[None]:
    """Ignore the deprecations that a library meets inside itself, and no other warning.

    A library's warnings about privacy pass. Filters that a library installs are undone.
    """
    with warnings.catch_warnings():
        for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
            warnings.simplefilter("ignore", category)
        yield


def load(module: str) -> ModuleType:
    """Import and return a module of a released library; ``UsageError`` where that fails."""
    try:
        with without_deprecations():
            return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"{module} cannot be imported ({error}); install it with: "
            "pip install 'provado[libraries]'"
        ) from error


def cite(distribution: str, place: str) -> Source:
    """Return the source of a released function: distribution, installed version and place."""
    try:
        version = importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        version = "of unknown version"
    return Source(f"{distribution} {version}", place)


def listed(data: Dataset) -> Any:
    """Return numpy's arrays and numbers as the lists and numbers of Python that a library takes."""
    return data.tolist() if isinstance(data, np.ndarray | np.generic) else data


def stacked(releases: Sequence[Any]) -> Output:
    """Return releases along the first axis of an array, or as a list where they are not numbers.

    Shapes: (size,) for numbers, (size, k) for vectors of k numbers.
    """
    try:
        array = np.asarray(releases)
    except ValueError:  # Vectors of different lengths.
        return list(releases)
    return array if array.dtype.kind in "biuf" else list(releases)


def library_release(run: Run, promise: PrivacyPromise, **stated: Any) -> Mechanism:
    """Return a released library's run as a mechanism; stated: its other fields."""
    return Mechanism(run=run, promise=promise, tags=("library",), **stated)
