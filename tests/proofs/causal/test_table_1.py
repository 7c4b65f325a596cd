"""Table 1: every arrow on random cases, every missing arrow by its smallest counterexample."""

from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis.errors import NoSuchExample

from provado.proofs.causal.definitions import DECIDE
from provado.proofs.causal.search import Case, shrink
from tests.proofs.causal.causal_strategies import cases, mechanisms
from tests.proofs.causal.full_batteries._arrows import missing

quick = settings(max_examples=30)

# strong → weak, for all mechanisms and populations.
ARROWS = [
    *((key, "1") for key in ("2", "3", "4 as printed", "4 with mutual independence")),
    *((key, "1") for key in ("5", "6", "8", "9")),
    *(("1", key) for key in ("2", "4 with mutual independence", "5", "6", "7", "8", "9", "10")),
    ("3", "4 as printed"),
    ("3", "3 for one population"),
]
MISSING = {
    ("1", "3"): ("two points", {}),
    ("7", "1"): ("two points", {"people": (1, 2)}),
    ("10", "1"): ("one point", {"people": (1, 2)}),
    ("1", "4 as printed"): ("three points", {"most_points": 3}),
    ("4 as printed", "3"): ("two points", {}),
    ("1", "3 for one population"): ("two points", {"people": (1, 2)}),
}
POINTS = {"one point": 1, "two points": 2, "three points": 3}


@quick
@given(cases())
def test_arrows(pair):
    case = Case(*pair)
    factors = {key: decide(case).factor for key, decide in DECIDE.items()}
    for strong, weak in ARROWS:
        assert factors[weak] <= factors[strong], (strong, weak)


@pytest.mark.parametrize(("strong", "weak"), MISSING)
def test_missing_arrows(strong, weak):
    size, how = MISSING[strong, weak]
    finding = missing(strong, weak, **how)
    assert not finding.holds
    (found,) = finding.counterexamples
    assert found.case.mechanism.n == POINTS[size]
    assert all(len(domain) <= 2 for domain in found.case.mechanism.domains)
    one, two = DECIDE[strong](found.case).factor, DECIDE[weak](found.case).factor
    assert one < two
    smaller = shrink(found.case, lambda c: DECIDE[strong](c).factor < DECIDE[weak](c).factor)
    assert smaller.size[:2] == found.case.size[:2]


@pytest.mark.parametrize(("strong", "weak"), [("1", "3"), ("1", "4 as printed")])
def test_nothing_is_missing_below_the_smallest(strong, weak):
    fewer = POINTS[MISSING[strong, weak][0]] - 1
    assert missing(strong, weak, most_points=fewer).holds


def test_a_random_search_finds_the_missing_arrow_too():
    def breaks(mechanism):
        case = Case(mechanism)
        return DECIDE["1"](case).factor < DECIDE["3"](case).factor

    found = find(
        mechanisms(most_points=2, most_values=2, most_outputs=2),
        breaks,
        settings=settings(max_examples=3000),
        random=Random(0),
    )
    assert shrink(Case(found), lambda case: breaks(case.mechanism)).size[:2] == (2, 4)


def test_a_random_search_does_not_find_what_is_not_missing():
    def breaks(mechanism):
        case = Case(mechanism)
        return DECIDE["8"](case).factor != DECIDE["1"](case).factor

    with pytest.raises(NoSuchExample):
        find(mechanisms(), breaks, settings=settings(max_examples=60), random=Random(0))
