"""DPriv-Bench's questions about functions 1 to 25, each answered with a certificate or a pair.

The benchmark (arXiv 2604.15851) asks of 49 functions of records in [0, 1], whose sensitivity under
replace-one it states, whether six mechanisms keep their claim, once with the right scale of noise
and once with half of it (half of the variance for zero-concentrated differential privacy). These
are its first 25 functions and all their 300 questions, written anew from its definitions.

    python -m benchmarks.dprivbench [--write] [--only NUMBER]
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from provado.proofs import prove

RESULT = Path(__file__).parent / "results/dprivbench.md"
COLUMNS, LEAST = 3, 3

Query = Callable[..., Any]

FUNCTIONS: dict[int, tuple[str, Query, Query]] = {
    1: ("sum", lambda x, _: np.sum(x), lambda _: 1),
    2: ("product", lambda x, _: np.prod(x), lambda _: 1),
    3: ("maximum", lambda x, _: np.max(x), lambda _: 1),
    4: ("minimum", lambda x, _: np.min(x), lambda _: 1),
    5: ("mean", lambda x, _: np.mean(x), lambda n: 1 / n),
    6: ("root of the sum of squares", lambda x, _: np.sqrt(np.sum(x**2)), lambda _: 1),
    7: ("total variation", lambda x, _: np.sum(np.abs(np.diff(x))), lambda _: 2),
    8: (
        "distances from the mean",
        lambda x, _: np.sum(np.abs(x - np.mean(x))),
        lambda n: 2 * (n - 1) / n,
    ),
    9: ("squared deviations", lambda x, _: np.sum((x - np.mean(x)) ** 2), lambda n: (n - 1) / n),
    10: ("squared distances from mu", lambda x, mu: np.sum((x - mu) ** 2), lambda _: 1),
    11: ("sum of squares", lambda x, _: np.sum(x**2), lambda _: 1),
    12: ("sum of cubes", lambda x, _: np.sum(x**3), lambda _: 1),
    13: ("sum of roots", lambda x, _: np.sum(np.sqrt(x)), lambda _: 1),
    14: ("sum of log(1 + x)", lambda x, _: np.sum(np.log(1 + x)), lambda _: math.log(2)),
    15: ("sum of exponentials", lambda x, _: np.sum(np.exp(x)), lambda _: math.exp(1) - 1),
    16: ("sum of sines", lambda x, _: np.sum(np.sin(x)), lambda _: math.sin(1)),
    17: ("sum of cosines", lambda x, _: np.sum(np.cos(x)), lambda _: 1 - math.cos(1)),
    18: ("sum of arctangents", lambda x, _: np.sum(np.arctan(x)), lambda _: math.atan(1)),
    19: ("sum of x(1 - x)", lambda x, _: np.sum(x * (1 - x)), lambda _: 1 / 4),
    20: ("sum of x(1 - x)²", lambda x, _: np.sum(x * (1 - x) ** 2), lambda _: 4 / 27),
    21: ("median", lambda x, _: np.median(x), lambda _: 1),
    22: (
        "interquartile range",
        lambda x, _: np.quantile(x, 0.75) - np.quantile(x, 0.25),
        lambda _: 1,
    ),
    23: ("count above 1/2", lambda x, _: np.sum(x > 0.5), lambda _: 1),
    24: ("count between", lambda x, _: np.sum((x > 0.2) & (x < 0.7)), lambda _: 1),
    25: ("products of neighbors in order", lambda x, _: np.sum(x[:-1] * x[1:]), lambda _: 2),
}
"""By number: name, function, and sensitivity as a function of the number of records."""


def _noisy(draw: Callable[[Any], Any], query: Query, width: Query) -> Query:
    def release(x, scale=1.0, mu=0.0):
        return query(x, mu) + draw(scale * width(len(x)))

    return release


def _largest(draw: Callable[[Any], Any], query: Query, width: Query) -> Query:
    def release(x, scale=1.0, mu=0.0):
        b = 2 * scale * width(x.shape[0])
        return np.argmax([query(x[:, j], mu) + draw(b) for j in range(x.shape[1])])

    return release


def _laplace(scale):
    return np.random.laplace(scale=scale)  # noqa: NPY002 - as people write it


def _gaussian(scale):
    return np.random.normal(scale=scale)  # noqa: NPY002


def _gumbel(scale):
    return np.random.gumbel(scale=scale)  # noqa: NPY002


def _exponential(scale):
    return np.random.exponential(scale)  # noqa: NPY002


@dataclass(frozen=True)
class Track:
    """A mechanism. claim: what is claimed at scale 1; less: the scale that is too small."""

    name: str
    make: Callable[[Query, Query], Query]
    claim: dict[str, float]
    less: float = 0.5
    columns: int = 1


TRACKS = (
    Track("Laplace", lambda f, w: _noisy(_laplace, f, w), {"epsilon": 1}),
    Track("Gaussian DP", lambda f, w: _noisy(_gaussian, f, w), {"mu": 1}),
    # Half of the variance: the root of 1/2, a little more of it.
    Track("zCDP", lambda f, w: _noisy(_gaussian, f, w), {"rho": 0.5}, 0.7071),
    Track("exponential mechanism", lambda f, w: _largest(_gumbel, f, w), {"epsilon": 1}, 0.5, 3),
    Track("report noisy max", lambda f, w: _largest(_laplace, f, w), {"epsilon": 1}, 0.5, 3),
    Track("permute-and-flip", lambda f, w: _largest(_exponential, f, w), {"epsilon": 1}, 0.5, 3),
)


@dataclass(frozen=True)
class Answer:
    """What was asked, what is right, and what was found after how long."""

    number: int
    track: str
    right: str
    verdict: str
    seconds: float
    reason: str


def answers(numbers: list[int]) -> list[Answer]:
    """Return the answers to all questions about these functions."""
    found = []
    for number in numbers:
        _, query, width = FUNCTIONS[number]
        for track in TRACKS:
            function = track.make(query, width)
            domain: Any = (0.0, 1.0) if track.columns == 1 else ((0.0, 1.0),) * track.columns
            for scale, right in ((1.0, "proved"), (track.less, "refuted")):
                start = time.perf_counter()
                one = prove(
                    function,
                    domain=domain,
                    size=(LEAST, None),
                    parameters={"scale": scale, "mu": (0, 1) if number == 10 else 0.0},
                    **track.claim,
                )
                seconds = time.perf_counter() - start
                verdict, reason = str(one.verdict), one.reason
                found.append(Answer(number, track.name, right, verdict, seconds, reason))
                if verdict != right:
                    print(f"function {number}, {track.name}, scale {scale}: {verdict}: {reason}")
    return found


def table(found: list[Answer]) -> str:
    """Return the answers as a page."""
    lines = [
        "# DPriv-Bench, functions 1 to 25",
        "",
        "Made by `make bench-dprivbench`. Each cell: the answer to the right scale and to the one "
        "that is too small, and the longer of the two times in seconds. `proved` has a certificate "
        "that the kernel checked, `refuted` a pair of datasets with its loss.",
        "",
        f"| function | {' | '.join(track.name for track in TRACKS)} |",
        f"| --- |{' --- |' * len(TRACKS)}",
    ]
    for number in sorted({one.number for one in found}):
        cells = []
        for track in TRACKS:
            both = [one for one in found if (one.number, one.track) == (number, track.name)]
            words = ", ".join(one.verdict for one in both)
            cells.append(f"{words}, {max(one.seconds for one in both):.1f}")
        lines.append(f"| {number} {FUNCTIONS[number][0]} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", summary(found), ""])


def summary(found: list[Answer]) -> str:
    """Return how many answers are right, and how long they took."""
    right, wrong = (
        sum(one.verdict == one.right for one in found),
        sum(one.verdict not in (one.right, "undecided") for one in found),
    )
    times = [one.seconds for one in found]
    return (
        f"{right} of {len(found)} questions answered rightly, {wrong} wrongly; median "
        f"{statistics.median(times):.2f} s, longest {max(times):.1f} s."
    )


def main() -> int:
    """Answer the questions; return 1 unless all answers are right and in time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write results/dprivbench.md")
    parser.add_argument("--only", type=int, choices=FUNCTIONS, help="one function")
    options = parser.parse_args()
    found = answers([options.only] if options.only else [*FUNCTIONS])
    print(summary(found))
    if options.write and not options.only:
        RESULT.write_text(table(found), encoding="utf-8")
    met = all(one.verdict == one.right for one in found)
    return int(not met or statistics.median(one.seconds for one in found) > 5)


if __name__ == "__main__":
    sys.exit(main())
