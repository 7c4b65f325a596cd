"""Mutants of exploration, and of what decides."""

from tests.audit.planted.mutant import Mutant

EXPLORATION = (
    Mutant(
        "pipeline/explore.py",
        "where = (seed, target.name, pair, random_state.EXPLORE, number)",
        "where = (seed, target.name, pair, 1, number)",
        "explores the draws that certify",
    ),
    Mutant(
        "pipeline/explore.py",
        "BoundMethod((1 - RESERVE) * goal.alpha)",
        "BoundMethod(goal.alpha)",
        "two bounds spend more than alpha",
    ),
    Mutant(
        "pipeline/explore.py",
        "BoundMethod(kept, 0.0, bets)",
        "BoundMethod(goal.alpha, 0.0, bets)",
        "the bound for an early end spends all of alpha again",
    ),
    Mutant(
        "pipeline/explore.py",
        "method = BoundMethod(goal.alpha, goal.delta, bets, side=side, aimed=aimed)",
        "method = BoundMethod(goal.alpha, 0.0, bets)",
        "delta is not granted",
    ),
    Mutant(
        "pipeline/explore.py",
        "alpha=alpha_of_each(alpha, len(rules))",
        "alpha=alpha",
        "both bounds of a pair spend all of alpha",
    ),
    Mutant(
        "pipeline/explore.py",
        "betting=anytime or delta > 0",
        "betting=delta > 0",
        "the binomial bound with leave to stop early",
    ),
)

RUN = (
    Mutant(
        "options/request.py",
        "return alpha_of_each(1 - self.confidence, len(self.pairs))",
        "return 1 - self.confidence",
        "every pair spends all of alpha",
    ),
    Mutant(
        "pipeline/session.py",
        "(request.anytime and _all_refuted(",
        "(_all_refuted(",
        "stops early without leave",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "anytime=request.anytime,",
        "anytime=False,",
        "stops early with the binomial bound",
    ),
    Mutant(
        "pipeline/session.py",
        "plan.method if counts.trials == plan.trials else plan.early",
        "plan.method",
        "the binomial bound though time ended it",
    ),
    Mutant(
        "pipeline/session.py",
        "return epsilon_lower(counts, method) > request.epsilon",
        "return epsilon_lower(counts, method) >= 0.9 * request.epsilon",
        "accuses below the claim",
    ),
    Mutant(
        "pipeline/session.py",
        "Verdict.VIOLATION if certifies_violation(request, counts, method) else otherwise",
        "otherwise",
        "accuses nobody",
    ),
    Mutant(
        "pipeline/session.py",
        "return parameter_lower(counts, method, request.curve) > request.curve.parameter",
        "return parameter_lower(counts, method, request.curve) > 0.9 * request.curve.parameter",
        "accuses below a curve",
    ),
    Mutant(
        "pipeline/session.py",
        "if certifies_violation(request, item, rule.method)}",
        "if refuted(request, counts, rule.method)}",
        "stops early by the counts of another rule",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "pair_result(request, plan, counts, cut, seen, samples, whole)",
        "pair_result(request, plans[0], counts, cut, seen, samples, whole)",
        "the second rule of a pair is named as the first",
    ),
    Mutant(
        "pipeline/session.py",
        "total = reached[-1]",
        "total = block[-1]",
        "the trials of one block",
    ),
    Mutant(
        "pipeline/session.py",
        "reached = [total + counts for counts in block]",
        "reached = list(block)",
        "checkpoints of a block alone",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "            alpha=request.alpha,",
        "            alpha=0.05,",
        "no share",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "            delta=request.delta,",
        "            delta=0.0,",
        "delta is lost",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "    if dependent:",
        "    if False:",
        "shared noise is counted all the same",
    ),
    Mutant(
        "pipeline/session.py",
        "if any(map(improbable_table, part)):",
        "if False and any(map(improbable_table, part)):",
        "drift is counted all the same",
    ),
    Mutant("checks/state.py", "    if differ:", "    if False:", "memory is counted all the same"),
    Mutant(
        "pipeline/session.py",
        "    if why:\n        return 1,",
        "    if why:\n        return jobs,",
        "workers that share noise draw on",
    ),
    Mutant(
        "pipeline/session.py",
        "return replace(session, held=random_state.held_generators(self.held, target.call))",
        "return session",
        "generators made on first use are not seeded",
    ),
    Mutant(
        "target/random_state.py",
        "        for item, number in zip(held, seeds, strict=True):\n"
        "            _seed(item, number)",
        "        for item in held:\n            _seed(item, 1)",
        "what a mechanism holds gets one seed for all blocks",
    ),
    Mutant(
        "checks/independence.py",
        "        if related(*drawn):",
        "        if False:",
        "noise that workers share is not seen",
    ),
    Mutant(
        "trials/executor.py",
        "return draw_block(target, plan, seed, block)",
        "return draw_block(target, plan, seed, 0)",
        "an executor draws one block again and again",
    ),
    Mutant(
        "trials/executor.py",
        "seed_held(random_state.held_generator(seed, *stream))",
        "pass",
        "generators of an executor's workers are not seeded",
    ),
    Mutant(
        "trials/checkpoint.py",
        "replace(first, beside=tuple(others))",
        "replace(first, beside=(first,) * len(others))",
        "the counts of another rule",
    ),
    Mutant(
        "trials/experiment.py",
        "known.update(added)",
        "pass",
        "structures that were seen before are new ones",
    ),
    Mutant(
        "bounds/alpha_spending.py",
        "alpha * 6 / (math.pi * look) ** 2",
        "alpha * 6 / (math.pi * look)",
        "a series of looks spends more than there is",
    ),
    Mutant(
        "api.py",
        "verdict = merge([*verdicts, Verdict.UNKNOWN] if outcome.reason else verdicts)",
        "verdict = merge(verdicts)",
        "what could not be completed passes",
    ),
)
