"""Laplace noise on a double, and the same with the noise snapped to a grid."""

from diffprivlib.mechanisms import Laplace, Snapping

LAPLACE = Laplace(epsilon=1.0, sensitivity=1.0)
SNAPPING = Snapping(epsilon=1.0, sensitivity=1.0, lower=-50.0, upper=50.0)


def claim(_):
    return 1.0, 0.0


def release(data):
    return LAPLACE.randomise(data)


def release_snapped(data):
    return SNAPPING.randomise(data)
