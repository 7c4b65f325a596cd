"""Bounds from a query's steps, against every pair of neighbors of small domains."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, UsageError
from provado.proofs.sensitivity import SensitivityVerdict, bound_sensitivity
from provado.proofs.sensitivity.change import formula
from provado.proofs.sensitivity.trace import bound as bound_module
from provado.proofs.sensitivity.trace import cells, number
from provado.proofs.sensitivity.trace.bound import read_domain, trace_query
from provado.proofs.sensitivity.trace.interval import TRUTH, Interval, point

NUMBERS: Any = (0, 8)
SIGNED: Any = (-4, 8)
TABLE: Any = {"age": (0, 8), "city": ["a", "b", "c"], "member": bool}
PAIRS: Any = ((0, 4), (-2, 2))


def clipped(d: Any) -> Any:
    return np.clip(d, 1, 5).sum()


def capped(d: Any) -> Any:
    return np.minimum(np.maximum(d, 2), 6).sum() / 4 - 3


def average(d: Any) -> Any:
    return np.mean(d)


def average_by_hand(d: Any) -> Any:
    return d.sum() / len(d)


def counted(d: Any) -> Any:
    return (d > 3).sum()


def either(d: Any) -> Any:
    return np.count_nonzero((d < 2) | ~(d < 6))


def chosen(d: Any) -> Any:
    return d[d > 2].sum()


def masked(d: Any) -> Any:
    return np.where(d > 2, d, -1).sum()


def utilities(d: Any) -> Any:
    return [-abs((d <= at).sum() - len(d) / 2) for at in (1, 4, 7)]


def histogram(d: Any) -> Any:
    return np.histogram(d, bins=[0, 2, 4, 9])[0]


def cumulated(d: Any) -> Any:
    return np.cumsum(np.histogram(d, bins=3, range=(0, 8))[0]) * 2.0


def squares(d: Any) -> Any:
    return (d**2).sum()


def spread(d: Any) -> Any:
    return (d**2).mean() - d.mean() ** 2


def middle(d: Any) -> Any:
    return np.median(d)


def least_and_most(d: Any) -> Any:
    return {"least": d.min(), "most": d.max()}


def rooted(d: Any) -> Any:
    return np.sqrt(np.clip(d, 0, None)).sum()


def limited(d: Any) -> Any:
    return min(d.sum(), 10.0) * 3


def rounded(d: Any) -> Any:
    return round(d.sum() / 3)


def whole(d: Any) -> Any:
    return np.bincount(np.clip(d, 0, 3).astype(int), minlength=4)


def by_city(t: Any) -> Any:
    return t.groupby("city")["age"].sum().reindex(["a", "b", "c"], fill_value=0)


def means_by_city(t: Any) -> Any:
    return t.groupby("city")["age"].mean().reindex(["a", "b", "c"], fill_value=0.0)


def in_a_city(t: Any) -> Any:
    return t[(t.city == "a") & t["member"]]["age"].clip(upper=5).sum()


def cities(t: Any) -> Any:
    return t["city"].value_counts().reindex(["a", "b", "c"], fill_value=0)


def of_both(t: Any) -> Any:
    return len(t) + t.age.sum() / 8


def columns(x: Any) -> Any:
    return np.clip(x, -1, 3).sum(axis=0)


def weighed(x: Any) -> Any:
    return (x * np.array([1, 2])).mean(axis=0)


def product(x: Any) -> Any:
    return (x[:, 0] * x[:, 1]).sum()


SHARP: list[tuple[Callable[[Any], Any], Any]] = [
    (clipped, NUMBERS),
    (clipped, SIGNED),
    (capped, NUMBERS),
    (counted, NUMBERS),
    (either, NUMBERS),
    (chosen, NUMBERS),
    (masked, NUMBERS),
    (histogram, NUMBERS),
    (squares, SIGNED),
    (limited, NUMBERS),
    (whole, NUMBERS),
    (by_city, TABLE),
    (in_a_city, TABLE),
    (cities, TABLE),
    (columns, PAIRS),
    (product, PAIRS),
]
"""Queries whose bound is reached on the small domain, under both relations."""

LOOSE: list[tuple[Callable[[Any], Any], Any]] = [
    (average, SIGNED),
    (average_by_hand, SIGNED),
    (utilities, NUMBERS),
    (cumulated, NUMBERS),
    (spread, SIGNED),
    (middle, NUMBERS),
    (least_and_most, NUMBERS),
    (rooted, NUMBERS),
    (rounded, NUMBERS),
    (means_by_city, TABLE),
    (of_both, TABLE),
    (weighed, PAIRS),
]
"""Queries whose bound may be farther."""

RELATIONS = (ReplaceOne(), AddOrRemoveOne())


def values(column: Any) -> list[Any]:
    if column is bool:
        return [False, True]
    return column if isinstance(column, list) else sorted({column[0], column[1], 3, 0})


def datasets(domain: Any, size: int) -> Iterator[list[Any]]:
    if isinstance(domain, dict):
        records = list(itertools.product(*([0, 8], ["a", "b"], [True, False])))
    elif isinstance(domain[0], tuple):
        records = list(itertools.product((0, 4), (-2, 0, 2)))
    else:
        records = [(value,) for value in values(domain)]
    for chosen_ones in itertools.product(records, repeat=size):
        yield list(chosen_ones)


def made(domain: Any, records: list[Any]) -> Any:
    if isinstance(domain, dict):
        return pd.DataFrame(records, columns=list(domain))
    if isinstance(domain[0], tuple):
        return np.array(records, dtype=float).reshape(-1, len(domain))
    return np.array([one for (one,) in records])


def released(query: Callable[[Any], Any], domain: Any, records: list[Any]) -> np.ndarray:
    found = query(made(domain, records))
    found = list(found.values()) if isinstance(found, dict) else found
    return np.asarray(found, dtype=float).ravel()


def lengths(apart: np.ndarray) -> np.ndarray:
    """Return the length of each vector in ℓ1, ℓ2 and ℓ∞."""
    size = np.abs(apart)
    return np.array([size.sum(-1), np.sqrt((size**2).sum(-1)), size.max(-1)])


def farthest(query: Callable[[Any], Any], domain: Any, relation: Any, least: int) -> np.ndarray:
    """Return how far neighbors of few records move a query, by trying all of them."""
    most, smaller = np.zeros(3), isinstance(relation, AddOrRemoveOne)
    for size in (least, least + 1):
        answers = {
            tuple(data): released(query, domain, data)
            for each in ((size, size - 1) if smaller else (size,))
            for data in datasets(domain, each)
        }
        alike: dict[Any, list[np.ndarray]] = {}
        for data, answer in answers.items():
            if smaller and len(data) == size:
                most = np.maximum(most, lengths(answer - answers[data[1:]]))
            elif not smaller:
                alike.setdefault(data[1:], []).append(answer)
        for moved in alike.values():
            among = np.array(moved)
            most = np.maximum(most, lengths(among[:, None] - among).max(axis=(1, 2)))
    return most


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize(("query", "domain"), SHARP + LOOSE)
def test_no_neighbors_move_it_farther(query: Any, domain: Any, relation: Any) -> None:
    traced = trace_query(query, read_domain(domain), relation, (2, None))
    assert traced.reason == ""
    assert traced.moves is not None
    bounds = [traced.moved(norm) for norm in ("l1", "l2", "linf")]
    found = farthest(query, domain, relation, 2)
    assert all(
        one is not None and far <= one + 1e-9 for far, one in zip(found, bounds, strict=True)
    )
    if (query, domain) in SHARP:
        assert found[0] == pytest.approx(float(traced.moves))
    assert found[0] > 0
    assert traced.most is not None
    assert traced.most <= traced.moves


def test_the_bound_of_a_mean_falls_with_the_fewest_records() -> None:
    for relation in RELATIONS:
        domain = read_domain(SIGNED)
        assert trace_query(average, domain, relation, (2, None)).moves == 6
        assert trace_query(average, domain, relation, (48, None)).moves == Fraction(1, 4)


# Each rule with a fault: the same pairs go beyond it.
FAULTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], Any, Any]] = {
    "one more moves by the width": (
        lambda patch: patch.setattr(number.TracedSum, "moves", property(lambda t: t.each.width)),
        lambda d: (d + 4).sum(),
        AddOrRemoveOne(),
    ),
    "the mean of one record more": (
        lambda patch: patch.setattr(number, "mean", lambda e: number.Number(e, Fraction(1, 9))),
        average_by_hand,
        AddOrRemoveOne(),
    ),
    "a record leaves no cell": (
        lambda patch: patch.setattr(
            cells,
            "counts",
            lambda *_: (cells.TracedCells(number.Number(TRUTH, Fraction(1)), Fraction(1), 3), None),
        ),
        histogram,
        ReplaceOne(),
    ),
    "a factor is forgotten": (
        lambda patch: patch.setattr(Interval, "__mul__", lambda one, other: one),
        lambda d: 3 * d.sum(),
        ReplaceOne(),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_rule_is_contradicted_by_the_query(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, query, relation = FAULTS[fault]
    # By its steps alone: what follows the query as a whole does not use these rules.
    monkeypatch.setattr("provado.proofs.sensitivity.bounded._followed", lambda *_: "")
    sound = bound_sensitivity(query, domain=NUMBERS, relation=relation, size=(2, None))
    assert sound.verdict is SensitivityVerdict.ARGUED
    plant(monkeypatch)
    if fault == "a record leaves no cell":
        monkeypatch.setattr("provado.proofs.sensitivity.trace.rows.counts", cells.counts)
    broken = bound_sensitivity(query, domain=NUMBERS, relation=relation, size=(2, None))
    assert broken.verdict is SensitivityVerdict.UNKNOWN
    assert "the steps are contradicted" in broken.reason


def lowest_first(d: Any) -> Any:
    return (d - d.min()).sum()


def other_way(d: Any) -> Any:
    return d.sum() if d.sum() > 3 else 0


def in_place(d: Any) -> Any:
    d -= 1
    return d.sum()


def swallowing(d: Any) -> Any:
    try:
        return float(d[0])
    except Exception:
        return 0.0


def swallowing_all(d: Any) -> Any:
    try:
        return float(d[0])
    except BaseException:
        return 0.0


def one_by_one(d: Any) -> Any:
    total = 0
    for x in d:
        total = max(total, x) / 2
    return total


def own_edges(d: Any) -> Any:
    return np.histogram(d)[0]


def own_keys(t: Any) -> Any:
    return t.groupby("city").size()


def of_the_chosen(d: Any) -> Any:
    return d[d > 3].mean()


def through_a_list(d: Any) -> Any:
    return len([x + y for x in d for y in d])


def another_choice(d: Any) -> Any:
    return (d[d > 3] - d[d > 2]).sum()


@pytest.mark.parametrize(
    ("query", "domain", "said"),
    [
        (lowest_first, NUMBERS, "a number that depends on all records changes each of them"),
        (other_way, NUMBERS, "the way that the program takes"),
        (in_place, NUMBERS, "nothing is changed in place: compute a new array"),
        (swallowing, NUMBERS, "what is taken of the records depends on their order"),
        (swallowing_all, NUMBERS, "what is taken of the records depends on their order"),
        (one_by_one, NUMBERS, "a loop over the records"),
        (own_edges, NUMBERS, "the edges of np.histogram depend on the data"),
        (own_keys, TABLE, "numbers whose keys depend on the data"),
        (of_the_chosen, NUMBERS, "where nothing is, it is NaN"),
        (through_a_list, NUMBERS, "two records at once: write one"),
        (another_choice, NUMBERS, "chosen in another way"),
        (clipped, float, "a comparison or a clip lets NaN through"),
        (lambda d: d.sum() / (d.sum() - 3), NUMBERS, "divided by one that may be 0"),
        (lambda d: "ten", NUMBERS, "it returns str"),
        (lambda d: np.asarray(d, np.float32).sum(), NUMBERS, "np.array of the records with"),
        (lambda d: d.no_such, NUMBERS, "no_such of the records is not traced"),
        (lambda d: 1 // 0, NUMBERS, "the query raised 'ZeroDivisionError"),
        (lambda t: t["age"].clip(0, t["age"].max()).sum(), TABLE, "a number that depends on all"),
    ],
)
def test_what_cannot_be_followed_has_no_bound(query: Any, domain: Any, said: str) -> None:
    traced = trace_query(query, read_domain(domain), ReplaceOne(), (2, None))
    assert traced.moves is None
    assert said in traced.reason


def repeated(d: Any) -> Any:
    return np.histogram(d, bins=3, range=(0, 8))[0] + np.zeros((3, 1))


def labels(t: Any) -> Any:
    return t.index.max()


def written(d: Any) -> Any:
    return len(repr(d))


def several_quantiles(d: Any) -> Any:
    return np.quantile(d, [0.1, 0.5, 0.9])


def filled_with_holes(t: Any) -> Any:
    return t["x"].fillna(t["y"]).sum()


def clipped_at_holes(t: Any) -> Any:
    return t["x"].clip(t["y"], t["y"] + 1).sum()


def through_numpy(t: Any) -> Any:
    return np.where(t["x"] > 0, t["x"], t["y"]).sum()


def or_a_number(d: Any) -> Any:
    return ((d > 3) | -7).sum()


def sent_away(d: Any) -> Any:
    return np.clip(np.nan_to_num(d, posinf=-5.0), -5, 1).sum()


def in_place_by_option(d: Any) -> Any:
    np.nan_to_num(d, copy=False, nan=50.0)
    return np.clip(d, 0, 99).sum()


def by_a_name_of_pandas(t: Any) -> Any:
    return t.size.sum()


def leaving_floats(d: Any) -> Any:
    return np.clip(np.exp(d.sum() + 800), 1e9, None) / np.exp(d.sum() + 800)


def leaving(d: Any) -> Any:
    raise SystemExit(3)


HOLES: Any = {"x": [5, 6, None], "y": [2, 9, None]}


@pytest.mark.parametrize(
    ("query", "domain", "said"),
    [
        (repeated, NUMBERS, "beside numbers that depend on the data is not traced"),
        (labels, TABLE, "max of the index is not traced"),
        (written, NUMBERS, "depends on the records"),
        (several_quantiles, NUMBERS, "several quantiles at once"),
        (clipped_at_holes, HOLES, "an end of a clip may be missing"),
        (through_numpy, HOLES, "the sum is NaN where a record is"),
        (or_a_number, NUMBERS, "of numbers is not traced: only of conditions"),
        (sent_away, float, "posinf"),
        (in_place_by_option, float, "copy"),
        (by_a_name_of_pandas, {"size": (0, 1)}, "size of the table is not traced"),
        (leaving, NUMBERS, "the query raised 'SystemExit"),
    ],
)
def test_a_step_that_says_more_than_its_rule_has_no_bound(
    query: Any, domain: Any, said: str
) -> None:
    traced = trace_query(query, read_domain(domain), ReplaceOne(), (2, None))
    assert traced.moves is None
    assert said in traced.reason
    assert bound_sensitivity(query, domain=domain).verdict is SensitivityVerdict.UNKNOWN


def test_what_fills_holes_may_have_holes() -> None:
    traced = trace_query(filled_with_holes, read_domain(HOLES), ReplaceOne(), (2, None))
    assert traced.moves == 9
    moved = [
        filled_with_holes(pd.DataFrame([(5.0, 9.0), (None, y)], columns=["x", "y"]))
        for y in (9, None)
    ]
    assert moved == [14, 5]


def test_a_number_that_leaves_the_range_of_floats_still_moves() -> None:
    traced = trace_query(leaving_floats, read_domain((0, 1)), ReplaceOne(), (2, 4))
    assert traced.moves is None or traced.moves > 0
    assert Interval(Fraction(800), Fraction(900)).rising(math.exp).width == math.inf


def test_values_that_are_all_missing_are_a_column() -> None:
    found = bound_sensitivity(lambda t: t["x"].isna().sum(), domain={"x": [None]})
    assert found.verdict is SensitivityVerdict.ARGUED


def test_nan_is_let_through_by_a_clip_and_stopped_by_nan_to_num() -> None:
    def stopped(d: Any) -> Any:
        return np.clip(np.nan_to_num(d, nan=0.0), 0, 1).sum()

    assert bound_sensitivity(stopped, 1, domain=float).verdict is SensitivityVerdict.ARGUED
    found = bound_sensitivity(clipped, 4, domain=float)
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert "move it by nan" in found.reason
    assert math.isinf(found.bound)


def test_a_claim_is_shown_refuted_or_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    enough = bound_sensitivity(clipped, 4, domain=NUMBERS)
    assert enough.verdict is SensitivityVerdict.PROVED
    assert enough.bound == 4
    assert "Line" in enough.words()
    assert "proved (datasets of 1 or more records of (0, 8)" in enough.words()
    little = bound_sensitivity(clipped, 3, domain=NUMBERS)
    assert little.verdict is SensitivityVerdict.REFUTED
    assert little.check is not None
    assert little.check.finding is not None
    assert "a change of 4, where 3 is claimed" in little.words()
    assert bound_sensitivity(spread, 36, domain=SIGNED, size=(2, 4)).verdict == "proved"
    # Its steps alone do not show 36, and a search finds nothing against it.
    monkeypatch.setattr("provado.proofs.sensitivity.bounded._followed", lambda *_: "")
    unshown = bound_sensitivity(spread, 36, domain=SIGNED, size=(2, 4))
    assert unshown.verdict is SensitivityVerdict.SUPPORTED
    assert "its steps bound it by" in unshown.reason


def test_a_query_that_releases_many_numbers_is_refuted_by_their_distance() -> None:
    found = bound_sensitivity(histogram, 1, domain=NUMBERS)
    assert found.verdict is SensitivityVerdict.REFUTED
    assert found.check is not None
    assert found.check.finding is not None
    assert found.check.worst is not None
    assert found.check.worst.change == 2
    assert bound_sensitivity(histogram, 2, domain=NUMBERS).verdict is SensitivityVerdict.PROVED


@pytest.mark.parametrize(
    ("norm", "most", "enough", "little"),
    [("l1", "2", 2, 1.99), ("l2", "√2", 1.4142135623730951, 1.41), ("linf", "1", 1, 0.99)],
)
def test_many_numbers_are_bounded_in_a_norm(
    norm: str, most: str, enough: float, little: float
) -> None:
    found = bound_sensitivity(histogram, enough, domain=NUMBERS, norm=norm)
    # Squares are not cut where conditions change.
    assert found.verdict == ("argued" if norm == "l2" else "proved")
    assert f"at most {most} in ℓ" in found.words()
    assert enough - 1e-9 <= found.bound <= enough
    wrong = bound_sensitivity(histogram, little, domain=NUMBERS, norm=norm)
    assert wrong.verdict is SensitivityVerdict.REFUTED
    assert wrong.check is not None
    assert wrong.check.finding is not None


def test_a_root_of_a_fraction_stands_in_brackets() -> None:
    def halves(d: Any) -> Any:
        return [d.sum() / 2, d.sum() / 2]

    found = bound_sensitivity(halves, domain=(0, 1), norm="l2")
    assert "at most sqrt(2)/2 in ℓ2" in found.words()
    assert 0.5**0.5 <= found.bound < 0.5**0.5 + 1e-9


def test_the_squares_of_columns_of_two_widths_are_sharp() -> None:
    found = bound_sensitivity(lambda d: d.mean(axis=0), domain=((0, 1), (0, 2)), size=10, norm="l2")
    assert found.verdict is SensitivityVerdict.PROVED
    assert "at most sqrt(5)/10 in ℓ2" in found.words()


@given(st.lists(st.fractions(0, 9, max_denominator=8), min_size=1, max_size=5), st.fractions(0, 9))
def test_squares_are_within_what_a_part_and_all_move_by(
    parts: list[Fraction], more: Fraction
) -> None:
    one = number.Number(point(0), max(parts))
    together = cells.TracedCells(one, sum(parts) + more, len(parts))
    most = bound_module._squares(together)
    assert sum(part**2 for part in parts) <= most <= together.length * max(parts) ** 2


def clipped_length(d: Any) -> Any:
    length = np.sqrt((d**2).sum(axis=1, keepdims=True))
    return (d / np.maximum(length, 1)).sum(axis=0)


def test_a_clip_of_the_length_keeps_its_norm_and_no_other() -> None:
    domain = ((-3.0, 3.0), (-4.0, 4.0))
    for relation, width in ((ReplaceOne(), 2), (AddOrRemoveOne(), 1)):
        found = [
            bound_sensitivity(clipped_length, claim, domain=domain, norm=norm, relation=relation)
            for claim, norm in ((width, "l2"), (width, "linf"), (width, "l1"), (width * 0.9, "l2"))
        ]
        proved, supported, refuted = (
            SensitivityVerdict.PROVED,
            SensitivityVerdict.SUPPORTED,
            SensitivityVerdict.REFUTED,
        )
        assert [one.verdict for one in found] == [proved, supported, refuted, refuted]


def test_a_root_that_is_too_small_is_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    known = bound_module.root
    monkeypatch.setattr(bound_module, "root", lambda x, *, up: known(x, up=up) * Fraction(9, 10))
    found = bound_sensitivity(histogram, domain=NUMBERS, norm="l2")
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert "the steps are contradicted" in found.reason


@given(st.fractions(0, 10**6), st.booleans())
def test_roots_are_on_their_side(square: Fraction, up: bool) -> None:
    found = bound_module.root(square, up=up)
    assert found**2 >= square if up else found**2 <= square
    assert abs(found**2 - square) <= Fraction(3 * 10**3, 10**18)
    assert bound_module.root(square**2, up=up) == square


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("among", [False, True])
def test_what_26_equal_records_do_is_found(
    relation: Any, among: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suppressed(d: Any) -> Any:
        many = (d > 3).sum()
        shown = float(many) if many >= 26 else 0.0
        return [shown, 1.0] if among else shown

    tried = partial(bound_sensitivity, suppressed, 1, domain=NUMBERS, examples=20)
    found = tried(relation=relation)
    assert found.verdict is SensitivityVerdict.REFUTED
    assert found.check is not None
    assert found.check.worst is not None
    assert found.check.worst.change == 26
    few = tried(relation=relation, size=(1, 25))
    # No sum of 25 ones is 26.
    assert few.verdict is SensitivityVerdict.PROVED
    monkeypatch.setattr("provado.proofs.sensitivity.bounded.EQUAL", 6)
    missed = tried(relation=relation)
    assert missed.verdict is SensitivityVerdict.SUPPORTED


def test_a_missing_value_is_part_of_a_domain() -> None:
    ages = {"age": (0, 120, None)}
    total = bound_sensitivity(lambda t: t.age.sum(), domain=ages)
    assert (total.verdict, total.bound) == (SensitivityVerdict.ARGUED, 120)
    gone = bound_sensitivity(np.sum, domain=(0, 120, None))
    assert gone.verdict is SensitivityVerdict.UNKNOWN
    assert "NaN where a record is" in gone.reason
    filled = bound_sensitivity(lambda d: np.nan_to_num(d, nan=-5.0).sum(), domain=(0, 120, None))
    assert filled.bound == 125
    seen = bound_sensitivity(lambda d: float(np.isnan(d).any()) * 9, 1, domain=(0, 120, None))
    assert seen.verdict is SensitivityVerdict.REFUTED


def test_a_query_that_tells_the_two_apart_is_contradicted() -> None:
    # Python's own isinstance asks for a type.
    same = type.__instancecheck__

    def knowing(d: Any) -> Any:
        return (d * 1000 if same(np.ndarray, d) else d).sum()

    found = bound_sensitivity(knowing, domain=NUMBERS)
    assert found.verdict is SensitivityVerdict.UNKNOWN
    assert "the proof is contradicted" in found.reason

    def knowing_frames(d: Any) -> Any:
        return (d["a"] * 1000 if same(pd.Series, d["a"]) else d["a"]).sum()

    by_steps = bound_sensitivity(knowing_frames, domain={"a": NUMBERS}, relation=AddOrRemoveOne())
    assert by_steps.verdict is SensitivityVerdict.UNKNOWN
    assert "the proof is contradicted" in by_steps.reason


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"domain": "ages"}, "domain is 'ages': a column is"),
        ({"domain": {}}, "it must name a column"),
        ({"domain": (3, 1)}, "low must not be above high"),
        ({"domain": NUMBERS, "size": (5, 3)}, "the most must be at least"),
        ({"domain": NUMBERS, "relation": "replace"}, "it must be ReplaceOne()"),
        ({"domain": NUMBERS, "norm": "l3"}, "norm is 'l3': it must be one of l1, l2, linf"),
        ({"domain": (0, 8, 9)}, "a column is (low, high), a list of values"),
    ],
)
def test_wrong_arguments_are_named(arguments: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("(", r"\(").replace(")", r"\)")):
        bound_sensitivity(clipped, **arguments)


def test_intervals_hold_what_they_should() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        low, high = sorted(rng.integers(-5, 6, 2).tolist())
        b, c = sorted(rng.integers(-5, 6, 2).tolist())
        x, y = Interval(Fraction(low), Fraction(high)), Interval(Fraction(b), Fraction(c))
        for p, q in itertools.product(range(low, high + 1), range(b, c + 1)):
            for name, value in (("+", p + q), ("-", p - q), ("*", p * q)):
                both = {"+": x + y, "-": x - y, "*": x * y}[name]
                assert both.low <= value <= both.high
            assert abs(x).low <= abs(p) <= abs(x).high
            assert x.power(2).low <= p**2 <= x.power(2).high
            if not b <= 0 <= c:
                assert (x / y).low <= Fraction(p, q) <= (x / y).high
    assert abs(Interval(Fraction(-3), Fraction(2))) == Interval(Fraction(0), Fraction(3))
    assert TRUTH.width == 1
    assert replace(point(2), high=Fraction(5)).least == 2
    with pytest.raises(UsageError, match="is no interval"):
        Interval(Fraction(1), Fraction(0))


def test_last_bits_of_floating_point_refute_no_claim() -> None:
    def powers(x: Any) -> Any:
        return np.sum(np.power(x, 0.7) * (np.argsort(x) >= 0))

    held = bound_sensitivity(powers, 1, domain=(0.0, 1.0), size=(3, None))
    assert held.verdict == "supported"
    assert held.check is not None
    assert held.check.worst is not None
    assert 0 < held.check.worst.excess < 1e-12
    assert "last bits" in held.reason
    broken = bound_sensitivity(lambda x: 1.001 * powers(x), 1, domain=(0.0, 1.0), size=(3, None))
    assert broken.verdict == "refuted"
    assert broken.check is not None
    assert broken.check.worst is not None
    assert broken.check.worst.claimed == 1


@pytest.mark.parametrize(("query", "seen"), [(np.std, 1.0), (np.prod, 16.0)])
def test_a_number_for_all_sizes_is_below_no_change(query: Any, seen: float) -> None:
    """Of ``sqrt(4*(n - 1)/n**2)`` and ``2**n`` neither n = 1 nor many records give the most."""
    assert bound_sensitivity(query, domain=(0, 2)).bound >= seen
    with mock.patch.object(formula.expression, "symbols_within", lambda bound: bound.symbols):
        assert bound_sensitivity(query, domain=(0, 2)).bound < seen


NOISE = {
    "a generator": np.random.default_rng(0).laplace,
    "NumPy's own": np.random.laplace,
    "an old generator": np.random.RandomState(0).laplace,
    "of random": lambda: random.gauss(0, 3),
}


@pytest.mark.parametrize("claimed", [None, 1, 0.5])
@pytest.mark.parametrize("draw", NOISE.values(), ids=NOISE)
def test_a_query_that_adds_noise_is_neither_proved_nor_refuted(
    draw: Callable[[], float], claimed: float | None
) -> None:
    bound = bound_sensitivity(lambda x: x.sum() + 3 * draw(), claimed, domain=(0, 1))
    assert bound.verdict is SensitivityVerdict.UNKNOWN
    assert "draws noise" in bound.reason
    words = "return different numbers; bound the query without its noise"
    assert claimed is None or words in bound.reason
    plain = bound_sensitivity(lambda x: x.sum(), claimed, domain=(0, 1))
    assert plain.verdict is not SensitivityVerdict.UNKNOWN
