"""Audits of few runs with many interventions: every form, the command line, the configuration."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from provado.audit import OneRunResult, audit_one_run
from provado.audit.experiments.one_run import api as one_run_api
from provado.audit.options import domains as options
from provado.mechanisms import UsageError, Verdict
from provado.reports.audit_report.baseline import at_least, within_chance
from provado.reports.audit_report.document import run_from_json, run_to_json
from provado.reports.audit_report.formats import FORMATS, render
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import recheck_document
from provado.reports.config.keys import keys_of
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE, WRONG_USAGE
from provado.reports.documents.schema import AUDIT, json_schema
from provado.reports.tasks.run import Record, Run, Settings
from provado.reports.text.power import detectable_epsilon, power_of
from provado.reports.text.report import evidence
from tests.reports.test_prove_views import SARIF

CELLS = 300

TARGETS = f"""
import time

import numpy as np

def sound(data, rng):
    return np.bincount(np.asarray(data, int), minlength={CELLS}) + rng.laplace(size={CELLS})

def twin(data, rng):
    return np.bincount(np.asarray(data, int), minlength={CELLS}) + rng.laplace(0, 0.3, {CELLS})

def turned(data, rng):
    return {{"noisy": -sound(data, rng)}}

def score(output):
    return -output["noisy"]

def raises(data):
    raise RuntimeError("boom")

def slow(data, rng):
    time.sleep(30)

def noisy_sum(data, *, size, rng):
    return np.round(sum(data) + rng.laplace(size=size), 2)

shared = np.random.default_rng()

def unseeded(data):
    # Each call has numbers of its own, whatever the seed; drawn ones agree by chance at times.
    with open("calls", "a+b") as calls:
        calls.write(b".")
        return np.arange({CELLS}) * calls.tell() % 211
"""

ASKED = ["--epsilon", "1", "--canaries", "canaries.json"]

CONFIGURATION = """
[defaults]
samples = 400
relation = "replace-one"
data = [1, 0]

[audits.sound]
target = "few_runs_targets.py:turned"
epsilon = 1
canaries = "canaries.json"
score = "few_runs_targets.py:score"
runs = 2
explore-runs = 1

[audits.twin]
target = "few_runs_targets.py:twin"
epsilon = 1
canaries = "canaries.json"
expected = "violation"

[audits.pairs]
target = "few_runs_targets.py:noisy_sum"
epsilon = 1
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("few_runs_targets.py").write_text(TARGETS)
    Path("canaries.json").write_text(json.dumps(list(range(CELLS))))
    Path("others.json").write_text(json.dumps([0] * CELLS))
    Path("d.json").write_text("[1, 0]")
    Path("e.json").write_text("[1, 1]")
    sys.modules.pop("few_runs_targets", None)
    return tmp_path


def called(target: str, *words: str) -> int:
    return main(["audit", f"few_runs_targets.py:{target}", *words])


def document(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(folder, "audit.json").read_text())
    return found


def half_the_noise(data: Any, rng: np.random.Generator) -> Any:
    return np.bincount(data, minlength=CELLS) + rng.laplace(0, 0.5, CELLS)


def the_noise(data: Any, rng: np.random.Generator) -> Any:
    return np.bincount(data, minlength=CELLS) + rng.laplace(size=CELLS)


def blind(data: Any, rng: np.random.Generator) -> Any:
    return rng.random(CELLS)


def found(mechanism: Any, **more: Any) -> OneRunResult:
    asked = {"canaries": np.arange(CELLS), "epsilon": 1.0, "isolate": False, **more}
    return audit_one_run(mechanism, **asked)


def run_of(*results: OneRunResult) -> Run:
    settings = Settings(None, None, 1 - 0.05 * len(results), 0, 3600.0)
    own = replace(settings, confidence=0.95)
    words = ("--epsilon", "1.0", "--canaries", "c.npy")
    records = tuple(Record(one, (f"x:{one.name}", *words), own) for one in results)
    return Run("0.1.0", {"python": "3.11.0"}, settings, records)


def test_every_form_takes_it_and_a_pass_says_what_was_looked_at() -> None:
    sound, twin = found(the_noise), found(half_the_noise)
    run = run_of(sound, twin)
    texts = {name: render(run, name) for name in FORMATS}
    guesses = f"{sound.correct} of {sound.guesses} guesses correct"
    visible = f"ε = {detectable_epsilon(sound):.3f}"[:8]
    for name in ("html", "json", "junit", "markdown", "registry", "sarif"):
        text = texts[name].replace("\\_", "_")
        # A log of findings has of a pass what it is worth, and nothing else.
        assert guesses in text or f'"correct": {sound.correct}' in text or name == "sarif", name
        assert "300 interventions" in text or "300 data points" in text, name
        assert "add-or-remove-one" in text or "add&#45;" in text, name
        assert "does not cover one data point alone" in text, name
    assert visible in texts["markdown"]
    # What is reported is the twin alone.
    assert f"{twin.correct} of {twin.guesses} guesses correct" in texts["issue"]
    assert "x:the_noise" not in texts["issue"]
    jsonschema.validate(json.loads(texts["json"]), json_schema(AUDIT))
    sarif = json.loads(texts["sarif"])
    jsonschema.validate(sarif, SARIF)
    (log,) = sarif["runs"]
    three = log["results"][0]["properties"]["counts"]
    assert three == [twin.correct, 150 - twin.correct, 150]
    assert [one["level"] for one in log["invocations"][0]["toolExecutionNotifications"]] == ["note"]
    suite = ET.fromstring(texts["junit"].partition("\n")[2])
    assert suite.attrib["failures"] == "1"
    assert "datasets that differ in one record" not in texts["html"]
    assert "run a few times" in texts["html"]
    assert "Few runs with many interventions" in texts["html"]


def test_a_document_comes_back_as_it_was_and_follows_from_its_guesses() -> None:
    run = run_of(found(the_noise), found(half_the_noise, delta=1e-3, runs=2), found(blind))
    written = json.loads(json.dumps(run_to_json(run)))
    again = run_from_json(written)
    assert again == run
    assert isinstance(again.results[0], OneRunResult)
    assert all(not one.differences for one in recheck_document(written))
    for key, value in (
        ("correct", 140),
        ("guesses", 200),
        ("interventions", 3000),
        ("runs", 3),
        ("epsilon_lower", 0.1),
        ("detectable_epsilon", 9.0),
    ):
        for number in (0, 1):
            forged = json.loads(json.dumps(written))
            if key == "interventions" and not forged["audits"][number]["delta"]:
                continue  # Without δ the bound is the same for any number of coins.
            forged["audits"][number]["one_run"][key] = value
            said = recheck_document(forged)[number + 1].differences
            assert any("the guesses give" in one for one in said), key
    forged = json.loads(json.dumps(written))
    forged["audits"][0]["verdict"] = "violation"
    assert recheck_document(forged)[1].differences
    forged["audits"][0]["one_run"]["correct"] = 151
    with pytest.raises(UsageError, match="right is 151"):
        recheck_document(forged)


def test_what_a_pass_is_worth() -> None:
    sound, twin, nothing = found(the_noise), found(half_the_noise), found(blind)
    assert "certified in nine runs of ten" in power_of(sound)
    assert "in 1 run: 300 interventions each (add-or-remove-one), of which 150" in power_of(sound)
    assert power_of(twin) == ""
    # One that tells nothing is not said to have had power.
    assert nothing.epsilon_lower == 0
    assert "which shows nothing" in power_of(nothing)
    assert detectable_epsilon(nothing) is None
    assert "certify no violation of this claim" in power_of(
        replace(sound, one_run=_hopeless(sound))
    )
    rows = dict(evidence(sound, anytime=False))
    assert "left 150 open" in rows["Guesses"]
    assert rows["Hazard: neighboring relation"] == "tested: each coin is one step of it"
    assert rows["Hazard: state between calls, noise used twice"].startswith(
        "untested: runs are few"
    )
    broken = replace(sound, verdict=Verdict.UNKNOWN, reason="it broke", one_run=_none(sound))
    unknown = dict(evidence(broken, anytime=False))
    assert "Guesses" not in unknown
    assert unknown["Hazard: noise"] == "untested: nothing was drawn"


def _hopeless(result: OneRunResult) -> Any:
    assert result.one_run is not None
    return replace(result.one_run, detectable_epsilon=float("inf"))


def _none(result: OneRunResult) -> Any:
    assert result.one_run is not None
    return replace(result.one_run, runs=0, correct=0, epsilon_lower=0.0)


def test_a_result_shows_itself(tmp_path: Path) -> None:
    twin = found(half_the_noise)
    said = f"1 run with 300 interventions, {twin.correct} of 150 guesses correct"
    assert str(twin).startswith("half_the_noise: violation, claimed ε = 1, certified ε ≥ ")
    assert str(twin).endswith(said)
    assert f"{twin.correct} of 150 guesses correct" in twin._repr_html_()
    page = twin.to_html(tmp_path / "one.html")
    assert said in page
    assert (tmp_path / "one.html").read_text() == page
    assert "guesses of few runs have no picture" in twin.plot().svg
    broken = audit_one_run(lambda data: 1 / 0, canaries=[1, 2], epsilon=1.0, name="broken")
    assert str(broken).startswith("broken: unknown: the mechanism raised ZeroDivisionError")
    assert "guesses" not in str(broken)


def test_the_command_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called("sound", *ASKED, "--out", "sound") == AS_EXPECTED
    assert "of 150 guesses correct" in " ".join(capsys.readouterr().out.split())
    assert called("twin", *ASKED, "--out", "twin") == SURPRISE
    assert called("raises", *ASKED, "--out", "raises") == NOT_COMPLETED
    (audit,) = document("sound")["audits"]
    asked = {"canaries": list(range(CELLS)), "epsilon": 1.0, "isolate": False}
    sys.path.insert(0, str(here))
    try:
        from few_runs_targets import sound  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(here))
    assert audit["one_run"]["correct"] == audit_one_run(sound, **asked).correct
    assert audit["pairs"] == []
    assert "boom" in document("raises")["audits"][0]["reason"]
    for name, status in (("sound", 0), ("twin", 0), ("raises", 0)):
        assert main(["report", f"{name}/audit.json", "--recheck"]) == status
        assert main(["report", f"{name}/audit.json", "--redraw"]) == status
    more = [
        "--replacements",
        "others.json",
        "--runs",
        "2",
        "--threshold",
        "-0.00001",
        "--seed",
        "3",
    ]
    assert called("sound", *ASKED, *more, "--explore-runs", "1", "--out", "more") == AS_EXPECTED
    (audit,) = document("more")["audits"]
    assert (audit["relation"], audit["one_run"]["runs"]) == ("replace-one", 2)
    assert (audit["one_run"]["threshold"], audit["one_run"]["explored"]) == (-1e-5, 1)
    assert "--threshold=-1e-05" in audit["replay"]
    assert main(["report", "more/audit.json", "--redraw"]) == AS_EXPECTED
    # What is drawn otherwise than recorded is found: a twin of the file under its name.
    text = Path("few_runs_targets.py").read_text()
    Path("few_runs_targets.py").write_text(
        text.replace("rng.laplace(size=", "2 * rng.laplace(size=")
    )
    sys.modules.pop("few_runs_targets", None)
    assert main(["report", "more/audit.json", "--redraw"]) == SURPRISE


def test_a_curve_is_asked_for_in_every_way(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--promise", "gdp:1", "--canaries", "canaries.json"]
    assert called("sound", *words, "--out", "typed") == AS_EXPECTED
    assert "certified μ ≥ 0." in capsys.readouterr().out
    assert called("twin", *words, "--out", "twin") == SURPRISE
    table = '[audits.cells]\ntarget = "few_runs_targets.py:sound"\npromise = "gdp:1"\n'
    Path("provado.toml").write_text(f'{table}canaries = "canaries.json"\n')
    base = ["--baseline", "base.json"]
    assert main(["audit", "--out", "keys", *base, "--update-baseline"]) == AS_EXPECTED
    assert main(["audit", *base]) == AS_EXPECTED
    for folder in ("typed", "keys"):
        (audit,) = document(folder)["audits"]
        assert audit["curve"]["family"] == "gdp"
        assert 0 < audit["one_run"]["parameter_lower"] == audit["lower"] < 1
        assert main(["report", f"{folder}/audit.json", "--recheck"]) == AS_EXPECTED
        assert main(["report", f"{folder}/audit.json", "--redraw"]) == AS_EXPECTED
        assert "μ ≥ " in Path(folder, "audit.html").read_text()
    assert document("twin")["audits"][0]["verdict"] == "violation"


def test_draws_that_follow_no_seed_are_not_compared(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called("unseeded", *ASKED, "--out", "out") == AS_EXPECTED
    assert main(["report", "out/audit.json", "--redraw"]) == NOT_COMPLETED
    assert "do not follow the seed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--canaries", "gone.json", "--epsilon", "1"], "gone.json: it cannot be read"),
        (["--canaries", "canaries.json"], "--epsilon: few_runs_targets.py:sound is a plain"),
        ([*ASKED, "--guesses", "301"], "error: --guesses is 301: it must be at most 300"),
        ([*ASKED, "--guesses", "30", "--explore-runs", "1"], "error: --explore-runs is 1: "),
        ([*ASKED, "--pair", "d.json", "e.json"], "--pair and --canaries"),
        ([*ASKED, "--domain", "0:1", "--data", "d.json"], "--domain and --canaries"),
        ([*ASKED, "--timing"], "--timing and --canaries"),
        ([*ASKED, "--samples", "10"], "--samples: it is for audits of pairs"),
        ([*ASKED, "--stop-early"], "--stop-early: it is for audits of pairs"),
        ([*ASKED, "--explore", "10"], "--explore: it is for audits of pairs"),
        ([*ASKED, "--replacements", "d.json"], "error: --replacements has 2 records"),
        ([*ASKED, "--relation", "replace-one"], "error: --relation is 'replace-one': "),
        ([*ASKED, "--score", "few_runs_targets.py:nope"], "--score: target"),
        ([*ASKED, "--runs", "0"], "argument --runs: 0 is refused"),
        (["--epsilon", "1", "--pair", "d.json", "e.json", "--runs", "2"], "--runs: it belongs to"),
        (["--epsilon", "1", "--pair", "d.json", "e.json", "--score", "x.py:f"], "no file 'x.py'"),
    ],
)
def test_what_cannot_be_asked(
    here: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called("sound", *words, "--out", "out") == WRONG_USAGE
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not Path("out").exists()


def test_the_configuration(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("provado.toml").write_text(CONFIGURATION)
    base = ["--baseline", "base.json"]
    status = main(["audit", "--out", "out", *base, "--update-baseline"])
    assert status == AS_EXPECTED, capsys.readouterr()
    sound, twin, pairs = document("out")["audits"]
    assert (sound["one_run"]["runs"], sound["one_run"]["explored"]) == (2, 1)
    assert (sound["verdict"], twin["verdict"]) == ("no violation found", "violation")
    assert not twin["surprising"]
    assert sound["relation"] == "add-or-remove-one"
    assert sound["settings"]["samples"] is None
    assert pairs["settings"]["samples"] == 400
    assert "one_run" not in pairs
    assert len({one["confidence"] for one in (sound, twin, pairs)}) == 1
    assert main(["report", "out/audit.json", "--recheck"]) == AS_EXPECTED
    assert main(["audit", *base]) == AS_EXPECTED
    kept = json.loads(Path("base.json").read_text())["audits"]
    assert {one["name"]: one["upper"] for one in kept}["twin"] == "inf"
    # One by its name, with what is typed over its own keys.
    assert main(["audit", "sound", "--runs", "3", "--out", "three"]) == AS_EXPECTED
    assert document("three")["audits"][0]["one_run"]["runs"] == 3
    text = CONFIGURATION.replace("few_runs_targets.py:turned", "few_runs_targets.py:twin")
    Path("provado.toml").write_text(text.replace('score = "few_runs_targets.py:score"\n', ""))
    assert main(["audit", *base]) == SURPRISE
    assert "sound: verdict changed from no violation found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("samples = 3", "line 6: audits.a.samples: it is for audits of pairs"),
        ("replacements = [1]", "line 6: audits.a.replacements: replacements has 1 record"),
        ('relation = "replace-one"', "line 6: audits.a.relation: relation is 'replace-one'"),
        ("guesses = 0", "line 6: audits.a.guesses: 0 is refused"),
        ("guesses = 301", "line 6: audits.a.guesses: guesses is 301"),
        ('score = "few_runs_targets.py:x"', "line 6: audits.a.score: target"),
        ("canarie = 1", "did you mean 'canaries'?"),
        ('data = "gone.npy"', "line 6: audits.a.data: dataset '"),
        ("explore-runs = -1", "line 6: audits.a.explore-runs: -1 is refused"),
    ],
)
def test_a_wrong_key_is_named(
    here: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = '\n[audits.a]\ntarget = "few_runs_targets.py:sound"\nepsilon = 1\ncanaries = '
    Path("provado.toml").write_text(f'{table}"canaries.json"\n{line}\n')
    assert main(["audit", "--out", "out"]) == WRONG_USAGE
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_canaries_are_no_default_and_their_keys_need_them(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("provado.toml").write_text('[defaults]\ncanaries = "canaries.json"\n')
    assert main(["audit"]) == WRONG_USAGE
    assert "defaults.canaries: there is no such key in [defaults]" in capsys.readouterr().err
    table = '[audits.a]\ntarget = "few_runs_targets.py:sound"\nepsilon = 1\ndata = [1]\nruns = 2\n'
    Path("provado.toml").write_text(table)
    assert main(["audit"]) == WRONG_USAGE
    assert "line 5: audits.a.runs: it needs canaries" in capsys.readouterr().err


def test_limits_of_time_end_it_and_a_journal_goes_on(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called("slow", *ASKED, "--block-limit", "0.2", "--out", "block") == NOT_COMPLETED
    assert (
        "no answer within 0.2 s: a block takes longer" in document("block")["audits"][0]["reason"]
    )
    # Its third run ends the process; what was kept is not made again.
    made = "import os\nfrom pathlib import Path\n\ndef noted(data, rng):\n"
    made += "    with open('made.txt', 'a') as file:\n        print(len(data), file=file)\n"
    made += "    if len(Path('made.txt').read_text().split()) == 3:\n        os._exit(9)\n"
    Path("few_runs_targets.py").write_text(f"{made}    return sound(data, rng)\n{TARGETS}")
    sys.modules.pop("few_runs_targets", None)
    words = [*ASKED, "--runs", "4", "--seed", "5"]
    assert called("noted", *words, "--journal", "j") == NOT_COMPLETED
    assert called("noted", *words, "--journal", "j", "--resume", "--out", "on") == AS_EXPECTED
    assert len(Path("made.txt").read_text().split()) == 3 + 2
    assert called("noted", *words, "--out", "whole") == AS_EXPECTED
    resumed, whole = (document(name)["audits"][0] for name in ("on", "whole"))
    assert resumed["one_run"] == whole["one_run"]
    assert "drawn in more than one run" in resumed["notes"][0]


def test_a_score_is_code_that_a_journal_and_a_report_know(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("few_runs_scores.py").write_text("def score(output):\n    return output\n")
    words = [*ASKED, "--score", "few_runs_scores.py:score", "--time-limit", "0.3"]
    sys.modules.pop("few_runs_scores", None)
    assert called("slow", *words, "--journal", "j", "--out", "out") == NOT_COMPLETED
    assert set(document("out")["audits"][0]["code"]) == {
        "few_runs_targets.py",
        "few_runs_scores.py",
    }
    assert called("slow", *words, "--journal", "j", "--resume") == NOT_COMPLETED
    Path("few_runs_scores.py").write_text("def score(output):\n    return -output\n")
    sys.modules.pop("few_runs_scores", None)
    capsys.readouterr()
    assert called("slow", *words, "--journal", "j", "--resume") == WRONG_USAGE
    assert "journal" in capsys.readouterr().err


def test_the_command_line_and_the_library_allow_as_many_runs() -> None:
    assert options.MOST_RUNS == one_run_api.MOST_RUNS
    assert keys_of("audit")["runs"]["maximum"] == one_run_api.MOST_RUNS


def test_a_history_shares_its_alpha(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert called("sound", *ASKED, "--history", "history.json") == AS_EXPECTED
    assert "before at most" in capsys.readouterr().out


def test_limits_of_a_baseline() -> None:
    twin = found(half_the_noise)
    assert 0 < at_least(twin) < twin.epsilon_lower
    assert within_chance(twin) == float("inf")
    assert at_least(audit_one_run(lambda data: 1 / 0, canaries=[1, 2], epsilon=1.0)) == 0


def test_no_number_of_guesses_is_taken_that_no_runs_can_give() -> None:
    sound = found(the_noise)
    assert sound.one_run is not None
    for wrong in ({"correct": 151}, {"guesses": 301}, {"runs": 0}, {"guesses": 0, "correct": 0}):
        with pytest.raises(UsageError):
            replace(sound.one_run, **wrong)
