"""Small mechanisms with one flaw each, whose cause is known; data are a list of numbers.

The claim is ε = 1 for each of them, on the datasets ``D`` and ``D_PRIME``. ``FIXED`` has some of
them with the usual fix of their cause.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from provado.audit.events.cause import Cause, CauseKind

D, D_PRIME = [0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0, 1.0]


@dataclass(frozen=True)
class Flawed:
    """A mechanism, the kind of its cause, and what the sentence about it must and must not say.

    says: in each place one of some words, between which there is an ``or``.
    """

    call: Callable[..., Any]
    kind: CauseKind
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def names(self, cause: Cause) -> bool:
        """Tell whether a cause is this one, in kind and in words."""
        said = all(any(one in cause.words for one in words.split(" or ")) for words in self.says)
        unsaid = not any(words in cause.words for words in self.never)
        return cause.kind in (self.kind, CauseKind.RARE) and said and unsaid


FLAWED: dict[str, Flawed] = {}


def flawed(kind: CauseKind, *says: str, never: tuple[str, ...] = ()) -> Callable[..., Any]:
    """Register a mechanism under its own name."""

    def register(call: Callable[..., Any]) -> Callable[..., Any]:
        FLAWED[call.__name__] = Flawed(call, kind, says, never)
        return call

    return register


@flawed(CauseKind.SHIFT, "moves output by about")
def noise_too_small(data, *, size, rng):
    return sum(data) + rng.laplace(scale=0.4, size=size)


@flawed(CauseKind.SHIFT, "moves output[1] by about", never=("output[0]",))
def one_number_of_three(data, *, size, rng):
    noise = rng.laplace(scale=1.0, size=(size, 3)) * [4.0, 0.4, 4.0]
    return np.array([len(data), sum(data), len(data)]) + noise


@flawed(CauseKind.SHIFT, "moves output['total'] by about")
def one_number_of_a_dictionary(data, rng):
    return {"n": len(data) + rng.laplace(scale=5.0), "total": sum(data) + rng.laplace(scale=0.4)}


@flawed(CauseKind.SHIFT, "moves output by about")
def whole_numbers(data, *, size, rng):
    p = 1 - math.exp(-2.0)
    return int(sum(data)) + rng.geometric(p, size) - rng.geometric(p, size)


@flawed(CauseKind.SCALE, "another scale")
def scale_by_the_data(data, *, size, rng):
    return rng.laplace(scale=1.0 if len(data) == 4 else 8.0, size=size)


@flawed(
    CauseKind.NO_NOISE, "There is no noise: output[0] is 4 in every run under D and 5 in every run"
)
def exact_size_beside_noise(data, *, size, rng):
    return np.column_stack([np.full(size, len(data)), sum(data) + rng.laplace(size=size)])


@flawed(CauseKind.NO_NOISE, "There is no noise: output is 2 in")
def exact_sum(data, rng):
    return float(sum(data))


@flawed(CauseKind.NO_NOISE, "There is no noise: the output is '2.00' in")
def exact_text(data, rng):
    return f"{sum(data):.2f}"


@flawed(CauseKind.NO_NOISE, "There is no noise: output['n'] is 4 in")
def exact_size_in_a_dictionary(data, rng):
    return {"n": len(data), "total": sum(data) + rng.laplace()}


@flawed(CauseKind.NO_NOISE, "output is 0 in every run under D", "no noise is seen there")
def nothing_below_five(data, *, size, rng):
    noise = rng.laplace(scale=10.0, size=size)
    return np.zeros(size) if len(data) < 5 else np.maximum(len(data) + noise, 0)


@flawed(CauseKind.SUPPORT, "The value 0 of output occurs under one dataset")
def answers_zero_for_most_small_data(data, *, size, rng):
    noisy = sum(data) + rng.laplace(scale=2.0, size=size)
    return np.where(rng.random(size) < (0.5 if len(data) < 5 else 0.01), 0.0, noisy)


@flawed(CauseKind.SUPPORT, "output is never below", "bounded", never=("moves output", "spread"))
def noise_is_never_negative(data, *, size, rng):
    return sum(data) + np.abs(rng.laplace(scale=2.0, size=size))


@flawed(CauseKind.SUPPORT, "output is never above", never=("moves output", "spread"))
def noise_is_cut_off(data, *, size, rng):
    return len(data) + np.round(np.minimum(rng.laplace(scale=2.0, size=size), 3), 1)


@flawed(CauseKind.SHAPE, "The distribution of output", never=("moves", "spread"))
def response_is_seldom_changed(data, *, size, rng):
    return np.where(rng.random(size) < 0.9, len(data) - 4, 5 - len(data)).astype(float)


@flawed(CauseKind.SEVERAL, "output['a'], output['b']", never=("Which text",))
def answers_that_share_no_budget(data, rng):
    return {key: bool(rng.random() < (0.3 if len(data) == 4 else 0.7)) for key in "abcdef"}


@flawed(CauseKind.NO_NOISE, "There is no noise: output[1] is False in every run under D and True")
def exact_answer_beside_noisy_ones(data, rng):
    return [bool(rng.random() < 0.5), len(data) > 4, float(rng.laplace())]


@flawed(
    CauseKind.NO_NOISE,
    "There is no noise: the output, but for its numbers, is 'few, about …' in every run under D",
)
def exact_word_beside_a_noisy_number(data, rng):
    return f"{'few' if len(data) == 4 else 'many'}, about {rng.laplace():.1f}"


@flawed(CauseKind.SHARED, "output[0] and output[1] share their noise", never=("scale", "moves"))
def one_noise_for_two_numbers(data, *, size, rng):
    noise = rng.laplace(size=(size, 1))
    return np.array([sum(data), data.count(0.0)]) + noise


@flawed(CauseKind.SHARED, "share their noise", "output[2]")
def one_noise_in_three_of_four(data, *, size, rng):
    z = rng.laplace(scale=4.0, size=(size, 4))
    return np.column_stack([z[:, 0], z[:, 1], sum(data) + z[:, 1] + 2 * z[:, 2], 7 + z[:, 2]])


@flawed(CauseKind.SHARED, "share their noise")
def noise_added_and_subtracted(data, rng):
    z = rng.normal(scale=4.0)
    return {"sum": sum(data) + z, "rest": 10 - z}


@flawed(CauseKind.SEVERAL, "output[0]", "output[1]", "output[2]", "output[3]", never=("moves",))
def four_numbers_each_within_the_claim(data, *, size, rng):
    return sum(data) + rng.laplace(size=(size, 4))


@flawed(CauseKind.SEVERAL, "output[1]", "output[3]", never=("output[0]", "output[2]", "output[4]"))
def two_numbers_of_six(data, *, size, rng):
    return sum(data) * np.array([0, 1, 0, 1, 0, 0]) + rng.laplace(size=(size, 6))


@flawed(CauseKind.SEVERAL, " parts, first")
def twelve_numbers(data, *, size, rng):
    return sum(data) + rng.laplace(scale=3.0, size=(size, 12))


@flawed(CauseKind.SEVERAL, "output['a']", "output['b']")
def two_answers_with_one_budget_each(data, rng):
    return {"a": sum(data) + rng.laplace(), "b": len(data) + rng.laplace()}


@flawed(CauseKind.SEVERAL, "the output is (", "(0, ")
def two_bits_of_which_only_their_relation_speaks(data, *, size, rng):
    first = rng.integers(0, 2, size)
    return np.column_stack([first, first ^ (rng.random(size) < (0.1 if len(data) == 4 else 0.9))])


@flawed(CauseKind.ORDER, "order", never=("How many", "Which keys"))
def keys_in_the_order_of_the_data(data, rng):
    names = ["b", "a"] if sum(data) > 2.5 else ["a", "b"]
    return {name: rng.laplace() for name in names}


@flawed(CauseKind.ORDER, "order", never=("How many", "Which keys"))
def words_in_the_order_of_the_data(data, rng):
    names = ["x", "y", "z"]
    return names[::-1] if rng.random() < (0.1 if len(data) == 4 else 0.9) else names


@flawed(CauseKind.CHOICE, "output[1] depends on the data", never=("keys", "returns"))
def a_word_in_its_place(data, rng):
    truth = ["x", "y" if len(data) == 4 else "x", "z"]
    return [word if rng.random() < 0.9 else "xyz"[rng.integers(3)] for word in truth]


@flawed(CauseKind.NO_NOISE, "put in order, is (0, 1, 1) in every run", never=("share",))
def numbers_shuffled(data, rng):
    return rng.permutation([0.0, 1.0, 1.0 if len(data) == 4 else 0.0]).tolist()


@flawed(CauseKind.SHAPE, "distribution of output depends", never=("scale",))
def added_to_half_of_the_outputs(data, *, size, rng):
    return len(data) * (rng.random(size) < 0.5) + rng.laplace(scale=0.2, size=size)


@flawed(CauseKind.ORDER, "order")
def a_permutation(data, *, size, rng):
    noisy = np.array([0.0, 3.0, sum(data)]) + rng.laplace(scale=0.2, size=(size, 3))
    return np.argsort(noisy, axis=1)


@flawed(CauseKind.LENGTH, "How many values", never=("." * 3,))
def as_many_numbers_as_records(data, rng):
    return (np.array(data) + rng.laplace(size=len(data))).tolist()


@flawed(CauseKind.KEYS, "Whether it returns 'late'")
def a_key_for_what_is_there(data, rng):
    names = ["early", "late"] if len(data) > 4 else ["early"]
    return {name: rng.laplace() for name in names}


@flawed(CauseKind.KEYS, "Whether it returns 'late'")
def a_list_of_names(data, rng):
    return ["early", "late"] if len(data) > 4 and rng.random() < 0.6 else ["early"]


@flawed(CauseKind.TYPE, "The type of what it returns", "None")
def none_for_small_data(data, rng):
    return (
        None if rng.random() < (0.5 if len(data) < 5 else 0.01) else (rng.laplace(), rng.normal())
    )


@flawed(CauseKind.TYPE, "The type of what it returns", "int, float", never=("0.",))
def another_structure(data, rng):
    noise = float(rng.laplace())
    answer = (int(rng.integers(100)), noise)
    return answer if rng.random() < (0.5 if len(data) < 5 else 0.02) else [noise, 0.5]


@flawed(CauseKind.CHOICE, "Which text or value it returns", "True or False")
def true_or_false(data, rng):
    return bool(rng.random() < (0.1 if len(data) == 4 else 0.9))


@flawed(CauseKind.EXCEPTION, "Whether it raises an exception")
def raises_for_many(data, rng):
    if len(data) > 4 and rng.random() < 0.5:
        raise ValueError(f"too many: {rng.random()}")
    return float(rng.laplace())


@flawed(CauseKind.EXCEPTION, "Whether it raises an exception")
def raises_other_texts(data, rng):
    if len(data) > 4:
        raise KeyError("".join(rng.choice(list("abcdefgh"), 4)))
    return 1.0


@flawed(CauseKind.LENGTH, "The length of the text it returns", "character", never=("b'",))
def as_many_bytes_as_records(data, rng):
    return bytes(rng.integers(0, 256, len(data) - 4, dtype=np.uint8))


@flawed(CauseKind.TYPE, "The type of an array depends on the data", "int32", "int64")
def a_type_that_holds_the_sum(data, rng):
    return np.round(rng.laplace(scale=9.0, size=1)).astype("i4" if len(data) == 4 else "i8")


@flawed(CauseKind.NAN, "nan in 0 of ", never=("number in",))
def nan_for_many(data, *, size, rng):
    found = rng.laplace(size=size)
    return np.where(rng.random(size) < (0.5 if len(data) > 4 else 0.0), np.nan, found)


@flawed(CauseKind.SHAPE, "output", never=("moves",))
def a_large_number_now_and_then(data, *, size, rng):
    often = 0.2 if len(data) > 4 else 0.002
    noisy = sum(data) + rng.laplace(scale=2.0, size=size)
    return np.where(rng.random(size) < often, 100 + 10 * rng.random(size), noisy)


@flawed(CauseKind.SEVERAL, "the structure of the output", "output['b']")
def a_key_and_a_number(data, rng):
    some = len(data) == 4
    found = {"b": len(data) + rng.laplace(scale=0.9)}
    return found | ({"z": 1.0} if rng.random() < (0.25 if some else 0.75) else {})


@flawed(CauseKind.SEVERAL, "output[1] − output[0] or of the output")
def a_correlated_pair(data, *, size, rng):
    z = rng.normal(size=size)
    sign = 1 if len(data) == 4 else -1
    return np.column_stack([z, sign * z + 0.3 * rng.normal(size=size)])


@flawed(CauseKind.SHAPE, "output", never=("moves", "scale"))
def two_peaks(data, *, size, rng):
    peaks = rng.choice([-3.0, 3.0] if len(data) == 4 else [0.0], size)
    return peaks + rng.normal(scale=0.7, size=size)


@flawed(CauseKind.SHIFT, "moves the number in the text by about")
def a_noisy_number_as_text(data, rng):
    return f"{sum(data) + rng.laplace(scale=0.4):.1f}"


@flawed(CauseKind.SHIFT, "The record moves the number in the text by about")
def a_sentence_about_a_noisy_number(data, rng):
    return f"total: {sum(data) + rng.laplace(scale=0.4):.4f} or so"


@flawed(
    CauseKind.NO_NOISE,
    "There is no noise: number 1 of the text is 4 in every run",
    never=("moves",),
)
def an_exact_size_in_text(data, rng):
    return f"of {len(data)} records: {sum(data) + rng.laplace():.3f}"


@flawed(CauseKind.SHIFT, "moves output by about")
def clipped_below(data, *, size, rng):
    return np.maximum(len(data) - 4 + rng.laplace(scale=0.4, size=size), 0)


@flawed(CauseKind.SHIFT, "moves output by about")
def clipped_above(data, *, size, rng):
    return np.clip(sum(data) + rng.laplace(scale=0.4, size=size), 0, 3)


@flawed(CauseKind.SEVERAL, "output[4]", "output[5]", "output[6]", never=("output[0]", "output[3]"))
def bits_of_one_record(data, *, size, rng):
    more = len(data) > 4
    return np.array([0, 1, 0, 1, more, more, more]) ^ (rng.random((size, 7)) < 0.3)


@flawed(CauseKind.NO_NOISE, "There is no noise: output is ")
def a_fixed_seed(data):
    return sum(data) + np.random.default_rng(0).laplace()


@flawed(
    CauseKind.KEYS, "Whether it returns 'late'", "{'early': float, 'late': float}", never=("Arrow",)
)
def groups_of_a_series(data, rng):
    names = ["early", "late"] if len(data) > 4 else ["early"]
    return pd.Series({name: rng.laplace() for name in names})


FIXED: dict[str, Callable[..., Any]] = {
    "noise_too_small": lambda data, *, size, rng: sum(data) + rng.laplace(size=size),
    "scale_by_the_data": lambda data, *, size, rng: sum(data) + rng.laplace(size=size),
    "exact_sum": lambda data, rng: float(sum(data)) + rng.laplace(),
    "exact_text": lambda data, rng: f"{sum(data) + rng.laplace():.2f}",
    "exact_size_beside_noise": lambda data, *, size, rng: (
        np.array([len(data), sum(data)]) + rng.laplace(scale=2.0, size=(size, 2))
    ),
    "nothing_below_five": lambda data, *, size, rng: np.maximum(
        len(data) + rng.laplace(size=size), 0
    ),
    "one_noise_for_two_numbers": lambda data, *, size, rng: (
        np.array([sum(data), data.count(0.0)]) + rng.laplace(size=(size, 2))
    ),
    "four_numbers_each_within_the_claim": lambda data, *, size, rng: (
        sum(data) + rng.laplace(scale=4.0, size=(size, 4))
    ),
    "keys_in_the_order_of_the_data": lambda data, rng: {name: rng.laplace() for name in "ab"},
    "words_in_the_order_of_the_data": lambda data, rng: rng.permutation(["x", "y", "z"]).tolist(),
    "a_word_in_its_place": lambda data, rng: [
        one if rng.random() < math.e / (2 + math.e) else "xyz".replace(one, "")[rng.integers(2)]
        for one in ("x", "y" if len(data) == 4 else "x", "z")
    ],
    "numbers_shuffled": lambda data, rng: rng.permutation([0.0, 1.0, 1.0]).tolist(),
    "a_permutation": lambda data, *, size, rng: np.argsort(
        np.array([0.0, 3.0, sum(data)]) + rng.laplace(size=(size, 3)), axis=1
    ),
    "a_key_for_what_is_there": lambda data, rng: {
        "early": 4 + rng.laplace(),
        "late": len(data) - 4 + rng.laplace(),
    },
    "as_many_numbers_as_records": lambda data, rng: rng.laplace(size=8).tolist(),
    "true_or_false": lambda data, rng: bool(rng.random() < (0.3 if len(data) == 4 else 0.7)),
    "raises_for_many": lambda data, rng: float(min(len(data), 9) + rng.laplace()),
    "nan_for_many": lambda data, *, size, rng: np.full(size, len(data)) + rng.laplace(size=size),
}
