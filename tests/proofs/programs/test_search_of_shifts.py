"""The search of shifts leaves out what cannot be completed, and nothing else."""

import itertools

import numpy as np
import pytest

from benchmarks.prove_streams import stream
from provado.proofs.programs.alignment.examples import Open, examples, survives
from provado.proofs.programs.alignment.search import assignments, candidates, positions
from tests.proofs.programs.streams import ABOVE
from tests.proofs.programs.test_ranges import CASES
from tests.proofs.programs.written import claim, function

LARGEST = """
def f(q, epsilon):
    best = 0
    at = 0
    for k in range(len(q)):
        noisy = q[k] + laplace(2 / epsilon)
        if k == 0 or noisy > best:
            best = noisy
            at = k
    output(at)
"""
FLAG = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    flag = 0
    for x in q:
        if flag == 0:
            if x + laplace(4 / epsilon) >= level:
                flag = 1
        output("on")
    if flag == 1:
        output("hit")
    else:
        output("none")
"""
STAGES = stream(["above", "above"], again=True)
PROGRAMS = {
    **CASES,
    "above": (ABOVE, "epsilon"),
    "largest": (LARGEST, "epsilon"),
    "flag": (FLAG, "epsilon"),
    "stages": (STAGES.text, STAGES.claim),
}


def all_of_them(one, tests, where):
    """Yield the same by trying everything: no shift is left out because of what others did."""
    options = candidates(one, where)

    def extend(chosen, first):
        def shift(*key):
            return chosen.get(where[key])

        for at in range(first, len(tests)):
            try:
                if not survives(one, None, tests[at], shift):
                    return
            except Open as missing:
                position = where[missing.key]
                for form in options[position]:
                    yield from extend({**chosen, position: form}, at)
                return
        yield chosen

    for chosen in extend({}, 0):
        yield {key: chosen[position] for key, position in where.items() if position in chosen}


@pytest.mark.parametrize(
    ("name", "few"), [*itertools.product(PROGRAMS, (2, 5)), ("flag", 40)], ids=str
)
def test_the_shifts_found_are_those_of_trying_everything(name, few):
    text, epsilon = PROGRAMS[name]
    one = claim(function(text), epsilon)
    for hidden in (False, True):
        where = positions(one, None, hidden=hidden)
        drawn = examples(one, None, np.random.default_rng(few), 240)
        tests = drawn[:: len(drawn) // few]
        found = assignments(one, None, tests, where, most=10**6)
        slow = all_of_them(one, tests, where)
        assert list(itertools.islice(found, 30)) == list(itertools.islice(slow, 30))
