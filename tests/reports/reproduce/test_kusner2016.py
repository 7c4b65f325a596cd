import importlib.util
import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from provado.audit.bounds.binomial import binomial_limits
from provado.mechanisms.cause_effect.additive_noise_model import (
    INPUT_KERNEL,
    LAMBDA,
    REGRESSION_KERNEL,
    RESIDUAL_KERNEL,
    split_half,
)
from provado.reports.commands.reproduce.experiment import Scope
from provado.reports.commands.reproduce.papers.kusner2016 import (
    _paper,
    figure1,
    figure2,
    iqr_null,
    table2,
    theorems,
)
from provado.reports.commands.reproduce.sources.pairs import NamedPair
from tests.reports.reproduce.answers import answer, answers, verdicts

QUICK = Scope(quick=True)
ON_PAIRS = (table2, figure1, figure2, iqr_null)

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("cdt") is None, reason="the files of cdt are not installed"
)


@pytest.fixture(scope="module")
def done():
    """The quick answers of every experiment, made when they are first asked for."""
    kept = {}

    def of(module):
        if module not in kept:
            kept[module] = answers(module.EXPERIMENT, QUICK)
        return kept[module]

    return of


def tiny(module, source=_paper.GENERATED, index=0, **changed):
    key = f"{source}/{_paper.pairs_of(source, 0)[index].name}"
    (part,) = (p for p in module.EXPERIMENT.parts(QUICK) if p.key == key)
    arguments = {**part.arguments, "most": 40, **changed}
    return type(part)(part.key, arguments, part.seconds)


# Slow twins: one split's residuals and scores by matrices and loops.


def slow_residuals(x, y, split, lam=LAMBDA):
    def left_over(a, b):
        gram = REGRESSION_KERNEL(a[split.train][:, None], a[split.train])
        n = split.train.size
        alpha = np.linalg.solve(gram + lam * n / 2 * np.eye(n), b[split.train])
        return b[split.test] - REGRESSION_KERNEL(a[split.test][:, None], a[split.train]) @ alpha

    return left_over(y, x), left_over(x, y)


def slow_hsic(a, b):
    m = a.size
    inputs, left_over = INPUT_KERNEL(a[:, None], a), RESIDUAL_KERNEL(b[:, None], b)
    h = np.eye(m) - 1 / m
    return np.trace(inputs @ h @ left_over @ h) / (m - 1) ** 2


def slow_kendall(a, b):
    m = a.size
    signs = [np.sign(a[i] - a[j]) * np.sign(b[i] - b[j]) for i, j in combinations(range(m), 2)]
    return abs(sum(signs)) / (m * (m - 1) / 2)


def slow_spearman(a, b):
    m = a.size
    d = stats.rankdata(a) - stats.rankdata(b)
    return abs(1 - 6 * (d**2).sum() / (m * (m**2 - 1)))


def slow_log_iqr(a):
    ranked, m = sorted(a), len(a)
    return math.log(ranked[math.ceil(3 * m / 4) - 1] - ranked[math.ceil(m / 4) - 1])


def slow_iqr(a, b):
    return slow_log_iqr(a) + slow_log_iqr(b)


SLOW = {"spearman": slow_spearman, "kendall": slow_kendall, "hsic": slow_hsic, "iqr": slow_iqr}


def slow_margins(module, part, name, lam=LAMBDA):
    rng = module.EXPERIMENT.generator(part, 0)
    pair = _paper.pair_at(part.arguments)
    x, y = _paper.columns(pair, part.arguments["most"], rng)
    for _ in range(part.arguments["splits"]):
        split = split_half(x.size, rng)
        r_x, r_y = slow_residuals(x, y, split, lam)
        forward, backward = SLOW[name](x[split.test], r_y), SLOW[name](y[split.test], r_x)
        yield _paper.sign(pair) * (backward - forward)


def two_chance(margin, scale):
    t = abs(margin) / scale
    kept = 1 - (t + 2) / 4 * math.exp(-t)
    return kept if margin >= 0 else 1 - kept


def four_chance(margin, scale):
    t = abs(margin) / scale
    kept = 1 - math.exp(-t) * (48 + 33 * t + 9 * t**2 + t**3) / 96
    return kept if margin >= 0 else 1 - kept


# The pairs.


def test_the_printed_table_has_ten_pairs_in_every_row():
    assert len(set(_paper.TABLE_2_IDS)) == len(_paper.TABLE_2_SIZES) == 10
    assert {len(row) for row in _paper.TABLE_2.values()} == {10}
    assert len(_paper.TABLE_2) == 4 * 4 - 1
    # A row of the printed table, read off again: HSIC at ε = 1.
    means = [mean for mean, _ in _paper.TABLE_2["1", "hsic"]]
    assert means == [0.85, 0.39, 0.98, 0.52, 0.55, 0.50, 0.66, 0.21, 1.0, 0.49]


def pairs_of_sizes(sizes, names=None):
    names = names or [f"pair{i}" for i in range(len(sizes))]
    columns = (np.linspace(0, 1, size) for size in sizes)
    return [NamedPair(n, c, c, None) for n, c in zip(names, columns, strict=True)]


def test_ten_of_the_25_largest_pairs_are_drawn_by_the_seed():
    pairs = pairs_of_sizes(range(100, 140))
    drawn = _paper.drawn_as_printed(pairs, 0)
    sizes = [pair.x.size for pair in drawn]
    assert len(set(sizes)) == 10
    assert min(sizes) >= 115
    assert sizes == sorted(sizes)
    assert [p.name for p in drawn] == [p.name for p in _paper.drawn_as_printed(pairs[::-1], 0)]
    assert any(
        [p.name for p in drawn] != [p.name for p in _paper.drawn_as_printed(pairs, seed)]
        for seed in (1, 2)
    )


def test_a_folder_with_the_papers_own_pairs_gives_these_in_the_printed_order():
    names = [*(f"other{i}" for i in range(30)), *reversed(_paper.TABLE_2_IDS)]
    pairs = pairs_of_sizes([500] * 30 + [100] * 10, names)
    assert tuple(p.name for p in _paper.drawn_as_printed(pairs, 3)) == _paper.TABLE_2_IDS


@pytest.mark.parametrize("module", ON_PAIRS, ids=lambda module: module.EXPERIMENT.name)
def test_a_part_is_determined_by_the_seed(module):
    part = tiny(module)
    assert answer(module.EXPERIMENT, part) == answer(module.EXPERIMENT, part)
    assert answer(module.EXPERIMENT, part) != answer(module.EXPERIMENT, part, seed=1)


# Table 2.


@pytest.mark.parametrize("index", [0, 3])
def test_table_2_agrees_with_scores_by_matrices_and_loops(index):
    part = tiny(table2, index=index)
    shares = answer(table2.EXPERIMENT, part)["shares"]
    m = 20
    delta = {"spearman": 30 / m, "kendall": 4 / m, "hsic": (12 * m - 11) / (m - 1) ** 2, "iqr": 1}
    for name in SLOW:
        chance = four_chance if name == "iqr" else two_chance
        for split, margin in enumerate(slow_margins(table2, part, name)):
            assert shares[name][0][split] == (margin > 0)
            for at, epsilon in enumerate((0.1, 1, 2), 1):
                expected = chance(margin, delta[name] / epsilon)
                assert shares[name][at][split] == pytest.approx(expected, rel=1e-9)


def test_what_the_paper_says_of_table_2_where_it_holds(done):
    found = table2.findings(QUICK, done(table2))
    assert verdicts(found, "tossed coin") == [True] * 4
    assert verdicts(found, "moves from a coin's") == [True] * 4
    assert verdicts(found, "needs the least") == [True] * 4


def test_table_2_has_one_column_a_large_pair_and_the_printed_numbers(done):
    tables = {table.name: table for table in table2.findings(QUICK, done(table2)).tables}
    large = [pair.name for pair in _paper.pairs_of(_paper.LARGE_TUEBINGEN, 0)]
    assert list(tables["columns1"].head[2:]) == large[: _paper.QUICK_DRAWN]
    printed = {row[:2]: row[2:] for row in tables["printed"].rows}
    assert printed["0.1", "hsic"][0] == "0.68 ± 0.17"
    assert set(printed["0.1", "iqr"]) == {None}


def shares_of(**by_score):
    """Two splits of one pair whose probabilities at ∞, .1, 1 and 2 are those given."""
    usual = dict.fromkeys(table2.PAPER_SCORES, (1.0, 0.5, 0.6, 0.7))
    return {name: [[p, p] for p in levels] for name, levels in {**usual, **by_score}.items()}


KENDALL_FIRST = {"kendall": (1.0, 0.9, 1.0, 1.0)}
HSIC_ONLY = {"spearman": (0.0, 0.5, 0.3, 0.2), "kendall": (0.0, 0.1, 0.0, 0.0)}
RANKS_ONLY = {"hsic": (0.0, 0.5, 0.4, 0.3), **KENDALL_FIRST}


@pytest.mark.parametrize(
    ("words", "good", "broken"),
    [
        ("tossed coin", [KENDALL_FIRST], [{"iqr": (1.0, 0.6, 0.8, 0.9)}]),
        ("moves from a coin's", [KENDALL_FIRST], [{"hsic": (1.0, 0.7, 0.6, 0.8)}]),
        ("needs the least", [KENDALL_FIRST], [{"spearman": (1.0, 0.9, 1.0, 1.0)}]),
        ("complementary", [HSIC_ONLY, RANKS_ONLY], [KENDALL_FIRST] * 10),
    ],
)
def test_what_is_said_of_table_2_fails_on_doctored_results(words, good, broken):
    def holds(scores):
        shares = {f"pair {i}": shares_of(**one) for i, one in enumerate(scores)}
        (one,) = (c for c in table2.comparisons({"x": shares}) if words in c.printed)
        return one.holds

    assert holds(good) is True
    assert holds(broken) is False


def test_few_pairs_do_not_decide_that_scores_are_never_complementary():
    shares = {"pair 0": shares_of(**HSIC_ONLY)}
    found = table2.comparisons({"x": shares})
    assert [c.holds for c in found if "complementary" in c.printed] == [None]


# Noise by simulation.


@pytest.mark.parametrize("hits", [0, 1, 7, 19, 20])
def test_the_limits_leave_at_most_half_of_alpha_on_each_side(hits):
    low, high = (float(limit) for limit in binomial_limits(hits, 20, 0.025))
    if hits:
        assert stats.binom.sf(hits - 1, 20, low) == pytest.approx(0.025)
    else:
        assert low == 0
    if hits < 20:
        assert stats.binom.cdf(hits, 20, high) == pytest.approx(0.025)
    else:
        assert high == 1


def test_noise_keeps_an_endless_margin_and_loses_its_opposite():
    rng = np.random.default_rng(0)
    assert _paper.kept(math.inf, 1.0, 4, 300_000, rng) == 300_000
    assert _paper.kept(-math.inf, 1.0, 4, 1_000, rng) == 0


def test_the_theorems_beside_simulated_noise(done):
    found = theorems.findings(QUICK, done(theorems))
    two, four = found.comparisons
    assert two.holds is True
    assert four.holds is False
    assert "upside down" in four.why
    (table,) = found.tables
    for ratio, chance, *_, repaired, _wrong, _share, _low, _high in table.rows:
        assert chance == pytest.approx(two_chance(ratio, 1.0))
        assert repaired == pytest.approx(four_chance(ratio, 1.0))


def test_theorem_2_fails_on_doctored_frequencies(done):
    part = "2 releases, margin 2"
    doctored = {**done(theorems), part: {"hits": done(theorems)[part]["hits"] - 2_000}}
    two, four = theorems.findings(QUICK, doctored).comparisons
    assert two.holds is False
    assert four.holds is False
    shifted = {
        key: {"hits": one["hits"] - 2_000 * key.startswith("4")}
        for key, one in done(theorems).items()
    }
    assert theorems.findings(QUICK, shifted).comparisons[1].why == ""


def test_theorem_4_would_hold_for_noise_that_follows_it():
    chances = [0.9, 0.5]
    hits = [9_000, 5_000]
    assert _paper.theorem_4("", "", hits, 10_000, chances, [0.5, 0.5]).holds is True
    assert _paper.theorem_4("", "", hits, 10_000, [0.5, 0.5], chances).holds is False


@pytest.mark.parametrize(
    ("hits", "expected"),
    [([500, 700, 900], True), ([500, 501, 900], None), ([900, 600, 500], False)],
)
def test_an_order_is_told_only_where_limits_part(hits, expected):
    assert _paper.rises(hits, 1_000) is expected


# Figure 1.


def test_figure_1_holds_where_theorems_and_order_do(done):
    found = figure1.findings(QUICK, done(figure1))
    assert False not in verdicts(found, "as ε increases")
    assert verdicts(found, "as ε increases").count(True) >= 5
    assert True in verdicts(found, "drastically")
    assert verdicts(found, "two scores with Laplace noise") == [True]
    assert verdicts(found, "four noisy log-IQRs") == [False]
    # The repaired form explains every frequency.
    assert "upside down" in found.comparisons[-1].why


def test_the_margins_of_figure_1_agree_with_slow_ones():
    part = tiny(figure1)
    scores = answer(figure1.EXPERIMENT, part)["scores"]
    for name in figure1.FIGURE_SCORES:
        assert scores[name]["margins"] == pytest.approx(
            list(slow_margins(figure1, part, name)), rel=1e-8
        )


def test_figure_1_fails_on_doctored_results(done):
    def reversed_hits(one):
        scores = {name: {**of, "hits": of["hits"][::-1]} for name, of in one["scores"].items()}
        return {**one, "scores": scores}

    doctored = {key: reversed_hits(one) for key, one in done(figure1).items()}
    found = figure1.findings(QUICK, doctored)
    assert True not in verdicts(found, "as ε increases")
    assert False in verdicts(found, "as ε increases")
    assert True not in verdicts(found, "drastically")
    assert verdicts(found, "two scores with Laplace noise") == [False]


def test_figure_1_selects_pairs_that_are_right_on_every_split():
    assert figure1.right_without_noise([0.1, 0.2])
    assert not figure1.right_without_noise([0.1, -0.2])
    assert not figure1.right_without_noise([0.1, None])


# Figure 2.


def test_the_margins_of_figure_2_agree_with_slow_ones():
    part = tiny(figure2)
    found = np.array(answer(figure2.EXPERIMENT, part)["margins"])
    for k in (0, 5, 10):
        slow = list(slow_margins(figure2, part, "hsic", figure2.LAMBDAS[k]))
        assert found[:, k] == pytest.approx(slow, rel=1e-6, abs=1e-12)


def test_the_bounds_of_figure_2_against_their_formulas():
    lam, n, m, slope = 0.5, 100, 80, 3.0
    printed = 8 / lam**1.5 * 32 * slope * math.sqrt(m) / n
    sharper = 2 * slope * 4 * (1 + 1 / math.sqrt(2 * lam)) / (n * lam) * math.sqrt(m / (m - 1))
    assert float(figure2.BOUNDS["Theorem 7"](n, m, lam, slope)) == pytest.approx(printed)
    assert float(figure2.BOUNDS["sharper"](n, m, lam, slope)) == pytest.approx(sharper, rel=1e-5)


def test_by_theorem_7_every_lambda_leaves_a_coin(done):
    found = figure2.findings(QUICK, done(figure2))
    by_printed = [c for c in found.comparisons if "noise by Theorem 7" in c.measured]
    assert {c.holds for c in by_printed} == {False}
    assert all("tossed coin" in c.why for c in by_printed)
    assert set(verdicts(found, "for small λ")) == {True}


RIGHT = (1.0, 1.0, 0.7)
HUMP = {1.0: [0.5, 0.7, 0.55], 10.0: [0.5, 0.95, 0.65]}
RISES = {1.0: [0.5, 0.5, 0.55], 10.0: [0.56, 0.7, 0.8]}


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("hump", 1),
        ("for small λ", 0),
        ("for large λ", 0),
        ("range of good λ", 0),
        ("high quality", 0),
    ],
)
def test_what_is_said_of_figure_2_fails_on_doctored_results(words, place):
    def holds(of, right):
        found = {"sharper": of, "Theorem 7": of}
        made = figure2.comparisons("", (1e-3, 1e-2, 1.0), right, found, [of], (1.0, 10.0))
        return [c.holds for c in made if words in c.printed][place]

    assert holds(HUMP, RIGHT) is True
    narrow = {epsilon: [0.6, 0.5, 0.7] for epsilon in RISES}
    worse = narrow if words in ("for small λ", "range of good λ") else RISES
    assert holds(worse, (1.0, 1.0, 1.0)) is False


# ⊥ of the private IQR.


def test_the_chance_of_nothing_against_a_product_of_tails():
    distances, epsilon, level = np.array([[3, 0], [12, 40], [7, 7]]), 0.5, 9.0
    released = 1.0
    for a in distances:
        below = [stats.laplace.cdf(level - count, scale=1 / epsilon) for count in a]
        released *= 1 - below[0] * below[1]
    assert iqr_null.null_chance(distances, epsilon, level) == pytest.approx(1 - released)
    noise = np.random.default_rng(5).laplace(size=(500, 3, 2))
    slow = sum(
        any(all(distances[k, j] + draw[k, j] / epsilon <= level for j in (0, 1)) for k in range(3))
        for draw in noise
    )
    assert 0 < slow < 500
    assert iqr_null.null_count(distances, epsilon, level, noise) == slow


def test_simulated_releases_agree_with_the_exact_chance(done):
    for form in iqr_null.FORMS:
        splits = [split[form] for one in done(iqr_null).values() for split in one["splits"]]
        nulls = [count for split in splits for count in split["nulls"]]
        exact = [chance for split in splits for chance in split["exact"]]
        assert np.all(_paper.within(nulls, iqr_null.DRAWS, exact))
        assert not np.all(_paper.within(nulls[::-1], iqr_null.DRAWS, exact))


def test_the_margin_of_the_iqr_agrees_with_a_slow_one():
    part = tiny(iqr_null)
    splits = answer(iqr_null.EXPERIMENT, part)["splits"]
    rng = iqr_null.EXPERIMENT.generator(part, 0)
    x, y = _paper.columns(_paper.pair_at(part.arguments), 40, rng)
    split = split_half(x.size, rng)
    r_x, r_y = slow_residuals(x, y, split)
    own = slow_iqr(y[split.test], r_x) - slow_iqr(x[split.test], r_y)
    assert splits[0]["margin"] == pytest.approx(_paper.sign(_paper.pair_at(part.arguments)) * own)


def doctored_nulls(done, count):
    def changed(one):
        splits = [
            {**s, "margin": 1.0, "printed": {**s["printed"], "nulls": [count] * 12}}
            for s in one["splits"]
        ]
        return {**one, "splits": splits}

    return {key: changed(one) for key, one in done(iqr_null).items()}


def test_that_nothing_is_rare_holds_only_without_a_single_one(done):
    found = iqr_null.findings(QUICK, doctored_nulls(done, 0))
    assert {c.holds for c in found.comparisons} == {True}
    found = iqr_null.findings(QUICK, doctored_nulls(done, 1))
    assert {c.holds for c in found.comparisons} == {False}


def test_the_printed_intervals_lose_releases_that_the_repaired_ones_make(done):
    found = iqr_null.findings(QUICK, done(iqr_null))
    blamed = [c for c in found.comparisons if "printed B₂" in c.why]
    assert any("large" in c.measured and "ε = 1:" in c.measured for c in blamed)


# A user's folder.


@pytest.mark.parametrize("module", ON_PAIRS, ids=lambda module: module.EXPERIMENT.name)
def test_a_users_folder_is_one_more_source(module, tmp_path, done):
    rng = np.random.default_rng(9)
    for name in ("a", "b"):
        x = rng.uniform(-1, 1, 60)
        table = np.column_stack([x, np.tanh(3 * x) + 0.1 * rng.uniform(-1, 1, 60)])
        np.savetxt(tmp_path / f"{name}.txt", table)
    (tmp_path / "labels.csv").write_text("name,direction\na,X->Y\nb,X->Y\n", encoding="utf-8")
    folder = str(tmp_path)
    setting = Scope(quick=True, pairs=folder)
    own = answers(module.EXPERIMENT, setting, lambda part: part.key.startswith(folder))
    assert list(own) == [f"{folder}/a", f"{folder}/b"]
    found = module.findings(setting, {**done(module), **own})
    assert len(found.comparisons) >= len(module.findings(QUICK, done(module)).comparisons)
    if module is table2:
        own_table = next(table for table in found.tables if table.name == "columns2")
        assert own_table.head == ("ε", "score", "a", "b")
