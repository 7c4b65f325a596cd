"""The adapter of smartnoise-sql: a query of a ``PrivateReader``, on data frames.

The reader takes no seed, and needs a tenth of a second or more for a query.
"""

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter


class SmartnoiseSqlAdapter(adapter.LibraryAdapter):
    """Takes a private reader over any data: its metadata and budget are used, not its data."""

    name = "smartnoise_sql"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is a ``PrivateReader``."""
        return adapter.comes_from(obj, "snsql") and all(
            hasattr(obj, each) for each in ("execute", "get_privacy_cost", "metadata", "privacy")
        )

    def adapted(
        self, obj: Any, relation: adapter.Neighbors, *, sql: str | None = None, **stated: Any
    ) -> dp.Mechanism:
        """Return a query as a mechanism that promises what the reader says that it costs.

        A dataset is a data frame, the one table of the metadata. A release is the list of rows.
        relation: by default add-or-remove-one, for metadata with one row a privacy unit.
        sql: the query.
        """
        if sql is None:
            raise dp.UsageError("sql is missing: a reader releases the answer to a query")
        with adapter.without_deprecations():
            epsilon, delta = obj.get_privacy_cost(sql)
        return adapter.library_release(
            Query(adapter.LiveObject(obj), sql),
            adapter.stated_promise(float(epsilon), float(delta)),
            relation=dp.AddOrRemoveOne() if relation is None else relation,
            summary=sql,
            source=adapter.cite("smartnoise-sql", "PrivateReader.execute"),
            seedable=False,
            **stated,
        )


@dataclass(frozen=True, eq=False)
class Query(adapter.LibraryRun):
    """Answers a query of a reader on other data, with its metadata and its budget a query."""

    reader: adapter.LiveObject
    sql: str
    stacks = False

    def draws(self, data: dp.Dataset, count: int, _rng: Generator | None) -> list[Any]:
        """Return the rows of each answer."""
        given, library = self.reader(), adapter.load("snsql")
        budget = library.Privacy(epsilon=given.privacy.epsilon, delta=given.privacy.delta)
        with adapter.without_deprecations():
            reader = library.from_df(data, privacy=budget, metadata=given.metadata)
            return [reader.execute(self.sql)[1:] for _ in range(count)]


ADAPTER = SmartnoiseSqlAdapter()
