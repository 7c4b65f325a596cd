"""The plan: everything that is decided before the first draw that counts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds import Bets, BoundMethod, mixture
from provado.audit.bounds.alpha_spending import EXACT
from provado.audit.bounds.counts import Counts
from provado.audit.events.cause import UNNAMED, Cause
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Goal
from provado.audit.target.output_encoding import Encoded, PatternBook

LEAST_CHECKPOINT = 64
MOST_EXPONENT = 700.0


@dataclass(frozen=True)
class Plan:
    """A frozen experiment on one pair of datasets.

    method: the bound that counts once all trials are made. early: the one that counts where time or
    the user ends the experiment before; it is valid whenever that is, and whyever. The two share
    the pair's alpha unless they are the same.
    trials: certifying trials, each with a coin of its own. block: trials a block.
    explored: exploration samples that the rule was learned from. rounded: whether its rule is blind
    to the low-order bits of floating-point numbers. cause: what it uses. edges: of the rule's
    score, between the cells of a ladder; empty where there is none. beside: the plans of other
    rules that are counted on the same trials, each with a share of alpha of its own. until: after
    how many trials it ends, where that is before the last.
    """

    pair: int
    d: Any
    d_prime: Any
    rule: Rule
    book: PatternBook
    method: BoundMethod
    early: BoundMethod
    trials: int
    block: int
    explored: int
    rounded: bool = False
    cause: Cause = UNNAMED
    edges: tuple[float, ...] = ()
    beside: tuple[Plan, ...] = ()
    until: int | None = None

    @property
    def each(self) -> tuple[Plan, ...]:
        """The plan of each rule alone, this one's first."""
        return replace(self, beside=()), *self.beside

    @property
    def most_cells(self) -> int:
        """How many cells there are: between the edges, beyond them, and one for scores of NaN."""
        return len(self.edges) + 2

    def cells(self, outputs: Encoded) -> NDArray[np.int64]:
        """Return the cell of each output, shape (n,)."""
        return cells_of(self.rule, self.edges, outputs)

    @property
    def blocks(self) -> int:
        """How many blocks hold all trials."""
        return -(-self.trials // self.block)

    def block_trials(self, block: int) -> int:
        """Return the number of trials in one block; the last may be short."""
        return min(self.block, self.trials - block * self.block)

    def checkpoints(self, block: int) -> tuple[int, ...]:
        """Return after how many trials of this block the counts are wanted, its last included.

        The others are the checkpoints of the whole experiment that fall inside this block.
        """
        before, size = block * self.block, self.block_trials(block)
        powers = (2**power for power in range((before + size).bit_length()))
        inside = (n - before for n in powers if before < n < before + size and is_checkpoint(n))
        return (*inside, size)


def cells_of(rule: Rule, edges: tuple[float, ...], outputs: Encoded) -> NDArray[np.int64]:
    """Return the cell between ``edges`` of the rule's score of each output; the last is for NaN."""
    if not len(outputs):
        return np.empty(0, dtype=np.int64)
    score = rule.score(outputs)
    found = np.searchsorted(np.array(edges), score, side="right").astype(np.int64)
    return np.where(np.isnan(score), len(edges) + 1, found)


def is_checkpoint(trials: int) -> bool:
    """Return whether the counts so far are kept after so many trials: at powers of two.

    They show how the bound grew; nothing is decided by them.
    """
    return trials >= LEAST_CHECKPOINT and trials.bit_count() == 1


def plan_bets(rule: Rule, a: Encoded, b: Encoded, goal: Goal, *, anytime: bool) -> tuple[Bets, int]:
    """Return the bets of the betting bound and the side that they are on, planned on exploration.

    Most is staked where the bound is best at the planned number of trials and at the rates seen.
    The side is 1 or −1 where δ > 0 and the rule guesses only D or only D′, else 0.
    """
    guesses = rule.guess(a), rule.guess(b)
    said = (np.count_nonzero(part == say) for part in guesses for say in (1, -1, 0))
    seen = Counts(*map(int, said))
    side = seen.side if goal.delta > 0 else 0
    if side:
        beside = goal.epsilon is None and not anytime
        alpha = goal.alpha * (1 - EXACT) if beside else goal.alpha
        goal = replace(goal, delta=goal.delta / 2, alpha=alpha)
    right, wrong, _ = seen.guessed(side)
    plan = _best_stake if goal.epsilon is None else _stake_at_point
    stake = plan(right / seen.trials, (wrong + 0.5) / seen.trials, goal)
    return mixture(stake, goal.delta, anytime=anytime), side


def _stake_at_point(right: float, wrong: float, goal: Goal) -> float:
    """Return the stake whose wealth refutes the largest δ at ``goal.epsilon``, at these rates."""
    assert goal.epsilon is not None
    factor = math.exp(min(goal.epsilon, MOST_EXPONENT))
    rest, need = max(1 - right - wrong, 0.0), -math.log(goal.alpha) / goal.trials
    stakes = np.geomspace(1e-8, 0.999 / (factor + 1), 400)
    low, high = np.zeros(len(stakes)), np.ones(len(stakes))
    for _ in range(40):
        delta = (low + high) / 2
        grown = right * np.log1p(stakes * (1 - delta)) + rest * np.log1p(-stakes * delta)
        refuted = grown + wrong * np.log1p(-stakes * (factor + delta)) >= need
        low, high = np.where(refuted, delta, low), np.where(refuted, high, delta)
    return float(stakes[int(np.argmax(low))])


def _best_stake(right: float, wrong: float, goal: Goal) -> float:
    """Return the stake whose wealth refutes the largest ε if the rates are as forecast."""
    best, best_epsilon = 0.5 / (1 + goal.delta), -math.inf
    need = -math.log(goal.alpha) / goal.trials
    rest = 1 - right - wrong
    for stake in np.geomspace(1e-8, 0.999 / (1 + goal.delta), 400).tolist():
        # right·log(1 + λ(1−δ)) + wrong·log(1 − λ(e^ε + δ)) + rest·log(1 − λδ) = log(1/α)/n
        gain = right * math.log1p(stake * (1 - goal.delta))
        gain += rest * math.log1p(-stake * goal.delta) if rest > 0 else 0.0
        short = (need - gain) / wrong
        if short > MOST_EXPONENT:
            # The bet would lose by so much that no ε is refuted; exp overflows there.
            continue
        afford = -math.expm1(short) / stake - goal.delta
        epsilon = math.log(afford) if afford > 0 else -math.inf
        if epsilon > best_epsilon:
            best, best_epsilon = stake, epsilon
    return best
