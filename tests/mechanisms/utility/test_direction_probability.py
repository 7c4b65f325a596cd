import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.direction_probability import (
    four_laplace_correct,
    four_laplace_correct_printed,
    iqr_margin,
    two_laplace_correct,
)
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes


def mirrored(correct):
    """Return the chance that the direction comes out wrong, by symmetry."""
    return lambda margin, scale: correct(-np.asarray(margin), scale)


LAWS = [
    (releases, correct, mirrored(correct))
    for releases, correct in ((2, two_laplace_correct), (4, four_laplace_correct))
]
MARGINS = [-7.0, -0.3, 0.0, 1e-9, 0.2, 1.0, 2.5, 6.0, 20.0]


def below_by_quadrature(margin, scale):
    """Pr[z₁ − z₂ < γ], by integrating one variable's density against the other's distribution."""
    z, weights = line_nodes([0.0, -margin], width=scale, tail=scale)
    return float(np.sum(weights * laplace_density(z, scale) * laplace_below(z + margin, scale)))


def below_by_inversion(margin, scale, releases):
    """Pr[noise < γ] from the characteristic function (1 + σ²w²)^(−releases) (Gil-Pelaez).

    With w = u/σ it is 1/2 + (1/π) ∫ sin(tu)/u · (1 + u²)^(−releases) du over u > 0.
    """
    t = margin / scale
    u, weights = line_nodes([0.0], width=0.5 / max(1.0, abs(t)), tail=20.0)
    integrand = t * np.sinc(t * u / np.pi) / (1 + u**2) ** releases
    return 0.5 + float(np.sum(weights * integrand)) / (2 * np.pi)


@pytest.mark.parametrize(("releases", "correct", "wrong"), LAWS)
@pytest.mark.parametrize("scale", [0.4, 1.0])
def test_formulas_equal_the_integrals(releases, correct, wrong, scale):
    for margin in MARGINS:
        exact = below_by_inversion(margin, scale, releases)
        if releases == 2:
            assert below_by_quadrature(margin, scale) == pytest.approx(exact, abs=1e-12)
        assert correct(margin, scale) == pytest.approx(exact, abs=1e-12)
        assert wrong(margin, scale) == pytest.approx(1 - exact, abs=1e-12)


@pytest.mark.parametrize(("releases", "correct", "_wrong"), LAWS)
def test_formulas_equal_simulated_directions(releases, correct, _wrong):
    draw = np.random.default_rng(8)
    trials = 400_000
    for margin, scale in ((0.5, 1.0), (1.0, 0.3)):
        noise = draw.laplace(scale=scale, size=(trials, releases))
        half = releases // 2
        right = noise[:, :half].sum(axis=1) < margin + noise[:, half:].sum(axis=1)
        chance = float(correct(margin, scale))
        assert stats.binomtest(int(right.sum()), trials, chance).pvalue > 1e-6
        other = float(LAWS[2 - half][1](margin, scale))
        assert stats.binomtest(int(right.sum()), trials, other).pvalue < 1e-6


@pytest.mark.parametrize(("_releases", "correct", "wrong"), LAWS)
@given(t=st.floats(-1e4, 1e4), scale=st.floats(1e-6, 1e6))
def test_symmetry_and_range(_releases, correct, wrong, t, scale):
    p = correct(t * scale, scale)
    assert 0 <= p <= 1
    assert p == wrong(-t * scale, scale)
    assert p + wrong(t * scale, scale) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(("_releases", "correct", "wrong"), LAWS)
def test_monotone_in_the_margin_and_vectorised(_releases, correct, wrong):
    margins = np.linspace(-30, 30, 601)
    chances = correct(margins, 1.0)
    assert chances.shape == margins.shape
    assert np.all(np.diff(chances) > 0)
    assert correct(0.0, 3.0) == 0.5
    far = wrong(np.array([100.0, 700.0, 745.0]), 1.0)
    assert np.all((far > 0) & (far < 1e-39))
    assert correct(1e300, 1e-300) == 1
    assert correct(-1e300, 1e-300) == 0


def test_the_printed_formula_of_theorem_4_is_not_the_probability():
    # It equals the true one where exponents agree, at γ = σ, and nowhere else that is tried.
    assert four_laplace_correct_printed(2.0, 2.0) == pytest.approx(
        float(four_laplace_correct(2.0, 2.0)), abs=1e-15
    )
    for margin in (0.1, 0.5, 1.5, 3.0):
        exact = below_by_inversion(margin, 1.0, 4)
        assert abs(four_laplace_correct_printed(margin, 1.0) - exact) > 0.05
    assert four_laplace_correct_printed(2.01, 1.0) < 0
    assert four_laplace_correct_printed(1e-6, 1.0) == pytest.approx(1)
    assert np.all(np.diff(four_laplace_correct_printed(np.linspace(0.1, 9, 90), 1.0)) < 0)
    # With only the exponent turned round it is the true one.
    margin, scale = 1.7, 0.6
    tail = 1 - four_laplace_correct_printed(margin, scale)
    repaired = 1 - tail * math.exp(scale / margin) * math.exp(-margin / scale)
    assert repaired == pytest.approx(float(four_laplace_correct(margin, scale)), abs=1e-14)


def test_the_margin_is_above_zero_where_the_scores_say_forward():
    scores = {"q_x": 0.1, "q_y": 0.2, "q_residual_x": -0.5, "q_residual_y": -0.9}
    forward, backward = 0.1 - 0.9, 0.2 - 0.5
    assert iqr_margin(**scores) == pytest.approx(backward - forward)
    assert iqr_margin(**scores) > 0


def test_bad_values_are_refused():
    for _, correct, wrong in LAWS:
        for function in (correct, wrong):
            with pytest.raises(UsageError, match="scale is"):
                function(1.0, 0.0)
            with pytest.raises(UsageError, match="margin is"):
                function(math.nan, 1.0)
    with pytest.raises(UsageError, match="margins above 0"):
        four_laplace_correct_printed([1.0, 0.0], 1.0)
