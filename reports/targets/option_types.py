"""The domains of numbers, as the options of ``provado discover`` import them."""

from provado.audit.options.domains import positive, seconds, share, small_share, whole

__all__ = ["positive", "seconds", "share", "small_share", "whole"]
