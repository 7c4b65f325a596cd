"""cloakdb: masking of databases, with noise for numeric columns."""

import math
import random

from atlas_row import Rows
from cloakdb.core.context import TransformationContext
from cloakdb.strategies.differential_privacy import DifferentialPrivacyStrategy

PACKAGE = {"name": "cloakdb", "version": "1.0.0", "what": "masking of databases"}

rows = Rows(PACKAGE)
PLACE = "cloakdb/strategies/differential_privacy.py, docstring"


def masked(value, salt, **options):
    context = TransformationContext("people", "age", 0, salt)
    return DifferentialPrivacyStrategy().transform(value, context, track_budget=False, **options)


def salted(data):
    """Use the default, noise that follows from value and salt; a user has a salt of his own."""
    return masked(data, str(random.getrandbits(128)))


def fresh(data):
    return masked(data, "salt", deterministic=False)


def gaussian(data):
    return masked(data, "salt", deterministic=False, mechanism="gaussian", delta=0.01, epsilon=0.5)


LAPLACE = (
    "Laplace Mechanism provides \\(\\epsilon\\)-Differential Privacy by adding noise drawn from"
)
rows.noise("Laplace noise, a random salt", salted, claim=LAPLACE, place=PLACE)
rows.noise("Laplace noise, `deterministic=False`", fresh, claim=LAPLACE, place=PLACE)
rows.noise(
    "Gaussian noise, `deterministic=False`",
    gaussian,
    epsilon=0.5,
    delta=0.01,
    claim="Gaussian Mechanism provides \\((\\epsilon, \\delta)\\)-Differential Privacy",
    place=PLACE,
)
rows.accountant(
    "Gaussian noise, ε = 20",
    epsilon=20.0,
    delta=1e-5,
    mechanism={"kind": "gaussian", "sigma": math.sqrt(2.0 * math.log(1.25 / 1e-5)) / 20.0},
    claim="sigma = sqrt(2 * ln(1.25 / delta)) * sensitivity / epsilon",
    place="cloakdb/strategies/differential_privacy.py, a comment of transform",
)
