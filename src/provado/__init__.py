"""Provado: audits of differential privacy, reference mechanisms, and their proofs.

``from provado import audit`` is the function ``provado.audit.audit``: the package ``provado.audit``
can be called as that function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from provado.audit import audit

__all__ = ["__version__", "audit"]


def __getattr__(name: str) -> Any:
    """Look up what would be expensive at import."""
    if name == "__version__":
        from importlib.metadata import version

        return version("provado")
    raise AttributeError(f"module 'provado' has no attribute {name!r}")
