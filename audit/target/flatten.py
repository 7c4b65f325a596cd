"""One output as a key (everything but its numbers) and a list of numbers; and back as text."""

import datetime
import hashlib
import math
import re
from collections.abc import Callable, Hashable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exceptions import LARGEST, NUMBER, Raised
from .output_metadata import MOST_WORDS, OutputReading
from .output_types import (
    BETWEEN,
    Taken,
    UnreadError,
    dtype_words,
    inside,
    is_code,
    layout_words,
    name_of,
    padded,
    parts_of,
    short_name,
)

_NUMBER, _FLOAT, _INT, _FLOATS = ("array", ()), ("float",), ("int",), {float}
NUMBERS = "biufcmM"
"""Kinds of arrays whose entries are numbers, or times."""

_PLAIN = (str, int, float, bool, bytes, type(None), complex)
SCALARS = frozenset(np.sctypeDict.values())
"""NumPy's own types of a single number or text; subclasses of them may hold more."""

_MOMENTS = ("date", "datetime", "timedelta")
_DAY = 86_400
_IDENTIFIER, _WHOLE = re.compile(r"[A-Za-z_]\w*"), re.compile(r"-?\d+")

MOST_DEPTH, MOST_PARTS = 64, 2**17
"""Levels of an output that are read, and objects and containers in it."""

MOST_TAKEN = 1_000
"""Items that are taken from an iterator."""

Flatten = Callable[[Any, OutputReading], Hashable]


def flatten(output: Any, into: OutputReading) -> Hashable:
    """Append the numbers of one output to those read; return the key of everything else.

    Types of Python objects belong to the key: 1, 1.0 and True differ. Arrays of numbers are
    compared by shape and numbers, as by ``flatten_plain``.
    """
    kind = type(output)
    if kind is str:  # as most entries of long outputs
        into.words.append(output)
        return ("str", output)
    if kind is float:
        into.leaves.append(output)
        return ("float",)
    if kind is int and -LARGEST < output < LARGEST:
        into.leaves.append(output)
        return ("int",)
    if output is None or kind in (int, bool):
        return (kind.__name__, output)
    if kind is bytes:
        into.words.append(output.decode("latin-1"))
        return ("bytes", output)
    if kind is complex:
        into.leaves += [output.real, output.imag]
        return ("complex", ("float",), ("float",))
    if kind in SCALARS:
        return _scalar(output, into)
    if kind is Raised:
        *parts, numbers = output.parted()
        into.words.append(output.text)
        into.leaves += numbers
        return ("raised", output.kind, *parts)
    return _guarded(output, into, flatten)


def flatten_plain(output: Any, into: OutputReading) -> Hashable:
    """Do the same for an entry of an array, whose type says nothing of the entry.

    A number is a number whatever its type, and a sequence of like entries is an array: a batch
    with one entry more or other may come as an array of another type.
    """
    if type(output) in SCALARS and output.dtype.kind != "V":
        output = np.asarray(output) if output.dtype.kind in NUMBERS else output.item()
    if type(output) is np.ndarray and output.dtype.names is None:
        if output.dtype.kind in NUMBERS:
            return _numbers(output, into)
        output = output.tolist()
    kind = type(output)
    if kind is float or (kind in (int, bool) and -LARGEST < output < LARGEST):
        into.leaves.append(output)
        return _NUMBER
    if kind is complex:
        return _numbers(np.asarray(output), into)
    if kind in (list, tuple, dict):
        return _guarded(output, into, flatten_plain)
    return flatten(output, into)


def _numbers(array: NDArray[Any], into: OutputReading) -> Hashable:
    array = real(array)
    into.leaves += array.ravel().tolist()
    return ("array", array.shape)


def _guarded(output: Any, into: OutputReading, entry: Flatten) -> Hashable:
    """Return the key of what holds others: at most so deep, so many, and none inside itself."""
    above = into.active.get(id(output))
    if above is not None:
        return ("cycle", len(into.active) - above)
    if (first := _first(output, into)) is not None:
        return ("of", f"part {first} again", ("", _parted(output, into, entry)))
    return _parted(output, into, entry)


def _first(output: Any, into: OutputReading) -> int | None:
    """Return the number of the part that is this very object, where it is distinguishable."""
    hashed: Any = type(output).__hash__
    if hashed not in (None, object.__hash__) or is_code(output):
        return None
    if id(output) in into.seen:
        return into.seen[id(output)][0]
    into.seen[id(output)] = len(into.seen), output
    return None


def _parted(output: Any, into: OutputReading, entry: Flatten) -> Hashable:
    into.parts += 1
    kind, parts = type(output), output
    try:
        if len(into.active) >= MOST_DEPTH:
            raise UnreadError(f"more than {MOST_DEPTH} levels deep")
        if into.parts > MOST_PARTS:
            raise UnreadError(f"beyond the first {MOST_PARTS:,} parts")
        if kind is dict:
            parts = [(_label(key, into), key, value) for key, value in output.items()]
        elif kind not in (list, tuple, set, frozenset, Taken, np.ndarray):
            parts = parts_of(output)
    except MemoryError:
        raise
    except Exception as error:  # whatever code of a user's object may raise
        raised = f"reading it raised {type(error).__name__}"
        return _unread(output, into, str(error) if type(error) is UnreadError else raised)
    into.active[id(output)] = len(into.active)
    try:
        if kind in (list, tuple):
            return _sequence(output, into, entry)
        if kind is dict:
            return _dictionary(parts, into, entry)
        if kind in (set, frozenset):
            return (kind.__name__, *_sorted(output, into))
        if kind is Taken:
            return _taken(output, into)
        if kind is np.ndarray:
            return _array(output, into)
        return ("of", short_name(kind), *((k, flatten(v, into)) for k, v in parts))
    finally:
        del into.active[id(output)]


def _unread(output: Any, into: OutputReading, why: str) -> Hashable:
    into.unread = True
    return ("unread", name_of(type(output)), why)


def _sequence(output: Any, into: OutputReading, entry: Flatten) -> Hashable:
    if entry is flatten and set(map(type, output)) == _FLOATS:
        into.leaves += output
        return (type(output).__name__, *[_FLOAT] * len(output))
    if entry is flatten:
        return (type(output).__name__, *[flatten(item, into) for item in output])
    entries = [flatten_plain(item, into) for item in output]
    first: Any = entries[0] if entries else _NUMBER
    if first[0] == "array" and all(entry == first for entry in entries):
        return ("array", (len(entries), *first[1]))
    return ("sequence", *entries)


def _dictionary(items: list[tuple[str, Any, Any]], into: OutputReading, entry: Flatten) -> Hashable:
    into.keys += [key if type(key) is str else label for label, key, _ in items]
    named = sorted(items, key=itemgetter(0))
    key = ("dict", *[(label, entry(value, into)) for label, _, value in named])
    if len(items) <= MOST_WORDS:
        return key
    # So many keys are not all noted in their order.
    order = hashlib.sha256(repr([label for label, _, _ in items]).encode()).hexdigest()
    return ("of", "dict", ("", key), ("order", ("str", order)))


def _label(key: Any, into: OutputReading) -> str:
    """Return a key of a dictionary as text that hides nothing."""
    kind = type(key)
    if kind in _PLAIN or (kind is tuple and all(type(item) in _PLAIN for item in key)):
        return repr(key)
    if kind in SCALARS and key.dtype.kind not in "mMV":
        return repr(key)
    inner = into.inside()
    read = flatten(key, inner)
    if inner.unread:
        raise UnreadError(f"a key of type {name_of(kind)} is not read")
    return f"{spell(read, iter(inner.leaves))} {read} {inner.leaves}"


def _sorted(output: Any, into: OutputReading) -> list[Hashable]:
    """Return the keys of the entries of a set, in an order that depends on them alone."""
    read = []
    for item in output:
        inner = into.inside()
        key = flatten(item, inner)
        read.append((repr(key), [(x != x, x) for x in inner.leaves], key, inner))
    for *_, inner in sorted(read, key=itemgetter(0, 1)):
        into.add(inner)
    return [key for _, _, key, _ in sorted(read, key=itemgetter(0, 1))]


def _taken(taken: Taken, into: OutputReading) -> Hashable:
    """Return the key of what an iterator gives, or raises, when it is asked."""
    result: list[Hashable] = []
    given: dict[int, Any] = {}
    try:
        items = iter(taken.items)
        while len(result) < MOST_TAKEN:
            item = next(items)
            given |= inside([item])
            result.append(flatten(item, into))
        result.append(_unread(items, into, f"at least {MOST_TAKEN:,} items"))
    except StopIteration as end:
        given |= inside([end.value])
        if end.value is not None:
            result.append(("of", "returned", ("", flatten(end.value, into))))
    except MemoryError:
        raise
    except Exception as error:
        result.append(("of", "raised", ("", flatten(error.with_traceback(None), into))))
    if taken.held.keys() - given.keys():
        result.append(_unread(taken.items, into, "it holds more than its items"))
    return ("list", *result)


def _array(output: NDArray[Any], into: OutputReading) -> Hashable:
    kind = output.dtype.kind
    if into.typed:
        into.types.append(layout_words(output))
    if kind in NUMBERS:
        return _numbers(output, into)
    if padded(output.dtype):
        return _unread(output, into, BETWEEN)
    if output.dtype.names is not None:
        entry = ("dict", *((repr(n), _array(output[n], into)) for n in output.dtype.names))
        return ("of", dtype_words(output.dtype), ("", entry))
    entries = [flatten(item, into) for item in output.ravel().tolist()]
    return (f"objects {'×'.join(map(str, output.shape))}", *entries)


def _scalar(output: np.generic, into: OutputReading) -> Hashable:
    dtype = output.dtype
    if dtype.kind in "mM" or (dtype.kind in "fc" and dtype.itemsize > 8):
        return ("of", dtype_words(dtype), ("", _numbers(np.asarray(output), into)))
    if dtype.names is not None:
        return _array(np.asarray(output), into)
    return (type(output).__name__, flatten(output.item(), into))


def real(array: NDArray[Any]) -> NDArray[Any]:
    """Return complex numbers as pairs of real ones and times as whole numbers.

    Numbers with more digits than a double are pairs, too: the double, and what it leaves off.
    """
    if array.dtype.kind == "c":
        return real(np.stack([array.real, array.imag], axis=-1))
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore", invalid="ignore"):
            double = array.astype(np.float64)
            rest = np.where(np.isfinite(double), array - double, 0).astype(np.float64)
        return np.stack([double, rest], axis=-1)
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def outline(key: Any) -> Hashable:
    """Return a key without text, names of keys, and numbers too large for a double."""
    name, *rest = key
    kept = rest[: _KEPT.get(name, 0)]
    return (name, *kept, *(outline(part) for _, part in _parts(key)))


_KEPT = {"array": 1, "of": 1, "raised": 1, "unread": 1}
"""How much of the text of a key its outline has."""


def core(key: Any) -> Any:
    """Return the key of the content of an object, where it has such, else the key itself."""
    while key and key[0] == "of" and key[2:] and key[2][0] == "":
        key = key[2][1]
    return key


def labels(key: Any) -> frozenset[tuple[str, str]]:
    """Return the keys and the words that a structure holds, whatever their order."""
    result = set[tuple[str, str]]()
    for path, (name, *rest) in _paths(key, ""):
        if name == "dict":
            result.update((path, label) for label, _ in rest)
        elif _is_sequence(name) and rest and all(part[0] == "str" for part in rest):
            result.update((path, repr(part[1])) for part in rest)
    return frozenset(result)


def leaves_of(key: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield path and key of each part that holds no others; of NumPy's numbers with their type."""
    inside = [*_parts(key)]
    if not inside or inside == [("", key[1])]:
        yield path, key
        return
    for suffix, part in inside:
        yield from leaves_of(part, path + suffix)


def leaf(path: str, key: Any) -> Any:
    """Return the key of one such part of an output; of a part that is not there, an empty one."""
    return dict(leaves_of(core(key))).get(path, ("", ""))


def places(key: Any) -> Hashable:
    """Return the path of each part of a structure, and the shapes of arrays."""
    return frozenset((path, *rest[: name == "array"]) for path, (name, *rest) in _paths(key, ""))


def order_blind(key: Any) -> Hashable:
    """Return the parts of a structure, whatever their order: of containers their type alone."""
    # Of very many keys the order is a part of its own.
    parts = [part for path, part in _paths(key, "") if not path.endswith(".order")]
    return tuple(
        sorted(repr(part if next(_parts(part), None) is None else part[0]) for part in parts)
    )


def spell(key: Any, leaves: Iterator[float | None] | None) -> str:
    """Return the text of an output from its key, taking its numbers from ``leaves``.

    Without them, the type stands in the place of a number, and … in a text. One that is ``None`` is
    any number.
    """
    name, *rest = key
    if name == "array":
        if leaves is None:
            return f"array of shape {rest[0]}" if rest[0] else "number"
        texts = [_number(next(leaves)) for _ in range(math.prod(rest[0]))]
        return texts[0] if rest[0] == () else f"({', '.join(texts)})"
    if name == "raised":
        first, *others = rest[1].split(NUMBER)
        said = (("…" if leaves is None else _number(next(leaves))) + text for text in others)
        return f"raised {rest[0]}{': ' * bool(rest[1])}{first}{''.join(said)}"
    if name == "unread":
        return f"an unread {rest[0]}"
    if name in ("int", "float") and not rest:
        return name if leaves is None else _number(next(leaves))
    inside = [spell(part, leaves) for _, part in _parts(key)]
    if name == "of":
        labels = [label for label, _ in rest[1:]]
        if rest[0] in _MOMENTS and (moment := _moment(dict(zip(labels, inside, strict=True)))):
            return moment
        # What a class holds is the same for all its outputs, but for a planted leak.
        own = leaves is not None and not all(label.startswith("class ") for label in labels)
        named = [
            f"{label}={part}" if label else part
            for label, part in zip(labels, inside, strict=True)
            if not (own and label.startswith("class "))
        ]
        return f"{rest[0].rpartition('.')[2]}({', '.join(named)})"
    if name == "dict":
        inside = [f"{k}: {v}" for (k, _), v in zip(rest, inside, strict=True)]
    if name in ("dict", "set", "frozenset"):
        return f"{{{', '.join(inside)}}}"
    if _is_sequence(name):
        return f"({', '.join(inside)})"
    if inside and leaves is None and rest[0] in (_FLOAT, _INT):  # The type tells it from others.
        return str(name)
    if inside:
        return f"a number ({name})" if inside[0] == "a number" else inside[0]
    return repr(rest[0]) if name in ("str", "bytes", "bool", "NoneType") else str(rest[0])


def leaf_names(key: Any) -> Iterator[str]:
    """Yield the name of each number of an output in a sentence: ``output['rome']``."""
    for path, (name, *rest) in _paths(key, "output"):
        if name == "array":
            for place in np.ndindex(*rest[0]):
                yield f"{path}[{', '.join(map(str, place))}]" if place else path
        elif name in ("int", "float") and not rest:
            yield path
        elif name == "raised":
            yield from (f"number {i + 1} of the message" for i in range(rest[1].count(NUMBER)))


def unread_parts(key: Any, path: str = "output") -> Iterator[tuple[str, str]]:
    """Yield the path of each part of an output that stayed unread, and its type with the reason."""
    for where, (name, *rest) in _paths(key, path):
        if name == "unread":
            yield where, f"{rest[0]} ({rest[1]})"


def _paths(key: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield path and key of an output and of each of its parts, from the outside in."""
    yield path, key
    for suffix, part in _parts(key):
        yield from _paths(part, path + suffix)


def _parts(key: Any) -> Iterator[tuple[str, Any]]:
    """Yield the key of each part of what holds others, and what its path has more."""
    name, *rest = key
    if name == "dict":
        yield from ((f"[{label}]", part) for label, part in rest)
    elif name == "of":
        for label, part in rest[1:]:
            dotted = f".{label}" if _IDENTIFIER.fullmatch(label) else f" ({label})"
            yield (dotted if label else ""), part
    elif name == "complex":
        yield from zip((".real", ".imag"), rest, strict=True)
    elif _is_sequence(name):
        yield from ((f"[{i}]", part) for i, part in enumerate(rest))
    elif rest and isinstance(rest[0], tuple) and name != "array":
        yield "", rest[0]


def _is_sequence(name: str) -> bool:
    return name in _SEQUENCES or name.startswith("objects ")


_SEQUENCES = ("tuple", "list", "sequence", "complex", "set", "frozenset")


def _moment(parts: dict[str, str]) -> str:
    """Return a date, a time of a day or a duration from its parts in words; else nothing."""
    named, numbers = " ".join(parts), [int(one) for one in parts.values() if _WHOLE.fullmatch(one)]
    if named == "seconds microseconds" and len(numbers) == 2:
        return str(datetime.timedelta(0, *numbers))
    if named == "day" and numbers:
        return str(datetime.date.fromordinal(numbers[0]))
    zoned = named == "seconds microseconds tzinfo fold" and parts["tzinfo"] == "None"
    if zoned and numbers[2:] == [0] and numbers[0] >= _DAY:
        return str(datetime.datetime.min + datetime.timedelta(-1, *numbers[:2]))
    return ""


def _number(value: float | None) -> str:
    if value is None:
        return "a number"
    is_whole = math.isfinite(value) and abs(value) < 1e15 and value == int(value)
    return str(int(value)) if is_whole else f"{value:.10g}"
