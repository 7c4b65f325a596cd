"""The programme of the conclusion: experiments on systems whose claim is advertised."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms import Verdict
from provado.mechanisms.catalogue import catalogue
from provado.proofs.ledger.tschantz2022 import source

from ...experiment import Answers, Cell, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope

SAMPLES = (500_000, 25_000)
QUICK_STEP = 6
"""The quick version audits every sixth mechanism of the catalogue."""

ALPHA = 0.05
"""Chance, at most, of a false alarm in the whole catalogue; each mechanism has an equal share."""


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a mechanism."""
    every = catalogue()
    samples = setting.of(SAMPLES)
    arguments = {"samples": samples, "confidence": 1 - ALPHA / len(every)}
    return [
        Piece(mechanism.name, {"name": mechanism.name, **arguments}, 0.6 + 2.2e-6 * samples)
        for mechanism in every[:: QUICK_STEP if setting.quick else 1]
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return claim, certified ε and verdict of one mechanism, with what is known of it."""
    # Here, so that the experiments are listed without scipy.
    from provado.audit import audit

    (mechanism,) = (item for item in catalogue() if item.name == arguments["name"])
    # Not isolated, as a part has a process of its own.
    result = audit(
        mechanism,
        samples=arguments["samples"],
        confidence=arguments["confidence"],
        seed=int(rng.integers(2**31)),
        isolate=False,
    )
    true = mechanism.true_epsilon
    return {
        "epsilon": float(result.epsilon),
        "delta": float(result.delta),
        "true": None if true is None else "∞" if math.isinf(true) else float(true),
        "certified": float(result.epsilon_lower),
        "certified_first": max(
            (p.epsilon_lower for p in result.pairs if p.index == 0), default=0.0
        ),
        "verdict": str(result.verdict),
        "expected": str(mechanism.expected),
        "summary": mechanism.summary,
    }


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return a row a mechanism, the counts of verdicts, and what the paper hopes for."""
    keys = ("epsilon", "delta", "true", "certified", "verdict", "expected")
    rows = tuple((name, *(a[key] for key in keys)) for name, a in answers.items())
    verdicts = (str(Verdict.VIOLATION), str(Verdict.NO_VIOLATION), str(Verdict.UNKNOWN))
    number = Counter((a["expected"], a["verdict"]) for a in answers.values())
    counts: list[tuple[Cell, ...]] = [(e, *(number[e, v] for v in verdicts)) for e in verdicts[:2]]
    settings = (
        ("mechanisms", "every sixth of the catalogue" if setting.quick else "the whole catalogue"),
        ("trials", f"{setting.of(SAMPLES):,} a pair of datasets, as many again to plan"),
        ("false alarms", f"in the whole catalogue with a chance of at most {ALPHA:g}"),
    )
    return Findings(
        settings,
        (
            PaperTable(
                "mechanisms",
                "Each mechanism: its claim, its true ε on the first pair where that is known, the "
                "ε that the experiment certifies, and the verdict. An experiment looks at the "
                "pairs that the catalogue gives, and sees some of what is there.",
                (
                    *("mechanism", "claimed ε", "claimed δ", "true ε", "certified ε"),
                    *("verdict", "expected"),
                ),
                rows,
            ),
            PaperTable(
                "counts",
                "Mechanisms by what is expected of them and by the verdict.",
                ("expected", *verdicts),
                counts,
            ),
        ),
        comparisons=_comparisons(answers),
    )


def _comparisons(answers: Answers) -> tuple[PaperClaim, ...]:
    violation = str(Verdict.VIOLATION)
    broken = {n: a for n, a in answers.items() if a["expected"] == violation}
    sound = {n: a for n, a in answers.items() if a["expected"] != violation}
    missed = [n for n, a in broken.items() if a["verdict"] != violation]
    flagged = [n for n, a in sound.items() if a["verdict"] == violation]
    known = {n: a for n, a in answers.items() if isinstance(a["true"], float)}
    above = [n for n, a in known.items() if a["certified_first"] > a["true"]]
    result = len(broken) - len(missed)
    shares = [a["certified_first"] / a["true"] for a in known.values() if a["true"]]
    share = sum(shares) / len(shares) if shares else 0.0
    return (
        PaperClaim(
            "experiments and significance tests find violations of differential privacy in a "
            "system seen from outside",
            "section 8",
            f"a violation is certified for {result} of {len(broken)} mechanisms whose claim is "
            "false.",
            None if (result and missed) or not broken else not missed,
            f"Not found: {', '.join(missed)}; more trials may." if missed else "",
        ),
        PaperClaim(
            "by experiments one can study whether a system has differential privacy as advertised",
            "section 8",
            f"a violation is certified for {len(flagged)} of {len(sound)} mechanisms whose claim "
            "is true.",
            not flagged if sound else None,
            f"Flagged: {', '.join(flagged)}." if flagged else "",
        ),
        PaperClaim(
            "differential privacy is a bound on an effect size, which an experiment measures",
            "sections 6.1 and 8",
            f"on the first pair the certified ε exceeds the true one for {len(above)} of "
            f"{len(known)} mechanisms of which a finite one is known; in the mean it is "
            f"{share:.0%} of it.",
            not above if known else None,
            f"Above it: {', '.join(above)}." if above else "",
        ),
    )


EXPERIMENT = Experiment(
    "tschantz2022/experiments",
    "violations found by experiments, over the whole catalogue",
    source("section 8"),
    *(parts, work, findings),
)
