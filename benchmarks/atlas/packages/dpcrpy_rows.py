"""dpcrpy: continual release of sums."""

from atlas_row import Rows
from dpcrpy.framework.noiMech import LapNoiMech

PACKAGE = {"name": "dpcrpy", "version": "1.0.0", "what": "continual release of sums"}

rows = Rows(PACKAGE)


def laplace(data):
    return float(data + LapNoiMech(epsilon=1.0).genNoise())


def coarse(data):
    return round(laplace(data), 4)


rows.noise(
    "`LapNoiMech`",
    laplace,
    claim="Laplace Mechanism with L{self.getSensType()} Sensitivity",
    place="dpcrpy/framework/noiMech.py, LapNoiMech.__str__",
)
rows.noise(
    "`LapNoiMech`, rounded to four decimals",
    coarse,
    claim="Laplace Mechanism with L{self.getSensType()} Sensitivity",
    place="dpcrpy/framework/noiMech.py, LapNoiMech.__str__",
)
