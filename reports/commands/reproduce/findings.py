"""What an experiment found: tables, figures, and what the paper says beside what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows of cells under their heads; a number is shown with ``digits`` significant digits.

    name: of its file. caption: what it shows, and with what settings. Raises ``ValueError`` for a
    row that is not as long as the head.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"table {self.name}: {len(self.head)} heads, but a row {row!r}")


@dataclass(frozen=True)
class Curve:
    """Points joined by a line. spread: of each point, to either side; may be empty.

    color: 0, 1, …: curves of one color belong together. dashed: as the second of such. printed:
    whether these numbers are the paper's own.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    spread: tuple[float, ...] = ()
    color: int = 0
    dashed: bool = False
    printed: bool = False


@dataclass(frozen=True)
class Panel:
    """One coordinate system. levels: horizontal lines, by label. limits: of the y-axis."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    log_x: bool = False
    levels: tuple[tuple[str, float], ...] = ()
    limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class Figure:
    """Panels in rows of ``columns``."""

    name: str
    caption: str
    panels: tuple[Panel, ...]
    columns: int = 2


@dataclass(frozen=True)
class Comparison:
    """One thing that the paper says, beside what was measured.

    printed: what the paper says, in our words. place: where. measured: in words with numbers.
    holds: computed from the results; ``None`` where the measurement does not decide it. why: what
    explains a difference. verdict: a word that says more than ``holds``, shown instead of it.
    """

    printed: str
    place: str
    measured: str
    holds: bool | None
    why: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Findings:
    """All that an experiment shows. settings: what was run, as names and values."""

    settings: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    comparisons: tuple[Comparison, ...] = ()


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and the standard deviation with the divisor n − 1 (0 for one value)."""
    n = len(values)
    mean = sum(values) / n
    return mean, (sum((v - mean) ** 2 for v in values) / (n - 1)) ** 0.5 if n > 1 else 0.0
