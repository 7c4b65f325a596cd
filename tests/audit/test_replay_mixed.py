"""Exact numbers beside noisy ones: what moves is found or not followed, however they are joined."""

import copy
import json
import math
from collections import deque
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from provado.audit import replay
from provado.audit.experiments.replay import FindingKind, compare, released_forms
from provado.audit.experiments.replay.record import recording
from provado.audit.target import random_state

PAIR = ([1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.fixture(scope="module", autouse=True)
def nearby():
    """Follow a program's objects not as far into pandas, which none of them changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random_state, "MOST_REACHED", 1000)
        yield


def changed(change):
    """Return a way that changes a noisy array in place, and returns it."""

    def way(exact, noisy):
        change(noisy, exact)
        return noisy

    return way


def filled(exact, noisy):
    found = np.zeros(1 + noisy.size)
    found[0], found[1:] = exact, noisy
    return found


PLACED = {
    "array": lambda e, z: np.array([e, *z]),
    "concatenate": lambda e, z: np.concatenate([z, [e]]),
    "hstack": lambda e, z: np.hstack([e, z]),
    "vstack": lambda e, z: np.vstack([np.full(z.size, e), z]),
    "stack": lambda e, z: np.stack([z, np.full(z.size, e)], axis=1),
    "column_stack": lambda e, z: np.column_stack([np.full(z.size, e), z]),
    "block": lambda e, z: np.block([[z, e]]),
    "r_": lambda e, z: np.r_[e, z],
    "append": lambda e, z: np.append(z, e),
    "insert": lambda e, z: np.insert(z, 1, e),
    "pad": lambda e, z: np.pad(z, 1, constant_values=e),
    "where": lambda e, z: np.where(np.arange(z.size) == 1, e, z),
    "choose": lambda e, z: np.choose([1, 0, 0], [z, np.full(z.size, e)]),
    "select": lambda e, z: np.select([np.arange(z.size) < 1], [np.full(z.size, e)], z),
    "mask": lambda e, z: np.array([1, 0, 0]) * e + np.array([0, 1, 1]) * z,
    "mask_of_one": lambda e, z: np.array([1.0, 0.0]) * e + np.array([0.0, 1.0]) * z[0],
    "item": changed(lambda z, e: z.__setitem__(0, e)),
    "slice": changed(lambda z, e: z.__setitem__(slice(0, 2), e)),
    "truths": changed(lambda z, e: z.__setitem__(np.array([True, False, False]), e)),
    "view": changed(lambda z, e: z[1:].fill(e)),
    "reshaped": changed(lambda z, e: z.reshape(1, 3)[0].__setitem__(0, e)),
    "flat": changed(lambda z, e: z.flat.__setitem__(0, e)),
    "method": changed(lambda z, e: z.put([0], e)),
    "copyto": changed(lambda z, e: np.copyto(z, e, where=[True, False, False])),
    "putmask": changed(lambda z, e: np.putmask(z, [True, False, False], e)),
    "place": changed(lambda z, e: np.place(z, [False, True, False], [e])),
    "put_along": changed(lambda z, e: np.put_along_axis(z, np.array([0]), e, axis=0)),
    "frompyfunc": lambda e, z: np.frompyfunc(lambda x: x, 1, 1)(np.append(z, e)),
    "zeros": filled,
    "taken_away_again": lambda e, z: np.append((e + z[0]) - z[0], z),
    "list": lambda e, z: [e, *z],
    "decimals": lambda e, z: [Decimal(e), *map(Decimal, z)],
    "dict": lambda e, z: {"exact": e, "noisy": z},
    "fromiter": lambda e, z: np.fromiter([e, *z], dtype=float),
    "series": lambda e, z: pd.Series([e, *z]),
    "set": changed(lambda z, e: pd.Series(z, copy=False).__setitem__(0, e)),
    "assign": lambda e, z: pd.DataFrame({"noisy": z}).assign(exact=e),
    "frame": lambda e, z: pd.DataFrame({"both": [e, *z]}),
    "columns": lambda e, z: pd.DataFrame({"exact": np.full(z.size, e), "noisy": z}),
    "concat": lambda e, z: pd.concat([pd.Series([e]), pd.Series(z)]),
    "reindex": lambda e, z: pd.Series(z).reindex(range(4), fill_value=e),
    "fillna": lambda e, z: pd.Series([np.nan, *z]).fillna(e),
    "masked_series": lambda e, z: pd.Series(z).mask([True, False, False], e),
    "combine_first": lambda e, z: pd.Series([np.nan, *z]).combine_first(pd.Series([e] * 4)),
    "merge": lambda e, z: pd.DataFrame({"k": [0, 1, 2], "noisy": z}).merge(
        pd.DataFrame({"k": [0, 1, 2], "exact": [e, 0.0, 0.0]})
    ),
}
"""Ways to put an exact number beside noisy ones."""

HIDDEN = {
    "out": changed(lambda z, e: np.add(e, 0.0, out=z, where=[True, False, False])),
    "maximum": lambda e, z: np.maximum(z, -1e3 * e),
    "max_of_one": lambda e, z: max(z[0], -1e3 * e),
    "clip": lambda e, z: np.clip(z, -1e3 * e, 1e3 * e),
    "clipped_series": lambda e, z: pd.Series(z).clip(upper=1e3 * e),
    "largest_of_rows": lambda e, z: pd.DataFrame({"a": [-1e3 * e] * 3, "b": z}).max(axis=1),
    "where_above": lambda e, z: np.where(z > -1e3, z, e),
    "series_where": lambda e, z: pd.Series(z).where(lambda s: s > -1e3, e),
    "sorted": lambda e, z: np.sort(np.append(z, e)),
    "median": lambda e, z: np.median(np.append(z, [e] * 5)),
    "cumulated": lambda e, z: np.cumsum(np.append(e, z)),
    "product": lambda e, z: np.eye(4) @ np.append(e, z),
    "queue": lambda e, z: deque([e, *z]),
    "fields": lambda e, z: SimpleNamespace(exact=e, noisy=z[0]),
    "sparse": lambda e, z: csr_array([[e, z[0]]]),
    "einsum": lambda e, z: np.einsum("ij,j->i", np.eye(4), np.append(e, z)),
    "fields_of_an_array": lambda e, z: np.rec.fromarrays([np.full(3, e), z], names="e,z"),
    "grouped": lambda e, z: pd.Series([e, *z]).groupby([0, 0, 1, 1]).sum(),
    "in_bytes": lambda e, z: np.append(z, e).tobytes(),
    "rank": lambda e, z: pd.Series([e, *z]).rolling(2, min_periods=1).max(),
}
"""Ways in which the exact number shows in the output only for some noise, or through a function."""

NUMBERS = {
    "as it is": lambda v: v,
    "scaled": lambda v: v * 2 + 1,
    "negative": lambda v: -v,
    "reversed": lambda v: v[::-1],
    "copied": lambda v: v.copy(),
}
THEN = {
    "as it is": lambda v: v,
    "list": lambda v: np.asarray(v).tolist(),
    "floats": lambda v: [float(one) for one in np.ravel(v)],
    "rounded": lambda v: np.round(v, 3),
    "rounded floats": lambda v: [round(float(one), 2) for one in np.ravel(v)],
    "whole": lambda v: [int(float(one)) for one in np.ravel(v)],
    "text": lambda v: " ".join(f"{one:.2f}" for one in np.ravel(v)),
    "str": lambda v: str([float(one) for one in np.ravel(v)]),
    "json": lambda v: json.dumps({"v": np.asarray(v).tolist()}),
    "series": lambda v: pd.Series(np.ravel(v)),
    "frame": lambda v: pd.DataFrame({"v": np.ravel(v)}),
    "words": lambda v: pd.Series(np.ravel(v)).astype(str).tolist(),
    "objects": lambda v: np.ravel(v).astype(object).tolist(),
    "times": lambda v: np.ravel(v).astype("m8[s]"),
}


def released(way, steps, then, *, moves):
    """Return a program that joins a number, which moves with the data or not, with noisy ones."""

    def run(data, rng):
        made = way(float(len(data)) if moves else 7.0, 40.0 + rng.laplace(scale=10, size=3))
        if not isinstance(made, np.ndarray | pd.Series | pd.DataFrame):
            return made
        for step in steps:
            made = step(made)
        return then(made)

    return run


def replayed(run, seed):
    return replay(run, pair=PAIR, epsilon=1.0, seed=seed, isolate=False)


def all_clear(found):
    return found.completed and not found.findings


def threshold_then_text(data, rng):
    value = len(data) + rng.laplace(scale=10.0)
    return ["above" if value > 0 else "below", "%.2f" % value]  # noqa: UP031


def threshold_then_float32(data, rng):
    values = np.array([len(data), 2.0]) + rng.laplace(scale=10.0, size=2)
    return bool(values[0] > -1e6), np.float32(values[0]).item()


def uniform_then_text(data, rng):
    return "%.2f" % (len(data) - 10 * math.log(rng.random()))


def added_to_what_pandas_computed(data, rng):
    noise = rng.laplace(scale=10.0, size=3)
    limits = pd.Series([-1e3 * len(data)] * 3)
    return np.dot(noise, [1.0, 0.0, 0.0]) + np.maximum(noise, limits).to_numpy()


def in_a_function(data, rng):
    low, noise = -1e3 * len(data), rng.laplace(scale=10.0, size=3)
    return np.apply_along_axis(lambda row: np.maximum(row, low), 0, noise)


def in_a_function_of_python(data, rng):
    low, noise = -1e3 * len(data), rng.laplace(scale=10.0, size=3)
    return np.frompyfunc(lambda value: max(value, low), 1, 1)(noise).astype(float)


def compared_after_a_maximum(data, rng):
    noise = rng.laplace(scale=10.0)
    return noise, bool(np.maximum(noise, -1e3 * len(data)) > -2.5e3)


def by_another_method(data, rng):
    method = "lower" if len(data) > 2 else "higher"
    return np.quantile(rng.laplace(scale=10.0, size=3), [0.3], method=method)


def whole_or_not(data, rng):
    noise = round(rng.laplace(scale=10.0))
    return int(noise) if len(data) > 2 else float(noise)


def of_one_name(data, rng):
    exact, noisy = pd.Series([float(len(data))]), pd.Series([len(data) + rng.laplace(scale=10)])
    return pd.concat([exact.rename("a"), noisy.rename("a")], axis=1)


def in_attrs(data, rng):
    table = pd.DataFrame({"a": [len(data) + rng.laplace(scale=10.0)]})
    table.attrs["records"] = len(data)
    return table


def as_fill_value(data, rng):
    noisy = [len(data) + rng.laplace(scale=10.0)]
    return np.ma.array(noisy, mask=[False], fill_value=float(len(data)))


def as_an_attribute(data, rng):
    class Answers(list):
        pass

    answers = Answers([len(data) + rng.laplace(scale=10.0)])
    answers.records = len(data)
    return answers


def as_an_object(data, rng):
    class Answer:
        def __init__(self):
            self.noisy, self.records = len(data) + rng.laplace(scale=10.0), len(data)

        def __repr__(self):
            return f"Answer({self.noisy})"

    return Answer()


def as_categories(data, rng):
    known = pd.CategoricalDtype(["a", "b", "c"][: len(data)])
    return pd.DataFrame({"city": pd.Series(["a"], dtype=known), "noisy": rng.laplace(scale=10.0)})


def chances_of_counts(data, rng):
    return rng.multinomial(10, [0.1 * len(data), 1 - 0.1 * len(data)])


def chances_of_a_posterior(data, rng):
    return rng.dirichlet([len(data), 1.0, 1.0]).round(1)


def parameter_of_a_rare_method(data, rng):
    return rng.negative_binomial(len(data), 0.99)


def as_the_sign_of_zero(data, rng):
    return [len(data) + rng.laplace(scale=10.0), np.copysign(0.0, 2.5 - len(data))]


def as_the_number_of_digits(data, rng):
    return rng.laplace(scale=10.0), Decimal(1).quantize(Decimal(10) ** -len(data))


def as_a_time_zone(data, rng):
    zone = timezone(timedelta(hours=len(data)))
    return rng.laplace(scale=10.0), datetime(2024, 1, 1, tzinfo=UTC).astimezone(zone)


def as_the_order_of_categories(data, rng):
    known = pd.CategoricalDtype(["a", "b"], ordered=len(data) > 2)
    return rng.laplace(scale=10.0), pd.Series(["a"], dtype=known)


def as_the_frequency_of_an_index(data, rng):
    days = pd.date_range("2024-01-01", periods=3)
    days = days if len(data) > 2 else pd.DatetimeIndex(list(days))
    return pd.Series(rng.laplace(scale=10.0, size=3), index=days)


def as_a_float_of_numpy(data, rng):
    return rng.laplace(scale=10.0), np.float64(7.0) if len(data) > 2 else 7.0


def of_a_copied_generator(data, rng):
    again = copy.deepcopy(rng)
    return len(data) + rng.laplace(scale=10.0), 2 * len(data) + again.laplace(scale=10.0)


def of_a_state_set_back(data, rng):
    state = rng.bit_generator.state
    noise = rng.laplace(scale=10.0)
    rng.bit_generator.state = state
    return len(data) + noise, rng.laplace(scale=5.0)


def behind_a_coin(data, rng):
    # Hardly a seed shows the other side.
    return len(data) if rng.random() < 1e-6 else rng.laplace(scale=10.0)


UNSEEN = (
    *(as_the_number_of_digits, as_a_time_zone, as_the_order_of_categories, as_a_float_of_numpy),
    *(as_the_frequency_of_an_index, of_a_copied_generator, of_a_state_set_back, behind_a_coin),
    as_the_sign_of_zero,
    *(as_categories, chances_of_counts, chances_of_a_posterior, parameter_of_a_rare_method),
    *(threshold_then_text, threshold_then_float32, uniform_then_text, by_another_method),
    *(
        added_to_what_pandas_computed,
        in_a_function,
        in_a_function_of_python,
        compared_after_a_maximum,
        whole_or_not,
    ),
    *(of_one_name, in_attrs, as_fill_value, as_an_attribute, as_an_object),
)


@pytest.mark.parametrize("run", UNSEEN)
def test_what_is_released_out_of_sight_is_found_or_not_followed(run):
    assert not all_clear(replayed(run, 0))


@pytest.mark.parametrize("run", [of_a_copied_generator, of_a_state_set_back])
def test_noise_that_is_drawn_twice_is_reused_noise(run, monkeypatch):
    found = replayed(run, 0)
    assert [one.kind for one in found.findings] == [FindingKind.REUSED]
    assert "draws the same noise as" in found.findings[0].words
    # The twin: nothing compares the draws of one run.
    monkeypatch.setattr(compare, "repeated_noise", lambda _: ())
    assert all_clear(replayed(run, 0))


def test_noise_that_is_drawn_twice_for_one_number_costs_once_and_is_no_finding():
    def run(data, rng):
        again = copy.deepcopy(rng)
        return len(data) + rng.laplace(scale=10.0), len(data) + again.laplace(scale=10.0)

    assert replayed(run, 0).findings == ()


def test_a_noisy_number_is_compared_with_and_repeats_what_is_no_number():
    def run(data, rng):
        value = len(data) + rng.laplace(scale=10.0)
        return value, value is None or value == None, value != "none", value in ("none", None)  # noqa: E711

    found = replayed(run, 0)
    assert all_clear(found)
    assert found.pairs[0].epsilon == pytest.approx(0.1)

    def repeated(data, rng):
        return "x" * round(40 + len(data) + rng.laplace()), [0] * round(40 + rng.laplace())

    def described(data, rng):
        return pd.Series(rng.laplace(size=4) + len(data)).describe()

    for run in (repeated, described):
        assert replayed(run, 0).pairs[0].reason == ""


def test_without_a_run_under_other_noise_what_is_out_of_sight_looks_followed(monkeypatch):
    # The twin: nothing compares the first run with one whose noise is another.
    monkeypatch.setattr(released_forms, "_of_noise", lambda *_: ())
    monkeypatch.setattr(released_forms, "_not_followed", lambda *_: ())
    assert all_clear(replayed(threshold_then_text, 0))
    assert all_clear(replayed(added_to_what_pandas_computed, 0))


def test_decisions_of_noise_and_what_is_written_of_it_are_followed():
    def run(data, rng):
        value = len(data) + rng.laplace(scale=10.0)
        size = "many" if value > 2 else "few"
        return json.dumps({"count": round(float(value), 1), "columns": 3, "size": size})

    for seed in range(5):
        found = replayed(run, seed)
        assert all_clear(found)
        assert found.pairs[0].epsilon == pytest.approx(0.1)


CHOSEN = {
    "way": st.sampled_from(sorted({**PLACED, **HIDDEN})),
    "steps": st.lists(st.sampled_from(sorted(NUMBERS)), max_size=3),
    "then": st.sampled_from(sorted(THEN)),
    "seed": st.integers(0, 1000),
}


def found_or_not_followed(way, steps, then, seed):
    ways, chosen = {**PLACED, **HIDDEN}, [NUMBERS[one] for one in steps]
    try:
        released(ways[way], chosen, THEN[then], moves=False)(PAIR[0], np.random.default_rng(seed))
    except TypeError:
        reject()  # numpy itself does not round an array of objects
    found = replayed(released(ways[way], chosen, THEN[then], moves=True), seed)
    assert not all_clear(found)
    assert found.findings or math.isnan(found.pairs[0].epsilon)
    still = replayed(released(ways[way], chosen, THEN[then], moves=False), seed)
    assert still.findings == ()
    assert still.pairs[0].reason == ""


@settings(max_examples=20, deadline=None)
@given(**CHOSEN)
def test_an_exact_number_that_moves_is_found_or_not_followed(way, steps, then, seed):
    found_or_not_followed(way, steps, then, seed)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(**CHOSEN)
def test_an_exact_number_that_moves_is_found_or_not_followed_in_many_ways(way, steps, then, seed):
    found_or_not_followed(way, steps, then, seed)


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=[pytest.mark.slow] if i % 3 else []) for i, way in enumerate(PLACED)],
)
def test_an_exact_number_that_moves_is_named_wherever_it_is_put(way):
    moves = replayed(released(PLACED[way], [], THEN["as it is"], moves=True), 0)
    assert [one.kind for one in moves.findings] == [FindingKind.OUTPUT]
    assert "though all noise is the same" in moves.findings[0].words


def test_what_does_not_answer_has_no_cost():
    def raises(data, rng):
        return int(math.nan * (len(data) + rng.laplace()))

    found = replayed(raises, 0)
    assert "cannot convert float NaN" in found.pairs[0].reason
    assert math.isnan(found.pairs[0].epsilon)
    assert not all_clear(found)


def test_freezing_whole_arrays_hides_exact_numbers(monkeypatch):
    # The twin: as soon as one cell is noisy, all are given as they were in the first run.
    monkeypatch.setattr(recording, "_as_before", lambda kind, frozen, form, value: frozen.value)
    for way in ("array", "concatenate", "append", "stack"):
        run = released(PLACED[way], [NUMBERS["scaled"]], THEN["as it is"], moves=True)
        assert all_clear(replayed(run, 0))
