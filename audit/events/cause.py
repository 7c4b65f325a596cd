"""The cause of a violation: what in an output distinguishes D from D′, and a sentence on it."""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from provado.audit.events.features.feature import (
    Aggregate,
    Column,
    Difference,
    Exact,
    Feature,
    Floats,
)
from provado.audit.events.features.feature import EventKind as Kind
from provado.audit.events.features.screen import PartKey
from provado.audit.events.features.text import NUMBER, split_numbers
from provado.audit.events.learners.piecewise import (
    CellRatios,
    Named,
    Raw,
    Score,
    Weighted,
    log_ratio,
)
from provado.audit.events.learners.table import Table, look_up
from provado.audit.events.rare import Joint
from provado.audit.events.rule import NOTHING, Rule
from provado.audit.events.threshold import NO_CUT, Goal, best_cut, distance, forecast
from provado.audit.target.exceptions import own_error
from provado.audit.target.flatten import (
    core,
    labels,
    leaf,
    leaves_of,
    order_blind,
    places,
    spell,
)
from provado.audit.target.output_encoding import Encoded, PatternBook
from provado.mechanisms.definitions.relation import counted, cut

from .learners.learn import CARRIES, design, reweigh, weigh


class CauseKind(StrEnum):
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
    TYPE = "type"
    CHOICE = "choice"
    SUPPORT = "support"
    SCALE = "scale"
    SHIFT = "shift"
    SHAPE = "shape"
    RARE = "rare output"


@dataclass(frozen=True)
class Cause:
    """A cause. words: a sentence that names the part of the output.

    shift: about how far the record moves the number, where that is the cause. tail_of: where rare
    outputs are the tail of a noise, the cause that the noise has.
    """

    kind: CauseKind
    words: str
    shift: float | None = None
    tail_of: CauseKind | None = None


UNNAMED = Cause(CauseKind.NOTHING, "")
LOW_BITS = Cause(CauseKind.BITS, "Low-order bits of the released numbers show the exact answer.")


HELD, RANKED = 20_000, 2000
"""Outputs of each side that parts are learned from, and as many others on which it is judged
whether they carry the bound; outputs by which numbers are put in order."""

LEAST_TRIALS = 2000
"""So many trials at least parts are compared by."""

FITS, MOST_LOSS = 0.33, 20
"""Share of the distance of two sides that may be left once one of them is shifted; a shift has a
loss of less than so many times its ratio to the spread."""

POINT, FREQUENT, SCALES, REPEATED = 0.02, 0.005, 1.2, 4
"""Share of outputs on one value that noise without atoms would not give, and that is an event of
its own; ratio of two spreads that is more than chance; so often an output occurs on average that
repeats itself."""

TAIL = 0.05
"""The share of outputs at either end that are more where a noise has a larger scale."""

FEW = 4
"""Values that a number has where it is a choice, which no shift or scale of noise describes."""

EDGE, STEEP = 20, 0.3
"""So many outputs lie within this part of the spread from the least, where the noise is bounded;
tails of a noise are longer."""

VALUE, ATTRIBUTE = "Which text or value it returns", "A type or an attribute"
TEXT, TEXT_LENGTH = "Which text it returns", "The length of the text it returns"
BUT_NUMBERS = ", but for its numbers,"
SELDOM, LONGEST = 0.01, 200
"""Share of the runs that a rare output has at most; characters of an event in words."""

BY_NOISE = (CauseKind.SHIFT, CauseKind.SCALE, CauseKind.SHARED, CauseKind.SEVERAL)
OF_TAILS = (*BY_NOISE, CauseKind.SUPPORT)
"""Causes in the noise itself; those whose fix is that of rare outputs in its tail, too."""

SINGLE, MOST_KEYS = 4, 64
"""Numbers, keys and words that are tried by themselves; structures that are few."""

MOST_SUMMED, NEARLY, MOST_NAMED = 48, 0.97, 6
"""Parts that are tried together; the fewest of them are named that promise nearly as much as all;
parts that are named, and texts that are few."""

LUCK = 0.001
"""Probability at most that any part is named with others that tells nothing of the side."""

SHARED, WEIGHTY = 0.7, 0.1
"""Share of a number's spread that is left beside others where they share their noise; and the part
of its spread that each of these must explain."""


@dataclass(frozen=True, eq=False)
class _Read:
    """A number that a function reads off each output."""

    read: Callable[[Encoded], Floats]
    name: str = ""

    def words(self) -> str:
        """Return its name."""
        return self.name


@dataclass(frozen=True)
class _Judge:
    """Return whether a part of the output carries the bound.

    learned: outputs under D and D′ that scores are learned from and cut on. unseen: those on which
    they are judged. least: what a part must promise there.
    """

    learned: tuple[Encoded, Encoded]
    unseen: tuple[Encoded, Encoded]
    goal: Goal
    least: float

    def cut(self, *scores: Score) -> Rule:
        """Return the best cut of some scores on the outputs that they were learned from."""
        a, b = self.learned
        rules = [Rule(s, best_cut(s(a), s(b), self.goal, both_ways=s.raw)) for s in scores]
        return max(rules, key=lambda rule: rule.cut.value)

    def carries(self, rule: Rule) -> bool:
        """Return whether a rule promises enough on the outputs held back."""
        return self.promises(rule) >= self.least

    def promises(self, rule: Rule) -> float:
        """Return what a rule promises on them, with no caution: it was not chosen by them."""
        a, b = (rule.guess(part) for part in self.unseen)
        (x, w), (v, y) = ([np.count_nonzero(array == say) for array in (a, b)] for say in (1, -1))
        right, wrong = np.array([x, y, x + y]), np.array([w, v, w + v])
        regions = np.array([1, 1, 2])
        return float(forecast(right, wrong, regions, len(a) + len(b), self.goal, 0.0).max())

    def alone(self, feature: Feature) -> Rule:
        """Return the best rule that reads one feature only: cells of it, or else its values."""
        x, y = (feature.read(part) for part in self.learned)
        cells = self.cut(Raw(feature), CellRatios.learn(feature, x, y, narrow=True))
        if self.carries(cells):
            return cells
        values, counts = np.unique(np.append(x, y), return_counts=True)
        often = values[counts > FREQUENT * (len(x) + len(y))]
        return max(cells, self.cut(self.table(_among(feature, often))), key=self.promises)

    def table(self, feature: Feature) -> Table:
        """Return a table of the values of a feature."""
        a, b = self.learned
        return Table.learn(PartKey(feature), a, b, lambda *_: "")

    def event(self, rule: Rule) -> str:
        """Return in words on which held-back outputs a rule guesses."""
        return _events(rule, *(rule.guess(part) for part in self.unseen))


def name_cause(
    rule: Rule,
    a: Encoded,
    b: Encoded,
    book: PatternBook,
    goal: Goal,
    *,
    by_bits: bool,
    rare: bool = False,
    learned: float = 0.5,
) -> Cause:
    """Return the part of an output that carries the rule's bound: by itself, or several together.

    a, b: outputs under D and under D′. by_bits: whether the rule loses its bound once low-order
    bits are taken off. rare: whether it was learned on rare outputs, which are then named. learned:
    the share of the outputs that the rule was learned from.
    """
    # What few outputs promise of so few trials is little more than nothing, whatever they read.
    goal = replace(goal, trials=max(goal.trials, LEAST_TRIALS))
    try:
        cause = LOW_BITS if by_bits else _carrier(rule, a, b, book, goal, learned)
        return _rare(rule, a, b, cause) if rare else cause
    except MemoryError:
        raise
    except Exception as error:  # It decides nothing: the audit goes on without it.
        return Cause(CauseKind.NOTHING, f"No cause is named: {own_error(error)}.")


def _carrier(
    rule: Rule, a: Encoded, b: Encoded, book: PatternBook, goal: Goal, share: float
) -> Cause:
    first = int(share * len(a))
    spans = slice(0, min(first, HELD)), slice(first, first + HELD)
    if not share:
        spans = slice(0, 2 * HELD, 2), slice(1, 2 * HELD, 2)
    learned, judged = ((a.part(rows), b.part(rows)) for rows in spans)
    judge = _Judge(learned, judged, goal, -np.inf)
    # Luck on either half of the outputs is not what a part must promise.
    whole = min(item.promises(rule) for item in (judge, replace(judge, unseen=learned)))
    if whole == -np.inf or (whole <= 0 and not goal.delta):
        return UNNAMED
    judge = replace(judge, least=whole - (1 - CARRIES) * abs(whole))
    keys = _keys(judge, book)
    cause = _text(judge, keys) or _structure(judge, keys, book.marked)
    return cause or _numbers(judge, rule, keys) or _event(judge, rule)


def _rare(rule: Rule, a: Encoded, b: Encoded, cause: Cause) -> Cause:
    """Return which rare outputs a rule reads, and how often they came under D (a) and D′ (b).

    cause: named where these outputs are tails of a noise, or not so rare.
    """
    said = rule.guess(a), rule.guess(b)
    often = max(np.count_nonzero(side == say) / len(side) for side in said for say in (1, -1))
    words = f"Rare outputs distinguish the datasets: {_events(rule, *said)}."
    tail_of = cause.kind if cause.kind in OF_TAILS else None
    if often > SELDOM or tail_of:
        words = cause.words + (f" {words}" if often <= SELDOM else "")
    return Cause(CauseKind.RARE, words, cause.shift, tail_of)


def _events(rule: Rule, said_a: NDArray[np.int8], said_b: NDArray[np.int8]) -> str:
    """Return in words where a rule guesses, and how often that came under D and under D′."""
    return "; ".join(
        f"{cut(words, LONGEST)} in {np.count_nonzero(said_a == say):,} of {len(said_a):,} runs "
        f"under D, in {np.count_nonzero(said_b == say):,} under D′"
        for words, say in zip(rule.words(), (1, -1), strict=True)
        if words
    )


def _event(judge: _Judge, rule: Rule) -> Cause:
    """Name what the rule reads, where no part of it carries the bound."""
    read = _read_by(rule)
    kind = getattr(read, "kind", None)
    if kind is Kind.TYPES:
        return Cause(
            CauseKind.TYPE, f"The type of an array depends on the data: {judge.event(rule)}."
        )
    if kind is Kind.ORDER:
        return Cause(CauseKind.ORDER, f"The order depends on the data: {judge.event(rule)}.")
    one = hasattr(read, "j") and not isinstance(read, Difference)
    width = judge.unseen[0].values.shape[1]
    if width > 1 and kind is None and not one:
        if isinstance(read, Joint):
            return _several(_all([Column(j, width).words() for j in read.columns]))
        return _several(judge.event(rule))
    name = read.words() if one or kind is not None else "the output"
    return Cause(
        CauseKind.SHAPE, f"The distribution of {name} depends on the data: {judge.event(rule)}."
    )


def _read_by(rule: Rule) -> Any:
    """Return the one feature or key that a rule reads, if that is all it reads."""
    read = getattr(rule.unrounded, "feature", getattr(rule.unrounded, "key", None))
    return getattr(read, "part", read) if isinstance(read, PartKey) else read


def _several(named: str) -> Cause:
    sentence = (
        "Several parts of the output distinguish the datasets together, and none that was tried"
    )
    return Cause(CauseKind.SEVERAL, f"{sentence} alone: {named}.")


# Structure: everything but the numbers.


def _keys(judge: _Judge, book: PatternBook) -> dict[int, Any]:
    """Return the key of each structure, also of those with a mark, by its number."""
    known = {number: key for key, number in book.keys.items()}
    patterns = [encoded.pattern for encoded in judge.learned + judge.unseen]
    result = np.unique(np.concatenate(patterns)).tolist()
    return {n: known.get(book.marked.get(n, n), ("", "")) for n in result}


def _aspect(keys: dict[int, Any], of: Callable[[Any, int], Hashable]) -> _Read:
    """Return an aspect of the structure as a number: 0 where there is nothing.

    of: the aspect, from the key of a structure and its number.
    """
    known: dict[Hashable, float] = {False: 0.0}
    result = [known.setdefault(of(key, n), float(len(known))) for n, key in keys.items()]
    patterns, classes = np.array([*keys]), np.array(result)
    name = "the structure of the output"
    return _Read(lambda outputs: look_up(outputs.pattern, patterns, classes), name)


def _structure(judge: _Judge, keys: dict[int, Any], base: dict[int, int]) -> Cause | None:
    """Name the aspect of the structure that carries the bound; ``None`` where none does."""
    if len(keys) < 2 or (
        len(keys) <= MOST_KEYS and not _distinguishes(judge, _aspect(keys, lambda _, n: n))
    ):
        return None
    paths = [*_varied(keys)]
    words: list[tuple[CauseKind, str, Callable[[Any, int], Hashable]]] = [
        (CauseKind.KEYS, f"Whether it returns {label[1]}", partial(_holds, label))
        for label in _foremost_labels(judge, keys)
    ]
    words += [(CauseKind.KEYS, "Which keys it returns", lambda key, _: labels(core(key)))]
    leaves = [(CauseKind.TYPE, f"output{path}", partial(_leaf, path)) for path in paths if path]
    if len({order_blind(core(key)) for key in keys.values()}) == 1:
        leaves = []
    # Where no part comes or goes, a word is a value that stands in a place, and no key.
    fixed = len({places(core(key)) for key in keys.values()}) == 1
    digits = any(core(key)[0] == "str" and NUMBER.search(core(key)[1]) for key in keys.values())
    lengths = (CauseKind.LENGTH, TEXT_LENGTH, lambda key, _: _is_text(key) and len(core(key)[1]))
    aspects: list[tuple[CauseKind, str, Callable[[Any, int], Hashable]]] = [
        (CauseKind.EXCEPTION, "Whether it raises an exception", lambda key, _: key[0] == "raised"),
        (
            CauseKind.EXCEPTION,
            "Which exception it raises",
            lambda key, _: key[0] == "raised" and key,
        ),
        (CauseKind.TYPE, "The type of what it returns", lambda key, _: core(key)[0]),
        *([*leaves, *words] if fixed else words),
        (CauseKind.LENGTH, "How many values it returns", lambda key, _: places(core(key))),
        *([lengths] if len({*map(_wording, keys.values())}) > MOST_KEYS else []),
        (
            CauseKind.TYPE,
            f"{TEXT}{BUT_NUMBERS * digits}",
            lambda key, _: _wording(key),
        ),
        *([] if fixed else leaves),
        (CauseKind.TYPE, VALUE, lambda key, _: order_blind(core(key))),
        (CauseKind.TYPE, ATTRIBUTE, lambda key, _: order_blind(key)),
        (CauseKind.ORDER, "The order of what it returns", lambda _, n: base.get(n, n)),
        (CauseKind.NAN, "NaN or ∞", lambda _, n: n in base and n),
    ]
    a, b = judge.unseen
    for kind, subject, of in aspects:
        aspect = _aspect(keys, of)
        if not _distinguishes(judge, aspect):
            continue
        if subject == VALUE and len(paths) > 1:
            return _several(_all([f"output{path}" for path in paths[:MOST_NAMED]]))
        one = isinstance(of, partial) and of.func is _leaf
        path = subject.removeprefix("output") if one else ""
        name, part = (subject, partial(leaf, path)) if one else ("the output", core)
        classes, at = np.unique(np.append(aspect.read(a), aspect.read(b)), return_inverse=True)
        in_a, in_b = (np.bincount(x, minlength=len(classes)) for x in np.split(at, [len(a)]))
        worded = subject.startswith(TEXT)
        if (one or worded or subject == VALUE) and max(in_a) == len(a) and max(in_b) == len(b):
            shown_a, shown_b = (part(keys[int(side.pattern[0])]) for side in (a, b))
            texts = [cut(spell(one_side, None), LONGEST) for one_side in (shown_a, shown_b)]
            if one and shown_a[0] != shown_b[0]:
                each = f"{texts[0]} in every run under D, {texts[1]} in every run under D′"
                return Cause(CauseKind.TYPE, f"The type of {name} depends on the data: {each}.")
            if worded and digits:
                name, texts = f"{name}{BUT_NUMBERS}", [NUMBER.sub("…", text) for text in texts]
            return _without_noise(name, *texts)
        if kind is CauseKind.TYPE and subject != ATTRIBUTE:
            types = {part(key)[:1] for key in keys.values()}
            kind = CauseKind.TYPE if len(types) > 1 else CauseKind.CHOICE
        # Of an aspect and its absence, the aspect names the cause.
        weight = np.abs(log_ratio(in_a, in_b)) * np.sqrt(in_a + in_b) * (classes > 0)
        most = int(np.argmax(weight))
        side = a if in_a[most] else b
        row = int(np.flatnonzero(aspect.read(side) == classes[most])[0])
        shown = keys.get(int(side.pattern[row]), ("", ""))
        values = Exact(()).compared(side, row).values[0].tolist()
        if kind is CauseKind.NAN and side.rest is not None and side.rest[row].any():
            column = Column(int(np.flatnonzero(side.rest[row])[0]), len(values))
            low = f"The low-order digits of {column.words()}, a whole number of at least 2⁵³,"
            first = [Column(j, len(values)) for j in range(min(SINGLE, len(values)))]
            return _single(judge, first) or Cause(CauseKind.BITS, f"{low} depend on the data.")
        given = iter(values) if kind is CauseKind.NAN else None
        text = spell(shown if subject == ATTRIBUTE else part(shown), given)
        if subject == TEXT_LENGTH:
            text = counted(len(part(shown)[1]), "character")
        return Cause(
            kind,
            f"{subject} depends on the data: {cut(text, LONGEST) or 'another'} in "
            f"{in_a[most]:,} of {len(a):,} runs under D, {in_b[most]:,} of {len(b):,} under D′.",
        )
    return None


def _is_text(key: Any) -> bool:
    return core(key)[0] in ("str", "bytes")


def _wording(key: Any) -> Hashable:
    return _is_text(key) and NUMBER.sub("…", str(core(key)[1]))


def _leaf(path: str, key: Any, _: int) -> Hashable:
    part: Hashable = leaf(path, key)
    return part


def _varied(keys: dict[int, Any]) -> list[str]:
    """Return the paths of the parts of a structure that are not the same in all, the first few."""
    known: dict[str, set[Any]] = {}
    for key in keys.values():
        for path, part in leaves_of(core(key)):
            known.setdefault(path, set()).add(part)
    return [path for path, parts in known.items() if len(parts) > 1][:MOST_SUMMED]


def _holds(label: tuple[str, str], key: Any, _: int) -> bool:
    return label in labels(core(key))


def _distinguishes(judge: _Judge, aspect: _Read) -> bool:
    table = judge.table(aspect)
    return len(table.keys) > 1 and judge.carries(judge.cut(table))


def _foremost_labels(judge: _Judge, keys: dict[int, Any]) -> list[tuple[str, str]]:
    """Return the few keys and words that distinguish best."""
    counts = [Counter[tuple[str, str]](), Counter[tuple[str, str]]()]
    for side, count in zip(judge.learned, counts, strict=True):
        for n, often in zip(*np.unique(side.pattern, return_counts=True), strict=True):
            count.update(dict.fromkeys(labels(core(keys[int(n)])), int(often)))
    a, b = counts
    by = {item: abs(a[item] - b[item]) / np.sqrt(a[item] + b[item]) for item in sorted({*a, *b})}
    return sorted(by, key=lambda item: -by[item])[:SINGLE]


def _text(judge: _Judge, keys: dict[int, Any]) -> Cause | None:
    """Name what carries the bound where outputs are a text with numbers; ``None`` elsewhere."""
    outputs = [
        [*(() if encoded.notes is None else encoded.notes)]
        for encoded in judge.learned + judge.unseen
    ]
    plain = not any(key[0] == "of" for key in keys.values())
    if not (plain and all(side and all(side) for side in outputs)):
        return None
    split = [[split_numbers(note.words) for note in side] for side in outputs]
    texts = {tuple(item[::2]): 0 for side in split for item in side}
    few = len({tuple(item) for item in split[-1]}) <= MOST_NAMED
    if few or len(texts) > MOST_KEYS or len({len(item) for item in texts}) > 1:
        return None
    texts = {item: n for n, item in enumerate(texts)}
    sides = [
        _encoded(
            np.array([item[1::2] for item in side], dtype=np.float64),
            np.array([texts[tuple(item[::2])] for item in side]),
        )
        for side in split
    ]
    inside = replace(judge, learned=(sides[0], sides[1]), unseen=(sides[2], sides[3]))
    words: dict[int, Any] = {n: ("str", "…".join(item)) for item, n in texts.items()}
    if len(words) > 1 and _distinguishes(inside, _aspect(words, lambda _, n: n)):
        return None
    cause = _numbers(inside, Rule(NOTHING, NO_CUT), words)

    def name(match: re.Match[str]) -> str:
        return f"number {int(match[1]) + 1} of the text" if match[1] else "the number in the text"

    form = r"\boutput(?:\[(\d+)\])?(?! distinguish)"
    named = "" if cause is None else cause.words.replace("the structure of the output", "its words")
    return cause and replace(cause, words=re.sub(form, name, named))


# Numbers.


def _numbers(judge: _Judge, rule: Rule, keys: dict[int, Any]) -> Cause | None:
    """Name the number that carries the bound, or those that do together."""
    width = judge.unseen[0].values.shape[1]
    heads = [part.part(slice(0, RANKED)) for part in judge.learned]
    parts: list[Feature] = [
        _aspect(keys, lambda _, n: n),
        *(Column(j, width) for j in range(width)),
    ]
    far = [distance(_finite(part.read(heads[0])), _finite(part.read(heads[1]))) for part in parts]
    parts = [parts[i] for i in np.argsort(-np.array(far), kind="stable") if far[i] > 0]
    columns = [part for part in parts if isinstance(part, Column)]
    for column in columns[:SINGLE]:
        x, y = (column.read(part) for part in judge.unseen)
        if np.ptp(x) == 0 == np.ptp(y) and x[0] != y[0]:
            return _without_noise(column.words(), *_unlike(x[:1], y[:1]))
        if (exact := _exact_beside(judge, column, keys)) is not None:
            return exact
    x, y = map(_in_order, judge.unseen)
    if width > 1 and len(x) == len(y) > 0:
        if (x != y).any():
            both = _unlike(x[:MOST_NAMED], y[:MOST_NAMED])
            return _without_noise("the output, put in order,", *(f"({side})" for side in both))
        if (np.diff(x) > 0).all() and any(
            np.ptp(encoded.values, axis=0).any() for encoded in judge.unseen
        ):
            return Cause(
                CauseKind.ORDER, "The order of the numbers that it returns depends on the data."
            )
    read = _read_by(rule)
    first = [Column(j, width) for j in range(width) if j == getattr(read, "j", None)]
    if (alone := _single(judge, [*first, *columns[:SINGLE]])) is not None:
        return alone
    if (shared := _shared(judge, width)) is not None:
        return shared
    if getattr(read, "part", "") == "keys" and len(keys) <= MOST_KEYS:
        # The structure holds all keys, without their order, and it does not carry the bound.
        return Cause(CauseKind.ORDER, "The order of the keys depends on the data.")
    if width == len(keys) == 1 and columns:
        # It is all that there is: what carries the bound is how it changes.
        changes = _column(judge, columns[0], rule)
        return changes if changes.kind in BY_NOISE else None
    return _together(judge, parts[:MOST_SUMMED], rule)


def _exact_beside(judge: _Judge, column: Feature, keys: dict[int, Any]) -> Cause | None:
    """Name a number that is exact for each structure, and moves for one; ``None`` for others."""
    known: list[dict[int, float]] = []
    for side in judge.unseen:
        values = column.read(side)
        _, first, at = np.unique(side.pattern, return_index=True, return_inverse=True)
        if len(first) < 2 or len(first) > MOST_KEYS or (values != values[first][at]).any():
            return None
        known.append(dict(zip(side.pattern[first].tolist(), values[first].tolist(), strict=True)))
    moved = [n for n in known[0].keys() & known[1].keys() if known[0][n] != known[1][n]]
    if not moved or not judge.carries(judge.alone(column)):
        return None
    often = [np.count_nonzero(judge.unseen[0].pattern == n) for n in moved]
    n = moved[int(np.argmax(often))]
    beside = f"{column.words()} beside {cut(spell(core(keys[n]), None), LONGEST)}"
    return _without_noise(beside, *_unlike(*([values[n]] for values in known)))


def _in_order(outputs: Encoded) -> Floats:
    """Return the numbers of each output in order, where they are the same in all; else nothing."""
    ordered = np.empty((0, 0))
    for rows in (slice(0, 64), slice(None)):
        ordered = np.sort(outputs.values[rows].astype(np.float64), axis=1)
        if (ordered != ordered[:1]).any():
            return np.empty(0)
    return np.asarray(ordered[0])


def _single(judge: _Judge, columns: Sequence[Feature]) -> Cause | None:
    """Name the one of some numbers that carries the bound by itself."""
    rules = {column: judge.alone(column) for column in columns}
    for rule in sorted(rules, key=lambda feature: -rules[feature].cut.value):
        if judge.carries(rules[rule]):
            return _column(judge, rule, rules[rule])
    return None


def _column(judge: _Judge, column: Feature, rule: Rule) -> Cause:
    """Name what it is in a number that distinguishes D from D′."""
    name = column.words()
    sides = [column.read(part) for part in judge.unseen]
    for side, other, under in zip(sides, sides[::-1], ("D", "D′"), strict=True):
        if np.ptp(side) == 0 < np.ptp(_finite(other)):
            sentence = (
                f"{name} is {side[0]:.6g} in every run under {under}: no noise is seen there."
            )
            return Cause(CauseKind.NO_NOISE, sentence)
    x, y = map(_finite, sides)
    spread_x, spread_y = _spread(x), _spread(y)
    if (edge := _edge(judge, column, name)) is not None:
        return edge
    if min(spread_x, spread_y) > 0 and len(np.unique(np.append(x, y))) > FEW:
        middle, ratio = np.median(x), spread_y / spread_x
        move = np.median(y) - middle
        unlike = max(ratio, 1 / ratio) > SCALES + 4 / np.sqrt(min(len(x), len(y)))
        scaled = middle + move + (x - middle) * ratio
        wider = (x, y) if spread_y < spread_x else (y, x)
        unlike = unlike and _beyond_both(*wider)
        if unlike and abs(move) < max(spread_x, spread_y) and _like(judge, x, scaled, y, middle):
            return Cause(
                CauseKind.SCALE,
                f"The noise of {name} has another scale under D than under D′ (spread "
                f"{spread_x:.3g} and {spread_y:.3g}).",
            )
        # A shift by little of a spread carries no bound; digits of a long number do.
        enough = abs(move) * MOST_LOSS > judge.least * spread_x
        if enough and (_like(judge, x, x + move, y) or _like(judge, y, y - move, x)):
            return Cause(
                CauseKind.SHIFT,
                f"The record moves {name} by about {abs(move):.3g}, while its noise has a spread "
                f"of {spread_x:.3g} (mean distance from the median).",
                float(abs(move)),
            )
    for side, other in ((x, y), (y, x)):
        atom = _atom(side, other)
        if atom is not None and _distinguishes(judge, _among(column, [atom])):
            sentence = "occurs under one dataset and hardly under the other."
            return Cause(CauseKind.SUPPORT, f"The value {atom:.6g} of {name} {sentence}")
    sentence = f"The distribution of {name} depends on the data: {judge.event(rule)}."
    return Cause(CauseKind.SHAPE, sentence)


def _beyond_both(wide: Floats, narrow: Floats) -> bool:
    """Return whether numbers go farther than others on either side."""
    ends = np.quantile(narrow, [TAIL, 1 - TAIL])
    beyond = np.mean(wide < ends[0]), np.mean(wide > ends[1])
    return bool(min(beyond) > SCALES * TAIL)


def _edge(judge: _Judge, column: Feature, name: str) -> Cause | None:
    """Name a bound of the noise that moves, where what lies beyond it carries the bound on ε."""
    for sign, words in ((1, "below"), (-1, "above")):
        sides = [np.sort(sign * _finite(column.read(x))) for x in judge.unseen + judge.learned]
        if min(map(len, sides)) <= EDGE or any(
            side[EDGE] - side[0] > STEEP * _spread(side) for side in sides
        ):
            continue
        least = max(min(side[0] for side in sides[i::2]) for i in (0, 1))
        if _distinguishes(judge, _Read(partial(_beyond, column, sign, least))):
            often = [np.count_nonzero(side < least) for side in sides[:2]]
            under, other = ("D", "D′") if often[1] else ("D′", "D")
            sentence = f"{max(often):,} of {len(sides[0]):,} runs under {other}"
            never = ", as where it is never negative," if sign > 0 else ","
            return Cause(
                CauseKind.SUPPORT,
                f"{name} is never {words} {sign * least:.6g} under {under}, and is in {sentence}: "
                f"its noise is bounded there{never} and the bound moves with the record.",
            )
    return None


def _beyond(column: Feature, sign: int, least: float, outputs: Encoded) -> Floats:
    return (sign * column.read(outputs) < least).astype(np.float64)


def _like(judge: _Judge, x: Floats, changed: Floats, y: Floats, middle: float = np.nan) -> bool:
    """Return whether numbers that are changed become like others, and carry the bound themselves.

    middle: where their scale is changed, what their distance is taken from.
    """
    both = [np.clip(z, y.min(), y.max()) for z in (x, changed)]
    if distance(both[1], y) > FITS * distance(x, y):
        return False
    first, second = (_encoded((z if np.isnan(middle) else abs(z - middle))[:, None]) for z in both)
    own = replace(judge, learned=(first, second), unseen=(first, second))
    return own.carries(own.cut(Raw(Column(0, 1))))


def _shared(judge: _Judge, width: int) -> Cause | None:
    """Name numbers whose noise cancels in a sum of them that carries the bound."""
    heads = [part.part(slice(0, RANKED)).values[:, :MOST_SUMMED] for part in judge.learned]
    noise = np.vstack([head - head.mean(axis=0) for head in heads]).astype(np.float64)
    spread = np.abs(noise).mean(axis=0)
    at = np.flatnonzero(np.isfinite(spread) & (spread > 0))
    if len(at) < 2:
        return None
    alike = np.abs(np.corrcoef(noise[:, at], rowvar=False)) - 2 * np.eye(len(at))
    for i in np.argsort(-alike.max(axis=0), kind="stable")[:SINGLE].tolist():
        j, nearest, others = at[i], at[[int(np.argmax(alike[i]))]], np.delete(at, i)
        parts = np.linalg.lstsq(noise[:, others], noise[:, j])[0] * spread[others] / spread[j]
        for kept in (nearest, others[np.abs(parts) > WEIGHTY]):
            columns = [Column(k, width) for k in (int(j), *kept.tolist())]
            result = np.linalg.lstsq(noise[:, kept], noise[:, j])[0]
            weights = np.rint(result)
            left, least = (
                np.abs(noise[:, [j]] - noise[:, kept] @ np.array([weights, result]).T)
            ).mean(axis=0)
            if left > 1.01 * least + 1e-9 * spread[j]:
                weights, left = result, least
            cancels = _sum(columns, [1.0, *(-weights)])
            if left < SHARED * spread[j] and judge.carries(judge.alone(cancels)):
                return Cause(
                    CauseKind.SHARED,
                    f"{_all([item.words() for item in columns])} share their noise: {cancels.name} "
                    f"has a spread of {round(left / spread[j], 9) * spread[j]:.2g}, "
                    f"{columns[0].words()} alone one of {spread[j]:.2g}.",
                )
    return None


def _sum(columns: Sequence[Column], weights: Sequence[float]) -> _Read:
    """Return a weighted sum of numbers, the first with weight 1."""
    each = [*zip(columns, weights, strict=True)]
    terms = [
        f"{' − ' if w < 0 else ' + '}{'' if abs(w) == 1 else f'{abs(w):.3g}·'}{column.words()}"
        for column, w in each
        if w
    ]
    return _Read(
        lambda outputs: np.asarray(sum(column.read(outputs) * w for column, w in each)),
        "".join(terms)[3:],
    )


def _together(judge: _Judge, parts: Sequence[Feature], learned: Rule) -> Cause | None:
    """Name the parts that carry the bound together, as few as do, or that ``learned`` reads."""
    a, b = judge.learned
    needed = _needed(weigh([*parts], a, b), *judge.unseen)
    if len(needed) < 2:
        return None
    rules = [
        judge.cut(reweigh(needed[:k], a, b))
        for k in sorted({2, 3, 4, 6, 8, 12, 24, len(needed)})
        if k <= len(needed)
    ]
    most = max(map(judge.promises, rules))
    for rule in rules:
        if judge.promises(rule) >= max(most - (1 - NEARLY) * abs(most), judge.least):
            result: Any = rule.score
            named = [part.feature for part in result.parts[:MOST_NAMED]]
            alone = _single(judge, [item for item in named if isinstance(item, Column)])
            return alone or _several(_first_of(result.parts))
    if isinstance(learned.unrounded, Weighted):
        return _several(_first_of(needed))
    if isinstance(_read_by(learned), Aggregate):
        # Its words do not say which of all numbers matter to it.
        return _several(f"{_first_of(needed)}; {judge.event(learned)}")
    return None


def _first_of(parts: Sequence[Named]) -> str:
    several = f"{len(parts)} parts, first " if len(parts) > MOST_NAMED else ""
    return several + _all(sorted(part.name for part in parts[:MOST_NAMED]))


def _needed(score: Weighted, a: Encoded, b: Encoded) -> list[Named]:
    """Return the parts of a score that tell something of the side of outputs that were held back.

    Where a part is set to its mean, the likelihood of the sides must fall, paired by output, by
    more than luck makes it for any of the parts with probability ``LUCK``.
    """
    if len(score.parts) < 2:
        return []
    columns, labels = design(score.parts, a, b)
    shares, sign = columns * score.weights, 1 - 2 * labels[:, None]
    total = shares.sum(axis=1, keepdims=True)
    without = total - shares + shares.mean(axis=0)
    fall = np.logaddexp(0, sign * without) - np.logaddexp(0, sign * total)
    errors = -ndtri(LUCK / len(score.parts)) * math.sqrt(len(fall))
    needed = fall.sum(axis=0) > errors * fall.std(axis=0)
    return [part for part, item in zip(score.parts, needed, strict=True) if item]


def _all(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}"


def _without_noise(name: str, x: str, y: str) -> Cause:
    sentence = (
        f"There is no noise: {name} is {x} in every run under D and {y} in every run under D′."
    )
    return Cause(CauseKind.NO_NOISE, sentence)


def _unlike(x: Any, y: Any) -> list[str]:
    """Return numbers of either side with as many digits, at least six, as show that they differ."""
    whole = all(float(one).is_integer() for one in (*x, *y))
    for digits in range(15 if whole else 6, 18):
        texts = [", ".join(f"{one:.{digits}g}" for one in side) for side in (x, y)]
        if texts[0] != texts[1]:
            break
    return texts


def _encoded(values: Floats, pattern: Any = 0) -> Encoded:
    none = np.zeros(len(values), dtype=np.int64)
    return Encoded(none + pattern, values, none)


def _among(feature: Feature, known: Any) -> _Read:
    """Return some values of a feature; NaN in the place of all others."""

    def read(outputs: Encoded) -> Floats:
        x = feature.read(outputs)
        return np.where(np.isin(x, known), x, np.nan)

    return _Read(read)


def _finite(x: Floats) -> Floats:
    return x[np.isfinite(x)]


def _atom(x: Floats, y: Floats) -> float | None:
    """Return a value that is frequent in x and rare in y, where that is no small set of values."""
    if not (len(x) and len(y)):
        return None
    values, counts = np.unique(x, return_counts=True)
    best = int(np.argmax(counts))
    share = counts[best] / len(x)
    other = float(np.count_nonzero(y == values[best])) / len(y)
    rare = len(values) * REPEATED > len(x) or other == 0
    return float(values[best]) if share > POINT and other < share / 10 and rare else None


def _spread(x: Floats) -> float:
    return float(np.mean(np.abs(x - np.median(x)))) if len(x) else 0.0
