"""The plug-in as its users meet it: whole runs of pytest on small suites."""

import math
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.metadata import entry_points

import hypothesis.strategies  # noqa: F401
import pytest
from scipy.stats import binom

import provado.proofs.api
import provado.proofs.sensitivity
import provado.reports.ledger.run

# Imported here, so that runs inside this process do not import them, and numpy, anew each.
import provado.reports.pytest_plugin.audit_fixture
import provado.reports.pytest_plugin.check_fixtures  # noqa: F401
from provado.audit import audit
from provado.reports.pytest_plugin.settings import in_python

pytest_plugins = ["pytester"]

PLUGIN = "provado.reports.pytest_plugin.plugin"
INSTALLED = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
# Hypothesis' plug-in imports all of Hypothesis in every run.
LOAD = ("-p", "no:hypothesispytest", *(() if INSTALLED else ("-p", PLUGIN)))

MECHANISMS = """
import time

import numpy as np
import pytest

from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, GaussianDP, PureDP, ReplaceOne

PAIR = ([1, 0, 1], [1, 0, 0])


def answer(chance, rng):
    return rng.random() < chance


def sound(data, rng):
    "Randomized response about the last record, at ε = 1 exactly."
    return answer(1 / (1 + np.exp(-1.0 if data[-1] else 1.0)), rng)


def broken(data, rng):
    "Claims 1; it is ln 19."
    return answer(0.95 if data[-1] else 0.05, rng)


def counting(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)
"""


@pytest.fixture(scope="module", autouse=True)
def warm():
    """Import what an audit imports late."""
    audit(lambda _, rng: int(rng.integers(2)), epsilon=1.0, pair=([0], [1]), samples=100)


@pytest.fixture
def suite(pytester):
    """Writes a suite; returns a function that runs it in this process."""

    def write(tests, **files):
        pytester.makepyfile(test_suite=MECHANISMS + tests, **files)

        def run(*arguments, samples=600):
            few = () if samples is None else ("--provado-samples", str(samples))
            return pytester.runpytest_inprocess(*LOAD, "--strict-markers", *few, *arguments)

        return run

    return write


def findings(result):
    """Return the lines of the section, each test with what was found, sorted."""
    lines = result.outlines[next(i for i, x in enumerate(result.outlines) if "= provado =" in x) :]
    return sorted(line for line in lines if re.match(r"test_\w+\.py::", line))


def messages(result):
    """Return the lines of all failures' messages, as they stand."""
    return [re.sub(r"^E +", "", line) for line in result.outlines if line.startswith("E  ")]


def replays(result):
    return [
        line.removeprefix("Reproduce: ")
        for line in messages(result)
        if line.startswith("Reproduce")
    ]


def test_a_sound_mechanism_passes_and_says_what_would_have_shown(suite):
    run = suite("""
def test_it(audit_dp):
    r = audit_dp(sound, epsilon=1.0, pair=PAIR)
    assert r.verdict == 'no violation found' and r.counts.trials == 600
""")
    result = run()
    result.assert_outcomes(passed=1)
    result.stdout.re_match_lines(
        [
            r"=+ provado =+",
            r"1 audit \(1 no violation found\); chance of any false alarm at most 5 %",
            r"weakest: test_suite.py::test_it: sound: no violation found, claimed ε = 1, certified "
            r"ε ≥ [\d.]+ \(95\.5 % confidence\)\. A violation "
            r"detectable by this rule \(guess .*\) would have been certified in nine runs of ten, "
            r"if it makes guesses correct as often as ε = 1\.\d+ allows\. Covered, on 1 pair "
            r"\(D′ = do\(D\[2\] = 0\)\) and in 600 outputs of exploration: structure, type, .* "
            r"This does not cover other kinds of events, rarer events or other pairs\.$",
        ]
    )


FEW = """
def noisy(data, rng):
    return np.bincount(np.asarray(data, int), minlength=300) + rng.laplace(size=300)


def spoiled(data, rng):
    return np.bincount(np.asarray(data, int), minlength=300) + rng.laplace(scale=0.3, size=300)


MANY = list(range(300))
"""


def test_few_runs_with_many_interventions(suite):
    run = suite(
        FEW
        + """
pytestmark = pytest.mark.dp(epsilon=1.0, relation=ReplaceOne(), data=[1, 0], samples=100)


def test_it(audit_dp):
    found = audit_dp(noisy, canaries=MANY, runs=2)
    assert (found.runs, found.relation) == (2, 'add-or-remove-one')


def test_twin(audit_dp):
    audit_dp(spoiled, canaries=MANY, expected='violation')


def test_missed(audit_dp):
    audit_dp(spoiled, canaries=MANY)


def test_wrong(audit_dp):
    audit_dp(noisy, canaries=MANY, samples=100)


def test_nothing(audit_dp):
    audit_dp(noisy, runs=3)


def test_curve(audit_dp):
    audit_dp(spoiled, canaries=MANY, promise=GaussianDP(0.5))


def test_other(audit_dp):
    audit_dp(noisy, canaries=MANY, relation='replace-one')
"""
    )
    result = run("-v", samples=None)
    result.assert_outcomes(passed=2, failed=5)
    said = messages(result)
    (first,) = [line for line in said if "ε ≥" in line and line.startswith("Failed: spoiled")]
    assert re.fullmatch(
        r"Failed: spoiled: violation, claimed ε = 1, certified ε ≥ [12]\.\d+ \(.*", first
    )
    assert any(
        line.startswith("Failed: spoiled: violation, claimed 0.5-GDP, certified μ ≥ ")
        for line in said
    )
    assert any(line.startswith("Evidence: Scores of the output guessed 150 coins") for line in said)
    assert any("provado.audit.audit_one_run(spoiled, " in line for line in said)
    assert any("samples is for audits of pairs" in line for line in said)
    assert any("runs is given: it belongs to canaries" in line for line in said)
    assert any("canaries without replacements are of 'add-or-remove-one'" in line for line in said)
    assert any("Covered, in 2 runs: 300 interventions each" in one for one in findings(result))


def test_a_violation_fails_with_the_witness(suite):
    result = suite("def test_it(audit_dp):\n    audit_dp(broken, epsilon=1.0, pair=PAIR)")()
    result.assert_outcomes(failed=1)
    said = messages(result)
    assert re.fullmatch(
        r"Failed: broken: violation, claimed ε = 1, certified ε ≥ 2\.\d+ \(.*", said[0]
    )
    assert said[1] == "Worst pair: D = [1, 0, 1], D′ = do(D[2] = 0) = [1, 0, 0]"
    assert re.match(
        r"Evidence: Guess D when .*; guess D′ when .*: [\d,]+ of [\d,]+ guesses correct", said[2]
    )
    assert said[2].endswith("% are correct; ε = 1 allows 73.1 %.")
    assert any("alpha" in line for line in said[5:8])
    assert any(line.startswith("In Python: provado.audit.audit(broken, ") for line in said)
    text = result.stdout.str()
    assert ">       audit_dp(broken" in text or ">   " in text
    assert "audits.py" not in text, "the plug-in's own frames are not the user's"


def test_the_line_in_python_gives_the_same_counts(suite, pytester):
    result = suite("def test_it(audit_dp):\n    audit_dp(broken, epsilon=1.0, pair=PAIR)")()
    (line,) = (s.removeprefix("In Python: ") for s in messages(result) if s.startswith("In Py"))
    space = {}
    exec(MECHANISMS, space)
    import provado.audit

    again = eval(line, space | {"provado": provado})
    counts = f"{again.counts.correct:,} of {again.counts.guesses:,} guesses correct"
    assert again.verdict == "violation"
    assert any(counts in said for said in messages(result))


def test_an_audit_that_broke_fails_with_the_reason(suite):
    result = suite("""
def test_raises(audit_dp):
    audit_dp(lambda data: 1 / 0, epsilon=1.0, pair=PAIR)

@pytest.mark.parametrize("expected", ["violation", "no violation found"])
def test_hangs(audit_dp, expected):
    audit_dp(lambda data: time.sleep(60), epsilon=1.0, pair=PAIR, time_limit=0.2, expected=expected)
""")()
    result.assert_outcomes(failed=3)
    text = "\n".join(messages(result))
    assert "unknown: the mechanism raised ZeroDivisionError: division by zero" in text
    assert text.count("unknown: no answer within 0.2 s") == 2


def test_a_function_reads_outputs_that_the_audit_cannot(suite):
    result = suite("""
import threading

def opaque(data, rng):
    return {"lock": threading.Lock(), "noisy": float(rng.laplace())}

def leaking(data, rng):
    return opaque(data, rng) | {"noisy": data}

@pytest.mark.parametrize("read", [None, lambda output: output["noisy"]])
@pytest.mark.parametrize("mechanism", [opaque, leaking])
def test_it(audit_dp, mechanism, read):
    audit_dp(mechanism, epsilon=1.0, pair=(0.0, 1.0), samples=400, read=read)
""")()
    result.assert_outcomes(passed=1, failed=3)
    text = "\n".join(messages(result))
    assert "unknown: the mechanism returned a part that is not read: output['lock'] is" in text


def test_the_time_limit_is_an_option(suite):
    run = suite("""
def test_hangs(audit_dp):
    audit_dp(lambda d: time.sleep(600), epsilon=1, pair=PAIR)
""")
    result = run("--provado-time-limit", "0.2")
    result.assert_outcomes(failed=1)
    assert "unknown: no answer within 0.2 s" in messages(result)[0]
    assert "--provado-time-limit 0.2" in replays(result)[0]


def test_a_broken_twin_must_be_found(suite):
    result = suite("""
def test_found(audit_dp):
    audit_dp(broken, epsilon=1.0, pair=PAIR, expected="violation")

def test_missed(audit_dp):
    audit_dp(sound, epsilon=1.0, pair=PAIR, expected="violation")
""")("-v")
    result.assert_outcomes(passed=1, failed=1)
    assert "a violation was expected" in messages(result)[0]
    found, missed = findings(result)
    assert found.endswith("% confidence), as expected")
    assert "% confidence). A violation detectable by this rule (" in missed


def test_a_mechanism_brings_its_claim_and_a_table_is_decided(suite):
    result = suite("""
from fractions import Fraction
from provado.mechanisms.textbook.laplace import MECHANISMS as laplace
from provado.mechanisms.textbook.sparse_vector import MECHANISMS as sparse_vector
from provado.proofs.causal.finite_mechanism import from_table

HIGH, LOW = Fraction(3, 4), Fraction(1, 4)
TABLE = from_table({(0,): {"a": HIGH, "b": LOW}, (1,): {"a": LOW, "b": HIGH}})

def test_statement(audit_dp):
    (on_grid,) = (m for m in laplace if m.name == "laplace/grid-1")
    assert audit_dp(on_grid).epsilon == 1

def test_twin(audit_dp):
    (svt_5,) = (m for m in sparse_vector if m.name == "twin/svt-5")
    audit_dp(svt_5)

def test_proved(audit_dp):
    assert audit_dp(TABLE, epsilon=1.1).verdict == "proved"

def test_refuted(audit_dp):
    audit_dp(TABLE, epsilon=1.0)

def test_refuted_as_expected(audit_dp):
    audit_dp(TABLE, epsilon=1.0, expected="violation")
""")(samples=20_000)
    result.assert_outcomes(passed=3, failed=2)
    said = "\n".join(messages(result))
    assert "twin/svt-5: violation (as expected), claimed ε = 1, certified ε ≥ " in said
    assert "expected='violation' asks for this" in said
    assert "finite mechanism: violation, claimed ε = 1, exact ε ≥ 1.09" in said
    assert "The smallest e^ε is 3: ε between" in said


def test_neighbors_are_made_from_data(suite):
    result = suite("""
def test_replaced(audit_dp):
    audit_dp(counting, epsilon=1.0, data=[1, 0, 1], relation=ReplaceOne())

def test_missing(audit_dp):
    audit_dp(counting, epsilon=1.0, data=[1, 1, 1], relation=ReplaceOne())

def test_no_relation(audit_dp):
    audit_dp(counting, epsilon=1.0, data=[1, 0, 1])

def test_values(audit_dp):
    audit_dp(counting, epsilon=2.1, data=[1, 1], values=[0, 1], relation=AddOrRemoveOne())
""")("-v")
    result.assert_outcomes(passed=1, failed=3)
    said = "\n".join(messages(result))
    assert re.search(r"Coverage: [\d,]+ pairs searched in [\d,]+ runs", said)
    assert "wrong use of audit_dp: data and domain (1) give no two neighbors" in said
    assert "wrong use of audit_dp: relation is missing" in said
    assert "A record may be (as stated) 0, 1" in findings(result)[-1]


WRONG = {
    "epsilon=-1, pair=PAIR": "epsilon",
    "pair=PAIR": "epsilon is missing",
    "epsilon=1.0": "pair is missing",
    "epsilon='ln(3)', pair=PAIR": "write math.log(3) for ln(3)",
    "epsilon=1.0, pair=PAIR, data=[1, 0]": "pair and data are both given",
    "epsilon=1.0, pair=PAIR, samples=5, seconds=1": "samples and seconds are both given",
    "epsilon=1.0, pair=PAIR, samples=0": "samples is 0",
    "epsilon=1.0, pair=PAIR, expected='proved'": "expected is 'proved'",
    "epsilon=1.0, pair=PAIR, expected=3": "expected is 3",
    "epsilon=1.0, pair=PAIR, values=[1]": "values is given without data",
    "epsilon=1.0, pair=PAIR, calls=0": "calls is 0",
    "epsilon=1.0, pair=PAIR, confidence=2": "confidence is 2",
    "epsilon=1.0, pair=PAIR, relation=ReplaceOne": "relation is",
}


def test_wrong_arguments_fail_with_one_line(suite):
    result = suite(
        "\n".join(
            f"def test_{i}(audit_dp):\n    audit_dp(sound, {arguments})\n"
            for i, arguments in enumerate(WRONG)
        )
    )()
    result.assert_outcomes(failed=len(WRONG))
    said = messages(result)
    assert len(said) == len(WRONG)
    for line, words in zip(said, WRONG.values(), strict=True):
        assert line.startswith("Failed: wrong use of audit_dp: ")
        assert words in line


def test_markers_set_defaults_and_the_nearest_wins(suite):
    result = suite("""
pytestmark = pytest.mark.dp(epsilon=9.0, pair=PAIR, samples=300)

def test_module(audit_dp):
    r = audit_dp(broken)
    assert (r.epsilon, r.samples) == (9.0, 300)

@pytest.mark.dp(epsilon=1.0)
def test_function(audit_dp):
    audit_dp(broken, expected="violation")

def test_call(audit_dp):
    assert audit_dp(broken, epsilon=3.5).epsilon == 3.5

@pytest.mark.dp(data=[1, 0, 1], relation=ReplaceOne())
def test_data_instead_of_a_pair(audit_dp):
    assert audit_dp(counting).search.pairs > 2

def test_without_an_audit():
    pass
""")("-v")
    result.assert_outcomes(passed=5)


def test_markers_that_are_wrong_or_idle_fail(suite):
    result = suite("""
@pytest.mark.dp(epsilom=1.0)
def test_misspelt(audit_dp):
    audit_dp(sound, pair=PAIR)

@pytest.mark.dp(1.0)
def test_positional(audit_dp):
    audit_dp(sound, pair=PAIR)

@pytest.mark.dp(epsilon=1.0)
def test_idle():
    pass
""")()
    result.assert_outcomes(failed=2, errors=1)
    text = result.stdout.str()
    assert "there is no 'epsilom'; did you mean 'epsilon'?" in text
    assert "its arguments are keywords" in text
    assert "marker dp has no effect on test_idle" in text


def test_a_fixture_that_is_taken_and_never_called_fails(suite):
    result = suite("""
NAMES = ["audit_dp", "sensitivity_dp", "ledger_dp", "prove_dp", "replay_dp"]

@pytest.mark.parametrize("name", NAMES)
def test_idle(request, name, audit_dp, sensitivity_dp, ledger_dp, prove_dp, replay_dp):
    pass

def test_said_so(audit_dp):
    pytest.skip("not today")
""")()
    result.assert_outcomes(failed=5, skipped=1)
    names = "audit_dp, ledger_dp, prove_dp, replay_dp, sensitivity_dp"
    result.stdout.fnmatch_lines([f"*{names}: taken but never called*"])


ALPHAS = """
@pytest.mark.parametrize("i", range(3))
def test_one(audit_dp, i):
    print("ALPHA", i, 1 - audit_dp(sound, epsilon=1.0, pair=PAIR).confidence)

def test_several(audit_dp):
    for i in range(3):
        print("ALPHA s", 1 - audit_dp(sound, epsilon=1.0, pair=PAIR).confidence)

@pytest.mark.dp(calls=2)
def test_stated(audit_dp):
    for i in range(2):
        print("ALPHA t", 1 - audit_dp(sound, epsilon=1.0, pair=PAIR).confidence)

def test_stricter(audit_dp):
    print("ALPHA u", 1 - audit_dp(sound, epsilon=1.0, pair=PAIR, confidence=0.9999).confidence)

def test_looser(audit_dp):
    print("ALPHA v", 1 - audit_dp(sound, epsilon=1.0, pair=PAIR, confidence=0.5).confidence)

def test_without():
    pass
"""


def alphas(result):
    found = re.findall(r"ALPHA \w+ (\S+)", result.stdout.str())
    return [float(text) for text in found]


def test_alpha_is_shared_by_all_collected_tests(suite):
    run = suite(ALPHAS)
    spent = alphas(run("-s"))
    assert len(spent) == 10
    assert math.fsum(spent) <= 0.05
    share = 0.05 / 7
    assert spent[0] == pytest.approx(0.9 * share)
    assert spent[6] == spent[7] == pytest.approx(share / 2)
    assert spent[8] == pytest.approx(1e-4)
    assert spent[9] == pytest.approx(0.9 * share)
    # Deselecting changes nothing, naming a single test does.
    assert alphas(run("-s", "-k", "test_one"))[0] == spent[0]
    assert alphas(run("-s", "test_suite.py::test_one[0]"))[0] == pytest.approx(0.045)
    assert alphas(run("-s", "--provado-confidence", "0.9"))[0] == pytest.approx(2 * spent[0])


def test_more_audits_than_were_stated_and_uncounted_ones_are_refused(suite):
    result = suite("""
@pytest.mark.dp(calls=1)
def test_two(audit_dp):
    for _ in range(2):
        audit_dp(sound, epsilon=2.0, pair=PAIR)

def test_mixed(audit_dp):
    audit_dp(sound, epsilon=2.0, pair=PAIR, calls=1)
    audit_dp(sound, epsilon=2.0, pair=PAIR)

def test_hidden(request):
    request.getfixturevalue("audit_dp")(sound, epsilon=1.0, pair=PAIR)
""")()
    result.assert_outcomes(failed=3)
    two, mixed, hidden = messages(result)
    assert "calls is None here and 1 in the test's first audit" in mixed
    assert "calls is 1: this is audit number 2" in two
    assert "this test has no share" in hidden


def test_a_share_that_would_exceed_the_session_is_refused(suite):
    run = suite(ALPHAS)
    assert alphas(run("-s", "--provado-share", "0.007"))[0] == pytest.approx(0.0063)
    result = run("--provado-share", "0.02")
    result.assert_outcomes(failed=7, passed=1)
    assert all("--provado-share is 0.02: 7 tests" in line for line in messages(result))


BORDERLINE = """
@pytest.mark.parametrize("chance", [0.735, 0.7])
def test_rate(audit_dp, chance):
    def mechanism(data, rng):
        return answer(chance if data[-1] else 1 - chance, rng)
    audit_dp(mechanism, epsilon=1.0, pair=PAIR)

def test_several(audit_dp):
    audit_dp(sound, epsilon=1.2, pair=PAIR)
    audit_dp(broken, epsilon=1.0, pair=PAIR)
"""


def test_runs_are_the_same_by_seed_and_another_seed_draws_anew(suite):
    run = suite(BORDERLINE)
    first, again, other = run("-v"), run("-v"), run("-v", "--provado-seed", "1")
    assert len(findings(first)) == 4
    assert findings(first) == findings(again)
    assert messages(first) == messages(again)
    assert findings(first) != findings(other)


def test_the_order_of_the_tests_changes_nothing(suite, pytester):
    run = suite(BORDERLINE)
    first = run("-v")
    pytester.makeconftest("def pytest_collection_modifyitems(items):\n    items.reverse()")
    assert findings(run("-v")) == findings(first)


def test_workers_find_the_same_and_tell_the_controller(suite, pytester):
    run = suite(BORDERLINE)
    spread = run("-v", "-n", "2", "--provado-nightly", "--junitxml", "spread.xml")
    (seed,) = {re.search(r"fresh seed (\d+)", x)[1] for x in spread.outlines if "fresh seed" in x}
    alone = run("-v", "--provado-seed", seed, "--junitxml", "alone.xml")
    assert len(findings(alone)) == 4
    assert findings(spread) == findings(alone)
    assert sorted(messages(spread)) == sorted(messages(alone))
    for result in (spread, alone):
        result.stdout.fnmatch_lines(["4 audits (*); chance of any false alarm at most 5 %"])
    assert junit(pytester.path / "spread.xml") == junit(pytester.path / "alone.xml")


def junit(file):
    """Return each test's properties."""
    return {
        case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in ET.parse(file).getroot().iter("testcase")
    }


def test_junit_says_what_was_found(suite, pytester):
    suite(BORDERLINE)("--junitxml", "out.xml")
    found = junit(pytester.path / "out.xml")
    assert len(found) == 3
    assert "A violation detectable by this rule (" in found["test_rate[0.735]"]["provado audit 1"]
    assert "certified ε ≥ 2" in found["test_several"]["provado audit 2"]
    assert found["test_several"]["provado replay 2"].startswith("pytest test_suite.py::")


def test_the_replay_gives_identical_counts(suite, pytester):
    run = suite(BORDERLINE.replace("0.7]", "0.95]"))
    first = run()
    commands = replays(first)
    assert len(commands) >= 2
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "pytest"
        again = run(*words)
        again.assert_outcomes(failed=1)
        start = messages(first).index(f"Reproduce: {command}")
        assert messages(again)[-2:] == messages(first)[start : start + 2]
        assert set(messages(again)) <= set(messages(first))


def test_the_replay_works_from_another_folder_and_with_marks(suite, pytester, monkeypatch):
    run = suite("""
@pytest.mark.dp(epsilon=1.0)
def test_it(audit_dp):
    audit_dp(broken, pair=PAIR)
""")
    pytester.makeini("[pytest]\naddopts = -m 'not dp'")
    run().assert_outcomes(deselected=1)
    folder = pytester.mkdir("elsewhere")
    monkeypatch.chdir(folder)
    first = run("-m", "dp", "..")
    first.assert_outcomes(failed=1)
    again = run(*shlex.split(replays(first)[0])[1:])
    assert messages(again) == messages(first)


def test_a_time_is_replayed_by_the_number_of_samples(suite, ticking):
    ticking(1e-3)
    run = suite("""
def test_it(audit_dp):
    audit_dp(broken, epsilon=1.0, pair=PAIR, seconds=2)
""")
    first = run("--provado-seed", "3")
    command = replays(first)[0]
    assert re.search(r"--provado-samples \d+", command)
    assert messages(run(*shlex.split(command)[1:])) == messages(first)


def test_a_nightly_run_says_how_to_replay_it(suite):
    run = suite(BORDERLINE)
    nights = [run("-v", "--provado-nightly") for _ in range(2)]
    told = [
        [line for line in night.outlines if line.startswith("provado: fresh seed")]
        for night in nights
    ]
    assert [len(lines) for lines in told] == [2, 2]
    assert [len(set(lines)) for lines in told] == [1, 1]
    assert told[0] != told[1]
    words = shlex.split(told[0][0].partition("replay with: ")[2])
    assert words[0] == "pytest"
    assert "--provado-nightly" not in words
    again = run(*words[1 + len(LOAD) :])
    assert findings(again) == findings(nights[0])
    assert not any("fresh seed" in line for line in again.outlines)
    # A seed that was typed wins, so that the replay works where the option stands in addopts.
    assert findings(run("--provado-nightly", *words[1 + len(LOAD) :])) == findings(nights[0])


def test_settings_come_from_the_configuration_file_too(suite, pytester):
    run = suite("""
def test_it(audit_dp):
    r = audit_dp(sound, epsilon=1.0, pair=PAIR)
    print('HERE', r.samples, round(1 - r.confidence, 6))
""")
    pytester.makepyprojecttoml(
        "[tool.pytest.ini_options]\nprovado_samples = 700\nprovado_confidence = 0.99\n"
        "provado_seed = 5"
    )
    result = run("-s", samples=None)
    result.stdout.fnmatch_lines(["*HERE 700 0.009*"])
    assert "at most 1 %" in result.stdout.str()


@pytest.mark.parametrize(
    ("key", "value"), [("provado_samples", "none"), ("provado_confidence", "1")]
)
def test_a_wrong_configuration_names_its_key(suite, pytester, key, value):
    run = suite("def test_it():\n    pass")
    pytester.makeini(f"[pytest]\n{key} = {value}")
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {key}: {value} is refused: it must be*"])


@pytest.mark.parametrize(
    "words",
    [
        ["--provado-samples", "0"],
        ["--provado-confidence", "1.5"],
        ["--provado-seed", "x"],
        ["--provado-samples", "10", "--provado-seconds", "1"],
    ],
)
def test_wrong_options_end_the_run_with_one_line(suite, words):
    result = suite("def test_it():\n    pass")(*words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    errors = [line for line in result.errlines if "provado" in line and "error" in line.lower()]
    assert len(errors) == 1


def test_sensitivity_is_checked_and_refuted_in_words(suite):
    run = suite("""
from hypothesis import strategies as st

def test_verified(sensitivity_dp):
    assert sensitivity_dp(sum, 1, domain=[0, 1], size=(1, 5)).verdict == "verified"

def test_supported(sensitivity_dp):
    sensitivity_dp(max, 1, domain=st.integers(0, 1), size=4, examples=20, expected="supported")

def test_refuted(sensitivity_dp):
    sensitivity_dp(sum, 1, domain=[0, 2], size=(1, 5))

def test_twin(sensitivity_dp):
    sensitivity_dp(sum, 1, domain=[0, 2], size=(1, 5), expected="refuted")

def test_not_verified(sensitivity_dp):
    sensitivity_dp(max, 1, domain=st.integers(0, 1), size=4, examples=20, expected="verified")

def test_broken(sensitivity_dp):
    sensitivity_dp(lambda data: 1 / 0, 1, domain=[0, 1], size=2)

def test_hangs(sensitivity_dp):
    sensitivity_dp(lambda data: time.sleep(600), 1, domain=[0, 1], size=2, time_limit=0.2)

def test_wrong(sensitivity_dp):
    sensitivity_dp(sum, -1, domain=[0, 1], size=2)
""")
    result = run()
    result.assert_outcomes(passed=3, failed=5)
    said = messages(result)
    assert said[:4] == [
        "Failed: sum, sensitivity at most 1: refuted",
        "Let D = [0].",
        "D′ = do(D[0] = 2).",
        "Then score(D) = 0 and score(D′) = 2: a change of 2, where 1 is claimed.",
    ]
    text = "\n".join(said)
    assert "supported; expected: verified" in text
    assert "Reason: " in text
    assert "unknown: no answer within 0.2 s" in text
    assert "wrong use of sensitivity_dp: " in text
    assert "6 sensitivity checks" in result.stdout.str()
    assert "false alarm" not in result.stdout.str()
    (again,) = {line for line in replays(result) if "test_refuted" in line}
    assert messages(run(*shlex.split(again)[1:])) == said[: said.index(f"Reproduce: {again}") + 1]


def test_a_replay_fails_on_findings_and_on_what_did_not_run(suite):
    run = suite("""
ONE_MORE = ([0.5], [0.5, 1.0])

def noisy_sum(data, rng):
    return sum(data) + rng.laplace(scale=1.0)

def noisy_mean(data, rng):
    return (sum(data) + rng.laplace(scale=1.0)) / len(data)

def test_silent(replay_dp):
    assert replay_dp(noisy_sum, epsilon=1, pair=ONE_MORE).pairs[0].epsilon == 1

def test_found(replay_dp):
    replay_dp(noisy_mean, epsilon=1, pair=ONE_MORE)

def test_twin(replay_dp):
    replay_dp(noisy_mean, epsilon=1, pair=ONE_MORE, expected="noise scale")

def test_dead_twin(replay_dp):
    replay_dp(noisy_sum, epsilon=1, pair=ONE_MORE, expected="noise scale")

def test_hangs(replay_dp):
    replay_dp(lambda data: time.sleep(600), pair=ONE_MORE, time_limit=0.5)

def test_wrong(replay_dp):
    replay_dp(noisy_sum, epsilon=1, pair=ONE_MORE, expected="scales")
""")
    result = run()
    result.assert_outcomes(passed=2, failed=4)
    said = messages(result)
    assert said[0] == "Failed: noisy_mean, counterfactual replay of 1 pair: noise scale"
    text = "\n".join(said)
    assert "Finding (noise scale)" in text
    assert "nothing found; expected: noise scale" in text
    assert "not completed: under D: no answer within 0.5 s" in text
    assert "wrong use of replay_dp: expected is 'scales'" in text
    assert "5 counterfactual replays" in result.stdout.str()
    assert "false alarm" not in result.stdout.str()


def test_programs_are_proved_or_refuted(suite):
    run = suite("""
from provado.mechanisms.programs import laplace, output

def noisy(q, epsilon):
    output(q[0] + laplace(scale=1 / epsilon))

def too_little(q, epsilon):
    output(q[0] + laplace(scale=1 / (2 * epsilon)))

def test_proved(prove_dp):
    assert prove_dp(noisy).verdict == "proved"

def test_refuted(prove_dp):
    prove_dp(too_little)

def test_twin(prove_dp):
    prove_dp(too_little, expected="refuted")

def test_dead_twin(prove_dp):
    prove_dp(noisy, expected="refuted")

def test_outside(prove_dp):
    prove_dp(len)

def test_wrong(prove_dp):
    prove_dp(noisy, expected="proven")
""")
    result = run()
    result.assert_outcomes(passed=2, failed=4)
    said = messages(result)
    assert said[0] == "Failed: too_little, ε = epsilon: refuted; expected: proved"
    assert "Failed: noisy, ε = epsilon: proved; expected: refuted" in said
    text = result.stdout.str()
    assert "wrong use of prove_dp: expected is 'proven'" in text
    assert "4 proofs (2 proved, 2 refuted)" in text
    assert "false alarm" not in text


def test_pumps_domains_and_deltas_are_decided(suite):
    pytest.importorskip("flint")
    run = suite("""
import math

from provado.mechanisms.programs import bernoulli, gaussian, laplace, output

def stream(q, epsilon):
    for x in q:
        output(x + laplace(4 / epsilon))

def response(x: int, epsilon):
    if bernoulli(math.exp(epsilon) / (1 + math.exp(epsilon))):
        output(x)
    else:
        output(1 - x)

def above(q, sigma=4.0):
    level = gaussian(sigma)
    for x in q:
        if x + gaussian(2 * sigma) >= level:
            output(True)
            break
        output(False)

GIVEN = {"pairs": [([0, 0], [1, 1])], "delta": "1/100"}

def test_pump(prove_dp):
    found = prove_dp(stream, epsilon="9*epsilon", expected="refuted", steps=40_000)
    assert found.pump.periods == 37

def test_no_proof(prove_dp):
    prove_dp(stream, epsilon="9*epsilon", steps=40_000)

def test_domain(prove_dp):
    assert prove_dp(response, domain=[0, 1]).finite.worst

def test_wrong_domain(prove_dp):
    prove_dp(response, domain=[0, 1], epsilon="epsilon/2")

def test_delta(prove_dp):
    assert prove_dp(above, epsilon=1, **GIVEN).exact_delta.holds

def test_wrong_delta(prove_dp):
    prove_dp(above, epsilon="1/4", parameters={"sigma": 1}, **GIVEN)
""")
    result = run()
    result.assert_outcomes(passed=3, failed=3)
    said = [words for words in messages(result) if words.startswith("Failed: ")]
    assert said == [
        "Failed: stream, ε = 9*epsilon: refuted; expected: proved",
        "Failed: response, ε = epsilon/2: refuted; expected: proved",
        "Failed: above, ε = 1/4, δ = 1/100: refuted; expected: proved",
    ]
    text = result.stdout.str()
    assert "stream: refuted, for every multiple of epsilon (ε = 9*epsilon)" in text
    assert "with m = 37, 37 answers, it exceeds 9." in text
    assert "The exact ε is epsilon" in text
    assert "where 1/100 is claimed." in text
    assert "6 proofs (2 proved, 4 refuted)" in text


def test_ledger_entries_are_decided(suite):
    result = suite("""
def test_recorded(ledger_dp):
    (decision,) = ledger_dp("kusner2016/thm2")
    assert decision.verdict == "proved"

def test_other(ledger_dp):
    ledger_dp("kusner2016/thm2", expected="refuted")

def test_no_such(ledger_dp):
    ledger_dp("kusner2016/thm-2")

def test_none(ledger_dp):
    ledger_dp()

def test_no_word(ledger_dp):
    ledger_dp("kusner2016/thm2", expected="true")
""")("-v")
    result.assert_outcomes(passed=1, failed=4)
    said = messages(result)
    assert said[0] == "Failed: kusner2016/thm2: proved, as expected; expected: refuted"
    text = "\n".join(said)
    assert "Printed: " in text
    assert "the nearest is kusner2016/" in text
    assert "no entry was named" in text
    assert "expected is 'true'" in text
    assert "2 ledger entries (2 proved)" in result.stdout.str()


def test_a_test_that_is_collected_twice_has_two_shares(suite):
    result = suite("""
def test_it(audit_dp):
    print('ALPHA x', 1 - audit_dp(sound, epsilon=1.0, pair=PAIR).confidence)
""")("-s", "--keep-duplicates", "test_suite.py", "test_suite.py")
    result.assert_outcomes(passed=2)
    assert math.fsum(alphas(result)) <= 0.05


def test_starting_pytest_with_the_plug_in_imports_nothing_heavy(pytester):
    code = (
        f"import sys, {PLUGIN}\n"
        "heavy = {'numpy', 'scipy', 'pandas', 'sklearn', 'sympy', 'statsmodels', 'hypothesis'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    pytester.makepyfile("import sys\ndef test_it():\n    assert 'numpy' not in sys.modules")
    pytester.runpytest_subprocess(*LOAD).assert_outcomes(passed=1)


def test_what_has_no_short_text_stands_by_its_name():
    line = in_python("a.<locals>.<lambda>", {"pair": (object(), 1), "seed": 3, "name": "f"})
    assert line == "provado.audit.audit(mechanism, pair=pair, seed=3, name='f')"


LEVEL = """
@pytest.mark.dp(epsilon=1.0, pair=PAIR, samples=400, calls=1)
@pytest.mark.parametrize("i", range(10))
def test_exactly_at_its_claim(audit_dp, i):
    audit_dp(sound)
"""


def alarms(run, sessions, *arguments):
    counts = [run("--provado-seed", str(s), *arguments).parseoutcomes() for s in range(sessions)]
    assert all(sum(count.values()) == 10 for count in counts)
    return sum("failed" in count for count in counts)


@pytest.mark.slow
def test_a_session_of_sound_mechanisms_rarely_gives_any_alarm(suite):
    run = suite(LEVEL)
    assert binom.sf(alarms(run, 120) - 1, 120, 0.05) > 1e-3
    # Each test at the whole of 5 %: about a third of the sessions would give an alarm.
    unshared = alarms(run, 40, "--provado-share", "0.05", "--provado-confidence", "0.4")
    assert binom.sf(unshared - 1, 40, 0.05) < 1e-3


REFUTED = """
import pytest

from provado.mechanisms.programs import laplace, output, program


@program
def mean(q, epsilon=1.0):
    output(q[0] + laplace(1 / epsilon))


@program
def careless(q, epsilon=1.0):
    output(q[0] + laplace(1 / (2 * epsilon)))


@pytest.mark.parametrize("of", [mean, careless])
def test_it(audit_dp, of):
    audit_dp(of, epsilon=1, pair=([0.0, 1.0], [1.0, 1.0]), samples=8)
"""


def test_a_test_fails_where_only_exact_probabilities_refute_its_claim(suite):
    found = suite("", programs_test=REFUTED)("programs_test.py", "-p", "no:randomly")
    found.assert_outcomes(passed=1, failed=1)
    assert any("exact probabilities refute the claim" in line for line in messages(found))
