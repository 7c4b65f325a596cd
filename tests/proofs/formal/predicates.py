"""Predicates on kernels, inner products and regressions: Python decides small cases, Coq proves it.

Where Python says yes, Coq proves the predicate; where it says no, its negation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

from provado.proofs.ledger.kusner2016._exact import residuals, slope
from provado.reports.ledger import formal

from .coq import COQC, number

LEMMAS = Path(__file__).parent / "predicates.v"
Proved = tuple[str, str]
"""A statement and its proof."""
Matrix = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
PREDICATES_COMPARED = (
    "definitions.hsic",
    "definitions.ridge",
    "definitions.inner",
    "lemmas.algebra",
)
_COMPUTED = "apply/negP; vm_compute; reflexivity."
_SAME = "[by vm_compute | by apply/eqP; vm_compute]"


def matrix(*values: int | Fraction) -> Matrix:
    """Return a matrix of two rows."""
    a, b, c, d = map(Fraction, values)
    return (a, b), (c, d)


HALF = Fraction(1, 2)
MATRICES = (
    matrix(1, HALF, HALF, 1),
    matrix(1, 2, 2, 1),
    matrix(1, -HALF, -HALF, 1),
    matrix(2, 1, 1, 1),
    matrix(HALF, HALF, HALF, Fraction(1, 3)),
)
"""Semi-definite or not; entries below 0; above 1 on the diagonal; indefinite within [0, 1]."""


def kernel(k: Matrix) -> str:
    """Return the kernel of two points with this Gram matrix."""
    (a, b), (c, d) = (map(number, row) for row in k)
    return f"(fun x y : bool => if x then (if y then {d} else {c}) else (if y then {b} else {a}))"


def completed(k: Matrix) -> tuple[Fraction, Fraction, Fraction]:
    """Return a, p and r with ax² + 2bxy + cy² = a(x + py)² + ry²; a is above 0."""
    (a, b), (_, c) = k
    return a, b / a, c - b * b / a


def _either(holds: bool, statement: str, yes: str, no: str) -> Proved:
    return (statement, yes) if holds else (f"~ {statement}", no)


def on_kernels() -> list[Proved]:
    """Decide which kernels are semi-definite, within [0, 1], and at most 1 on the diagonal."""
    found = []
    for k in MATRICES:
        a, p, r = completed(k)
        features = (
            f"[:: ({number(a)}, fun x : bool => if x then {number(p)} else 1); "
            f"({number(r)}, fun x : bool => if x then 1 else 0)]"
        )
        found.append(
            _either(
                r >= 0,
                f"semidefinite (R := Q) {kernel(k)}",
                f"apply: (@features_semidefinite _ {features}); first by vm_compute. "
                "by case=> [] []; apply/eqP; rewrite /of_features !big_cons big_nil; vm_compute.",
                f"case=> _ h; have := h 2%N (fun i => i != ord0) (fun i => if i == ord0 then "
                f"{number(-p)} else 1); rewrite !big_ord_recl !big_ord0; {_COMPUTED}",
            )
        )
        off = [(i, j) for i, j in product((0, 1), repeat=2) if not 0 <= k[i][j] <= 1]
        place = " ".join("true" if i else "false" for i in (off[0] if off else ()))
        found.append(
            _either(
                not off,
                f"unit_kernel (R := Q) {kernel(k)}",
                "by case=> [] []; vm_compute.",
                f"move=> h; have := h {place}; {_COMPUTED}",
            )
        )
        above = [i for i in (0, 1) if k[i][i] > 1]
        place = "true" if above == [1] else "false"
        found.append(
            _either(
                not above,
                f"diagonal_bounded (R := Q) {kernel(k)}",
                "by case; vm_compute.",
                f"move=> h; have := h {place}; {_COMPUTED}",
            )
        )
    lopsided = kernel(matrix(1, 0, 1, 1))
    refuted = f"case=> h _; have /eqP := h true false; {_COMPUTED}"
    return [*found, (f"~ semidefinite (R := Q) {lopsided}", refuted)]


def on_slopes() -> list[Proved]:
    """Decide which L are slopes of s ↦ cs, from the values at some points."""
    found = []
    for c, bound in ((HALF, HALF), (HALF, Fraction(1, 3)), (-HALF, Fraction(1)), (-1, HALF)):
        points = [Fraction(n, 2) for n in range(-4, 5)]
        steep = max(abs(c * s - c * t) / abs(s - t) for s, t in product(points, repeat=2) if s != t)
        found.append(
            _either(
                steep <= bound,
                f"lipschitz (R := Q) {number(bound)} (fun s u => {number(c)} * s)",
                "by move=> s t u; rewrite -mulrBr normrM ler_wpmul2r //; vm_compute.",
                f"move=> h; have := h 1 0 0; {_COMPUTED}",
            )
        )
    return found


def on_inner_products() -> list[Proved]:
    """Decide which forms on pairs of numbers are inner products."""
    found = []
    for k in MATRICES:
        a, p, r = completed(k)
        given = " ".join(map(number, (a, k[0][1], k[1][1])))
        vector = f"({number(-p)}, 1)"
        found.append(
            _either(
                r >= 0,
                f"(exists i : inner [lmodType Q of Q^o * Q^o], forall u v, i u v = "
                f"plane {given} u v)",
                f"apply: (@plane_inner {given} {number(p)} {number(r)}); first {_SAME}.",
                f"by apply: (@plane_no_inner {given} {vector}); vm_compute.",
            )
        )
    return found


TRAIN: tuple[Sequence[tuple[int, int]], ...] = (
    ((1, 1), (0, 1), (0, 0)),
    ((1, -1), (-1, 1), (1, 0)),
)
"""Slopes 1/4 and −1/3: Coq counts in unary."""
LAM, FEATURE, TARGET = 2, 2, 1


def on_regressions() -> list[Proved]:
    """Decide objectives, minimisers and residuals of a linear kernel, three records each."""
    found = []
    for rows in TRAIN:
        x, y = (
            f"(fun i : 'I_3 => nth 0 [:: {'; '.join(number(v) for v in column)}] i : {kind})"
            for column, kind in zip(zip(*rows, strict=True), ("Q^o", "Q"), strict=True)
        )
        w = slope(rows, LAM)
        given = f"line {number(LAM)} {x} {y}"

        def loss(v: Fraction, rows: Sequence[tuple[int, int]] = rows) -> Fraction:
            squares = sum((v * a - b) ** 2 for a, b in rows)
            return Fraction(LAM, 2) * v * v + Fraction(squares) / len(rows)

        curve = Fraction(LAM, 2) + Fraction(sum(a * a for a, _ in rows), len(rows))
        away = w + HALF
        for v in (w, away):
            assert loss(v) == loss(w) + curve * (v - w) ** 2
            shown = f"objective {given} ({number(v)} : Q^o) == {number(loss(v))}"
            found.append((shown, "by rewrite /objective !three; vm_compute."))
        found.append(
            (
                f"minimises {given} ({number(w)} : Q^o)",
                f"apply: (@minimum_by_square 3 _ _ _ _ {number(curve)}); first by vm_compute. "
                "by move=> v; rewrite /objective !three /=; rfield Q.",
            )
        )
        refuted = f"move/(_ ({number(w)} : Q^o)); rewrite /objective !three; {_COMPUTED}"
        found.append((f"~ minimises {given} ({number(away)} : Q^o)", refuted))
        (left,) = residuals(rows, [(FEATURE, TARGET)], LAM)
        shown = f"residual line ({number(w)} : Q^o) ({FEATURE}%:R : Q^o) {TARGET}%:R"
        found.append((f"{shown} == {number(left)}", "by vm_compute."))
    return found


PREDICATES: dict[str, Callable[[], list[Proved]]] = {
    "kernels": on_kernels,
    "slopes": on_slopes,
    "inner products": on_inner_products,
    "regressions": on_regressions,
}


def refused(folder: Path, proved: Sequence[Proved]) -> str:
    """Return what Coq complains of statements with proofs, in a folder of compiled definitions."""
    assert COQC is not None
    lines = [LEMMAS.read_text("utf-8")]
    lines += [f"Goal {statement}.\nProof. {proof} Qed." for statement, proof in proved]
    place = folder / "asks_predicates"
    place.mkdir(exist_ok=True)
    (place / "predicates.v").write_text("\n".join(lines) + "\n", "utf-8")
    return formal.run(COQC, place, "predicates.v", root=folder)
