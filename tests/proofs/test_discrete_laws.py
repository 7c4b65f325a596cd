from fractions import Fraction

import pytest
import sympy

from provado.mechanisms import UsageError
from tests.mechanisms.exact_probabilities import truncated_geometric_probabilities
from tests.proofs.integer_laws import (
    GeomPoly,
    IntegerLine,
    below,
    convolve,
    exceeds,
    geometric,
    tail,
    two_sided_geometric,
    uniform_integers,
)

F = Fraction
LAWS = [
    two_sided_geometric(F(2, 3), 1),
    two_sided_geometric(F(1, 2), -2),
    geometric(F(1, 5), 2),
    uniform_integers(-1, 3),
]
FAR = 70
CLOSE = F(1, 10**9)


@pytest.mark.parametrize("f", LAWS)
def test_laws_add_up_and_their_tails_agree_with_sums(f):
    assert f.sum() == 1
    for k in range(-6, 7):
        assert abs(below(f).at(k) - sum(f.at(i) for i in range(-FAR, k + 1))) < CLOSE
        assert tail(f).at(k) == 1 - below(f).at(k)
        assert f.shift(3).at(k) == f.at(k - 3)
    assert below(f).parts[-1].limit(1) == 1


@pytest.mark.parametrize("f", LAWS)
@pytest.mark.parametrize("g", LAWS)
def test_sums_and_comparisons_agree_with_the_naive_double_sum(f, g):
    h = convolve(f, g)
    assert h.sum() == 1
    assert h.same(convolve(g, f), -30, 30)
    f_at = {x: f.at(x) for x in range(-FAR, FAR)}
    g_at = {x: g.at(x) for x in range(-FAR - 9, FAR + 9)}
    for t in range(-7, 8):
        naive = sum(p * g_at[t - x] for x, p in f_at.items())
        assert abs(h.at(t) - naive) < CLOSE
    under, naive = F(0), F(0)
    for x in range(-FAR, FAR):
        naive += f_at[x] * under
        under += g_at[x]
    assert abs(exceeds(f, g) - naive) < CLOSE


def test_sums_of_powers():
    k = GeomPoly.term(1, power=1)
    for power, ratio in [(0, 1), (1, 1), (4, 1), (2, F(1, 3)), (3, -2), (0, 5)]:
        whole = GeomPoly.term(1, power=power, ratio=ratio).indefinite_sum()
        naive = sum((F(i) ** power * F(ratio) ** i for i in range(-4, 7)), F(0))
        assert whole.at(7) - whole.at(-4) == naive
    assert (k * k).compose(-1, 2).at(5) == 9
    symbol = sympy.Symbol("k", integer=True)
    assert GeomPoly.term(F(3, 4), power=2, ratio=F(1, 2)).to_sympy() == (
        sympy.Rational(3, 4) * symbol**2 * sympy.Rational(1, 2) ** symbol
    )


def test_clamped_noise_is_the_truncated_geometric_mechanism():
    n, ratio = 5, F(8, 9)
    for count in (0, 2, 5):
        law = two_sided_geometric(ratio, count)
        middle = [law.at(k) for k in range(1, n)]
        clamped = (below(law).at(0), *middle, tail(law).at(n - 1))
        assert clamped == truncated_geometric_probabilities(count, n=n, ratio=ratio)


def test_bad_arguments_are_refused():
    for call in (
        lambda: two_sided_geometric(F(1)),
        lambda: geometric(0.5),
        lambda: uniform_integers(2, 1),
        lambda: GeomPoly.term(1, ratio=0),
        lambda: IntegerLine((1, 1), (GeomPoly(),) * 3),
        lambda: IntegerLine((F(1, 2),), (GeomPoly(),) * 2),
        lambda: IntegerLine((), (GeomPoly.term(1),)).sum(),
    ):
        with pytest.raises(UsageError):
            call()
