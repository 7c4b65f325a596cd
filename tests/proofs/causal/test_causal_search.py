from fractions import Fraction

from hypothesis import given, settings

from provado.proofs.causal.definitions import DECIDE
from provado.proofs.causal.finite_mechanism import finite_mechanism
from provado.proofs.causal.model import uniform
from provado.proofs.causal.search import (
    Case,
    by_size,
    mechanisms,
    populations,
    rows_with_denominator,
    shrink,
)
from provado.proofs.ledger.tschantz2022._witness import printed_example
from tests.proofs.causal.causal_strategies import cases
from tests.proofs.causal.first_case import first
from tests.proofs.causal.full_batteries._arrows import missing
from tests.proofs.causal.full_batteries._finding import replay


def broken_converse(case):
    """Definition 7 holds with an ε with which Definition 1 does not."""
    return DECIDE["1"](case).factor > DECIDE["7"](case).factor


def test_grids_are_complete_and_without_repeats():
    rows = rows_with_denominator(3, 4)
    assert len(rows) == len(set(rows)) == 15
    assert all(sum(row) == 1 for row in rows)
    tables = [tuple(m.table.values()) for m in mechanisms(2, 2, 2, 2)]
    assert len(tables) == len(set(tables)) == 3**4
    alike = list(mechanisms(2, 2, 2, 2, symmetric=True))
    assert len(alike) == 3**3
    assert all(m.table[0, 1] == m.table[1, 0] for m in alike)
    assert len(list(populations(2, 2, 2))) == 10


def test_sizes_come_in_order():
    sizes = [case.size[:2] for case in by_size(most_points=2, denominators=(1, 2))]
    assert sizes == sorted(sizes)
    assert {size[0] for size in sizes} == {1, 2}


def test_nothing_found_says_how_much_was_tried():
    found = first(by_size(most_points=1, denominators=(1,)), lambda case: False)
    assert found.case is None
    assert found.tried == 2 + 4


def test_the_printed_counterexample_shrinks_to_two_values():
    people = uniform([(a, b) for a in (0, 1) for b in (0, 1)])
    printed = Case(printed_example(2), people)
    assert broken_converse(printed)
    small = shrink(printed, broken_converse)
    assert broken_converse(small)
    assert small.size[:3] == (2, 4, 2)


@settings(max_examples=25)
@given(cases())
def test_whatever_breaks_the_converse_shrinks_and_replays(pair):
    case = Case(*pair)
    if broken_converse(case):
        small = shrink(case, broken_converse)
        assert broken_converse(small)
        assert small.size <= case.size
        # Proposition 4: never fewer than two data points, each needs two values somewhere.
        assert small.mechanism.n == 2


def test_a_counterexample_in_three_points_shrinks_to_its_core():
    m = finite_mechanism(
        [(0, 1, 2)] * 3,
        lambda a, b, _c: {0: Fraction(1 + (a == b == 2), 4), 1: Fraction(3 - (a == b == 2), 4)},
    )
    wanted = broken_converse
    case = Case(m, uniform([(a, b, 0) for a in (0, 1) for b in (0, 1)]))
    assert wanted(case)
    assert shrink(case, wanted).size[:2] == (2, 4)


def test_missing_arrows_replay_and_a_forged_one_does_not():
    finding = missing("1", "3")
    (found,) = finding.counterexamples
    definitions = [(f"Definition {key}", DECIDE[key]) for key in ("3", "1")]
    assert replay(found, *definitions)
    assert not replay(found, *reversed(definitions))
    assert found.case.size[:2] == (2, 4)
