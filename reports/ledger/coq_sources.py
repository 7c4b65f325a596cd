"""The files of ``proofs/coq``: their texts, what each requires, and digests of what they say."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from importlib import resources
from pathlib import Path
from typing import Final

from provado.mechanisms import UsageError

ROOT: Final = Path(str(resources.files("provado.proofs"))) / "coq"
"""Where the files stand; Coq knows the folder as ``Provado``."""

_REQUIRE = re.compile(
    r"From\s+Provado(\.[\w.]+)?\s+Require(?:\s+(?:Import|Export))?\s+([\w.\s]+?)\.\s"
)
_COMMENT = re.compile(r'\(\*|\*\)|"[^"]*"')


def texts(root: Path = ROOT) -> dict[str, str]:
    """Return every file's text by its name with dots, ``tschantz2022.prop1``."""
    return {
        ".".join(file.relative_to(root).with_suffix("").parts): file.read_text("utf-8")
        for file in sorted(root.rglob("*.v"))
    }


def without_comments(text: str) -> str:
    """Return a file's text without comments, one space for each run of white space."""
    kept, depth, at = [], 0, 0
    for found in _COMMENT.finditer(text):
        if depth == 0:
            kept.append(text[at : found.start()])
        at = found.end()
        if found[0] == "(*":
            depth += 1
        elif found[0] == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(found[0])
    return " ".join("".join([*kept, text[at:]]).split())


def digest(text: str) -> str:
    """Return a digest of what a file says, comments aside."""
    return hashlib.sha256(without_comments(text).encode()).hexdigest()[:16]


def requires(text: str) -> tuple[str, ...]:
    """Return the files of ours that a file requires."""
    bare = f"{without_comments(text)} "
    return tuple(
        f"{folder[1:]}.{name}" if folder else name
        for folder, names in _REQUIRE.findall(bare)
        for name in names.split()
    )


def closure(names: Iterable[str], files: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the named files and all that they require, with what each requires, in that order.

    Raises ``UsageError`` for a file that is not there.
    """
    graph: dict[str, tuple[str, ...]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in graph:
            continue
        if name not in files:
            raise UsageError(f"proofs/coq: there is no file {name.replace('.', '/')}.v")
        graph[name] = requires(files[name])
        waiting += graph[name]
    return {name: graph[name] for name in TopologicalSorter(graph).static_order()}
