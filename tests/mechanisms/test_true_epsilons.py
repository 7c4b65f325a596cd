"""The true ε that the catalogue states, computed anew from exact distributions."""

import math
from functools import partial

import pytest

from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.catalogue import graphs as graph_catalogue
from provado.mechanisms.graph_discovery.catalogue import noisy_tables
from provado.mechanisms.graph_discovery.edges import pcd_edge, priv_pc_edge, sieve_and_examine
from provado.mechanisms.textbook import sparse_vector
from provado.mechanisms.textbook.exponential import exponential_probabilities
from provado.mechanisms.textbook.noisy_max import report_noisy_max_probabilities
from tests.mechanisms.exact import edges
from tests.mechanisms.exact.graphs import pair_epsilon as pair_epsilon_of_graphs
from tests.mechanisms.exact.noisy_tables import exact_epsilon
from tests.mechanisms.exact.pair_loss import release_epsilon
from tests.mechanisms.exact.sparse_vector import AGREES, ONE_ABOVE, numeric_epsilon, pair_epsilon

CATALOGUE = {mechanism.name: mechanism for mechanism in catalogue()}


def loss(first, second):
    return max(abs(math.log(p / q)) for p, q in zip(first, second, strict=True))


def of_shares(sensitivity):
    setting = {"sensitivity": sensitivity, **sieve_and_examine.SETTING}
    return loss(*(edges.share_distribution(bits, **setting) for bits in sieve_and_examine.PAIR))


def of_deletion(deletion):
    chances = [deletion(records, **pcd_edge.SETTING) for records in pcd_edge.PAIR]
    return loss(*((chance, 1 - chance) for chance in chances))


def of_tables(noise, order, delta=0.0):
    return exact_epsilon(noisy_tables.PAIR, noise=noise, order=order, delta=delta)


def of_patterns(variant, pair=sparse_vector.PAIR, wanted=tuple(ONE_ABOVE), threshold=0.5):
    return pair_epsilon(variant, pair, wanted, threshold)


def of_release(mechanism):
    delta = mechanism.promise.point()[1]
    return release_epsilon(mechanism.run.func, mechanism.pairs[0], delta, **mechanism.run.keywords)


RELEASES = {
    name: partial(of_release, mechanism)
    for name, mechanism in CATALOGUE.items()
    if "kusner2016" in mechanism.tags
}


def of_graphs(mechanism):
    return pair_epsilon_of_graphs(mechanism.pairs[0], mechanism.run.keywords["method"])


GRAPHS = {mechanism.name: partial(of_graphs, mechanism) for mechanism in graph_catalogue.MECHANISMS}


def of_selection(probabilities, name, **noise):
    mechanism = CATALOGUE[name]
    epsilon = mechanism.promise.epsilon
    return loss(*(probabilities(data, epsilon=epsilon, **noise) for data in mechanism.pairs[0]))


EXACT = (
    RELEASES
    | GRAPHS
    | {
        "exponential/five-options": partial(
            of_selection, exponential_probabilities, "exponential/five-options"
        ),
        "noisy-max/laplace": partial(
            of_selection, report_noisy_max_probabilities, "noisy-max/laplace", noise="laplace"
        ),
        "sparse-vector/above-threshold": partial(of_patterns, sparse_vector.above_threshold),
        "sparse-vector/svt-1": partial(of_patterns, sparse_vector.sparse_vector),
        "sparse-vector/numeric": numeric_epsilon,
        "twin/svt-4": partial(of_patterns, sparse_vector.sparse_vector_4, threshold=1.0),
        "twin/svt-6": partial(
            of_patterns, sparse_vector.sparse_vector_6, sparse_vector.SWAP, [AGREES], 1.0
        ),
        "priv-pc/one-edge": lambda: loss(*edges.edge_distributions()),
        "twin/priv-pc-uncharged-sieve": lambda: loss(*map(edges.silent_odds, priv_pc_edge.PAIR)),
        "priv-pc/sieve-and-examine": partial(of_shares, 1.0),
        "twin/sieve-and-examine-full-sensitivity": partial(of_shares, 1 / 16),
        "pcd/one-edge": partial(of_deletion, edges.repaired_deletion),
        "twin/pcd-one-edge": partial(of_deletion, pcd_edge.pcd_deletion),
        "tables/graph": partial(of_tables, noisy_tables.WHOLE, 3),
        "tables/pairs": partial(of_tables, noisy_tables.PAIRS, 2),
        "tables/pairs-gaussian": partial(of_tables, noisy_tables.GAUSSIAN, 2, noisy_tables.DELTA),
        "twin/tables-used-not-planned": partial(of_tables, noisy_tables.WHOLE, 2),
    }
)


@pytest.mark.parametrize("name", EXACT)
def test_the_stated_epsilon_is_that_of_the_exact_distribution(name):
    stated, exact = CATALOGUE[name].true_epsilon, EXACT[name]()
    assert stated == pytest.approx(exact, rel=1e-9)
    # A value that is off in the seventh digit would be seen.
    assert math.isinf(stated) or stated * (1 + 1e-7) + 1e-7 != pytest.approx(exact, rel=1e-9)


def test_all_releases_of_pairs_are_computed_anew():
    assert len(RELEASES) == 28
