"""The report as one self-contained page."""

from provado.reports.html.page import render

__all__ = ["render"]
