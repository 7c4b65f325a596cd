"""Alpha for a series without an end: shares that never add up to more than there is."""

from fractions import Fraction

import numpy as np
import pytest

from provado.audit.bounds.alpha_spending import left_after, share_of
from provado.mechanisms import UsageError

# Rational limits on pi, from below.
PI = Fraction(3141592653589793, 10**15)


@pytest.mark.parametrize("alpha", [0.05, 0.3, 1e-9, 1 - 1e-9])
def test_shares_never_exceed_the_whole(alpha):
    spent = sum(Fraction(share_of(alpha, look)) for look in range(1, 2001))
    # What comes after look n is less than 6α/(π²n).
    assert spent + Fraction(alpha) * 6 / (PI * PI * 2000) <= Fraction(alpha) * (
        1 + Fraction(1, 10**6)
    )
    assert spent < Fraction(alpha)
    assert spent > Fraction(alpha) * Fraction(999, 1000)


def test_each_look_may_spend_less_than_the_last():
    shares = [share_of(0.05, look) for look in range(1, 50)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == pytest.approx(0.05 * 6 / np.pi**2)
    assert shares[2] == pytest.approx(shares[0] / 9)


def test_what_is_left_is_what_is_not_spent():
    for looks in (0, 1, 5, 500):
        spent = sum(share_of(0.05, look) for look in range(1, looks + 1))
        assert 0 < left_after(0.05, looks) <= 0.05 - spent + 1e-15
        assert left_after(0.05, looks) == pytest.approx(0.05 - spent, abs=1e-9)


def ever_accused(share, looks=100, histories=4000):
    """Return how often an innocent is accused at any of so many looks that each use all it may."""
    chances = np.random.default_rng(1).random((histories, looks))
    limits = np.array([share(look) for look in range(1, looks + 1)])
    return float((chances <= limits).any(axis=1).mean())


def test_an_innocent_is_rarely_accused_however_often_one_looks():
    assert ever_accused(lambda look: share_of(0.05, look)) <= 0.05 + 3 * np.sqrt(0.05 / 4000)


def test_all_of_alpha_at_each_look_accuses_the_innocent():
    """The broken twin."""
    assert ever_accused(lambda look: 0.05) > 0.9


@pytest.mark.parametrize("look", [0, -1, 1.5, True, "1"])
def test_no_look_is_refused(look):
    with pytest.raises(UsageError, match="look is"):
        share_of(0.05, look)
