"""Sieve-and-examine in Coq and in Python, on small data, with 2 for e.

The mean over the noise on the threshold is an integral that neither language has in fractions here:
two points stand for it. Coq's definition of the mean itself is read, not compared.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from provado.proofs.ledger.kusner2016._exact import PassTest, pass_probability

from .coq import listed, number
from .releases import Checks, Values, with_two_for_e

ANSWER, EXAMINATION, THRESHOLD, LOWERED = Fraction(1), Fraction(1, 2), Fraction(1), Fraction(1)
POINTS = (Fraction(0), Fraction(1))
DATASETS: tuple[Values, ...] = ((0, 1, 1), (1, 0, 0))
QUERIES = ("fun c : seq nat => (sumn c)%:R", "fun c : seq nat => (size c)%:R - 1")
LINES = [
    "From Provado.definitions Require Import finite mechanism release sieve.",
    "Definition two_to (x : Q) : Q := "
    + " ".join(f"if x == {number(x)} then {number(Fraction(2) ** x)} else" for x in range(-5, 6))
    + " 0.",
    "Definition two_points (h : Q -> Q) : Q := (h 0 + h 1) / 2%:R.",
    f"Definition queries : seq (seq nat -> Q) := [:: {'; '.join(QUERIES)}].",
]


def answers(d: Values) -> tuple[Fraction, ...]:
    """Return the answers of ``QUERIES``."""
    return Fraction(sum(d)), Fraction(len(d) - 1)


def passing(noise: Fraction, level: Fraction, answer: Fraction) -> Fraction:
    """Return the chance that an answer with Laplace noise reaches a level."""
    return with_two_for_e(pass_probability(PassTest(noise, level), answer))


def first(level: Fraction, found: tuple[Fraction, ...]) -> dict[int | None, Fraction]:
    """Return the chance of each answer to be the first that reaches a level; ``None``: of none."""
    chances: dict[int | None, Fraction] = {}
    left = Fraction(1)
    for k, answer in enumerate(found):
        chance = passing(ANSWER, level, answer)
        chances[k], left = left * chance, left * (1 - chance)
    return {**chances, None: left}


def outputs(d: Values, m: int) -> dict[int | None, Fraction]:
    """Return the chances of Algorithm 1's outputs, over subsets of m records and two points."""
    runs = [first(THRESHOLD - LOWERED + z, answers(c)) for c in combinations(d, m) for z in POINTS]
    total: dict[int | None, Fraction] = {None: Fraction(0)}
    for k in (0, 1, None):
        share = sum((run[k] for run in runs), Fraction(0)) / len(runs)
        if k is None:
            total[None] += share
            continue
        examined = passing(EXAMINATION, THRESHOLD, answers(d)[k])
        total[k] = share * examined
        total[None] += share * (1 - examined)
    return total


def sieves() -> Checks:
    """Compare subsets, the mass of steps, first answers, and the outputs' chances."""
    checks = []
    noises = f"{number(ANSWER)} {number(EXAMINATION)} {number(THRESHOLD)} {number(LOWERED)}"
    for d in DATASETS:
        for m in range(4):
            checks.append(f"choose {m} {listed(d)} == {listed(tuple(combinations(d, m)))}")
        for m in (1, 2, 3):
            for k, value in outputs(d, m).items():
                said = "None" if k is None else f"(Some {k}%N)"
                term = (
                    f"sieve_and_examine two_to two_points {noises} queries {m} {listed(d)} {said}"
                )
                checks.append(f"{term} == {number(value)}")
        found = "[:: " + "; ".join(map(number, answers(d))) + "]"
        for k, value in first(Fraction(1), answers(d)).items():
            said = "None" if k is None else f"(Some {k}%N)"
            checks.append(f"first_passed two_to 1 1 {found} {said} == {number(value)}")
    cells = ((Fraction(1, 2), -1), (Fraction(1, 4), 1), (Fraction(1), 3))
    mass, at = Fraction(0), Fraction(-3)
    for value, end in cells:
        there = Fraction(end)
        mass += value * (passing(ANSWER, at, Fraction(0)) - passing(ANSWER, there, Fraction(0)))
        at = there
    shown = "; ".join(f"({number(value)}, {number(end)})" for value, end in cells)
    checks.append(f"step_mass two_to 1 {number(-3)} [:: {shown}] == {number(mass)}")
    return LINES, checks
