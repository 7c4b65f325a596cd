"""Kinds of event among which a rule was chosen: what was looked at, as data."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from provado.audit.target.exceptions import own_error

_MOST_NAMED = 4


class Kind(StrEnum):
    """How an event is read off one output."""

    STRUCTURE = "structure"
    VALUES = "values"
    THRESHOLDS = "thresholds"
    INTERVALS = "intervals"
    FLOAT_BITS = "float-bits"
    WITHIN = "within"
    WEIGHTED = "weighted"
    TREES = "trees"
    RESIDUES = "residues"
    BITS = "bits"
    ZERO_SIGN = "zero-sign"
    TIES = "ties"
    TEXT = "text"
    ORDER = "order"
    TYPES = "types"
    PLACES = "places"
    JOINT = "joint"


WORDS = {
    Kind.STRUCTURE: "structure, type, text, exceptions, True and False, None, NaN and ∞",
    Kind.VALUES: "structure and single values",
    Kind.THRESHOLDS: "thresholds",
    Kind.INTERVALS: "unions of intervals",
    Kind.FLOAT_BITS: "sign, exponent and lowest set bit",
    Kind.WITHIN: "intervals within each structure and value",
    Kind.WEIGHTED: "a weighted sum",
    Kind.TREES: "boosted trees",
    Kind.RESIDUES: "residues of whole numbers",
    Kind.BITS: "single bits of numbers",
    Kind.ZERO_SIGN: "the sign of zero",
    Kind.TIES: "repeated numbers and words",
    Kind.TEXT: "length, characters and parts of text",
    Kind.ORDER: "order of words and keys",
    Kind.TYPES: "types of arrays",
    Kind.PLACES: "decimals and lowest bits",
    Kind.JOINT: "pairs of coordinates",
}
"""Each kind in words, which stand before what it is read off."""

WITHOUT_NUMBERS = frozenset(Kind) - {
    Kind.VALUES,
    Kind.THRESHOLDS,
    Kind.INTERVALS,
    Kind.FLOAT_BITS,
    Kind.WITHIN,
    Kind.WEIGHTED,
    Kind.TREES,
    Kind.PLACES,
    Kind.JOINT,
}
"""Kinds that need no number of the output to be named."""


@dataclass(frozen=True)
class Looked:
    """One kind of event that was a candidate, and the numbers of the output that it was read off.

    of: their names, ``output[3]``, ``sum of the output``; empty where it is no number.
    """

    kind: Kind
    of: tuple[str, ...] = ()
    failed = ""

    def words(self) -> str:
        """Return it in words: ``thresholds of output[0], output[1]``."""
        if not self.of:
            return WORDS[self.kind]
        named = ", ".join(self.of[:_MOST_NAMED])
        if len(self.of) > _MOST_NAMED:
            named = f"{len(self.of)} numbers ({named}, …)"
        return f"{WORDS[self.kind]} of {named}"


@dataclass(frozen=True)
class LeftOut(Looked):
    """A kind that was left out. failed: the error of our own that was the reason."""

    failed: str = ""


@contextlib.contextmanager
def leaving_out(failed: list[Looked], *kinds: Kind) -> Iterator[None]:
    """Leave kinds of event out, and note why, where looking for them fails by an error of ours."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # whatever a library below may raise
        failed += [LeftOut(kind, failed=own_error(error)) for kind in kinds]


def left_out(looked: Iterable[Looked]) -> list[str]:
    """Return a sentence on the kinds that were left out, for each error that was the reason."""
    failed: dict[str, list[str]] = {}
    for one in looked:
        failed.setdefault(one.failed, []).append(WORDS[one.kind])
    return [
        f"Left out of the audit: {', '.join(kinds)}: {why}." for why, kinds in failed.items() if why
    ]


def merged(looked: Iterable[Looked]) -> tuple[Looked, ...]:
    """Return each kind once, in order, with all that it was read off; what read nothing is out."""
    found: dict[Kind, dict[str, None]] = {}
    failed: dict[Kind, str] = {}
    for one in looked:
        if one.of or one.failed or one.kind in WITHOUT_NUMBERS:
            found.setdefault(one.kind, {}).update(dict.fromkeys(one.of))
        if one.failed:
            failed.setdefault(one.kind, one.failed)
    return tuple(
        LeftOut(kind, tuple(of), failed[kind]) if kind in failed else Looked(kind, tuple(of))
        for kind, of in found.items()
    )
