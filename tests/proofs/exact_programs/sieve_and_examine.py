"""One-off sieve-and-examine of Priv-PC: exact probabilities of its outputs.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 1. The sieve compares noisy answers on a subset of the data with a noisy threshold;
the first query that reaches it is examined on all data, with fresh noise, against the threshold
itself. Noise scales are parameters here, as the extracted text lost them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.parameters import UsageError
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW, HALTED
from provado.proofs.algebra import ExpSum, exact, positive_exact
from tests.proofs.exact_programs.factors import exact_answers, noisy_reaches
from tests.proofs.exact_programs.pair_privacy import Law
from tests.proofs.exact_programs.threshold_programs import ThresholdProgram, pattern_probability

Outcome = tuple[str, int]
"""("kept", k), ("dropped", k) or ("none", −1); merged outputs are ("silent", −1)."""


def one_off_law(
    sieve: ThresholdProgram,
    sieve_answers: Iterable[Any],
    examine_answers: Iterable[Any],
    *,
    threshold: int | Fraction,
    examine_scale: int | Fraction,
    tells_dropped: bool = True,
) -> dict[Outcome, ExpSum]:
    """Return the exact probability of each output on one subset of the data.

    sieve: cut-off 1, own threshold. sieve_answers: on the subset; examine_answers: on
    all data. threshold: of the examination, whose noise is Laplace(examine_scale).
    tells_dropped: whether a failed examination tells its query; the printed ⊥ does not, and is
    then one output with that of no query at all.

    Raises ``UsageError`` for a sieve with another cut-off or answers of different length.
    """
    seen, whole = exact_answers(sieve_answers), exact_answers(examine_answers)
    level, scale = exact(threshold, "threshold"), positive_exact(examine_scale, "examine_scale")
    if sieve.cutoff != 1 or len(seen) != len(whole):
        raise UsageError(
            f"sieve has cutoff {sieve.cutoff!r}, with {len(seen)} and {len(whole)} answers: "
            "the cut-off must be 1, and the answers the same queries'"
        )
    k = len(seen)
    law: dict[Outcome, ExpSum] = {("none", -1): pattern_probability(sieve, seen, (BELOW,) * k)}
    for i, answer in enumerate(whole):
        pattern = (BELOW,) * i + (ABOVE,) + (HALTED,) * (k - i - 1)
        reached = pattern_probability(sieve, seen, pattern)
        passed = noisy_reaches(answer, scale).at(level)
        law["kept", i] = reached * passed
        law["dropped", i] = reached * (1 - passed)
    if tells_dropped:
        return law
    silent = sum((p for (kind, _), p in law.items() if kind != "kept"), ExpSum())
    kept = {output: p for output, p in law.items() if output[0] == "kept"}
    return {**kept, ("silent", -1): silent}


def mixture(laws: Sequence[Law], weights: Sequence[Fraction | int]) -> dict[Any, ExpSum]:
    """Return the law that follows ``laws[i]`` with probability ``weights[i]``, as subsampling does.

    Raises ``UsageError`` unless the laws share their outputs and the weights add up to 1.
    """
    shares = [exact(w, "weight") for w in weights]
    if len(laws) != len(shares) or not laws or sum(shares) != 1 or min(shares) < 0:
        raise UsageError(f"weights are {weights!r} for {len(laws)} laws: they must add up to 1")
    if any(law.keys() != laws[0].keys() for law in laws):
        raise UsageError("laws have different outputs: they must be the same")
    return {
        output: sum((law[output] * w for law, w in zip(laws, shares, strict=True)), ExpSum())
        for output in laws[0]
    }
