"""Random graphs, what they imply by d-separation, and answers that no graph implies."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def random_dag(d, seed, density=0.5):
    rng = np.random.default_rng(seed)
    order = rng.permutation(d)
    upper = np.triu(rng.random((d, d)) < density, 1)
    return upper[np.ix_(order, order)]


def ancestors_of(dag, nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for parent in np.flatnonzero(dag[:, stack.pop()]):
            if int(parent) not in found:
                found.add(int(parent))
                stack.append(int(parent))
    return found


def d_separated(dag, x, y, given_nodes):
    """Moral graph of the ancestors, the given nodes taken out: is there no path?"""
    keep = sorted(ancestors_of(dag, {x, y, *given_nodes}))
    edges = {frozenset((i, j)) for i in keep for j in keep if dag[i, j]}
    for child in keep:
        parents = [p for p in keep if dag[p, child]]
        edges |= {frozenset(pair) for pair in combinations(parents, 2)}
    reached, stack = {x}, [x]
    while stack:
        at = stack.pop()
        for edge in edges:
            if at in edge:
                (other,) = edge - {at}
                if other not in reached and other not in given_nodes:
                    reached.add(other)
                    stack.append(other)
    return y not in reached


def colliders(dag):
    return {
        (x, z, y)
        for z in range(len(dag))
        for x, y in combinations(np.flatnonzero(dag[:, z]).tolist(), 2)
        if not dag[x, y] and not dag[y, x]
    }


def acyclic(dag):
    power = np.eye(len(dag), dtype=int)
    for _ in range(len(dag)):
        power = power @ dag.astype(int)
        if power.trace():
            return False
    return True


def true_cpdag(dag):
    """The union of all acyclic orientations of the skeleton with the same colliders."""
    edges = [tuple(e) for e in np.argwhere(np.triu(dag | dag.T))]
    union = np.zeros_like(dag)
    for choice in range(2 ** len(edges)):
        other = np.zeros_like(dag)
        for k, (i, j) in enumerate(edges):
            other[(i, j) if choice >> k & 1 else (j, i)] = True
        if colliders(other) == colliders(dag) and acyclic(other):
            union |= other
    return union


def oracle(dag):
    return lambda x, y, given_nodes: d_separated(dag, x, y, set(given_nodes))


def names(d):
    return tuple(f"v{i}" for i in range(d))


def lying(seed, d):
    """Answers that depend on the test alone, so that vertices can be renamed; often wrong."""

    def independent(x, y, given_nodes):
        key = [min(x, y), max(x, y), *sorted(given_nodes)]
        return np.random.default_rng([seed, len(given_nodes), *key]).random() < 0.25

    return independent


def renamed(independent, order):
    return lambda x, y, s: independent(order[x], order[y], tuple(order[v] for v in s))
