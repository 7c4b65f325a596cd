"""Mutants of the bounds."""

from tests.audit.planted.mutant import Mutant

BINOMIAL, BETTING, METHOD = "bounds/binomial.py", "bounds/betting.py", "bounds/method.py"
LADDER, CURVE = "bounds/ladder.py", "bounds/curve.py"
TRADE_OFF = "bounds/trade_off.py"

BOUNDS = (
    Mutant(
        BINOMIAL,
        "betainccinv(wrong + 1, correct, alpha)",
        "betainccinv(wrong, correct, alpha)",
        "the limit is not exact: one wrong guess less",
    ),
    Mutant(
        BINOMIAL,
        "betainccinv(wrong + 1, correct, alpha)",
        "betainccinv(wrong + 1, correct + 1, alpha)",
        "one right guess more",
    ),
    Mutant(
        BINOMIAL,
        "betainccinv(wrong + 1, correct, alpha)",
        "betainccinv(wrong + 1, correct, 2 * alpha)",
        "alpha is spent twice",
    ),
    Mutant(
        BINOMIAL,
        "betainccinv(wrong + 1, correct, alpha)",
        "((wrong + 1e-9) / (correct + wrong))",
        "the rate instead of its limit",
    ),
    Mutant(
        BINOMIAL,
        "math.log1p(-miss) - math.log(miss)",
        "-math.log(miss)",
        "a log-probability instead of log-odds",
    ),
    Mutant(
        BINOMIAL,
        "while epsilon > 0 and _tail(correct, wrong, epsilon) > alpha:",
        "while False:",
        "the limit is not rounded down",
    ),
    Mutant(
        BETTING,
        "goal = -math.log(alpha) + 1e-9",
        "goal = -math.log(2 * alpha)",
        "alpha is spent twice",
    ),
    Mutant(BETTING, "goal = -math.log(alpha) + 1e-9", "goal = 0.0", "any gain refutes"),
    Mutant(
        BETTING,
        "stakes * (math.exp(epsilon) + delta)",
        "stakes * math.exp(epsilon)",
        "a wrong guess costs no delta",
    ),
    Mutant(
        BETTING,
        "correct * np.log1p(stakes * (1 - delta))",
        "correct * np.log1p(stakes)",
        "a right guess costs no delta",
    ),
    Mutant(
        BETTING,
        "abstained * np.log1p(-stakes * delta)",
        "0 * abstained",
        "abstaining costs no delta",
    ),
    Mutant(BETTING, "np.log(np.asarray(bets.weights)[allowed])", "0.0", "weights are left out"),
    Mutant(
        BETTING,
        "+ wrong * np.log1p(-loss)",
        "+ wrong * np.log1p(-stakes)",
        "a wrong guess costs the same whatever the epsilon",
    ),
    Mutant(
        BETTING,
        "if not positive or sum(self.weights) > 1 + 1e-12:",
        "if not positive:",
        "more wealth to begin with than 1",
    ),
    Mutant(
        BETTING,
        "return low\n\n\ndef",
        "return high\n\n\ndef",
        "the limit is rounded up",
    ),
    Mutant(
        BETTING,
        "    while high - low > 1e-9 * high and high > 1e-300:",
        "    while high - low > 1e-1 * high and high > 1e-300:",
        "a limit on δ is left coarse",
    ),
    Mutant(
        METHOD,
        "    if method.bets is None:\n        return binomial",
        "    if method.delta == 0:\n        return binomial",
        "the binomial bound for an experiment that may stop early",
    ),
    Mutant(
        METHOD,
        "binomial_epsilon_lower(counts.correct, counts.wrong, method.alpha)",
        "binomial_epsilon_lower(counts.correct, counts.wrong, 0.05)",
        "no share of alpha for the binomial",
    ),
    Mutant(
        METHOD,
        "        method.delta,\n        method.alpha,\n",
        "        method.delta,\n        0.05,\n",
        "no share of alpha for the bets",
    ),
    Mutant(
        METHOD,
        "        method.delta,\n        method.alpha,\n",
        "        0.0,\n        method.alpha,\n",
        "delta is not granted",
    ),
    Mutant(METHOD, "        counts.abstained,\n", "        0,\n", "abstaining costs no delta"),
    Mutant(
        METHOD,
        "if self.bets is None and not self.bettors and self.delta > 0:",
        "if False:",
        "the binomial bound where delta is above 0",
    ),
    Mutant(METHOD, "if not 0 < self.alpha < 1:", "if not 0 < self.alpha:", "alpha above 1"),
    Mutant(
        LADDER,
        "goal = -math.log(ladder.alpha) + 1e-9",
        "goal = -math.log(20 * ladder.alpha)",
        "any gain refutes a divergence",
    ),
    Mutant(
        LADDER,
        "most = cost + math.log(self.tangent) - 1",
        "most = cost + math.log(self.tangent) - 2",
        "the tangent of the logarithm lies below it",
    ),
    Mutant(
        LADDER,
        "most = factor * self.tangent**above * (1 - above)",
        "most = factor * self.tangent**above * (1 - above) / 2",
        "the tangent of the power lies below it",
    ),
    Mutant(
        LADDER,
        "counts[::-1] if ladder.swapped else counts",
        "counts",
        "the sides of a ladder are not exchanged",
    ),
    Mutant(
        CURVE,
        "goal = -math.log(method.alpha) + 1e-9",
        "goal = 0.0",
        "any gain refutes a point of the curve",
    ),
    Mutant(
        CURVE,
        "promise.least(found, method.delta) if found > 0 else 0.0",
        "promise.least(found, method.delta)",
        "a δ that was not refuted is certified",
    ),
    Mutant(
        TRADE_OFF,
        "_exponent(self.alpha / (4 * len(self.d) - 2))",
        "_exponent(self.alpha / 4)",
        "limits hold at each threshold, not at all of them",
    ),
    Mutant(
        TRADE_OFF,
        "wrong = np.hstack([q_high, 1 - p_low, p_high, 1 - q_low])",
        "wrong = np.hstack([q_low, 1 - p_high, p_low, 1 - q_high])",
        "the lower limit of what should be rare",
    ),
    Mutant(
        TRADE_OFF,
        "math.log1p(middle) - middle > math.log(share)",
        "-middle > math.log(share)",
        "a product of two tail probabilities is taken for one",
    ),
    Mutant(
        TRADE_OFF,
        "return np.exp(-steps[1:]), np.exp(steps[:-1] - most)",
        "return np.exp(-steps[:-1]), np.exp(steps[:-1] - most)",
        "the rectangles do not cover the region",
    ),
    Mutant(
        TRADE_OFF,
        "right, wrong = said[:, :-1], other[:, 1:]",
        "right, wrong = said[:, 1:], other[:, 1:]",
        "the lower limit forgets thresholds between two cells",
    ),
    Mutant(
        TRADE_OFF,
        "np.array(side, dtype=np.int64)[::-1].cumsum()[::-1]",
        "np.array(side, dtype=np.int64).cumsum()[::-1]",
        "probabilities below thresholds are taken for those above",
    ),
    Mutant(
        "result.py",
        "if not self.counts.cells or self.counts.trials != self.planned_trials:",
        "if not self.counts.cells:",
        "limits for trials whose number was not fixed",
    ),
    Mutant(
        "curve_plan.py",
        "share = replace(goal, alpha=(1 - POINT_SHARE) * goal.alpha)",
        "share = replace(goal, alpha=20 * goal.alpha)",
        "a ladder has more than its share of alpha",
    ),
)
