"""Queries of smartnoise-sql: what a query costs is promised, its rows are released."""

import pandas as pd
import pytest

from provado.audit import audit
from provado.mechanisms import ApproximateDP, UsageError, Verdict
from provado.mechanisms.adapters.plugins import as_mechanism

snsql = pytest.importorskip("snsql")

# Its parser and its connections warn about themselves.
pytestmark = pytest.mark.filterwarnings("ignore")

SQL = "SELECT COUNT(*) AS n, SUM(age) AS s FROM P.People"
AGE = {"type": "int", "lower": 0, "upper": 100}
PEOPLE = {"row_privacy": True, "rows": 4, "censor_dims": False, "age": AGE}
METADATA = {"": {"P": {"People": PEOPLE}}}
TABLE = pd.DataFrame({"age": [10, 20, 30, 40]})


@pytest.fixture
def reader():
    budget = snsql.Privacy(epsilon=1.0, delta=1e-5)
    return snsql.from_df(TABLE, privacy=budget, metadata=METADATA)


def test_a_query_promises_what_it_costs_and_releases_its_rows(reader):
    mechanism = as_mechanism(reader, pairs=[(TABLE, TABLE[:-1])], sql=SQL)
    epsilon, delta = reader.get_privacy_cost(SQL)
    assert mechanism.promise == ApproximateDP(float(epsilon), float(delta))
    assert not mechanism.seedable
    answers = mechanism.run(TABLE, size=3)
    assert [len(rows) for rows in answers] == [1, 1, 1]
    assert [len(row) for (row,) in answers] == [2, 2, 2]
    # Other data than the reader was made with.
    assert mechanism.run(pd.concat([TABLE] * 300))[0][0] > 1000


def test_a_query_is_needed(reader):
    with pytest.raises(UsageError, match="sql is missing"):
        as_mechanism(reader, pairs=[(TABLE, TABLE[:-1])])


def test_an_audit_takes_a_query_at_its_word(reader):
    mechanism = as_mechanism(reader, pairs=[(TABLE, TABLE[:-1])], sql=SQL)
    result = audit(mechanism, samples=40, explore=40)
    assert result.verdict is Verdict.NO_VIOLATION
