import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.edges.pcd_edge import (
    pcd_deletion,
    pcd_edge,
    pcd_edge_repaired,
)
from tests.mechanisms.exact.edges import repaired_deletion

TRIALS = 120
KIND = {"alpha": 0.2, "permutations": 6, "bandwidth": 0.8, "epsilon": 2.0}


def records_of(m, wrong, uneven=0):
    half = [(1, 1)] * (m // 2 + uneven) + [(-1, -1)] * (m - m // 2 - uneven)
    return tuple((-x, y) if i < wrong else (x, y) for i, (x, y) in enumerate(half))


def gram(x, width):
    return np.exp(-((x[:, None] - x[None, :]) ** 2) / (2 * width**2))


def scores(records, rng, permutations, bandwidth):
    """Return HSIC and its permuted copies from kernel matrices."""
    x, y = np.array(records, dtype=float).T
    m = len(x)
    h = np.eye(m) - 1 / m
    centred = h @ gram(y, bandwidth) @ h
    k = gram(x, bandwidth)
    orders = [np.arange(m), *(rng.permutation(m) for _ in range(permutations))]
    # Equal scores may differ in their last bits; the tests of the algorithm are strict.
    found = [round((k[np.ix_(o, o)] * centred).sum() / (m - 1) ** 2, 12) for o in orders]
    return found[0], found[1:]


def naive_printed(records, rng, *, epsilon, alpha, permutations, bandwidth):
    m = len(records)
    score, permuted = scores(records, rng, permutations, bandwidth)
    shift = 2 * (12 * m - 11) / (m - 1) ** 2
    p, a, b = (
        sum(score < other + by for other in permuted) / permutations for by in (0, -shift, shift)
    )
    change = p - a if p > alpha else b - p
    if p - change > alpha:
        return True
    if p <= alpha and p + change < alpha:
        return False
    noise = rng.laplace(size=2) * change / epsilon
    return p + 4 * noise[0] >= alpha + 2 * noise[1]


def naive_repaired(records, rng, *, epsilon, alpha, permutations, bandwidth):
    score, permuted = scores(records, rng, permutations, bandwidth)
    ranked = sorted(permuted, reverse=True)[math.floor(alpha * permutations)]
    return score - ranked + rng.laplace(scale=2 * 8 / (len(records) - 1) / epsilon) < 0


@pytest.mark.parametrize(
    ("records", "kind"),
    [
        (records_of(108, 0), KIND),
        (records_of(108, 1), KIND),
        (records_of(110, 2, 3), KIND | {"alpha": 0.05, "permutations": 3}),
        (records_of(40, 18), KIND),
    ],
)
def test_the_laws_fit_the_algorithms_on_kernel_matrices(records, kind):
    rng = np.random.default_rng(1)
    for naive, fast, law in (
        (naive_printed, pcd_edge, pcd_deletion),
        (naive_repaired, pcd_edge_repaired, repaired_deletion),
    ):
        exact = law(records, **kind)
        slow = np.mean([naive(records, rng, **kind) for _ in range(TRIALS)])
        assert slow == pytest.approx(exact, abs=5 * math.sqrt(0.25 / TRIALS))
        drawn = fast(records, **kind, size=100_000, rng=rng)
        assert drawn.dtype == np.bool_
        assert drawn.mean() == pytest.approx(exact, abs=0.008)


def test_the_printed_law_moves_with_its_parameters():
    kind = KIND | {"permutations": 1, "alpha": 0.05, "epsilon": 1.0}
    first, second = (pcd_deletion(records_of(108, wrong), **kind) for wrong in (0, 1))
    assert second / first > math.e**3
    assert abs(pcd_deletion(records_of(108, 1), **(kind | {"epsilon": 30.0})) - second) > 0.02


def test_the_repaired_form_keeps_its_claim_on_many_neighbors():
    worst = 0.0
    for epsilon in (0.5, 4.0):
        kind = KIND | {"epsilon": epsilon, "permutations": 5}
        for m in (6, 12, 108):
            for wrong in range(min(m // 2, 8)):
                pair = [repaired_deletion(records_of(m, w), **kind) for w in (wrong, wrong + 1)]
                losses = [abs(math.log(p / q)) for p, q in (pair, [1 - p for p in pair])]
                assert max(losses) <= epsilon
                worst = max(worst, max(losses) / epsilon)
    assert worst > 0.02


@pytest.mark.parametrize("run", [pcd_edge, pcd_edge_repaired])
def test_bad_parameters_are_refused(run):
    rng, good = np.random.default_rng(1), records_of(10, 1)
    for bad in ({"alpha": 0}, {"alpha": 1}, {"permutations": 0}, {"bandwidth": 0}, {"epsilon": 0}):
        with pytest.raises(UsageError):
            run(good, **(KIND | bad), size=2, rng=rng)
    for records in (((1, 1),), ((1, 0), (1, 1)), (1, -1)):
        with pytest.raises(UsageError, match="records"):
            run(records, **KIND, size=2, rng=rng)
    with pytest.raises(UsageError, match="size is"):
        run(good, **KIND, size=0, rng=rng)
