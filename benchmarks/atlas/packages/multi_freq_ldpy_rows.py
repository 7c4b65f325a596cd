"""multi-freq-ldpy: frequency protocols of local differential privacy."""

import math

import xxhash
from atlas_row import Rows, bits, counted, least_epsilon, response
from multi_freq_ldpy.pure_frequency_oracles.ADP import ADP_Client
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Client
from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client

PACKAGE = {
    "name": "multi-freq-ldpy",
    "version": "0.2.5",
    "what": "frequency protocols of local differential privacy",
    "requirements": ("numpy", "numba", "scipy", "xxhash"),
}

rows = Rows(PACKAGE, "the value of one person")
DOMAIN = 6


def exact_of(key):
    """Return ``exact`` by the formulas of the protocols."""
    if key == "grr":
        tables = [response(one, range(DOMAIN), math.e / (math.e + DOMAIN - 1)) for one in (0, 1)]
        return lambda: (least_epsilon(*tables), "table of randomized response, by its formula")
    return {
        "oue": bits(0.5, 1 / (math.e + 1)),
        "sue": bits(math.exp(0.5) / (math.exp(0.5) + 1)),
        "he": lambda: (1.0, "Laplace noise of scale 2 on two numbers that move by 1"),
    }.get(key)


def protocol(client, key, *options):
    """Declare a client with ε = 1."""

    def release(data):
        answer = client(data, DOMAIN, 1.0, *options)
        if isinstance(answer, tuple):
            value, seed = answer
            buckets = 2 if False in options else 4
            # What an observer of the answer and of the seed knows of each value.
            return [
                bool(xxhash.xxh32(str(one), seed=seed).intdigest() % buckets == value)
                for one in (0, 1)
            ]
        if not hasattr(answer, "__len__"):
            return int(answer)
        return [round(float(one), 4) for one in answer]

    release.__name__ = key
    rows.row(
        f"`{client.__name__}{', optimal=False' if False in options else ''}`",
        epsilon=1.0,
        pairs=[[0, 1]],
        exact=exact_of(key),
        claim="epsilon: privacy guarantee;",
        place=f"multi_freq_ldpy/pure_frequency_oracles, docstring of {client.__name__}",
        # The order of the subset shows whether the value itself is in it.
        check=(lambda: counted(release, [0, 1], lambda out: out[0] == 0)) if key == "ss" else None,
    )(release)


protocol(GRR_Client, "grr")
protocol(UE_Client, "oue")
protocol(UE_Client, "sue", False)
protocol(SS_Client, "ss")
protocol(HE_Client, "he")
protocol(ADP_Client, "adp")
protocol(LH_Client, "olh")
protocol(LH_Client, "blh", False)
