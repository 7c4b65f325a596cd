"""The released libraries on real data.

Each is asked for ε = 1 on the relation that it is calibrated to, and promises what it then says.
"""

from __future__ import annotations

from provado.mechanisms import Mechanism
from provado.mechanisms.adapters.diffprivlib_releases import diffprivlib_mechanisms
from provado.mechanisms.adapters.opendp_releases import opendp_mechanisms
from provado.mechanisms.adapters.pydp_releases import pydp_mechanisms

__all__ = [
    "diffprivlib_mechanisms",
    "library_mechanisms",
    "opendp_mechanisms",
    "pydp_mechanisms",
]


def library_mechanisms() -> tuple[Mechanism, ...]:
    """Return all audited releases of OpenDP, diffprivlib and PyDP; each needs its library.

    Raises ``UsageError`` with the command to install them where one is missing.
    """
    return (*opendp_mechanisms(), *diffprivlib_mechanisms(), *pydp_mechanisms())
