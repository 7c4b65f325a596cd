"""Exact evidence about privacy claims; its names are looked up when they are used."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from provado.proofs.api import prove
    from provado.proofs.sensitivity import bound_sensitivity, check_sensitivity

__all__ = ["bound_sensitivity", "check_sensitivity", "prove"]


def __getattr__(name: str) -> Any:
    """Import what proves, and bounds and checks sensitivities, once it is asked for."""
    if name == "prove":
        from provado.proofs import api

        return api.prove
    if name in __all__:
        from provado.proofs import sensitivity

        return getattr(sensitivity, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
