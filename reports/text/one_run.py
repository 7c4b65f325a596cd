"""What few runs with many interventions found, in sentences: data first."""

from __future__ import annotations

import math

from provado.audit.bounds.one_run_finding import OneRunFinding
from provado.audit.result import AuditResult
from provado.mechanisms import Verdict

from .numbers import counted, percents, up

REST = (
    "Guesses of one run may depend on each other, and what many data points release together may "
    "drown each of them: nothing is said of one data point alone, of other data points, of other "
    "scores of the output, or of what the program shows beside it."
)


def short(found: OneRunFinding) -> str:
    """Return it in a few words: ``1 run with 1,000 interventions, 353 of 500 guesses right``."""
    return (
        f"{counted(found.runs, 'run')} with {counted(found.interventions, 'intervention')}, "
        f"{found.right:,} of {counted(found.guessed, 'guess')} right"
    )


def sentences(result: AuditResult, found: OneRunFinding, claim: str) -> list[str]:
    """Return the finding: interventions, guesses, what the claim allows, what a pass is worth."""
    said = [setting(result, found), guessed(found), compared(result, found, claim)]
    clear = result.verdict is Verdict.NO_VIOLATION
    return [*said, worth(found, result.relation)] if clear else said


def setting(result: AuditResult, found: OneRunFinding) -> str:
    """Say how many data points were intervened on, and how."""
    each = "one run" if found.runs == 1 else f"each of {found.runs:,} runs"
    how = "put in or left out" if result.relation == "add-or-remove-one" else "one of two records"
    points = counted(found.interventions, "data point")
    coin = "by its own fair coin" if found.interventions == 1 else "each by a fair coin of its own"
    return f"In {each} there were interventions on {points}: {how}, {coin} ({result.relation})."


def guessed(found: OneRunFinding) -> str:
    """Say how many coins were guessed, how many left open, and how many guesses were right."""
    each = " of each run" if found.runs > 1 else ""
    left = found.interventions - found.guesses
    open_ = f", and {left:,} left open" if left else ""
    rate = percents(found.right / found.guessed)[0]
    explored = ""
    if found.explored:
        explored = f" {counted(found.explored, 'run')} before chose how many, thrown away then."
    return (
        f"By scores of the output {counted(found.guesses, 'coin')}{each} were guessed{open_}: "
        f"right {found.right:,} times of {found.guessed:,}, which is {rate}.{explored}"
    )


def compared(result: AuditResult, found: OneRunFinding, claim: str) -> str:
    """Compare that with what the claim allows."""
    curve = None if result.curve is None else result.curve.promise()
    chance = found.chance(result.epsilon, result.delta, curve)
    return (
        f"Under the claimed {claim} so many right guesses, or more, come up with a probability of "
        f"at most {up(chance)}, however they depend on each other."
    )


def worth(found: OneRunFinding, relation: str) -> str:
    """Say what it is worth that no violation was found, and what was looked at."""
    if not found.epsilon_lower > 0:
        first = (
            f"the guesses do not tell the coins: right {found.right:,} times of {found.guessed:,}, "
            "which shows nothing"
        )
    elif math.isfinite(found.visible_epsilon):
        first = (
            "a violation visible to these guesses would have shown in nine runs of ten, had they "
            "been independent, and right as often as ε = "
            f"{up(found.visible_epsilon)} allows"
        )
    else:
        first = "so few guesses show no violation of this claim, even where all are right"
    return (
        f"{first[0].upper()}{first[1:]}. Looked at, in {counted(found.runs, 'run')}: "
        f"{counted(found.interventions, 'intervention')} each ({relation}), of which "
        f"{found.guesses:,} were guessed by their scores. {REST}"
    )


def shows(found: OneRunFinding) -> bool:
    """Return whether the guesses tell the coins, and often enough to show a violation."""
    return found.epsilon_lower > 0 and math.isfinite(found.visible_epsilon)
