"""What an experiment is: pieces of work that are stored one by one, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from provado.mechanisms.definitions.source import Source

from .findings import Findings


@dataclass(frozen=True)
class Setting:
    """What the user chose.

    quick: a small version that shows the same shapes. seed: of everything that is drawn. pairs:
    a folder of cause-effect pairs, beside those that are shipped and generated.
    """

    quick: bool = False
    seed: int = 0
    pairs: str | None = None


@dataclass(frozen=True)
class Part:
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
    parts: Callable[[Setting], Sequence[Part]]
    work: Work
    findings: Callable[[Setting, Answers], Findings]
    needs: tuple[str, ...] = ()
    timed: bool = False

    def generator(self, part: Part, seed: int) -> np.random.Generator:
        """Return the generator of a part; another one for each seed and key."""
        return np.random.default_rng([seed, crc32(f"{self.name}/{part.key}".encode())])
