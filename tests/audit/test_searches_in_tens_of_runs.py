"""Flawed searches of graphs are certified in tens of runs, and sound ones are not accused."""

import pytest

from benchmarks.limit_discovery import CLAIM, FLAWED, MOST_RUNS, SOUND, at_the_edge, noiseless
from provado.audit import audit
from provado.mechanisms import ReplaceOne, Verdict


def verdict(name, seed=0):
    search, pair = (FLAWED | SOUND)[name]
    return audit(
        search, epsilon=CLAIM, pair=pair(), samples=f"auto:{MOST_RUNS}", seed=seed, isolate=False
    ).verdict


def test_the_pair_at_the_edge_are_neighbors_with_other_graphs():
    d, d_prime = at_the_edge(noiseless)
    ReplaceOne().check(d, d_prime)
    assert noiseless(d, None) != noiseless(d_prime, None)


def test_a_search_without_noise_is_certified():
    assert verdict("PC without noise") is Verdict.VIOLATION


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*FLAWED, *SOUND])
def test_each_search_has_its_verdict(name, seed):
    # A sound one is accused in at most 5 % of audits, and none of these seeds is such a case.
    assert (verdict(name, seed) is Verdict.VIOLATION) == (name in FLAWED)
