"""dp-sequential-events: logs of events."""

from collections import Counter

import pandas as pd
from atlas_row import Rows, counted
from dp_sequential_events.main.case_sampling import case_sampling

PACKAGE = {"name": "dp-sequential-events", "version": "1.9.1", "what": "logs of events"}

rows = Rows(PACKAGE, "add-or-remove-one case")
CLAIM = "This program implements differential privacy (DP) techniques to anonymize sequential "
CLAIM += "event logs while preserving statistical properties for analysis."
KNOWN, RARE = [["ab"] * 3, ["ab"] * 2], [["ab", "ab", "cd"], ["ab", "ab"]]


def sampled(data):
    """Return how often each pattern is in the log that is released."""
    table = pd.DataFrame(
        [
            (str(case), step, time)
            for case, steps in enumerate(data)
            for time, step in enumerate(steps)
        ],
        columns=["CaseID", "Activity", "Timestamp"],
    )
    released = case_sampling(table, epsilon_d=1.0)[0]
    patterns = released.groupby("CaseID")["Activity"].agg("".join)
    counts = Counter(patterns)
    return [counts["ab"], counts["cd"]]


def row(key, name, pair, check=None):
    def release(data):
        return sampled(data)

    release.__name__ = key
    rows.row(
        name,
        epsilon=1.0,
        pairs=[pair],
        claim=CLAIM,
        place="README",
        check=check and (lambda: counted(release, pair, check, 1000)),
    )(release)


row("known", "`case_sampling`", KNOWN)
# A pattern that no case has gets no noise.
row("rare", "`case_sampling`, a pattern of one case", RARE, lambda out: out[1] > 0)
