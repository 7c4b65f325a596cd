"""The programs of CheckDP's examples, written anew in Provado's language from its specifications.

Source: Wang, Ding, Kifer and Zhang, CheckDP: An Automated and Integrated Approach for Proving
Differential Privacy or Finding Precise Counterexamples (2020); the seventeen examples of
github.com/cmla-psu/checkdp. Each has its neighbors, its claim, and whether the claim holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from provado.mechanisms.programs import argmax, laplace, output


@dataclass(frozen=True)
class Case:
    """A program with its claim: neighbors move by at most 1, ``neighbors`` says which of them."""

    program: Callable[..., Any]
    neighbors: str
    claim: str
    holds: bool


def sparse_vector(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        if x + laplace(4 * count / epsilon) >= noisy_threshold:
            output(True)
            found += 1
        else:
            output(False)
        if found >= count:
            break


def sparse_vector_monotone(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        if x + laplace(2 * count / epsilon) >= noisy_threshold:
            output(True)
            found += 1
        else:
            output(False)
        if found >= count:
            break


def sparse_vector_with_gap(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        noisy = x + laplace(4 * count / epsilon)
        if noisy >= noisy_threshold:
            output(noisy - noisy_threshold)
            found += 1
        else:
            output(False)
        if found >= count:
            break


def numeric_sparse_vector(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(3 / epsilon)
    found = 0
    for x in q:
        if x + laplace(6 * count / epsilon) >= noisy_threshold:
            output(x + laplace(3 * count / epsilon))
            found += 1
        else:
            output(False)
        if found >= count:
            break


def adaptive_sparse_vector(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    # Spent are units of epsilon/(4·count): one for an answer far above, two for one just above.
    noisy_threshold = threshold + laplace(2 / epsilon)
    spent = 0
    for x in q:
        far = x + laplace(8 * count / epsilon) - noisy_threshold
        if far >= 16:
            output(far)
            spent += 1
        else:
            near = x + laplace(4 * count / epsilon) - noisy_threshold
            if near >= 0:
                output(near)
                spent += 2
            else:
                output(False)
        if spent > 2 * count - 2:
            break


def noisy_max(q, epsilon):  # type: ignore[no-untyped-def]
    best = 0
    largest = 0.0
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if i == 0 or noisy > largest:
            best = i
            largest = noisy
    output(best)


def noisy_argmax(q, epsilon):  # type: ignore[no-untyped-def]
    output(argmax(x + laplace(2 / epsilon) for x in q))


def partial_sum(q, epsilon):  # type: ignore[no-untyped-def]
    total = 0.0
    for x in q:
        total += x
    output(total + laplace(1 / epsilon))


def prefix_sum(q, epsilon):  # type: ignore[no-untyped-def]
    following = 0.0
    for x in q:
        following += x + laplace(1 / epsilon)
        output(following)


def smart_sum(q, epsilon, block: int, last: int):  # type: ignore[no-untyped-def]
    assert block >= 2
    assert last >= 0
    following = 0.0
    total = 0.0
    for i, x in enumerate(q):
        if i > last:
            break
        if (i + 1) % block == 0:
            following = total + x + laplace(1 / epsilon)
            total = 0.0
        else:
            following += x + laplace(1 / epsilon)
            total += x
        output(following)


def bad_sparse_vector_1(q, epsilon, threshold):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    for x in q:
        output(x >= noisy_threshold)


def bad_sparse_vector_2(q, epsilon, threshold):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    for x in q:
        output(x + laplace(2 / epsilon) >= noisy_threshold)


def bad_sparse_vector_3(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(4 / epsilon)
    found = 0
    for x in q:
        if x + laplace(4 / (3 * epsilon)) >= noisy_threshold:
            output(True)
            found += 1
        else:
            output(False)
        if found >= count:
            break


def bad_sparse_vector_with_gap(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        noisy = x + laplace(4 * count / epsilon)
        if noisy >= noisy_threshold:
            output(noisy)
            found += 1
        else:
            output(False)
        if found >= count:
            break


def bad_adaptive_sparse_vector(q, epsilon, threshold, count: int):  # type: ignore[no-untyped-def]
    noisy_threshold = threshold + laplace(2 / epsilon)
    spent = 0
    for x in q:
        far = x + laplace(8 * count / epsilon)
        if far - noisy_threshold >= 16:
            output(far)
            spent += 1
        else:
            near = x + laplace(4 * count / epsilon) - noisy_threshold
            if near >= 0:
                output(near)
                spent += 2
            else:
                output(False)
        if spent > 2 * count - 2:
            break


def bad_noisy_max(q, epsilon):  # type: ignore[no-untyped-def]
    largest = 0.0
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if i == 0 or noisy > largest:
            largest = noisy
    output(largest)


def bad_partial_sum(q, epsilon):  # type: ignore[no-untyped-def]
    total = 0.0
    for x in q:
        total += x
    output(total + laplace(1 / (2 * epsilon)))


def bad_smart_sum(q, epsilon, block: int, last: int):  # type: ignore[no-untyped-def]
    assert block >= 2
    assert last >= 0
    following = 0.0
    total = 0.0
    for i, x in enumerate(q):
        if i > last:
            break
        if (i + 1) % block == 0:
            following = total + x
            total = 0.0
        else:
            following += x + laplace(1 / epsilon)
            total += x
        output(following)


def histogram(q, epsilon):  # type: ignore[no-untyped-def]
    for x in q:
        output(x + laplace(1 / epsilon))


CHECKDP = (
    Case(sparse_vector, "all", "epsilon", True),
    Case(sparse_vector_monotone, "increasing", "epsilon", True),
    Case(sparse_vector_monotone, "decreasing", "epsilon", True),
    Case(sparse_vector_with_gap, "all", "epsilon", True),
    Case(numeric_sparse_vector, "all", "epsilon", True),
    Case(adaptive_sparse_vector, "all", "epsilon", True),
    Case(noisy_max, "all", "epsilon", True),
    Case(partial_sum, "one", "epsilon", True),
    Case(smart_sum, "one", "2*epsilon", True),
    Case(bad_sparse_vector_1, "all", "epsilon", False),
    Case(bad_sparse_vector_2, "all", "epsilon", False),
    Case(bad_sparse_vector_3, "all", "epsilon", False),
    Case(bad_sparse_vector_with_gap, "all", "epsilon", False),
    Case(bad_adaptive_sparse_vector, "all", "epsilon", False),
    Case(bad_noisy_max, "all", "epsilon", False),
    Case(bad_partial_sum, "one", "epsilon", False),
    Case(bad_smart_sum, "one", "2*epsilon", False),
)
"""The seventeen."""

MORE = (
    Case(noisy_argmax, "all", "epsilon", True),
    Case(prefix_sum, "one", "epsilon", True),
    Case(histogram, "one", "epsilon", True),
)
"""Others that the papers on CheckDP and ShadowDP prove, or the same in other words."""
