"""Discrete columns in which each depends on the one before."""

from __future__ import annotations

import numpy as np

from provado.mechanisms.graph_discovery.tables.coded import CodedTable


def coded(*columns, levels) -> CodedTable:
    codes = np.array(columns, dtype=np.uint8)
    names = tuple(f"v{i}" for i in range(len(codes)))
    return CodedTable(names, tuple(levels), codes, None, codes.shape[1])


def chain(n, d=4, seed=1):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 3, n)]
    for _ in range(d - 1):
        columns.append(np.where(rng.random(n) < 0.6, columns[-1], rng.integers(0, 3, n)))
    return coded(*columns, levels=[3] * d)


def path(d):
    wanted = np.zeros((d, d), dtype=bool)
    for i in range(d - 1):
        wanted[i, i + 1] = wanted[i + 1, i] = True
    return wanted
