"""Find the worst pair: successive halving, Hypothesis with ``target``, then shrinking.

Everything here is exploration: its draws are discarded, and the pair that it ends with is
explored and certified anew, at the price of one pair.
"""

import itertools
import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.events.features.text import with_numbers
from provado.audit.events.rounding import grid_of
from provado.audit.events.rule import learn_rule
from provado.audit.events.threshold import Goal
from provado.audit.target import random_state
from provado.audit.target.call import RaisedError, Target
from provado.audit.target.output_encoding import (
    BrokenMechanismError,
    Encoded,
    PatternBook,
    constant_words,
    encode,
    join,
)
from provado.audit.workers import one_thread
from provado.audit.workers.progress import ProgressReporter
from provado.audit.workers.time_limits import Watch
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne
from provado.mechanisms.deterministic_hypothesis import without_local_constants

from .candidates import MOST_COLUMNS, MOST_SIZE, Candidate, edited, of_count, rank
from .dataset_format import Records
from .request import Question, SearchRecord, search_seconds

FIRST_PART, NEXT_PART = 256, 32
"""A search is done in parts, so that it has an answer early where time cuts it: each is a whole
search that continues with the outputs of those before it and ends after so many times as many runs;
so many runs has the first at least."""

KEPT, FEWEST, FINALISTS, CONTENDERS, SINGLY = 1 / 3, 8, 4, 3, 200
"""Of the candidates of a round, those that go on; outputs of each side at least; how many are left
for the last round, and how many of these are compared on more; outputs at a time where a batch
raises, so that they are drawn one by one."""

INDISPENSABLE, LATEST, MARGIN = 2, 0.75, 1.25
"""Outputs of each side at least of a pair that is always tried; up to which share of the audit's
time that goes on; how much more time than measured an audit is told to need for it."""

COUNTED, PROBED, USUAL_LIMITS, FIRST_PROBE = 0.1, 8, 128, 2**24
"""Of the runs, what counts of equal records are searched with; outputs of each side of a count;
where records come and go, the counts that are tried of few records, too, since most limits below
which a release is suppressed lie among them; the number of the first such dataset."""

TIPPING, MOST_COUNTED, FAR = 16, 6, 9.0
"""Counts that are tried as pairs, and of how many values, at most; how far an output moves there,
beside the average count."""

GIVEN = "the data, "
"""How a pair was made whose D is the data as given."""

THOROUGH = 16
"""Candidates of a round from which on their scores are those of learned rules, too."""

CLIMBED, SHRUNK, CONFIRMED = 0.2, 0.2, 0.4
"""Of the runs, what Hypothesis may use, and what shrinking may; of the others, where Hypothesis
cannot vary a pair or δ > 0, what the pairs that promise most are drawn for again with."""

SILENT, MORE = 4, 32
"""Where δ > 0, so many pairs with one output under D or D′, the smallest first, and then the first
that shows more, are drawn from more often: so many times as often as another pair, together. What
is as rare as δ is all that they may show, as where a partition is selected."""

CLIMBS, SHRINKS, VALIDATED, LOSS = 60, 40, 3, 0.02
"""Pairs that Hypothesis tries at most, and about so many that shrinking does; how many of those are
compared with the first at last; the share of its forecast that a pair may lose."""


@dataclass(eq=False)
class _Sample:
    """Outputs of one candidate so far."""

    candidate: Candidate
    number: int
    book: PatternBook = field(default_factory=PatternBook)
    parts: tuple[list[Encoded], list[Encoded]] = field(default_factory=lambda: ([], []))
    score: float = -math.inf
    beyond: float = -math.inf
    scored: tuple[int, bool] = (0, False)
    reason: str = ""
    single: bool = False

    @property
    def size(self) -> int:
        return sum(map(len, self.parts[0]))

    def joined(self) -> tuple[Encoded, Encoded]:
        one, two = (join(part, self.book.width) for part in self.parts)
        return one, two

    @property
    def constant(self) -> bool:
        """Whether all outputs of one side are the same."""
        return not self.reason and any(constant_words(x, x, self.book) for x in self.joined())


class _Search:
    """Draws for candidates, and keeps count."""

    def __init__(
        self,
        target: Target,
        question: Question,
        goal: Goal,
        seed: int,
        held: random_state.GeneratorSet,
        watch: Watch,
        tell: ProgressReporter,
        *,
        ideal: bool = False,
    ) -> None:
        self.target, self.question, self.goal, self.ideal = target, question, goal, ideal
        self.seed, self.watch, self._held, self._tell = seed, watch, held, tell
        self.runs, self.samples, self.thorough = 0, dict[Any, _Sample](), False
        self.silent: list[_Sample] = []
        self.books: list[PatternBook] = []
        self._started, self.budget = time.monotonic(), question.runs
        self.latest, self.ended, self.needed = math.inf, question.ended or math.inf, 0.0

    @property
    def over(self) -> bool:
        """Whether time ended the search, at a number of runs that repeats it."""
        return self.runs >= self.ended

    @property
    def spent(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._started

    def check_time(self) -> None:
        """End the search here, where its time is over; called once it made more runs."""
        if not self.over and (self.spent >= self.latest or self.watch.over):
            self.ended = self.runs

    def sample(self, candidate: Candidate) -> _Sample:
        """Return what is known of a candidate; nothing yet, of a new one."""
        return self.samples.setdefault(candidate.key(), _Sample(candidate, len(self.samples)))

    def grow(self, sample: _Sample, size: int) -> None:
        """Draw until there are ``size`` outputs of each side, if runs are left, and score them."""
        more = min(size - sample.size, (self.budget - self.runs) // 2)
        if more > 0 and not sample.reason:
            number = sample.number * 64 + len(sample.parts[0])
            try:
                drawn = self._draw(sample, more, number, self.target.catching(single=sample.single))
            except RaisedError:
                # Which outputs of the batch raised shows when they are drawn one by one.
                sample.single, more = True, min(more, SINGLY)
                drawn = self._draw(sample, more, number, self.target.catching(single=True))
            except BrokenMechanismError as error:
                sample.reason, sample.score = str(error), -math.inf
                self.runs += 1
                self.check_time()
                return
            self.runs += 2 * more
            self._tell("search", self.runs, self.question.runs)
            self.check_time()
            for part, new in zip(sample.parts, drawn, strict=True):
                part.append(new)
            if all(isinstance(key, tuple) and key[0] == "raised" for key in sample.book.keys):
                sample.reason, sample.score = sample.book.words(drawn[0], 0), -math.inf
        known = sample.scored == (sample.size, self.thorough)
        if sample.size and not sample.reason and not known:
            sample.score, sample.beyond = self.score(sample, sample.size)
            sample.scored = sample.size, self.thorough

    def _draw(self, sample: _Sample, more: int, number: int, target: Target) -> list[Encoded]:
        rngs = random_state.generators(self.seed, target.name, 0, random_state.SEARCH, number)[1:]
        data = self.question.pair(sample.candidate)
        # What it warns of on strange data would be told again and again.
        with warnings.catch_warnings(), random_state.seeding(self._held) as seed_held:
            warnings.simplefilter("ignore")
            seed_held(
                random_state.held_generator(self.seed, target.name, 0, random_state.SEARCH, number)
            )
            return [
                encode(target.draw(d, more, rng, self.watch), more, sample.book)
                for d, rng in zip(data, rngs, strict=True)
            ]

    def score(self, sample: _Sample, size: int) -> tuple[float, float]:
        """Return what ``rank`` does of so many outputs; where thorough, of a learned rule, too."""
        a, b = (part.part(slice(0, size)) for part in sample.joined())
        score, beyond = rank(a, b, self.goal, ideal=self.ideal)
        if not self.thorough or sample.book.width < 2:
            return score, beyond
        grid = grid_of(a, b)
        with one_thread(), np.errstate(invalid="ignore", over="ignore"):
            rule = learn_rule(grid(a), grid(b), self.goal, sample.book.words, quick=True)
        return max(score, rule.cut.value), max(beyond, rule.cut.beyond)


def _ranked(samples: Sequence[_Sample], claim: float) -> list[_Sample]:
    """Return the best first: those inside the domain that would certify a violation, the others."""

    def order(sample: _Sample) -> tuple[bool, float]:
        return sample.candidate.outside or sample.score <= claim, -sample.score

    return sorted(samples, key=order)


def find_worst(
    target: Target,
    question: Question,
    goal: Goal,
    claim: float,
    *,
    seed: int,
    held: random_state.GeneratorSet,
    watch: Watch,
    tell: ProgressReporter,
    ideal: bool,
) -> tuple[Candidate, SearchRecord, str]:
    """Return the candidate that promises the largest certified ε, what was tried, what was unread.

    goal: what the certifying run will be. claim: the claimed ε. ideal: whether exact real
    arithmetic is meant.
    Raises ``BrokenMechanismError`` where the mechanism raises on every candidate, and what the
    watch raises.
    """
    search = _Search(target, question, goal, seed, held, watch, tell, ideal=ideal)
    planned = question.candidates
    always = [search.sample(candidate) for candidate in planned if candidate.mandatory]
    _draw_always(search, always)
    best: _Sample | None = None
    parts = (question.runs // NEXT_PART**part for part in (2, 1))
    for runs in (*(runs for runs in parts if runs >= FIRST_PART), question.runs):
        search.budget = max(runs, search.runs)
        if runs == question.runs:
            planned = (*planned, *_tipping_counts(search))
        search.silent = [sample for sample in search.silent if sample.constant]
        shown = [sample for sample in search.silent if sample.beyond > 0]
        search.silent = shown[:1] or search.silent
        best = _halve(search, planned, claim, best)
        best = _shrink(search, _climb(search, best, claim))
        if watch.over:
            raise watch.ended()
        if search.over:
            break
    assert best is not None
    seen = [sample for sample in search.samples.values() if sample.size or sample.reason]
    broken = [sample for sample in seen if sample.reason]
    tried = [sample for sample in map(search.sample, planned) if sample in seen]
    searched = SearchRecord(
        domain=question.domain.words(),
        inferred=question.domain.inferred,
        outside_data=best.candidate.outside,
        construction=best.candidate.made,
        pairs=len(seen),
        runs=search.runs,
        kinds=tuple(dict.fromkeys(sample.candidate.made for sample in seen)),
        failed=len(broken),
        reason=broken[0].reason if broken else "",
        planned=len(planned),
        tried=len(tried),
        mandatory=len(always),
        skipped=sum(sample not in seen for sample in always),
        seconds_needed=search.needed,
        timed=math.isfinite(question.seconds),
        cut=search.over,
        planned_runs=question.runs,
        cut_after=int(search.ended) if search.over else 0,
        fixed_size=len(question.records) if question.fixed_size else 0,
        other_size=isinstance(question.relation, ReplaceOne)
        and len(best.candidate.d) != len(question.records),
    )
    search.books += [sample.book for sample in search.samples.values()]
    unread = (book.unread_words() for book in search.books)
    return best.candidate, searched, next(filter(None, unread), "")


def _draw_always(search: _Search, always: Sequence[_Sample]) -> None:
    """Draw few outputs of each pair that is always tried, and note the time that this needs."""
    seconds = search.question.seconds
    search.budget = max(search.budget, 2 * INDISPENSABLE * len(always))
    search.latest = LATEST * seconds
    always = sorted(always, key=lambda sample: not sample.candidate.made.startswith(GIVEN))
    given = sum(sample.candidate.made.startswith(GIVEN) for sample in always)
    for number, item in enumerate(always):
        if number and number == given and all(sample.reason for sample in always[:given]):
            raise BrokenMechanismError(f"{always[0].reason}, on the data as given")
        if search.over:
            search.needed = MARGIN * search.spent / LATEST * len(always) / number
            break
        search.grow(item, INDISPENSABLE)
    if search.goal.delta:
        constant = [sample for sample in always if sample.size and sample.constant]
        search.silent = sorted(constant, key=lambda sample: len(sample.candidate.d))[:SILENT]
    search.latest = search_seconds(seconds)
    search.check_time()


def _tipping_counts(search: _Search) -> list[Candidate]:
    """Return neighbors between which a count of equal records changes the output.

    Suppression, rounding, k-anonymity and flags act at one count, often beside noisy numbers. Every
    count is drawn from a few times, and one more; those are returned between which a number or the
    structure of the output moves much farther than between most others.
    """
    question, candidates = search.question, list[Candidate]()
    relation, size, values = question.relation, len(question.records), question.domain.records()
    adding = isinstance(relation, AddOrRemoveOne)
    # Where the size stays, as many records of one value are as few of the first.
    orders = [(item, values[0]) for item in values[0 if adding else 1 : MOST_COUNTED]]
    counted = orders and question.form.kind != "number" and (adding or size)
    if not counted or size > MOST_SIZE or isinstance(relation, BoundedAnswers):
        return candidates
    runs = int(COUNTED * question.runs) // 2
    beyond = min(USUAL_LIMITS, runs // PROBED)
    counts = range(max(size * 5 // 4 + 2, beyond) if adding else size)
    runs //= len(counts)
    orders = orders[: max(min(MOST_SIZE // len(counts), runs * 2 // PROBED), 1)]
    drawn = min(runs // len(orders), PROBED)
    if not drawn:
        return candidates
    numbers = itertools.count(FIRST_PROBE)
    for value, other in orders:
        book, probes = PatternBook(), list[_Sample]()
        search.books.append(book)
        for k in counts:
            tried = of_count(question.records, value, other, k, adding=adding)
            # Marked as scored: no pair is ranked by so few outputs.
            probes.append(_Sample(tried, next(numbers), book, scored=(drawn, search.thorough)))
            search.grow(probes[-1], drawn)
            if search.over:
                return candidates
        probes = [probe for probe in probes if probe.size == drawn]
        far = _moves([probe.joined() for probe in probes])
        for at in np.argsort(-far, kind="stable")[: max(TIPPING // len(orders), 2)].tolist():
            if far[at] > min(FAR, len(probes) / 3):
                candidates.append(replace(probes[at].candidate, mandatory=True))
    return candidates


def _moves(sides: Sequence[tuple[Encoded, Encoded]]) -> NDArray[np.float64]:
    """Return how far the number that moves farthest does between the sides of each pair.

    Of each number, and of the structure, the places in the order of all its values are compared,
    and how often each value occurs, as a multiple of what they move between the two sides of a pair
    on average.
    """
    if not sides:
        return np.empty(0)
    each = with_numbers([encoded for both in sides for encoded in both])
    read = np.vstack([np.column_stack([x.pattern, x.values[:, :MOST_COLUMNS]]) for x in each])
    ordered = [np.unique(x, return_inverse=True, return_counts=True)[1:] for x in read.T]
    columns = np.array([x for at, often in ordered for x in (at, often[at])])
    means = columns.reshape(len(columns), len(sides), 2, -1).mean(axis=3)
    moved = np.abs(means[:, :, 0] - means[:, :, 1])
    average = moved.mean(axis=1, keepdims=True)
    return np.asarray((moved / np.where(average > 0, average, 1)).max(axis=0))


def _halve(
    search: _Search, offered: Sequence[Candidate], claim: float, best: _Sample | None
) -> _Sample:
    """Draw for all, keep the best third and draw more for them, until few are left.

    best: of the part of the search before this one; the first that more is drawn for, so that it
    is among those that are compared wherever time ends this.
    """
    question, delta = search.question, search.goal.delta
    runs = int(search.budget * (1 - CLIMBED * _climbs(question) - SHRUNK * _shrinks(question)))
    confirmed = int(CONFIRMED * runs) if delta or not _climbs(question) else 0
    runs -= confirmed
    affordable = len(offered)
    while affordable > 2 and 2 * FEWEST * affordable * _rounds(affordable) > runs:
        affordable -= 1
    chosen = [
        search.sample(candidate)
        for number, candidate in enumerate(offered)
        if number < affordable or candidate.mandatory
    ]
    alive = list(dict.fromkeys(chosen if best is None else [best, *chosen]))
    todo = sorted(alive, key=lambda sample: sample is not best and not sample.candidate.mandatory)
    classics = [sample for sample in alive if sample.candidate.made == offered[0].made][:FINALISTS]
    if delta:
        # On few outputs luck at pairs that use up their ε hides an event that is as rare as δ.
        classics += [item for item in alive if item.candidate.mandatory and item not in classics]
    rounds, size, silent = _rounds(len(alive)), 0, search.silent
    more = MORE // max(len(silent), 1)
    for number in range(rounds):
        # Every round costs about the same.
        drawn_from = len(alive) + (more - 1) * len(silent)
        size += max(runs // (2 * drawn_from * rounds), 1 if size else INDISPENSABLE)
        search.thorough = len(alive) <= THOROUGH
        # Wherever time ends a round, the best of the one before it has more outputs, too.
        for element in sorted(alive, key=lambda sample: -sample.score) if number else todo:
            if search.over:
                break
            search.grow(element, size * more if element in silent else size)
        drawn = [sample for sample in alive if not sample.reason and sample.size]
        if not drawn:
            raise BrokenMechanismError(alive[0].reason or "gave no answer in the time given")
        alive = drawn
        if search.over:
            break
        if number + 1 < rounds:
            stay = [sample for sample in classics if sample in drawn]
            alive = [*stay, *(sample for sample in _kept(drawn) if sample not in stay)]
    most = max((sample.size for sample in alive if sample not in silent), default=0)
    alive = [sample for sample in alive if sample.size >= most]
    if not confirmed:
        return _ranked(alive, claim)[0]
    # Luck decides between pairs that are nearly as good, and among many cuts of few outputs it
    # exceeds δ, too: what promises most is drawn for again.
    firm = _ranked(alive, claim)[: 2 if delta else CONTENDERS]
    firm += sorted(alive, key=lambda sample: -sample.beyond)[:FINALISTS] if delta else []
    for element in dict.fromkeys(firm):
        if search.over:
            break
        search.grow(element, most + confirmed // (2 * len(firm)))
    most = max(sample.size for sample in firm)
    return _ranked(alive if delta else [sample for sample in firm if sample.size == most], claim)[0]


def _climbs(question: Question) -> bool:
    """Return whether Hypothesis may look for a better pair near the best one."""
    return not isinstance(question.relation, BoundedAnswers) and question.form.kind != "number"


def _shrinks(question: Question) -> bool:
    """Return whether records may be left out of the best pair."""
    return question.form.kind != "number" and not question.fixed_size


def _rounds(number: int) -> int:
    """Return how many rounds leave few of so many candidates."""
    return max(math.ceil(math.log(max(number / FINALISTS, 1), 1 / KEPT)), 0) + 1


def _kept(drawn: Sequence[_Sample]) -> list[_Sample]:
    """Return the best third; of those inside the domain and those outside each its own."""
    kept: list[_Sample] = []
    for outside in (False, True):
        group = [sample for sample in drawn if sample.candidate.outside is outside]
        group.sort(key=lambda sample: -sample.score)
        number = max(math.ceil(len(group) * KEPT), FINALISTS // 2)
        kept += group[:number]
        # What exceeds δ is rare: on few outputs it is promising, and its forecast is low.
        rest = sorted(group[number:], key=lambda sample: -sample.beyond)
        kept += [sample for sample in rest[: FINALISTS // 2] if sample.beyond > 0]
    return kept


def _climb(search: _Search, best: _Sample, claim: float) -> _Sample:
    """Let Hypothesis look for a better pair, its examples driven by the forecast."""
    question = search.question
    runs = int(CLIMBED * search.budget)
    size = max(runs // (2 * CLIMBS), FEWEST)
    tries = min(CLIMBS, runs // (2 * size))
    if tries < 4 or search.over:
        return best
    found = best

    def score(candidate: Candidate) -> float:
        nonlocal found
        if search.over or not candidate.differs:
            return -math.inf
        sample = search.sample(candidate)
        search.grow(sample, max(size, sample.size))
        # Luck on few outputs is not enough: both are compared on equally many.
        if sample.score > found.score:
            search.grow(sample, found.size)
            plain = found.candidate.outside or not candidate.outside
            if plain and sample.score > found.score * (1 + LOSS):
                found = sample
        return sample.score

    _target(question, score, tries, best.candidate)
    return _ranked([best, found], claim)[0] if found is not best else best


def _target(
    question: Question, score: Callable[[Candidate], float], tries: int, best: Candidate
) -> None:
    """Call ``score`` on pairs that Hypothesis draws, which it varies where the score rises."""
    from hypothesis import HealthCheck, Phase, given, settings, target
    from hypothesis import strategies as st

    relation, domain = question.relation, question.domain
    if not _climbs(question):
        return
    record, adding = domain.strategy(), isinstance(relation, AddOrRemoveOne)
    few = st.lists(record, min_size=0 if adding else 1, max_size=8)

    def base_of(drawn: list[Any]) -> Records:
        base, n = best.d.of(*drawn), len(best.d)
        return (base + best.d[len(drawn) :])[:n] if question.fixed_size else base

    bases = st.one_of(st.just(best.d), few.map(base_of))

    @settings(
        max_examples=tries,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    @given(bases, record, st.integers(0, 2**16))
    def climb(base: Records, value: Any, place: int) -> None:
        index = place % (len(base) + adding)
        outside = best.outside and base.key() == best.d.key()
        gone = 0 if adding else 1
        result = score(edited(base, index, gone, value, made="found by search", outside=outside))
        if math.isfinite(result):
            target(result)

    with without_local_constants():
        climb()


def _shrink(search: _Search, best: _Sample) -> _Sample:
    """Leave out records that both datasets share, halves first, while the forecast stands.

    Few draws decide on the way, so what came of it is compared with the first on as many as that
    was chosen by; the smallest that stands then is taken.
    """
    runs = int(SHRUNK * search.budget)
    left, size, share = search.runs + runs // 2, min(best.size, max(runs // SHRINKS, FEWEST)), 0.5
    goal, smaller = search.score(best, size)[0], [best]
    shrinks = _shrinks(search.question)
    while shrinks and search.runs + 2 * size <= left and not search.over:
        candidate = smaller[-1].candidate
        shared = len(candidate.d) - candidate.edit[1]
        step = max(int(shared * share), 1)
        if not shared:
            break
        for start in range(0, shared, step):
            if search.runs + 2 * size > left or search.over:
                break
            sample = search.sample(candidate.without(start, start + step))
            search.grow(sample, size)
            if not sample.reason and sample.score >= goal - _noise(goal, size):
                smaller.append(sample)
                break
        else:
            if step == 1:
                break
            share /= 2
    for sample in smaller[: -VALIDATED - 1 : -1]:
        if search.over:
            break
        search.grow(sample, best.size)
        if sample.score >= best.score - _noise(best.score, best.size):
            return sample
    return best


def _noise(score: float, size: int) -> float:
    """Return by how much the forecast of an equally good pair may be lower."""
    return abs(score) * (LOSS + 2 / math.sqrt(size))
