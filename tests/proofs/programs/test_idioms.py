"""Common Python that is written in simpler forms before it is read: it still does what runs."""

import contextlib
import itertools
import random

import pytest

from provado.mechanisms.definitions import UsageError
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.ir import LanguageError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.agreement import agrees
from tests.proofs.programs.written import function

WHILE = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    i = 0
    while i < len(q) and q[i] < 2:
        if q[i] + laplace(4 / epsilon) >= level:
            output("above")
            break
        output(i)
        i += 1
    output(i)
"""
INFINITE = """
def f(q, epsilon):
    place, most = -1, float("-inf")
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if noisy > most:
            place, most = i, noisy
    output(place)
"""
LEAST = INFINITE.replace('"-inf"', '"inf"').replace("noisy > most", "most >= noisy")
NONE = """
def f(q, epsilon):
    best = top = None
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if top is None or noisy > top:
            best = i
            top = noisy
    if top is not None:
        output(top)
    return best
"""
PLACE = """
def f(q, epsilon):
    best = None
    for i, x in enumerate(q):
        if best is None or x + laplace(1) > 1:
            best = i
    return best
"""
OTHER = """
def f(q, epsilon):
    best = None
    for i, x in enumerate(q):
        if x + laplace(1) > 2:
            best = i
    if laplace(1) > 0:
        return -1
    return best
"""
# None and -1 are told apart.
MIXED = """
def f(q, epsilon):
    best = None
    for x in q:
        noisy = x + laplace(2 / epsilon)
        if noisy > 0:
            best = x
    output(best)
    output(best is None)
    return best
"""
HELPERS = """
def f(q, epsilon):
    for x in q:
        output(noisy(x, 1 / epsilon))
        output(draw(3) > noisy(b=2, x=x))

LEVEL = 2

def draw(b, times=1):
    return laplace(times * b)

def noisy(x, b):
    drawn = draw(b, times=LEVEL)
    moved = x + drawn
    return moved
"""
IN_A_ROW = """
def f(q, epsilon):
    low, high = laplace(1) - 1, laplace(1) + 1
    low, high = high - 1, low + 1
    one, one = 3, 4
    one, one = low, one
    output(one)
    for x in q:
        y = x + laplace(1 / epsilon)
        if low <= y < high + 0.5:
            output("in")
            continue
        output("out")
        break
    else:
        output("all")
    for k in range(2):
        if laplace(1) > 0:
            break
    else:
        output(k)
"""
ASSIGNED = """
def f(q, epsilon, count=3):
    epsilon = epsilon / 2
    for x in q:
        if count <= 0:
            break
        count -= 1
        output(x + laplace(1 / epsilon))
    output(count)
"""
NAMED = """
def f(q: list[float], epsilon: float):
    told: list[float] = []
    for x in q:
        if (y := x + laplace(1 / epsilon)) > 1 and y < 3:
            told.append(y)
        elif (z := y + x) > 0:
            told.append(max(0, z + laplace(1)))
        told.append(abs(x - laplace(1)))
    return told
"""
TEXTS = """
def f(q, epsilon):
    state: str = "idle"
    for x in q:
        noisy = x + laplace(1 / epsilon)
        if state == "idle":
            state = "armed" if noisy > 0 else "idle"
            output("idle")
        elif state != "done" and noisy < 0:
            state = "done"
            output(noisy)
        else:
            output("on")
"""
ARRAYS = """
def f(q, epsilon):
    noise = [laplace(1 / epsilon) for x in q]
    for i, x in enumerate(q):
        if x + noise[i] > 1:
            output(i)
        output(noise[i])
"""
ZIPPED = """
def f(q, epsilon):
    data = list(q)
    noisy = [x + laplace(1 / epsilon) for x in q]
    for i, (x, y) in enumerate(zip(data, noisy)):
        output(y)
        output(i if x > y else x > 1)
"""
EVERY = {
    "arrays": ARRAYS,
    "side by side": ZIPPED,
    "while": WHILE,
    "infinite": INFINITE,
    "least": LEAST,
    "None": NONE,
    "None, and answers": MIXED,
    "place": PLACE,
    "place, or -1": OTHER,
    "helpers": HELPERS,
    "in a row": IN_A_ROW,
    "assigned": ASSIGNED,
    "named": NAMED,
    "texts": TEXTS,
}


def compared(text, read):
    """Return how often of 30 runs what is read of one program is what another one does."""
    rng = random.Random(3)
    of = function(text)
    values = {"epsilon": 1.0} | ({"count": 3} if "count=3" in read else {})
    ways = enumerate_paths(read_program(function(read), values))
    runs = [[rng.choice([-1.0, 0.25, 1.0, 3.0]) for _ in range(1 + k % 4)] for k in range(30)]
    return sum(agrees(of, ways, data, seed, epsilon=1.0) for seed, data in enumerate(runs))


@pytest.mark.parametrize("name", EVERY)
def test_what_is_read_is_what_runs(name):
    assert compared(EVERY[name], EVERY[name]) == 30


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (WHILE, ("    output(i)\n", "    output(i - 1)\n")),
        (WHILE, (" and q[i] < 2", "")),
        (INFINITE, ('float("-inf")', "1.0")),
        (LEAST, ('float("inf")', "0.0")),
        (NONE, ("top is None or ", "top is not None and ")),
        (MIXED, ("best is None", "best is not None")),
        (HELPERS, ("x + drawn", "x - drawn")),
        (IN_A_ROW, ("low <= y < high", "high > y < low")),
        (IN_A_ROW, ("high - 1, low + 1", "high - 1, high + 1")),
        (ASSIGNED, ("count -= 1", "count -= 2")),
        (ARRAYS, ("x + noise[i]", "x - noise[i]")),
        (ZIPPED, ("(x, y)", "(y, x)")),
        (NAMED, ("(z := y + x)", "(z := x)")),
        (TEXTS, ('"armed" if', '"done" if')),
        (TEXTS, ('!= "done"', '!= "idle"')),
    ],
)
def test_another_program_does_not_agree(text, change):
    changed = text.replace(*change)
    assert changed != text
    with contextlib.suppress(UsageError):  # Read where it has no number.
        assert compared(text, changed) < 30


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('    state: str = "idle"\n', "    global state\n"),
        ('output("idle")', "output(state + 1)"),
        ('state == "idle"', 'state <= "idle"'),
        ('state = "done"', "state = 2"),
        ('else "idle"', "else state"),
    ],
)
def test_texts_are_numbered_where_they_are_compared_alone(old, new):
    assert old in TEXTS
    with pytest.raises(UsageError):
        read_program(function(TEXTS.replace(old, new)))


REFUSED = {
    "reads q, which is a variable here": "def g(x):\n    return x + q\n",
    "g returns from within a loop": "def g(x):\n    for k in range(2):\n        return 1\n",
    "takes its arguments one by one": "def g(*x):\n    return x\n",
    "g is more than assignments": "def g(x):\n    return g(x)\n",
    "may be read before": "def g(x):\n    return x\n",
}


@pytest.mark.parametrize("rule", REFUSED)
def test_what_would_run_otherwise_is_refused(rule):
    text = "def f(q, epsilon):\n    y = None\n    for x in q:\n"
    text += f"        y = g(x + laplace(1 / epsilon))\n    output(y + 1)\n\n{REFUSED[rule]}"
    with pytest.raises(UsageError, match=rule):
        enumerate_paths(read_program(function(text)))


@pytest.mark.parametrize(
    "read",
    [
        "for k in range(2):\n        for x, z in zip(q, noise):\n            output(x + z)",
        "for i, x in enumerate(q):\n        output(x + noise[i])\n    output(noise[0])",
        "for z, y in zip(noise, noise):\n        output(z - y)",
        "for i, (x, z) in enumerate(zip(q, noise)):\n        output(z - noise[i])",
        "for x in q:\n        output(x + noise[0])",
        "for i, x in enumerate(q):\n        i = 0\n        output(x + noise[i])",
        "for i in range(2):\n        output(q[0] + noise[i])",
    ],
)
def test_an_array_of_noise_is_read_once_in_every_step(read):
    text = f"def f(q, epsilon):\n    noise = [laplace(1) for x in q]\n    {read}\n"
    with pytest.raises(UsageError, match=r"noise is read once|Subscript"):
        read_program(function(text))


@pytest.mark.parametrize("continued", [True, False])
def test_a_while_loop_that_may_not_move_on_is_refused(continued):
    change = ('output("above")\n            break', 'output("above")\n            continue')
    text = WHILE.replace(*change) if continued else WHILE.replace("i += 1", "i += 2")
    with pytest.raises(UsageError, match="while is not in the language"):
        read_program(function(text))


CAPPED = "def f(x: float, epsilon):\n    output({} + laplace(1 / epsilon))\n"
PIECES = {
    "min(x, 30)": 1,
    "max(0, min(x, 100))": 1,
    "abs(x)": 1,
    "max(abs(x), 3)": 1,
    "(2 * x if x > 0 else x)": 2,
    "(x if x < 5 else 10 - x)": 1,
    "(x if x < 5 else x + 1)": 2,
}


@pytest.mark.parametrize("piece", PIECES)
def test_what_is_decided_by_data_alone_has_shifts_of_its_own(piece):
    slope = PIECES[piece]
    one = function(CAPPED.format(piece))
    assert decide(one, epsilon=f"{slope}*epsilon").verdict == "proved"
    less = decide(one, epsilon=f"{slope}*epsilon*99/100")
    assert less.verdict != "proved"
    assert less.verdict == "refuted" or "30" in piece or "else x + 1" in piece


def random_piece(rng, depth=0):
    """Return a function of x by its text: pieces that are chosen by x alone."""
    kinds = ("x", "number") if depth > 2 else ("x", "min", "max", "abs", "if", "times")
    match rng.choice(kinds):
        case "x":
            return f"(x + {rng.randint(-2, 2)})"
        case "number":
            return str(rng.randint(-3, 3))
        case "times":
            return f"{rng.choice([-1, 2])} * {random_piece(rng, depth + 1)}"
        case "abs":
            return f"abs({random_piece(rng, depth + 1)})"
        case "if":
            one, other = (random_piece(rng, depth + 1) for _ in range(2))
            return f"({one} if x {rng.choice(['<', '>='])} {rng.randint(-2, 2)} else {other})"
        case kind:
            one, other = (random_piece(rng, depth + 1) for _ in range(2))
            return f"{kind}({one}, {other})"


def largest_change(piece):
    """Return by how much a piece changes at most where x moves by 1, on a grid of whole numbers."""
    values = [eval(piece, {"x": x, "abs": abs, "min": min, "max": max}) for x in range(-30, 31)]
    return max(abs(b - a) for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_piece_is_proved_at_its_largest_change_and_never_below(seed):
    rng, proved, count = random.Random(seed), 0, 12 if seed == 0 else 120
    for _ in range(count):
        piece = random_piece(rng)
        most = largest_change(piece)
        text = CAPPED.replace("x: float", "x: int").replace("laplace", "discrete_laplace")
        one = function(text.format(piece))
        if most == 0:
            continue
        found = decide(one, epsilon=f"{most}*epsilon", steps=600_000)
        assert found.verdict != "refuted", piece
        proved += found.verdict == "proved"
        less = decide(one, epsilon=f"{most}*epsilon*99/100", steps=600_000)
        assert less.verdict != "proved", piece
    assert proved > count // 2


LARGEST = [
    "return noisy.index(max(noisy))",
    "return max(range(len(noisy)), key=lambda i: noisy[i])",
    "return max(range(len(q)), key=lambda i: noisy[i])",
    "return max(range(len(noisy)), key=noisy.__getitem__)",
    "return max(range(len(q)), key=noisy.__getitem__)",
    "return max(enumerate(noisy), key=lambda pair: pair[1])[0]",
    "return max(enumerate(noisy), key=lambda noisy: noisy[1])[0]",
    "best, _ = max(enumerate(noisy), key=lambda pair: pair[1])\n    return best",
    "best, largest = max(enumerate(noisy), key=lambda pair: pair[1])\n    return best",
]
ELSE = [
    "return max(range(len(noisy)), key=lambda noisy: noisy[noisy])",
    "return max(range(len(noisy)), key=lambda i: noisy[i], default=3)",
    "return max(range(len(noisy)), key=lambda i: -noisy[i])",
    "return max(enumerate(noisy), key=lambda pair: pair[0])[0]",
    "return max(enumerate(noisy), key=lambda pair: pair[1])[1]",
    "return q.index(max(noisy))",
    "best, largest = max(enumerate(noisy), key=lambda pair: pair[1])\n    return largest",
]


def of_noisy_max(line):
    head = "from provado.mechanisms.programs import argmax, laplace\n\n\n"
    noisy = "    noisy = [x + laplace(2 / epsilon) for x in q]\n"
    return read_program(function(f"{head}def f(q, epsilon):\n{noisy}    {line}\n"))


@pytest.mark.parametrize("line", LARGEST)
def test_the_place_of_a_maximum_is_read_alike_however_it_is_asked_for(line):
    assert enumerate_paths(of_noisy_max(line)).of == enumerate_paths(of_noisy_max(LARGEST[0])).of


@pytest.mark.parametrize("line", ELSE)
def test_what_asks_for_something_else_is_refused(line):
    with pytest.raises(LanguageError):
        of_noisy_max(line)
