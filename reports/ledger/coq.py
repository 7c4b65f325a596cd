"""The files of ``proofs/coq``, what each requires, their digests, and the compiler."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
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


VARIABLE: Final = "COQC"
"""Names the compiler in the environment; ``none`` for no replays."""

TIME_LIMIT = 300.0
"""Seconds that one file may take."""

COMMAND: Final = "make verify-formal"
"""What replays every theorem from a clone."""


_PROBE = (
    "From mathcomp Require Import all_ssreflect all_algebra.\nCheck @Num.Theory.ler_pdivr_mulr.\n"
)
"""What version 2 of mathcomp calls by another name."""


def compiler() -> str | None:
    """Return the path of Coq's compiler; ``None`` if there is none, or none is to be used."""
    return shutil.which(os.environ.get(VARIABLE) or "coqc")


def version(coqc: str) -> str:
    """Return the compiler's version; empty if it does not say one."""
    try:
        done = subprocess.run(
            [coqc, "--print-version"], capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.split()[0] if done.returncode == 0 and done.stdout.split() else ""


def usable(coqc: str) -> bool:
    """Return whether the library is there that the theorems are written with, in its version 1."""
    with tempfile.TemporaryDirectory(prefix="provado-coq-") as name:
        (Path(name) / "probe.v").write_text(_PROBE, "utf-8")
        return run(coqc, Path(name), "probe.v") == ""


def run(coqc: str, folder: Path, file: str, root: Path | None = None) -> str:
    """Compile a file of ``folder``, where ``root`` is known as ``Provado``; return what failed."""
    command = [coqc, "-q", "-w", "none", "-Q", str(root or folder), "Provado", file]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"{file}: {type(error).__name__}: {error}"
    if done.returncode == 0:
        return ""
    said = " ".join((done.stderr or done.stdout).split())
    return said[:600] or f"{file}: status {done.returncode}"


def compile_all(
    coqc: str, folder: Path, graph: Mapping[str, tuple[str, ...]], jobs: int
) -> dict[str, str]:
    """Compile the files of a graph after those that they require; return which failed, and why."""
    failed: dict[str, str] = {}
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    running: dict[Future[str], str] = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while sorter.is_active():
            for name in sorter.get_ready():
                broken = [needed for needed in graph[name] if needed in failed]
                if broken:
                    failed[name] = failed[broken[0]]
                    sorter.done(name)
                else:
                    file = f"{name.replace('.', '/')}.v"
                    running[pool.submit(run, coqc, folder, file)] = name
            if running:
                over, _ = wait(running, return_when=FIRST_COMPLETED)
                for one in over:
                    name = running.pop(one)
                    if one.result():
                        failed[name] = one.result()
                    sorter.done(name)
    return failed
