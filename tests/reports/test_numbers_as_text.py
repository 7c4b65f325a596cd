from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.reports.text.formatting import certified, down, percents, plain, up


@given(st.floats(-1e12, 1e12))
def test_limits_are_rounded_toward_the_weaker_conclusion(value: float) -> None:
    assert float(down(value)) <= value <= float(up(value))


@pytest.mark.parametrize(
    ("value", "nearest", "below", "above"),
    [
        (0.0, "0", "0", "0"),
        (1.0, "1", "1.000", "1.000"),
        (0.993456, "0.9935", "0.9934", "0.9935"),
        (9.99999, "10", "9.999", "10.000"),
        (12345.6, "12350", "12340", "12350"),
        (math.inf, "∞", "∞", "∞"),
        (math.nan, "–", "–", "–"),
        (2.0**-23, "1.192e-7", "1.192e-7", "1.193e-7"),
    ],
)
def test_numbers(value: float, nearest: str, below: str, above: str) -> None:
    assert (plain(value), down(value), up(value)) == (nearest, below, above)


def test_a_certified_limit_above_its_claim_is_shown_above_it() -> None:
    assert certified(1.0000123, 1.0) == "1.00001"
    assert certified(0.99999, 1.0) == "0.9999"
    assert certified(math.inf, 1.0) == "∞"


def test_percentages_can_be_told_apart() -> None:
    assert percents(0.5, 0.25) == ("50.0 %", "25.0 %")
    assert percents(0.73106, 0.73112) == ("73.106 %", "73.112 %")
    assert percents(0.99999) == ("99.9990 %",)
    assert percents(1.0, 0.0) == ("100.0 %", "0.0 %")
    assert percents(0.5, 0.5) == ("50.0 %", "50.0 %")
