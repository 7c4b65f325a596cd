"""The additive noise model of two variables: which of the two causes the other."""

from .algorithm import ANMResult, anm, score_directions
from .direction import Direction, direction_of
from .directions import FittedDirections, Residuals, fit_directions, residuals
from .generate import CausalPair, generate_pair, generate_pairs
from .settings import INPUT_KERNEL, LAMBDA, REGRESSION_KERNEL, RESIDUAL_KERNEL
from .split import Split, split_half

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
