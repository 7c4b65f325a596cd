"""The adapter of smartnoise-sql: a query of a ``PrivateReader``, on data frames.

The reader takes no seed, and needs a tenth of a second or more for a query.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter
from provado.mechanisms.adapters.diffprivlib import promise_of


class SmartnoiseSqlAdapter:
    """Takes a private reader over any data: its metadata and budget are used, not its data."""

    name = "smartnoise_sql"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is a ``PrivateReader``."""
        return adapter.comes_from(obj, "snsql") and all(
            hasattr(obj, each) for each in ("execute", "get_privacy_cost", "metadata", "privacy")
        )

    def to_mechanism(
        self,
        obj: Any,
        *,
        pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
        relation: dp.NeighboringRelation | None = None,
        name: str | None = None,
        sql: str | None = None,
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
            promise_of(float(epsilon), float(delta)),
            name=name or adapter.default_name(self.name, obj),
            pairs=pairs,
            relation=dp.AddOrRemoveOne() if relation is None else relation,
            summary=sql,
            source=adapter.cite("smartnoise-sql", "PrivateReader.execute"),
            seedable=False,
        )

    def releases(self) -> Sequence[dp.Mechanism]:
        """Return none: what is released is what the user asks for."""
        return ()


@dataclass(frozen=True, eq=False)
class Query:
    """Answers a query of a reader on other data, with its metadata and its budget a query."""

    reader: adapter.LiveObject
    sql: str

    def __call__(
        self, data: dp.Dataset, *, size: int | None = None, rng: Generator | None = None
    ) -> dp.Output:
        """Return the rows of one answer, or a list of ``size`` answers; ``rng`` has no effect."""
        del rng
        given, library = self.reader(), adapter.load("snsql")
        budget = library.Privacy(epsilon=given.privacy.epsilon, delta=given.privacy.delta)
        with adapter.without_deprecations():
            reader = library.from_df(data, privacy=budget, metadata=given.metadata)
            answers = [reader.execute(self.sql)[1:] for _ in range(1 if size is None else size)]
        return answers[0] if size is None else answers


ADAPTER = SmartnoiseSqlAdapter()
