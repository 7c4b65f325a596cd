"""The exact profile of k randomised responses, which no ε-DP composition exceeds."""

import math


def true_delta(epsilon_each, k, epsilon):
    """Return Σ max(0, P(j) − e^ε Q(j)) over the number j of true answers, one term at a time."""
    p = 1 / (1 + math.exp(-epsilon_each))
    total = 0.0
    for j in range(k + 1):
        ways = math.comb(k, j)
        first = ways * p**j * (1 - p) ** (k - j)
        second = ways * (1 - p) ** j * p ** (k - j)
        total += max(0.0, first - math.exp(epsilon) * second)
    return total
