"""Each entry of Kusner et al. (2016); what the proved ones say, against the mechanisms."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from provado.mechanisms.cause_effect.direction_probability import two_laplace_correct
from provado.mechanisms.regression.kernel_ridge import fit, residual_bound
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_blocked
from provado.mechanisms.scores.iqr import iqr_range, log_iqr
from provado.mechanisms.scores.kendall import kendall_printed
from provado.mechanisms.scores.spearman import spearman
from provado.proofs import kernel
from provado.proofs.ledger import LedgerVerdict, decide, ledger
from provado.proofs.ledger.decide import judge
from provado.proofs.ledger.kusner2016 import (
    _exact,
    rank_correlation,
    right_direction,
    table1,
    unbounded_scores,
)
from tests.mechanisms.scores.score_variants import variance_score
from tests.proofs.ledger.kusner2016_floats import fitted_residuals, value

ENTRIES = [entry for entry in ledger() if entry.id.startswith("kusner2016/")]
NUMBERED = {
    *("thm1-spearman", "thm1-kendall", "thm2", "appendix-thm2-cases", "thm3", "thm3-improved"),
    *("appendix-hsic-final-bound", "iqr-ptr-privacy", "thm4-1", "thm4-2", "sec4-3-composition"),
    *("thm5", "thm5-proof", "sec5-1-distance", "thm6", "thm7", "sec5-3-iqr-training", "table1"),
    *("variance-unbounded", "iqr-global-unbounded"),
}


def test_every_numbered_statement_is_there_once_and_in_order():
    assert {entry.id for entry in ENTRIES} == {f"kusner2016/{name}" for name in NUMBERED}
    assert sorted(f"kusner2016/{name}" for name in NUMBERED) == [entry.id for entry in ENTRIES]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_evidence_gives_the_recorded_verdict_and_the_kernel_refuses_the_twin(entry):
    decision = decide(entry)
    assert decision.reason == ""
    assert decision.as_expected
    assert decision.twin
    assert all((entry.printed, entry.words, entry.scope, entry.twin.words))
    assert decision.evidence.argument


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_every_finding_is_the_kernel_s_and_is_found_again_from_its_data(entry):
    evidence = entry.gather(entry.claim)
    for finding in (*evidence.printed, *evidence.corrected):
        assert isinstance(finding, kernel.Checked)
        if isinstance(finding.evidence, kernel.PrivacyCounterexample | kernel.ChangeCounterexample):
            with pytest.raises(kernel.KernelRefusal, match="reference"):
                kernel.check(finding.evidence)
        else:
            assert kernel.check(finding.evidence) == finding


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_a_statement_that_fails_comes_with_a_form_that_holds(entry):
    evidence = entry.gather(entry.claim)
    if judge(entry.claim, evidence).verdict in (LedgerVerdict.REFUTED, LedgerVerdict.MISPRINT):
        assert evidence.correction
        assert {finding.verdict for finding in evidence.corrected} == {"proved"}
        assert evidence.kind in ("misprint", "repair")


# The exact helpers against naive ones and against the float mechanisms. --------------------------


@pytest.mark.parametrize("m", range(2, 20))
def test_reachable_ranges_are_those_of_the_mechanism(m):
    rng = random.Random(m)
    for _ in range(20):
        values = [rng.randint(0, 12) for _ in range(m)]
        for t in range(m + 1):
            lowest, highest = _exact.reachable(values, t)
            found = iqr_range(values, t)
            assert (float(lowest), math.inf if highest is None else float(highest)) == found


@pytest.mark.parametrize(("m", "t"), [(2, 1), (3, 1), (4, 1), (4, 2), (5, 1), (5, 2), (6, 2)])
def test_reachable_ranges_are_reached_and_not_exceeded(m, t):
    rng = random.Random(100 * m + t)
    for _ in range(4):
        values = [rng.randint(0, 5) for _ in range(m)]
        found = set()
        for places in itertools.combinations(range(m), t):
            for new in itertools.product((-1000, *sorted(set(values)), 1000), repeat=t):
                changed = list(values)
                for place, number in zip(places, new, strict=True):
                    changed[place] = number
                found.add(_exact.interquartile_range(changed))
        lowest, highest = _exact.reachable(values, t)
        assert min(found) == lowest
        assert (max(found) >= 900) if highest is None else (max(found) == highest)


@pytest.mark.parametrize("v", [1, 2, 3, Fraction(271, 100), Fraction(272, 100), Fraction(1, 7)])
def test_logarithms_are_rounded_down_exactly(v):
    for offset in (Fraction(0), Fraction(1, 2)):
        assert _exact.floor_log(v, offset) == math.floor(math.log(v) + offset)


def test_exact_rank_scores_are_those_of_the_mechanism():
    rng = random.Random(5)
    for _ in range(50):
        m = rng.randint(2, 8)
        a, b = ([rng.randint(0, 5) for _ in range(m)] for _ in range(2))
        assert float(_exact.spearman(a, b)) == spearman(a, b)
        assert float(_exact.kendall(a, b)) == pytest.approx(kendall_printed(a, b))


def test_exact_ridge_is_that_of_the_mechanism():
    rng = random.Random(6)
    for lam in (Fraction(1, 4), 1):
        train = tuple((Fraction(rng.randint(-8, 8), 8),) * 2 for _ in range(5))
        test = tuple((Fraction(i, 4), Fraction(i * i, 16)) for i in range(-4, 5))
        _, found = fitted_residuals([[float(v) for v in row] for row in train], test, float(lam))
        exact = _exact.residuals(train, test, lam)
        np.testing.assert_allclose(found, [float(v) for v in exact], atol=1e-12)


# What the proved entries say, against the mechanisms. ---------------------------------------------


@pytest.mark.parametrize("x", [0.0, 0.3, 1.0, 4.0])
def test_theorem_2_and_its_first_case_by_integration(x):
    def both(y):
        above = stats.laplace.sf(y) - stats.laplace.sf(x)
        return above * stats.laplace.pdf(y, loc=x)

    near = Fraction(x).limit_denominator(100)
    cases = [
        value(c.value().at(near).as_data())
        for c in right_direction.APPENDIX_THM2_CASES_CLAIM.chances
    ]
    assert cases[0] == pytest.approx(integrate.quad(both, 0, x)[0], abs=1e-9)
    assert sum(cases) == pytest.approx(two_laplace_correct(-x, 1.0))


@pytest.mark.parametrize("m", [4, 5, 9])
def test_the_worst_pair_of_kendall_moves_the_mechanism_s_score_as_much(m):
    scores = [kendall_printed(*zip(*rows, strict=True)) for rows in rank_correlation.worst_pair(m)]
    assert abs(scores[0] - scores[1]) == pytest.approx(4 / m)


@pytest.mark.parametrize("m", [5, 6, 9])
def test_the_worst_pair_of_spearman_moves_the_mechanism_s_score_as_much(m):
    a = list(range(m))
    before, after = spearman(a, a), spearman(a, [m, *range(1, m)])
    assert abs(before - after) == pytest.approx(6 / (m + 1))


def test_moved_ranks_are_those_of_all_neighbors():
    def sum_of_squares(a, b):
        return sum((r - s) ** 2 for r, s in zip(a, b, strict=True))

    worst = 0
    for b in itertools.permutations(range(4)):
        for r, s in itertools.product(range(4), repeat=2):
            # Record 0 goes to ranks (r, s); the others keep their order.
            def moved(ranks, to):
                rest = sorted(range(1, 4), key=lambda i: ranks[i])
                order = [*rest[:to], 0, *rest[to:]]
                return [order.index(i) for i in range(4)]

            for a in itertools.permutations(range(4)):
                change = sum_of_squares(a, b) - sum_of_squares(moved(a, r), moved(b, s))
                worst = max(worst, abs(change))
    assert worst == max(change for _, change in rank_correlation.moved_ranks(4))


def test_one_record_moves_hsic_by_what_the_split_says():
    rng = np.random.default_rng(9)
    m = 7
    # The last two rows are the record before and after; the first m − 1 stay.
    k, el = (np.tril(a) + np.tril(a, -1).T for a in rng.uniform(size=(2, m + 1, m + 1)))
    center = np.eye(m) - 1 / m

    def score(record):
        rows = [*range(m - 1), record]
        one, two = k[np.ix_(rows, rows)], el[np.ix_(rows, rows)]
        return np.trace(one @ center @ two @ center) / (m - 1) ** 2

    def parts(record):
        stay = slice(0, m - 1)
        spread, lengths = [], []
        for matrix in (k, el):
            means = matrix[stay, stay].mean(axis=1)
            spread.append(matrix[record, stay] - means)
            own = matrix[record, record]
            lengths.append(own - 2 * matrix[record, stay].mean() + means.mean())
        return np.cov(*spread, bias=True)[0, 1], math.prod(lengths)

    (h, pq), (h_prime, pq_prime) = parts(m - 1), parts(m)
    move = 2 / m * (h - h_prime) + (pq - pq_prime) / m**2
    assert score(m - 1) - score(m) == pytest.approx(move)


def test_hsic_of_residuals_stays_within_the_sharper_training_bound():
    rng = np.random.default_rng(7)
    n, m, lam, width = 6, 12, 0.2, 0.3
    near = SquaredExponential(width)
    for _ in range(20):
        x, y, test_x, test_y = (rng.uniform(-1, 1, size) for size in (n, n, m, m))
        y_prime = y.copy()
        y_prime[0] = -np.sign(y[0])
        scores = []
        for target in (y, y_prime):
            r = test_y - fit(x, target, kernel=near, lam=lam).predict(test_x)
            scores.append(hsic_blocked(test_x, r, near, near))
        bound = near.lipschitz * residual_bound(n, lam) * (m / (m - 1)) ** 2
        assert abs(scores[0] - scores[1]) <= bound


def test_unbounded_scores_move_by_what_the_kernel_enclosed():
    b = (0, 1, 2, 3)
    for power in unbounded_scores.POWERS:
        d, d_prime = unbounded_scores.variance_pair(4, power)
        change = variance_score(d_prime, b) - variance_score(d, b)
        assert change == pytest.approx(2 * power * math.log(3))
        d, d_prime = unbounded_scores.iqr_pair(5, power)
        assert log_iqr(d_prime) - log_iqr(d) == pytest.approx(power * math.log(3))


@pytest.mark.parametrize("n", table1.TRAINING_SIZES)
@pytest.mark.parametrize("score", [spearman, kendall_printed])
def test_one_training_point_takes_the_mechanism_s_rank_scores_from_1_to_0(n, score):
    found = [score(*fitted_residuals(t, table1.shuffled(n))) for t in table1.train_pair(n)]
    np.testing.assert_allclose(found, [1, 0], atol=1e-12)


def test_table_1_has_sixteen_cells_and_each_has_findings():
    assert len(table1.CELLS) == 16
    assert all(facts() for _, facts, _ in table1.CELLS.values())
    cells = {(*place, tick) for place, (tick, _, _) in table1.CELLS.items()}
    assert cells == {*table1.CLAIM.cells()}
    dashes = {place for place, (tick, _, _) in table1.CELLS.items() if not tick}
    assert dashes == {
        ("Spearman", "training global"),
        ("Kendall", "training global"),
        ("IQR", "test global"),
        ("IQR", "training global"),
    }
