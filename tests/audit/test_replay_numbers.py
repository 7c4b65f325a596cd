"""Which of two equal numbers a replay sees: the type of a noisy one, and the sign of NaN."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.audit import replay
from provado.audit.experiments.replay import FindingKind, output_diff, released_forms
from provado.audit.experiments.replay.record import recording

PAIR = ([1.0, 2.0], [1.0, 2.0, 3.0])

MADE = {
    "as it is": lambda x: x,
    "float": float,
    "int": int,
    "float64": np.float64,
    "int64": lambda x: np.int64(int(x)),
    "plus": lambda x: x + 1,
    "plus of numpy": lambda x: np.float64(1.0) + x,
    "halved": lambda x: float(x) / 2,
    "whole halves": lambda x: int(x) / 2,
    "root": lambda x: math.sqrt(abs(x)),
    "absolute": abs,
    "absolute by numpy": np.abs,
    "sum": lambda x: sum([x, 1.0]),
    "sum by numpy": lambda x: np.sum([x, 1.0]),
    "rounded": lambda x: round(float(x), 2),
    "rounded to whole": lambda x: round(float(x)),
    "floor": math.floor,
    "floor by numpy": np.floor,
    "entry": lambda x: np.array([x])[0],
    "item": lambda x: np.array([x]).item(),
    "item of number": lambda x: np.array([x])[0].item(),
    "listed": lambda x: np.array([x, x]).tolist()[1],
    "largest": lambda x: np.max(np.array([x, x - 1])),
    "whole of array": lambda x: np.array([x]).astype(int)[0],
    "whole listed": lambda x: np.array([x]).astype(int).tolist()[0],
    "clipped": lambda x: np.clip(x, -100, 100),
    "chosen": lambda x: max(x, x - 1),
}


def replayed(first, second):
    """Replay a program that makes a noisy number in one way or in the other, by the data."""

    def run(data, rng):
        x = 5.0 + rng.laplace(scale=10)
        return MADE[first if len(data) == 2 else second](x)

    return replay(run, pair=PAIR, epsilon=1.0, isolate=False)


def of_types(found):
    return [finding for finding in found.findings if finding.kind is FindingKind.TYPE]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([*MADE]), st.sampled_from([*MADE]))
def test_a_type_that_depends_on_the_data_is_found_and_no_other(first, second):
    kinds = [type(MADE[name](5.25)) for name in (first, second)]
    assert bool(of_types(replayed(first, second))) == (kinds[0] is not kinds[1])


@pytest.mark.parametrize("name", MADE)
def test_one_way_has_one_type(name):
    assert not replayed(name, name).findings


def test_frozen_numbers_of_the_first_run_have_the_type_of_the_second(monkeypatch):
    def run(data, rng):
        return (1.0 if len(data) == 2 else np.float64(1.0)) + rng.laplace(scale=10)

    assert of_types(replay(run, pair=PAIR, epsilon=1.0, isolate=False))
    # The twin: the second run goes on with the first's numbers as they are.
    monkeypatch.setattr(recording, "_of_type", lambda value, other: other)
    assert not of_types(replay(run, pair=PAIR, epsilon=1.0, isolate=False))


def test_floats_of_one_kind_hide_the_type(monkeypatch):
    assert of_types(replayed("float", "entry"))
    before = output_diff._kind
    monkeypatch.setattr(
        output_diff, "_kind", lambda value: float if isinstance(value, float) else before(value)
    )
    assert not of_types(replayed("float", "entry"))


NANS = {
    "number": lambda nan: nan,
    "number of numpy": np.float64,
    "short": np.float32,
    "list": lambda nan: [1.0, nan],
    "array": lambda nan: np.array([[1.0, nan]]),
    "short array": lambda nan: np.array([nan], dtype=np.float32),
    "entry": lambda nan: {"mean": nan},
}


def nans(name, first, second):
    def run(data, rng):
        noise = rng.laplace()
        return noise, NANS[name](first if len(data) == 2 else second)

    return replay(run, pair=PAIR, epsilon=1.0, isolate=False)


@pytest.mark.parametrize("name", NANS)
def test_the_sign_of_nan_is_seen(name):
    found = nans(name, math.nan, -math.nan)
    assert [finding.kind for finding in found.findings] == [FindingKind.OUTPUT]
    assert "−nan under D′" in found.findings[0].words
    assert not nans(name, -math.nan, -math.nan).findings


def test_the_other_bits_of_nan_are_seen():
    (other,) = struct.unpack("d", struct.pack("q", 0x7FF8000000000005))
    assert nans("array", math.nan, other).findings


def test_values_alone_hide_the_bits_of_nan(monkeypatch):
    """The twin compares values, of which every NaN is one."""

    def by_value(first, second):
        one, other = np.asarray(first), np.asarray(second)
        return ~((one == other) | (np.isnan(one) & np.isnan(other)))

    assert nans("number", math.nan, -math.nan).findings
    monkeypatch.setattr(released_forms, "_differ", by_value)
    assert not nans("number", math.nan, -math.nan).findings


def test_what_pydp_adds_is_noise_of_the_scale_that_it_states():
    numerical = pytest.importorskip("pydp.algorithms").numerical_mechanisms

    def release(times, kind, *parameters):
        def run(data, rng):
            return kind(*parameters).add_noise(float(times * len(data)))

        return replay(run, pair=PAIR, epsilon=1.0, isolate=False)

    sound = release(1, numerical.LaplaceMechanism, 1.0, 1.0)
    assert (sound.findings, sound.pairs[0].epsilon, sound.pairs[0].notes) == ((), 1.0, ())
    moved = release(5, numerical.LaplaceMechanism, 1.0, 1.0)
    assert [finding.kind for finding in moved.findings] == [FindingKind.SENSITIVITY]
    normal = release(1, numerical.GaussianMechanism, 1.0, 1e-5, 1.0)
    scale = numerical.GaussianMechanism(1.0, 1e-5, 1.0).std
    assert normal.pairs[0].deviations == pytest.approx(1 / scale)
