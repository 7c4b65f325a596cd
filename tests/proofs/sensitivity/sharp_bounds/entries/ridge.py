"""Ridge residuals: Theorem 5 holds for λ ≤ 1 with a faulty proof; a sharper bound replaces it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from provado.mechanisms import ReplaceOne, Source, UsageError
from provado.proofs.kernel import Checked, Coefficients, ExpressionSign, PointCounterexample, check
from tests.proofs.sensitivity.sharp_bounds.finding import Dataset, SensitivityFinding, WorstPair

_SOURCE = Source("Kusner et al., Private Causal Inference (2016)", "Theorem 5 and appendix")
_GRID = (*(Fraction(j, 2**k) for k in range(2, 9) for j in (2, 3)), Fraction(1))
_ROOT_HALF = Fraction(71, 100)
"""Above 1/√2: its square is above 1/2, as the kernel is asked to see."""


def slope(data: Dataset, lam: Fraction) -> Fraction:
    """Return w for records (x, y), minimising (λ/2)w² + (1/n)Σ(wx − y)²: k(x, x′) = x·x′.

    It is the prediction at x = 1, exactly.
    """
    n = len(data)
    top = sum((Fraction(x) * y for x, y in data), Fraction(0))
    return top / (lam * n / 2 + sum((Fraction(x) ** 2 for x, _ in data), Fraction(0)))


def far_prediction(data: Dataset, lam: Fraction) -> Fraction:
    """Return the prediction at x = 0 where kernels of other places vanish: k(x, x′) = [x = x′]."""
    n = len(data)
    here = [y for x, y in data if x == 0]
    return sum(here, Fraction(0)) / (lam * n / 2 + len(here))


def bound(n: int, root: Fraction) -> Fraction:
    """Return the smaller of (4 + 2/r)/(nλ) and 2/r, r = √(2λ), the proved bound; λ = r²/2."""
    return min((4 + 2 / root) / (n * root**2 / 2), 2 / root)


def printed(n: int, root: Fraction) -> Fraction | None:
    """Return a rational at most 8/(nλ^(3/2)), less by below 1 in 5,000; ``None`` for λ > 1.

    λ^(3/2) = r³/(2√2), and 2√2 ≥ 2.828.
    """
    if root**2 > 2:
        return None
    return 8 * Fraction(2828, 1000) / (n * root**3)


def sharper_than_printed() -> Checked:
    """Return the finding that (4 + √2/ρ)/ρ² ≤ 8/ρ³ for ρ = √λ in (0, 1], with 1.42 for √2."""
    # 8 − 4ρ − 1.42 ≥ 0; 1.42² > 2.
    terms = ((8 - 2 * _ROOT_HALF, 0, 0, 0), (-4, 0, 1, 0))
    return check(ExpressionSign(terms, 0, Coefficients(), upper=1))


def root_half() -> Checked:
    """Return the finding that .71² − 1/2 ≥ 0."""
    return check(ExpressionSign(((_ROOT_HALF**2 - Fraction(1, 2), 0, 0, 0),), 0, Coefficients()))


def printed_fails_beyond(lam: int = 9, n: int = 100) -> Checked:
    """Return the refutation of 8/(nλ^(3/2)) ≥ 4/(nλ + 2), what a far record moves, for λ = 9.

    λ must be a square above 4; the theorem is stated for λ ≤ 1.
    """
    root = next((r for r in range(1, lam + 1) if r * r == lam), None)
    if root is None:
        raise UsageError(f"lam is {lam!r}: it must be a square number")
    # 8(nλ + 2) − 4nλ^(3/2) ≥ 0 for all n is what the printed bound would need.
    terms = ((16, 0, 0, 0), (8 * lam - 4 * lam * root, 0, 1, 0))
    return check(PointCounterexample(terms, "≥ 0", n, lower=1, integers=True))


def _worst(n: int, lam: Fraction) -> WorstPair:
    """Return the worst pair of two families: far records, and a line whose slope is turned."""
    rest: Dataset = tuple((i, 0) for i in range(1, n))
    far = ((0, 1), *rest), ((0, -1), *rest)
    # A record (x, 1) or (0, 1) beside n − 1 records (s, 1) becomes (1, −1).
    ridge = lam * n / 2
    turned = [
        (((n - 1) * s + x) / (ridge + (n - 1) * s * s + x * x), s, x)
        for s in _GRID
        for x in (Fraction(0), *_GRID)
    ]
    changes = ((w - ((n - 1) * s - 1) / (ridge + (n - 1) * s * s + 1), s, x) for w, s, x in turned)
    _, s, x = max(changes)
    line: Dataset = ((s, 1),) * (n - 1)
    pairs = (
        (_moved(far_prediction, far, lam), far),
        (_moved(slope, pair := (((x, 1), *line), ((1, -1), *line)), lam), pair),
    )
    change, (d, d_prime) = max(pairs, key=lambda entry: entry[0])
    return WorstPair(d, d_prime, change)


def _moved(
    predict: Callable[[Dataset, Fraction], Fraction],
    pair: tuple[Dataset, Dataset],
    lam: Fraction,
) -> Fraction:
    return abs(predict(pair[1], lam) - predict(pair[0], lam))


_STEPS = (
    "‖w‖ ≤ 1/√(2λ) for the minimiser: with c = λn/2, ‖w‖² = yᵀK(K + c)⁻²y ≤ ‖y‖²/(4c) ≤ n/(4c).",
    "F less (λ/2)‖·‖² is convex, so λ‖w̃ − w‖² ≤ ⟨∇F(w̃) − ∇F(w), w̃ − w⟩, and ∇F(w) = ∇F̃(w̃) = 0 "
    "leaves ∇F(w̃) − ∇F̃(w̃) = (2/n)[(φφᵀ − φ̃φ̃ᵀ)w̃ − (yφ − ỹφ̃)], the replaced record alone.",
    "0 ≤ φφᵀ, φ̃φ̃ᵀ ≤ 1 as operators, so their difference has norm at most 1, and the bracket at "
    "most "
    "‖w̃‖ + 2. Hence ‖w̃ − w‖ ≤ (2/(nλ))·(2 + 1/√(2λ)).",
    "With ρ = √λ ≤ 1, (4 + √2/ρ)/ρ² ≤ 8/ρ³ as 4ρ + √2 ≤ 8 (kernel): the printed bound follows.",
)
_REMARK = (
    "The printed proof ends at 16/(nλ^(3/2)), and takes ‖w‖ ≤ 1/√λ from an argument that gives "
    "√(2/λ). For λ = 9 the printed form fails. For large λ 4/(nλ + 2), by a far record, shows the "
    "bound to be sharp in the limit; for small λ and n large the worst found tends to .65 of it."
)


def ridge_finding(root: Fraction) -> SensitivityFinding:
    """Return the finding for λ = root²/2, which keeps √(2λ) rational.

    Raises ``UsageError`` unless root is above 0.
    """
    if root <= 0:
        raise UsageError(f"root is {root!r}: it must be above 0")
    lam = root**2 / 2
    return SensitivityFinding(
        score=f"ridge predictions and residuals, λ = {lam}",
        relation=ReplaceOne(),
        scope="data in [−1, 1], kernel at most 1, test points fixed; objective of equation (5)",
        source=_SOURCE,
        printed=(lambda n: printed(n, root) or Fraction(0)) if lam <= 1 else None,
        printed_words="8/(nλ^(3/2))",
        upper=lambda n: bound(n, root),
        upper_words="(4 + √2/√λ)/(nλ), and 2/√(2λ)",
        steps=_STEPS,
        certificates=lambda: (sharper_than_printed(), root_half(), printed_fails_beyond()),
        worst=lambda n: _worst(n, lam),
        smallest=2,
        remark=_REMARK,
    )


FINDINGS = tuple(ridge_finding(root) for root in (Fraction(7, 5), Fraction(1, 5), Fraction(1, 20)))
