"""Streams for tests: private ones with their ε, versions that are not, and such as leak.

Each program reads answers that move by at most 1 and compares them with noise. The least ε of a
private one is the cost of the alignment that its comment states, and is approached by long streams
whose threshold lies far out; where ``tight`` is set, each noise scale is needed in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Unseen:
    """A program with a claim on it; ``tight``: no scale may be smaller."""

    name: str
    text: str
    claim: str = "epsilon"
    neighbors: str = "all"
    tight: bool = False


def _changed(
    name: str, text: str, *changes: tuple[str, str], claim: str = "epsilon", neighbors: str = "all"
) -> Unseen:
    for old, new in changes:
        assert old in text, (name, old)
        text = text.replace(old, new)
    return Unseen(name, text, claim, neighbors)


ABOVE = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy >= level:
            output("above")
            break
        output("on")
"""
GAP = ABOVE.replace('output("above")', "output(noisy - level)")
# The gap stays: the level rises by 1, the last noise by at most 2.
NUMBER = ABOVE.replace('output("above")', "output(x + laplace(4 / epsilon))")
DATA_LEVEL = ABOVE.replace("level = ", "level = q[0] + ")
EXPONENTIAL = ABOVE.replace("laplace", "exponential")
BELOW = ABOVE.replace(">=", "<")
PAIR = ABOVE.replace("            break\n        ", "        else:\n            ")
LEAKING = ABOVE + "        level = noisy\n"
LAST_FIRST = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy < level:
            output("on")
        else:
            output("above")
            output(x + laplace(4 / epsilon))
            break
"""
TWICE = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + laplace(8 / epsilon) >= level:
            output("above")
            count += 1
        else:
            output("on")
        if count >= 2:
            break
"""
DOWN = TWICE.replace("count = 0", "left = 5").replace("count += 1", "left -= 1")
DOWN = DOWN.replace("count >= 2", "left <= 0")
HYSTERESIS = """
def f(q, epsilon):
    high = laplace(4 / epsilon)
    low = laplace(4 / epsilon)
    state = 0
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if state == 0:
            if noisy >= high:
                output("rise")
                state = 1
            else:
                output("off")
        else:
            if noisy < low:
                output("fall")
                break
            output("on")
"""
# high + 1, low − 1, and 2 for each of the two that decide.
CYCLES = """
def f(q, epsilon):
    high = laplace(4 / epsilon)
    low = laplace(4 / epsilon)
    state = 0
    left = 2
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if state == 0:
            if noisy >= high:
                output("rise")
                state = 1
            else:
                output("off")
        else:
            if noisy < low:
                output("fall")
                state = 0
                left = left - 1
                if left <= 0:
                    break
            else:
                output("on")
"""
# A rise bounds high from above and the falls' own noise decides: high + 1, low − 1, four that
# decide, each 2.
REUSED = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    stage = 0
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy >= level:
            output("above")
            if stage == 1:
                break
            stage = 1
            level = noisy
        else:
            output("on")
"""
# The level rises by 1, and so does the number that takes its place.
REFRESHED = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    stage = 0
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy >= level:
            output("above")
            if stage == 1:
                break
            stage = 1
            level = laplace(2 / epsilon)
        else:
            output("on")
"""
RANGE = """
def f(q, epsilon):
    low = laplace(4 / epsilon) - 3
    high = laplace(4 / epsilon) + 3
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy < low:
            output("below")
            break
        if noisy >= high:
            output("above")
            break
        output("inside")
"""
RANGE_GAP = RANGE.replace('output("below")', "output(low - noisy)").replace(
    'output("above")', "output(noisy - high)"
)
RISING = """
def f(q, epsilon):
    low = laplace(4 / epsilon)
    high = laplace(4 / epsilon)
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy < low or noisy >= high:
            output("outside")
            break
        output("on")
        low = noisy
"""
OWN_NOISE = """
def f(q, epsilon):
    low = laplace(4 / epsilon)
    high = laplace(4 / epsilon)
    for x in q:
        if x + laplace(4 / epsilon) < low:
            output("below")
            break
        if x + laplace(4 / epsilon) >= high:
            output("above")
            break
        output("inside")
"""
# As a range: of the noise that did not decide nothing is shifted.
FIRST_TWO = """
def f(q, epsilon):
    count = 0
    for x in q:
        if count < 2:
            output(x + laplace(2 / epsilon))
            count += 1
        else:
            output(0)
"""
THEN_ALL = """
def f(q, epsilon):
    level = laplace(4 / epsilon)
    for x in q:
        if x + laplace(8 / epsilon) >= level:
            output("above")
            break
        output("on")
    output(q[0] + laplace(2 / epsilon))
"""
CAPPED = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    left = 2
    for x in q:
        if x + laplace(8 / epsilon) >= level:
            output(x + laplace(4 / epsilon))
            left = left - 1
            if left <= 0:
                break
        else:
            output("on")
"""
PAIRED = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    other = laplace(2 / epsilon)
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            output("first")
            break
        if x + laplace(4 / epsilon) >= other:
            output("second")
            break
        output("on")
"""
# Both levels rise by 1; one number decides.
WINDOW = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    before = 0.0
    for x in q:
        if x - before + laplace(8 / epsilon) >= level:
            output("jump")
            break
        output("on")
        before = x
"""
# A difference moves by 2: the level rises by 2, the number that decides by 4.
DRIFT = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    for i, x in enumerate(q):
        if x + laplace(4 / epsilon) >= level + i:
            output("above")
            break
        output("on")
"""
COIN = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    for x in q:
        if bernoulli(1 / 2):
            output("skipped")
        elif x + laplace(4 / epsilon) >= level:
            output("above")
            break
        else:
            output("on")
"""
SILENT = (
    ABOVE.replace('        output("on")\n', "")
    .replace('output("above")', "output(i)")
    .replace("for x in", "for i, x in enumerate(")
    .replace("q:\n", "q):\n")
)
MAXIMUM = """
def f(q, epsilon):
    best = 0
    top = 0.0
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if i == 0 or noisy > top:
            best = i
            top = noisy
    output(best)
"""
WHOLE = ABOVE.replace("(q,", "(q: list[int],").replace("laplace", "discrete_laplace")
DEFERRED = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    stage = 0
    for x in q:
        if stage == 0:
            if x + laplace(4 / epsilon) >= level:
                output("above")
                stage = 1
            else:
                output("on")
        elif stage == 1:
            output(x + laplace(2 / epsilon))
            stage = 2
        else:
            output("done")
"""
RESTART = """
def f(q, epsilon):
    low = laplace(4 / epsilon)
    high = laplace(4 / epsilon)
    stage = 0
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy < low or noisy >= high:
            output("outside")
            if stage == 1:
                break
            stage = 1
            low = laplace(4 / epsilon)
            high = laplace(4 / epsilon)
        else:
            output("inside")
"""
THREE = """
def f(q, epsilon):
    low = laplace(4 / epsilon)
    middle = 10 + laplace(4 / epsilon)
    high = 20 + laplace(4 / epsilon)
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy >= high:
            output("high")
            break
        elif noisy >= middle:
            output("middle")
            break
        elif noisy >= low:
            output("low")
            break
        output("none")
"""
# Each level rises by 1, the number that decides by at most 2.
SPLIT = """
def f(q, epsilon, share):
    assert 0 < share < 1
    level = laplace(1 / share / epsilon)
    for x in q:
        if x + laplace(2 / (1 - share) / epsilon) >= level:
            output("above")
            break
        output("on")
"""
COUNTED = """
def f(q, epsilon, most: int):
    level = laplace(2 / epsilon)
    left = most
    for x in q:
        if left <= 0:
            break
        if x + laplace(4 * most / epsilon) >= level:
            output("above")
            left -= 1
        else:
            output("on")
"""
ALARMS = """
def f(q, epsilon):
    low = laplace(4 / epsilon)
    high = laplace(4 / epsilon)
    low_on = True
    high_on = True
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if low_on and noisy < low:
            output("low")
            low_on = False
        elif high_on and noisy >= high:
            output("high")
            high_on = False
        else:
            output("on")
"""
# low − 1, high + 1, and 2 for each of the two that decide.
UP_DOWN = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    stage = 1
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if stage == 1:
            if noisy >= level:
                output("up")
                level = laplace(2 / epsilon)
                stage = 2
            else:
                output("on")
        elif stage == 2:
            if noisy < level:
                output("down")
                stage = 3
            else:
                output("on")
        else:
            output("off")
"""
# The level rises by 1 in the first stage, and falls by 1 in the second.
BOTH = """
def f(q, epsilon):
    one = laplace(1 / epsilon)
    two = laplace(9 / epsilon)
    output(q[0] + one + two)
    output(q[0] + one - two)
"""

PRIVATE = [
    Unseen("above", ABOVE, tight=True),
    Unseen("gap above the level", GAP, tight=True),
    Unseen("a number at the end", NUMBER, "5*epsilon/4", tight=True),
    Unseen("the level moves with the first answer", DATA_LEVEL, "3*epsilon/2"),
    Unseen("exponential noise", EXPONENTIAL, tight=True),
    Unseen("below", BELOW, tight=True),
    Unseen("two outputs at the end", LAST_FIRST, "5*epsilon/4", tight=True),
    Unseen("above, twice", TWICE, tight=True),
    Unseen("rise, then fall", HYSTERESIS, "3*epsilon/2", tight=True),
    Unseen("rise and fall, twice", CYCLES, "5*epsilon/2", tight=True),
    Unseen("the level is the number that exceeded it", REUSED, "3*epsilon/2"),
    Unseen("the level is drawn again", REFRESHED, "2*epsilon", tight=True),
    Unseen("range around 0", RANGE, tight=True),
    Unseen("range with its gap", RANGE_GAP, tight=True),
    Unseen("range with a noise for each side", OWN_NOISE),
    Unseen("the first two", FIRST_TWO, tight=True),
    Unseen("above, then a number", THEN_ALL, tight=True),
    Unseen("numbers, twice", CAPPED, "3*epsilon/2", tight=True),
    Unseen("two levels side by side", PAIRED, "3*epsilon/2", tight=True),
    Unseen("jumps", WINDOW, "3*epsilon/2"),
    Unseen("a level that rises by 1", DRIFT, tight=True),
    Unseen("some answers are skipped", COIN),
    Unseen("only the position is released", SILENT, tight=True),
    Unseen("the largest", MAXIMUM, tight=True),
    Unseen("whole noise", WHOLE, tight=True),
    Unseen("above, then one number of the stream", DEFERRED, "3*epsilon/2", tight=True),
    Unseen("range, drawn again, exits alike", RESTART, "2*epsilon", tight=True),
    Unseen("above, answers only rise", ABOVE, "3*epsilon/4", "increasing", tight=True),
    Unseen("above, answers only fall", ABOVE, "epsilon/4", "decreasing"),
    Unseen("above, one answer moves", ABOVE, "epsilon/4", "one"),
    Unseen("twice, one answer moves", TWICE, "epsilon/8", "one"),
    Unseen("three levels", THREE, "5*epsilon/4"),
    Unseen("above, five times, counted down", DOWN, "7*epsilon/4", tight=True),
    Unseen("a share of epsilon for the level", SPLIT, tight=True),
    Unseen("as often as a parameter says", COUNTED, tight=True),
    Unseen("a noise that cancels", BOTH),
    Unseen("two alarms, each once", ALARMS, "3*epsilon/2", tight=True),
    Unseen("up, and down from another level", UP_DOWN, "2*epsilon", tight=True),
]
"""Private at the claim."""

BROKEN = [
    _changed("the compared number is released", ABOVE, ('output("above")', "output(noisy)")),
    _changed("the level is released", ABOVE, ('output("above")', "output(level)")),
    _changed("no end", ABOVE, ("            break\n        ", "        else:\n            ")),
    _changed("no noise on answers", ABOVE, (" + laplace(4 / epsilon)", "")),
    _changed(
        "noise of its own for each level",
        ABOVE,
        ("        noisy", "        level = laplace(2 / epsilon)\n        noisy"),
        ("            break\n        ", "        else:\n            "),
    ),
    _changed(
        "one noise for all answers",
        ABOVE,
        ("    for", "    own = laplace(4 / epsilon)\n    for"),
        ("x + laplace(4 / epsilon)", "x + own"),
    ),
    _changed("the gap to a level that leaks", GAP, ('output("on")', "output(noisy - level)")),
    _changed(
        "gap and number",
        GAP,
        ("output(noisy - level)", "output(noisy - level)\n            output(noisy)"),
    ),
    _changed(
        "the number keeps the same noise",
        NUMBER,
        ("output(x + laplace(4 / epsilon))", "output(x + noisy - x)"),
    ),
    _changed("exponential noise downward", EXPONENTIAL, ("x + exp", "x - exp")),
    _changed("exponential noise of a level that must fall", EXPONENTIAL, (">=", "<")),
    _changed("three ends are counted as two", TWICE, ("count >= 2", "count >= 3")),
    _changed("noise as for one end", TWICE, ("8 /", "4 /")),
    _changed(
        "rise and fall, for ever",
        CYCLES,
        (
            "                left = left - 1\n                if left <= 0:\n                "
            "    break\n",
            "",
        ),
    ),
    _changed(
        "high is low",
        HYSTERESIS,
        ("    low = laplace(4 / epsilon)\n", "    low = high\n"),
        claim="3*epsilon/2",
    ),
    _changed(
        "fall and number of the same noise",
        HYSTERESIS,
        ('output("fall")', "output(noisy)"),
        claim="3*epsilon/2",
    ),
    _changed(
        "the level follows the stream",
        REUSED,
        ('            output("on")\n', '            output("on")\n            level = noisy\n'),
        claim="3*epsilon/2",
    ),
    _changed("claimed as if one level", REFRESHED),
    _changed(
        "the second level has no noise",
        REFRESHED,
        ("            level = laplace(2 / epsilon)\n", "            level = 0\n"),
        claim="5*epsilon/4",
    ),
    _changed("both ends of a range from one noise", RANGE, ("laplace(4 / epsilon) + 3", "low + 6")),
    _changed("a range that only tells", RANGE, ("            break\n", "            continue\n")),
    _changed(
        "a range without its end above",
        RANGE,
        (
            '            output("above")\n            break\n',
            '            output("above")\n            continue\n',
        ),
    ),
    _changed(
        "both gaps of a range",
        RANGE_GAP,
        ("output(low - noisy)", "output(low - noisy)\n            output(high - noisy)"),
    ),
    _changed("three numbers for two", FIRST_TWO, ("count < 2", "count < 3")),
    _changed("count is never raised", FIRST_TWO, ("            count += 1\n", "")),
    _changed(
        "the first two with the same noise",
        FIRST_TWO,
        ("    count = 0\n", "    count = 0\n    own = laplace(2 / epsilon)\n"),
        ("x + laplace(2 / epsilon)", "x + own"),
    ),
    _changed("a sum at the end", THEN_ALL, ("q[0] +", "q[0] + q[1] +")),
    _changed(
        "numbers at half their noise", CAPPED, ("laplace(4", "laplace(2"), claim="3*epsilon/2"
    ),
    _changed(
        "left is put back",
        CAPPED,
        ("            left = left - 1\n", "            left = left - 1\n            left = 2\n"),
        claim="3*epsilon/2",
    ),
    _changed(
        "one level of two leaks",
        PAIRED,
        ('output("second")\n            break', 'output("second")\n            continue'),
        claim="3*epsilon/2",
    ),
    _changed("differences with the noise of answers", WINDOW, ("8 /", "4 /"), claim="3*epsilon/2"),
    _changed(
        "the answer before is released",
        WINDOW,
        ('output("jump")', "output(before)"),
        claim="3*epsilon/2",
    ),
    _changed("the level rises with the answers", DRIFT, ("level + i:", "level + q[0]:")),
    _changed("a coin that the answer decides", COIN, ("bernoulli(1 / 2)", "x > 0")),
    _changed("a coin, and no end", COIN, ("            break\n", "            continue\n")),
    _changed(
        "the position and the noisy number",
        SILENT,
        ("output(i)", "output(i)\n            output(noisy)"),
    ),
    _changed(
        "the largest with its number", MAXIMUM, ("output(best)", "output(best)\n    output(top)")
    ),
    _changed("the largest number alone", MAXIMUM, ("output(best)", "output(top)"), claim="epsilon"),
    _changed("whole noise, compared number", WHOLE, ('output("above")', "output(noisy)")),
    _changed(
        "numbers without end after the level",
        DEFERRED,
        ("            stage = 2\n", ""),
        claim="3*epsilon/2",
    ),
    _changed(
        "drawn again on one side only",
        RESTART,
        ("            low = laplace(4 / epsilon)\n", "            low = noisy\n"),
        ("stage == 1", "stage == 7"),
        claim="2*epsilon",
    ),
    _changed("the same share twice", SPLIT, ("2 / (1 - share)", "2 / share")),
    _changed("a share that may be all", SPLIT, ("share < 1", "share < 2")),
    _changed("once more than a parameter says", COUNTED, ("left <= 0", "left < 0")),
    _changed(
        "an alarm that stays on",
        ALARMS,
        ("            high_on = False\n", ""),
        claim="3*epsilon/2",
    ),
    _changed(
        "each alarm sets the other",
        ALARMS,
        ("low_on = False", "low_on = False\n            high_on = True"),
        ("high_on = False", "high_on = False\n            low_on = True"),
        claim="3*epsilon/2",
    ),
    _changed(
        "up and down from one level",
        UP_DOWN,
        ("                level = laplace(2 / epsilon)\n", ""),
        claim="2*epsilon",
    ),
    _changed("down, and up again", UP_DOWN, ("stage = 3", "stage = 1"), claim="2*epsilon"),
    _changed("one answer counts twice", BOTH, ("q[0] + one - two", "2 * q[0] + one - two")),
    _changed("above, all answers move", ABOVE, claim="3*epsilon/4"),
    _changed(
        "above, answers only rise, too little", ABOVE, claim="37*epsilon/50", neighbors="increasing"
    ),
    _changed("above, one answer moves, too little", ABOVE, claim="6*epsilon/25", neighbors="one"),
    _changed(
        "an answer decides before the noise",
        ABOVE,
        ("    for x in q:\n", "    for x in q:\n        if x > 9:\n            break\n"),
    ),
    _changed(
        "the scale of the number is that of a level",
        NUMBER,
        ("output(x + laplace(4", "output(2 * x + laplace(4"),
        claim="5*epsilon/4",
    ),
]
"""Private at no ε, or not at the claim."""


WITHOUT_PUMP = {
    "nothing depends on the data": """
        def f(q, epsilon):
            level = laplace(2 / epsilon)
            for x in q:
                noisy = laplace(4 / epsilon)
                if noisy >= level:
                    output("above")
                else:
                    output("below")
                    level = noisy
        """,
    "both sides output the same": """
        def f(q, epsilon):
            level = laplace(2 / epsilon)
            for x in q:
                noisy = x + laplace(4 / epsilon)
                if noisy >= level:
                    output("on")
                    level = noisy
                else:
                    output("on")
        """,
    "three answers are released, and noise of no answer afterwards": """
        def f(q, epsilon):
            left = 3
            for x in q:
                if left > 0:
                    output(x + laplace(3 / epsilon))
                    left = left - 1
                else:
                    output(laplace(3 / epsilon))
        """,
    "it stops after three numbers": """
        def f(q, epsilon):
            left = 3
            for x in q:
                if left <= 0:
                    output("stop")
                    break
                output(x + laplace(3 / epsilon))
                left = left - 1
        """,
    "two thresholds leak, the third stays": """
        def f(q, epsilon):
            level = laplace(2 / epsilon)
            left = 2
            for x in q:
                noisy = x + laplace(4 / epsilon)
                if noisy >= level:
                    output("above")
                    break
                output("on")
                if left > 0:
                    level = noisy
                    left = left - 1
        """,
    "the threshold is drawn again, three times at most": """
        def f(q, epsilon):
            level = laplace(2 / epsilon)
            left = 3
            for x in q:
                if x + laplace(4 / epsilon) >= level:
                    output("above")
                    level = laplace(2 / epsilon)
                    left = left - 1
                    if left <= 0:
                        break
                else:
                    output("below")
        """,
    "the threshold is drawn again where nothing was compared with it": """
        def f(q, epsilon):
            level = laplace(2 / epsilon)
            on = 1
            for x in q:
                if on <= 0:
                    level = laplace(2 / epsilon)
                    output("below")
                elif x + laplace(4 / epsilon) >= level:
                    output("above")
                    on = 0
                else:
                    output("below")
        """,
    "the first answer is kept, and released again and again": """
        def f(q, epsilon):
            seen = 0
            kept = 0
            for x in q:
                if seen <= 0:
                    kept = x + laplace(1 / epsilon)
                    seen = 1
                output(kept + laplace(1 / epsilon))
        """,
    "the noisy number is kept until the end": """
        def f(q, epsilon):
            level = laplace(2 / epsilon)
            kept = 0
            for x in q:
                noisy = x + laplace(4 / epsilon)
                if noisy >= level:
                    output(kept + laplace(1 / epsilon))
                    break
                output("on")
                kept = laplace(1 / epsilon)
        """,
}
"""Private at a multiple of epsilon each, by composition."""


def with_less_noise(one: Unseen) -> list[Unseen]:
    """Return the program with each scale in turn smaller by a hundredth."""
    return [
        replace(
            one,
            name=f"{one.name}, noise {number}",
            text=f"{one.text[: scale.start()]} * 99 / 100 / epsilon{one.text[scale.end() :]}",
        )
        for number, scale in enumerate(re.finditer(r" / epsilon", one.text), 1)
    ]
