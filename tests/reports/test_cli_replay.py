"""``provado replay`` from the command line: what it prints, leaves, refuses and returns."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema

SARIF = json.loads(
    (Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)

CODE = """\
import sys

import numpy as np


def sound(ages, rng):
    print("it speaks")
    return float(np.clip(ages, 0, 1).sum()) + rng.laplace(scale=1.0)


def divided(ages, rng):
    total = np.clip(ages, 0, 1).sum() + rng.laplace(scale=1.0)
    return total / len(ages)


def slow(ages, rng):
    while True:
        pass


def neighbor(ages):
    import beside

    return beside.answer(ages)


def gone(ages):
    if len(ages) > 3:
        sys.exit(3)
    return 0
"""


@pytest.fixture
def replay(tmp_path, monkeypatch, capfd):
    (tmp_path / "mine_replayed.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "beside.py").write_text("def answer(ages):\n    return len(ages)\n")
    (tmp_path / "d0.json").write_text("[0.2, 0.5, 0.7]")
    (tmp_path / "d1.json").write_text("[0.2, 0.5, 0.7, 1.0]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_replayed", raising=False)

    def run(name, *more, status=0, pair=("--pair", "d0.json", "d1.json")):
        capfd.readouterr()
        assert main(["replay", f"mine_replayed.py:{name}", *pair, *more]) == status
        return capfd.readouterr()

    return run


def test_a_finding_stands_with_its_line_event_and_audit(replay):
    out, err = replay("divided", "--epsilon", "1", status=1)
    assert err == ""
    assert (
        "Finding (noise scale): mine_replayed.py:12: the number that Generator.laplace protects"
        in out
    )
    assert "  An audit can look at: the spread of the output.\n" in out
    asked = "mine_replayed.py:divided --epsilon 1 --pair d0.json d1.json"
    assert f"  To certify: provado audit {asked}\n" in out
    assert "A finding is no verdict" in out


def test_a_sound_program_shows_its_calls(replay):
    out, err = replay("sound", "--epsilon", "1")
    assert "it speaks" in err
    assert "it speaks" not in out
    row = next(line for line in out.splitlines() if "Generator.laplace" in line)
    assert row.split() == ["mine_replayed.py:8", "Generator.laplace", "1", "1.4", "2.4", "1", "1"]
    assert "Adds up to ε = 1 on this pair" in out
    assert "no finding on 1 pair." in out


@pytest.mark.parametrize(("name", "status"), [("sound", 0), ("divided", 1), ("gone", 1)])
def test_the_document_keeps_to_its_schema(replay, name, status):
    out, _ = replay(name, "--epsilon", "1", "--json", status=status)
    document = json.loads(out)
    jsonschema.validate(document, schema.json_schema(schema.REPLAY))
    assert document["exit_status"] == status
    (pair,) = document["pairs"]
    assert bool(pair["findings"]) is (status == 1)
    if name == "divided":
        assert pair["findings"][0]["location"] == "mine_replayed.py:12"
        assert pair["epsilon"] == pair["findings"][0]["cost"] == "inf"


def test_the_schema_names_every_kind():
    from provado.audit.experiments.replay import FindingKind

    kinds = schema.json_schema(schema.REPLAY)["$defs"]["finding"]["properties"]["kind"]["enum"]
    assert kinds == list(FindingKind)


def test_sarif_has_each_finding_on_its_line(replay, tmp_path):
    replay("divided", "--epsilon", "1", "--sarif", "found.sarif", status=1)
    log = json.loads((tmp_path / "found.sarif").read_text(encoding="utf-8"))
    jsonschema.validate(log, SARIF)
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mine_replayed.py"
    assert place["region"]["startLine"] == 12
    assert log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    replay("sound", "--sarif", "none.sarif")
    quiet = json.loads((tmp_path / "none.sarif").read_text(encoding="utf-8"))
    jsonschema.validate(quiet, SARIF)
    assert quiet["runs"][0]["results"] == []


def test_what_does_not_answer_is_not_completed(replay):
    out, _ = replay("slow", "--time-limit", "1", status=3)
    assert "not completed: under D: no answer within 1 s" in out


def test_modules_beside_the_file_are_found(replay):
    out, _ = replay("neighbor", "--epsilon", "1", status=1)
    assert "the output is 3 under D and 4 under D′" in out


def test_neighbors_are_made_of_data(replay):
    asked = ("--data", "d0.json", "--relation", "add-or-remove-one", "--domain", "0:1")
    out, _ = replay("divided", "--epsilon", "1", pair=asked, status=1)
    assert "on 6 pairs" in out
    assert "--relation add-or-remove-one --data d0.json --domain 0:1" in out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--epsilon", "1", "--promise", "zcdp:1"), "a claim is given in one way"),
        (("--data", "d0.json"), "neighbors are given or made"),
        (("--domain", "0:1"), "give both"),
        (("--relation", "replace-one"), "replace-one"),
        (("--sarif", "mine_replayed.py"), "this run reads that file"),
    ],
)
def test_wrong_usage_is_refused_in_one_line(replay, more, said):
    out, err = replay("sound", *more, status=2)
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_neighbors_are_needed(replay):
    _, err = replay("sound", "--epsilon", "1", pair=(), status=2)
    assert "give --pair" in err
