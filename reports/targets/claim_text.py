"""A claim as text: ``zcdp:0.5``, ``gdp:1``, ``rdp:8,1.5``, ``tv:0.1``, ``dp:1,1e-6``."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from provado.mechanisms import (
    ApproximateDP,
    ConcentratedDP,
    GaussianDP,
    PrivacyPromise,
    PureDP,
    RenyiDP,
    UsageError,
)

FORMS = "zcdp:RHO, gdp:MU, rdp:ALPHA,EPSILON, tv:DELTA or dp:EPSILON[,DELTA]"

_MAKE: dict[tuple[str, int], Callable[..., PrivacyPromise]] = {
    ("zcdp", 1): ConcentratedDP,
    ("gdp", 1): GaussianDP,
    ("rdp", 2): RenyiDP,
    ("tv", 1): lambda delta: ApproximateDP(0.0, delta),
    ("dp", 1): PureDP,
    ("dp", 2): ApproximateDP,
}


def read_promise(text: str) -> PrivacyPromise:
    """Return the promise that a text states; raises ``UsageError`` with the text and the forms."""
    family, _, listed = str(text).partition(":")
    parts = listed.split(",")
    make = _MAKE.get((family.strip().lower(), len(parts)))
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        make = None
    if make is None:
        raise UsageError(f"promise {text!r}: it must be {FORMS}")
    try:
        return make(*numbers)
    except UsageError as error:
        raise UsageError(f"promise {text!r}: {error}") from None


def promise_option(text: str) -> str:
    """Return the text of ``--promise`` once it is found to state one."""
    try:
        read_promise(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
