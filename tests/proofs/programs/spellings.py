"""Sparse vector and noisy max as people spell them, private at ε each."""

from __future__ import annotations

LEVEL = "    level = t + laplace(2 / epsilon)\n"
"""What most of them begin with; it stands for ``...`` in them."""

HEAD = """
import enum
import numpy as np
from provado.mechanisms.programs import bernoulli, laplace, output

HIGH, LOW = "above", "below"


class Answer(enum.Enum):
    ABOVE = 1
    BELOW = 0
"""

SPELLINGS = {
    "while True iterator": """
def f(q, epsilon, t):
    ...
    i = 0
    while True:
        if i == len(q):
            return None
        if q[i] + laplace(4 / epsilon) >= level:
            return i
        i += 1
""",
    "while True break": """
def f(q, epsilon, t):
    ...
    i = 0
    while True:
        if i >= len(q):
            break
        if q[i] + laplace(4 / epsilon) >= level:
            output(True)
            break
        output(False)
        i += 1
""",
    "while i != len": """
def f(q, epsilon, t):
    ...
    i = 0
    n = len(q)
    while i != n:
        above = q[i] + laplace(4 / epsilon) >= level
        output(above)
        if above:
            break
        i += 1
""",
    "while else": """
def f(q, epsilon, t):
    ...
    i = 0
    found = False
    while i < len(q) and not found:
        found = q[i] + laplace(4 / epsilon) >= level
        output(found)
        i += 1
    else:
        output(i)
""",
    "while else that a break leaves out": """
def f(q, epsilon, t):
    ...
    i = 0
    while i < len(q):
        if q[i] + laplace(4 / epsilon) >= level:
            output(i)
            break
        i += 1
    else:
        output(-1)
""",
    "largest by max": """
def f(q, epsilon):
    best, place = float("-inf"), -1
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if noisy > best:
            place = i
        best = max(noisy, best)
    return place
""",
    "last answer": """
def f(q, epsilon, t):
    return t + q[-1] + laplace(1 / epsilon)
""",
    "last answer by its place": """
def f(q, epsilon, t):
    if len(q) > 3:
        return q[len(q) - 1] + laplace(1 / epsilon)
    return t
""",
    "while count": """
def f(q, epsilon, t, count: int):
    ...
    i = 0
    found = 0
    while found < count and i < len(q):
        above = q[i] + laplace(4 * count / epsilon) >= level
        output(above)
        if above:
            found += 1
        i += 1
""",
    "while with continue": """
def f(q, epsilon, t):
    ...
    i = 0
    while i < len(q):
        x = q[i]
        i += 1
        if x + laplace(4 / epsilon) < level:
            output(False)
            continue
        output(True)
        break
""",
    "enumerate 1": """
def f(q, epsilon, t):
    ...
    for i, x in enumerate(q, 1):
        if x + laplace(4 / epsilon) >= level:
            return i
    return 0
""",
    "enumerate start=1": """
def f(q, epsilon, t):
    ...
    for i, x in enumerate(q, start=1):
        if x + laplace(4 / epsilon) >= level:
            return i
    return 0
""",
    "helper two returns": """
def f(q, epsilon, t):
    ...
    for i, x in enumerate(q):
        if above(x, level, 4 / epsilon):
            return i
    return -1

def above(x, level, scale):
    if x + laplace(scale) >= level:
        return True
    return False
""",
    "helper two returns else, tail call": """
def f(q, epsilon, t):
    ...
    for x in q:
        verdict = answer(x, level, 4 / epsilon)
        output(verdict)
        if verdict == 1:
            break

def answer(x, level, scale):
    noisy = x + laplace(scale)
    if noisy >= level:
        return 1
    else:
        return 0
""",
    "len(found) counter": """
def f(q, epsilon, t, count: int):
    ...
    found = []
    for i, x in enumerate(q):
        if x + laplace(4 * count / epsilon) >= level:
            found.append(i)
            if len(found) >= count:
                break
    return found
""",
    "len(found) counter 2": """
def f(q, epsilon, t, count: int):
    ...
    found = []
    for i, x in enumerate(q):
        if len(found) == count:
            break
        if x + laplace(4 * count / epsilon) >= level:
            found.append(i)
    return found
""",
    "two lists: hits and output": """
def f(q, epsilon, t, count: int):
    ...
    answers, found = [], []
    for i, x in enumerate(q):
        if x + laplace(4 * count / epsilon) >= level:
            answers.append(True)
            found.append(i)
            if len(found) >= count:
                break
        else:
            answers.append(False)
    return answers
""",
    "match state": """
def f(q, epsilon, t):
    state = "wait"
    ...
    for x in q:
        match state:
            case "wait":
                if x + laplace(4 / epsilon) >= level:
                    state = "done"
                    output(True)
                else:
                    output(False)
            case _:
                output("over")
""",
    "match int": """
def f(q, epsilon, t):
    state = 0
    ...
    for x in q:
        match state:
            case 0:
                if x + laplace(4 / epsilon) >= level:
                    state = 1
                    output(True)
                else:
                    output(False)
            case 1 | 2:
                output("over")
""",
    "augmented boolean |=": """
def f(q, epsilon, t):
    ...
    any_above = False
    for x in q:
        any_above |= x + laplace(4 / epsilon) >= level
        if any_above:
            break
    output(any_above)
""",
    "or boolean": """
def f(q, epsilon, t):
    ...
    found = False
    for x in q:
        found = found or x + laplace(4 / epsilon) >= level
    output(found)
""",
    "early return other list": """
def f(q, epsilon, t):
    ...
    answers = []
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            return answers + [True]
        answers.append(False)
    return answers
""",
    "list +=": """
def f(q, epsilon, t):
    ...
    answers = []
    for x in q:
        above = x + laplace(4 / epsilon) >= level
        answers += [above]
        if above:
            break
    return answers
""",
    "extend": """
def f(q, epsilon, t):
    ...
    answers = list()
    for x in q:
        above = x + laplace(4 / epsilon) >= level
        answers.extend([above])
        if above:
            break
    return answers
""",
    "yield": """
def f(q, epsilon, t):
    ...
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            yield True
            return
        yield False
""",
    "walrus elsewhere": """
def f(q, epsilon, t):
    ...
    for x in q:
        output(above := x + laplace(4 / epsilon) >= level)
        if above:
            break
""",
    "any": """
def f(q, epsilon, t):
    ...
    return any(x + laplace(4 / epsilon) >= level for x in q)
""",
    "all": """
def f(q, epsilon, t):
    ...
    return all(x + laplace(4 / epsilon) < level for x in q)
""",
    "next": """
def f(q, epsilon, t):
    ...
    return next((i for i, x in enumerate(q) if x + laplace(4 / epsilon) >= level), None)
""",
    "label variable": """
def f(q, epsilon, t):
    ...
    for i, x in enumerate(q):
        label = "above" if x + laplace(4 / epsilon) >= level else "below"
        output(label)
        if label == "above":
            break
""",
    "enum members": """
def f(q, epsilon, t):
    ...
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            output(Answer.ABOVE)
            break
        output(Answer.BELOW)
""",
    "enum state": """
def f(q, epsilon, t):
    ...
    state = Answer.BELOW
    for x in q:
        if state == Answer.BELOW:
            if x + laplace(4 / epsilon) >= level:
                state = Answer.ABOVE
                output(True)
            else:
                output(False)
        else:
            output(None)
""",
    "module constant labels": """
def f(q, epsilon, t):
    ...
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            output(HIGH)
            break
        output(LOW)
""",
    "tuple list append": """
def f(q, epsilon, t):
    ...
    out = []
    for i, x in enumerate(q):
        if x + laplace(4 / epsilon) >= level:
            out.append((i, True))
            break
        out.append((i, False))
    return out
""",
    "tuple(out)": """
def f(q, epsilon, t):
    ...
    out = []
    for i, x in enumerate(q):
        above = x + laplace(4 / epsilon) >= level
        out.append(above)
        if above:
            break
    return tuple(out)
""",
    "np.array(out)": """
def f(q, epsilon, t):
    ...
    out = []
    for i, x in enumerate(q):
        above = x + laplace(4 / epsilon) >= level
        out.append(above)
        if above:
            break
    return np.array(out)
""",
    "nested function": """
def f(q, epsilon, t):
    def noisy(x):
        return x + laplace(4 / epsilon)
    ...
    for i, x in enumerate(q):
        if noisy(x) >= level:
            return i
    return -1
""",
    "lambda": """
def f(q, epsilon, t):
    noisy = lambda x: x + laplace(4 / epsilon)
    ...
    for i, x in enumerate(q):
        if noisy(x) >= level:
            return i
    return -1
""",
    "annotated q slicing": """
def f(q, epsilon, t):
    ...
    for x in q[:]:
        if x + laplace(4 / epsilon) >= level:
            output(True)
            break
        output(False)
""",
    "raise ValueError": """
def f(q, epsilon, t):
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    ...
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            output(True)
            break
        output(False)
""",
    "range(0, len(q))": """
def f(q, epsilon, t):
    ...
    for i in range(0, len(q)):
        if q[i] + laplace(4 / epsilon) >= level:
            return i
    return -1
""",
    "in tuple": """
def f(q, epsilon, t):
    ...
    state = 0
    for x in q:
        if state in (0, 1):
            if x + laplace(4 / epsilon) >= level:
                state = 2
                output(1)
            else:
                output(0)
""",
    "sign": """
def f(q, epsilon):
    return np.sign(q[0] + laplace(1 / epsilon))
""",
    "max default key dict": """
def f(q, epsilon):
    noisy = [x + laplace(2 / epsilon) for x in q]
    best = max(noisy)
    return noisy.index(best)
""",
    "max over enumerate key": """
def f(q, epsilon):
    noisy = [x + laplace(2 / epsilon) for x in q]
    best, _ = max(enumerate(noisy), key=lambda p: p[1])
    return best
""",
    "max key getitem": """
def f(q, epsilon):
    noisy = [x + laplace(2 / epsilon) for x in q]
    return max(range(len(q)), key=noisy.__getitem__)
""",
    "noisy list built by append then argmax": """
def f(q, epsilon):
    noisy = []
    for x in q:
        noisy.append(x + laplace(2 / epsilon))
    return noisy.index(max(noisy))
""",
    "noisy list append np.argmax": """
def f(q, epsilon):
    noisy = []
    for x in q:
        noisy.append(x + laplace(2 / epsilon))
    return np.argmax(noisy)
""",
    "bool(…)": """
def f(q, epsilon, t):
    ...
    for x in q:
        above = bool(x + laplace(4 / epsilon) >= level)
        output(above)
        if above:
            break
""",
    "int(bool)": """
def f(q, epsilon, t):
    ...
    for x in q:
        above = int(x + laplace(4 / epsilon) >= level)
        output(above)
        if above:
            break
""",
    "return in middle tuple of list": """
def f(q, epsilon):
    a = q[0] + laplace(2 / epsilon)
    b = q[1] + laplace(2 / epsilon)
    result = (a, b)
    return result
""",
    "or else": """
def f(q, epsilon, t):
    ...
    for i, x in enumerate(q):
        if i >= 0 and above(x, level, 4 / epsilon):
            return -1 if passed(x) else i
    return -2

def above(x, level, scale):
    if x + laplace(scale) >= level:
        return True
    return False

def passed(x):
    return False
""",
    "places from 1": """
def f(q, epsilon, t):
    ...
    for i in range(1, len(q) + 1):
        if q[i - 1] + laplace(4 / epsilon) >= level:
            return i
    return 0
""",
    "a procedure": """
def f(q, epsilon, t):
    told = []
    ...
    for x in q:
        above = x + laplace(4 / epsilon) >= level
        note(told, above)
        if above:
            break
    return told

def note(told, above):
    if above:
        told.append(1)
    else:
        told.append(0)
""",
    "all in a helper": """
def f(q, epsilon, t):
    return search(q, epsilon, t + 1)

def search(q, epsilon, t):
    ...
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            return True
    return False
""",
    "none at all": """
def f(q, epsilon, t):
    if not q:
        return 0
    ...
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            return 2
    return 1
""",
    "list and its length": """
def f(q, epsilon, t):
    ...
    out = []
    for x in q:
        above = x + laplace(4 / epsilon) >= level
        out.append(above)
        if above:
            break
    return out, len(out)
""",
    "list in a dictionary": """
def f(q, epsilon, t):
    ...
    told = []
    for i, x in enumerate(q):
        if x + laplace(4 / epsilon) >= level:
            told.append((i, True))
            return {"told": told, "found": True}
        told.append((i, False))
    return {"told": told, "found": False}
""",
    "truths joined by signs": """
def f(q, epsilon, t):
    a = b = laplace(2 / epsilon)
    for x in q:
        y = x + laplace(4 / epsilon)
        if (y > a) & True ^ False | False:
            return 1
    return 0
""",
}
