"""Numerical integrals over the line of functions that are smooth between known breakpoints."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_POINTS = 24
_REACH = 60.0


def line_nodes(
    breakpoints: Iterable[float], *, width: float, tail: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes and weights of composite Gauss–Legendre quadrature over the line.

    breakpoints: where the integrand or its derivative jumps; at least one.
    width: the smallest width on which the integrand varies, such as the smallest scale in it.
    tail: its tails fall at least like e^(−x/tail); beyond 60 of them (1e-26) they are left out.

    For products of Laplace densities and distribution functions the error is near rounding.
    """
    inner = np.unique(np.asarray(list(breakpoints), dtype=np.float64))
    edges = [inner[0] - _REACH * tail, *inner, inner[-1] + _REACH * tail]
    cuts = [np.linspace(a, b, 1 + int(np.ceil((b - a) / width))) for a, b in pairwise(edges)]
    points = np.unique(np.concatenate(cuts))
    half = np.diff(points)[:, None] / 2
    center = (points[:-1] + points[1:])[:, None] / 2
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    return (center + half * nodes).ravel(), (half * weights).ravel()


def laplace_density(x: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Return the density of Laplace(``scale``) at ``x``."""
    return np.exp(-np.abs(x) / scale) / (2 * scale)


def laplace_below(x: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Return Pr[Laplace(``scale``) < ``x``]; a scale of 0 stands for no noise."""
    if scale == 0:
        return (x > 0).astype(np.float64)
    tail = np.exp(-np.abs(x) / scale) / 2
    return np.where(x < 0, tail, 1 - tail)
