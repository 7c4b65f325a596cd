"""The report as one self-contained page."""

from provado.reports.html.ledger import cited
from provado.reports.html.page import render

__all__ = ["cited", "render"]
