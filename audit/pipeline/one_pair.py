"""One pair of datasets from exploration to verdict."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from provado.audit.checks.fresh_process import DRAWS, LEAST_DRAWS, FreshProcesses
from provado.audit.checks.independence import shared_noise
from provado.audit.checks.required import CHANGED, Before, digest, require_like_copies
from provado.audit.events.features.kinds import left_out
from provado.audit.events.threshold import Goal
from provado.audit.options.request import USUAL_SECONDS, Request
from provado.audit.result import PairResult
from provado.audit.search.candidates import Candidate
from provado.audit.search.record import Searched
from provado.audit.search.successive_halving import find_worst
from provado.audit.target.call import RaisedError, Target
from provado.audit.target.output_encoding import BrokenMechanismError, constant_words
from provado.audit.target.random_state import Held, held_generators
from provado.audit.trials.checkpoint import SEARCH, Kept
from provado.audit.trials.plan import Plan
from provado.audit.workers.time_limits import Watch
from provado.mechanisms import Verdict

from .certify import Cut, certify
from .explore import (
    CERTIFIED_SHARE,
    MOST_EXPLORED,
    Clock,
    Explored,
    examples,
    explore,
    make_plans,
    trials_a_second,
)
from .sequential import run_sequence
from .time_budget import few_trials_fit, foresee, seconds_a_trial
from .verdict import pair_result

LEAST_TRIALS = 200
"""So many are planned whatever the time; fewer certify hardly anything."""

LEAST_SHARE = 0.1
"""Of the time, what trials are planned to take however long it took to learn the rule."""


@dataclass(frozen=True)
class Ran:
    """What became of one pair.

    results: one for each rule; none, where no trial was made. cut: what ended the draws before the
    last trial. note: how they were made, if it needs saying. no_pass: why no pass can be given,
    where runs raised or a part of an output was not read. constant: what all outputs were, if they
    were alike.
    """

    results: tuple[PairResult, ...]
    cut: Cut
    note: str
    no_pass: str
    constant: str = ""
    limitations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prepared:
    """What exploration left: all that certifying needs, and nothing of what was explored.

    plans: without their datasets. called: whether the mechanism is called in batches, with a size,
    and whether what it raises is an output. shown: examples of outputs, for each plan. explored,
    whole: how many outputs were explored, and how many kept whole where not all were. no_pass: why
    no pass can be given. remembers: what the mechanism seems to remember of calls. constant: what
    all outputs were, if they were alike. raises: of exceptions that are outputs, in words.
    """

    plans: tuple[Plan, ...]
    called: tuple[bool, bool, bool]
    shown: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    explored: int
    whole: int
    no_pass: str
    remembers: tuple[str, ...]
    constant: str
    raises: str = ""

    def target(self, target: Target) -> Target:
        """Return the mechanism, called as it was when it was explored."""
        batched, sized, catches = self.called
        return replace(target, batched=batched, sized=sized, catches=catches)


def run_pair(request: Request, index: int, held: Held, watch: Watch, fresh: FreshProcesses) -> Ran:
    """Explore, plan, draw, count and bound one pair; what was kept of it is not done again.

    Raises ``BrokenMechanismError`` where the mechanism breaks, changes its data, keeps state or
    gives draws that depend on each other, ``NoAnswerError`` where exploration is ended, and
    ``UnreadableError`` where what was kept is not what an audit keeps.
    """
    kept = Kept(request.keeper, index)
    done: Ran | None = kept.get("done")
    if done is not None:
        return done
    before = Before.of(request, index)
    with watch.learning():
        request, few = _settle(request, index, kept, held, watch)
    clock = None if request.seconds is None else Clock(kept.started, request.seconds)
    if few:
        found = run_sequence(request, index, clock, before, held, watch, fresh, kept)
        sequence, ended, no_pass, constant, left = found
        results = (sequence,) if sequence is not None else ()
        ran = Ran(results, ended, "", no_pass, constant, left)
    else:
        ran = _explored_pair(request, index, clock, before, held, watch, fresh, kept)
    if ran.cut is None and not ran.no_pass:
        kept.put("done", ran)
    return ran


def _settle(
    request: Request, index: int, kept: Kept, held: Held, watch: Watch
) -> tuple[Request, bool]:
    """Return the request with its time settled, and whether so few trials fit in that none is lost.

    What was settled once stays so, however fast the mechanism is by now; then it is called a few
    times all the same, for what it makes on first use.
    """
    settled: tuple[float | None, bool] | None = kept.get("settled")
    if settled is None:
        request, cost = foresee(request, index, held, watch)
        few = few_trials_fit(request, cost)
        kept.put("settled", (request.seconds, few))
        return request, few
    request = replace(request, seconds=settled[0], budget=None)
    if not foresee(request, index, held, watch)[1]:
        seconds_a_trial(request, request.pairs[index], index, USUAL_SECONDS, held, watch)
    return request, settled[1]


def _explored_pair(
    request: Request,
    index: int,
    clock: Clock | None,
    before: Before,
    held: Held,
    watch: Watch,
    fresh: FreshProcesses,
    kept: Kept,
) -> Ran:
    d, d_prime = request.pairs[index]
    prepared: Prepared | None = kept.get("plan")
    if prepared is None:
        prepared = _prepare(request, index, clock, before, held, watch, fresh, kept)
        without_data = tuple(replace(plan, d=None, d_prime=None) for plan in prepared.plans)
        kept.put("plan", replace(prepared, plans=without_data))
    no_pass, target = prepared.no_pass, prepared.target(request.target)
    request = replace(request, target=target)
    # Some generators may have been made on first use.
    held = held_generators(held, request.target.call)
    results = list[PairResult]()
    plans = tuple(
        replace(plan, d=d, d_prime=d_prime, until=request.until) for plan in prepared.plans
    )
    together = replace(plans[0], beside=plans[1:])
    drawn = certify(request, together, clock, held, watch, kept.blocks())
    before.require_same_data(d, d_prime)
    cut, samples, whole = drawn.cut, prepared.explored, prepared.whole
    each = zip(*(counts.each for counts in drawn.checkpoints), strict=True)
    no_pass = no_pass or (drawn.checkpoints[-1].unread if drawn.checkpoints else "")
    # No trial was made where there are no counts.
    for plan, seen, counts in zip(plans, prepared.shown, each, strict=False):
        result = pair_result(request, plan, counts, cut, seen, samples, whole)
        results.append(result)
        violation = result.verdict is Verdict.VIOLATION and not request.timing
        if violation and not prepared.remembers:
            made = result.counts.trials
            draws = LEAST_DRAWS if cut else min(max(made // 500, LEAST_DRAWS), DRAWS)
            require_like_copies(plan, target, fresh, watch, draws)
    left = left_out(one for plan in prepared.plans for one in plan.rule.looked_at)
    if any(one.verdict is Verdict.VIOLATION for one in results):
        no_pass = ""
    else:
        left += filter(None, [prepared.raises])
    if no_pass:
        results = [replace(one, verdict=Verdict.UNKNOWN) for one in results]
    return Ran(tuple(results), cut, drawn.note, no_pass, prepared.constant, tuple(left))


def _prepare(
    request: Request,
    index: int,
    clock: Clock | None,
    before: Before,
    held: Held,
    watch: Watch,
    fresh: FreshProcesses,
    kept: Kept,
) -> Prepared:
    """Explore and plan; raise ``BrokenMechanismError`` where the draws cannot be counted."""
    with watch.learning():
        explored, plans, target, raised = _plan(request, index, clock, held, watch, kept)
    request = replace(request, target=target)
    before.require_same_data(*request.pairs[index])
    dependent = ""
    if not request.timing:
        dependent = shared_noise(explored.a, explored.b, explored.batches)
    if dependent:
        raise BrokenMechanismError(
            f"gives draws that are not independent: {dependent}, so its trials cannot be counted"
        )
    remembers = [] if request.timing else before.kept(request)
    if remembers:
        require_like_copies(plans[-1], target, fresh, watch, DRAWS, remembers)
    return Prepared(
        plans,
        (target.batched, target.sized, target.catches),
        tuple((examples(plan, explored, 1), examples(plan, explored, -1)) for plan in plans),
        explored.samples,
        explored.kept,
        raised or explored.book.unread_words(),
        tuple(remembers),
        constant_words(explored.a, explored.b, explored.book),
        explored.raises.limitation(),
    )


def search_pair(request: Request, held: Held, watch: Watch) -> tuple[Request, Searched, str]:
    """Return the request with the pair that was found for it, what was tried, and what was unread.

    What is left of the time is for the pair. Raises as ``run_pair`` does.
    """
    assert request.question is not None
    kept = Kept(request.keeper, SEARCH)
    found: tuple[Candidate, Searched, float | None, str] | None = kept.get("found")
    if found is None:
        found = _search(request, kept.started, held, watch)
        kept.put("found", found)
    candidate, searched, seconds, unread = found
    question = replace(request.question, candidates=(candidate,))
    pairs = (question.pair(candidate),)
    question.relation.check(*pairs[0])
    request = replace(request, question=question, pairs=pairs, seconds=seconds, budget=None)
    return request, searched, unread


def _search(
    request: Request, started: float, held: Held, watch: Watch
) -> tuple[Candidate, Searched, float | None, str]:
    """Return the pair, what was tried, the seconds that are left for it, and what was unread."""
    with watch.learning():
        request, _ = foresee(request, 0, held, watch)
    assert request.question is not None
    # Few runs rank pairs: by ε at a small δ, which tells pairs apart that are all within a claim.
    curve = request.curve
    claim = (request.epsilon, request.delta) if curve is None else curve.point()
    betting = request.stop_early or claim[1] > 0
    trials, data = request.question.trials, request.question.form.sample
    goal = Goal(trials, request.alpha, claim[1], betting=betting, claimed=claim[0])
    before = digest(data)
    with watch.learning():
        candidate, searched, unread = find_worst(
            request.target,
            request.question,
            goal,
            claim[0],
            seed=request.seed,
            held=held,
            watch=watch,
            tell=request.tell,
        )
    if digest(data) != before:
        raise BrokenMechanismError(CHANGED)
    seconds = request.seconds
    if seconds is not None:
        seconds = max(seconds - (time.perf_counter() - started), 0.2 * seconds)
    # Sent and kept as edits: the data are known where it is read.
    return candidate.on(request.question.form, None), searched, seconds, unread


def _plan(
    request: Request, index: int, clock: Clock | None, held: Held, watch: Watch, kept: Kept
) -> tuple[Explored, tuple[Plan, ...], Target, str]:
    """Return exploration, plans, how the mechanism is called from now on, and what it raised."""
    (d, d_prime), seed = request.pairs[index], request.seed
    size = min(request.samples, MOST_EXPLORED)
    if request.explore is not None:
        size = request.explore
    before = time.perf_counter()
    target, raised = request.target.catching(), ""
    how = (seed, index, held, watch, clock, request.kept, kept)
    try:
        request.tell("explore", 0, size)
        explored = explore(target, d, d_prime, size, *how)
    except RaisedError as error:
        # Which outputs of the batch raised shows when they are drawn one by one.
        target, raised = target.catching(single=True), f"{error} (in a batch, in no single run)"
        explored = explore(target, d, d_prime, size, *how)
    raises = replace(explored.raises, delta=request.delta)
    explored = replace(explored, raises=raises)
    if raises.all and raises.first is not None:
        raise BrokenMechanismError(raises.first.words())
    if raises.any:
        raised = "" if raises.outputs else raises.words()
    else:
        # What is raised from now on was not explored: nothing is known of it.
        target = replace(target, catches=False)
    speed = explored.samples / max(time.perf_counter() - before, 1e-9)

    def planned(trials: int, learned: Sequence[Plan] = ()) -> tuple[Plan, ...]:
        return make_plans(
            explored,
            d,
            d_prime,
            pair=index,
            trials=trials,
            alpha=request.alpha,
            delta=request.delta,
            anytime=request.stop_early,
            ideal=request.ideal,
            learned=learned,
            curve=request.curve,
            claimed=request.epsilon,
        )

    if clock is None:
        return explored, planned(request.samples), target, raised
    plans = planned(_affordable_trials(clock, speed, request.samples))
    together = replace(plans[0], beside=plans[1:])
    speed = trials_a_second(together, target, clock, seed, held, watch)
    trials = _affordable_trials(clock, speed, request.samples)
    return explored, planned(trials, plans), target, raised


def _affordable_trials(clock: Clock, speed: float, most: int) -> int:
    # Learning may have taken what was left: a tenth of the time goes to trials in any case.
    left = max(clock.left(), LEAST_SHARE * clock.seconds)
    return min(max(int(CERTIFIED_SHARE * left * speed), LEAST_TRIALS), most)
