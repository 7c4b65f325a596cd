"""A sequential audit: bets on each block of trials are learned from the blocks before it.

Nothing is discarded, so that it gets by with few runs, and its bound holds at every stopping
time: it ends once a violation is certified, once one of the size asked for would have shown, or
when time is over.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from provado.audit.bounds import BoundMethod, epsilon_lower
from provado.audit.bounds.alpha_spending import RESERVE
from provado.audit.bounds.betting import product_log_wealth
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.checks import state
from provado.audit.checks.independence import shared_noise
from provado.audit.events.cause import name_cause
from provado.audit.events.features.feature import Exact
from provado.audit.events.online_learner import BettingStrategy, Learner, guess
from provado.audit.events.rounding import rounded_rule, significant
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Goal, promised
from provado.audit.result import PairResult
from provado.audit.target import output_encoding, random_state
from provado.audit.target.call import RaisedError
from provado.audit.target.exceptions import Raises
from provado.audit.trials import experiment
from provado.audit.workers.time_limits import NoAnswerError
from provado.mechanisms import Verdict

from .explore import BLOCK, SINGLE_BLOCK, Explored, examples
from .session import PairOutcome, Session, pair_result

EARLY, EARLY_SHARE, LATE_SHARE = 400, 0.06, 0.15
"""A block is so large a part of the trials before it: small while every one of them counts."""

RATHER = 1.4
"""After so many times as many trials, what would have shown is computed again."""

SPAN = 64
"""Neighboring blocks are examined together, for draws that depend on each other, until so many
outputs of a side are there."""

FRESH_SHARE, FEWEST_DRAWS = 64, 8
"""Fresh processes draw one output each for so many trials that were made, within their limits; so
few at least where no output ever came twice, which it would from a memory."""

ALL_RAISED = 64
"""Once all of so many raised, no more are made."""

ANEW = 1_000_000
"""Blocks of a sequence that begins anew are numbered from here."""

LEAST_SECONDS = 0.5
"""So long is drawn whatever the time; less certifies hardly anything."""


def run_sequence(session: Session, before: state.StateSnapshot) -> PairOutcome:
    """Draw, learn and bet until the audit of one pair ends.

    before: what it was like before the first call of the mechanism. From outputs of blocks that
    were drawn by an earlier run all is learned again. What ends the draws is no cut where it is one
    of the ends which such an audit is meant to have. What a single call raises is an output like
    any other. Where a batch raises, its outputs are lost, and at δ > 0 trials may not be left out
    by what they gave: all before them are discarded, and the audit begins anew one by one, with
    the part of alpha that was kept for that.

    Raises ``BrokenMechanismError`` as ``run_pair`` does.
    """
    request, watch, clock = session.request, session.watch, session.clock
    batched = request.target.batched
    sequence = _Sequence(session, (1 - RESERVE if batched else 1) * request.alpha)
    in_batch = ""
    with watch.within(math.inf if clock is None else max(clock.left(), LEAST_SECONDS)):
        try:
            cut = sequence.draw()
        except RaisedError as error:
            if not batched:
                raise
            in_batch = f"{error} (in a batch, in no single run)"
            sequence = _Sequence(session, RESERVE * request.alpha, sequence)
            cut = sequence.draw()
    before.require_same_data(*session.pair)
    if not sequence.counts.trials:
        return PairOutcome((), cut or NoAnswerError("no trial was made in the time given"), "", "")
    if cut is not None and cut.spent:
        cut = None
    result, plan = sequence.result(cut)
    remembers = before.kept(request.target)
    raises = sequence.raises
    if raises.any:
        in_batch = "" if raises.outputs else raises.words()
    no_pass = in_batch or sequence.unread_words()
    if (remembers or result.verdict is Verdict.VIOLATION) and not request.timing:
        least = state.LEAST_DRAWS if remembers or sequence.repeats else FEWEST_DRAWS
        draws = min(max(result.counts.trials // FRESH_SHARE, least), state.DRAWS)
        state.require_fresh_processes_agree(
            plan, sequence.target, session.fresh, watch, draws, remembers
        )
    outcome = PairOutcome((result,), cut, "", no_pass, sequence.constant_words())
    return outcome.concluded([plan], raises.limitation())


class _Sequence:
    """What was drawn of one pair so far, the bets on it, and what it taught.

    alpha: its own part. thrown: one that ended in a batch that raised; this one begins anew, with
    calls one by one. A batch of one is a single call, so what raises often is met as such at first;
    from then on a mechanism is called one by one.
    """

    def __init__(self, session: Session, alpha: float, thrown: _Sequence | None = None) -> None:
        self._session, self._alpha = session, alpha
        self._request = request = session.request
        self.counts = Counts()
        self._first = 0 if thrown is None else ANEW
        self._thrown: int = 0 if thrown is None else thrown.counts.trials
        self._thrown_words = "" if thrown is None else thrown.unread_words()
        self._single = request.target.catching(single=True)
        self.target = request.target.catching() if thrown is None else self._single
        self.raises = Raises(delta=request.delta)
        self._book = output_encoding.PatternBook()
        self._learner = Learner(self._book, alpha, request.delta)
        self._betting = BettingStrategy(request.epsilon, request.delta)
        self._sizes = list[tuple[int, int]]()
        self._checkpoints = list[Counts]()
        self._looked_again, self._done = experiment.LEAST_CHECKPOINT, False

    def draw(self) -> NoAnswerError | None:
        """Draw until the audit ends; return what ended it before it was done, if anything did."""
        held = self._session.held
        cut = self._draw_with(held, 1)
        # Some generators may have been made on first use.
        held = random_state.held_generators(held, self._request.target.call)
        return cut or self._draw_with(held, self._request.samples)

    def _draw_with(self, held: random_state.GeneratorSet, trials: int) -> NoAnswerError | None:
        request, watch = self._request, self._session.watch
        with random_state.seeding(held) as seed_held:
            while self.counts.trials < trials and not self._done:
                number = self._first + len(self._sizes)
                drawn = self._seen_before(number)
                known = drawn is not None
                if drawn is None:
                    index = self._session.index
                    where = (request.seed, self.target.name, index, random_state.SEQUENTIAL, number)
                    seed_held(random_state.held_generator(*where))
                    try:
                        drawn = self._draw_block(number, random_state.generators(*where))
                    except NoAnswerError as error:
                        return error
                if request.ideal:
                    drawn = replace(drawn, a=significant(drawn.a), b=significant(drawn.b))
                self._bet(drawn)
                if self.raises.any:
                    self.target = self._single
                if self.raises.all and self.raises.first and self.counts.trials >= ALL_RAISED:
                    raise output_encoding.BrokenMechanismError(self.raises.first.words())
                self._done = self._certified() or self._would_have_shown()
                request.tell("certify", self.counts.trials, request.samples, self._bound)
                over = drawn.ended is not None or (watch.over and not known)
                if not self._done and over:
                    return drawn.ended or watch.ended()
        return None

    def _draw_block(self, number: int, rngs: experiment.Rngs) -> experiment.Sides:
        pair, size, watch = self._session.pair, self._next_size(), self._session.watch
        growing = experiment.BookGrowth(self._book)
        drawn = experiment.draw_sides(
            self.target, *pair, size, self._book, rngs, watch, self.raises
        )
        if drawn.ended is None:
            self._session.kept.put(f"outputs {number}", growing.seen(drawn, self.raises))
        return drawn

    def _seen_before(self, number: int) -> experiment.Sides | None:
        """Return the outputs of a block that was kept, with all that they added."""
        seen: experiment.BlockOutputs | None = self._session.kept.get(f"outputs {number}")
        if seen is None:
            return None
        seen.put_into(self._book)
        self.raises = seen.raises
        return seen.sides

    def _next_size(self) -> int:
        """Return the size of the next block; it follows from the numbers alone."""
        made = self.counts.trials
        most = BLOCK if self.target.batched else SINGLE_BLOCK
        most = max(min(most, 2**22 // max(self._book.width, 1)), 1)
        size = int(made * (EARLY_SHARE if made < EARLY else LATE_SHARE))
        checkpoint = max(1 << made.bit_length(), experiment.LEAST_CHECKPOINT)
        return max(min(size, most, checkpoint - made, self._request.samples - made), 1)

    def _bet(self, drawn: experiment.Sides) -> None:
        """Bet on the outputs of a block with what those before it taught, then learn from it."""
        blend, width = self._learner.blend(), self._learner.width
        if self._request.delta > 0:
            self._betting.plan(self._learner.chances())
        said = list[int]()
        for outputs, was_d in ((drawn.a, True), (drawn.b, False)):
            known = _cut_to(outputs, width)
            self._betting.bet(blend(known), np.full(len(known), was_d))
            guesses = guess(blend.best, known)
            said += [int(np.count_nonzero(guesses == say)) for say in (1, -1, 0)]
        self.counts += Counts(*said)
        self._sizes.append((len(drawn.a), len(drawn.b)))
        self._learner.add(drawn.a, drawn.b)
        if experiment.is_checkpoint(self.counts.trials):
            self._checkpoints.append(self.counts)

    def _bound(self) -> float:
        return epsilon_lower(self.counts, self._method())

    def _certified(self) -> bool:
        request, bettors = self._request, self._betting.bettors()
        if product_log_wealth(request.epsilon, request.delta, bettors) < -math.log(self._alpha):
            return False
        return epsilon_lower(self.counts, self._method()) > request.epsilon

    def _would_have_shown(self) -> bool:
        """Return, at some calls, whether a violation of the requested size would have shown."""
        if self.counts.trials < self._looked_again:
            return False
        self._looked_again = math.ceil(RATHER * self.counts.trials)
        detectable = detectable_epsilon(self.counts, self._method(), self._request.epsilon)
        return detectable <= self._request.detectable

    def _method(self) -> BoundMethod:
        request = self._request
        return BoundMethod(self._alpha, request.delta, bettors=self._betting.bettors())

    def unread_words(self) -> str:
        """Return in words which part of an output stayed unread, also of discarded ones."""
        return self._thrown_words or self._book.unread_words()

    def constant_words(self) -> str:
        """Return in words what all outputs were, where they were alike; else nothing."""
        return output_encoding.constant_words(*self._learner.sides(), self._book)

    @property
    def repeats(self) -> bool:
        """Whether an output under do(D), or one under do(D′), came more than once."""
        exact = Exact(tuple(range(self._book.width)))
        keys = [exact.read(side) for side in self._learner.sides()]
        return any(len(np.unique(key)) < len(key) for key in keys)

    def _by_bits(
        self, rule: Rule, a: output_encoding.Encoded, b: output_encoding.Encoded, goal: Goal
    ) -> bool:
        """Return whether low-order bits carry most of what a rule promises."""
        apart, others = rounded_rule(rule, a, b, goal, self._book)
        left, whole = (promised(item.guess(a), item.guess(b), goal) for item in (apart, rule))
        return others and left < whole / 2

    def result(self, cut: NoAnswerError | None) -> tuple[PairResult, experiment.Plan]:
        """Return the result, and the plan that the last rule belongs to.

        Raises ``BrokenMechanismError`` where the draws turn out to depend on each other.
        """
        a, b = self._learner.sides()
        dependent = "" if self._request.timing else shared_noise(*_alike(a, b, self._sizes))
        if dependent:
            raise output_encoding.BrokenMechanismError(
                f"gives draws that are not independent: {dependent}, so its trials cannot be "
                "counted"
            )
        self._book.closed = True
        method, made = self._method(), self.counts.trials
        (d, d_prime), samples = self._session.pair, self._request.samples
        rule = self._learner.rule(self._learner.blend().best)
        goal = Goal(max(made, 2), self._alpha, self._request.delta, betting=True)
        by_bits = not self._request.ideal and self._by_bits(rule, a, b, goal)
        plan = experiment.Plan(
            pair=self._session.index,
            d=d,
            d_prime=d_prime,
            rule=rule,
            book=self._book,
            method=method,
            early=method,
            trials=made if cut is None else samples,
            block=made,
            explored=self._thrown,
            rounded=self._request.ideal,
            cause=name_cause(rule, a, b, self._book, goal, by_bits=by_bits, learned=0),
        )
        explored = Explored(a, b, self._book, (), made, self.raises)
        shown = examples(plan, explored, 1), examples(plan, explored, -1)
        points = (*(counts for counts in self._checkpoints if counts != self.counts), self.counts)
        return pair_result(self._request, plan, points, cut, shown, self._thrown), plan


def _cut_to(outputs: output_encoding.Encoded, width: int) -> output_encoding.Encoded:
    """Return outputs with so many columns.

    One that has more is of a structure which was not seen before; it must not change what the
    others of its block look like.
    """
    return output_encoding.join((outputs.cut(width),), width)


def _alike(
    a: output_encoding.Encoded, b: output_encoding.Encoded, sizes: list[tuple[int, int]]
) -> tuple[output_encoding.Encoded, output_encoding.Encoded, list[int]]:
    """Return the outputs of either side, so many of both in each span of blocks.

    sizes: how many of them each block has; what was drawn later is not among them.
    """
    spans, kept_a, kept_b = list[int](), list[np.ndarray](), list[np.ndarray]()
    start, reached = (0, 0), (0, 0)
    for number, (of_a, of_b) in enumerate(sizes):
        reached = min(reached[0] + of_a, len(a)), min(reached[1] + of_b, len(b))
        both = min(reached[0] - start[0], reached[1] - start[1])
        if both >= SPAN or number + 1 == len(sizes):
            spans.append(both)
            kept_a.append(np.arange(start[0], start[0] + both))
            kept_b.append(np.arange(start[1], start[1] + both))
            start = reached
    rows_a, rows_b = np.concatenate(kept_a), np.concatenate(kept_b)
    return a.part(rows_a), b.part(rows_b), spans
