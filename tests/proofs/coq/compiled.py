"""Coq's definitions of the scores, compiled once, and goals about them."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3] / "proofs" / "coq"
HERE = Path(__file__).parent
DEFINITIONS = (
    "dataset",
    "scores/kendall",
    "scores/spearman",
    "scores/conditional",
    "scores/hsic",
    "scores/permutation",
    "scores/zhang2023/corollary1",
)
"""What ``evaluated.v`` needs, each after those that it needs itself."""

formal = [
    pytest.mark.formal,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]


def compile_file(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Compile a file of a copy of ``proofs/coq``."""
    command = ["coqc", "-w", "none", "-Q", ".", "Provado", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def complaint(folder: Path, planted: tuple[str, str, str] | None = None) -> str:
    """Compile a copy of the definitions and their evaluation; return the first complaint.

    planted: a file, a text that stands in it once, and what stands there instead.
    """
    for name in (*DEFINITIONS, "evaluated"):
        source = (HERE if name == "evaluated" else ROOT) / f"{name}.v"
        text, target = source.read_text(), folder / f"{name}.v"
        if planted is not None and planted[0] == name:
            assert text.count(planted[1]) == 1, planted
            text = text.replace(*planted[1:])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        done = compile_file(folder, name)
        if done.returncode:
            return done.stderr
    return ""


def rational(value: Fraction | int) -> str:
    """Return a number as mathcomp's ``rat``."""
    number = Fraction(value)
    top = f"{abs(number.numerator)}%:Q"
    signed = f"(- {top})" if number < 0 else top
    return signed if number.denominator == 1 else f"({signed} / {number.denominator}%:Q)"


def columns(rows: list[tuple[int, int]]) -> str:
    """Return a dataset of pairs."""
    listed = "; ".join(f"({rational(a)}, {rational(b)})" for a, b in rows)
    kind = f"dataset (rat * rat) {len(rows)}"
    return f"((fun i => nth (0, 0) [:: {listed}] i) : {kind})"


def numbers(values: list[Fraction]) -> str:
    """Return a function on the first numbers."""
    listed = "; ".join(map(rational, values))
    return f"((fun i => nth 0 [:: {listed}] i) : 'I_{len(values)} -> rat)"


def stratified(rows: list[tuple[int, int, int]], strata: int) -> str:
    """Return a dataset of pairs with a stratum each."""
    places = {z: "(" + "lift ord0 (" * z + "ord0" + ")" * z + ")" for z in range(strata)}
    listed = "; ".join(f"(({rational(a)}, {rational(b)}), {places[z]})" for a, b, z in rows)
    kind = f"dataset (rat * rat * 'I_{strata}) {len(rows)}"
    return f"((fun i => nth ((0, 0), ord0) [:: {listed}] i) : {kind})"


def accepted(folder: Path, goals: list[tuple[str, Fraction, bool]]) -> str:
    """Return what Coq complains of goals "definition = value", or "differs from it"; "" if not.

    What is evaluated is thrown away: the kernel would only compute it again.
    """
    lines = [
        "From mathcomp Require Import all_ssreflect all_algebra.",
        "From Provado Require Import dataset scores.kendall scores.spearman scores.conditional.",
        "From Provado Require Import scores.hsic scores.permutation scores.zhang2023.corollary1.",
        "From Provado Require Import evaluated.",
        "Import Order.TTheory GRing.Theory Num.Theory.",
        "Local Open Scope ring_scope.",
        "Definition product (x y : rat) : rat := x * y.",
        "Definition near (x y : rat) : rat := if x == y then 1 else 1 / 2%:Q.",
    ]
    lines += [
        f"Goal ({term} == {rational(value)}) = {str(equal).lower()}. Proof. evaluated. Abort."
        for term, value, equal in goals
    ]
    (folder / "goals.v").write_text("\n".join(lines) + "\n")
    done = compile_file(folder, "goals")
    return done.stderr if done.returncode else ""
