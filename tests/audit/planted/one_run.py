"""Mutants of audits of few runs: their bounds, coins, guesses and verdict."""

from tests.audit.planted.mutant import Mutant

POINTS = "bounds/one_run.py"
RUNS, FINDING = "experiments/one_run/draws.py", "result.py"

ONE_RUN = (
    Mutant(
        POINTS,
        "return min(1.0, _majorant(costs, reached, interventions * delta) * (1 + ROUNDING))",
        "return min(1.0, _majorant(costs, reached, delta) * (1 + ROUNDING))",
        "δ is paid for one coin instead of all",
    ),
    Mutant(
        POINTS,
        "costs: Floats = i * np.exp(chances[: right + 1] - tails[: right + 1])",
        "costs: Floats = (i + 1) * np.exp(chances[: right + 1] - tails[: right + 1])",
        "a cut of a binomial costs more than it does",
    ),
    Mutant(
        POINTS,
        "lower = max(lower, one_run_mu_lower(right, guesses, interventions, alpha))",
        "lower = max(lower, one_run_mu_lower(right, guesses, interventions, 2 * alpha))",
        "a Gaussian claim spends alpha twice",
    ),
    Mutant(
        POINTS,
        'if promise.family == "gdp" and runs == 1:',
        'if promise.family == "gdp":',
        "guesses of several runs pass for those of one",
    ),
    Mutant(
        POINTS,
        "            return chance <= alpha\n\n        least",
        "            return chance <= 2 * alpha\n\n        least",
        "a curve is refuted at twice its alpha",
    ),
    Mutant(
        FINDING,
        "parameter > curve.parameter",
        "parameter > 0",
        "whatever is certified of a curve is a violation",
    ),
    Mutant(
        RUNS,
        "coin.integers(0, 2, len(plan.canaries)).astype(bool)",
        "coin.random(len(plan.canaries)) < 0.6",
        "the coins of canaries are not fair",
    ),
    Mutant(
        RUNS,
        "_draw(plan, random_state.LEARN_RUN, run, seed_held, watch)",
        "_draw(plan, random_state.ONE_RUN, run, seed_held, watch)",
        "exploring runs are those that count",
    ),
    Mutant(
        RUNS,
        "coins = _draw(plan, random_state.ONE_RUN, run, seed_held, UNWATCHED)",
        "coins = _draw(plan, random_state.ONE_RUN, 0, seed_held, UNWATCHED)",
        "an executor makes one run again and again",
    ),
)
