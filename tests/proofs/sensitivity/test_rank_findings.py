from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms.scores.spearman import spearman, spearman_signed
from provado.proofs.kernel import KernelRefusal
from provado.proofs.ledger.fact import fact_of
from provado.proofs.ledger.kusner2016 import rank_correlation
from tests.proofs.sensitivity.sharp_bounds.entries import kendall, kendall_b
from tests.proofs.sensitivity.sharp_bounds.entries import spearman as spearman_entry
from tests.proofs.sensitivity.sharp_bounds.exact_scores import (
    spearman_exact,
    tau_a_exact,
    tau_b_exact,
    tau_printed_exact,
)
from tests.proofs.sensitivity.sharp_bounds.polynomial import combine, nonnegative_from, variable

SIGNED, SIGNED_ADD = spearman_entry.FINDINGS[2:]


def naive_rho(ranks_a, ranks_b):
    m = len(ranks_a)
    moved = sum((r - s) ** 2 for r, s in zip(ranks_a, ranks_b, strict=True))
    return 1 - Fraction(6 * moved, m * (m * m - 1))


def inserted(order, p, q):
    n = len(order)
    ranks_a = [i + (i >= p) for i in range(1, n + 1)] + [p]
    ranks_b = [s + (s >= q) for s in order] + [q]
    return naive_rho(ranks_a, ranks_b)


def naive_changes(m, absolute):
    """Return the largest change for replace-one and for add-or-remove-one, over all ranks."""
    size = abs if absolute else lambda value: value
    replace, add = Fraction(0), Fraction(0)
    for order in permutations(range(1, m)):
        values = [size(inserted(order, p, q)) for p in range(1, m + 1) for q in range(1, m + 1)]
        replace = max(replace, max(values) - min(values))
        if m > 2:
            before = size(naive_rho(range(1, m), order))
            add = max(add, *(abs(value - before) for value in values))
    return replace, add


@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("absolute", [True, False])
def test_spearman_agrees_with_all_rank_patterns(m, absolute):
    replace, add = naive_changes(m, absolute)
    by_replacing, by_adding = spearman_entry.FINDINGS[:2] if absolute else (SIGNED, SIGNED_ADD)
    found = by_replacing.at(m)
    assert found.upper == found.worst.change == replace
    assert found.sharp
    if m > 2:
        assert by_adding.at(m).upper == by_adding.at(m).worst.change == add


def test_the_small_sizes_of_the_absolute_value_differ():
    finding = spearman_entry.FINDINGS[0]
    assert [finding.at(m).upper for m in (2, 3, 4, 5)] == [
        0,
        Fraction(1, 2),
        Fraction(4, 5),
        1,
    ]


def test_no_random_replacement_moves_spearman_by_more():
    rng = np.random.default_rng(3)
    for _ in range(300):
        m = int(rng.integers(5, 40))
        data = rng.integers(0, rng.integers(2, 50), size=(m, 2)).astype(float)
        moved = data.copy()
        moved[rng.integers(m)] = rng.choice([-1.0, 0.0, 25.0, 99.0], size=2)
        before, after = (spearman_signed(*columns.T) for columns in (data, moved))
        assert abs(after - before) <= 6 / (m + 1) + 1e-12
        before, after = (spearman(*columns.T) for columns in (data, moved))
        assert abs(after - before) <= 6 / (m + 1) + 1e-12


def test_mid_ranks_keep_the_bound_for_few_levels():
    # Not proved: the bound is for ranks by position. Tried for all data of three levels.
    for m in (3, 4, 5):
        places = list(product(range(3), repeat=2))
        for rest in combinations_with_replacement(places, m - 1):
            values = [spearman_exact((*rest, place), ties="midrank") for place in places]
            assert max(values) - min(values) <= Fraction(6, m + 1)


def test_a_bound_one_part_in_a_hundred_smaller_is_refused():
    # The step for s = n + t with 99/100 of n(n + 1)/2 in its place.
    n, t = variable(0, 2), variable(1, 2)
    s, half, less = combine((1, [n]), (1, [t])), Fraction(1, 2), Fraction(99, 200)
    broken = combine(
        (less, [n, n]), (less, [n]), (-1, [s, n]), (half, [s, s]), (half, [s]), (-1, [n])
    )
    with pytest.raises(KernelRefusal):
        nonnegative_from(broken, (0, 0))


@pytest.mark.parametrize("m", [2, 3, 4])
@pytest.mark.parametrize(
    ("score", "place"), [(tau_printed_exact, 0), (tau_a_exact, 4)], ids=["printed", "a"]
)
def test_kendall_agrees_with_all_rank_patterns(m, score, place):
    levels = range(m + 1) if m < 4 else range(3)
    places = list(product(levels, repeat=2))
    worst = {False: Fraction(0), True: Fraction(0)}
    for rest in combinations_with_replacement(places, m - 1):
        values = [score((*rest, place)) for place in places]
        for absolute in (False, True):
            sizes = list(map(abs, values)) if absolute else values
            worst[absolute] = max(worst[absolute], max(sizes) - min(sizes))
    for absolute in (False, True):
        finding = kendall.FINDINGS[place + (0 if absolute else 2)]
        found = finding.at(m)
        assert found.sharp
        assert worst[absolute] <= found.upper
        if m < 4:
            assert worst[absolute] == found.upper


@pytest.mark.parametrize("finding", kendall.FINDINGS, ids=lambda f: f"{f.score} {f.relation}")
def test_kendall_is_sharp(finding):
    for m in (3, 4, 7, 30):
        assert finding.at(m).sharp
    assert finding.at(30).saving == 1
    assert all(found.verdict in ("proved", "verified") for found in finding.certificates())


@pytest.mark.parametrize("finding", kendall_b.FINDINGS, ids=lambda f: f"{f.score} {f.relation}")
def test_tau_b_moves_over_its_whole_range(finding):
    found = finding.at(50)
    assert found.printed_holds is False
    assert found.sharp
    assert found.saving is None
    assert finding.certificates()[0].verdict == "refuted"


def test_exact_scores_agree_with_scipy():
    rng = np.random.default_rng(4)
    for _ in range(50):
        data = rng.permutation(9), rng.permutation(9)
        records = tuple(zip(*(map(int, column) for column in data), strict=True))
        assert float(spearman_exact(records)) == pytest.approx(stats.spearmanr(*data).statistic)
        assert float(tau_a_exact(records)) == pytest.approx(stats.kendalltau(*data).statistic)
        assert tau_a_exact(records) == tau_printed_exact(records) == tau_b_exact(records)


def test_the_ledger_rests_on_the_same_step_for_a_record_more():
    found, _ = spearman_entry.add_or_remove_one_certificates()
    assert fact_of(found) == rank_correlation.added()
