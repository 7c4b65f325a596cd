"""What the tests with Coq share: where it is, data in its language, and answers to questions."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from provado.reports.ledger import formal
from provado.reports.ledger.formal import closure, lay_out, texts

COQC = shutil.which("coqc")
needs_coq = pytest.mark.skipif(COQC is None, reason="coqc is not installed")
JOBS = os.cpu_count() or 1

HEAD = """From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Import GRing.Theory.
Local Open Scope ring_scope.
Notation Q := rat_realFieldType.
"""


def number(value: Fraction | int) -> str:
    """Return a rational number of Coq."""
    q = Fraction(value)
    top = f"({abs(q.numerator)}%:R : Q)"
    return f"({'-' * (q < 0)}{top} / {q.denominator}%:R)"


def listed(values: Sequence[object]) -> str:
    """Return natural numbers, or lists of them, as a list of Coq."""
    return "[:: " + "; ".join(listed(v) if isinstance(v, tuple) else f"{v}%N" for v in values) + "]"


def table(rows: Mapping[object, str], name: str, otherwise: str) -> str:
    """Return nested conditions on ``name``: one for each row."""
    text = otherwise
    for key, value in reversed(rows.items()):
        shown = listed(key) if isinstance(key, tuple) else f"{key}%N"
        text = f"if {name} == {shown} then {value} else {text}"
    return text


def copied(folder: Path, names: Sequence[str]) -> None:
    """Put files and all that they require into a folder, and compile."""
    assert COQC is not None
    files = texts()
    graph = closure(names, files)
    lay_out(folder, graph, files)
    assert formal.compile_all(COQC, folder, graph, JOBS) == {}


def changed(folder: Path, names: Sequence[str], file: str, text: str) -> None:
    """Give a file of a compiled folder another text; compile it, and what requires it, anew."""
    assert COQC is not None
    files = {**texts(), file: text}
    behind = {name: needs for name, needs in closure(names, files).items() if name != file}
    stale = {file}
    for name, needs in behind.items():
        stale |= {name} if stale & set(needs) else set()
    for name in stale:
        place = folder / f"{name.replace('.', '/')}.v"
        # A folder may share files with another one by links.
        place.unlink()
        place.with_suffix(".vo").unlink()
    lay_out(folder, stale, files)
    graph = {name: tuple(stale & set(behind.get(name, ()))) for name in stale}
    assert formal.compile_all(COQC, folder, graph, JOBS) == {}


def truths(folder: Path, lines: Sequence[str], checks: Sequence[str], name: str) -> list[bool]:
    """Return what boolean terms of Coq compute to, after some lines, in a compiled folder."""
    assert COQC is not None
    place = folder / f"asks_{name}"
    place.mkdir(exist_ok=True)
    listing = "; ".join(f"({check})" for check in checks)
    text = "\n".join(
        [HEAD, *lines, f'Redirect "answer" Eval vm_compute in ([:: {listing}] : seq bool).', ""]
    )
    (place / "asks.v").write_text(text, "utf-8")
    failure = formal.run(COQC, place, "asks.v", root=folder)
    assert failure == ""
    answer = (place / "answer.out").read_text("utf-8")
    found = [word == "true" for word in re.findall(r"\b(true|false)\b", answer)]
    assert len(found) == len(checks)
    return found
