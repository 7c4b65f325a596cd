"""One pair of datasets from exploration to verdict."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from provado.audit.checks import state
from provado.audit.checks.independence import shared_noise
from provado.audit.events.threshold import Goal
from provado.audit.options.request import Request
from provado.audit.result import PairResult
from provado.audit.search.candidates import Candidate
from provado.audit.search.request import SearchRecord
from provado.audit.search.successive_halving import find_worst
from provado.audit.target.call import RaisedError, Target
from provado.audit.target.output_encoding import BrokenMechanismError, constant_words
from provado.audit.target.random_state import GeneratorSet
from provado.audit.trials.checkpoint import SEARCH, PairCheckpoint
from provado.audit.trials.experiment import Plan
from provado.audit.workers.time_limits import Watch
from provado.mechanisms import Verdict

from .explore import (
    CERTIFIED_SHARE,
    MOST_EXPLORED,
    Clock,
    Explored,
    examples,
    explore,
    make_plans,
)
from .sequential import run_sequence
from .session import PairOutcome, Session, certify, few_trials_fit, pair_result

LEAST_TRIALS = 200
"""So many are planned whatever the time; fewer certify hardly anything."""

LEAST_SHARE = 0.1
"""Of the time, what trials are planned to take however long it took to learn the rule."""


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


def run_pair(
    request: Request, index: int, held: GeneratorSet, watch: Watch, fresh: state.FreshProcesses
) -> PairOutcome:
    """Explore, plan, draw, count and bound one pair; what was kept of it is not done again.

    Raises ``BrokenMechanismError`` where the mechanism breaks, changes its data, keeps state or
    gives draws that depend on each other, ``NoAnswerError`` where exploration is ended, and
    ``UnreadableError`` where what was kept is not what an audit keeps.
    """
    kept = PairCheckpoint(request.checkpoint, index)
    done: PairOutcome | None = kept.get("done")
    if done is not None:
        return done
    session = Session(request, index, held, watch, fresh, kept)
    before = state.StateSnapshot.of(session.pair, request.target)
    with watch.learning():
        session, few = _settle(session)
    ran = run_sequence(session, before) if few else _explored_pair(session, before)
    if ran.cut is None and not ran.no_pass:
        kept.put("done", ran)
    return ran


def _settle(session: Session) -> tuple[Session, bool]:
    """Return it with its time settled, and whether so few trials fit in that none is lost.

    What was settled once stays so, however fast the mechanism is by now; then it is called a few
    times nevertheless, for what it makes on first use.
    """
    settled: tuple[float | None, bool] | None = session.kept.get("settled")
    if settled is None:
        session, cost = session.measure_speed()
        few = few_trials_fit(session.request, cost)
        session.kept.put("settled", (session.request.seconds, few))
        return session, few
    session = session.asking(seconds=settled[0], budget=None)
    if not session.measure_speed()[1]:
        session.seconds_a_trial()
    return session, settled[1]


def _explored_pair(session: Session, before: state.StateSnapshot) -> PairOutcome:
    d, d_prime = session.pair
    prepared: Prepared | None = session.kept.get("plan")
    if prepared is None:
        prepared = _prepare(session, before)
        without_data = tuple(replace(plan, d=None, d_prime=None) for plan in prepared.plans)
        session.kept.put("plan", replace(prepared, plans=without_data))
    no_pass = prepared.no_pass
    session = session.calling(prepared.target(session.request.target))
    request, results = session.request, list[PairResult]()
    plans = tuple(
        replace(plan, d=d, d_prime=d_prime, until=request.until) for plan in prepared.plans
    )
    checkpoints, cut, note = certify(session, replace(plans[0], beside=plans[1:]))
    before.require_same_data(d, d_prime)
    samples, whole = prepared.explored, prepared.whole
    each = zip(*(counts.each for counts in checkpoints), strict=True)
    no_pass = no_pass or (checkpoints[-1].unread if checkpoints else "")
    # No trial was made where there are no counts.
    for plan, seen, counts in zip(plans, prepared.shown, each, strict=False):
        result = pair_result(request, plan, counts, cut, seen, samples, whole)
        results.append(result)
        violation = result.verdict is Verdict.VIOLATION and not request.timing
        if violation and not prepared.remembers:
            made = result.counts.trials
            draws = (
                state.LEAST_DRAWS if cut else min(max(made // 500, state.LEAST_DRAWS), state.DRAWS)
            )
            state.require_fresh_processes_agree(
                plan, request.target, session.fresh, session.watch, draws
            )
    outcome = PairOutcome(tuple(results), cut, note, no_pass, prepared.constant)
    return outcome.concluded(prepared.plans, prepared.raises)


def _prepare(session: Session, before: state.StateSnapshot) -> Prepared:
    """Explore and plan; raise ``BrokenMechanismError`` where the draws cannot be counted."""
    with session.watch.learning():
        explored, plans, target, raised = _plan(session)
    timing = session.request.timing
    before.require_same_data(*session.pair)
    dependent = "" if timing else shared_noise(explored.a, explored.b, explored.batches)
    if dependent:
        raise BrokenMechanismError(
            f"gives draws that are not independent: {dependent}, so its trials cannot be counted"
        )
    remembers = [] if timing else before.kept(target)
    if remembers:
        state.require_fresh_processes_agree(
            plans[-1], target, session.fresh, session.watch, state.DRAWS, remembers
        )
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


def search_pair(
    request: Request, held: GeneratorSet, watch: Watch, fresh: state.FreshProcesses
) -> tuple[Request, SearchRecord, str]:
    """Return the request with the pair that was found for it, what was tried, and what was unread.

    What is left of the time is for the pair. Raises as ``run_pair`` does.
    """
    assert request.question is not None
    kept = PairCheckpoint(request.checkpoint, SEARCH)
    result: tuple[Candidate, SearchRecord, float | None, str] | None = kept.get("found")
    if result is None:
        result = _search(Session(request, 0, held, watch, fresh, kept))
        kept.put("found", result)
    candidate, searched, seconds, unread = result
    question = replace(request.question, candidates=(candidate,))
    pairs = (question.pair(candidate),)
    question.relation.check(*pairs[0])
    request = replace(request, question=question, pairs=pairs, seconds=seconds, budget=None)
    return request, searched, unread


def _search(session: Session) -> tuple[Candidate, SearchRecord, float | None, str]:
    """Return the pair, what was tried, the seconds that are left for it, and what was unread."""
    with session.watch.learning():
        session, _ = session.measure_speed()
    request, question = session.request, session.request.question
    assert question is not None
    # Few runs rank pairs: by ε at a small δ, which tells pairs apart that are all within a claim.
    curve = request.curve
    claim = (request.epsilon, request.delta) if curve is None else curve.point()
    betting = request.anytime or claim[1] > 0
    goal = Goal(question.trials, request.alpha, claim[1], betting=betting, claimed=claim[0])
    before = state.digest(question.form.sample)
    with session.watch.learning():
        candidate, searched, unread = find_worst(
            request.target,
            question,
            goal,
            claim[0],
            seed=request.seed,
            held=session.held,
            watch=session.watch,
            tell=request.tell,
            ideal=request.ideal,
        )
    if state.digest(question.form.sample) != before:
        raise BrokenMechanismError(state.CHANGED)
    seconds = request.seconds
    if seconds is not None:
        seconds = max(seconds - (time.perf_counter() - session.kept.started), 0.2 * seconds)
    # Sent and kept as edits: the data are known where it is read.
    return candidate.on(question.form, None), searched, seconds, unread


def _plan(session: Session) -> tuple[Explored, tuple[Plan, ...], Target, str]:
    """Return exploration, plans, how the mechanism is called from now on, and what it raised."""
    request, clock = session.request, session.clock
    size = min(request.samples, MOST_EXPLORED) if request.explore is None else request.explore
    before = time.perf_counter()
    target, raised = request.target.catching(), ""
    asked = (*session.pair, size, request.seed, session.index, session.held)
    how = (session.watch, clock, request.kept, session.kept)
    try:
        request.tell("explore", 0, size)
        explored = explore(target, *asked, *how)
    except RaisedError as error:
        # Which outputs of the batch raised shows when they are drawn one by one.
        target, raised = target.catching(single=True), f"{error} (in a batch, in no single run)"
        explored = explore(target, *asked, *how)
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
            *session.pair,
            pair=session.index,
            trials=trials,
            alpha=request.alpha,
            delta=request.delta,
            anytime=request.anytime,
            ideal=request.ideal,
            learned=learned,
            curve=request.curve,
            claimed=request.epsilon,
        )

    if clock is None:
        return explored, planned(request.samples), target, raised
    plans = planned(_affordable_trials(clock, speed, request.samples))
    together = replace(plans[0], beside=plans[1:])
    speed = session.asking(target=target).trials_a_second(together)
    trials = _affordable_trials(clock, speed, request.samples)
    return explored, planned(trials, plans), target, raised


def _affordable_trials(clock: Clock, speed: float, most: int) -> int:
    # Learning may have taken what was left: a tenth of the time goes to trials in any case.
    left = max(clock.left(), LEAST_SHARE * clock.seconds)
    return min(max(int(CERTIFIED_SHARE * left * speed), LEAST_TRIALS), most)
