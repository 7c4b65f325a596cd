"""What `provado replay` leaves beside words: a page, certified pairs, a configuration's replays."""

import json
import re
import sys

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema
from tests.reports.test_html_page import elements

CODE = """\
import numpy as np


def sound(ages, rng):
    return float(np.clip(ages, 0, 1).sum()) + rng.laplace(scale=1.0)


def divided(ages, rng):
    total = 0.0
    for age in ages:  # </li><script>
        total += min(max(age, 0), 1)
    return (total + rng.laplace(scale=1.0)) / len(ages)
"""

TOML = """\
out = "left"

[replay.sum]
target = "mine_to_see.py:sound"
epsilon = 1
pairs = [["d0.json", [0.2, 0.5, 0.7, 1.0]]]

[replay.mean]
target = "mine_to_see.py:divided"
epsilon = 1
relation = "add-or-remove-one"
data = "d0.json"
domain = "0:1"
expected = "noise scale"
"""


@pytest.fixture
def replay(tmp_path, monkeypatch, capfd):
    (tmp_path / "mine_to_see.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "d0.json").write_text("[0.2, 0.5, 0.7]")
    (tmp_path / "d1.json").write_text("[0.2, 0.5, 0.7, 1.0]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_to_see", raising=False)

    def run(*words, status=0):
        capfd.readouterr()
        assert main(["replay", *words]) == status
        return capfd.readouterr()

    yield run
    sys.modules.pop("mine_to_see", None)


PAIR = ("--pair", "d0.json", "d1.json", "--epsilon", "1")


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_the_page_shows_both_runs_and_findings_at_their_lines(replay, tmp_path):
    replay("mine_to_see.py:divided", *PAIR, "--out", "left", status=1)
    page = (tmp_path / "left/replay.html").read_text("utf-8")
    elements(page)
    marked = dict(re.findall(r'<li class="(marked[^"]*)" value="(\d+)">', page))
    assert marked == {"marked": "10", "marked bad": "12"}
    assert "# &lt;/li&gt;&lt;script&gt;" in page
    text = text_of(page)
    for run, protected in (("D", "1.4"), ("D′", "2.4")):
        assert re.search(rf"The run under do\({run}\).*? protects {protected} ", text)
    assert "Something is not hidden by noise on this pair, along this control flow, what" in text
    command = "provado audit mine_to_see.py:divided --epsilon 1 --pair d0.json d1.json"
    assert command in text
    document = json.loads((tmp_path / "left/replay.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.REPLAY))
    assert document["pairs"][0]["certified"] is None


def test_costs_stand_beside_the_claim(replay, tmp_path):
    replay("mine_to_see.py:sound", *PAIR, "--out", "left")
    text = text_of((tmp_path / "left/replay.html").read_text("utf-8"))
    assert "Adds up to ε = 1 on this pair, along this control flow, where ε = 1 is claimed." in text
    assert 'class="marked bad"' not in (tmp_path / "left/replay.html").read_text("utf-8")


def test_a_pair_with_findings_is_certified_and_both_are_shown(replay, tmp_path):
    given = ("--certify", "--samples", "4000", "--out", "left")
    out, _ = replay("mine_to_see.py:divided", *PAIR, *given, status=1)
    assert "Finding (noise scale): mine_to_see.py:12" in out
    assert re.search(r"Audit of this pair: .*; claimed ε = 1, certified ε ≥ .* 95 % confid", out)
    (pair,) = json.loads((tmp_path / "left/replay.json").read_text("utf-8"))["pairs"]
    assert pair["certified"]["trials"] == 4000
    text = text_of((tmp_path / "left/replay.html").read_text("utf-8"))
    assert f"Audit of this pair: {pair['certified']['verdict']}; claimed ε = 1" in text
    assert text.index("Finding (noise scale)") < text.index("Audit of this pair")
    out, _ = replay("mine_to_see.py:sound", *PAIR, *given)
    assert "Audit of this pair" not in out


def test_a_configuration_asks_for_several(replay, tmp_path):
    (tmp_path / "provado.toml").write_text(TOML, encoding="utf-8")
    out, _ = replay()
    assert out.startswith("sum, claimed: 1-DP: counterfactual replay")
    assert "\n\nmean, claimed: 1-DP: counterfactual replay" in out
    assert "To certify: provado replay mean --config provado.toml --certify" in out
    assert out.endswith("Expected: noise scale.\n")
    document = json.loads((tmp_path / "left/replay.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.SEVERAL))
    assert [one["expected"] for one in document["entries"]] == ["nothing", "noise scale"]
    for one in document["entries"]:
        jsonschema.validate(one["found"], schema.json_schema(schema.REPLAY))
    page = (tmp_path / "left/replay.html").read_text("utf-8")
    idents = [a["id"] for _, a in elements(page) if "id" in a]
    assert len(idents) == len(set(idents))


def test_another_kind_than_expected_is_a_surprise(replay, tmp_path):
    (tmp_path / "provado.toml").write_text(TOML.replace('"noise scale"', '"budget"'))
    replay("mean", status=1)
    (tmp_path / "provado.toml").write_text(
        TOML.replace("epsilon = 1\npairs", 'expected = "output"\nepsilon = 1\npairs')
    )
    replay("sum", status=1)


WRONG = {
    '"noise scale"': ('"noise"', "line 14: replay.mean.expected: 'noise' is refused"),
    '"d0.json"\ndomain': ('"gone.json"\ndomain', "line 12: replay.mean.data: "),
    'domain = "0:1"': ('samples = 10', "replay.mean.samples: there is no such key in a replay"),
    "relation = ": ("sensitivity = 2\n#", "replay.mean.sensitivity: it belongs to relation"),
    '"mine_to_see.py:sound"': ('"mine_to_see.py:sund"', "line 4: replay.sum.target: target"),
    "[[\"d0.json\", [0.2, 0.5, 0.7, 1.0]]]": ("3", "line 6: replay.sum.pairs: 3 is refused"),
}  # fmt: skip


@pytest.mark.parametrize("old", WRONG)
def test_a_wrong_table_is_told_with_its_line(replay, tmp_path, old):
    new, message = WRONG[old]
    assert TOML.count(old) == 1
    (tmp_path / "provado.toml").write_text(TOML.replace(old, new), encoding="utf-8")
    out, err = replay(status=2)
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_what_belongs_together_is_told(replay):
    assert "give that" in replay("mine_to_see.py:sound", *PAIR, "--samples", "10", status=2).err
    assert "nothing to replay" in replay(status=2).err


def test_several_stand_in_one_log_and_no_input_is_written_over(replay, tmp_path):
    both = ("mine_to_see.py:sound", "mine_to_see.py:divided", *PAIR)
    replay(*both, "--sarif", "found.sarif", status=1)
    (run,) = json.loads((tmp_path / "found.sarif").read_text("utf-8"))["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["replay-noise-scale"]
    assert "d0.json" in replay(*both, "--sarif", "d0.json", status=2).err
    assert (tmp_path / "d0.json").read_text() == "[0.2, 0.5, 0.7]"
