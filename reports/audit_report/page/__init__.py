"""The report as one self-contained page."""

from .page import render

__all__ = ["render"]
