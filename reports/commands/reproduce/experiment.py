"""What an experiment is: pieces of work that are stored one by one, and what follows from them.

What follows are tables, figures, and what the paper says beside what was measured. Experiments are
found by walking the folder ``papers``; there is no list to edit.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, TypeVar
from zlib import crc32

import numpy as np

from provado.mechanisms.definitions.mechanism import Source
from provado.mechanisms.walk import modules_in
from provado.reports.text.formatting import require_matches

T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """What the user chose.

    quick: a small version that shows the same shapes. seed: of everything that is drawn. pairs:
    a folder of cause-effect pairs, beside those that are shipped and generated.
    """

    quick: bool = False
    seed: int = 0
    pairs: str | None = None

    def of(self, sizes: tuple[T, T]) -> T:
        """Return the first of two sizes, or the second for the quick version."""
        return sizes[self.quick]


@dataclass(frozen=True)
class Piece:
    """One piece of work.

    key: its name, unique in the experiment. arguments: with JSON's types only. seconds: about how
    long it takes on one processor.
    """

    key: str
    arguments: Mapping[str, Any]
    seconds: float


Work = Callable[[Mapping[str, Any], np.random.Generator], dict[str, Any]]
"""From a part's arguments to its result, with JSON's types only, finite numbers or ``None``."""

Answers = Mapping[str, Mapping[str, Any]]
"""The results of all parts, by key."""


def under(answers: Answers, folder: str) -> dict[str, Mapping[str, Any]]:
    """Return the results whose keys begin with a folder and a slash, by the rest of the key."""
    start = f"{folder}/"
    return {key.removeprefix(start): a for key, a in answers.items() if key.startswith(start)}


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper; a file of ``papers`` has its own in ``EXPERIMENT``.

    name: ``paper/what``. title: for people. source: where it is printed. parts: what is to be done
    under a setting. work: does one part; it must be a function of a module, and all that its
    result depends on stands in the arguments and the generator, which depends on the seed and the
    part's key alone. findings: what follows from all the results; draws nothing. needs: wheels
    whose files are read. timed: whether results hold processor times, so that they depend on more
    than the seed; the parts of such a one run alone, after all others.
    """

    name: str
    title: str
    source: Source
    parts: Callable[[Scope], Sequence[Piece]]
    work: Work
    findings: Callable[[Scope, Answers], Findings]
    needs: tuple[str, ...] = ()
    timed: bool = False

    def generator(self, part: Piece, seed: int) -> np.random.Generator:
        """Return the generator of a part; another one for each seed and key."""
        return np.random.default_rng([seed, crc32(f"{self.name}/{part.key}".encode())])


Cell = str | int | float | None
Cells = tuple[Cell, ...]


@dataclass(frozen=True)
class PaperTable:
    """Rows of cells under their heads; a number is shown with ``digits`` significant digits.

    name: of its file. caption: what it shows, and with what settings. Raises ``ValueError`` for a
    row that is not as long as the head.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(map(tuple, self.rows)))
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"table {self.name}: {len(self.head)} heads, but a row {row!r}")

    @classmethod
    def of_columns(
        cls, name: str, caption: str, *columns: tuple[str, Iterable[Cell]], digits: int = 3
    ) -> PaperTable:
        """Make a table of columns, each under its head."""
        heads, cells = zip(*columns, strict=True)
        return cls(name, caption, heads, tuple(zip(*cells, strict=True)), digits)


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
    curves: Sequence[Curve]
    log_x: bool = False
    levels: tuple[tuple[str, float], ...] = ()
    limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class Figure:
    """Panels in rows of ``columns``."""

    name: str
    caption: str
    panels: Sequence[Panel]
    columns: int = 2


@dataclass(frozen=True)
class PaperClaim:
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
    tables: Sequence[PaperTable] = ()
    figures: Sequence[Figure] = ()
    comparisons: Sequence[PaperClaim] = ()


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and the standard deviation with the divisor n − 1 (0 for one value)."""
    n = len(values)
    mean = sum(values) / n
    return mean, (sum((v - mean) ** 2 for v in values) / (n - 1)) ** 0.5 if n > 1 else 0.0


@cache
def experiments() -> tuple[Experiment, ...]:
    """Return what the files of ``papers`` have as ``EXPERIMENT``, by name."""
    modules = modules_in(f"{__name__.rpartition('.')[0]}.papers")
    result = [module.EXPERIMENT for module in modules if hasattr(module, "EXPERIMENT")]
    return tuple(sorted(result, key=lambda experiment: experiment.name))


def choose(names: Sequence[str]) -> tuple[Experiment, ...]:
    """Return the experiments that any of the names means: a name, a paper, or a glob.

    Raises ``UsageError`` for one that means none, with the nearest that does.
    """
    known = experiments()
    globs = {name: name if "/" in name or "*" in name else f"{name}/*" for name in names}
    papers = sorted({experiment.name.partition("/")[0] for experiment in known})
    require_matches(globs, [item.name for item in known], papers, "no experiment has this name")
    return tuple(
        item for item in known if any(fnmatchcase(item.name, glob) for glob in globs.values())
    )


def missing(experiment: Experiment) -> tuple[str, ...]:
    """Return the wheels whose files the experiment reads and that are not installed."""
    return tuple(text for text in experiment.needs if importlib.util.find_spec(text) is None)
