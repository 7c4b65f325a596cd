"""The cause of a violation: what in an output distinguishes D from D′, and a sentence on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Kinds of causes, by the field's name."""

    NOTHING = "nothing"
    BITS = "low-order bits"
    EXCEPTION = "exception"
    NAN = "not a number"
    NO_NOISE = "no noise"
    SHARED = "shared noise"
    SEVERAL = "several parts together"
    ORDER = "order"
    LENGTH = "length"
    KEYS = "keys"
    TYPE = "type or text"
    SUPPORT = "support"
    SCALE = "scale"
    SHIFT = "shift"
    SHAPE = "shape"
    RARE = "rare output"


@dataclass(frozen=True)
class Cause:
    """A cause. words: a sentence that names the part of the output."""

    kind: Kind
    words: str


UNNAMED = Cause(Kind.NOTHING, "")
