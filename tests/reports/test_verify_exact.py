"""The kernel's data go through JSON without loss, and nothing else does."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.reports.ledger.run import to_exact
from tests.reports.exact_verification import from_exact

DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(2**52, 2**200)
    | st.fractions()
    | st.text(max_size=5)
    | st.sampled_from(["1/2", "-3", "12", "2/0", "٣"]),
    lambda part: (
        st.lists(part, max_size=3).map(tuple)
        | st.builds(kernel.Enclosure, part, part, part)
        | st.builds(kernel.PointCounterexample, part, st.just("≥ 0"), part)
    ),
    max_leaves=8,
)


@given(DATA)
def test_exact_data_come_back_as_they_went(value: Any) -> None:
    back = from_exact(json.loads(json.dumps(to_exact(value))))
    assert back == value
    # 1, True and Fraction(1) are equal and not the same.
    assert repr(back) == repr(value)


def test_exact_data_look_as_documented() -> None:
    value = (Fraction(3), Fraction(-1, 2), 2**53, -(2**53) + 1, "1/2", "x", None, True)
    assert to_exact(value) == [
        *("3/1", "-1/2", "9007199254740992", -9007199254740991),
        *({"text": "1/2"}, "x", None, True),
    ]


@pytest.mark.parametrize("value", [0.5, [1], {"a": 1}, b"1", object(), (1, 0.5)])
def test_what_is_not_exact_is_not_written(value: Any) -> None:
    with pytest.raises(UsageError, match="no exact data"):
        to_exact(value)


@pytest.mark.parametrize(
    "data",
    [
        *(0.5, {}, {"kind": "Checked"}, {"kind": "Nothing"}, {"kind": []}, {"text": 1}, "1/0"),
        {"kind": "Identity", "left": []},
        {"kind": "Identity", "left": [], "right": [], "more": 1},
    ],
)
def test_what_was_not_written_is_not_read(data: Any) -> None:
    with pytest.raises(UsageError, match="evidence: "):
        from_exact(data)
