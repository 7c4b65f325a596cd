"""How to run one test again, with exactly the same draws, counts and verdict."""

import os
import shlex
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from .settings import SessionSettings


def run_again(
    item: pytest.Item, settings: SessionSettings, *, share: float | None, samples: int | str | None
) -> str:
    """Return the ``pytest`` command for one test.

    share: the test's share of the chance of a false alarm, where it makes audits. samples: the
    number of trials where it came from the settings or from a time.
    """
    place, colons, name = item.nodeid.partition("::")
    # Node ids are relative to the root, what is typed to the current folder.
    place = os.path.relpath(item.config.rootpath / place, settings.folder)
    words = ["pytest", f"{place}{colons}{name}", "--provado-seed"]
    words.append(str(settings.seed))
    if share is not None:
        words += ["--provado-share", repr(share)]
    if samples is not None:
        words += ["--provado-samples", str(samples)]
    return shlex.join([*words, *settings.again])


def session_again(arguments: Sequence[str], seed: int) -> str:
    """Return the command that repeats a session which drew its seed."""
    kept = [word for word in arguments if word != "--provado-nightly"]
    return shlex.join(["pytest", *kept, "--provado-seed", str(seed)])


def in_python(name: str, arguments: dict[str, Any], call: str = "audit") -> str:
    """Return the call of a function of ``provado.audit``; what has no short text is named."""
    callee = name.rpartition(".")[2]
    words = [callee if callee.isidentifier() else "mechanism"]
    words += [f"{key}={literal(value, key)}" for key, value in arguments.items()]
    return f"provado.audit.{call}({', '.join(words)})"


def literal(value: Any, name: str, longest: int = 400) -> str:
    """Return Python text that makes ``value`` again, or ``name`` where there is no short one."""
    text = _text(value)
    return name if text is None or len(text) > longest else text


def _text(value: Any) -> str | None:
    from provado.mechanisms.definitions import relation

    if value is None or isinstance(value, bool | int | str | bytes | float):
        return repr(value) if type(value).__module__ == "builtins" else None
    if isinstance(value, Fraction) or type(value).__module__ == relation.__name__:
        return repr(value)
    if type(value) in (list, tuple):
        parts = [_text(one) for one in value]
        if any(part is None for part in parts):
            return None
        inside = ", ".join(str(part) for part in parts)
        if type(value) is list:
            return f"[{inside}]"
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    if type(value).__name__ == "ndarray" and value.size <= 40 and value.dtype.kind in "biuf":
        return f"np.array({value.tolist()!r}, dtype={value.dtype.name!r})"
    return None
