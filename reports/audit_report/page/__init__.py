"""The report as one self-contained page."""

from .page import render
from .papers import cited

__all__ = ["cited", "render"]
