"""Columns that are independent given others, and the noisy tables of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, TablesPlan
from provado.mechanisms.graph_discovery.tables.coded import CodedTable


def null_table(order: int, n: int, levels: int, rng: np.random.Generator) -> CodedTable:
    """Return x, y and ``order`` more columns; the first two depend on these and on nothing else."""
    given = rng.integers(0, levels, (order, n))
    stratum = np.ravel_multi_index(given, (levels,) * order) if order else np.zeros(n, dtype=int)
    codes = []
    for _ in range(2):
        chances = rng.dirichlet([2.0] * levels, size=levels**order)
        above = np.cumsum(chances, axis=1)[stratum, :-1]
        codes.append((rng.random(n)[:, None] > above).sum(axis=1))
    width = 2 + order
    every = np.array([*codes, *given], dtype=np.uint8)
    return CodedTable(tuple(f"v{i}" for i in range(width)), (levels,) * width, every, None, n)


def plan_of(kind: str, data: CodedTable, variance: Fraction | int) -> TablesPlan:
    """Return a plan of one table of all columns, or of pairs and triples, with this noise.

    kind: whole, pairs, or less: pairs less their margins, of which single columns tell.
    """
    noise = CellNoise("gaussian", Fraction(variance))
    if kind == "whole":
        return TablesPlan(data.n, data.levels, 1.0, 1e-6, noise, None, 0, None)
    plan = TablesPlan(data.n, data.levels, 1.0, 1e-6, None, noise, 10, noise)
    return replace(plan, single=noise) if kind == "less" else plan
