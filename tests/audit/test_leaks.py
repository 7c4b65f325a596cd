"""Every kind of leak: seen where it is, not where it is not, and read off one output alone."""

import math
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from benchmarks.leaks import LEAKS, TRUE
from provado.audit import audit
from provado.audit.events.features.screen import Bit, Digit, Residue, Ties, ZeroSign
from provado.audit.events.features.text import Noted
from provado.audit.events.learners.piecewise import CellRatios, narrow_windows
from provado.audit.events.rule import Rule, learn_rule
from provado.audit.events.threshold import NO_CUT, Goal
from provado.audit.target.exceptions import MOST_TEXTS, SURE, Raised, Raises
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import Verdict

BY_NAME = {leak.name: leak for leak in LEAKS}
RAISING = [name for name in BY_NAME if name.startswith("exception")]
WIDE = [name for name in BY_NAME if "1,000" in name]
RARE = [name for name in BY_NAME if name.startswith("rare ") and name not in WIDE]
COMMON = [name for name in BY_NAME if name not in (*RAISING, *WIDE, *RARE)]


def run(name, *, samples, sound=False, **more):
    leak = BY_NAME[name]
    return audit(
        leak.mechanism(sound=sound), pair=(0, 1), samples=samples, **{"epsilon": 1.0} | more
    )


@pytest.mark.parametrize("name", COMMON)
def test_a_leak_of_each_kind_is_certified(name):
    result = run(name, samples=3000)
    assert result.verdict is Verdict.VIOLATION
    assert result.epsilon_lower > 0.6 * TRUE


@pytest.mark.parametrize("name", COMMON)
def test_an_output_of_the_same_form_that_leaks_nothing_is_not_accused(name):
    result = run(name, samples=3000, sound=True, epsilon=0.1)
    assert result.verdict is Verdict.NO_VIOLATION


@pytest.mark.parametrize("name", RARE)
def test_a_rare_event_inside_the_range_of_the_others_is_certified(name):
    assert run(name, samples=300_000, epsilon=0.5).verdict is Verdict.VIOLATION
    sound = run(name, samples=200_000, sound=True, epsilon=0.1)
    assert sound.verdict is Verdict.NO_VIOLATION


@pytest.mark.parametrize("name", RAISING)
def test_an_exception_that_depends_on_the_data_is_certified(name):
    result = run(name, samples=8000)
    assert result.verdict is Verdict.VIOLATION
    assert "raised ValueError: no room" in result.witness.examples_d_prime[0]


@pytest.mark.parametrize("name", RAISING)
def test_a_mechanism_that_raises_never_passes(name):
    result = run(name, samples=8000, sound=True)
    assert result.verdict is Verdict.UNKNOWN
    assert "raised ValueError in " in result.reason
    assert "of 4,000 runs under D and " in result.reason


def always(data, rng):
    if data:
        raise ValueError("no room")
    return rng.laplace()


def always_in_batches(data, *, size, rng):
    if data:
        raise ValueError("no room")
    return rng.laplace(size=size)


def other_texts(data, rng):
    raise ValueError("too many" if data else "too few")


def texts_of_one_side(data, rng):
    if data:
        raise KeyError(chr(97 + rng.integers(26)) * int(rng.integers(1, 30)))
    return 1.0


def another_below_one_side(data, rng):
    if rng.random() < 0.3:
        raise KeyError("nothing there") if data else ValueError("no room")
    return 1.0


HOW = ({}, {"stop_early": True}, {"samples": "auto:3000"})


@pytest.mark.parametrize("more", HOW)
@pytest.mark.parametrize(
    "mechanism", [always, always_in_batches, other_texts, texts_of_one_side, another_below_one_side]
)
def test_an_exception_that_depends_on_the_data_is_an_output_below_the_claim(mechanism, more):
    given = {"pair": (0, 1), "samples": 3000, "isolate": False} | more
    below = audit(mechanism, epsilon=12.0, **given)
    assert below.verdict is Verdict.NO_VIOLATION
    # A bet against a claim of 12 says little of a smaller ε.
    assert below.epsilon_lower > (0 if "auto" in str(given["samples"]) else 2)
    (said,) = (one for one in below.limitations if "xception" in one)
    assert "count as outputs" in said
    assert " under D and " in said
    above = audit(mechanism, epsilon=1.0, **given)
    assert above.verdict is Verdict.VIOLATION
    assert not any("xception" in one for one in above.limitations)


def for_both(data, rng):
    if rng.random() < (0.3 if data else 0.1):
        raise ValueError("no room")
    return 1.0


def for_both_and_for_one(data, rng):
    if data and rng.random() < 0.3:
        raise KeyError("nothing there")
    return for_both(0, rng)


def texts_of_both(data, rng):
    raise KeyError(chr(97 + rng.integers(26)) * int(rng.integers(1, 30)))


def seldom(data, rng):
    if data and rng.random() < 0.002:
        raise ValueError("no room")
    return 1.0


@pytest.mark.parametrize("more", HOW)
@pytest.mark.parametrize("mechanism", [for_both, for_both_and_for_one, texts_of_both, seldom])
def test_an_exception_that_both_datasets_raise_or_that_may_be_chance_never_passes(mechanism, more):
    given = {"pair": (0, 1), "samples": 3000, "isolate": False} | more
    result = audit(mechanism, epsilon=12.0, **given)
    assert result.verdict is Verdict.UNKNOWN
    assert "raised " in result.reason


@pytest.mark.parametrize("more", HOW)
@pytest.mark.parametrize("delta", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("chance", [0.008, 0.03, 0.3])
def test_at_positive_delta_the_exceptions_of_one_dataset_are_outputs_however_few(
    chance, delta, more
):
    def one_sided(data, rng):
        if data and rng.random() < chance:
            raise ValueError("no sample was accepted")
        return float(rng.laplace())

    def two_sided(data, rng):
        return one_sided(1, rng)

    asked = {"epsilon": 1.0, "delta": delta, "pair": (0, 1), "samples": 2000, "isolate": False}
    result = audit(one_sided, **asked | more)
    if chance > 2 * delta and chance > 0.1:
        assert result.verdict is Verdict.VIOLATION
    else:
        assert result.verdict in (Verdict.VIOLATION, Verdict.NO_VIOLATION)
        assert result.verdict is Verdict.NO_VIOLATION or chance > delta
    assert result.verdict is Verdict.VIOLATION or "raised ValueError" in " ".join(
        result.limitations
    )
    assert audit(two_sided, **asked | more).verdict is Verdict.UNKNOWN


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from("xyz"), st.booleans()), max_size=60),
    st.booleans(),
    st.sampled_from([0.0, 0.01]),
)
def test_an_exception_is_no_output_once_the_other_dataset_raises_it_too(met, side, delta):
    """Exceptions are counted by type and text; numbers in the text do not matter."""
    raises, least = Raises(delta=delta), 1 if delta else SURE
    for kind, text, under in met:
        raises.note([Raised(kind, f"{text} 1", ())], int(under))
    again = [Raised("C", "w 7", ()), Raised("C", "w 8", ())] * SURE
    raises.note(again, int(side))
    before = raises.outputs
    assert before == all(
        any(
            len(rows := [under for k, t, under in met if k == kind and text in ("", t)]) >= enough
            and len(set(rows)) == 1
            for text, enough in (("", least), (one, SURE))
        )
        for kind, one, _ in met
    )
    raises.note(again[:1], int(not side))
    assert not raises.outputs
    assert not raises.limitation()


def test_very_many_texts_of_exceptions_are_kept_as_one():
    raises = Raises()
    for number in range(10 * MOST_TEXTS):
        raises.note([Raised("KeyError", "a" * number, ())], number % 2)
    assert len(raises.kinds) == MOST_TEXTS + 1
    assert raises.all
    assert not raises.outputs


MESSAGES = {
    "number": lambda record: f"no room for {record:.3f}",
    "late number": lambda record: f"{'no ' * 700}{record}",
    "huge number": lambda record: f"no {10**400 + int(record)}",
    "zeros of a fraction": lambda record: "no 0.50" if record > 0 else "no 0.5",
    "zeros": lambda record: "no 007" if record > 0 else "no 7",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_numbers_in_the_text_of_an_exception_are_read(name):
    def mechanism(data, rng):
        if rng.random() < 0.5:
            return 0.0
        raise ValueError(MESSAGES[name](data))

    asked = {"epsilon": 1.0, "pair": (0, 1), "samples": 1000}
    assert audit(mechanism, **asked).verdict is Verdict.VIOLATION
    found = audit(lambda data, rng: mechanism(rng.integers(2), rng), **asked)
    assert found.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("batched", [True, False])
def test_a_mechanism_that_always_raises_is_unknown_with_its_place(batched):
    def single(data, rng):
        data = 0 * data
        return 1 / data

    def at_once(data, *, size, rng):
        data = 0 * data
        return np.full(size, 1 / data)

    result = audit(at_once if batched else single, epsilon=1.0, pair=(0, 1), samples=2000)
    assert result.verdict is Verdict.UNKNOWN
    assert not result.pairs
    assert "raised ZeroDivisionError: division by zero (at test_leaks.py:" in result.reason
    assert "1 / data" in result.reason


def test_a_batch_that_raises_though_no_single_run_does_is_no_pass():
    def mechanism(data, *, size, rng):
        if size > 1:
            raise ValueError("too many")
        return rng.random(size) < 0.5

    result = audit(mechanism, epsilon=1.0, pair=(0, 1), samples=2000)
    assert result.verdict is Verdict.UNKNOWN
    assert "raised ValueError: too many" in result.reason


@pytest.mark.slow
@pytest.mark.parametrize("name", [*COMMON, *RARE])
def test_outputs_of_such_forms_raise_no_false_alarms(name):
    repetitions = 100
    alarms = sum(
        run(name, samples=2000, sound=True, epsilon=0.01, seed=seed).verdict is Verdict.VIOLATION
        for seed in range(repetitions)
    )
    assert alarms <= binom.ppf(0.999, repetitions, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*COMMON, *RARE])
def test_a_claim_that_is_exactly_met_is_seldom_accused(name):
    repetitions = 100
    alarms = sum(
        run(name, samples=2000, epsilon=TRUE, seed=seed).verdict is Verdict.VIOLATION
        for seed in range(repetitions)
    )
    assert alarms <= binom.ppf(0.999, repetitions, 0.05)


def test_a_length_of_very_many_values_is_cut_where_it_tells():
    def mechanism(data, *, size, rng):
        long = rng.random(size) < (0.9 if data else 0.1)
        lengths = np.where(long, 1000, 0) + rng.integers(1, 1000, size)
        return [("ab" * 1000)[:n] + str(n) for n in lengths.tolist()]

    result = audit(mechanism, epsilon=1.0, pair=(0, 1), samples=8000)
    assert result.epsilon_lower > 0.6 * TRUE


@pytest.mark.parametrize("name", ["length of random strings", "−0.0"])
def test_notes_are_taken_only_for_rules_that_read_them(name):
    rule, _ = learned(name)
    assert rule.noted == (name != "−0.0")
    cells = CellRatios(Noted("words", "length"), np.empty(0), np.zeros(1))
    assert Rule(cells, NO_CUT).noted


@lru_cache(maxsize=1)
def learned(name, n=1200):
    rng, book, leak = np.random.default_rng(1), PatternBook(), BY_NAME[name]
    a, b = (encode(leak.hide(rng.random(n) < p, rng), n, book) for p in leak.chances)
    book.closed = True
    return learn_rule(a, b, Goal(2 * n, 0.05, 0.0, betting=False), book.words), book


@pytest.mark.parametrize("name", COMMON)
@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_the_guess_of_an_output_depends_on_that_output_alone(name, seed):
    rule, book = learned(name)
    rng = np.random.default_rng(seed)
    outputs = BY_NAME[name].hide(rng.random(12) < 0.5, rng)
    together = rule.guess(encode(outputs, len(outputs), book)).tolist()
    alone = [rule.guess(encode(outputs[i : i + 1], 1, book))[0] for i in range(len(outputs))]
    assert together == alone
    backwards = outputs[::-1]
    assert rule.guess(encode(backwards, len(outputs), book)).tolist() == together[::-1]


@given(
    st.lists(st.integers(-(2**100), 2**100), min_size=1, max_size=6),
    st.sampled_from([2, 3, 7, 64, 1000]),
)
def test_residues_are_those_of_exact_arithmetic(numbers, modulus):
    read = Residue(0, 1, modulus).read(encode(numbers, len(numbers), PatternBook()))
    assert read.tolist() == [number % modulus for number in numbers]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=6),
    st.sampled_from([2, 3, 7, 64, 1000]),
)
def test_residues_of_an_array_are_those_of_its_entries(numbers, modulus):
    outputs = encode(np.array(numbers, dtype=np.int64), len(numbers), PatternBook())
    read = Residue(0, 1, modulus).read(outputs)
    assert read.tolist() == [number % modulus for number in numbers]


def test_bits_signs_and_ties_of_numbers():
    def read(part, outputs):
        return part.read(encode(outputs, len(outputs), PatternBook())).tolist()

    assert read(Bit(0, 1, 0), [1.0, np.nextafter(1.0, 2.0)]) == [0, 1]
    assert read(Bit(0, 1, 51), [1.0, 1.5]) == [0, 1]
    assert read(Digit(0, 1, -1), [0.25, 0.5, 1.0, 1.75]) == [0, 1, 0, 1]
    assert read(ZeroSign(0, 1), [0.0, -0.0, -3.0]) == [1, -1, 0]
    assert read(Ties(), [[1.0, 2.0, 3.0], [2.0, 1.0, 2.0], [5.0, 5.0, 5.0]]) == [0, 1, 2]
    assert read(Ties(), [[math.nan, math.nan], [1.0, math.nan]]) == [0, 0]


def test_a_narrow_window_is_found_and_none_where_there_is_none():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50_000))
    assert narrow_windows(np.sort(a), np.sort(b)) == []
    a[:60] = 0.5 + 1e-5 * rng.random(60)
    ((low, high, gain),) = narrow_windows(np.sort(a), np.sort(b))
    assert 0.49 < low < 0.50001
    assert 0.5 < high < 0.51
    assert gain > 20


@pytest.mark.slow
def test_narrow_windows_are_seldom_found_by_luck():
    found = 0
    for seed in range(300):
        a, b = np.random.default_rng(seed).normal(size=(2, 4000))
        found += bool(narrow_windows(np.sort(a), np.sort(b)))
    assert found <= 3


DELTA_FORMS = {
    "int or None": lambda event: [7 if it else None for it in event],
    "string": lambda event: ["leak" if it else "fine" for it in event],
    "dictionary": lambda event: [{"a": 1, "b": 2} if it else {"a": 1} for it in event],
    "float": lambda event: [7.5 if it else 0.0 for it in event],
    "tuple": lambda event: [(1, 2.5) if it else (1, 0.0) for it in event],
}


@pytest.mark.parametrize("form", DELTA_FORMS)
def test_a_one_sided_leak_beside_one_common_output_is_seen_at_positive_delta(form):
    def mechanism(data, *, size, rng):
        return DELTA_FORMS[form]((rng.random(size) < 0.013 * data).tolist())

    def sound(data, *, size, rng):
        return DELTA_FORMS[form]((rng.random(size) < 0.0045 * data).tolist())

    asked = {"epsilon": 1.0, "delta": 0.005, "pair": (0, 1), "samples": 32_000}
    assert audit(mechanism, **asked).epsilon_lower > 2
    assert audit(sound, **asked).verdict is Verdict.NO_VIOLATION
