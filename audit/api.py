"""``audit``: from a privacy claim to a certified verdict."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from provado.audit.bounds.alpha_spending import confidence_of_each
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.options.declaration import CONFIDENCE
from provado.audit.options.domains import MOST_SEED
from provado.audit.options.request import (
    Request,
    checked_confidence,
    checked_number,
    checked_promise,
    checked_relation,
    expected_detectable,
    listed_pairs,
    read_request,
    whole_number,
)
from provado.audit.pipeline.isolated_run import AuditOutcome, isolated, run_pairs
from provado.audit.result import AuditResult, InterruptedAudit
from provado.audit.target.call import NOTE, function_name
from provado.audit.target.random_state import persistent_generators
from provado.audit.trials.checkpoint import NO_CHECKPOINT, Checkpoint
from provado.audit.workers import runs_in_subprocess
from provado.audit.workers.progress import Progress
from provado.mechanisms import (
    ExactFinding,
    ExactlyDecidable,
    ExactVerdict,
    NeighboringRelation,
    PrivacyPromise,
    ReplaceOne,
    UndecidedError,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord
from provado.mechanisms.definitions.mechanism import merge
from provado.mechanisms.definitions.parameters import check_delta, check_epsilon
from provado.mechanisms.definitions.relation import counted

if TYPE_CHECKING:
    from concurrent.futures import Executor


def audit(
    mechanism: Any,
    *,
    epsilon: float | Fraction | None = None,
    delta: float | Fraction | None = None,
    promise: PrivacyPromise | None = None,
    pair: Any = None,
    data: Any = None,
    domain: Any = None,
    values: Sequence[Any] | None = None,
    fixed_size: bool = False,
    samples: int | str | None = None,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    relation: NeighboringRelation | str | None = None,
    jobs: int = 1,
    stop_early: bool = False,
    seconds: float | None = None,
    time_limit: float | None = None,
    explore: int | str | None = None,
    detectable: float | None = None,
    isolate: bool = True,
    arithmetic: str = "floating",
    progress: Callable[[Progress], None] | bool | None = None,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    executor: Executor | None = None,
    block_limit: float | None = None,
    timing: bool = False,
    read: Callable[[Any], Any] | None = None,
    name: str | None = None,
) -> AuditResult:
    """Audit a claim of (ε, δ)-differential privacy by a randomised experiment.

    mechanism: any callable ``mechanism(data) -> output``. One that also takes the keywords
        ``size`` and ``rng`` is called once a batch and returns ``size`` outputs along its first
        axis. Outputs may be any values; where a part of one cannot be read and the rest shows no
        violation, the verdict is ``unknown`` and names that part. A
        ``provado.mechanisms.Mechanism`` brings claim, pairs and relation with it. Objects of
        libraries that have an adapter, such as an OpenDP measurement, bring the claim that their
        library accounts for, unless ``epsilon`` is given for a callable. A mechanism that
        is ``ExactlyDecidable``, such as the finite tables of ``provado.proofs.causal``, is decided
        for all neighbors (or those in ``pair``) without a sample; what follows on samples, seeds,
        time and confidence is then without effect.
    epsilon, delta: the claim; δ is 0 unless given. ε may be 0 where δ is positive.
    promise: the claim, instead of ε and δ: ``PureDP``, ``ApproximateDP``, or a curve:
        ``ConcentratedDP`` (zCDP), ``RenyiDP``, ``GaussianDP``, ``PrivacyCurve``. A curve is tested
        at the point of it where exploration sees the strongest evidence, and the result's ``lower``
        is in its own parameter; its ``trade_off`` has limits on the whole curve. A
        mechanism's own promise is audited in the same way.
    pair: two datasets ``(d0, d1)`` declared to be neighbors, which must differ, or a list of such
        pairs, each of which costs its share of alpha.
    data: instead of ``pair``, one dataset (array, list, tuple, data frame): the neighbors under
        ``relation`` with the largest privacy loss are searched, with draws that are discarded,
        among datasets made of it and of the domain, and only that pair is certified, at the price
        of one. The result's ``search`` says what was tried.
    domain: what a record may be: a strategy of Hypothesis, ``(low, high)``, a list, ``float``,
        ``int``, ``bool``, or a mapping of columns to these; what is left out is inferred from the
        data, and then numbers and texts beyond those seen are tried, too. A violation is one for
        records of the domain: state it where your mechanism assumes one.
    values: instead of ``domain``, the records that may stand in a dataset.
    fixed_size: with ``data`` under replace-one, whether the mechanism is for datasets of their size
        alone, so that only pairs with as many records are tried.
    samples: certifying trials a pair, a million unless ``seconds`` says how long to draw; with
        both, at most so many in that time. With neither, where a few timed runs show that it would
        take more than a minute in all, ``seconds`` is a minute shared by the pairs. As many again,
        but at most a million, are drawn beforehand to plan and are discarded. ``"auto"``: nothing
        is explored or discarded; bets on each block of trials are learned from those before it,
        until they certify a violation, one of ``detectable`` would have shown, time is over, or a
        million trials are made, or N with ``"auto:N"``. ``"N:END"`` repeats an audit that planned N
        trials and ended after END of them.
    confidence: at least 1 − the probability of a false alarm of the whole call.
    seed: replays the audit exactly, if the mechanism draws from ``rng`` or from generators of
        ``random`` and ``numpy.random``, the global ones or its own.
    relation: where given, every pair is checked against it. ``"add-or-remove-one"`` and
        ``"replace-one"`` may be given by name; needed with ``data``.
    jobs: worker processes for the certifying trials. Where their draws turn out not to be
        independent (the noise of a compiled library may come from a state that all of them
        inherit), one process draws, and a note says so. A sequential audit draws in one process.
    stop_early: use the betting bound and stop once a violation is certified.
    seconds: wall time to spend a pair; sets exploration and trials from timed draws before the
        experiment, which ends at a tenth more, with the trials that it has. A mechanism so slow
        that it allows less than 20,000 trials is audited as with ``samples="auto"``.
    time_limit: seconds after which the audit ends as ``unknown``, with the trials that it has.
        Without it, only a batch that takes more than a minute and far more than its like ends it.
    block_limit: seconds that one block of trials, or one batch of exploration, may take; the audit
        then ends as ``unknown``, with the trials that it has. Workers of an ``executor`` are not
        held to it.
    timing: whether the run time of each trial is a part of its output, which is then
        ``{"output": …, "seconds": …}``. Trials are made one by one in one process, and whether they
        depend on each other is not checked: on one machine run times always do. A note says what
        that is worth.
    explore: exploration samples a pair, instead of as many as there are certifying trials.
        ``"N:KEPT"``: of wide outputs so many are kept whole, as in an audit that had a time. A
        search for the pair is planned with as many runs, at most a million. Time only ends it: it
        may take three tenths of ``seconds``, or half of them up to 18, where that is more.
        ``"search=RUNS:END"``, alone or after a comma, repeats a search of RUNS that ended at END.
    detectable: the ε of a violation that an audit with ``samples="auto"`` would see in nine runs of
        ten before it ends without one; a tenth above ``epsilon``, and at least 0.05, if not given.
    isolate: run the mechanism in another process, so that no crash, exit or exhausted memory
        reaches the caller. In this process otherwise, as where a debugger is to stop in it.
    arithmetic: ``"ideal"`` declares that exact real arithmetic is meant: outputs are examined only
        after their low-order bits were taken off, and the result says so.
    progress: called first with a ``Progress`` whose ``forecast`` says what the audit will do and
        what that costs by a few timed runs, then now and then with one that says how far it is:
        stage, runs made and planned, what is certified so far, time left. True
        shows all that on a terminal or in a notebook.
    checkpoint: the saved progress of an earlier run of this audit, and the function that saves
        that of this one: its plans, and the counts of each block as soon as it is drawn. What was
        saved is not drawn again; the counts are those of an audit that was never interrupted, if
        the mechanism draws as ``seed`` asks. Nothing of it is compared with the other arguments:
        they must be the same. The command line keeps it in a file (``--journal``, ``--resume``).
    executor: draws the certifying blocks instead of ``jobs``: any ``concurrent.futures.Executor``,
        of processes or of other machines (``dask.distributed``). The mechanism and its datasets
        are pickled; a process draws one block at a time, so that threads gain nothing. The counts
        are those of any other number of workers, if the mechanism draws as ``seed`` asks. All else
        runs in this process, whatever ``isolate`` says. A sequential audit does not use it.
    read: a function from one output to plain values, where outputs cannot be read as they are. The
        claim is then about what it returns, and the result says so.
    name: what to call the mechanism; also names its stream of random numbers.

    Returns an ``AuditResult``. A mechanism that raises, hangs, ends its process, returns the wrong
    number of outputs, keeps state between calls or shares noise between outputs gets the verdict
    ``unknown`` with the reason.

    Guarantee: if the claim holds on every pair and calls are independent, the probability that the
    verdict is ``violation`` is at most 1 − ``confidence``, whatever the outputs look like.

    Raises ``UsageError`` where an argument breaks a rule, naming it, its value and the rule;
    ``InterruptedAudit``, a ``KeyboardInterrupt``, on Ctrl-C, with the result as far as it got.

    Source: Tschantz, Sen, Datta, Differential Privacy as a Causal Property (2022), equations (26)
    to (28): differential privacy bounds the relative probability under interventions on one point.
    """
    if isinstance(mechanism, ExactlyDecidable):
        if promise is not None:
            promise = checked_promise(promise, epsilon, delta)
            if isinstance(promise, CurvePromise):
                raise UsageError(
                    f"promise is {promise.words()}: a mechanism that is decided exactly takes ε "
                    "and δ"
                )
            epsilon, delta = promise.point()
        return exact_audit(
            mechanism,
            epsilon=epsilon,
            delta=delta,
            pair=pair,
            relation=checked_relation(relation),
            confidence=confidence,
            seed=seed,
            name=name,
        )
    request = read_request(
        mechanism,
        epsilon=epsilon,
        delta=delta,
        promise=promise,
        pair=pair,
        samples=samples,
        confidence=confidence,
        seed=seed,
        relation=relation,
        jobs=jobs,
        stop_early=stop_early,
        seconds=seconds,
        time_limit=time_limit,
        explore=explore,
        detectable=detectable,
        name=name,
        data=data,
        domain=domain,
        values=values,
        arithmetic=arithmetic,
        progress=progress,
        checkpoint=checkpoint,
        executor=executor,
        block_limit=block_limit,
        timing=timing,
        read=read,
        fixed_size=fixed_size,
    )
    started = time.perf_counter()
    held = persistent_generators(request.target.call)
    # An executor lives in this process, and in none that is started from it.
    apart, notes = runs_in_subprocess(isolate and executor is None, request)
    outcome = (isolated if apart else run_pairs)(request, held)
    outcome = replace(outcome, notes=(*notes, *outcome.notes))
    result = _result(request, outcome, time.perf_counter() - started + checkpoint.spent)
    if outcome.interrupted:
        raise InterruptedAudit(result)
    return result


def _result(request: Request, outcome: AuditOutcome, seconds: float) -> AuditResult:
    verdicts = [pair.verdict for pair in outcome.pairs]
    verdict = merge([*verdicts, Verdict.UNKNOWN] if outcome.reason else verdicts)
    statement, curve, read = request.statement, request.curve, request.target.read
    stated = curve.words() if curve is not None else ""
    if statement is not None and not stated:
        stated = statement.promise.words()
    short = _limitations(request, outcome) if verdict is Verdict.NO_VIOLATION else ()
    result = AuditResult(
        name=request.target.name,
        verdict=verdict,
        reason=outcome.reason,
        epsilon=request.epsilon,
        delta=request.delta,
        confidence=request.confidence,
        seed=request.seed,
        samples=max((pair.planned_trials for pair in outcome.pairs), default=request.samples),
        pairs=outcome.pairs,
        seedable=statement.seedable if statement else None,
        relation=request.relation.words() if request.relation else "",
        promise=stated,
        source=statement.source.words() if statement else "",
        summary=statement.summary if statement else "",
        expected=statement.expected if statement else None,
        true_epsilon=statement.true_epsilon if statement else None,
        tags=statement.tags if statement else (),
        seconds=seconds,
        notes=(*outcome.notes, *request.target.notes, *([NOTE] if request.timing else [])),
        search=outcome.search,
        arithmetic="ideal" if request.ideal else "floating",
        curve=None if curve is None else CurveRecord.of(curve),
        limitations=(*outcome.limitations, *short),
        read="" if read is None else function_name(read),
    )
    pair = result.explained_pair
    if pair is None or pair.method.epsilon is None:
        return result
    return replace(result, epsilon=pair.method.epsilon, delta=pair.method.delta)


def _limitations(request: Request, outcome: AuditOutcome) -> tuple[str, ...]:
    """Return what a pass does not cover: pairs that were not tried, and violations too small.

    The latter only where time limited the trials, and more of it would detect smaller ones; and
    where the trials are too few for any violation.
    """
    sentences = () if outcome.search is None else outcome.search.limitations
    shown, tested = dict[int, tuple[float, float, int]](), not outcome.pairs
    for pair in outcome.pairs:
        point = pair.method.epsilon
        claimed = request.epsilon if point is None else point
        wanted = request.detectable if point is None else expected_detectable(point)
        epsilon, counts = pair.detectable_epsilon, pair.counts
        # What a rule that always guesses, and is always right, would have shown.
        half = counts.trials // 2
        right = Counts(d_guessed_d=counts.trials - half, d_prime_guessed_d_prime=half)
        most = detectable_epsilon(right, pair.method, claimed)
        tested = tested or math.isfinite(most)
        if not counts.guesses:
            epsilon = most
        if pair.planned_trials < request.samples:
            one = (epsilon / wanted, epsilon, counts.trials)
            shown[pair.index] = min(shown.get(pair.index, one), one)
    if not tested:
        many = max(pair.counts.trials for pair in outcome.pairs)
        few = f"{counted(many, 'trial')} can show no violation, however large: nothing was tested."
        return *sentences, few
    excess, epsilon, trials = max(shown.values(), default=(0.0, 0.0, 0))
    if excess <= 1:
        return sentences
    shows = "the learned rule can show no violation"
    if math.isfinite(epsilon):
        least = math.ceil(100 * epsilon) / 100
        shows = f"the learned rule shows a violation in nine runs of ten at ε ≥ {least:g}"
    return (
        *sentences,
        f"The time allowed {counted(trials, 'trial')}, in which {shows}; more time detects "
        "smaller ones.",
    )


def audit_all(
    mechanisms: Iterable[Any], *, confidence: float = CONFIDENCE, **arguments: Any
) -> tuple[AuditResult, ...]:
    """Audit several mechanisms, so that with ``confidence`` none of them is reported falsely.

    mechanisms: callables or whatever else ``audit`` takes, each alone or in a pair with the
        keywords of ``audit`` that are its own: ``(laplace, {"epsilon": 1.0, "pair": (0, 1)})``.
    confidence: at least 1 − the probability of any false alarm, shared equally. A loop of single
        audits at 95 % reports one in twenty of those that use their claim up; this does not.
    arguments: keywords of ``audit`` for all of them; those of its own win.

    Returns one result each, in their order. Raises ``UsageError`` as ``audit``, before any draw if
    the list itself is wrong.
    """
    listed = [_with_keywords(mechanism) for mechanism in mechanisms]
    if not listed:
        raise UsageError("mechanisms is empty: it must hold at least one")
    share = confidence_of_each(checked_confidence(confidence), len(listed))
    if not share < 1:
        raise UsageError(f"confidence is {confidence!r}: too near 1 for so many audits")
    if "checkpoint" in arguments:
        raise UsageError(
            "checkpoint is given for all: each audit keeps what is its own; give one each"
        )
    if "confidence" in arguments or any("confidence" in own for _, own in listed):
        raise UsageError("confidence is given for one audit: it is shared by all of them")
    return tuple(audit(item, **{**arguments, **own}, confidence=share) for item, own in listed)


def _with_keywords(value: Any) -> tuple[Any, dict[str, Any]]:
    if isinstance(value, tuple):
        if len(value) != 2 or not isinstance(value[1], Mapping):
            raise UsageError(
                "mechanisms holds a tuple: it must be a mechanism and a mapping of keywords"
            )
        return value[0], dict(value[1])
    return value, {}


VERDICTS: dict[str, Verdict | ExactVerdict] = {
    "proved": ExactVerdict.PROVED,
    "verified": ExactVerdict.VERIFIED,
    "refuted": Verdict.VIOLATION,
}
"""What the kernel's words are to an audit."""


def exact_audit(
    mechanism: ExactlyDecidable,
    *,
    epsilon: Any,
    delta: Any,
    pair: Any,
    relation: NeighboringRelation | None,
    confidence: float,
    seed: int,
    name: str | None,
) -> AuditResult:
    """Return the exact verdict on a claim; the arguments are those of ``audit``.

    ε and δ count as the rationals that they hold, so that ``Fraction(1, 10)`` and the float 0.1
    are two claims. Confidence and seed are kept for the report and change nothing.
    """
    started = time.perf_counter()
    if epsilon is None:
        raise UsageError("epsilon is missing: a claim needs a finite number above 0")
    if name is not None and not isinstance(name, str):
        raise UsageError(f"name is {name!r}: it must be a text")
    if relation is not None and not isinstance(relation, ReplaceOne):
        raise UsageError(
            f"relation is {relation!r}: a table of n data points is decided under ReplaceOne()"
        )
    claim = _rational("epsilon", epsilon), _rational("delta", 0 if delta is None else delta)
    checked_number("epsilon", claim[0], check_epsilon)
    checked_number("delta", claim[1], check_delta)
    fields: dict[str, Any] = {
        "name": name or "finite mechanism",
        "epsilon": float(claim[0]),
        "delta": float(claim[1]),
        "confidence": checked_confidence(confidence),
        "seed": whole_number("seed", seed, 0, MOST_SEED),
        "samples": 0,
        "pairs": (),
        "relation": ReplaceOne().words(),
    }
    try:
        finding = mechanism.decide_exactly(*claim, None if pair is None else listed_pairs(pair))
    except UndecidedError as error:
        fields |= {"verdict": Verdict.UNKNOWN, "reason": str(error)}
        return AuditResult(**fields, seconds=time.perf_counter() - started)
    if not isinstance(finding, ExactFinding):
        raise UsageError(
            f"mechanism is of type {type(mechanism).__name__}: its decide_exactly must return an "
            f"ExactFinding, not a {type(finding).__name__}"
        )
    return AuditResult(
        **fields,
        verdict=VERDICTS[finding.verdict],
        reason="",
        true_epsilon=finding.upper if finding.only is None else None,
        exact=finding,
        seconds=time.perf_counter() - started,
    )


def _rational(name: str, value: Any) -> Fraction:
    try:
        if isinstance(value, bool | str):
            raise TypeError
        return Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        raise UsageError(f"{name} is {value!r}: it must be a finite number") from error
