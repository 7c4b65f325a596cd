"""What an audit says: frozen, complete at birth, plain data that a report can write down."""

from __future__ import annotations

import functools
import math
import os
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from importlib.metadata import entry_points
from typing import Any

from provado.audit.bounds import BoundMethod, TradeOff, trade_off
from provado.audit.bounds.counts import Counts, EffectSize
from provado.audit.bounds.one_run import (
    Point,
    check_guesses,
    one_run_chance,
    one_run_curve_chance,
    one_run_curve_limit,
    one_run_epsilon_lower,
)
from provado.audit.bounds.power import one_run_detectable_epsilon
from provado.audit.events.cause import UNNAMED, Cause
from provado.audit.events.features.feature import EventSet
from provado.audit.search.request import SearchRecord
from provado.mechanisms import ExactFinding, ExactVerdict, UsageError, Verdict
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord
from provado.mechanisms.definitions.mechanism import ProgramFinding
from provado.mechanisms.definitions.relation import counted, cut

AUTO = "auto"
"""What is asked for, in place of a number of trials, for a sequential audit."""

LONGEST, LONGEST_NAME = 2000, 200
"""Of a text that a mechanism or its outputs brought, in characters: more helps no reader."""


@dataclass(frozen=True)
class Witness:
    """Why: two datasets, the rule in words, and how often it was right. Data first, prose second.

    d, d_prime: the datasets, short. difference: how D′ comes from D, ``D′ = do(D[3] = 7)``.
    guess_d, guess_d_prime: when the rule guesses which, in words; empty where it never does.
    examples_d, examples_d_prime: outputs seen while exploring on which it guesses which.
    """

    d: str
    d_prime: str
    difference: str
    guess_d: str
    guess_d_prime: str
    examples_d: tuple[str, ...] = ()
    examples_d_prime: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _cut(self, LONGEST)


@dataclass(frozen=True)
class PairResult:
    """One pair of datasets: its plan, its counts and what they certify.

    index: position of the pair in the call.
    witness: the datasets and the rule in words.
    rule: the frozen rule as data (kind, thresholds, tables), made to be written to JSON.
    method: the bound, with this pair's share of alpha.
    planned_trials, explored_trials: certifying trials planned; exploration samples discarded.
    counts: what was drawn (fewer trials than planned only after an early stop).
    epsilon_lower: certified lower limit on ε at the claimed δ (≥ 0).
    detectable_epsilon: the ε at which this plan had 90 % power to certify a violation, if the
        rule's guesses were right as often as that ε allows; ``math.inf`` where no ε would do. It
        covers violations detectable by this rule; one that the rule does not see may be of any ε.
    event_kinds: the kinds of event among which the rule was chosen, on exploration outputs.
    effects: effect sizes of "the rule says D" and "the rule says D′".
    checkpoints: the counts so far after each power of two of the trials (from 64 on) and, last,
        ``counts`` again; empty where they were not recorded. The bound of each is valid at its
        alpha alone, not together with the others: they show how the bound grew, and decide nothing.
    rounded: whether the rule is blind to the low-order bits of floating-point numbers. Where these
        reveal more than the rest of the output, a pair has two results, one of each kind. It has
        one more where rare outputs reveal more than the rest.
    cause: what in the output the rule uses.
    kept_trials: how many of the exploration samples were kept whole, where outputs were too wide
        for all of them; else 0.
    parameter_lower: where a curve is claimed, the certified lower limit on its parameter.
    """

    index: int
    witness: Witness
    rule: dict[str, Any]
    method: BoundMethod
    planned_trials: int
    explored_trials: int
    counts: Counts
    epsilon_lower: float
    detectable_epsilon: float
    effects: tuple[EffectSize, EffectSize]
    verdict: Verdict
    checkpoints: tuple[Counts, ...] = ()
    event_kinds: tuple[EventSet, ...] = ()
    rounded: bool = False
    cause: Cause = UNNAMED
    kept_trials: int = 0
    parameter_lower: float | None = None

    @property
    def trade_off(self) -> TradeOff | None:
        """Limits on the whole trade-off curve that hold together, at the pair's confidence.

        ``None`` unless a curve is claimed and all planned trials were made. They are a statement of
        their own beside the verdict, whose limit is the sharper one at the point that was tested.
        """
        if not self.counts.cells or self.counts.trials != self.planned_trials:
            return None
        return trade_off(self.counts, self.method.whole_alpha)

    @property
    def replay_explore(self) -> int | str:
        """The argument ``explore`` that explores in the same way again."""
        kept = f"{self.explored_trials}:{self.kept_trials}"
        return kept if self.kept_trials else self.explored_trials

    @property
    def distinguishes(self) -> bool:
        """Whether the counts certify that the rule distinguishes D from D′ at all (beyond δ)."""
        return self.epsilon_lower > 0 or (self.parameter_lower or 0.0) > 0


@dataclass(frozen=True)
class Sampled:
    """The evidence of trials on pairs of datasets: a result for each pair and rule."""

    pairs: tuple[PairResult, ...]

    @property
    def lower(self) -> float:
        """Certified lower limit on ε, that of the best pair; 0 without any."""
        best = max(self.pairs, key=_strength, default=None)
        return best.epsilon_lower if best else 0.0

    @property
    def parameter_lower(self) -> float:
        """Where a curve is claimed, the certified lower limit on its parameter."""
        return max((pair.parameter_lower or 0.0 for pair in self.pairs), default=0.0)

    @property
    def trials(self) -> int:
        """Certifying trials of all pairs. Rules of one pair are counted on the same trials."""
        return sum({pair.index: pair.counts.trials for pair in self.pairs}.values())

    @property
    def certifies(self) -> bool:
        """Whether any pair was completed."""
        return bool(self.pairs)


@dataclass(frozen=True)
class AuditResult:
    """The verdict on one claim.

    name: the mechanism's name.
    verdict, reason: the verdict word; the reason where it is ``unknown``, else an empty string.
    epsilon, delta: the claim. confidence: 1 − the chance of a false alarm of the whole call.
    seed: the seed that replays the audit; seedable: whether the mechanism follows it.
    pairs: one result a pair (none where the audit broke before any was certified).
    relation, promise, source, summary: the statement under audit in words, where one was given.
    expected: the verdict recorded with the mechanism, where one was.
    true_epsilon: the exact ε of the mechanism, where its entry knows it.
    seconds: wall time, for information only.
    curve: the claim, where it is a curve; ``epsilon`` and ``delta`` are then the point of it at
        which the explained pair was tested.
    search: what was tried before the pair was chosen, where it was searched.
    arithmetic: ``"ideal"`` where exact real arithmetic is meant, so that low-order bits of outputs
        were not examined; else ``"floating"``.
    exact: what exact arithmetic found, for a mechanism of which the claim was decided without
        samples; only then may the verdict be ``proved`` or ``verified on these pairs``.
    program: what is proved of the claim, in real numbers, where the mechanism is a program in the
        language of ``provado prove``; no part of the verdict, but a refutation is ``surprising``.
    read: the function that made something readable of each output, where one was given; the claim
        is about what it returns.
    one_run: what was guessed, where few runs had many interventions each; there are no pairs then.
    limitations: what the verdict does not cover though a reader would expect it to: whole
        sentences, each with its full stop. Every report shows them first.
    """

    name: str
    verdict: Verdict | ExactVerdict
    reason: str
    epsilon: float
    delta: float
    confidence: float
    seed: int
    samples: int
    pairs: tuple[PairResult, ...]
    seedable: bool | None = None
    relation: str = ""
    promise: str = ""
    source: str = ""
    summary: str = ""
    expected: Verdict | None = None
    true_epsilon: float | None = None
    tags: tuple[str, ...] = ()
    seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())
    exact: ExactFinding | None = None
    search: SearchRecord | None = None
    arithmetic: str = "floating"
    curve: CurveRecord | None = None
    program: ProgramFinding | None = None
    one_run: OneRunFinding | None = None
    limitations: tuple[str, ...] = ()
    read: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", cut(self.name, LONGEST_NAME))
        _cut(self, LONGEST)
        if isinstance(self.verdict, ExactVerdict) and (self.exact is None or self.pairs):
            raise UsageError(
                f"verdict is {str(self.verdict)!r}: an experiment cannot say so, only an exact "
                "finding without samples"
            )

    def __str__(self) -> str:
        """Return it in one line: name, verdict, claim, certified bound, and the reason or cause."""
        text: str = view().text(self)
        return text

    def _repr_html_(self) -> str:
        html: str = view().html(self)
        return html

    def plot(self) -> Any:
        """Return a picture of errors, effect sizes and growth of the bound.

        A notebook shows it; its ``svg`` is the text of the picture, ``save(file)`` writes it.
        """
        return view().plot(self)

    def to_html(self, file: str | os.PathLike[str] | None = None, *, redact: bool = False) -> str:
        """Return the page that ``--out`` leaves, as text; ``file``: where it is written, too.

        redact: leave records of the data and outputs out. A notebook shows the text as the page.
        """
        page: str = view().page(self, file, redact=redact)
        return page

    @cached_property
    def evidence(self) -> Sampled | OneRunFinding | ExactFinding:
        """What the verdict rests on: trials on pairs, guesses of few runs, or exact arithmetic."""
        return self.exact or self.one_run or Sampled(self.pairs)

    @property
    def best(self) -> PairResult | None:
        """The pair with the largest certified ε, the first of them; ``None`` without any pair."""
        return max(self.pairs, key=_strength, default=None)

    @cached_property
    def explained_pair(self) -> PairResult | None:
        """The pair to explain a verdict by: the best, unless one also fails without low-order bits.

        Of those that certify a violation apart from low-order bits the largest, where there is one.
        """
        apart = (pair for pair in self.pairs if pair.rounded and pair.verdict is Verdict.VIOLATION)
        return max(apart, key=_strength, default=self.best)

    @property
    def replay_samples(self) -> int | str:
        """The argument ``samples`` that draws as many trials in the same way again."""
        if any(pair.method.bettors for pair in self.pairs):
            return f"{AUTO}:{self.samples}"
        short = len({pair.index for pair in self.pairs}) == 1 and self.trials < self.samples
        ended = short and self.verdict is not Verdict.UNKNOWN
        return f"{self.samples}:{self.trials}" if ended else self.samples

    @property
    def epsilon_lower(self) -> float:
        """Largest certified lower limit on ε over all pairs, at ``confidence`` jointly; else 0.

        The smallest ε itself, rounded down, where the claim was decided exactly.
        """
        return self.evidence.lower

    @property
    def lower(self) -> float:
        """Certified lower limit on the claim's own parameter: μ, ρ, or ε where no curve is claimed.

        Of a Rényi claim ε at its α; of a curve without a formula the factor by which it is at
        least exceeded at the point tested, if above 1.
        """
        parameter = self.evidence.parameter_lower or 0.0
        return self.epsilon_lower if self.curve is None else parameter

    @property
    def trade_off(self) -> TradeOff | None:
        """Limits on the whole trade-off curve of the explained pair, where a curve is claimed."""
        return self.explained_pair.trade_off if self.explained_pair else None

    @property
    def counts(self) -> Counts:
        """Counts of the best pair."""
        return self.best.counts if self.best else Counts()

    @property
    def witness(self) -> Witness | None:
        """Witness of the best pair."""
        return self.best.witness if self.best else None

    @property
    def certifies(self) -> bool:
        """Whether anything was measured or decided."""
        return self.evidence.certifies

    @property
    def trials(self) -> int:
        """Certifying trials of all pairs; of an audit of few runs, the coins of all of them."""
        return self.evidence.trials

    @property
    def surprising(self) -> bool:
        """Whether the verdict differs from the expected one (from "no violation found", if none).

        An ``unknown`` is not a surprise but an audit that could not be completed. A proof is one
        only where a violation was expected. A claim that exact probabilities refute is a surprise
        unless that was expected, whatever the experiment found.
        """
        expected = self.expected or Verdict.NO_VIOLATION
        if isinstance(self.verdict, ExactVerdict):
            return expected is Verdict.VIOLATION
        if self.refuted_exactly and expected is not Verdict.VIOLATION:
            return True
        return self.verdict is not Verdict.UNKNOWN and self.verdict is not expected

    @property
    def refuted_exactly(self) -> bool:
        """Whether exact probabilities refute the claim, whatever the experiment found."""
        return self.program is not None and self.program.verdict == "refuted"


def _strength(pair: PairResult) -> float:
    """Return what pairs are compared by: points of a curve have no common δ."""
    return pair.epsilon_lower if pair.parameter_lower is None else pair.parameter_lower


class InterruptedAudit(KeyboardInterrupt):
    """Ctrl-C during an audit; ``result`` holds what was certified so far, and stays valid.

    Its verdict is ``unknown``, unless the trials made so far certify a violation.
    """

    def __init__(self, result: AuditResult) -> None:
        super().__init__(
            f"{result.name}: interrupted after {counted(result.trials, 'trial')}, with ε ≥ "
            f"{result.epsilon_lower:.4g} certified; the result is in the attribute 'result'"
        )
        self.result = result


def _cut(result: Witness | AuditResult, limit: int) -> None:
    """Cut every text of a result, and of its lists of texts, while it is being made."""
    for name, value in vars(result).items():
        if isinstance(value, str) and not isinstance(value, Enum):
            object.__setattr__(result, name, cut(value, limit))
        elif isinstance(value, tuple) and value and isinstance(value[0], str):
            object.__setattr__(result, name, tuple(cut(item, limit) for item in value))


GROUP = "provado.views"
"""Entry points of a module with ``text``, ``html``, ``plot`` and ``page`` of a result; ``bar``."""


@functools.cache
def view() -> Any:
    """Return that module; raises ``UsageError`` where none is installed."""
    for point in entry_points(group=GROUP):
        return point.load()
    raise UsageError(f"nothing is installed under the entry points {GROUP!r}: install provado")


@dataclass(frozen=True)
class OneRunFinding:
    """The guesses of an audit of few runs, each with m interventions.

    interventions: coins of each run. guesses: made in each run. threshold: that of the scores,
    where there is one. runs: that count, 0 where none was completed. explored: those discarded.
    correct: correct guesses in all. Raises ``UsageError`` for numbers that no runs can give.
    epsilon_lower: certified lower limit on ε at the claimed δ (≥ 0).
    detectable_epsilon: the ε at which this audit had 90 % power, had its guesses been independent
    and correct as often as that ε allows; ``math.inf`` where no ε would do.
    parameter_lower: where a curve is claimed, the certified lower limit on its parameter.
    """

    interventions: int
    guesses: int
    threshold: float | None
    runs: int
    explored: int
    correct: int
    epsilon_lower: float = 0.0
    detectable_epsilon: float = math.inf
    parameter_lower: float | None = None

    def __post_init__(self) -> None:
        if self.runs:
            check_guesses(self.correct, self.guesses, self.interventions, self.runs)
        if self.correct and not self.guessed:
            raise UsageError(f"correct is {self.correct}: there were no runs that guessed")
        if self.runs and not self.guesses:
            raise UsageError("guesses is 0: a run that counts guesses one coin at least")

    @property
    def guessed(self) -> int:
        """Guesses of all runs that count."""
        return self.guesses * self.runs

    @property
    def trials(self) -> int:
        """Coins of all runs that count."""
        return self.interventions * self.runs

    @property
    def lower(self) -> float:
        """Certified lower limit on ε at the claimed δ."""
        return self.epsilon_lower

    @property
    def certifies(self) -> bool:
        """Whether all runs were completed."""
        return self.runs > 0

    def certified(self, delta: float, alpha: float) -> float:
        """Return the lower limit on ε at δ that the guesses certify at 1 − ``alpha``."""
        if not self.runs:
            return 0.0
        return one_run_epsilon_lower(*self._guesses, delta, alpha, runs=self.runs)

    def chance(self, epsilon: float, delta: float, curve: CurvePromise | None = None) -> float:
        """Return the largest chance of so many right guesses under (ε, δ), or under a curve."""
        if not self.runs:
            return 1.0
        if curve is not None:
            return one_run_curve_chance(*self._guesses, curve, runs=self.runs)
        return one_run_chance(*self._guesses, epsilon, delta, runs=self.runs)

    def certified_of(self, curve: CurvePromise, alpha: float) -> tuple[float, Point | None]:
        """Return the lower limit on a curve's parameter at 1 − ``alpha``, and the point of it."""
        if not self.runs:
            return 0.0, None
        return one_run_curve_limit(*self._guesses, alpha, curve, runs=self.runs)

    @property
    def _guesses(self) -> tuple[int, int, int]:
        return self.correct, self.guesses, self.interventions


@dataclass(frozen=True)
class OneRunJudgement:
    """What follows from guesses and a claim.

    found: the finding with its limits. point: the ε and δ claimed, of a curve those of its point
    of which the guesses say most.
    """

    found: OneRunFinding
    verdict: Verdict
    point: Point


def judged(
    finding: OneRunFinding,
    epsilon: float,
    delta: float,
    alpha: float,
    curve: CurvePromise | None = None,
) -> OneRunJudgement:
    """Return limits at (ε, δ), or on a curve, from the guesses alone; recorded ones are not used.

    epsilon, delta: of a curve any point of it, which stays where the guesses say nothing.
    """
    nothing = None if curve is None else 0.0
    finding = replace(
        finding, epsilon_lower=0.0, detectable_epsilon=math.inf, parameter_lower=nothing
    )
    if not finding.runs:
        return OneRunJudgement(finding, Verdict.UNKNOWN, (epsilon, delta))

    def refutes(right: int) -> bool:
        return replace(finding, correct=right).chance(epsilon, delta, curve) <= alpha

    point, parameter = (epsilon, delta), None
    if curve is not None:
        parameter, best = finding.certified_of(curve, alpha)
        point = best or point
    limits = replace(
        finding,
        epsilon_lower=finding.certified(point[1], alpha),
        detectable_epsilon=one_run_detectable_epsilon(refutes, finding.guessed),
        parameter_lower=parameter,
    )
    violated = (
        limits.epsilon_lower > epsilon
        if curve is None or parameter is None
        else parameter > curve.parameter
    )
    return OneRunJudgement(limits, Verdict.VIOLATION if violated else Verdict.NO_VIOLATION, point)
