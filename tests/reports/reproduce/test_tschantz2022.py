import json
import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from provado.mechanisms.catalogue import catalogue
from provado.proofs.causal.definitions import DECIDE
from provado.proofs.causal.search import Case, all_mechanisms
from provado.reports.commands.reproduce.experiment import Scope
from provado.reports.commands.reproduce.papers.tschantz2022 import ada_byron, experiments, table1
from tests.reports.reproduce.answers import answer, answers, verdicts

QUICK = Scope(quick=True)


@pytest.fixture(scope="module")
def rows():
    return answers(table1.EXPERIMENT, QUICK)


@pytest.fixture(scope="module")
def effects():
    return answers(ada_byron.EXPERIMENT, QUICK)


# Table 1.


def test_table_1_is_filled_in_as_printed_but_for_the_condition_of_definition_4(rows):
    found = {
        row.definition: table1.relation(rows[f"Definition {row.definition}"]) for row in table1.ROWS
    }
    printed = {row.definition: row.printed for row in table1.ROWS}
    differing = {name for name in found if found[name] != printed[name]}
    assert differing == {"4 as printed"}
    holds = {c.measured.split(":")[0]: c.holds for c in table1.findings(QUICK, rows).comparisons}
    assert holds.pop("Definition 4 as printed") is False
    assert set(holds.values()) == {True}


def largest_ratio(mechanism, pairs):
    """The largest ratio of two rows of a table; ∞ where only the second has a 0."""
    found = Fraction(1)
    for d, d_prime in pairs:
        for p, q in zip(mechanism.table[d], mechanism.table[d_prime], strict=True):
            found = max(found, p / q if q else math.inf if p else found)
    return found


def test_the_counts_of_definition_3_against_ratios_of_whole_tables(rows):
    # Definition 3 compares all pairs of datasets, differential privacy those at distance 1.
    more = 0
    for mechanism in all_mechanisms()[:: table1.QUICK_STEP]:
        every = list(permutations(mechanism.datasets, 2))
        near = [(d, e) for d, e in every if sum(a != b for a, b in zip(d, e, strict=True)) == 1]
        more += largest_ratio(mechanism, every) > largest_ratio(mechanism, near)
    own = rows["Definition 3"]
    assert own["exceeds"]["count"] == more > 0
    assert own["cases"] == len(all_mechanisms()[:: table1.QUICK_STEP])


def test_every_counterexample_is_one_and_is_small(rows):
    found = table1.findings(QUICK, rows)
    (against,) = (table for table in found.tables if table.name == "counterexamples")
    assert [row[0] for row in against.rows] == ["DP, not 3", "DP, not 4 as printed", "7, not DP"]
    for words, mechanism, population, own, privacy in against.rows:
        forth = words.startswith("DP")
        own, privacy = (math.inf if f == "∞" else Fraction(f) for f in (own, privacy))
        assert (own > privacy) if forth else (own < privacy)
        assert population
        assert len(mechanism.split("; ")) == (8 if "printed" in words else 4)


def test_the_smallest_case_is_searched_among_those_met():
    found = table1.cases(given=False, step=table1.QUICK_STEP)
    decide, plain = DECIDE["3"], DECIDE["1"]
    met = table1._met(found, lambda case: False, decide, plain)
    assert met == {"count": 0, "case": None}
    met = table1._met(found, lambda case: case.mechanism.n == 1, decide, plain)
    assert met["count"] == sum(case.mechanism.n == 1 for case in found)
    assert isinstance(found[0], Case)


NONE, SOME = {"count": 0, "case": None}, {"count": 1, "case": None}


@pytest.mark.parametrize(
    ("definition", "doctored", "expected"),
    [
        ("2", {"exceeds": SOME}, False),
        ("2", {"falls_short": SOME}, False),
        ("3", {"falls_short": SOME}, False),
        ("3", {"exceeds": NONE}, None),
        ("7", {"exceeds": SOME}, False),
        ("7", {"falls_short": NONE}, None),
        ("4 as printed", {"exceeds": NONE}, True),
    ],
)
def test_an_arrow_fails_on_doctored_counts(rows, definition, doctored, expected):
    key = f"Definition {definition}"
    changed = {**rows, key: {**rows[key], **doctored}}
    found = table1.findings(QUICK, changed).comparisons
    (holds,) = (c.holds for c in found if c.measured.startswith(f"{key}:"))
    assert holds is expected


# Ada and Byron.


def slow_chance(factor, count, output, n=3):
    """Pr[count + geometric noise, cut at 0 and n, is ``output``], by a long sum of its tail."""
    a = 1 / float(factor)
    noise = {k: (1 - a) / (1 + a) * a ** abs(k) for k in range(-200, 201)}
    return sum(p for k, p in noise.items() if min(max(count + k, 0), n) == output)


def slow_ratio(distributions):
    return max(p[o] / q[o] for p, q in permutations(distributions, 2) for o in range(4))


@pytest.mark.parametrize("factor", ada_byron.FACTORS)
def test_effects_and_associations_against_sums_over_the_noise(effects, factor):
    own = effects[f"exact, e^ε = {factor}"]
    f = Fraction(factor)
    chances = {c: [slow_chance(f, c, o) for o in range(4)] for c in range(4)}
    point = max(slow_ratio([chances[c], chances[c + 1]]) for c in range(3))
    status = max(slow_ratio([chances[c], chances[c + 2]]) for c in range(2))
    assert float(Fraction(own["effects"]["D1"])) == pytest.approx(point)
    assert float(Fraction(own["effects"]["R1"])) == pytest.approx(status)
    given = [
        [(chances[2 * ada][o] + chances[2 * ada + 1][o]) / 2 for o in range(4)] for ada in (0, 1)
    ]
    assert float(Fraction(own["associations"]["D1"])) == pytest.approx(slow_ratio(given))


def test_what_the_paper_says_of_ada_and_byron_holds(effects):
    assert [c.holds for c in ada_byron.findings(QUICK, effects).comparisons] == [True] * 5


@pytest.mark.parametrize(
    ("words", "kind", "name", "value"),
    [
        ("bounds the effect of Ada's data point", "effects", "D1", "4"),
        ("double the effect", "effects", "R1", "2"),
        ("the total effect", "effects", "R1 and R2 at once", "8"),
        ("does not bound", "associations", "D1", "2"),
        ("can be measured", "associations", "D2", "100"),
    ],
)
def test_what_is_said_of_them_fails_on_doctored_results(effects, words, kind, name, value):
    doctored = json.loads(json.dumps(effects))
    doctored["exact, e^ε = 2"][kind][name] = value
    found = ada_byron.findings(QUICK, doctored)
    assert verdicts(found, words) == [False]


def test_an_association_that_no_study_certifies_is_not_shown(effects):
    doctored = json.loads(json.dumps(effects))
    for key, one in doctored.items():
        if "D1" in key:
            one["association"][0] = 1.0
    assert verdicts(ada_byron.findings(QUICK, doctored), "does not bound") == [False]


def test_a_study_is_determined_by_the_seed():
    part = next(p for p in ada_byron.parts(QUICK) if "study of R1" in p.key)
    smaller = type(part)(part.key, {**part.arguments, "samples": 2_000}, part.seconds)
    assert answer(ada_byron.EXPERIMENT, smaller) == answer(ada_byron.EXPERIMENT, smaller)
    assert answer(ada_byron.EXPERIMENT, smaller) != answer(ada_byron.EXPERIMENT, smaller, seed=1)


def test_the_box_of_statuses_counts_ada_twice():
    # With noise that all but vanishes, setting her status moves the count by two.
    found = ada_byron.study(Fraction(50), "R1", 4_000, np.random.default_rng(0))
    single = ada_byron.study(Fraction(50), "D1", 4_000, np.random.default_rng(0))
    assert found["effect"][0] > 50 > single["effect"][0]


# The catalogue.


def test_quick_parts_are_every_sixth_mechanism_and_full_ones_all():
    names = [mechanism.name for mechanism in catalogue()]
    assert [part.key for part in experiments.parts(QUICK)] == names[::6]
    assert [part.key for part in experiments.parts(Scope())] == names


def audited(name, samples=4_000):
    part = next(p for p in experiments.parts(Scope()) if p.key == name)
    smaller = type(part)(part.key, {**part.arguments, "samples": samples}, part.seconds)
    return answer(experiments.EXPERIMENT, smaller)


def test_an_audit_is_determined_by_the_seed_and_tells_a_twin_from_its_like():
    broken, sound = audited("twin/svt-6"), audited("randomized-response/binary")
    assert broken == audited("twin/svt-6")
    assert broken["verdict"] == "violation"
    assert broken["certified"] > broken["epsilon"]
    assert sound["verdict"] == "no violation found"
    assert 0 < sound["certified_first"] <= sound["true"]
    found = experiments.findings(QUICK, {"broken": broken, "sound": sound})
    assert [c.holds for c in found.comparisons] == [True] * 3


def row(verdict, expected, certified=0.5, true=1.0):
    return {
        "epsilon": 1.0,
        "delta": 0.0,
        "true": true,
        "certified": certified,
        "certified_first": certified,
        "verdict": verdict,
        "expected": expected,
        "summary": "",
    }


CAUGHT = row("violation", "violation", 1.5, "∞")
MISSED = row("no violation found", "violation", 0.5, 2.0)
PASSED = row("no violation found", "no violation found")
ACCUSED = row("violation", "no violation found", 1.5)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((CAUGHT, PASSED), [True, True, True]),
        ((MISSED, PASSED), [False, True, True]),
        ((CAUGHT, MISSED, PASSED), [None, True, True]),
        ((CAUGHT, ACCUSED), [True, False, False]),
        ((PASSED,), [None, True, True]),
        ((CAUGHT,), [True, None, None]),
    ],
)
def test_what_is_hoped_of_experiments_is_computed_from_the_verdicts(results, expected):
    numbered = {str(i): one for i, one in enumerate(results)}
    found = experiments.findings(QUICK, numbered)
    assert [c.holds for c in found.comparisons] == expected


def test_the_counts_of_verdicts_add_up():
    every = dict(zip("abcde", (CAUGHT, CAUGHT, MISSED, PASSED, ACCUSED), strict=True))
    (counts,) = (t for t in experiments.findings(QUICK, every).tables if t.name == "counts")
    assert counts.rows == (("violation", 2, 1, 0), ("no violation found", 1, 1, 0))


@pytest.mark.slow
def test_the_quick_catalogue_holds_no_surprise():
    found = experiments.findings(QUICK, answers(experiments.EXPERIMENT, QUICK))
    assert [c.holds for c in found.comparisons] == [True] * 3
