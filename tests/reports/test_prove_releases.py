"""`provado prove` of functions of records: options, JSON, page, configuration, pytest."""

import json
import sys

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema
from tests.reports.test_html_page import elements
from tests.reports.test_pytest_plugin import LOAD

pytest_plugins = ["pytester"]

MINE = """
import numpy as np


def total(x, epsilon=1.0):
    return x.sum() + np.random.laplace(scale=1 / epsilon)


def careless(x, epsilon=1.0):
    return x.sum() + np.random.laplace(scale=0.5 / epsilon)


def best(x, epsilon=1.0):
    return np.argmax(x.sum(axis=0) + np.random.gumbel(scale=2 / epsilon, size=x.shape[1]))


def shifted(x, center, rho=0.5):
    return ((x - center) ** 2).sum() + np.random.normal(scale=1 / np.sqrt(2 * rho))


def first_in_order(x, epsilon=1.0):
    return x[np.argsort(x)[0]] + np.random.laplace(scale=1 / epsilon)
"""

TOML = """\
[prove.total]
target = "released.py:total"
epsilon = 1
domain = "0:1"

[prove.careless]
target = "released.py:careless"
epsilon = 1
domain = "0:1"
size = "3:100"
expected = "refuted"

[prove.best]
target = "released.py:best"
domain = { 0 = "0:1", 1 = "0:1" }
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "released.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "released", raising=False)
    yield tmp_path
    sys.modules.pop("released", None)


def run(capsys, *words):
    status = main(["prove", *words])
    out, err = capsys.readouterr()
    return status, out, err


def document(capsys, *words):
    status, out, _ = run(capsys, *words, "--json")
    found = json.loads(out)
    jsonschema.validate(found, schema.json_schema(schema.RELEASE))
    assert found["exit_status"] == status
    return found


def test_what_a_function_prints_stays_out_of_the_document(mine, capsys):
    text = MINE.replace("    return x.sum()", "    print('a word')\n    return x.sum()")
    (mine / "prints.py").write_text(text, encoding="utf-8")
    status, out, error = run(capsys, "prints.py:total", "--domain", "0:1", "--json")
    assert (status, json.loads(out)["verdict"]) == (0, "proved")
    assert "a word" in error


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("total", "--epsilon", "1", "--domain", "0:1"), "proved"),
        (("total", "--domain", "0:1"), "proved"),
        (("careless", "--epsilon", "1", "--domain", "0:1", "--size", "3:"), "refuted"),
        (("best", "--domain", "0=0:1", "--domain", "1=0:1"), "proved"),
        (("shifted", "--rho", "0.5", "--domain", "0:1", "--set", "center=0.5"), "proved"),
        (("shifted", "--mu", "1", "--domain", "0:1", "--set", "center=0.5"), "proved"),
        (("shifted", "--epsilon", "1", "--delta", "0.2", "--domain", "0:1", "--set", "center=0.5"),
         "proved"),
        (("first_in_order", "--epsilon", "1", "--domain", "0:1"), "undecided"),
    ],
)  # fmt: skip
def test_the_document_has_the_verdict_with_its_evidence(mine, capsys, words, verdict):
    found = document(capsys, f"released.py:{words[0]}", *words[1:])
    assert found["verdict"] == verdict
    assert bool(found["ways"]) == bool(found["assumptions"]) == (verdict == "proved")
    assert (found["counterexample"] is not None) == (verdict == "refuted")
    assert bool(found["reason"]) == (verdict == "undecided")
    if verdict == "refuted":
        assert found["counterexample"]["loss"] == 2
        assert "a change of at most 1" in found["counterexample"]["finding"]


def test_the_page_shows_the_lines_with_noise_and_what_was_checked(mine, capsys):
    status, out, _ = run(capsys, "released.py:total", "--domain", "0:1", "--out", "left")
    assert status == 0
    assert all(len(line) <= 80 for line in out.splitlines())
    page = (mine / "left/prove.html").read_text("utf-8")
    elements(page)
    assert "Laplace noise, line 6" in page
    assert "in [0, 1]" in page
    run(capsys, "released.py:careless", "--domain", "0:1", "--out", "left", "--sarif", "s.sarif")
    page = (mine / "left/prove.html").read_text("utf-8")
    assert "The counterexample" in page
    results = json.loads((mine / "s.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["prove-refuted"]


SHIFTED = """
import numpy as np


def total(x, epsilon=1.0):
    return x.sum() + np.random.laplace(scale=1 / epsilon)


def off_center(x, epsilon=1.0):
    return x.sum() + np.random.laplace(scale=4 / epsilon)
"""


def test_the_relation_is_typed_or_configured(mine, capsys):
    # A sum over [3, 4] moves by 1 where a record is replaced, and by 4 where one is added.
    (mine / "shifted.py").write_text(SHIFTED, encoding="utf-8")
    adds = ("--relation", "add-or-remove-one")
    asked = [("total", (), 0), ("total", adds, 1), ("off_center", adds, 0)]
    for name, more, wanted in asked:
        status, out, _ = run(capsys, f"shifted.py:{name}", "--domain", "3:4", *more)
        assert status == wanted
        assert ("neighbors: add-or-remove-one" in out) == bool(more)
    lines = [
        "[prove.total]",
        'target = "shifted.py:total"',
        'domain = "3:4"',
        'relation = "add-or-remove-one"',
        'expected = "refuted"',
    ]
    (mine / "provado.toml").write_text("\n".join(lines), encoding="utf-8")
    assert run(capsys)[0] == 0
    wrong = run(capsys, "released.py:total", "--epsilon", "1", *adds)
    assert wrong[0] == 2
    assert "relation: it is not stated of a function of answers" in wrong[2]


def test_a_configuration_states_records_and_sizes(mine, capsys):
    (mine / "provado.toml").write_text(TOML, encoding="utf-8")
    status, out, _ = run(capsys, "--json")
    assert status == 0
    entries = json.loads(out)["entries"]
    verdicts = {one["name"]: one["found"]["verdict"] for one in entries}
    assert verdicts == {"total": "proved", "careless": "refuted", "best": "proved"}
    assert "3 to 100 records" in entries[1]["found"]["scope"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--epsilon", "1", "--rho", "1"), "one of the three"),
        (("--epsilon", "none"), "epsilon 'none'"),
        (("--rho", "0"), "rho is"),
        (("--epsilon", "1", "--size", "none"), "--size 'none'"),
        (("--epsilon", "1", "--neighbors", "one"), "neighbors"),
        (("--epsilon", "1", "--set", "other=1"), "parameter other"),
    ],
)
def test_bad_options_are_named(mine, capsys, words, said):
    status, _, err = run(capsys, "released.py:total", "--domain", "0:1", *words)
    assert status == 2
    assert said in err


def test_answers_to_queries_have_no_rho(mine, capsys):
    status, _, err = run(capsys, "released.py:total", "--rho", "1")
    assert status == 2
    assert "rho" in err
    assert "domain" in err


def test_a_test_fails_with_the_two_datasets(pytester):
    pytester.makepyfile(
        """
        import numpy as np

        def total(x, scale):
            return x.sum() + np.random.laplace(scale=scale)

        def test_proved(prove_dp):
            assert prove_dp(total, epsilon=1, domain=(0.0, 1.0), parameters={"scale": 1}).ways

        def test_refuted(prove_dp):
            prove_dp(total, epsilon=1, domain=(0.0, 1.0), parameters={"scale": 0.5})
        """
    )
    found = pytester.runpytest_subprocess("-q", *LOAD)
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["*Let D = *", "*The exact loss is ε = 2*"])
