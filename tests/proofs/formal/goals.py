"""Goals about Coq's scores: sums over records are no terms that it computes by itself."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from provado.reports.ledger import formal

from .coq import COQC

EVALUATED = Path(__file__).parent / "evaluated.v"
Goal = tuple[str, Fraction, bool]
"""A term, a number, and whether the two are claimed to be equal."""


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


def accepted(folder: Path, goals: list[Goal]) -> str:
    """Return what Coq complains of goals in a folder of compiled definitions; empty if of nothing.

    What is evaluated is thrown away: the kernel would only compute it again.
    """
    assert COQC is not None
    lines = [
        EVALUATED.read_text("utf-8"),
        "Definition product (x y : rat) : rat := x * y.",
        "Definition near (x y : rat) : rat := if x == y then 1 else 1 / 2%:Q.",
    ]
    lines += [
        f"Goal ({term} == {rational(value)}) = {str(equal).lower()}. Proof. evaluated. Abort."
        for term, value, equal in goals
    ]
    place = folder / "asks_goals"
    place.mkdir(exist_ok=True)
    (place / "goals.v").write_text("\n".join(lines) + "\n", "utf-8")
    return formal.run(COQC, place, "goals.v", root=folder)
