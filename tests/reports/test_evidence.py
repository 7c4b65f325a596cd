"""What a report says for whoever signs it: rows that follow from the record, and its origin."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from provado.audit import audit
from provado.mechanisms import ReplaceOne, Verdict
from provado.mechanisms.catalogue import catalogue
from provado.reports.audit_report.page import render
from provado.reports.cli.main import main
from provado.reports.documents.origin import provenance, source_location
from provado.reports.tasks.run import Record, Run, Settings, code_hashes
from provado.reports.text.report import HAZARD, NOT_APPLICABLE, TESTED, UNTESTED, evidence

ASKED = Settings(2000, None, 0.95, 0, 3600.0)


def noisy(data, *, size, rng):
    return sum(data) + rng.laplace(size=size)


def whole(data, *, size, rng):
    return sum(data) + rng.geometric(0.5, size=size)


def rows(result, stop_early=False):
    return dict(evidence(result, anytime=stop_early))


@pytest.fixture(scope="module")
def searched():
    return audit(
        noisy, epsilon=1.0, data=[0, 1], relation=ReplaceOne(), samples=2000, domain=(0, 1)
    )


def test_what_was_looked_at_and_what_not_is_said(searched):
    said = rows(searched)
    assert said["Claim"] == "ε = 1 (pure ε)"
    assert said["Neighboring relation"] == "replace-one; the number of records is public"
    assert f"{searched.search.pairs} pairs of neighbors" in said["Pairs"]
    assert said["Stopping rule"] == "the number of trials was fixed beforehand"
    assert "its run time" in said["Not tested"]
    alphas = {f"{pair.method.alpha:.3g}" for pair in searched.pairs}
    assert all(alpha in said["Chance of a false alarm"] for alpha in alphas)


def test_every_hazard_has_a_status_and_a_reason(searched):
    said = rows(searched)
    hazards = {name: text for name, text in said.items() if name.startswith(HAZARD)}
    assert len(hazards) == 13
    for text in hazards.values():
        status, colon, reason = text.partition(": ")
        assert status in (TESTED, UNTESTED, NOT_APPLICABLE)
        assert colon
        assert reason


def status(result, hazard):
    return rows(result)[HAZARD + hazard].partition(":")[0]


def test_a_status_follows_what_was_done(searched):
    given = audit(noisy, epsilon=1.0, pair=([0, 1], [0, 0]), samples=2000)
    ideal = audit(noisy, epsilon=1.0, pair=([0, 1], [0, 0]), samples=2000, arithmetic="ideal")
    assert status(searched, "floating point") == TESTED
    assert status(ideal, "floating point") == UNTESTED
    assert status(searched, "sensitivity and clipping") == TESTED
    assert status(given, "sensitivity and clipping") == UNTESTED
    assert status(searched, "neighboring relation") == TESTED
    assert status(given, "neighboring relation") == UNTESTED
    nothing = audit(lambda data: 1 / 0, epsilon=1.0, pair=([0], [1]), samples=100)
    for hazard in ("noise", "state between calls, noise used twice", "floating point"):
        assert status(nothing, hazard) == UNTESTED


def test_an_exact_decision_and_an_exact_epsilon_are_told(searched):
    from fractions import Fraction

    from provado.proofs.causal.finite_mechanism import from_table

    half = Fraction(1, 2)
    table = from_table({(0,): {"a": half, "b": half}, (1,): {"a": half, "b": half}})
    said = rows(audit(table, epsilon=1.0))
    assert said["Experiment"].startswith("none")
    assert said["Proved bound"].startswith("proved")
    assert said[HAZARD + "floating point"].startswith(NOT_APPLICABLE)
    above = replace(searched, true_epsilon=searched.epsilon_lower + 0.25)
    assert "lies 0.25 below it" in rows(above)["Proved bound"]
    below = replace(searched, true_epsilon=searched.epsilon_lower - 0.25)
    assert "lies 0.25 above it" in rows(below)["Proved bound"]
    assert rows(searched)["Proved bound"].startswith("none")


def test_stopping_rules_are_told_apart():
    pair = ([0], [1])
    early = audit(noisy, epsilon=0.2, pair=pair, samples=20_000, stop_early=True)
    assert rows(early, stop_early=True)["Stopping rule"].startswith("once")
    auto = audit(noisy, epsilon=0.2, pair=pair, samples="auto")
    assert rows(auto)["Stopping rule"].startswith("sequential")


def test_on_the_page_what_all_audits_share_stands_once(searched):
    given = audit(noisy, epsilon=1.0, pair=([0, 1], [0, 0]), samples=2000, name="given")
    known = replace(given, name="known", tags=("twin",), expected=Verdict.VIOLATION)

    def page(*results):
        records = tuple(Record(one, (one.name,), ASKED) for one in results)
        return render(Run("0.1.0", {}, ASKED, records))

    shared, own = "budget over time", "Data domain"
    for results in ((searched,), (searched, given), (searched, given, given)):
        assert page(*results).count(shared) == 1
    assert page(searched, given).count(own) == 2
    assert page(given, replace(given, name="again")).count(own) == 1
    assert shared not in page(known)
    assert 'class="signature"' in page(known)


def test_where_a_run_is_from(monkeypatch, tmp_path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.chdir(tmp_path)
    told, untold = provenance(), provenance(anonymous=True)
    assert told.date == "1970-01-01T00:00:00Z"
    assert told.where
    assert (untold.who, untold.where) == ("", "")
    assert (told.commit, told.clean) == ("", None)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "a"], ["commit", "-qm", "a"]):
        Path("a").write_text("1")
        subprocess.run([*git, *words], check=True)
    assert provenance().clean is True
    assert len(provenance().commit) == 40
    Path("a").write_text("2")
    assert provenance().clean is False


def test_code_is_hashed_and_a_change_shows(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("hashed_here.py").write_text("def f(data): return 1\n")
    target = "hashed_here.py:f"
    from provado.reports.targets.load import load_target

    f = load_target(target).mechanism
    assert source_location(f, target) == "hashed_here.py:1"
    before = code_hashes(f, target)
    Path("hashed_here.py").write_text("def f(data): return 2\n")
    assert list(before) == ["hashed_here.py"]
    assert code_hashes(f, target) != before


def test_a_library_and_what_it_compiled_are_hashed():
    laplace = pytest.importorskip("diffprivlib.mechanisms").Laplace(epsilon=1, sensitivity=1)
    assert any(name.startswith("diffprivlib ") for name in code_hashes(laplace))
    closed = [laplace]
    assert any(name.startswith("diffprivlib ") for name in code_hashes(lambda d: closed[0] and d))
    assert any(name.startswith("scipy ") and ".so" in name for name in code_hashes(_uses_scipy))
    assert not any("numpy" in name for name in code_hashes(next(iter(catalogue()))))


def _uses_scipy(data):
    return special.expit(data)


from scipy import special  # noqa: E402


def test_what_cannot_be_looked_at_has_no_hash():
    class Hostile:
        def __getattribute__(self, name):
            raise RuntimeError(name)

    assert code_hashes(Hostile()) == {}


COUNT = '''"""Counts."""

import numpy as np

EPSILON = 1.0


def scale():
    """The slip."""
    return EPSILON / 2


def count(data, *, size, rng):
    """Return noisy counts."""
    return np.round(np.sum(data) + rng.laplace(scale=scale(), size=size), 3)
'''


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """A folder with a report of a violation, and what was audited."""
    folder = tmp_path_factory.mktemp("audited")
    claim = ["--epsilon", "1", "--data", "d.json", "--relation", "replace-one"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("count_here.py").write_text(COUNT)
        Path("d.json").write_text("[1, 0]")
        words = ["audit", "count_here.py:count", *claim, "--samples", "20000", "--out", "out"]
        assert main(words) == 1
    sys.modules.pop("count_here", None)
    return folder


@pytest.fixture
def report(audited, monkeypatch, tmp_path):
    """The report, in a copy of its folder."""
    shutil.copytree(audited, tmp_path / "own")
    monkeypatch.chdir(tmp_path / "own")
    yield Path("out/audit.json")
    sys.modules.pop("count_here", None)


def test_the_reproducer_of_a_bug_report_runs_alone(report, tmp_path, capsys):
    assert main(["report", str(report), "--format", "issue"]) in (0, 1)
    text = capsys.readouterr().out
    assert text.startswith("# count violates its claim ε = 1\n")
    program = text.partition("```python\n")[2].partition("```")[0]
    assert 0 < program.count("\n") <= 30
    away = tmp_path / "away"
    away.mkdir()
    (away / "again.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "again.py"], cwd=away, capture_output=True, text=True, check=True
    )
    word, _, bound = done.stdout.strip().rpartition(" ")
    assert word == "violation"
    assert float(bound) > 1


def test_without_its_source_a_bug_report_names_the_command(report, capsys):
    Path("count_here.py").unlink()
    assert main(["report", str(report), "--format", "issue"]) in (0, 1)
    text = capsys.readouterr().out
    assert "```sh\nprovado audit count_here.py:count --epsilon 1" in text


def test_a_bug_report_of_a_sound_run_has_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["--only", "laplace/grid-3", "--samples", "1000", "--format", "issue"]
    assert main(["audit", "--catalogue", *words]) in (0, 2)
    assert "Nothing to report" in capsys.readouterr().out


def test_login_and_host_can_be_left_out(report, capsys):
    told = json.loads(report.read_text())["provenance"]
    assert told["where"]
    claim = ["--epsilon", "1", "--data", "d.json", "--relation", "replace-one"]
    small = ["--samples", "100", "--json", "--anonymous"]
    assert main(["audit", "count_here.py:count", *claim, *small]) in (0, 1)
    untold = json.loads(capsys.readouterr().out)["provenance"]
    assert (untold["who"], untold["where"]) == ("", "")


def test_evidence_that_was_changed_is_noticed(report, capsys):
    document = json.loads(report.read_text())
    document["audits"][0]["evidence"]["Not tested"] = "nothing"
    report.write_text(json.dumps(document))
    assert main(["report", str(report), "--recheck"]) == 1
    assert "evidence" in capsys.readouterr().out
