"""The result of one pair: what follows from its plan and its counts."""

from dataclasses import replace

from provado.audit.bounds import BoundMethod, epsilon_lower, parameter_lower
from provado.audit.bounds.counts import Counts, effect_sizes
from provado.audit.bounds.method import visible_epsilon
from provado.audit.options.request import Request
from provado.audit.result import PairResult, Witness
from provado.audit.trials.plan import Plan
from provado.audit.workers.time_limits import NoAnswerError
from provado.mechanisms import Verdict
from provado.mechanisms.definitions.relation import difference_words, short


def pair_result(
    request: Request,
    plan: Plan,
    checkpoints: tuple[Counts, ...],
    cut: NoAnswerError | None,
    shown: tuple[tuple[str, ...], tuple[str, ...]],
    explored: int,
    kept: int = 0,
) -> PairResult:
    """Return what the counts at the checkpoints, those of all trials last, say under a plan.

    cut: what ended the draws too early, if anything did. shown: examples of outputs, and explored:
    how many were drawn to plan; kept: how many of these were kept whole, where not all were.
    """
    counts = replace(checkpoints[-1], unread="")
    method = plan.method if counts.trials == plan.trials else plan.early
    lower, curve = epsilon_lower(counts, method), request.curve
    claimed = request.epsilon if method.epsilon is None else method.epsilon
    otherwise = Verdict.NO_VIOLATION if cut is None else Verdict.UNKNOWN
    named = plan.book.named()
    guess_d, guess_d_prime = map(named, plan.rule.words())
    return PairResult(
        index=plan.pair,
        witness=Witness(
            d=short(plan.d),
            d_prime=short(plan.d_prime),
            difference=difference_words(plan.d, plan.d_prime),
            guess_d=guess_d,
            guess_d_prime=guess_d_prime,
            examples_d=shown[0],
            examples_d_prime=shown[1],
        ),
        rule=plan.rule.record(),
        method=method,
        planned_trials=plan.trials,
        explored_trials=explored,
        counts=counts,
        epsilon_lower=lower,
        visible_epsilon=visible_epsilon(counts, method, claimed),
        effects=effect_sizes(counts, request.confidence),
        verdict=Verdict.VIOLATION if certifies_violation(request, counts, method) else otherwise,
        checkpoints=tuple(Counts(*one.six) for one in checkpoints),
        looked_at=tuple(
            replace(one, of=tuple(map(named, one.of)))
            for one in plan.rule.looked_at
            if not one.failed
        ),
        rounded=plan.rounded,
        cause=replace(plan.cause, words=named(plan.cause.words)),
        kept_trials=kept,
        parameter_lower=None if curve is None else parameter_lower(counts, method, curve),
    )


def certifies_violation(request: Request, counts: Counts, method: BoundMethod) -> bool:
    """Tell whether the counts certify a violation of the claim."""
    if request.curve is None:
        return epsilon_lower(counts, method) > request.epsilon
    return parameter_lower(counts, method, request.curve) > request.curve.parameter
