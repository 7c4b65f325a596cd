import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernel_ridge import clip_to_unit, scale_to_unit, within_unit

NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, min_size=1, max_size=8), NUMBERS)
def test_clipping_and_scaling_treat_each_record_by_itself(values, other):
    changed = [other, *values[1:]]
    for prepare in (clip_to_unit, lambda v: scale_to_unit(v, -3.0, 10.0)):
        before, after = prepare(values), prepare(changed)
        assert np.array_equal(before[1:], after[1:])
        assert np.all(np.abs(before) <= 1)


def test_scaling_maps_the_bounds_to_the_ends():
    assert scale_to_unit([5.0, 10.0, 15.0, 20.0, 0.0], 5.0, 15.0).tolist() == [-1, 0, 1, 1, -1]
    assert scale_to_unit([1e308], -1.7e308, 1.7e308)[0] == pytest.approx(1 / 1.7)


def test_values_outside_are_named():
    with pytest.raises(UsageError, match=r"x\[1\] is 1\.5: data must lie in \[-1, 1\]"):
        within_unit([0.0, 1.5], "x")
    assert within_unit([-1.0, 1.0], "x").tolist() == [-1, 1]
    with pytest.raises(UsageError, match="low must be below high"):
        scale_to_unit([0.0], 2.0, 2.0)
    with pytest.raises(UsageError, match="values is"):
        clip_to_unit([np.nan])
