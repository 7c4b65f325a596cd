"""Answers ``provado discover --x --y``: the direction of one pair of columns."""

import argparse
import sys

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import LAMBDA
from provado.mechanisms.cause_effect.pair import discover_pair
from provado.mechanisms.cause_effect.pair_budget import Protect, plan_for
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.output import show_json
from provado.reports.targets.columns import load_columns

from .pair_document import answer_to_json
from .pair_words import answer_words

SEED_WARNING = (
    "provado: warning: --seed: whoever knows the seed can take the noise off, and nothing is "
    "private then; the seed must stay secret; for tests only"
)


def run_pair(options: argparse.Namespace) -> int:
    """Answer for one pair; return the exit status."""
    score = options.score or "hsic"
    protect = Protect(options.protect or "test")
    lam = LAMBDA if options.lam is None else options.lam
    _check(options, score, protect)
    columns = load_columns(options.file, [options.x, options.y])
    if options.seed is not None and protect is not Protect.NONE:
        print(SEED_WARNING, file=sys.stderr)
    answer = discover_pair(
        columns[options.x],
        columns[options.y],
        score=score,
        protect=protect,
        epsilon=options.epsilon,
        delta=options.delta,
        x_range=options.x_range and tuple(options.x_range),
        y_range=options.y_range and tuple(options.y_range),
        lam=lam,
        rng=np.random.default_rng(options.seed),
    )
    document = answer_to_json(answer, options, score, protect, lam)
    if options.json:
        show_json(document)
    else:
        print("\n".join(answer_words(document)))
    return AS_EXPECTED


def _check(options: argparse.Namespace, score: str, protect: Protect) -> None:
    """Refuse what the pair's data are not needed to refuse, in terms of the options."""
    for name, value in (("--x", options.x), ("--y", options.y)):
        if value is None:
            raise UsageError(f"{name}: needed for a pair: the other column's name")
    for name, bounds in (("--x-range", options.x_range), ("--y-range", options.y_range)):
        if bounds is not None and not bounds[0] < bounds[1]:
            raise UsageError(f"{name} {bounds[0]:g} {bounds[1]:g}: LO must be below HI")
        if bounds is None and protect in (Protect.TRAINING, Protect.BOTH):
            raise UsageError(
                f"{name}: needed with --protect {protect}: bounds computed from the data would "
                "leak training rows; give bounds known beforehand"
            )
    if protect is Protect.NONE:
        return
    if options.epsilon is None:
        raise UsageError(f"--epsilon: needed with --protect {protect}: the total ε to spend")
    if plan_for(score, protect).tests and options.delta is None:
        raise UsageError(
            f"--delta: needed with --score {score} --protect {protect}, whose scores are told "
            "only after a test, for which ε alone does not suffice; give one far below 1/rows"
        )
