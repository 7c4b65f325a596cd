"""pure-ldp: frequency oracles of local differential privacy."""

import math

import xxhash
from atlas_row import Rows, bits, counted, least_epsilon, response
from pure_ldp.core import generate_hash_funcs
from pure_ldp.frequency_oracles.apple_cms import CMSClient
from pure_ldp.frequency_oracles.direct_encoding import DEClient
from pure_ldp.frequency_oracles.hadamard_mechanism import HadamardMechClient
from pure_ldp.frequency_oracles.hadamard_response import HadamardResponseClient
from pure_ldp.frequency_oracles.histogram_encoding import HEClient
from pure_ldp.frequency_oracles.local_hashing import FastLHClient, LHClient
from pure_ldp.frequency_oracles.priv_count_sketch import PCSClient
from pure_ldp.frequency_oracles.rappor import RAPPORClient
from pure_ldp.frequency_oracles.unary_encoding import UEClient

PACKAGE = {
    "name": "pure-ldp",
    "version": "1.2.0",
    "what": "frequency oracles of local differential privacy",
    "requirements": (
        "numpy",
        "scipy",
        "xxhash==3.5.0",
        "bitarray",
        "bitstring",
        "scikit-learn",
        "statsmodels",
        "matplotlib",
        "seaborn",
    ),
}

rows = Rows(PACKAGE, "the value of one person")
DOMAIN = 6
PAIR = [1, 2]
SKETCH = "epsilon (float): Privacy Budget Epsilon"


def plain(answer):
    """Return an answer as numbers, whatever sequence it is."""
    if hasattr(answer, "__len__") or hasattr(answer, "__next__"):
        return [plain(one) for one in answer]
    return round(float(answer), 4)


def hashed(buckets):
    """Return what an observer of an answer and of the seed of its hash knows of both values."""

    def read(answer):
        value, seed = answer
        hashes = (xxhash.xxh32(str(x - 1), seed=seed).intdigest() % buckets for x in PAIR)
        return [bool(one == value) for one in hashes]

    return read


def oracle(name, client, key, claim, *, exact=None, read=plain, pair=None, check=None):
    """Declare a client: what it sends for the value of one person."""

    def release(data):
        return read(client.privatise(data))

    release.__name__ = key
    pair = pair or PAIR
    rows.row(
        f"`{name}`",
        epsilon=1.0,
        pairs=[pair],
        exact=exact,
        claim=claim,
        place=f"docstring of {type(client).__name__}",
        check=check and check(release, pair),
    )(release)


def of_response():
    """Return the ε of randomized response by its formula."""
    kept = math.e / (math.e + DOMAIN - 1)
    tables = [response(one, range(DOMAIN), kept) for one in (0, 1)]
    return least_epsilon(*tables), "table of randomized response, by its formula"


def of_kind(answer):
    """Return what was sent, with the name of its type as Python shows it."""
    return [type(answer).__name__, plain(answer)]


def by_kind(release, pair):
    """Confirm that an answer of another type never holds the coefficients of the value itself."""

    def event(answer):
        kind, sent = answer
        # The first value has index 0, whose coefficients are all 1.
        return kind == "zip" and all(sign == 1 for _, sign in sent)

    return lambda: counted(release, pair[::-1], event)


half = math.exp(0.5) / (math.exp(0.5) + 1)
UNARY = "epsilon: float - privacy budget"
oracle(
    "DEClient",
    DEClient(1.0, DOMAIN),
    "direct",
    "epsilon: optional - privacy budget",
    exact=of_response,
)
oracle("UEClient", UEClient(1.0, DOMAIN), "unary", UNARY, exact=bits(half))
oracle(
    "UEClient, use_oue=True",
    UEClient(1.0, DOMAIN, use_oue=True),
    "unary_optimised",
    UNARY,
    exact=bits(0.5, 1 / (math.e + 1)),
)
oracle(
    "HEClient",
    HEClient(1.0, DOMAIN),
    "histogram",
    "epsilon: float - the privacy budget",
    exact=lambda: (1.0, "Laplace noise of scale 2 on two numbers that move by 1"),
)
HASHING = "epsilon: float - The privacy budget"
oracle("LHClient", LHClient(1.0, DOMAIN), "hashing", HASHING, read=hashed(2))
oracle(
    "LHClient, use_olh=True",
    LHClient(1.0, DOMAIN, use_olh=True),
    "hashing_optimised",
    HASHING,
    read=hashed(4),
)
oracle("FastLHClient", FastLHClient(1.0, DOMAIN, 20), "hashing_fast", HASHING, read=hashed(2))
oracle(
    "HadamardResponseClient",
    HadamardResponseClient(1.0, DOMAIN, None),
    "hadamard_response",
    "epsilon: privacy budget",
)
for optimal in (False, True):
    oracle(
        f"HadamardMechClient, t=2{', use_optimal_t=True' * optimal}",
        HadamardMechClient(1.0, DOMAIN, 2, use_optimal_t=optimal),
        f"hadamard_mechanism_{optimal}",
        "Privatises given data item using the hadamard mechanism",
    )
oracle(
    "HadamardMechClient, t=2, with the type of the answer",
    HadamardMechClient(1.0, DOMAIN, 2),
    "hadamard_mechanism_type",
    "Privatises given data item using the hadamard mechanism",
    read=of_kind,
    check=by_kind,
)
HASHES = generate_hash_funcs(4, 16)
oracle("CMSClient", CMSClient(1.0, HASHES, 16), "count_mean_sketch", SKETCH)
oracle(
    "CMSClient, is_hadamard=True",
    CMSClient(1.0, HASHES, 16, is_hadamard=True),
    "hadamard_sketch",
    SKETCH,
)
pairs_of_hashes = list(zip(generate_hash_funcs(4, 16), generate_hash_funcs(4, 2)))  # noqa: B905
oracle("PCSClient", PCSClient(1.0, 4, 16, pairs_of_hashes), "count_sketch", SKETCH)


def bloom(functions):
    """Return a RAPPOR client of one cohort whose ``f`` the package derives from ε = 1."""
    client = RAPPORClient(0.5, 16, [generate_hash_funcs(functions, 16)], num_of_cohorts=1)
    client.update_params(f=client.convert_eps_to_f(1.0), hash_funcs=client.hash_family)
    return client


def by_bloom(release, pair):
    """Confirm that a bit of the value itself is never 0: a 1 that is not kept stays 1, too."""
    own = {f(str(pair[0] - 1)) for f in generate_hash_funcs(1, 16)}

    def event(answer):
        return not all(answer[0][place] for place in own)

    return lambda: counted(release, pair[::-1], event)


for functions in (1, 2):
    oracle(
        f"RAPPORClient, {functions} hash function{'s' * (functions > 1)}, f=convert_eps_to_f(1)",
        bloom(functions),
        f"rappor_{functions}",
        "epsilon: Privacy budget Returns: The equivalent privacy parameter f",
        check=by_bloom,
    )
