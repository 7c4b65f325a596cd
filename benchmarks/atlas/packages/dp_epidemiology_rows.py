"""dp-epidemiology: sums of payments by place and week."""

import warnings
from datetime import datetime, timedelta

import pandas as pd
from atlas_row import Rows, counted
from DP_epidemiology.hotspot_analyzer import hotspot_analyzer

PACKAGE = {
    "name": "dp-epidemiology",
    "version": "0.1.1",
    "what": "sums of payments by place and time",
}

warnings.simplefilter("ignore")
rows = Rows(PACKAGE, "replace-one: the record of one merchant, with at most 600 payments")
START = datetime(2021, 1, 1)
PAIR = [[10, 20, 5], [10, 20, 505]]


def period(days, key):
    """Declare the payments by postal code within some days, with ε = 1."""

    def release(data):
        table = pd.DataFrame(
            {
                "merch_postal_code": ["500001", "500002", "500001"],
                "date": ["2021-01-02", "2021-01-03", "2021-01-04"],
                "transaction_type": ["OFFLINE"] * 3,
                "nb_transactions": data,
            }
        )
        found = hotspot_analyzer(table, START, START + timedelta(days=days), "Medellin", 1.0)
        return [int(one) for one in found["nb_transactions"]]

    release.__name__ = key
    rows.row(
        f"`hotspot_analyzer`, {days} days",
        epsilon=1.0,
        pairs=[PAIR],
        claim="Epsilon Budget: The epsilon spent for each query is ``∈``.",
        place="README, Hotspot Detection",
        # Less than seven days are no time steps, and the scale is their number times a constant.
        check=lambda: counted(release, PAIR, lambda out: out == [15, 20], runs=500),
    )(release)


period(6, "six_days")
period(14, "two_weeks")
