"""aion-clinical: noisy counts and means of cohorts, beside much else on clinical events."""

from aion.privacy.dp import DPQueryEngine, LocalDP, PrivacyBudget
from atlas_row import Rows, by_low_bits

PACKAGE = {
    "name": "aion-clinical",
    "version": "2.0.7",
    "what": "noisy counts and means of cohorts",
    "requirements": ("numpy",),
    "alone": True,
}

rows = Rows(PACKAGE, "counts that differ by one patient")
CLAIM = {
    "claim": "Alle Einzelergebnisse sind epsilon-DP-geschuetzt.",
    "place": "aion/federation/federated.py, interpretation",
}
COUNTS = [1.0, 2.0]
VALUES = [[0.0, 50.0, 100.0, 100.0], [0.0, 50.0, 100.0, 0.0]]


def engine():
    return DPQueryEngine(PrivacyBudget(1.0))


def cohort_count(data):
    return engine().cohort_count(int(data)).noisy_value


def mean_value(data):
    return engine().mean_value(sum(data) / len(data), len(data), 0.0, 100.0).noisy_value


def local_count(data):
    return LocalDP(1.0).release_local_count(int(data))


for name, release, pair in (
    ("`DPQueryEngine.cohort_count`", cohort_count, COUNTS),
    ("`LocalDP.release_local_count`", local_count, COUNTS),
    ("`DPQueryEngine.mean_value`", mean_value, VALUES),
):
    relation = None if pair is COUNTS else "replace-one: four values within the bounds"
    check = by_low_bits(release, pair)
    rows.row(name, epsilon=1.0, pairs=[pair], relation=relation, check=check, **CLAIM)(release)


@rows.row(
    "`DPQueryEngine.cohort_count`, what it returns as a whole",
    epsilon=1.0,
    pairs=[[1, 2]],
    **CLAIM,
)
def whole_result(data):
    return engine().cohort_count(data).to_dict()
