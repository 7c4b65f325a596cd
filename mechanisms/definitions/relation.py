"""Neighboring relations: which two datasets differ in one data point, and where they differ.

An intervention do(D_i = d) makes a neighbor by replacing a data point.
"""

import copy
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from .parameters import NotNeighborsError, UsageError

BLOCK = 4096
"""Records that are compared at a time."""


def records(data: Any) -> Any:
    """Return ``data`` as something with a length whose entries are its records.

    Arrays, sequences and data frames (records along the first axis); a number or None is one
    record.
    """
    if hasattr(data, "iloc"):
        return list(data.itertuples(index=False)) if data.ndim == 2 else data.tolist()
    if isinstance(data, np.ndarray):
        return data if data.ndim else data.reshape(1)
    if isinstance(data, list | tuple | str | bytes | range):
        return data
    return [data]


def record_key(record: Any) -> Hashable:
    """Return a key under which equal records, and only they, meet; NaN equals NaN."""
    # Nearly all, and quicker told than what follows.
    if type(record) in (bool, int, str) or (type(record) is float and record == record):
        return ("value", record)
    if isinstance(record, np.ndarray):
        return ("array", record.shape, tuple(map(record_key, record.ravel().tolist())))
    if isinstance(record, np.generic):
        return record_key(record.item())
    if isinstance(record, list | tuple):
        return ("sequence", tuple(map(record_key, record)))
    if isinstance(record, dict):
        return ("mapping", tuple(sorted((repr(k), record_key(v)) for k, v in record.items())))
    if isinstance(record, float) and record != record:
        return ("nan",)
    if type(record).__name__ == "NAType":
        return ("missing",)  # pandas' own, which equals nothing, and not even differs.
    try:
        hash(record)
    except TypeError:
        return ("repr", repr(record))
    return ("value", record)


def by_position(data: Any) -> Any:
    """Return what gives records of a dataset, or stretches of it, by their positions."""
    return data.iloc if hasattr(data, "iloc") else records(data)


def number_of(data: Any) -> int:
    """Return the number of records of a dataset."""
    return len(data if hasattr(data, "iloc") else records(data))


def unshared(d: Any, d_prime: Any) -> tuple[int, Any, Any]:
    """Return two datasets without blocks of equal records that both begin with or end with.

    First of all, how many records were left off at the beginning. Neighbors share nearly all.
    """
    both, ends, first = (d, d_prime), [number_of(d), number_of(d_prime)], 0

    def same(starts: Sequence[int]) -> bool:
        if min(ends) - first < BLOCK:
            return False
        return _same(*(by_position(x)[i : i + BLOCK] for x, i in zip(both, starts, strict=True)))

    while same((first, first)):
        first += BLOCK
    while same([end - BLOCK for end in ends]):
        ends = [end - BLOCK for end in ends]
    one, other = (by_position(x)[first:end] for x, end in zip(both, ends, strict=True))
    return first, one, other


def _same(one: Any, other: Any) -> bool:
    """Return whether two blocks are seen to hold the same records, without a look at each."""
    if type(one) is not type(other):
        return False
    if hasattr(one, "iloc"):
        if one.ndim == 2:
            columns = [[x.iloc[:, j] for j in range(x.shape[1])] for x in (one, other)]
            return one.shape == other.shape and all(map(_same, *columns))
        if one.dtype != object:
            return bool(one.array.equals(other.array))
        one, other = one.tolist(), other.tolist()
    try:
        if isinstance(one, np.ndarray):
            return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))
        return bool(one == other)
    except Exception:  # whatever a comparison of a user's records may raise
        return False


def changed_rows(d: Any, d_prime: Any) -> list[int]:
    """Return the positions at which two datasets of equal length hold different records."""
    first, one, other = unshared(d, d_prime)
    pairs = zip(records(one), records(other), strict=True)
    # Neighbors mostly share their records: no key is needed to see that one equals itself.
    differ = (a is not b and record_key(a) != record_key(b) for a, b in pairs)
    return [first + i for i, changed in enumerate(differ) if changed]


@dataclass(frozen=True)
class Intervention:
    """The intervention do(D_i = d): data point ``index`` is set to ``value``, nothing else moves.

    Source: Tschantz, Sen, Datta, Differential Privacy as a Causal Property, section 4 and
    Definition 7.
    """

    index: int
    value: Any

    def apply(self, data: Any) -> Any:
        """Return a new dataset with the data point set; ``data`` itself is never changed.

        Arrays, lists, tuples and data frames are taken; raises ``UsageError`` where ``index`` is
        not a position in ``data``, or where the value does not fit its type or shape.
        """
        n = number_of(data)
        if not 0 <= self.index < n:
            raise UsageError(f"do(D[{self.index}] = …): the dataset has positions 0 to {n - 1}")
        if isinstance(data, tuple):
            return (*data[: self.index], self.value, *data[self.index + 1 :])
        changed = copy.deepcopy(data)
        try:
            if isinstance(changed, np.ndarray):
                self._refuse_lossy(changed)
            (changed.iloc if hasattr(changed, "iloc") else changed)[self.index] = self.value
        except UsageError:
            raise
        except (TypeError, ValueError, OverflowError) as error:
            raise UsageError(
                f"{self.words()}: the value does not fit the dataset: {error}"
            ) from error
        return changed

    def _refuse_lossy(self, array: np.ndarray[Any, Any]) -> None:
        given = np.asarray(self.value)
        cast = given.astype(array.dtype)
        if not np.array_equal(cast, given, equal_nan=cast.dtype.kind in "fc"):
            raise UsageError(
                f"{self.words()}: the value changes when stored in an array of {array.dtype}"
            )

    def words(self) -> str:
        """Return ``do(D[i] = d)`` with the numbers in place."""
        return f"do(D[{self.index}] = {short(self.value)})"


def of_one_field(rows: Sequence[Any]) -> list[Any]:
    """Return records; where all are tuples of one field, what stands in it."""
    single = all(isinstance(row, tuple) and len(row) == 1 for row in rows)
    return [row[0] for row in rows] if single else list(rows)


def difference_words(d: Any, d_prime: Any) -> str:
    """Return in words how D′ comes from D: ``D′ = do(D[3] = 7)``, one record more, or both."""
    n, n_prime = number_of(d), number_of(d_prime)
    if n == n_prime:
        changed = changed_rows(d, d_prime)
        if len(changed) == 1:
            return f"D′ = {Intervention(changed[0], _named(d_prime, changed[0])).words()}"
    if abs(n - n_prime) == 1 and max(n, n_prime) > 1:
        more = n_prime > n
        which = _extra(d_prime, d) if more else _extra(d, d_prime)
        one = "more record" if more else "record fewer"
        sentence = f"D′ has one {one} ({n_prime} instead of {n})"
        return sentence if which is None else f"{sentence}: {short(which)}"
    return f"D′ = {short(d_prime)}"


def _named(data: Any, index: int) -> Any:
    """Return a record; that of a data frame with the names of its fields."""
    row = by_position(data)[index : index + 1]
    frame = hasattr(row, "iloc") and row.ndim == 2
    return row.to_dict("records")[0] if frame else records(row)[0]


def _extra(longer: Any, shorter: Any) -> Any:
    """Return the record that only the longer dataset has."""
    _, fewer, more = unshared(shorter, longer)
    left = Counter(map(record_key, records(fewer)))
    for index, record in enumerate(records(more)):
        key = record_key(record)
        if not left[key]:
            return _named(more, index)
        left[key] -= 1
    return None


def counted(number: int, what: str) -> str:
    """Return a number with its noun: ``1 audit``, ``2 audits``, ``1,000 guesses``."""
    ending = "es" if what.endswith("s") else "s"
    many = f"{what[:-1]}ies" if what.endswith(("ary", "ily")) else what + ending
    return f"{number:,} {what if number == 1 else many}"


def cut(text: str, limit: int) -> str:
    """Return a text of at most ``limit`` characters (40 or more), with a mark of what is left off.

    Where that is nothing, and so of a text that was cut already, it is the text itself.
    """
    if len(text) <= limit:
        return text
    mark = f"… ({len(text) - limit + 40:,} more characters)"
    return text[: limit - 40] + mark


def one_line(error: BaseException, limit: int = 300) -> str:
    """Return the type of an exception and what it says, if anything, as one line."""
    words, kind = cut(" ".join(str(error).split()), limit), type(error).__name__
    return f"{kind}: {words}" if words else kind


def short(value: Any, limit: int = 120) -> str:
    """Return a one-line text of a value, cut in the middle past ``limit`` characters.

    Where more is left off than a reader would guess, it says how much.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if hasattr(value, "iloc"):
        if value.size > 40 and len(value) > 1:
            ends = (short(_named(value, at), limit // 3) for at in (0, len(value) - 1))
            return f"{counted(len(value), 'record')}, from {' to '.join(ends)}"
        value = value.to_dict("records") if value.ndim == 2 else value.tolist()
    if isinstance(value, np.ndarray):
        if value.size > 40 and len(value) > 1:
            return f"array of shape {value.shape}"
        value = value.tolist()
    try:
        text = repr(value)
    except Exception:  # Whatever a user's __repr__ may raise, and Python of a very large integer.
        return f"a {type(value).__name__} that cannot be shown"
    # Spaces of a text are part of it; those of a picture in several lines are not.
    text = " ".join(text.split()) if "\n" in text else text
    if len(text) <= limit:
        return text
    told = len(text) > 10 * limit and limit >= 60
    half = (limit - (33 if told else 3)) // 2
    gap = f"… ({len(text) - 2 * half:,} characters) …" if told else "…"
    return f"{text[:half]} {gap} {text[-half:]}"


@runtime_checkable
class NeighboringRelation(Protocol):
    """A symmetric relation between datasets."""

    def check(self, d: Any, d_prime: Any) -> None:
        """Return if the two are neighbors; otherwise raise ``NotNeighborsError`` saying why."""
        ...

    def words(self) -> str:
        """Return the relation's name as the field writes it."""
        ...


def check_neighbors(d: Any, d_prime: Any, relation: NeighboringRelation | None) -> None:
    """Raise ``UsageError`` unless two datasets are neighbors; without a relation, where they agree.

    Whatever a relation's own check raises comes through. Objects of a type that is not known agree
    only where they are one and the same.
    """
    if relation is not None:
        relation.check(d, d_prime)
        return
    known = hasattr(d, "iloc") or isinstance(d, np.ndarray | list | dict | Hashable)
    alike = known and number_of(d) == number_of(d_prime) and not changed_rows(d, d_prime)
    if d is d_prime or alike:
        raise UsageError("pair: D and D′ are the same, so that nothing can tell them apart")


@dataclass(frozen=True)
class ReplaceOne:
    """Both datasets have the same number of records and differ in exactly one of them.

    Records stand along the first axis. This is the relation of an intervention do(D_i = d)
    (Tschantz, Sen, Datta 2022, Definitions 5 to 8).
    """

    def check(self, d: Any, d_prime: Any) -> None:
        """Raise ``NotNeighborsError`` unless exactly one record differs."""
        n, n_prime = number_of(d), number_of(d_prime)
        if n != n_prime:
            raise NotNeighborsError(
                f"pair: D has {counted(n, 'record')} and D′ has {n_prime}; "
                "replace-one neighbors have the same number"
            )
        changed = changed_rows(d, d_prime)
        if len(changed) != 1:
            differ = f"differ in {counted(len(changed), 'record')}" if len(changed) else "are equal"
            raise NotNeighborsError(
                f"pair: D and D′ {differ}; replace-one neighbors differ in exactly 1"
            )

    def words(self) -> str:
        """Return ``replace-one``."""
        return "replace-one"


@dataclass(frozen=True)
class AddOrRemoveOne:
    """One dataset is the other with one record more; the order of records does not count.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, section 2.3
    (databases at distance 1 in the ℓ1 norm of their histograms).
    """

    def check(self, d: Any, d_prime: Any) -> None:
        """Raise ``NotNeighborsError`` unless one is the other with one record added."""
        short, long = sorted((d, d_prime), key=number_of)
        if number_of(long) != number_of(short) + 1:
            raise NotNeighborsError(
                f"pair: the datasets have {number_of(short)} and {number_of(long)} records; "
                "add-or-remove-one neighbors differ by 1 in length"
            )
        counts = (Counter(map(record_key, records(x))) for x in unshared(short, long)[1:])
        missing = next(counts) - next(counts)
        if missing:
            lacking = counted(missing.total(), "record")
            raise NotNeighborsError(
                f"pair: the larger dataset lacks {lacking} of the smaller; "
                "add-or-remove-one neighbors differ in one record only"
            )

    def words(self) -> str:
        """Return ``add-or-remove-one``."""
        return "add-or-remove-one"


@dataclass(frozen=True)
class BoundedAnswers:
    """Datasets are vectors of query answers; neighbors move each answer by at most ``sensitivity``.

    monotone: all answers move in the same direction (counting queries under add-or-remove-one).
    at_most: how many answers may move at all (1 for the cells of a histogram under
        add-or-remove-one); ``None`` for any number.

    This is how StatDP and Lyu, Su and Li state the sparse vector technique: the mechanism sees a
    dataset only through its queries, each of sensitivity Δ.
    """

    sensitivity: float = 1.0
    monotone: bool = False
    at_most: int | None = None

    def __post_init__(self) -> None:
        if not self.sensitivity > 0:
            raise UsageError(f"sensitivity is {self.sensitivity!r}: it must be above 0")

    def check(self, d: Any, d_prime: Any) -> None:
        """Raise ``NotNeighborsError`` unless no answer moves by more than the sensitivity."""
        a, b = np.asarray(d, dtype=float), np.asarray(d_prime, dtype=float)
        if a.shape != b.shape:
            raise NotNeighborsError(
                f"pair: D has shape {a.shape} and D′ {b.shape}; vectors of answers to the same "
                "queries have the same shape"
            )
        move = b - a
        worst = float(np.max(np.abs(move), initial=0.0))
        # Written so that a NaN, which compares false, is refused too.
        if not worst <= self.sensitivity:
            raise NotNeighborsError(
                f"pair: an answer moves by {worst:g}; neighbors move each answer by at most "
                f"{self.sensitivity:g}"
            )
        if self.monotone and np.any(move > 0) and np.any(move < 0):
            raise NotNeighborsError("pair: answers move in both directions; the relation has one")
        moved = int(np.count_nonzero(move))
        if self.at_most is not None and moved > self.at_most:
            raise NotNeighborsError(
                f"pair: {counted(moved, 'answer')} changed; neighbors change at most {self.at_most}"
            )

    def words(self) -> str:
        """Return the relation in words, with its numbers."""
        number = "each" if self.at_most is None else f"at most {self.at_most}"
        way = ", all in one direction" if self.monotone else ""
        return f"answers of sensitivity {self.sensitivity:g} ({number} moves{way})"


RELATIONS: dict[str, NeighboringRelation] = {
    relation.words(): relation for relation in (ReplaceOne(), AddOrRemoveOne())
}
"""Those that need no numbers, by their names."""
