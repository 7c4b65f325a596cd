"""The cause of a violation: the part of the output that carries the bound, and no other."""

import dataclasses
import datetime
import decimal
import fractions
import re

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from provado.audit import audit
from provado.audit.events import cause as causes
from provado.audit.events.cause import UNNAMED, CauseKind, name_cause
from provado.audit.events.learners.learn import CARRIES
from provado.audit.events.rounding import significant
from provado.audit.events.rule import NOTHING, Rule, learn_rule
from provado.audit.events.threshold import NO_CUT, Goal
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import Verdict
from provado.reports.text.cause_and_fix import cause as words_of
from tests.audit.flawed_mechanisms import D_PRIME, FIXED, FLAWED, D

SAMPLES = 8000


@dataclasses.dataclass
class Held:
    """An object with one field."""

    total: float


NUMBERED = [
    name
    for name, flaw in FLAWED.items()
    if flaw.kind
    in (CauseKind.SHIFT, CauseKind.SCALE, CauseKind.NO_NOISE, CauseKind.SHARED, CauseKind.SEVERAL)
]


def run(call, **more):
    given = {"epsilon": 1.0, "samples": SAMPLES, "isolate": False, "arithmetic": "ideal"} | more
    return audit(call, pair=(D, D_PRIME), **given)


def assert_named(name, result):
    flaw = FLAWED[name]
    assert result.verdict is Verdict.VIOLATION
    assert flaw.names(result.explained_pair.cause), result.explained_pair.cause.words


@pytest.mark.parametrize("name", sorted(FLAWED.keys() - {"groups_of_a_series"}))
def test_the_cause_of_each_flaw_is_named(name):
    assert_named(name, run(FLAWED[name].call))


@pytest.mark.parametrize("name", FIXED)
def test_with_the_usual_fix_of_its_cause_a_mechanism_keeps_the_claim(name):
    """Most have ε = 1 exactly, which an audit reports with probability 5 %: ε = 1.2 is claimed."""
    result = run(FIXED[name], epsilon=1.2)
    assert result.verdict is not Verdict.VIOLATION
    assert words_of(result) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", FLAWED)
@pytest.mark.parametrize(
    "more",
    [
        {"samples": 100_000},
        {"samples": 20_000, "seed": 1},
        {"samples": 20_000, "seed": 2, "stop_early": True},
        {"samples": 20_000, "seed": 3, "delta": 1e-4},
        {"samples": "auto:4000"},
    ],
)
def test_the_cause_is_the_same_however_it_is_audited(name, more):
    assert_named(name, run(FLAWED[name].call, **more))


EXACT = {
    "a key": lambda data, rng: {"large": len(data) > 4, "rows": len(data) + rng.laplace()},
    "a number": lambda data, rng: [float(len(data)), rng.laplace()],
    "a type": lambda data, rng: round(rng.laplace(0, 9)) * (1 if len(data) > 4 else 1.0),
    "a text": lambda data, rng: "many" if len(data) > 4 else "few",
}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("seed", range(4))
def test_of_the_few_trials_that_certify_it_an_exact_answer_is_named(name, seed):
    result = run(EXACT[name], samples="auto:300", seed=seed)
    assert result.verdict is Verdict.VIOLATION
    assert result.counts.trials < 40
    kind = CauseKind.TYPE if name == "a type" else CauseKind.NO_NOISE
    assert result.explained_pair.cause.kind is kind


def test_a_digit_of_a_long_number_is_no_shift():
    def bits(data, rng):
        chances = [0.9 if len(data) > 4 else 0.1, *np.full(9, 0.5)]
        return "".join(map(str, (rng.random(10) < chances).astype(int)[::-1]))

    result = run(bits)
    assert result.verdict is Verdict.VIOLATION
    assert result.explained_pair.cause.kind is not CauseKind.SHIFT


OF_ONE_NUMBER = {
    "fraction": lambda x: fractions.Fraction(round(x), 7),
    "decimal": lambda x: decimal.Decimal(round(x)) / 7,
    "duration": lambda x: datetime.timedelta(seconds=x),
    "time": lambda x: datetime.datetime(2024, 2, 28, 23, 59, 58) + datetime.timedelta(seconds=x),
    "date": lambda x: datetime.date(2024, 2, 29) + datetime.timedelta(days=round(x)),
}


@pytest.mark.parametrize("kind", OF_ONE_NUMBER)
def test_a_shift_of_a_value_that_is_one_number_is_named(kind):
    def release(data, rng, scale=5.0):
        return OF_ONE_NUMBER[kind](10 * len(data) + rng.laplace(scale=scale))

    result = run(release)
    assert result.verdict is Verdict.VIOLATION
    assert result.explained_pair.cause.kind is CauseKind.SHIFT
    fixed = run(lambda data, rng: release(data, rng, 10.0), epsilon=1.2)
    assert fixed.verdict is Verdict.NO_VIOLATION


def test_low_order_digits_of_whole_numbers_are_no_missing_values():
    def release(data, rng, hidden=len):
        return 2**60 + 3 * hidden(data) + 1000 * int(rng.geometric(0.1))

    cause = run(release).explained_pair.cause
    assert cause.kind is CauseKind.BITS
    assert "NaN" not in cause.words
    assert run(lambda data, rng: release(data, rng, lambda _: 0)).verdict is Verdict.NO_VIOLATION


@pytest.mark.parametrize("far", [0, 1_234_567, 63_839_750_400, 1_234_567.25])
def test_two_exact_numbers_are_shown_with_the_digits_that_differ(far):
    cause = run(lambda data, rng: (far + len(data), int(rng.integers(9)))).explained_pair.cause
    assert cause.kind is CauseKind.NO_NOISE
    shown = re.findall(r"(\S+) in every run", cause.words)
    assert shown[0] != shown[1]
    assert [float(one) for one in shown] == pytest.approx([far + len(D), far + len(D_PRIME)], 1e-6)


@pytest.mark.parametrize("held", [lambda x: Held(x), lambda x: {"a": [x]}, lambda x: [1, [x]]])
def test_the_type_of_a_part_is_named_as_a_type(held):
    """NumPy's number for data, Python's for none: as `sum` returns it."""

    def release(data, rng, kind=lambda data: np.float64 if len(data) == len(D) else float):
        return held(kind(data)(round(rng.laplace(), 2)))

    cause = run(release).explained_pair.cause
    assert cause.kind is CauseKind.TYPE
    assert "float64 in every run under D, float in every run under D′" in cause.words
    assert run(lambda data, rng: release(data, rng, lambda _: float)).verdict is (
        Verdict.NO_VIOLATION
    )


def test_of_several_parts_no_score_of_ours_is_quoted():
    """Where no few parts carry the bound, those are named that tell of the side, once."""
    rng, book = np.random.default_rng(0), PatternBook()
    a, b = (encode(shift + rng.laplace(size=(8000, 4)), 8000, book) for shift in (0.0, 1.0))
    halves = [(a.part(rows), b.part(rows)) for rows in (slice(0, 4000), slice(4000, 8000))]
    goal = Goal(8000, 0.05, 0.0, betting=False, claimed=1.0)
    judge = causes._Judge(*halves, goal, np.inf)
    parts = [causes.Column(j, 4) for j in range(4)]
    learned = judge.cut(causes.reweigh(causes.weigh(parts, *halves[0]).parts, *halves[0]))
    found = causes._together(judge, parts, learned)
    assert found.words.endswith("alone: output[0], output[1], output[2] and output[3].")


def test_an_exception_without_words_ends_its_sentence():
    def release(data, rng):
        if len(data) != len(D):
            raise LookupError
        return round(rng.laplace(), 2)

    cause = run(release).explained_pair.cause
    assert cause.kind is CauseKind.EXCEPTION
    assert "raised LookupError in 0 of" in cause.words


def test_a_text_without_numbers_has_none_in_words():
    def chosen(data, rng):
        return "many" if rng.random() < (0.9 if len(data) > 4 else 0.1) else "few"

    words = run(chosen).explained_pair.cause.words
    assert words.startswith("Which text it returns depends on the data")


def only(call, wanted):
    """Return a mechanism that releases only the numbers of another that are named."""

    def part(output):
        if isinstance(output, dict):
            return tuple(output.get(one.strip("'"), -1.0) for one in wanted)
        return tuple(np.atleast_1d(output)[int(one)] for one in wanted if one)

    def mechanism(data, *, size, rng):
        batched = "size" in call.__code__.co_varnames
        outputs = (
            call(data, size=size, rng=rng) if batched else [call(data, rng) for _ in range(size)]
        )
        return [part(one) for one in outputs]

    return mechanism


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERED)
def test_what_is_named_alone_certifies_the_bound_and_what_is_not_named_does_not(name):
    call = FLAWED[name].call
    result = run(call, samples=40_000)
    named = sorted(set(re.findall(r"output\[([^\]]*)\]", result.explained_pair.cause.words)))
    if not named or " parts, first" in result.explained_pair.cause.words:
        pytest.skip("all of the output is named, or too many parts of it")
    alone = run(only(call, named), samples=40_000)
    assert alone.epsilon_lower >= (CARRIES - 0.05) * result.epsilon_lower
    for left in named if len(named) > 1 else ():
        fewer = run(only(call, [one for one in named if one != left]), samples=40_000)
        assert fewer.epsilon_lower < CARRIES * result.epsilon_lower


def caused(a, b, claimed=1.0):
    book = PatternBook()
    a, b = (significant(encode(part, len(part), book)) for part in (a, b))
    book.closed = True
    goal = Goal(2 * len(a), 0.05, 0.0, betting=False, claimed=claimed)
    return name_cause(learn_rule(a, b, goal, book.words), a, b, book, goal, by_bits=False)


@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.generate))
@example(moves=[2.5, 1.2, 0.6, 0.0], seed=47767237)
@example(moves=[0.3, 0.6, 0.0, 0.3], seed=2674133846)
@example(moves=[0.3, 0.3, 0.6, 0.3, 1.2], seed=3649201508)
@given(
    moves=st.lists(st.sampled_from([0.0, 0.3, 0.6, 1.2, 2.5]), min_size=2, max_size=5),
    seed=st.integers(0, 2**32),
)
def test_of_moved_numbers_with_laplace_noise_those_are_named_that_carry_the_loss(moves, seed):
    """The loss of a coordinate is its move over its scale; that of all is their sum."""
    rng = np.random.default_rng(seed)
    noise = rng.laplace(size=(2, 12_000, len(moves)))
    cause, loss = caused(noise[0], noise[1] + moves), max(moves) / max(sum(moves), 1e-9)
    named = {int(j) for j in re.findall(r"output\[(\d+)\]", cause.words)}
    if sum(moves) < 1:
        return
    if loss > 0.95:
        assert cause.kind is CauseKind.SHIFT
        assert named == {int(np.argmax(moves))}
    elif loss < 0.6:
        assert cause.kind is CauseKind.SEVERAL
        assert len(named) > 1
    assert all(moves[j] > 0 for j in named)


def test_without_its_level_a_number_that_does_not_move_is_named(monkeypatch):
    monkeypatch.setattr("provado.audit.events.cause.LUCK", 4 - 1e-9)
    noise = np.random.default_rng(47767237).laplace(size=(2, 12_000, 4))
    assert "output[3]" in caused(noise[0], noise[1] + [2.5, 1.2, 0.6, 0.0]).words


@pytest.mark.parametrize("move", [6.0, 40.0])
@pytest.mark.parametrize("upward", [1, -1])
@pytest.mark.parametrize("noise", ["laplace", "normal", "logistic", "uniform", "exponential"])
def test_only_noise_that_is_bounded_has_a_bound_that_moves(noise, upward, move):
    """A tail ends somewhere in every sample; moved far enough, all of a side lies beyond it."""
    draw = getattr(np.random.default_rng(5), noise)
    first, second = upward * draw(size=(2, 12_000, 1))
    cause = caused(first, second + upward * move)
    bounded = noise in ("uniform", "exponential")
    assert cause.kind is (CauseKind.SUPPORT if bounded else CauseKind.SHIFT), cause.words
    assert ("its noise is bounded" in cause.words) == bounded


def test_of_a_few_outputs_no_bound_is_named():
    for several in (36, 40):
        first, second = np.random.default_rng(5).random((2, several, 1))
        cause = caused(first, second + 40)
        assert cause.kind in (CauseKind.SHAPE, CauseKind.SHIFT), cause.words


@settings(max_examples=4, deadline=None, phases=(Phase.generate,))
@given(
    weights=st.lists(st.sampled_from([-2.0, -1.0, 1.0, 3.0]), min_size=2, max_size=2),
    beside=st.integers(0, 3),
    seed=st.integers(0, 2**32),
)
def test_noise_that_two_numbers_share_is_found_whatever_stands_beside_it(weights, beside, seed):
    rng = np.random.default_rng(seed)
    width = 2 + beside
    places = rng.permutation(width)[:2]
    sides = []
    for move in (0.0, 1.0):
        noise = rng.laplace(size=(3000, width), scale=2.0)
        noise[:, places] = noise[:, places[:1]] * weights
        noise[:, places[0]] += move
        sides.append(noise)
    cause = caused(*sides)
    assert cause.kind is CauseKind.SHARED
    assert {int(j) for j in re.findall(r"output\[(\d+)\]", cause.words)} == set(places.tolist())


def test_noise_of_its_own_for_each_number_is_no_shared_noise():
    rng = np.random.default_rng(0)
    noise = rng.laplace(size=(2, 10_000, 3))
    cause = caused(noise[0], noise[1] + [0.9, 0.9, 0.0])
    assert cause.kind is CauseKind.SEVERAL
    assert "output[2]" not in cause.words


def test_a_shift_that_keeps_the_claim_is_not_named_beside_what_breaks_it():
    rng = np.random.default_rng(0)
    a, b = rng.laplace(scale=2.0, size=10_000), 1 + rng.laplace(scale=2.0, size=10_000)
    b[rng.random(10_000) < 0.05] += 1000
    cause = caused(a, b)
    assert cause.kind is CauseKind.SHAPE
    assert re.search(r"output ≥ \d+", cause.words)
    moved = caused(a, 5 + a[rng.permutation(10_000)])
    assert moved.kind is CauseKind.SHIFT


def test_where_the_rule_says_nothing_no_cause_is_named():
    book = PatternBook()
    same = encode(np.ones(100), 100, book)
    goal = Goal(1000, 0.05, 0.0, betting=False, claimed=1.0)
    assert name_cause(Rule(NOTHING, NO_CUT), same, same, book, goal, by_bits=False) == UNNAMED


def test_an_error_of_our_own_in_naming_rare_outputs_costs_the_cause_alone(monkeypatch):
    def fails(*_):
        raise IndexError("nothing there")

    book = PatternBook()
    same = encode(np.ones(100), 100, book)
    goal = Goal(1000, 0.05, 0.0, betting=False, claimed=1.0)
    monkeypatch.setattr("provado.audit.events.cause._events", fails)
    rule = Rule(NOTHING, NO_CUT)
    cause = name_cause(rule, same, same, book, goal, by_bits=False, rare=True)
    assert cause.kind is CauseKind.NOTHING
    assert "an error in Provado itself" in cause.words


def test_an_error_of_our_own_in_naming_the_cause_costs_the_cause_alone(monkeypatch):
    def fails(*_):
        raise IndexError("nothing there")

    monkeypatch.setattr("provado.audit.events.cause._numbers", fails)
    result = run(FLAWED["noise_too_small"].call)
    assert result.verdict is Verdict.VIOLATION
    assert result.explained_pair.cause.kind is CauseKind.NOTHING
    assert "an error in Provado itself" in words_of(result)
    assert "IndexError: nothing there" in words_of(result)


def test_beside_low_order_bits_the_cause_of_what_is_left_is_named_too():
    result = run(FLAWED["two_numbers_of_six"].call, arithmetic="floating")
    assert {pair.cause.kind for pair in result.pairs} == {CauseKind.BITS, CauseKind.SEVERAL}
    said = words_of(result)
    assert said.startswith("Also apart from low-order bits: ε ≥ ")
    assert said.endswith("none that was tried alone: output[1] and output[3].")


def test_a_shift_of_half_of_the_outputs_is_no_other_scale(monkeypatch):
    """They are spread wider, but only on one side; without a look at both ends it is a scale."""

    def kind(seed):
        rng = np.random.default_rng(seed)
        one, other = (rng.normal(0, 0.5, (SAMPLES, 1)) for _ in range(2))
        return caused(one, other + (rng.random((SAMPLES, 1)) < 0.5)).kind

    assert {kind(seed) for seed in range(3)} == {CauseKind.SHAPE}
    monkeypatch.setattr("provado.audit.events.cause.TAIL", 0.0)
    assert CauseKind.SCALE in {kind(seed) for seed in range(3)}


def test_types_of_numbers_are_told_apart_in_words():
    def run(data, rng):
        noisy = rng.laplace()
        return {"mean": float(noisy) if data else np.float64(noisy)}

    result = audit(run, epsilon=1.0, pair=(0, 1), samples=2000)
    words = result.explained_pair.cause.words
    assert words.startswith("The type of output['mean'] depends on the data: ")
    assert "float64 in every run under D, float in every run under D′" in words
