"""Numbers read off the words and keys of an output: lengths, characters, order, repetition."""

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from provado.audit.target.output_encoding import Encoded, mix
from provado.audit.target.output_metadata import Note

from .feature import EventKind, Floats

Strings = tuple[str, ...]

FIRST_PLACES, LAST_PLACES, FIRST_WORDS = 12, 4, 6
"""Characters from the start and from the end of the text, and words, that are examined singly."""

MOST_COUNTED, MOST_PLACED, MOST_PAIRED = 64, 24, 8
"""Characters that are counted; words whose place is examined, and those taken in pairs."""

NUMBER, MOST_NUMBERS = re.compile(r"(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"), 8
"""A number in a text; of which so many, from the start, are read."""

MOST_JOINT, LOOKED_AT = 4, 10
"""Numbers of a text that are taken together; every so manyth text is looked through for them."""

ABSENT = -1.0


@dataclass(frozen=True)
class Noted:
    """One number read off the words, the keys or the types of an output; NaN where there are none.

    part: ``"words"``, ``"keys"`` or ``"types"``. how: the name of a reading in ``READINGS``; about:
    what it is told.
    """

    part: str
    how: str
    about: tuple[Any, ...] = ()

    @property
    def kind(self) -> EventKind:
        """Return the kind of event."""
        kind = KINDS.get(self.how, EventKind.TEXT)
        return kind if self.part != "types" else EventKind.TYPES

    def read(self, outputs: Encoded) -> Floats:
        """Return the number of each output."""
        result = np.full(len(outputs), np.nan)
        if outputs.notes is None:
            return result
        reading = READINGS[self.how]
        place = Note._fields.index(self.part)
        known: dict[Strings, float] = {(): np.nan}
        for i, note in enumerate(outputs.notes.tolist()):
            if note is not None:
                words = note[place]
                if words not in known:
                    known[words] = reading(words, *self.about)
                result[i] = known[words]
        return result

    def spell(self, outputs: Encoded, row: int) -> str:
        """Return the words that are read of one output, where a number stands for them."""
        note = None if outputs.notes is None else outputs.notes[row]
        found = () if note is None else note[Note._fields.index(self.part)]
        return next(iter(found[self.about[0] :]), "absent") if self.how == "part" else ""

    def words(self) -> str:
        """Return ``length of the words``."""
        about = " ".join(repr(item) if isinstance(item, str) else str(item) for item in self.about)
        whose = {"words": "text", "keys": "keys", "types": "array types"}[self.part]
        return f"{self.how}{f' {about}' if about else ''} of the {whose}"


def _character(words: Strings, place: int) -> float:
    text = words[0] if place >= 0 else words[-1]
    return float(ord(text[place])) if -len(text) <= place < len(text) else ABSENT


def _above(words: Strings, place: int) -> float:
    return float(words[place] > words[place + 1]) if place + 1 < len(words) else ABSENT


def _place(words: Strings, word: str) -> float:
    return float(words.index(word)) if word in words else ABSENT


def _before(words: Strings, first: str, second: str) -> float:
    if first not in words or second not in words:
        return ABSENT
    return float(words.index(first) < words.index(second))


def _count(words: Strings, test: Callable[[str], bool]) -> float:
    return float(sum(map(test, chain.from_iterable(words))))


def _word(words: Strings, place: int) -> float:
    return (
        float(zlib.crc32(words[place].encode("utf-8", "replace"))) if place < len(words) else ABSENT
    )


def _form(words: Strings) -> float:
    """Return the text with all digits taken as equal, as a number."""
    return float(zlib.crc32(re.sub(r"\d+", "0", "\0".join(words)).encode("utf-8", "replace")))


def split_numbers(words: Strings) -> list[str]:
    """Return all words as one text, split at its numbers, which stand at the odd places."""
    return NUMBER.split("\0".join(words))


def _value(words: Strings, number: int) -> float:
    numbers = split_numbers(words)[1::2]
    return float(numbers[number - 1]) if number <= len(numbers) else math.nan


def _step(words: Strings, number: int) -> float:
    return _value(words, number + 1) - _value(words, number)


def _wording(words: Strings) -> float:
    return float(zlib.crc32("".join(split_numbers(words)[::2]).encode("utf-8", "replace")))


READINGS: dict[str, Callable[..., float]] = {
    "number": lambda words: float(len(words)),
    "length": lambda words: float(sum(map(len, words))),
    "length of part": (
        lambda words, place: float(len(words[place])) if place < len(words) else ABSENT
    ),
    "character": _character,
    "how often": lambda words, one: float(sum(word.count(one) for word in words)),
    "capitals": lambda words: _count(words, str.isupper),
    "digits": lambda words: _count(words, str.isdigit),
    "letters": lambda words: _count(words, str.isalpha),
    "spaces": lambda words: _count(words, str.isspace),
    "characters beyond ASCII": lambda words: _count(words, lambda c: ord(c) > 127),
    "part": _word,
    "value of number": _value,
    "difference of numbers": _step,
    "wording": _wording,
    "form": _form,
    "repetitions": lambda words: float(len(words) - len(set(words))),
    "descents": lambda words: float(sum(x > y for x, y in pairwise(words))),
    "descent": _above,
    "rank of the first": lambda words: float(sum(w < words[0] for w in words)),
    "place": _place,
    "order": _before,
}
"""How a number is read off words; what ``KINDS`` does not name is read off the text."""

KINDS = {
    "repetitions": EventKind.TIES,
    **dict.fromkeys(("descents", "descent", "rank of the first", "place"), EventKind.ORDER),
    "order": EventKind.ORDER,
}


def with_numbers(sides: Sequence[Encoded]) -> list[Encoded]:
    """Return outputs with the numbers in their words as further columns.

    Their structure is what is left of the words without these, the order of their keys and the
    types of their arrays. Nothing changes where there are none, and these are the same in all.
    """
    noted = [side.notes if side.notes is not None else [None] * len(side) for side in sides]
    split = [[split_numbers(note.words if note else ()) for note in notes] for notes in noted]
    width = min(max((len(row) // 2 for rows in split for row in rows), default=0), MOST_NUMBERS)
    keys = [
        ["\0".join(note.keys + note.types) if note else "" for note in notes] for notes in noted
    ]
    if not width and len(set(chain.from_iterable(keys))) < 2:
        return [*sides]
    encodeds = list[Encoded]()
    for encoded, rows, orders in zip(sides, split, keys, strict=True):
        numbers = np.full((len(encoded), width), np.nan)
        for row, words in zip(numbers, rows, strict=True):
            told = words[1 : 2 * width : 2]
            row[: len(told)] = told
        texts = ["".join(words[::2]) + order for words, order in zip(rows, orders, strict=True)]
        forms = np.array([zlib.crc32(text.encode("utf-8", "replace")) for text in texts])
        values = np.hstack([encoded.values.astype(np.float64), numbers])
        encodeds.append(Encoded(mix(encoded.coarse, forms, 5000), values, encoded.coarse))
    return encodeds


def numbers_in_text(a: Encoded, b: Encoded) -> list[Noted]:
    """Return the first numbers of the words of outputs under D and D′, and the steps between them.

    Nothing where there are no numbers, or the same in all.
    """
    notes = [note for side in (a, b) if side.notes is not None for note in side.notes.tolist()]
    texts = {note.words for note in notes[::LOOKED_AT] if note is not None}
    number = min(max((len(split_numbers(words)) // 2 for words in texts), default=0), MOST_JOINT)
    if len(texts) < 2:
        return []
    values = [Noted("words", "value of number", (k + 1,)) for k in range(number)]
    return values + [Noted("words", "difference of numbers", (k,)) for k in range(1, number)]


def noted_features(notes: Sequence[Note | None], few: int) -> list[Noted]:
    """Return what may be read off outputs with such notes; of the same ones again and again none.

    few: so many distinct words, or names of keys, are told apart by the structure.
    """
    features: list[Noted] = []
    for i, part in enumerate(Note._fields):
        result = [note[i] for note in notes if note is not None and note[i]]
        distinct = set(result)
        if len(distinct) > 1 and (part != "words" or len(distinct) > few):
            features += _of(part, result)
    return features


def _of(part: str, found: Sequence[Strings]) -> Iterator[Noted]:
    most = max(map(len, found))
    places = range(min(most, FIRST_WORDS))
    yield Noted(part, "number")
    yield from (Noted(part, "part", (place,)) for place in places)
    if part == "types":
        return
    yield from (Noted(part, how) for how in ("length", "capitals", "digits", "letters", "spaces"))
    yield Noted(part, "characters beyond ASCII")
    numbers = max(len(split_numbers(words)) // 2 for words in found) if part == "words" else 0
    yield from (Noted(part, "value of number", (k + 1,)) for k in range(min(numbers, MOST_NUMBERS)))
    longest = max(len(words[0]) for words in found)
    ends = (*range(min(longest, FIRST_PLACES)), *range(-LAST_PLACES, 0))
    yield from (Noted(part, "character", (place,)) for place in ends)
    counted = Counter[str]()
    vocabulary = Counter[str]()
    for words in found:
        counted.update(set("".join(words)))
        vocabulary.update(set(words))
    yield from (Noted(part, "how often", (text,)) for text, _ in counted.most_common(MOST_COUNTED))
    if most < 2:
        return
    yield from (Noted(part, "length of part", (place,)) for place in places)
    yield from (Noted(part, how) for how in ("repetitions", "descents", "rank of the first"))
    yield from (Noted(part, "descent", (place,)) for place in places)
    usual = [word for word, n in vocabulary.most_common(MOST_PLACED) if n * 20 > len(found)]
    yield from (Noted(part, "place", (word,)) for word in usual)
    usual = sorted(usual[:MOST_PAIRED])
    yield from (Noted(part, "order", (x, y)) for i, x in enumerate(usual) for y in usual[i + 1 :])
