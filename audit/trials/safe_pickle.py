"""What an audit keeps of itself as bytes, and back; reading runs nobody's code.

Kept are the auditor's own plain data: plans, rules, encoded outputs. They are written by
``pickle``, and read by one that knows these types and no other, so that a file from elsewhere can
name no function to be called. What holds an object of a user is not kept at all.
"""

from __future__ import annotations

import dataclasses
import io
import pickle
from enum import Enum
from typing import Any

from provado.mechanisms import UsageError

_OURS = ("provado.audit.", "provado.mechanisms.definitions.")

_KNOWN = {
    "builtins": {"bytearray", "complex", "frozenset", "range", "set", "slice"},
    "collections": {"Counter", "OrderedDict", "deque"},
    "fractions": {"Fraction"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.random._pickle": {"__bit_generator_ctor", "__generator_ctor"},
    "numpy.random._pcg64": {"PCG64"},
    "numpy.random.bit_generator": {"SeedSequence", "__pyx_unpickle_SeedSequence"},
    "provado.audit.events.rule": {"_Nothing"},
    # Boosted trees, which some rules are.
    "sklearn._loss._loss": {"CyHalfBinomialLoss"},
    "sklearn._loss.link": {"Interval", "LogitLink"},
    "sklearn._loss.loss": {"HalfBinomialLoss"},
    "sklearn.ensemble._hist_gradient_boosting.binning": {"_BinMapper"},
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting": {
        "HistGradientBoostingClassifier"
    },
    "sklearn.ensemble._hist_gradient_boosting.predictor": {"TreePredictor"},
    "sklearn.preprocessing._label": {"LabelEncoder"},
}


class UnreadableError(UsageError):
    """What was kept names a type that is not the auditor's own, or is of another version."""


def pack(value: Any) -> bytes | None:
    """Return plain data as bytes; ``None`` where it holds what could not be read again."""
    try:
        data = pickle.dumps(value, protocol=5)
        unpack(data)
    except Exception:  # whatever a user's __reduce__ may raise
        return None
    return data


def unpack(data: bytes) -> Any:
    """Return what was packed. Raises ``UnreadableError`` for anything else."""
    try:
        return _Reader(io.BytesIO(data)).load()
    except UnreadableError:
        raise
    except Exception as error:
        raise UnreadableError(
            f"what was kept cannot be read ({type(error).__name__}: {error})"
        ) from error


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        # This compiled module gives its short name.
        module = "sklearn._loss._loss" if module == "_loss" else module
        if name in _KNOWN.get(module, ()):
            return super().find_class(module, name)
        if module.startswith(_OURS) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and (
                dataclasses.is_dataclass(found) or issubclass(found, Enum | tuple)
            ):
                return found
        raise UnreadableError(
            f"what was kept names {module}.{name}, which is no plain data of an audit"
        )
