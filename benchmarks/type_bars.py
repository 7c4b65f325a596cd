"""Every type of output with a bare record in it: never a pass; its negative control: no violation.

``python -m benchmarks.type_bars``; ``--only PATTERN`` for the types whose name has it. Exits 1
where a bar is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.output_types import FORMS, Form
from provado.audit import audit
from provado.mechanisms import Verdict

LOW, HIGH, SAMPLES = 37.0, 52.0, 400


def bare(form: Form) -> Any:
    """Return a mechanism that returns its record in this form."""
    return lambda data, rng: form(data)  # noqa: ARG005


def beside_noise(form: Form) -> Any:
    """Return one that returns it beside a noisy number."""
    return lambda data, rng: {"noisy": float(rng.laplace()), "held": form(data)}


def independent(form: Form) -> Any:
    """Return one whose form has nothing to do with the data."""
    return lambda data, rng: form(HIGH if rng.random() < 0.5 else LOW)  # noqa: ARG005


def main(arguments: list[str] | None = None) -> int:
    """Audit every form in each way; return 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="types whose name has this pattern")
    parser.add_argument("--seed", type=int, default=0)
    asked: Any = parser.parse_args(arguments)
    names = [name for name in FORMS if re.search(asked.only, name)]
    verdicts, missed = Counter[tuple[str, str]](), list[str]()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    with threadpool_limits(1):
        for name in names:
            for make in (bare, beside_noise, independent):
                found = audit(
                    make(FORMS[name]),
                    epsilon=1.0,
                    pair=(LOW, HIGH),
                    samples=SAMPLES,
                    seed=asked.seed,
                    isolate=False,
                ).verdict
                verdicts[make.__name__, str(found)] += 1
                wrong = Verdict.VIOLATION if make is independent else Verdict.NO_VIOLATION
                if found is wrong:
                    missed.append(name)
                    print(f"{name}: {make.__name__}: {found}", flush=True)
    print(f"{len(names)} types of output, {SAMPLES} trials each")
    for (kind, found), count in sorted(verdicts.items()):
        print(f"{kind:15s} {found:20s} {count:4d}")
    print("All bars met." if not missed else "A bar was missed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
