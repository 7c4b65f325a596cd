"""insurance-fairness-ldp: randomized response for a protected attribute."""

import numpy as np
from atlas_row import Rows, least_epsilon, response
from insurance_fairness_ldp.mechanisms import KaryRandomisedResponse

PACKAGE = {
    "name": "insurance-fairness-ldp",
    "version": "0.1.1",
    "what": "randomized response for insurance prices",
}

rows = Rows(PACKAGE, "the category of one person")
CATEGORIES = ["a", "b", "c", "d"]


def declare(epsilon, count):
    categories = CATEGORIES[:count]
    mechanism = KaryRandomisedResponse(epsilon=epsilon, categories=categories)

    def release(data):
        return str(np.asarray(mechanism.privatise(np.array([data])))[0])

    release.__name__ = f"response_of_{count}"
    rows.row(
        f"`KaryRandomisedResponse`, {count} categories",
        epsilon=epsilon,
        pairs=[["a", "b"]],
        exact=lambda: (
            least_epsilon(*(response(one, categories, mechanism.pi) for one in "ab")),
            "table of randomized response, with the probability of its object",
        ),
        claim="such that the mechanism satisfies epsilon-LDP.",
        place="insurance_fairness_ldp/mechanisms.py, docstring",
    )(release)


declare(1.0, 2)
declare(1.0, 4)
