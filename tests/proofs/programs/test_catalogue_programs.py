"""The catalogue's mechanisms as programs: the same distributions and verdicts."""

import numpy as np
import pytest

from benchmarks.prove_catalogue import ENTRIES, Entry, not_written
from benchmarks.prove_catalogue_bars import by_an_event, certified, decided
from provado.mechanisms import Verdict
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.programs import Program
from tests.mechanisms.goodness_of_fit import same_distribution_p_value

QUICK = ("discrete-laplace/count", "twin/laplace-wrong-scale", "randomized-response/k-ary")
NAMES = {one.name: one for one in ENTRIES}
TRIALS = 20_000
LEVEL = 1e-6
"""Of each comparison: with seeds that are fixed, it holds or does not."""


def drawn(entry: Entry, data, seed):
    """Return what the program and what the catalogue's own code told, as tuples."""
    rng = np.random.default_rng(seed)
    of = Program(entry.program, **entry.given())
    mine = of(entry.data(data), size=TRIALS, rng=rng)
    return mine, entry.told(entry.mechanism.run(data, size=TRIALS, rng=rng))


def features(rows, cuts=None):
    """Return columns of whole numbers: how much is told, each value by its place among ``cuts``."""
    width = max(map(len, rows))
    table = np.full((len(rows), width), np.nan)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    total = np.nansum(table, axis=1, keepdims=True)
    return np.hstack([np.array([[len(row)] for row in rows], dtype=float), total, table])


def p_values(first, second):
    """Yield a p-value for each column of the two."""
    a, b = features(first), features(second)
    width = max(a.shape[1], b.shape[1])
    a, b = (np.pad(m, ((0, 0), (0, width - m.shape[1])), constant_values=np.nan) for m in (a, b))
    for mine, theirs in zip(a.T, b.T, strict=True):
        both = np.concatenate([mine, theirs])
        known = both[~np.isnan(both)]
        cuts = np.unique(np.quantile(known, np.linspace(0, 1, 25)))
        codes = [
            np.where(np.isnan(v), -1, np.searchsorted(cuts, v, side="right"))
            for v in (mine, theirs)
        ]
        if len(np.unique(np.concatenate(codes))) > 1:
            yield same_distribution_p_value(*codes)


def same(entry):
    for k, data in enumerate(entry.neighbors_of()):
        assert all(p > LEVEL for p in p_values(*drawn(entry, data, k)))


@pytest.mark.parametrize("name", QUICK)
def test_a_program_draws_as_the_catalogue_does(name):
    same(NAMES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in QUICK])
def test_every_program_draws_as_the_catalogue_does(name):
    same(NAMES[name])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("laplace/grid-0.1", "twin/laplace-wrong-scale"),
        ("sparse-vector/numeric", "twin/numeric-sparse"),
        ("sparse-vector/svt-1", "twin/svt-4"),
    ],
)
def test_the_comparison_tells_other_programs(name, other):
    one, twin = NAMES[name], NAMES[other]
    data = one.neighbors_of()[0]
    mine, _ = drawn(one, data, 0)
    _, theirs = drawn(twin, data, 1)
    assert min(p_values(mine, theirs)) < LEVEL


@pytest.mark.parametrize("name", QUICK)
def test_a_program_is_decided_as_recorded(name):
    _, verdict = decided(NAMES[name])
    broken = NAMES[name].mechanism.expected is Verdict.VIOLATION
    assert verdict == ("refuted" if broken else "proved")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_program_is_decided_as_recorded_and_audited_below(name):
    entry = NAMES[name]
    test_a_program_is_decided_as_recorded(name)
    broken = entry.mechanism.expected is Verdict.VIOLATION
    most = entry.mechanism.true_epsilon if broken else entry.mechanism.promise.epsilon
    assert certified(entry) <= most


def test_an_event_refutes_no_sound_program_of_whole_noise():
    for name in ("laplace/grid-0.1", "histogram/laplace"):
        assert by_an_event(NAMES[name]) is None
    for name in ("twin/laplace-wrong-scale", "twin/histogram-wrong-scale"):
        assert by_an_event(NAMES[name]).verdict == "refuted"


def test_each_mechanism_is_written_or_has_a_reason():
    left = not_written()
    assert all(left.values())
    assert {*left, *NAMES} == {one.name for one in catalogue()}
