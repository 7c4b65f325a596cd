"""Lists that are returned side by side: proved by the order in which they grew, refuted without."""

import pytest

from provado.proofs.programs import agreement
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.ir import LanguageError
from provado.proofs.programs.read.path import Paths
from tests.proofs.programs.written import function

SPARSE = """
def f(q, epsilon):
    above, values = [], []
    level = laplace(4 / epsilon)
    for x in q:
        if x + laplace(8 / epsilon) >= level:
            above.append({yes})
            values.append(x + laplace({scale} / epsilon))
            break
        above.append({no})
    return {end}
"""
PLACES = """
def f(q, epsilon):
    places = []
    values = []
    level = laplace(4 / epsilon)
    for i, x in enumerate(q):
        if x + laplace(16 / epsilon) >= level:
            places += [i]
            values.append(x + laplace({scale} / epsilon))
            if len(values) == 2:
                return places, values
    return places, values
"""
ENDS = ("above, values", "{'above': above, 'values': values}", "[values, above]")
SHOWN = {
    **{end: SPARSE.format(yes=True, no=False, scale="SCALE", end=end) for end in ENDS},
    "how long it is": SPARSE.format(yes="'on'", no="len(above)", scale="SCALE", end=ENDS[0]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_sparse_vector_is_proved_with_enough_noise_only(name):
    assert decide(function(SHOWN[name].replace("SCALE", "2"))).verdict is ProgramVerdict.PROVED
    assert decide(function(SHOWN[name].replace("SCALE", "1"))).verdict is ProgramVerdict.REFUTED


def test_numbers_that_always_come_in_the_same_turn_are_shown():
    assert decide(function(PLACES.format(scale=4))).verdict is ProgramVerdict.PROVED
    assert decide(function(PLACES.format(scale=2))).verdict is ProgramVerdict.REFUTED


ORDER = """
def f(q, epsilon):
    a, b = [], []
    if q[0] > 0:
        a.append({one})
        b.append({two})
    else:
        b.append({two})
        a.append({one})
    return a, b
"""
ENDINGS = """
def f(q, epsilon):
    a, b = [], []
    for x in q:
        if x + laplace(1 / epsilon) >= 0:
            a.append({one})
        else:
            b.append({two})
    return a, b
"""


@pytest.mark.parametrize("text", [ORDER, ENDINGS], ids=["the same lists", "lengths alone"])
def test_an_order_that_the_lists_do_not_show_refutes_nothing(text, monkeypatch):
    found = decide(function(text.format(one=1, two=2)), steps=300_000)
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "do not show in which order they grew" in found.reason
    # Broken twin: of the first one the two lists are the same whatever the data are.
    monkeypatch.setattr(Paths, "is_all_shown", True)
    refuted = decide(function(text.format(one=1, two=2)), steps=300_000)
    assert refuted.verdict is ProgramVerdict.REFUTED


def test_with_finite_data_an_order_that_is_not_shown_decides_nothing():
    text = ORDER.format(one=1, two=2)
    found = decide(function(text), epsilon=1, domain=[0, 1], parameters={"epsilon": 1})
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "do not show in which order they grew" in found.reason


TWO = """
def f(q, epsilon):
    a, b = [], []
    for x in q:
        if x + laplace(1 / epsilon) >= 0:
            a.append({one})
            b.append({other})
        else:
            {first}.append({two})
    return a, b
"""


@pytest.mark.parametrize(
    ("one", "two", "first", "shown"),
    [
        ("1", "2", "a", True),
        ("1", "1", "a", False),
        ("1", "'off'", "a", True),
        ("x + laplace(1)", "'off'", "a", True),
        ("x + laplace(1)", "2", "a", False),
        ("1", "2", "b", True),
        ("1", "3", "b", False),
    ],
)
def test_what_parts_two_ways_is_a_value_of_the_same_list(one, two, first, shown):
    text = TWO.format(one=one, two=two, first=first, other=3)
    # At the end both lists end.
    found = decide(function(text), steps=200_000)
    assert ("do not show" in found.reason) is not shown, found.reason


def test_lists_that_are_read_in_another_turn_are_found_by_running_the_function(monkeypatch):
    monkeypatch.setattr(agreement, "mark", lambda name: f"to {name[::-1]}")
    text = "def f(q, epsilon):\n    ab, ba = [], []\n"
    text += "    ab.append(1)\n    ba.append(2)\n    return ab, ba\n"
    found = decide(function(text))
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "does not do what was read of it" in found.reason


@pytest.mark.parametrize(
    "change",
    [
        ("return above, values", "return above, values, 1"),
        ("return above, values", "return above, above"),
        ("            break\n", "            return values, above\n"),
        ("            break\n", "            values.pop()\n"),
        ("            break\n", "            values = []\n"),
        ("            break\n", "            above.append(values)\n"),
    ],
    ids=lambda change: change[1].strip(),
)
def test_other_uses_of_two_lists_are_refused(change):
    text = SHOWN[ENDS[0]].replace("SCALE", "2")
    assert change[0] in text
    with pytest.raises(LanguageError, match="line"):
        decide(function(text.replace(*change)))
