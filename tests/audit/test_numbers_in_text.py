"""What numbers in one text, and the words around them, tell together; and the order of keys."""

import json

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.events.cause import CauseKind
from provado.audit.events.features.text import Noted
from provado.audit.events.learners.piecewise import CellRatios
from provado.audit.events.rule import NO_CUT, Rule, learn_rule
from provado.audit.events.threshold import Goal
from provado.audit.search.candidates import rank
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Verdict

WRITTEN = {
    "JSON": lambda numbers: json.dumps({"released": numbers}),
    "words": lambda numbers: "; ".join(f"{x:.3f}" for x in numbers),
}


def three(written, scale):
    """Release a count three times in one text; 3/scale-DP."""

    def release(data, rng):
        return WRITTEN[written]([len(data) + rng.laplace(0, scale) for _ in range(3)])

    return release


def total_and_winner(data, rng):
    """Spend ε = 1 on a total and ε = 1 again on which city is the most frequent."""
    noisy = [data.count(city) + rng.laplace() for city in (0, 1, 2)]
    return json.dumps({"total": len(data) + rng.laplace(), "most": "abc"[int(np.argmax(noisy))]})


def noise_shared(data, rng):
    noise = rng.laplace(0, 2)
    return json.dumps([len(data) + noise, sum(data) + noise])


def audited(release, pair, samples=10_000):
    return audit(
        release, epsilon=1.0, pair=pair, samples=samples, arithmetic="ideal", isolate=False
    )


@pytest.mark.parametrize("written", WRITTEN)
def test_numbers_of_one_text_are_added_up(written):
    assert audited(three(written, 1.5), ([1], [1, 1])).verdict is Verdict.VIOLATION
    sound = audited(three(written, 3.0), ([1], [1, 1]))
    assert sound.verdict is Verdict.NO_VIOLATION
    # One number alone shows a third.
    assert sound.epsilon_lower > 0.5


def test_a_number_and_a_word_of_one_text_are_taken_together():
    equal = [0, 1, 2] * 5
    result = audited(total_and_winner, (equal, [*equal, 2]))
    assert result.epsilon_lower > 1.2
    assert "the number in the text and its words" in result.explained_pair.cause.words


def winner_exactly(data, rng):
    """Choose a letter with noise, and release its count without any."""
    letter = max("abc", key=lambda x: data.count(x) + rng.laplace())
    return letter, data.count(letter)


def winner_with_noise(data, rng):
    letter, count = winner_exactly(data, rng)
    return letter, count + rng.laplace(0, 0.2)


def test_a_number_that_is_exact_beside_a_word_has_no_noise():
    """It takes two values under each dataset, one of them in both: it was called bounded noise."""
    pair = ["a", "a"], ["a", "a", "a"]
    cause = audited(winner_exactly, pair, 4000).explained_pair.cause
    assert cause.kind is CauseKind.NO_NOISE
    assert "output[1] beside ('a', int) is 2 in every run under D and 3" in cause.words
    assert (
        audited(winner_with_noise, pair, 4000).explained_pair.cause.kind is not CauseKind.NO_NOISE
    )


def test_noise_that_two_numbers_of_one_text_share_is_found():
    result = audited(noise_shared, ([1, 1], [1, 1, 0]))
    assert result.epsilon_lower > 5
    assert "share their noise" in result.explained_pair.cause.words


@pytest.mark.parametrize("release", [three("JSON", 1.0), total_and_winner, noise_shared])
def test_a_rule_says_that_it_reads_notes_and_guesses_nothing_without_them(release):
    """Outputs are read with their notes only where the rule says so: it would be silent else."""
    book, rng = PatternBook(), np.random.default_rng(1)
    a, b = (encode([release(data, rng) for _ in range(4000)], 4000, book) for data in ([0], [0, 0]))
    rule = learn_rule(a, b, Goal(4000, 0.05, 0.0, False), book.words)
    assert rule.noted
    assert np.any(rule.guess(a))
    assert not Rule(CellRatios(None, np.empty(0), np.zeros(1)), NO_CUT).noted
    assert Rule(CellRatios(Noted("words", "length"), np.empty(0), np.zeros(1)), NO_CUT).noted


def ordered(data, rng):
    """Release noisy counts, in the order of the true ones."""
    order = sorted("abc", key=lambda letter: (-data.count(letter), letter))
    return {letter: data.count(letter) + rng.laplace() for letter in order}


def in_noisy_order(data, rng):
    noisy = {letter: data.count(letter) + rng.laplace() for letter in "abc"}
    return dict(sorted(noisy.items(), key=lambda item: -item[1]))


def test_a_search_sees_the_order_of_keys():
    def score(release):
        book, rng = PatternBook(), np.random.default_rng(2)
        sides = [[release(data, rng) for _ in range(500)] for data in ([], ["c"])]
        return rank(*(encode(side, 500, book) for side in sides), Goal(20_000, 0.05, 0.0, False))[0]

    assert score(ordered) > 3
    assert score(in_noisy_order) < 1.5
    asked = {"data": list("abcab"), "domain": list("abc"), "relation": AddOrRemoveOne()}
    result = audit(ordered, epsilon=1.0, samples=5000, arithmetic="ideal", isolate=False, **asked)
    assert "order of the keys" in result.explained_pair.cause.words
    sound = audit(
        in_noisy_order, epsilon=1.0, samples=5000, arithmetic="ideal", isolate=False, **asked
    )
    assert sound.verdict is Verdict.NO_VIOLATION


def rounded_sum(kind):
    """Release a noisy sum in an array, of a type that may follow from the sum."""

    def release(data, rng):
        return np.array(np.round(sum(data) + rng.laplace(0, 20))).astype(kind(sum(data)))

    return release


def test_a_search_sees_the_types_of_arrays_and_which_data_change_them():
    found = []
    for kind in (lambda total: "i4" if total < 100 else "i8", lambda _: "i8"):
        release, book, rng = rounded_sum(kind), PatternBook(), np.random.default_rng(2)
        sides = [[release(data, rng) for _ in range(500)] for data in ([20] * 5, [0] + [20] * 4)]
        goal = Goal(20_000, 0.05, 0.0, False)
        score = rank(*(encode(side, 500, book) for side in sides), goal)[0]
        asked = {"data": [3, 5, 4, 7, 6, 8] * 4, "domain": (0, 20), "relation": ReplaceOne()}
        result = audit(release, epsilon=1.0, samples=30_000, isolate=False, **asked)
        found.append((score > 3, result.verdict))
    assert found == [(True, Verdict.VIOLATION), (False, Verdict.NO_VIOLATION)]
