"""Kernel ridge regression as the private additive noise model uses it, and its sensitivity."""

from .kernel_ridge import KernelRidge, fit
from .residual_bound import residual_bound, residual_bound_printed, typical_residual_bound
from .unit_interval import clip_to_unit, scale_to_unit, within_unit

__all__ = [
    "KernelRidge",
    "clip_to_unit",
    "fit",
    "residual_bound",
    "residual_bound_printed",
    "scale_to_unit",
    "typical_residual_bound",
    "within_unit",
]
