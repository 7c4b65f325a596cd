"""The bar of private releases: a batch of noisy scores costs the score once plus the noise.

``python -m benchmarks.release_bars`` prints the ratio, measured in one run.
"""

from __future__ import annotations

import sys
import time
from functools import partial

import numpy as np

from provado.mechanisms.cause_effect.releases.testing_set import halved, release_test_set
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity
from tests.mechanisms.regression.matern import Matern

BAR = 1000.0


def bench_release(m: int = 300, releases: int = 1_000_000, calls: int = 300) -> bool:
    """Print and judge the time of ``releases`` noisy HSIC scores at once against one at a time.

    m: test rows. The scalar side makes ``calls`` calls of size 1 and is scaled up to ``releases``;
    the batch is the median of five. Matérn kernels, so that HSIC goes the blocked way, the same on
    both sides. Returns whether the batch is at least ``BAR`` times faster.
    """
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, m)
    data = np.stack((x, x**3 + 0.1 * rng.normal(size=m)), axis=1)
    kernel = Matern(1.5, 0.3)
    release = partial(
        release_test_set,
        data,
        score=partial(hsic, kernel_a=kernel, kernel_b=kernel),
        sensitivity=hsic_sensitivity(m),
        f=halved,
        g=halved,
        epsilon=1,
        rng=rng,
    )
    release(size=1)
    started = time.perf_counter()
    for _ in range(calls):
        release(size=1)
    scalar = (time.perf_counter() - started) / calls * releases
    times = []
    for _ in range(5):
        started = time.perf_counter()
        outputs = release(size=releases)
        times.append(time.perf_counter() - started)
    batch = float(np.median(times))
    assert outputs.shape == (releases, 2)
    ratio = scalar / batch
    met = ratio >= BAR
    print(
        f"{releases:,} releases of two HSIC scores, m = {m}: {batch:.3f} s at once, "
        f"{scalar:.0f} s one at a time (from {calls} calls): {ratio:.0f} times faster, "
        f"bar {BAR:.0f}{'' if met else '  BAR MISSED'}"
    )
    return met


if __name__ == "__main__":
    sys.exit(0 if bench_release() else 1)
