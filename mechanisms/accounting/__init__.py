"""What several private releases on the same data cost together."""

from .advanced import advanced_composition, advanced_share, corollary_share_printed
from .basic import basic_composition
from .iqr import (
    IQR_RELEASES,
    IQR_RELEASES_PRINTED,
    iqr_composition,
    iqr_composition_printed,
    iqr_share,
    iqr_share_printed,
)
from .tight import GaussianNoise, LaplaceNoise, tight_composition, tight_delta

__all__ = [
    "IQR_RELEASES",
    "IQR_RELEASES_PRINTED",
    "GaussianNoise",
    "LaplaceNoise",
    "advanced_composition",
    "advanced_share",
    "basic_composition",
    "corollary_share_printed",
    "iqr_composition",
    "iqr_composition_printed",
    "iqr_share",
    "iqr_share_printed",
    "tight_composition",
    "tight_delta",
]
