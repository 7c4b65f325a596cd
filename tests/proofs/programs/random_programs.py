"""Random programs of the language: thresholds, running maxima, sums, with noise here and there."""

from __future__ import annotations

import random


def noise(rng: random.Random) -> str:
    kind = rng.choice(["laplace", "laplace", "laplace", "exponential"])
    return f"{kind}({rng.choice(['1', '2', '4', '1/2', '8'])} / epsilon)"


def thresholds(rng: random.Random) -> str:
    """Return a program that compares answers with variables that have noise, and tells things."""
    lines = ["def f(q, epsilon):"]
    names = ["a", "b"][: rng.randint(0, 2)]
    for name in names:
        start = rng.choice([noise(rng), "0.0", f"1.0 + {noise(rng)}"])
        lines.append(f"    {name} = {start}")
    lines += ["    c = 0", "    for x in q:"]
    known = [*names, "x"]
    if rng.random() < 0.8:
        lines.append(f"        y = x + {noise(rng)}")
        known.append("y")

    def acts() -> list[str]:
        found = []
        for _ in range(rng.randint(1, 2)):
            told = f"{rng.choice(known)}{rng.choice(['', f' - {rng.choice(known)}'])}"
            options = [f"output({rng.choice(['True', 'False'])})", f"output({told})", "c += 1"]
            options += [f"{name} = {rng.choice(known)}" for name in names[:1]]
            found.append(" " * 12 + rng.choice(options))
        return found

    against = rng.choice([*known, "0", "1"])
    lines.append(f"        if {rng.choice(known)} {rng.choice(['>', '>=', '<'])} {against}:")
    lines += acts()
    if rng.random() < 0.7:
        lines += ["        else:", *acts()]
    if rng.random() < 0.6:
        lines += [f"        if c >= {rng.choice([1, 2])}:", "            break"]
    if rng.random() < 0.35:
        lines.append(f"    output({rng.choice([*names, 'c'])})")
    return "\n".join(lines) + "\n"


def maxima(rng: random.Random) -> str:
    """Return a program that keeps a largest value and tells where it was, or something else."""
    start = rng.choice(["0", "0", "-1"])
    lines = ["def f(q, epsilon):", f"    best = {start}", "    top = 0.0", "    c = 0"]
    lines += ["    for i, x in enumerate(q):"]
    lines.append(f"        y = {rng.choice([f'x + {noise(rng)}'] * 3 + ['x'])}")
    first = rng.choice(["i == 0 or ", "i == 0 or ", "", "c == 0 or "])
    bar = rng.choice(["top", "top", "top + 1", "0"])
    lines.append(f"        if {first}y {rng.choice(['>', '>=', '<'])} {bar}:")
    acts = [f"best = {rng.choice(['i', 'i', 'i', 'i + 1', 'c'])}", "top = y"]
    acts += ["c += 1"] * (rng.random() < 0.3) + ["output(True)"] * (rng.random() < 0.15)
    rng.shuffle(acts)
    lines += [" " * 12 + act for act in acts]
    lines.append(f"    output({rng.choice(['best', 'best', 'best', 'c', 'top'])})")
    return "\n".join(lines) + "\n"


def ranges(rng: random.Random) -> str:
    """Return a stream with up to three noisy thresholds, whose exits may look alike."""
    names = ["a", "b", "c"][: rng.randint(1, 3)]
    lines = ["def f(q, epsilon):"]
    for name in names:
        lines.append(
            f"    {name} = {rng.choice([-1, 0, 1])} + laplace({rng.choice([1, 2, 4])} / epsilon)"
        )
    lines += ["    for x in q:", f"        y = x + laplace({rng.choice([1, 2, 4])} / epsilon)"]
    for number, name in enumerate(names):
        word = "elif" if number else "if"
        lines.append(f"        {word} y {rng.choice(['>=', '<'])} {name}:")
        lines.append(f"            output({rng.choice(['1', '1', '2'])})")
        lines += ["            break"] * (rng.random() < 0.7)
    lines += ["        else:", f"            output({rng.choice(['0', '0', '1'])})"]
    return "\n".join(lines) + "\n"
