"""A function beside the paths that a proof reads, with drawn noise; random programs for it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from provado.proofs.programs.agreement import PathReading
from provado.proofs.programs.read.given_noise import UNIFORM, WHOLE, GivenNoise
from provado.proofs.programs.read.ir import LENGTH
from provado.proofs.programs.read.path import Paths


def agrees(of: Any, ways: Paths, data: list[float], seed: int, **parameters: Any) -> bool:
    """Return whether a function and the paths tell the same with the same draws."""
    rng = np.random.default_rng(seed)

    def drawn(_: Any, kind: str, scale: float) -> Any:
        if kind == UNIFORM:
            return rng.random()
        if kind == WHOLE:
            return int(rng.integers(round(scale)))
        if kind == "geometric":
            return int(rng.geometric(scale))
        if kind == "discrete_laplace":
            chance = -np.expm1(-1 / scale)
            return int(rng.geometric(chance) - rng.geometric(chance))
        return getattr(rng, {"gaussian": "normal"}.get(kind, kind))(scale=scale)

    given = GivenNoise(of, drawn)
    told, failed = given.run(list(data), parameters)
    point = {LENGTH: float(len(data))}
    return not failed and PathReading(ways).agrees(data, point, given.drawn, told) is not None


# Random programs. -----------------------------------------------------------------------------


class Writer:
    """Writes one random program of the language."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.names, self.lines = rng, ["a", "b", "c"], []

    def number(self, names: list[str], depth: int = 0) -> str:
        rng = self.rng
        pick = rng.randrange(15 if depth < 3 else 3)
        if pick < 2:
            return rng.choice(names)
        if pick == 2:
            return rng.choice(["0", "1", "2", "-3", "0.5", "0.25", "0.1", "0.3", "1.0", "True"])
        one = self.number(names, depth + 1)
        if pick < 6:
            return f"({one} {rng.choice('+-')} {self.number(names, depth + 1)})"
        if pick == 6:
            return f"({one} {rng.choice('*/')} {rng.choice(['2', '4', '0.5', '3', '10', '49'])})"
        if pick == 7:
            return f"abs({rng.choice(names)})"
        if pick == 8:
            return f"{rng.choice(['max', 'min'])}({rng.choice(names)}, {rng.choice(names)})"
        if pick == 9:
            return f"({one} if {self.condition(names, depth + 1)} else {rng.choice(names)})"
        if pick == 10:
            return f"({self.condition(names, depth + 1)})"
        if pick == 11:
            return f"-{one}"
        if pick == 12:
            first, second = rng.choice([1, 0.1, 7, 0.3]), rng.choice([0.1, 3, 49])
            return f"({first} {rng.choice('+-*/%')} {second})"
        kinds = ["laplace(1 / epsilon)", "discrete_laplace(2)", "integers(3)", "exponential(0.5)"]
        return rng.choice([*kinds, "bernoulli(0.5)"])

    def condition(self, names: list[str], depth: int = 0) -> str:
        rng = self.rng
        pick = rng.randrange(6 if depth < 2 else 2)
        if pick == 2:
            return f"not ({self.condition(names, depth + 1)})"
        if pick == 3:
            word = rng.choice(["and", "or"])
            return f"({self.condition(names, depth + 1)} {word} {self.condition(names, depth + 1)})"
        if pick == 4:
            return rng.choice(["bernoulli(0.25)", "True", rng.choice(names)])
        order = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{self.number(names, depth + 2)} {order} {self.number(names, depth + 2)}"

    def block(self, margin: str, names: list[str], depth: int = 0) -> None:
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            pick = rng.randrange(8)
            if pick < 3:
                order = rng.choice(["=", "=", "+=", "-="])
                self.lines.append(f"{margin}{rng.choice(self.names)} {order} {self.number(names)}")
            elif pick < 6 or depth > 1:
                numbers = [self.number(names), self.number(names)]
                what = rng.choice([*numbers, "'text'", "None", "True"])
                self.lines.append(f"{margin}output({what})")
            else:
                self.lines.append(f"{margin}if {self.condition(names)}:")
                self.block(margin + "    ", names, depth + 1)
                if rng.random() < 0.5:
                    self.lines.append(f"{margin}else:")
                    self.block(margin + "    ", names, depth + 1)
                if depth == 0 and "for" in "".join(self.lines[-9:]) and margin == " " * 8:
                    self.lines.append(f"{margin}    {rng.choice(['break', 'continue'])}")

    def text(self) -> str:
        rng = self.rng
        whole = rng.random() < 0.4
        self.lines = [f"def f(q{': list[int]' if whole else ''}, epsilon=1.0):"]
        for name in self.names:
            self.lines.append(f"    {name} = {rng.choice(['0', '1', '0.5', 'q[0]'])}")
        for _ in range(rng.randint(1, 3)):
            pick = rng.randrange(4)
            if pick == 0:
                loop, names = "for x in q:", ["x"]
            elif pick == 1:
                loop, names = "for i, x in enumerate(q):", ["i", "x"]
            elif pick == 2:
                loop, names = f"for k in range({rng.randint(0, 3)}):", ["k"]
            else:
                self.block("    ", self.names)
                continue
            self.lines.append(f"    {loop}")
            self.block(" " * 8, [*self.names, *names])
        self.lines.append(f"    return {self.number(self.names)}")
        return "\n".join(self.lines) + "\n"
