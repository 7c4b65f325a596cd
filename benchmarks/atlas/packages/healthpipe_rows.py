"""healthpipe: private statistics of clinical records."""

from atlas_row import Rows
from healthpipe.privacy.differential import GaussianMechanism, LaplaceMechanism

PACKAGE = {"name": "healthpipe", "version": "0.1.0", "what": "statistics of clinical records"}

rows = Rows(PACKAGE)
HERE = "healthpipe/privacy/differential.py, docstring of "
GAUSSIAN = "Add Gaussian noise for (epsilon, delta)-differential privacy."


def laplace(data):
    return LaplaceMechanism(1.0, 1.0).release(data)


def gaussian(data):
    return GaussianMechanism(1.0, 0.5, 0.01).release(data)


rows.noise(
    "`LaplaceMechanism`",
    laplace,
    claim="The Laplace mechanism satisfies pure (epsilon, 0)-differential privacy.",
    place=HERE + "LaplaceMechanism",
)
rows.noise(
    "`GaussianMechanism`",
    gaussian,
    epsilon=0.5,
    delta=0.01,
    claim=GAUSSIAN,
    place=HERE + "GaussianMechanism",
)
for epsilon in (1.0, 20.0):
    rows.accountant(
        f"`GaussianMechanism`, ε = {epsilon:g}",
        epsilon=epsilon,
        delta=1e-5,
        mechanism={"kind": "gaussian", "sigma": float(GaussianMechanism(1.0, epsilon).sigma)},
        claim="Uses the analytic Gaussian mechanism calibration.",
        place=HERE + "GaussianMechanism",
    )
