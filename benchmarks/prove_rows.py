"""The algorithms of dpest's report, written anew in Provado's language from their specifications.

Sources: of the noisy histograms and maxima Ding, Wang, Wang, Zhang and Kifer, Detecting Violations
of Differential Privacy (2018), Algorithms 5 to 10; of sparse vectors Lyu, Su and Li, Understanding
the Sparse Vector Technique (2017), Algorithms 1 to 6, with the cut-offs of Bichsel, Steffen,
Bogunovic and Vechev, DP-Sniper (2021): 1, and 2 for numerical_svt and svt_3_and_4; of the numerical
sparse vector and the prefix sum Wang et al., Proving Differential Privacy with Shadow Execution
(2019); of RAPPOR Erlingsson, Pihur and Korolova (2014); of the geometric mechanism Balcer and
Vadhan (2018), Algorithm 4.8; of the sum of two maxima the report's repository (tak-ka3/dpest-v2).
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from provado.mechanisms.programs import argmax, bernoulli, exponential, laplace, output


def noisy_histogram(q, epsilon):
    for x in q:
        output(x + laplace(1 / epsilon))


def noisy_histogram_wrong_scale(q, epsilon):
    for x in q:
        output(x + laplace(epsilon))


def noisy_max_laplace(q, epsilon):
    output(argmax(x + laplace(2 / epsilon) for x in q))


def noisy_max_exponential(q, epsilon):
    output(argmax(x + exponential(2 / epsilon) for x in q))


def noisy_max_value_laplace(q, epsilon):
    output(max(x + laplace(2 / epsilon) for x in q))


def noisy_max_value_exponential(q, epsilon):
    output(max(x + exponential(2 / epsilon) for x in q))


def laplace_mechanism(x: float, epsilon):
    output(x + laplace(1 / epsilon))


def laplace_parallel(x: float, epsilon):
    for _ in range(20):
        output(x + laplace(20 / epsilon))


def svt_1(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        if x + laplace(4 * count / epsilon) >= noisy_threshold:
            output(True)
            found += 1
            if found >= count:
                break
        else:
            output(False)


def svt_2(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(2 * count / epsilon)
    found = 0
    for x in q:
        if x + laplace(4 * count / epsilon) >= noisy_threshold:
            output(True)
            found += 1
            if found >= count:
                break
            noisy_threshold = threshold + laplace(2 * count / epsilon)
        else:
            output(False)


def svt_3(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        noisy = x + laplace(2 * count / epsilon)
        if noisy >= noisy_threshold:
            output(noisy)
            found += 1
            if found >= count:
                break
        else:
            output(False)


def svt_4(q, epsilon, threshold, count: int):
    assert count >= 1
    noisy_threshold = threshold + laplace(4 / epsilon)
    found = 0
    for x in q:
        if x + laplace(4 / (3 * epsilon)) >= noisy_threshold:
            output(True)
            found += 1
            if found >= count:
                break
        else:
            output(False)


def svt_5(q, epsilon, threshold):
    noisy_threshold = threshold + laplace(2 / epsilon)
    for x in q:
        output(x >= noisy_threshold)


def svt_6(q, epsilon, threshold):
    noisy_threshold = threshold + laplace(2 / epsilon)
    for x in q:
        output(x + laplace(2 / epsilon) >= noisy_threshold)


def numerical_svt(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(3 / epsilon)
    found = 0
    for x in q:
        if x + laplace(6 * count / epsilon) >= noisy_threshold:
            output(x + laplace(3 * count / epsilon))
            found += 1
            if found >= count:
                break
        else:
            output(False)


def prefix_sum(q, epsilon):
    total = 0.0
    for x in q:
        total += x + laplace(1 / epsilon)
        output(total)


def svt_3_and_4(q, epsilon, threshold, count: int):
    noisy_threshold = threshold + laplace(2 / epsilon)
    found = 0
    for x in q:
        noisy = x + laplace(2 * count / epsilon)
        if noisy >= noisy_threshold:
            output(noisy)
            found += 1
            if found >= count:
                break
        else:
            output(False)
    again = threshold + laplace(4 / epsilon)
    other = 0
    for x in q:
        if x + laplace(4 / (3 * epsilon)) >= again:
            output(True)
            other += 1
            if other >= count:
                break
        else:
            output(False)


def one_time_rappor(q, f=0.95):
    for x in q:
        if bernoulli(f):
            output(bernoulli(1 / 2))
        else:
            output(x)


def rappor(q, f=0.75, p=0.45, q1=0.55):
    for x in q:
        bit = x
        if bernoulli(f):
            bit = bernoulli(1 / 2)
        if bit > 0:
            output(bernoulli(q1))
        else:
            output(bernoulli(p))


def truncated_geometric(x: int, epsilon):
    # Of noise z ≠ 0 each sign has e^(−ε)/(1 + e^(−ε)), and |z| − 1 ≥ k has e^(−ε·k).
    y = x
    if bernoulli(math.exp(-epsilon) / (1 + math.exp(-epsilon))):
        y -= 1
        for _ in range(4):
            if bernoulli(math.exp(-epsilon)):
                y -= 1
            else:
                break
    elif bernoulli(math.exp(-epsilon)):
        y += 1
        for _ in range(4):
            if bernoulli(math.exp(-epsilon)):
                y += 1
            else:
                break
    output(max(0, min(5, y)))


def noisy_max_sum(q, epsilon, first: int):
    assert first >= 1
    one = 0.0
    other = 0.0
    for i, x in enumerate(q):
        noisy = x + laplace(1 / epsilon)
        if i < first:
            if i == 0 or noisy > one:
                one = noisy
        elif i == first or noisy > other:
            other = noisy
    output(one + other)
