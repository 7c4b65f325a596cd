"""The additive noise model of two variables: which of the two causes the other."""

from provado.mechanisms.anm.algorithm import ANMResult, anm, score_directions
from provado.mechanisms.anm.direction import Direction, direction_of
from provado.mechanisms.anm.directions import FittedDirections, Residuals, fit_directions, residuals
from provado.mechanisms.anm.generate import CausalPair, generate_pair, generate_pairs
from provado.mechanisms.anm.settings import INPUT_KERNEL, LAMBDA, REGRESSION_KERNEL, RESIDUAL_KERNEL
from provado.mechanisms.anm.split import Split, split_half

__all__ = [
    "INPUT_KERNEL",
    "LAMBDA",
    "REGRESSION_KERNEL",
    "RESIDUAL_KERNEL",
    "ANMResult",
    "CausalPair",
    "Direction",
    "FittedDirections",
    "Residuals",
    "Split",
    "anm",
    "direction_of",
    "fit_directions",
    "generate_pair",
    "generate_pairs",
    "residuals",
    "score_directions",
    "split_half",
]
