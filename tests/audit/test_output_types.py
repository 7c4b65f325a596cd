"""Every part of an output is read, or named as unread: then there is no pass."""

import math
import re
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.output_types import FORMS, Plain
from provado.audit import audit
from provado.audit.target import output_types
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import Verdict

LOW, HIGH = 37.0, 52.0
UNREAD = {
    *(
        "depth",
        "cached function",
        "endless iterator",
        "counting iterator",
        "asynchronous generator",
        "future",
    ),
    *("open file", "weak reference", "thread's own", "context", "generator of noise"),
    "hidden dictionary",
    *("local of a generator", "source of a generator", "generator that raises"),
    *("source of a filter", "source of a slice", "local of a traceback"),
    "bytes between fields",
}
NESTINGS = {
    "alone": lambda part: part,
    "in a list": lambda part: [1.5, part],
    "in a tuple": lambda part: ((part,), None),
    "in a dictionary": lambda part: {"a": 1.0, "held": {"b": part}},
    "in an object": lambda part: Plain(Plain(part)),
    "in an array of objects": lambda part: held_by(part),
    "from a generator": lambda part: (one for one in [0.5, part]),
    "in a closure": lambda part: lambda: part,
    "in a frame": lambda part: pd.DataFrame({"a": [1.0]}).assign(b=[part] if scalar(part) else 0),
    "in attrs": lambda part: with_attrs(part),
}


def scalar(part):
    return not hasattr(part, "__len__") and not hasattr(part, "__array__")


def held_by(part):
    found = np.empty(2, dtype=object)
    found[0] = part
    return found


def with_attrs(part):
    found = pd.Series([1.0])
    found.attrs["held"] = part
    return found


def reading(output, book):
    """Return all that is known of one output, comparable."""
    found = encode([output], 1, book)
    notes = None if found.notes is None else found.notes[0]
    rest = None if found.rest is None else found.rest.tolist()
    return int(found.pattern[0]), found.values.astype(float).tobytes(), rest, notes


@pytest.mark.parametrize("name", FORMS)
def test_outputs_that_differ_are_read_differently_or_named_as_unread(name):
    book = PatternBook()
    low, high = (reading(FORMS[name](record), book) for record in (LOW, HIGH))
    assert low != high or book.unread
    assert bool(book.unread) == (name in UNREAD)


@pytest.mark.parametrize("name", FORMS)
def test_equal_outputs_are_read_alike(name):
    book = PatternBook()
    assert reading(FORMS[name](LOW), book) == reading(FORMS[name](LOW), book)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.lists(st.sampled_from(sorted(NESTINGS)), max_size=3))
def test_outputs_that_differ_inside_others_are_read_differently(name, nestings):
    if "in a frame" in nestings:
        nestings = [one for one in nestings if one != "in a frame"]

    def output(record):
        part = FORMS[name](record)
        for nesting in nestings:
            part = NESTINGS[nesting](part)
        return part

    book = PatternBook()
    low, high = (reading(output(record), book) for record in (LOW, HIGH))
    assert low != high or book.unread
    if name not in UNREAD:
        assert not book.unread


def test_what_a_compiled_subclass_adds_to_a_value_is_read(monkeypatch):
    """Pandas' durations hold nanoseconds beside what those of Python hold."""
    monkeypatch.delitem(output_types._BY_NAME, "pandas.Timedelta")
    output_types.known_base.cache_clear()

    def read():
        book = PatternBook()
        return [reading(pd.Timedelta(count, unit="ns"), book) for count in (1, 2)]

    low, high = read()
    assert low != high
    monkeypatch.setattr(output_types, "hidden", lambda *_: False)
    low, high = read()
    assert low == high
    output_types.known_base.cache_clear()


def by_repr(output):
    """Read an output by its text alone: the broken twin."""
    try:
        return repr(output)
    except Exception:
        return ""


def test_a_reader_of_texts_would_miss_many():
    missed = [n for n, form in FORMS.items() if by_repr(form(LOW)) == by_repr(form(HIGH))]
    assert len(missed) > 40


def never_noisy(form):
    def mechanism(data, rng):
        return {"noisy": float(rng.laplace()), "held": form(data)}

    return mechanism


def independent(form):
    def mechanism(data, rng):
        return {"noisy": float(rng.laplace()), "held": form(HIGH if rng.random() < 0.5 else LOW)}

    return mechanism


ASKED = {"epsilon": 1.0, "pair": (LOW, HIGH), "samples": 400, "isolate": False}
AUDITED = (
    *("hidden attribute", "closure", "generator", "masked array", "order of a dictionary"),
    *("kind of NaN", "index of floats", "unused level", "sparse matrix", "attribute of a class"),
)


@pytest.mark.parametrize("name", AUDITED)
def test_a_record_in_any_type_is_a_violation(name):
    assert audit(never_noisy(FORMS[name]), **ASKED).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("name", AUDITED)
def test_a_type_that_has_nothing_to_do_with_the_data_is_a_pass(name):
    assert audit(independent(FORMS[name]), **ASKED).verdict is Verdict.NO_VIOLATION


@pytest.mark.parametrize("name", ["asynchronous generator", "generator of noise"])
@pytest.mark.parametrize("make", [never_noisy, independent])
def test_an_unread_part_is_no_pass(name, make):
    result = audit(make(FORMS[name]), **ASKED)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.startswith("the mechanism returned a part that is not read: output['held'")
    assert "--read file.py:function" in result.reason


def test_a_certified_violation_stands_whatever_was_unread():
    def mechanism(data, rng):
        return {"noisy": data + float(rng.laplace()), "held": threading.Lock()}

    result = audit(mechanism, **ASKED)
    assert result.verdict is Verdict.VIOLATION
    assert result.reason == ""


def rarely_unread(data, rng):
    return threading.Lock() if rng.random() < 1 / 500 else float(rng.laplace())


def rarely_unread_at_once(data, *, size, rng):
    return [rarely_unread(data, rng) for _ in range(size)]


@pytest.mark.parametrize("mechanism", [rarely_unread, rarely_unread_at_once])
def test_a_part_that_is_unread_only_in_draws_that_count_is_no_pass(mechanism):
    result = audit(mechanism, **ASKED | {"samples": 5000}, explore=64)
    assert result.verdict is Verdict.UNKNOWN
    assert "output is _thread.lock" in result.reason
    assert result.pairs[0].verdict is Verdict.UNKNOWN
    assert result.pairs[0].counts.unread == ""


def test_workers_tell_what_they_could_not_read():
    result = audit(rarely_unread, **ASKED | {"samples": 5000}, explore=64, jobs=2)
    assert result.verdict is Verdict.UNKNOWN
    assert "output is _thread.lock" in result.reason


def test_an_audit_of_few_runs_gives_no_pass_for_what_it_cannot_read():
    asked = ASKED | {"samples": "auto:300"}
    assert audit(independent(FORMS["asynchronous generator"]), **asked).verdict is Verdict.UNKNOWN
    assert audit(independent(FORMS["closure"]), **asked).verdict is Verdict.NO_VIOLATION


def test_a_part_that_is_unread_on_other_neighbors_is_no_pass():
    def mechanism(data, rng):
        opaque = len(data) > 3 and rng.random() < 0.004
        return threading.Lock() if opaque else float(rng.laplace())

    asked = {"epsilon": 1.0, "relation": "add-or-remove-one", "samples": 2000, "isolate": False}
    result = audit(mechanism, data=[1.0, 2.0, 3.0], domain=(0.0, 5.0), **asked)
    assert result.verdict is Verdict.UNKNOWN
    assert "_thread.lock" in result.reason


BATCHES = {
    "dtype": lambda x, values: values.astype("f4" if x > 40 else "f8"),
    "dtype of a series": lambda x, values: pd.Series(values.astype("f4" if x > 40 else "f8")),
    "name of a series": lambda x, values: pd.Series(values, name=x),
    "columns of a frame": lambda x, values: pd.DataFrame({f"a{x}": values}),
    "attrs of a frame": lambda x, values: attrs_of(x, values),
    "categories": lambda x, values: pd.Series(
        pd.Categorical(np.sign(values), categories=[-1.0, 1.0, x])
    ),
    "index of a frame": lambda x, values: pd.DataFrame({"a": values}, index=values + x),
    "name of an index": lambda x, values: pd.DataFrame(
        {"a": values}, index=pd.RangeIndex(len(values), name=x)
    ),
    "types in an array of objects": lambda x, values: np.array(
        [1 if x > 40 else True for _ in values], dtype=object
    ),
    "nested types in an array of objects": lambda x, values: pd.Series(
        [(1 if x > 40 else 1.0, "a") for _ in values]
    ),
    "names of fields": lambda x, values: np.array([(v,) for v in values], dtype=[(f"a{x}", float)]),
}


def attrs_of(x, values):
    found = pd.DataFrame({"a": values})
    found.attrs["mean"] = x
    return found


@pytest.mark.parametrize("name", BATCHES)
def test_what_a_batch_has_in_common_is_no_pass_where_it_differs(name):
    def mechanism(data, *, size, rng):
        return BATCHES[name](data, rng.laplace(size=size))

    result = audit(mechanism, **ASKED)
    assert result.verdict in (Verdict.UNKNOWN, Verdict.VIOLATION)


@pytest.mark.parametrize("name", sorted(BATCHES.keys() - {"index of a frame", "name of an index"}))
def test_what_a_batch_has_in_common_is_a_pass_where_it_does_not(name):
    def mechanism(data, *, size, rng):
        return BATCHES[name](LOW, rng.laplace(size=size))

    assert audit(mechanism, **ASKED).verdict is Verdict.NO_VIOLATION


def test_a_batch_with_a_mask_is_read_under_the_mask():
    def mechanism(data, *, size, rng):
        return np.ma.array(np.full(size, data), mask=True)

    assert audit(mechanism, **ASKED).verdict is Verdict.VIOLATION


class Opaque:
    """Cannot be read as it is."""

    def __init__(self, value):
        self.lock, self.value = threading.Lock(), value


def value_of(output):
    return output.value


def noisy(data, rng):
    return Opaque(float(rng.laplace()))


def exact(data, *, size, rng):
    return [Opaque(data) for _ in range(size)]


def test_a_function_makes_something_readable_of_outputs():
    assert audit(noisy, **ASKED).verdict is Verdict.UNKNOWN
    result = audit(noisy, **ASKED, read=value_of)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.read.endswith("test_output_types.value_of")
    assert audit(exact, **ASKED, read=value_of).verdict is Verdict.VIOLATION
    few = audit(noisy, **ASKED | {"samples": "auto:100"}, read=value_of)
    assert few.verdict is Verdict.NO_VIOLATION


def test_a_reading_function_that_raises_makes_no_output():
    result = audit(noisy, **ASKED, read=lambda output: output.missing)
    assert result.verdict is Verdict.UNKNOWN
    assert "cannot read: it raised AttributeError" in result.reason


def test_common_types_keep_their_numbers():
    book = PatternBook()
    outputs = [(1, 2.5, "a"), {"b": 1.0, "a": (2, 3)}, [0.5, None], np.array([1.0, 2.0])]
    found = encode(outputs, 4, book)
    assert found.values[0, :2].tolist() == [1, 2.5]
    assert found.values[1, :3].tolist() == [2, 3, 1]
    assert math.isnan(found.values[2, 1])
    assert not book.unread


def test_the_forms_are_many():
    assert len(FORMS) >= 60


@pytest.mark.parametrize("samples", [400, "auto:100"])
@pytest.mark.parametrize(
    ("output", "words"), [(None, "None"), (0.5, "0.5"), ("none", "'none'"), ([], "()")]
)
def test_outputs_that_are_all_alike_are_said_first(output, words, samples):
    result = audit(lambda data, rng: output, **ASKED | {"samples": samples})
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.limitations[0].startswith(f"Every output was {words}, under D and under D′: ")


@pytest.mark.parametrize("other", [{"b": 1, "a": 1}, {"a": 1, "b": 1.0}, -0.0, None])
def test_outputs_that_differ_in_anything_are_not_said_to_be_alike(other):
    first = 0.0 if other == 0 else {"a": 1, "b": 1}

    def mechanism(data, rng):
        return first if rng.random() < 0.5 else other

    assert audit(mechanism, **ASKED).limitations == ()


def test_a_frame_of_texts_is_spelled_by_its_content():
    """Its storage is read for what it hides, under nulls and in chunks; shown is what it holds."""

    def spelled(*frames):
        book = PatternBook()
        encoded = encode(list(frames), len(frames), book)
        return [book.words(encoded, i) for i in range(len(frames))], len(book.keys)

    plain = pd.DataFrame({"city": pd.array(["rome", "oslo"], dtype="str"), "n": [1.5, 2.5]})
    (words,), _ = spelled(plain)
    assert "('rome', 'oslo')" in words
    assert not {"ChunkedArray", "Buffer", "made by", "attrs", "duplicates"} & set(
        re.findall(r"\w+(?: by)?", words)
    )
    other = plain.copy()
    other.attrs["n"] = 3
    named = plain.rename_axis("i")
    in_two = pd.concat([plain[:1], plain[1:]])
    unlike = plain.copy()
    unlike.flags.allows_duplicate_labels = False
    assert spelled(plain, plain.copy())[1] == 1
    assert spelled(plain, other, named, in_two, unlike)[1] == 5
