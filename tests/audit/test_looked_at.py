"""The kinds of event that a rule was chosen among are recorded, and only those that were."""

from importlib import resources

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.events.features.feature import WORDS, EventKind, EventSet, merged


def kinds(draw, samples=20_000):
    def mechanism(data, *, size, rng):
        return draw(size, rng)

    result = audit(mechanism, epsilon=1.0, pair=(0, 1), samples=samples, seed=0)
    return {one.kind: one.of for one in result.pairs[0].event_kinds}


ONE = ("output",)
TWO = ("output[0]", "output[1]")


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (
            lambda n, rng: ["yes" if x else None for x in rng.random(n) < 0.5],
            {EventKind.STRUCTURE: ()},
        ),
        (
            lambda n, rng: rng.integers(0, 3, n),
            {EventKind.VALUES: ONE, EventKind.THRESHOLDS: ONE},
        ),
        (lambda n, rng: ["same"] * n, {}),
        (
            lambda n, rng: rng.normal(size=n),
            {
                EventKind.INTERVALS: ONE,
                EventKind.THRESHOLDS: ONE,
                EventKind.FLOAT_BITS: ONE,
                EventKind.BITS: (),
            },
        ),
    ],
)
def test_only_the_kinds_of_this_output_s_form(draw, expected):
    assert kinds(draw) == expected


def test_several_numbers_are_also_looked_at_together():
    found = kinds(lambda n, rng: rng.normal(size=(n, 2)))
    assert set(found) == {
        EventKind.INTERVALS,
        EventKind.THRESHOLDS,
        EventKind.FLOAT_BITS,
        EventKind.WEIGHTED,
        EventKind.TREES,
        EventKind.BITS,
        EventKind.TIES,
    }
    assert set(found[EventKind.FLOAT_BITS]) == set(TWO)
    together = {*TWO, "sum of the output", "max of the output", "min of the output"}
    assert set(found[EventKind.TREES]) == {*together, "output[1] − output[0]"}


def test_a_label_beside_a_number_is_looked_at_jointly():
    def draw(n, rng):
        labels = np.where(rng.random(n) < 0.5, "x", "y").tolist()
        return list(zip(labels, rng.normal(size=n).tolist(), strict=True))

    found = kinds(draw)
    assert found[EventKind.STRUCTURE] == ()
    assert found[EventKind.WITHIN] == ("output[1]",)


def test_each_kind_is_in_the_schema_of_documents():
    schema = (
        resources.files("provado.reports.documents")
        .joinpath("schemas", "audit_schema.json")
        .read_text("utf-8")
    )
    kinds = [f'"{kind}"' for kind in EventKind]
    assert [kind for kind in kinds if kind not in schema] == []


def test_each_kind_has_words_and_is_named_once():
    assert set(WORDS) == set(EventKind)
    many = tuple(f"output[{j}]" for j in range(9))
    looked = merged(
        [
            EventSet(EventKind.TREES, many),
            EventSet(EventKind.TREES, many[:2]),
            EventSet(EventKind.WITHIN),
        ]
    )
    assert looked == (EventSet(EventKind.TREES, many),)
    assert looked[0].words() == (
        "boosted trees of 9 numbers (output[0], output[1], output[2], output[3], …)"
    )
