"""The report as one self-contained page."""

from .ledger import cited
from .page import render

__all__ = ["cited", "render"]
