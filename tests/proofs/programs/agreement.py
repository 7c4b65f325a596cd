"""Python beside the ways that a proof reads, with the same noise; random programs for it."""

from __future__ import annotations

import enum
import random
import types
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms.noise.exact_noise import FINE_GRID, round_to_grid
from provado.mechanisms.programs import noise
from provado.mechanisms.programs.batch import BatchRun
from provado.proofs.programs.alignment.examples import public_holds
from provado.proofs.programs.read.ir import LENGTH
from provado.proofs.programs.read.path import END, ENTRY, Path, Paths, Public
from provado.proofs.programs.read.polynomial import LinearForm


def run(function: Any, data: list[float], seed: int) -> tuple[tuple[Any, ...], list[Any]]:
    """Return what Python tells, and the noise in the order in which it was drawn."""
    one = BatchRun(np.random.default_rng(seed), np.arange(1))
    token = noise.RUN.set(one)
    try:
        last = function(data)
        last = list(last) if isinstance(last, types.GeneratorType | np.ndarray) else last
    finally:
        noise.RUN.reset(token)
    if last is not None:
        one.outputs += last if isinstance(last, list) else [last]
    told = tuple(_in_order(one.outcomes()[1][0]))
    return told, [Fraction(values[0].item()) for values in one.draws]


def _in_order(told: Any) -> Iterator[Any]:
    """Yield the outputs number by number; members of enumerations as texts."""
    for one in told:
        if isinstance(one, tuple):
            yield from _in_order(one)
        else:
            yield repr(one) if isinstance(one, enum.Enum) else one


def _taken(way: Path, values: dict[str, Fraction], drawn: list[Any]) -> list[Any] | None:
    """Fill in the noise of a way; return what is left of it, or ``None`` on another way."""
    left, draws = list(drawn), list(way.draws)
    for k, decision in enumerate((*way.decisions, None)):
        while draws and draws[0].before == k:
            if not left:
                return None
            values[draws.pop(0).symbol] = left.pop(0)
        shared = isinstance(decision, tuple) and not isinstance(decision[0], Public)
        if shared and (not left or left.pop(0) != decision[1]):
            return None
    point = {name: float(v) for name, v in values.items()}
    publics = [(key, held) for key, held in way.fixed.items() if isinstance(key, Public)]
    if any(public_holds(key, point) != held for key, held in publics):
        return None
    exact = [_value(atom.form, values) for atom in way.atoms]
    held = all(v > 0 or (v == 0 and not a.strict) for v, a in zip(exact, way.atoms, strict=True))
    return left if held else None


def _value(form: LinearForm, values: dict[str, Fraction]) -> Fraction:
    return form.constant + sum((c * values[s] for s, c in form.terms), Fraction(0))


def _told(tag: str, form: LinearForm | None, values: dict[str, Fraction]) -> Any:
    if form is None:
        text = tag.removeprefix("constant ")
        if text == "None" or text[0] in "'\"":
            return eval(text)
        if text[0] == "<":
            return text
        number = float(Fraction(text))
    else:
        number = float(_value(form, values))
    number = float(round_to_grid(np.array([number]), FINE_GRID)[0])
    return int(number) if number == number // 1 else number


def follow(ways: Paths, data: list[float], drawn: list[Any]) -> list[tuple[Any, bool]]:
    """Return what the ways tell with this noise, each with whether noise is in it."""
    cut, iteration, state, told, noisy = ENTRY, 0, {}, [], set()
    while cut != END:
        found = []
        for way in ways.of[cut]:
            values = {**state, LENGTH: Fraction(len(data))}
            if any(name == f"answer {cut}" for name in way.answers) and iteration >= len(data):
                continue
            for name in way.answers:
                at = int(name[10:]) if name.startswith("answer at ") else iteration
                values[name] = Fraction(data[at])
            left = _taken(way, values, drawn)
            if left is not None:
                found.append((way, values, left))
        if len(found) != 1:
            raise AssertionError(f"{len(found)} ways from cut {cut} fit one run")
        ((way, values, drawn),) = found

        def holds(form: LinearForm, known: frozenset[str] = frozenset(noisy)) -> bool:
            return any(s.startswith("noise ") or s in known for s in form.symbols())

        told += [(_told(tag, form, values), bool(form and holds(form))) for tag, form in way.told]
        noisy = {v for v, form in way.after if holds(form)}
        state = {v: _value(form, values) for v, form in way.after}
        cut = way.end
        if cut != END:
            iteration = int(state[ways.heads[cut].counter])
    if drawn:
        raise AssertionError("Python drew more noise than the way that fits")
    return told


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
