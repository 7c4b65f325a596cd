"""synthpriv: synthetic tables; its copula, whose noise is fast enough for an audit."""

import logging
import random
import warnings

import numpy as np
import pandas as pd
from atlas_row import Rows, counted
from synthpriv import PrivacyPreservingSynthesizer
from synthpriv.privacy.mechanisms import DPSGD

PACKAGE = {
    "name": "synthpriv",
    "version": "0.2.1",
    "what": "synthetic tables",
    "requirements": ("torch==2.13.0",),
}

warnings.simplefilter("ignore")
logging.disable(logging.INFO)
rows = Rows(PACKAGE, "replace-one: two tables of twenty rows that differ in one")
ORDERED = [[i / 20, i / 20] for i in range(20)]
PAIR = [ORDERED, [*ORDERED[:-1], [0.0, 0.95]]]


def copula(key, words, **options):
    """Declare the copula with ε = 1 and public bounds; it releases a correlation."""

    def release(data):
        made = PrivacyPreservingSynthesizer(
            generator_key="dp-copula",
            generator_kwargs={
                "privacy": DPSGD(epsilon=1.0, delta=1e-5),
                "bounds": {"a": (0.0, 1.0), "b": (0.0, 1.0)},
            },
            **{name: draw() for name, draw in options.items()},
        )
        found = made.generate(pd.DataFrame(data, columns=["a", "b"]), num_rows=50)
        return round(float(np.corrcoef(found["a"], found["b"])[0, 1]), 4)

    def repeated():
        """Count how often the output is the one that was seen first on the first table."""
        first = release(PAIR[0])
        return counted(release, PAIR, lambda out: out == first, runs=500)

    release.__name__ = key
    rows.row(
        f"`dp-copula`, {words}",
        epsilon=1.0,
        pairs=[PAIR],
        claim="with **pure DP** (δ=0, all sub-mechanisms are Laplace).",
        place="README, dp-copula",
        # Without `random_state`, the seed of the noise is 0: the same table gives the same output.
        check=repeated,
    )(release)


copula("copula", "`random_state` not given")
copula("copula_seeded", "a fresh `random_state`", random_state=lambda: random.randrange(2**31))
