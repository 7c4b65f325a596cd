"""Every bad argument is refused before a draw, in one line: its name, its value, the rule."""

import copy
import math

import numpy as np
import pandas as pd
import pytest

from provado.audit import audit, audit_one_run, replay
from provado.audit.experiments.effects.observational import effect_study
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, UsageError
from provado.mechanisms.graph_discovery.noisy_tables.plan import plan_tables
from provado.mechanisms.textbook.randomized_response import MECHANISMS
from provado.proofs import bound_sensitivity, prove
from provado.reports.targets.dataset import check_neighbors
from tests.audit.audited_mechanisms import truthful
from tests.audit.test_exact_audit import response

NAN, INF = math.nan, math.inf


def never(data):
    raise AssertionError("the mechanism was called")


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        *[("epsilon", v, "finite number above 0") for v in (0, 0.0, -1, NAN, INF, -INF)],
        *[("epsilon", v, "number") for v in ("one", [1], 1j, 10**400)],
        *[("delta", v, r"lie in \[0, 1\)") for v in (-0.1, 1, 1.0, 2, NAN, INF)],
        ("delta", "small", "number"),
        *[
            ("samples", v, "whole number of at least 1")
            for v in (0, -5, 1.5, NAN, INF, True, [100])
        ],
        ("samples", "many", "'auto' or 'auto:N'"),
        *[("confidence", v, "between 0 and 1") for v in (0, 1, -1, 1.5, NAN)],
        ("confidence", "high", "number"),
        *[("seed", v, "whole number of at least 0") for v in (-1, 0.5, NAN, "x", None)],
        *[("jobs", v, "whole number of at least 1") for v in (0, -2, 1.5, None)],
        *[("seconds", v, "finite number above 0") for v in (0, -1, NAN, INF)],
        *[("time_limit", v, "finite number above 0") for v in (0, -1, NAN, INF)],
        ("seconds", "long", "number"),
        *[("explore", v, "whole number of at least 2") for v in (0, 1, 2.5, NAN, True)],
        *[("explore", v, "'N:KEPT'") for v in ("many", "9", "5:9", "9:1", "9:-2", ":", "9:5:2")],
        ("relation", "one-more", "add-or-remove-one"),
        ("relation", ReplaceOne, "methods check and words"),
        ("relation", 3, "methods check and words"),
        ("name", 3, "text"),
        *[("pair", v, "tuple") for v in (3, {0, 1}, np.zeros(2), [], [0, 1], [(0, 1, 2)], (0,))],
    ],
)
def test_a_bad_argument_is_refused_before_a_draw(name, value, rule):
    arguments = {"epsilon": 1.0, "pair": (0, 1), "samples": 100} | {name: value}
    with pytest.raises(UsageError, match=f"^{name} .*{rule}") as refused:
        audit(never, **arguments)
    assert "\n" not in str(refused.value)


NO_NUMBERS = [True, False, np.True_, np.array(True), "1", "0.5", "nan", b"1", [1.0], 1j]
ENTRIES = {
    "audit": lambda **claim: audit(never, pair=([0], [1]), samples=100, **claim),
    "audit of a table": lambda **claim: audit(response(2), **claim),
    "audit_one_run": lambda **claim: audit_one_run(never, canaries=[1, 2, 3, 4], **claim),
    "replay": lambda **claim: replay(never, pair=([0], [1]), isolate=False, **claim),
    "effect": lambda epsilon=1.0, delta=None: effect_study(
        never, np.eye(4), point=0, values=(0, 1), epsilon=epsilon if delta is None else delta
    ),
    "prove": lambda **claim: prove(_noisy, **claim),
    "prove of records": lambda **claim: prove(never, domain=(0, 1), **claim),
    "bound": lambda epsilon=1.0, delta=None: bound_sensitivity(
        sum, epsilon if delta is None else delta, domain=(0, 1)
    ),
    "discover": lambda epsilon=1.0, delta=0.1: plan_tables(
        1000, (2, 2, 2), epsilon=epsilon, delta=delta
    ),
}


def _noisy(x: float, epsilon, rng):
    return x + rng.laplace(0, 1 / epsilon)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("value", [*NO_NUMBERS, NAN, -1], ids=repr)
@pytest.mark.parametrize("name", ["epsilon", "delta"])
def test_a_claim_that_is_no_number_is_refused_wherever_it_is_stated(entry, value, name):
    if isinstance(value, str) and entry in ("prove", "prove of records", "bound"):
        return  # Texts such as 1/3 or 2*epsilon are stated there.
    with pytest.raises(UsageError, match=r"(epsilon|delta|claimed)(:| is) "):
        ENTRIES[entry](**({"epsilon": 1.0} | {name: value}))


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", ["confidence", "seconds", "time_limit", "detectable"])
def test_an_option_that_is_no_number_is_refused(name, value):
    with pytest.raises(UsageError, match=f"{name} is .*number"):
        audit(never, epsilon=0.5, pair=([0], [1]), **{name: value})


@pytest.mark.parametrize("value", [*NO_NUMBERS, None], ids=repr)
def test_a_value_of_an_effect_that_is_no_number_is_refused(value):
    with pytest.raises(UsageError, match=r"values is .*number"):
        effect_study(never, np.eye(4), point=0, values=(0, value))


@pytest.mark.parametrize("name", ["epsilon", "pair"])
def test_a_missing_claim_or_pair_is_named(name):
    arguments = {"epsilon": 1.0, "pair": (0, 1)}
    del arguments[name]
    with pytest.raises(UsageError, match=f"^{name} is missing"):
        audit(never, **arguments)


@pytest.mark.parametrize("mechanism", [None, 3, "laplace", [truthful]])
def test_what_cannot_be_called_is_refused(mechanism):
    with pytest.raises(UsageError, match=r"^mechanism is of type .*must be callable"):
        audit(mechanism, epsilon=1.0, pair=(0, 1))


@pytest.mark.parametrize(
    ("relation", "pair"),
    [
        (ReplaceOne(), ([1, 2], [1, 2])),
        (ReplaceOne(), ([1, 2], [3, 4])),
        (ReplaceOne(), ([1, 2], [1])),
        (AddOrRemoveOne(), ([1, 2], [1, 2])),
        (AddOrRemoveOne(), ([1, 2], [3, 4, 5])),
        (BoundedAnswers(), ([0.0], [1.5])),
        (BoundedAnswers(), ([0.0], [0.0, 1.0])),
        (BoundedAnswers(), ([0.0], [NAN])),
        (BoundedAnswers(), ("a", "b")),
    ],
)
def test_datasets_that_are_not_neighbors_are_refused(relation, pair):
    with pytest.raises(UsageError, match=r"^pair") as refused:
        audit(never, epsilon=1.0, pair=pair, relation=relation)
    assert "\n" not in str(refused.value)


class Opaque:
    """A dataset of a type that nobody knows, which shows little of what it holds."""

    __hash__ = None

    def __repr__(self):
        return "Opaque(…)"


SAME = [0, "ab", (1, 2), [1, NAN], {"a": [1]}, np.zeros((3, 2)), pd.DataFrame({"a": [1, 2]})]


@pytest.mark.parametrize("data", [*SAME, Opaque()], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("several", [False, True])
def test_two_datasets_that_are_the_same_are_refused(data, several):
    pair = (data, data if isinstance(data, Opaque) else copy.deepcopy(data))
    with pytest.raises(UsageError, match=r"^pair: D and D′ are the same"):
        audit(never, epsilon=1.0, pair=[([0], [1]), pair] if several else pair)
    with pytest.raises(UsageError, match="D and D′ are the same"):
        check_neighbors(*pair, None, "--pair")


@pytest.mark.parametrize(
    "pair",
    [(0, 1), ([1], [NAN]), ([1], [1, 1]), (Opaque(), Opaque()), (np.zeros(2), np.zeros((2, 1)))],
)
def test_two_datasets_that_may_differ_are_taken(pair):
    result = audit(lambda data, rng: rng.random() < 0.5, epsilon=1.0, pair=pair, samples=100)
    assert result.pairs


def test_one_bad_pair_among_many_is_refused():
    with pytest.raises(UsageError, match=r"^pair: D and D′ differ in 2 records"):
        audit(never, epsilon=1.0, pair=[([0], [1]), ([0, 1], [2, 3])], relation=ReplaceOne())


def test_a_pair_of_large_arrays_is_refused_in_one_line():
    with pytest.raises(UsageError, match=r"^pair holds") as refused:
        audit(never, epsilon=1.0, pair=[np.zeros((5, 5)), np.ones((5, 5))])
    assert "\n" not in str(refused.value)


def test_the_relation_of_a_statement_is_checked_on_pairs_of_the_user():
    with pytest.raises(UsageError, match=r"^pair"):
        audit(MECHANISMS[0], pair=([0, 0], [1, 1]), samples=100)
