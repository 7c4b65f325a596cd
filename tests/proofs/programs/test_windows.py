"""Loops over a part of the answers, and over neighboring ones, are read as loops over all."""

import pytest

from provado.proofs.programs.alignment.prove import Failure, Proof, prove
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read import windows
from provado.proofs.programs.read.ir import LanguageError
from tests.proofs.programs.written import claim, function

ABOVE = """
import itertools
import numpy as np
def f(q, epsilon):
    level = laplace({first} / epsilon)
    for {loop}:
        if {value} + laplace({each} / epsilon) >= level:
            output("above")
            break
        output({told})
"""
PARTS = {
    "from the second on": ("x in q[1:]", "x", "0"),
    "the first four": ("x in q[:4]", "x", "0"),
    "some in the middle": ("x in q[1:4]", "x", "0"),
    "from the third on, with its position": ("i, x in enumerate(q[2:])", "x", "i"),
    "from the third on, counted from five": ("i, x in enumerate(q[2:], start=5)", "x", "i"),
    "positions from two on": ("i in range(2, len(q))", "q[i]", "i"),
}
PAIRS = {
    "pairs of a zip": ("a, b in zip(q, q[1:])", "b - a", "0"),
    "pairs of a zip without the last": ("a, b in zip(q[:-1], q[1:])", "b - a", "0"),
    "pairs": ("a, b in itertools.pairwise(q)", "b - a", "0"),
    "pairs with their position": ("i, (a, b) in enumerate(zip(q, q[1:]), 1)", "b - a", "i"),
    "differences": ("d in np.diff(q)", "d", "0"),
    "the answer before": ("i in range(1, len(q))", "q[i] - q[i - 1]", "i"),
}
EACH = [(name, PARTS[name], 1) for name in PARTS] + [(name, PAIRS[name], 2) for name in PAIRS]


def above(how, times):
    """Return the program with so many times the noise that one answer needs."""
    loop, value, told = how
    return function(
        ABOVE.format(loop=loop, value=value, told=told, first=2 * times, each=4 * times)
    )


@pytest.mark.parametrize(("how", "width"), [(h, w) for _, h, w in EACH], ids=[n for n, *_ in EACH])
def test_a_part_of_the_answers_is_proved_with_enough_noise_only(how, width):
    found = decide(above(how, width), steps=600_000)
    assert found.verdict is ProgramVerdict.PROVED
    # A difference of two answers moves twice as far as one of them.
    assert isinstance(prove(claim(above(how, width / 2)), steps=300_000), Failure)


COUNT = """
def f(q, epsilon):
    {before}
    for {loop}:
        {step}
    {after}
"""
RELEASES = {
    "two of them, two outputs": ("x in q[:2]", "output(x + laplace(2 / epsilon))", "", True),
    "three of them": ("x in q[:3]", "output(x + laplace(2 / epsilon))", "", False),
    "the last of two": ("x in q[:2]", "pass", "output(x + laplace(1 / epsilon))", True),
    "the last of two, and another": (
        "x in q[:2]",
        "pass",
        "output(x + q[2] + laplace(1 / epsilon))",
        False,
    ),
    "the last position": ("i, x in enumerate(q[2:], 5)", "pass", "output(i)", True),
    "a position that is assigned to": ("i in range(len(q))", "i = i + 2", "output(i)", True),
    "one that tells of an answer": (
        "i, x in enumerate(q)",
        "i = 7 if x > 0 else i",
        "output(i)",
        False,
    ),
    "one that an inner loop takes": (
        "i in range(len(q))",
        "for i in range(2): output(i)",
        "",
        True,
    ),
}


@pytest.mark.parametrize("name", RELEASES)
def test_what_stays_after_the_loop_is_that_of_its_last_step(name):
    loop, step, after, private = RELEASES[name]
    text = COUNT.format(before="x = i = 0", loop=loop, step=step, after=after or "pass")
    found = decide(function(text))
    assert (found.verdict is ProgramVerdict.PROVED) is private, found.reason
    assert found.verdict is not ProgramVerdict.UNDECIDED


@pytest.mark.parametrize(
    "loop",
    [
        *("x in q[::2]", "x in q[-2:]", "x in q[:-1]", "x in q[epsilon:]"),
        *("a, b in zip(q, q[2:])", "a, b in zip(q[1:], q)", "a, b in zip(q, q[1:], strict=True)"),
        *("a, a in zip(q, q[1:])", "i in range(1, len(q), 2)", "i in range(-1, len(q))"),
        "i in range(1, len(x))",
    ],
)
def test_other_parts_are_refused(loop):
    text = COUNT.format(before="x = q[0]", loop=loop, step="pass", after="output(1)")
    with pytest.raises(LanguageError, match=r"a loop is over q, enumerate|the length is"):
        decide(function(text))


@pytest.mark.parametrize(
    ("loop", "step"),
    [
        ("i in range(len(q))", "output(q[i] - q[i - 1])"),
        ("i in range(1, len(q))", "output(q[i] - q[i - 2])"),
        ("i, x in enumerate(q[1:])", "output(x - q[i - 1])"),
        ("i in range(1, len(q))", "i = i - 1; output(q[i - 1])"),
    ],
)
def test_another_answer_than_the_one_before_is_refused(loop, step):
    with pytest.raises(LanguageError, match=r"q\[k\] takes the loop's own position"):
        decide(function(COUNT.format(before="pass", loop=loop, step=step, after="pass")))


def test_an_else_after_a_part_is_refused_unless_the_loop_goes_to_the_end():
    text = "def f(q, epsilon):\n    for x in q[{}]:\n        pass\n    else:\n        output(1)\n"
    with pytest.raises(LanguageError, match="a loop is over q"):
        decide(function(text.format(":2")))
    assert decide(function(text.format("1:"))).verdict is ProgramVerdict.PROVED


@pytest.mark.parametrize("name", ["the first four", "pairs of a zip", "from the second on"])
def test_a_step_that_is_read_too_many_is_found_by_running_the_function(name, monkeypatch):
    right = windows._if

    def never(left, op, right_, then):
        made = right(left, op, right_, then)
        made.test.comparators[0].value = 10**5 * (type(then).__name__ == "Break")
        return made

    how, width = {n: (h, w) for n, h, w in EACH}[name]
    assert isinstance(prove(claim(above(how, width))), Proof)
    monkeypatch.setattr(windows, "_if", never)
    found = decide(above(how, width), steps=600_000)
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "does not do what was read of it" in found.reason
