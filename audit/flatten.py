"""One output as a key (everything but its numbers) and a list of numbers; and back as text."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator
from operator import itemgetter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .raised import Raised

_NUMBER = ("array", ())
_TOO_LARGE = 2**1023
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def flatten(output: Any, leaves: list[float]) -> Hashable:
    """Append the numbers of one output to ``leaves``; return the key of everything else.

    Types of Python objects belong to the key: 1, 1.0 and True differ. Arrays are compared by
    shape and numbers, as by ``flatten_plain``.
    """
    if type(output) is str:  # as most entries of long outputs
        return ("str", output)
    if isinstance(output, np.ndarray):
        return flatten_plain(output, leaves)
    if isinstance(output, np.generic):
        return (type(output).__name__, flatten(_python(output), leaves))
    if isinstance(output, bool):
        return ("bool", output)
    if isinstance(output, int):
        return ("int",) if _append(output, leaves) else ("int", output)
    if isinstance(output, float):
        leaves.append(output)
        return ("float",)
    if isinstance(output, complex):
        leaves += [output.real, output.imag]
        return ("complex", ("float",), ("float",))
    if isinstance(output, list | tuple):
        return (type(output).__name__, *(flatten(entry, leaves) for entry in output))
    if isinstance(output, dict):
        items = sorted(((repr(k), v) for k, v in output.items()), key=itemgetter(0))
        return ("dict", *((name, flatten(v, leaves)) for name, v in items))
    return _thing(output, leaves)


def flatten_plain(output: Any, leaves: list[float]) -> Hashable:
    """Do the same for an entry of an array, whose type says nothing of the entry.

    A number is a number whatever its type, and a sequence of like entries is an array: a batch
    with one entry more or other may come as an array of another type.
    """
    if isinstance(output, np.generic):
        output = _python(output)
    if isinstance(output, np.ndarray):
        if output.dtype.kind in "biufcmM":
            array = real(output)
            leaves += array.ravel().tolist()
            return ("array", array.shape)
        output = output.tolist()
    if isinstance(output, int):
        return _NUMBER if _append(int(output), leaves) else ("int", output)
    if isinstance(output, float):
        leaves.append(output)
        return _NUMBER
    if isinstance(output, complex):
        leaves += [output.real, output.imag]
        return ("array", (2,))
    if isinstance(output, list | tuple):
        entries = [flatten_plain(entry, leaves) for entry in output]
        first: Any = entries[0] if entries else _NUMBER
        if first[0] == "array" and all(entry == first for entry in entries):
            return ("array", (len(entries), *first[1]))
        return ("sequence", *entries)
    if isinstance(output, dict):
        items = sorted(((repr(k), v) for k, v in output.items()), key=itemgetter(0))
        return ("dict", *((name, flatten_plain(v, leaves)) for name, v in items))
    return _thing(output, leaves)


def real(array: NDArray[Any]) -> NDArray[Any]:
    """Return complex numbers as pairs of real ones and times as whole numbers."""
    if array.dtype.kind == "c":
        return np.stack([array.real, array.imag], axis=-1)
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def left_off(value: int) -> int:
    """Return what rounding a whole number to a double leaves off, reduced to 61 bits."""
    rest = value - int(float(value))
    return rest if abs(rest) < 2**61 else rest % (2**61 - 1)


def outline(key: Any) -> Hashable:
    """Return a key without text, names of keys, and numbers too large for a double."""
    name, *rest = key
    if name == "array":
        return cast(Hashable, key)
    if name == "dict":
        return (name, *(outline(entry) for _, entry in rest))
    if name == "raised":
        return (name, rest[0])
    return (name, *(outline(entry) for entry in rest if isinstance(entry, tuple)))


def spell(key: Any, leaves: Iterator[float]) -> str:
    """Return the text of an output from its key, taking its numbers from ``leaves``."""
    name, *rest = key
    if name == "array":
        texts = [_number(next(leaves)) for _ in range(math.prod(rest[0]))]
        return texts[0] if rest[0] == () else "(" + ", ".join(texts) + ")"
    if name == "raised":
        return f"raised {rest[0]}: {rest[1]}"
    if name in ("int", "float") and not rest:
        return _number(next(leaves))
    if name == "dict":
        return "{" + ", ".join(f"{k}: {spell(v, leaves)}" for k, v in rest) + "}"
    if name in ("tuple", "list", "sequence", "complex"):
        return "(" + ", ".join(spell(entry, leaves) for entry in rest) + ")"
    if len(rest) == 1 and isinstance(rest[0], tuple):
        return spell(rest[0], leaves)
    return repr(rest[0]) if name in ("str", "bytes", "bool", "NoneType") else str(rest[0])


def _thing(output: Any, leaves: list[float]) -> Hashable:
    """Return the key of what is no number, sequence or dictionary."""
    if isinstance(output, Raised):
        return ("raised", output.kind, output.pattern)
    if output is None or isinstance(output, str | bytes):
        return (type(output).__name__, output)
    if isinstance(output, set | frozenset):
        return ("set", "{" + ", ".join(sorted(map(repr, output))) + "}")
    if hasattr(output, "to_numpy"):
        return (type(output).__name__, flatten_plain(_labelled(output), leaves))
    # An address in a default repr says where an object lies, not what it is.
    return (type(output).__name__, _ADDRESS.sub("", repr(output)))


def _labelled(output: Any) -> Any:
    """Return the values of a series or a data frame by its labels, where these are no numbers."""
    labels = getattr(output, "columns", getattr(output, "index", ()))
    texts = all(isinstance(label, str) for label in labels) and len(set(labels)) == len(labels)
    if not len(labels) or not texts:
        return output.to_numpy()
    return {label: np.asarray(output[label])[()] for label in labels}


def leaf_names(key: Any, prefix: str = "output") -> Iterator[str]:
    """Yield the name of each number of an output in a sentence: ``output['rome']``."""
    name, *rest = key
    if name == "array":
        for place in np.ndindex(*rest[0]):
            yield f"{prefix}[{', '.join(map(str, place))}]" if place else prefix
    elif name == "dict":
        for label, entry in rest:
            yield from leaf_names(entry, f"{prefix}[{label}]")
    elif name in ("tuple", "list", "sequence"):
        for i, entry in enumerate(rest):
            yield from leaf_names(entry, f"{prefix}[{i}]")
    elif name == "complex":
        yield from (f"real part of {prefix}", f"imaginary part of {prefix}")
    elif name in ("int", "float") and not rest:
        yield prefix
    elif len(rest) == 1 and isinstance(rest[0], tuple):
        yield from leaf_names(rest[0], prefix)


def _append(number: int, leaves: list[float]) -> bool:
    """Append a whole number if a double can hold one of its size."""
    small = -_TOO_LARGE < number < _TOO_LARGE
    if small:
        leaves.append(number)
    return small


def _python(value: Any) -> Any:
    """Return a NumPy scalar as a Python object; the widest floats stay as they are otherwise."""
    item = value.item()
    if isinstance(item, np.generic):
        return complex(item) if isinstance(item, np.complexfloating) else float(item)
    return item


def _number(value: float) -> str:
    whole = math.isfinite(value) and abs(value) < 1e15 and value == int(value)
    return str(int(value)) if whole else f"{value:.10g}"
