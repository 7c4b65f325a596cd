"""Runs Coq's compiler, in as many processes as are asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

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
