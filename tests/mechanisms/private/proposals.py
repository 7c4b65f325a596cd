"""What propose-test-release of log IQR reads from one vector: its center, and A₁ and A₂."""

from functools import partial
from typing import NamedTuple

from provado.mechanisms.cause_effect.releases.release import own_changes, read_iqrs
from provado.mechanisms.cause_effect.releases.training_set import (
    rows_of_either_to_leave,
    rows_to_leave,
)
from provado.mechanisms.scores.iqr import iqr


class Proposal(NamedTuple):
    """ln IQR in whole steps of the grid, or −∞ where the IQR is 0; and the distances."""

    center: float
    distances: tuple[int, ...]


def _proposal(width, changes, **setting):
    read = read_iqrs([(width, changes)], epsilon=1, delta=0.5, **setting)
    return Proposal(float(read.centers[0]), tuple(read.distances[0]))


def propose(values, **setting):
    """Return what is read where values are replaced; setting: ``bins`` and ``grid``."""
    return _proposal(*own_changes(values), **setting)


def propose_training(residuals, *, move, **setting):
    """Return what is read where training rows move each residual by at most ``move``."""
    width = iqr(residuals)
    return _proposal(width, partial(rows_to_leave, width, move=move), **setting)


def propose_both(values, *, move, **setting):
    """Return what is read where values are replaced, or moved by training rows."""
    return _proposal(iqr(values), partial(rows_of_either_to_leave, values, move=move), **setting)
