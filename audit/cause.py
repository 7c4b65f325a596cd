"""What it is in an output that tells D from D′, by the field's name and in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What tells, by the field's name."""

    NOTHING = "nothing"
    BITS = "low-order bits"
    EXCEPTION = "exception"
    NAN = "not a number"
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
    """What tells. words: one sentence."""

    kind: Kind
    words: str


UNNAMED = Cause(Kind.NOTHING, "")
