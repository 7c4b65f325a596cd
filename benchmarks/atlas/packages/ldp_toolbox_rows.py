"""ldp-toolbox: frequency protocols of local differential privacy."""

import xxhash
from atlas_row import Rows, bits, least_epsilon, response
from ldp_toolbox.protocols.frequency.grr import GeneralizedRandomizedResponse
from ldp_toolbox.protocols.frequency.he import HistogramEncoding
from ldp_toolbox.protocols.frequency.lh import LocalHashing
from ldp_toolbox.protocols.frequency.ss import SubsetSelection
from ldp_toolbox.protocols.frequency.ue import UnaryEncoding

PACKAGE = {
    "name": "ldp-toolbox",
    "version": "0.1.3",
    "what": "frequency protocols of local differential privacy",
    "alone": True,
    "requirements": ("numpy", "scipy", "numba", "xxhash", "joblib"),
}

rows = Rows(PACKAGE, "the value of one person")
DOMAIN = 8
PAIR = [[0, 1], [0, 7]]
ANSWERS = {
    "grr": (GeneralizedRandomizedResponse(DOMAIN, 1.0), "GeneralizedRandomizedResponse"),
    "ss": (SubsetSelection(DOMAIN, 1.0), "SubsetSelection"),
    "ue": (UnaryEncoding(DOMAIN, 1.0), "UnaryEncoding"),
    "ue_symmetric": (UnaryEncoding(DOMAIN, 1.0, False), "UnaryEncoding, optimal=False"),
    "he": (HistogramEncoding(DOMAIN, 1.0), "HistogramEncoding"),
}
SAYS = {
    "grr": "The privacy budget, which determines the strength of the privacy guarantee.",
    "ss": "Derived from the privacy budget epsilon.",
    "ue": "The privacy budget, which determines the strength of the privacy guarantee.",
    "ue_symmetric": "The privacy budget, which determines the strength of the privacy guarantee.",
    "he": "Privacy guarantee. Must be a positive numerical value.",
}


def exact_of(key, made):
    """Return ``exact`` by the probabilities of the object, where they say all."""
    if key.startswith("ue"):
        return bits(made.p, made.q)
    if key == "grr":
        values = range(DOMAIN)
        tables = [response(one, values, made.p) for one in (0, 1)]
        return lambda: (least_epsilon(*tables), "table of randomized response")
    return None


def protocol(key, made, name):
    """Declare one protocol with ε = 1."""

    def release(data):
        return [int(one) for one in made.obfuscate(data)]

    def single(data):
        return int(made.obfuscate(data))

    chosen = single if key == "grr" else release
    chosen.__name__ = key
    rows.row(
        f"`{name}`",
        epsilon=1.0,
        pairs=PAIR,
        exact=exact_of(key, made),
        claim=SAYS[key],
        place=f"ldp_toolbox/protocols/frequency/{key.partition('_')[0]}.py, epsilon",
    )(chosen)


for one, (mechanism, title) in ANSWERS.items():
    protocol(one, mechanism, title)


@rows.row(
    "`LocalHashing`",
    epsilon=1.0,
    pairs=[[0, 1]],
    claim="The privacy budget for the LDP mechanism.",
    place="ldp_toolbox/protocols/frequency/lh.py, epsilon",
)
def hashing(data):
    made = LocalHashing(DOMAIN, 1.0)
    answer, seed = made.obfuscate(data)
    seen = [xxhash.xxh32(str(value), seed=seed).intdigest() % made.g for value in (0, 1)]
    # What an observer of the answer and of the seed knows of the two values.
    return [int(answer == seen[0]), int(answer == seen[1])]
