"""The small plots: limits, the claim's curve, windows and axes, each against a naive twin."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binom

from provado.audit import AuditResult, Counts, PairResult, effect_sizes
from provado.audit.bounds import epsilon_lower
from provado.audit.bounds.alpha_spending import RESERVE
from provado.reports.pages.figures.figure import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    WIDEST_LETTER,
    WIDTH,
    Axis,
    axes,
    horizontal,
    vertical,
)
from provado.reports.pages.figures.pair_figures import (
    Point,
    bounds_so_far,
    curve_places,
    growth,
    least_missed,
    points_of,
    rate_limits,
    sizes,
    tradeoff,
    window,
)


def naive_limits(hits: int, trials: int, alpha: float) -> tuple[float, float]:
    """The rates at which so many hits or more, or so few or less, have probability alpha."""

    def solve(tail: Callable[[float], float]) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle) < alpha else (low, middle)
        return low

    low = 0.0 if hits == 0 else solve(lambda p: float(binom.sf(hits - 1, trials, p)))
    high = 1.0 if hits == trials else 1 - solve(lambda q: float(binom.cdf(hits, trials, 1 - q)))
    return low, high


@pytest.mark.parametrize("trials", [1, 7, 40])
@pytest.mark.parametrize("alpha", [0.05, 1e-4])
def test_the_limits_are_those_of_the_binomial_tails(trials: int, alpha: float) -> None:
    for hits in range(trials + 1):
        assert rate_limits(hits, trials, alpha) == pytest.approx(
            naive_limits(hits, trials, alpha), abs=1e-9
        )


@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5, 1.0])
def test_the_limits_hold_with_the_chance_that_they_state(rate: float) -> None:
    """Exactly: the chances of all counts whose limits miss the rate add up to 2 alpha at most."""
    trials, alpha = 60, 0.02
    missed = sum(
        float(binom.pmf(hits, trials, rate))
        for hits in range(trials + 1)
        if not (lambda ends: ends[0] <= rate <= ends[1])(rate_limits(hits, trials, alpha))
    )
    assert missed <= 2 * alpha


EPSILON, DELTA = st.floats(0, 8), st.floats(0, 0.9)


@given(EPSILON, DELTA, st.floats(0, 1))
def test_the_curve_is_the_least_that_the_definition_allows(
    epsilon: float, delta: float, wrong: float
) -> None:
    """Pr[S | D] ≤ e^ε·Pr[S | D′] + δ both ways, for S "said" and for S "not said"."""
    missed = least_missed(wrong, epsilon, delta)

    def allowed(said: float) -> bool:
        slack = 1e-9
        factor = math.exp(epsilon)
        return all(
            a <= factor * b + delta + slack
            for a, b in ((said, wrong), (wrong, said), (1 - said, 1 - wrong), (1 - wrong, 1 - said))
        )

    if wrong + missed <= 1:
        assert allowed(1 - missed)
    if missed > 1e-6:
        assert not allowed(1 - missed * (1 - 1e-3)) or missed < 1e-5


@example(0.0, 1.6243777313750523e-16, 1.0, False)
@given(EPSILON, DELTA, st.sampled_from([1.0, 0.5, 0.05, 0.001]), st.booleans())
def test_the_drawn_curve_is_the_curve(epsilon: float, delta: float, size: float, top: bool) -> None:
    x, y = horizontal(0, size), vertical(1 - size, 1) if top else vertical(0, size)
    places = curve_places(x, y, epsilon, delta)
    assert all(a[0] < b[0] for a, b in pairwise(places))
    # What is left out lies beyond the window.
    first, last = (places[0][0], places[-1][0]) if places else (x.end, x.end)
    for step in range(101):
        value = x.low + step / 100 * (x.high - x.low)
        at = x.place(value)
        if at < first - 1e-6:
            assert least_missed(value, epsilon, delta) >= y.high - 1e-9
        if at > last + 1e-6:
            assert least_missed(value, epsilon, delta) <= y.low + 1e-9
    for (x0, y0), (x1, y1) in pairwise(places):
        for share in (0.25, 0.5, 0.75):
            at = x0 + share * (x1 - x0)
            value = x.low + (at - x.start) / (x.end - x.start) * (x.high - x.low)
            drawn = y0 + share * (y1 - y0)
            assert drawn == pytest.approx(y.place(least_missed(value, epsilon, delta)), abs=0.01)


def point(wrong: float, missed: float) -> Point:
    return Point("D", wrong, (wrong * 0.9, wrong * 1.1), missed, (missed * 0.99, missed))


@pytest.mark.parametrize(
    ("points", "ends"),
    [
        ([point(0.3, 0.6)], ((0, 1), (0, 1))),
        ([point(0.01, 0.96)], ((0, 0.1), (0.9, 1))),
        ([point(0.001, 0.002), point(0.002, 0.001)], ((0, 0.005), (0, 0.005))),
        ([point(0.01, 0.96), point(0.01, 0.1)], ((0, 1), (0, 1))),
    ],
)
def test_the_window_is_the_smallest_corner_that_holds_all_points(
    points: list[Point], ends: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    x, y = window(points)
    assert (x.low, x.high) == ends[0]
    assert (y.low, y.high) == pytest.approx(ends[1])


@given(st.floats(1e-6, 1e5), st.floats(1.05, 1e6), st.booleans())
def test_ticks_are_on_the_axis_in_order_and_few(low: float, ratio: float, log: bool) -> None:
    axis = Axis(low if log else 0.0, low * ratio, LEFT, RIGHT, log)
    ticks = axis.ticks()
    assert 1 <= len(ticks) <= 7
    places = [axis.place(tick) for tick in ticks]
    assert places == sorted(places)
    assert LEFT <= places[0] <= places[-1] <= RIGHT


def figures(result: AuditResult, pair: PairResult) -> list[str]:
    drawn = [draw(result, pair, 4) for draw in (tradeoff, sizes, growth)]
    return [text for text in drawn if text is not None]


ODD = [
    Counts(),
    Counts(0, 0, 500, 0, 0, 500),
    Counts(0, 0, 0, 500, 0, 0),
    Counts(500, 0, 0, 0, 500, 0),
    Counts(1, 0, 10**7, 0, 0, 10**7),
    Counts(10**9, 3, 10**9, 2, 10**9, 10**9),
]


@pytest.mark.parametrize("counts", ODD)
@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 800.0])
def test_whatever_was_counted_can_be_drawn_inside_the_frame(
    make: Callable[..., AuditResult],
    pair_of: Callable[..., PairResult],
    counts: Counts,
    epsilon: float,
) -> None:
    pair = replace(pair_of(counts, epsilon), checkpoints=(Counts(1, 0, 9, 0, 1, 9), counts))
    for text in figures(make("x", pair, epsilon=epsilon), pair):
        picture = text.split('aria-label="')[1].split('">', 1)[1].split("<figcaption")[0]
        assert "nan" not in picture
        assert "inf" not in picture
        assert outside(picture) == []


def outside(picture: str) -> list[str]:
    """Return what of a figure lies outside its frame: ends of lines, marks, letters of labels."""
    found = [
        f'{key}="{value}"'
        for key, most in (("[c]?x[12]?", RIGHT), ("[c]?y[12]?", BOTTOM + 40))
        for value in re.findall(rf' {key}="([-0-9.e]+)"', picture)
        if not 0 <= float(value) <= most
    ]
    for x, y in re.findall(r"[ML](-?[0-9.e]+) (-?[0-9.e]+)", picture):
        if not (LEFT - 1 <= float(x) <= RIGHT + 1 and TOP - 6 <= float(y) <= BOTTOM + 1):
            found.append(f"{x} {y}")
    below = re.search(r'<g text-anchor="middle"><text[^>]*>(.*?)</text>', picture)
    beside = re.search(r'<text text-anchor="end">(.*?)</text>', picture)
    for labels, ends in ((below, (-0.5, 0.5)), (beside, (-1, 0))):
        for x, label in re.findall(
            '<tspan x="([0-9.]+)"[^>]*>([^<]*)<', labels[1] if labels else ""
        ):
            left, right = (float(x) + end * WIDEST_LETTER * len(label) for end in ends)
            if not 0 <= left <= right <= WIDTH + 1e-9:
                found.append(label)
    return found


def test_what_lies_outside_the_frame_is_found() -> None:
    axis = horizontal(0, 1e-4)
    drawn = axes(axis, "rate", [f"{tick:.7f}" for tick in axis.ticks()])
    assert outside(drawn) == []
    for broken in (
        drawn.replace(f'x="{WIDTH - WIDEST_LETTER * 9 / 2:g}"', f'x="{RIGHT}"'),
        drawn + '<circle cx="400" cy="20"/>',
        drawn + '<path d="M58 10L320 400"/>',
    ):
        assert len(outside(broken)) == 1, broken


def test_the_points_are_the_counts(
    pair_of: Callable[..., PairResult],
) -> None:
    pair = pair_of(Counts(300, 100, 600, 50, 400, 550), 1.0)
    says_d, says_d_prime = points_of(pair)
    assert (says_d.wrong, says_d.missed) == pytest.approx((0.05, 0.7))
    assert (says_d_prime.wrong, says_d_prime.missed) == pytest.approx((0.1, 0.6))
    alpha = 0.05 * (1 - RESERVE) / 8
    assert says_d.wrong_limits == rate_limits(50, 1000, alpha)
    assert says_d.missed_limits == pytest.approx(
        tuple(1 - end for end in reversed(rate_limits(300, 1000, alpha)))
    )


def test_the_growth_is_the_bound_at_each_checkpoint(
    make: Callable[..., AuditResult], pair_of: Callable[..., PairResult]
) -> None:
    counts = (Counts(30, 5, 5, 5, 30, 5), Counts(450, 10, 40, 10, 450, 40))
    pair = replace(pair_of(counts[1], 1.0), checkpoints=counts)
    assert bounds_so_far(pair) == [(c.trials, epsilon_lower(c, pair.method)) for c in counts]
    drawn = growth(make("x", pair), pair, 4)
    assert drawn is not None
    assert "not valid together" in drawn
    assert re.search(r'<path d="(M[0-9.]+ [0-9.]+h0){2}" class="dot"/>', drawn)
    betting = replace(pair_of(counts[1], 1.0, delta=1e-3), checkpoints=counts)
    anytime = growth(make("x", betting, delta=1e-3), betting, 4)
    assert anytime is not None
    assert "every stopping time" in anytime
    assert growth(make("x", pair), replace(pair, checkpoints=()), 4) is None


def test_a_true_epsilon_is_drawn_for_its_own_pair_only(
    make: Callable[..., AuditResult], pair_of: Callable[..., PairResult]
) -> None:
    counts = (Counts(30, 5, 5, 5, 30, 5), Counts(450, 10, 40, 10, 450, 40))
    for index, shown in ((0, True), (1, False)):
        pair = replace(pair_of(counts[1], 1.0, index=index), checkpoints=counts)
        drawn = growth(make("x", pair, true_epsilon=2.0), pair, 4)
        assert drawn is not None
        assert ('class="true"' in drawn) is shown


def test_the_band_of_the_claim_is_drawn_in_place(
    make: Callable[..., AuditResult], pair_of: Callable[..., PairResult]
) -> None:
    pair = pair_of(Counts(300, 100, 600, 50, 400, 550), 1.0)
    assert pair.effects == effect_sizes(pair.counts)
    drawn = sizes(make("x", pair), pair, 4)
    assert drawn is not None
    found = re.search(r'<rect x="([0-9.]+)" y="10" width="([0-9.]+)"', drawn)
    line = re.search(r'<line x1="([0-9.]+)" x2="[0-9.]+" y1="10" y2="186" class="curve"', drawn)
    assert found is not None
    assert line is not None
    # On a log axis 1 lies in the middle between e^−ε and e^ε.
    middle = float(found[1]) + float(found[2]) / 2
    assert middle == pytest.approx(float(line[1]), abs=0.2)
    assert TOP == 10
