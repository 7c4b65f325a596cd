"""Start-up of the command line, in times of importing numpy; ``python -m benchmarks.start_bars``.

Every command is a process of its own, of which the processor's time counts; they take turns.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.measure import line, seconds

RUNS = 15

BARS = {"--version": 3.0, "--help": 3.0, "list": 5.0}


def children() -> float:
    """Return the processor's time of all processes that were run so far, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(arguments: Sequence[str]) -> None:
    """Run Python with some arguments to its end; raises where it fails."""
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """Print the ratios; exit 1 where a bar is missed."""
    calls: list[Callable[[], None]] = [partial(run, ["-c", "import numpy"])]
    calls += [partial(run, ["-m", "provado.reports", word]) for word in BARS]
    for call in calls:
        call()
    numpy, *times = seconds(*calls, repeat=RUNS, clock=children)
    met = [
        line(f"provado {word}, in times of import numpy", took / numpy, bar, least=False)
        for (word, bar), took in zip(BARS.items(), times, strict=True)
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
