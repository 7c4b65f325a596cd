"""Loops over the records: rewritten code does what the code did, and its bounds hold."""

import itertools
import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from provado.proofs.sensitivity.bounded import bound_sensitivity
from provado.proofs.sensitivity.change import cases
from provado.proofs.sensitivity.trace import python, rewrite
from provado.proofs.sensitivity.trace.run import in_place_of, released_by
from provado.proofs.sensitivity.trace.untraceable import QueryTrace

UNIT = (0.0, 1.0)
OFFSET = 2


def squares(x):
    return sum(v * v for v in x)


def clipped_mean(x):
    values = [min(max(v, 0.25), 0.75) for v in x]
    return sum(values) / len(values)


def counted(x):
    return sum(1 for v in x if v > 0.5)


def between(x):
    return len([v for v in x if v > 0.2 if v < 0.9])


def by_loop(x):
    total, count = 0.0, 0
    for v in x:
        shifted = v + OFFSET
        total += math.sqrt(shifted) * shifted
        if v >= 0.5:
            count += 1
            if v <= 0.75:
                total += v
    return total, count


def two_loops(x, low=0.25):
    total = 0
    for v in x:
        total += max(v, low)
    for v in [1, 2, 3]:
        total += v * v
    return total + v


def neighbors_in_order(x):
    return sum((b - a) ** 2 for a, b in zip(x[:-1], x[1:], strict=True))  # noqa: RUF007


def pairs_in_order(x):
    return sum(p[0] * p[1] for p in zip(x, x[::-1], strict=True))


def deviations(x):
    center = np.mean(x)
    return sum(abs(v - center) for v in x)


def late(x):
    k = 0
    values = (v * k for v in x)
    k = 2
    return sum(values)


def within(x):
    def score(v):
        return math.exp(v) + float(v)

    return sum(score(v) for v in list(x)) + statistics.fmean(x) + round(len(x))


def as_array(x):
    return np.array([v**2 for v in x]).sum() + np.mean([v for v in x.tolist()])  # noqa: C416


def of_lists(x):
    table = {name: [k * n for k in range(3) if k] for name, n in (("a", 1), ("b", 2))}
    return np.sum(x) * sum(sum(one) for one in table.values())


def several(x):
    return any(v > 0.9 for v in x), all([v > 0.1 for v in x]), sum(v for v in x if v == 0.5)  # noqa: C419


def positions(x):
    total = 0
    for i in range(len(x)):
        total = total + x[i] ** 2
    return total / len(x)


def places_in_order(x):
    total = 0
    for i in range(1, len(x)):
        total += abs(x[i] - x[i - 1])
    return total


def backwards(x):
    n = len(x)
    return sum(x[i] * x[n - 1 - i] for i in range(n))


def numbered(x):
    return sum(v * (-1) ** i for i, v in enumerate(x)) + sum(i * v for i, v in enumerate(x, 1))


def even_places(x):
    total = 0
    for i, v in enumerate(x):
        if i % 2 == 0:
            total += v
        else:
            total -= v / 2
    return total


def multiplied(x):
    result = 1
    for v in x:
        result *= 1 - v / 2
    return 1 - result


def largest(x):
    best = x[0]
    least = math.inf
    for v in x:
        if v > best:
            best = v
        least = min(v, least)
    return best - least


def appended(x):
    values = []
    for v in x:
        if not 0.2 < v < 0.9:
            continue
        values.append(v if v > 0.5 else 1 - v)
    return sum(values)


def conditions(x):
    count = 0
    for v in x:
        if v < 0.25 or v > 0.75:
            count += 1
        elif v > 0.4 and not v >= 0.6:
            count += 2
        else:
            count -= 1
    return count


def shorter(x):
    return sum(a * b for a, b in zip(x, x[1:]))  # noqa: B905, RUF007


def rooms(x):
    return np.sign(x - 0.5).sum() + np.heaviside(x - 0.5, 1).sum()


def side_lengths(x):
    return np.hypot(x, 1).sum() + np.logaddexp(x, 0).sum()


def bends(x):
    return np.abs(np.diff(x, n=2)).sum() + np.trapezoid(x)


def weighted(x):
    return np.average(x, weights=np.arange(1, len(x) + 1))


def all_distances(x):
    n = len(x)
    total = 0
    for i in range(n):
        for j in range(i + 1, n):
            total += abs(x[i] - x[j])
    return total / (n * (n - 1) / 2)


def rises(x):
    total = 0
    for i in range(len(x) - 1):
        for j in range(i + 1, len(x)):
            if x[j] > x[i]:
                total += 1
            elif x[j] < x[i]:
                total -= 1
    return total


def others_only(x):
    total = 0
    for i, v in enumerate(x):
        for j, w in enumerate(x):
            if i != j:
                total += v * w
    return total


def later_ones(x):
    total = 0
    for i, v in enumerate(x):
        for w in x[i + 1 :]:
            total += v * (1 - w)
    return total


def pairs_of_two(x):
    return sum(abs(a - b) for a, b in itertools.combinations(x, 2))


def pairs_of_all(x):
    products = [a * b for a, b in itertools.product(x, repeat=2)]
    return sum(products) + sum(max(a, b) for a, b in itertools.permutations(x, 2))


def clauses(x):
    return sum(abs(v - w) for v in x for w in x) + sum(
        x[j] for i in range(len(x)) for j in range(i)
    )


def gini(x):
    return np.abs(x[:, None] - x).mean()


def table_of_pairs(x):
    return np.minimum.outer(x, x).sum() + np.outer(x, x).sum()


BANK: dict[Callable[..., Any], str] = {
    squares: "1",
    clipped_mean: "1/(2*n)",
    counted: "1",
    between: "1",
    by_loop: "",
    two_loops: "3/4",
    neighbors_in_order: "2",
    pairs_in_order: "2",
    deviations: "2*(n-1)/n",
    late: "2",
    within: "",
    as_array: "1 + 1/n",
    of_lists: "9",
    several: "",
    positions: "1/n",
    places_in_order: "2",
    backwards: "2",
    numbered: "n+1",
    even_places: "1",
    multiplied: "1/2",
    largest: "1",
    appended: "",
    conditions: "3",
    shorter: "2",
    side_lengths: "",
    bends: "",
    weighted: "2/(n+1)",
    rooms: "3",
    all_distances: "2/n",
    rises: "2*(n-1)",
    others_only: "2*(n-1)",
    later_ones: "n-1",
    pairs_of_two: "n-1",
    pairs_of_all: "",
    clauses: "",
    gini: "2*(n-1)/n**2",
    table_of_pairs: "4*n-2",
}
GRID = [0.0, 0.25, 0.5, 0.75, 1.0]


WITHOUT_LOOPS = (side_lengths, bends, weighted, rooms, gini, table_of_pairs)


@pytest.mark.parametrize("query", [one for one in BANK if one not in WITHOUT_LOOPS])
def test_rewritten_code_does_on_data_what_it_did(query: Callable[..., Any]) -> None:
    assert rewrite.rewritten(query) is not query.__code__  # type: ignore[attr-defined]
    rng = np.random.default_rng(1)
    for size in (2, 3, 7):
        x = rng.choice(GRID, size)
        found = released_by(query, x, QueryTrace(False, 2, None), in_place_of(python.PYTHON))
        assert found == (query(x), "")


@pytest.mark.parametrize("query", BANK)
def test_its_bound_is_sharp_and_holds(query: Callable[..., Any]) -> None:
    found = bound_sensitivity(query, BANK[query] or None, domain=UNIT, size=(3, None))
    assert found.verdict in ("proved", "argued"), found.words()
    assert found.verdict == "proved" or not BANK[query]
    moved = 0.0
    for x in itertools.product(GRID, repeat=3):
        for k, b in itertools.product(range(3), GRID):
            y = list(x)
            y[k] = b
            one, two = (np.ravel(np.asarray(query(np.array(d)), float)) for d in (x, y))
            moved = max(moved, float(np.abs(one - two).sum()))
    assert moved <= found.bound * (1 + 1e-9)
    half = None if not BANK[query] else f"({BANK[query]})/2"
    if half:
        smaller = bound_sensitivity(query, half, domain=UNIT, size=(3, None))
        assert smaller.verdict == "refuted"


def test_concordant_pairs_of_two_columns_move_kendalls_tau_by_4_over_n() -> None:
    def tau(t):
        x, y, n = t[:, 0], t[:, 1], len(t)
        total = 0
        for i in range(n):
            for j in range(i + 1, n):
                total += np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
        return 2 * total / (n * (n - 1))

    domain = ((0.0, 1.0), (0.0, 1.0))
    found = bound_sensitivity(tau, domain=domain, size=(3, None))
    assert found.verdict == "proved"
    assert "at most 4/n in" in found.words()
    assert bound_sensitivity(tau, "2/n", domain=domain, size=(3, None)).verdict == "refuted"


def test_the_changed_record_may_be_either_of_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: the changed record is the first of every pair."""

    def first(x):
        return sum(x[i] for i in range(len(x)) for j in range(i + 1, len(x)))

    def second(x):
        return sum(x[j] for i in range(len(x)) for j in range(i + 1, len(x)))

    for query in (first, second):
        assert bound_sensitivity(query, "n-1", domain=UNIT, size=(3, None)).verdict == "proved"
        assert bound_sensitivity(query, "n-2", domain=UNIT, size=(3, None)).verdict == "refuted"
    monkeypatch.setattr(cases, "placed", lambda element, _: element)
    found = bound_sensitivity(second, "0", domain=UNIT, size=(3, None))
    assert found.verdict == "unknown"
    assert "contradicted" in found.reason


def carried(x):
    total = before = 0.0
    for v in x:
        total += v * before
        before = v
    return total


def own_total(x):
    total = 0.0
    for v in x:
        total += v + total
    return total


def after(x):
    total = 0.0
    for v in x:
        total += 0 * v
    return total + v


def nested(x):
    return sum(sum(abs(v - w) for w in x) for v in x)


def three(x):
    return sum(u * v * w for u, v, w in itertools.combinations(x, 3))


def in_other_orders(x):
    return np.abs(x[::-1][:, None] - x).sum() + np.abs((x - x[0])[:, None] - x).sum()


def by_distance(x):
    return sum(v * w for i, v in enumerate(x) for j, w in enumerate(x) if i - j == 2)


def by_row(x):
    return np.abs(x[:, None] - x[None, :]).sum(axis=0).max()


def largest_pair(x):
    return max([v * w for v in x for w in x])


def without_the_last(x):
    return sum(x[j] for i in range(len(x) - 1) for j in range(len(x)))


def read_twice(x):
    values = (v for v in x)
    return sum(values) - sum(values)


def joined(x):
    return max(x.tolist() + (1 - x).tolist())


def early(x):
    total = 0.0
    for v in x:
        if v > 0.5:
            break
        total += v
    return total


def method_of_one(x):
    return sum(v.sum() for v in x)


def inverted(x):
    return sum(1 for v in x.tolist() if ~(v > 0.5))


def array_beside_one(x):
    return sum(np.max(x - v) for v in x)


def appended_twice(x):
    values = other = []
    for v in x:
        values.append(v)
    return sum(other)


def in_two_orders(x):
    total = 0
    for v in x:
        total += v
        total *= v
    return total


def largest_of_some(x):
    best = 0
    for v in x:
        if v < 0.5:
            best = max(best, v)
    return best


def wrapped(x):
    return sum(x[i] * x[i - 1] for i in range(len(x)))


def beyond(x):
    return sum(x[i] * x[i + 1] for i in range(len(x)))


def own_place(x):
    return sum(x[int(v)] for v in x)


def on_number(x):
    return sum(1 for v in x if v)


def in_order(x):
    return sorted(x, key=abs)[0]


REFUSED = {
    carried: "a loop over the records",
    own_total: "a loop over the records",
    after: "the variable of a loop over the records, after the loop",
    nested: "two records at once",
    three: "a loop over the records",
    in_other_orders: "depends on their order",
    by_distance: "in another way than by their order",
    by_row: "depends on their order",
    largest_pair: "",
    without_the_last: "in another way than by their order",
    read_twice: "a generator is read a second time",
    joined: "joined or repeated",
    early: "a loop over the records",
    method_of_one: "sum of one record's value",
    inverted: "write the opposite comparison",
    array_beside_one: "the records beside one record's value",
    appended_twice: "after the loop",
    in_two_orders: "a loop over the records",
    largest_of_some: "keeps the largest or the least, of some",
    beyond: "or beyond the last",
    own_place: "what is taken of the records depends on",
    on_number: "compare it with 0",
    in_order: "sorted() of data is not followed: use min, max",
}


@pytest.mark.parametrize("query", REFUSED)
def test_what_is_no_value_of_each_record_is_refused(query: Callable[..., Any]) -> None:
    found = bound_sensitivity(query, domain=UNIT, size=(3, None))
    assert found.verdict == "unknown"
    assert REFUSED[query] in found.reason
    assert found.reason.startswith("line ")


def test_a_place_before_the_first_is_counted_from_the_last() -> None:
    found = bound_sensitivity(wrapped, "2", domain=UNIT, size=(3, None))
    assert found.verdict == "proved"
    assert bound_sensitivity(wrapped, "1.9", domain=UNIT, size=(3, None)).verdict == "refuted"


def test_two_records_of_one_loop_are_not_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: records of two loops taken as one cancel."""
    monkeypatch.setattr(python, "object", lambda: None, raising=False)
    found = bound_sensitivity(nested, domain=UNIT, size=(3, None))
    assert found.verdict == "unknown"
    assert "contradicted" in found.reason


def test_columns_of_a_table_are_looped_over() -> None:
    def products(t):
        names = sum(1 for c in t["c"] if c == "a")
        return names, sum(a * b for a, b in zip(t["x"], t["y"], strict=True))

    domain = {"x": (0, 5), "y": (0.0, 3.0), "c": ["a", "b"]}
    found = bound_sensitivity(products, domain=domain, size=(2, None), norm="linf")
    assert (found.verdict, found.bound) == ("argued", 15.0)
    rows = pd.DataFrame({"x": [1, 2], "y": [1.0, 3.0], "c": ["a", "b"]})
    assert products(rows) == (1, 7.0)
    holes = bound_sensitivity(lambda t: sum(v for v in t["x"]), domain={"x": (0, 5, None)})
    assert "NaN" in holes.reason


@pytest.mark.parametrize(
    ("query", "bound"),
    [
        (lambda x: int((x > 0.5).sum()), 1),
        (lambda x: int(x.sum()), 2),  # Rounding may take a sum over a whole number.
        (lambda x: int(x.sum() / 2), 1),
        (lambda x: math.floor(1.5 * x.sum()), 2),
        (lambda x: round(x.sum()), 2),
        (lambda x: round(x.mean(), 1), 0.4),
        (lambda x: round(0.01 * x.sum()), 1),
        (lambda x: sum(int(3 * v) for v in x), 3),
    ],
)
def test_whole_numbers_move_in_steps(query: Callable[..., Any], bound: float) -> None:
    found = bound_sensitivity(query, domain=UNIT, size=(3, None))
    assert found.bound == pytest.approx(bound)
    below = bound_sensitivity(query, bound * 0.49, domain=UNIT, size=(3, None))
    assert below.verdict in ("refuted", "supported")


def test_what_may_be_no_whole_number_is_not_taken_for_one() -> None:
    halves = bound_sensitivity(lambda x: np.sum(x, dtype=np.int64), domain=(0, 8), size=(2, None))
    assert (halves.verdict, halves.bound) == ("proved", 8.0)
    truths = bound_sensitivity(lambda x: int(np.sum(x)), "1", domain=bool, size=(2, None))
    assert truths.verdict == "proved"
    cut = bound_sensitivity(lambda x: x.astype(int).sum(), domain=[0.5, 1], size=(2, None))
    assert (cut.verdict, cut.bound) == ("proved", 1.0)
