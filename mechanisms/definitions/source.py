"""Where a statement, a mechanism or a number comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A published work and the place in it.

    ``work`` names authors, title and year; ``place`` the statement, page or algorithm in it.
    """

    work: str
    place: str

    def words(self) -> str:
        """Return work and place as one line."""
        return f"{self.work}, {self.place}"
