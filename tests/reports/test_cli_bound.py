"""``provado bound``: exit statuses, words, JSON, and what is refused in one line."""

import json
import sys

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema

QUERIES = """\
import numpy as np


def total(ages):
    print("it speaks")
    return np.clip(ages, 0, 100).sum()


def mean(ages):
    return np.clip(ages, 0, 100).mean()


def by_city(people):
    ages = people.assign(age=people["age"].clip(0, 100))
    return ages.groupby("city")["age"].sum().reindex(["rome", "oslo"], fill_value=0)


def second(table):
    return table[:, 1].sum()


def distances(ages, mu, k=1):
    return np.abs(ages - mu).sum() * k


def ordered(ages):
    return ages[np.argsort(ages)[0]]
"""

AGES = ("--domain", "0:120")


@pytest.fixture
def bound(tmp_path, monkeypatch, capfd):
    (tmp_path / "mine_to_bound.py").write_text(QUERIES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_to_bound", raising=False)

    def run(name, *words, status=0):
        capfd.readouterr()
        try:
            ended = main(["bound", f"mine_to_bound.py:{name}", *words])
        except SystemExit as error:
            ended = error.code
        assert ended == status
        return capfd.readouterr()

    yield run
    sys.modules.pop("mine_to_bound", None)


def test_a_bound_is_shown_with_its_steps(bound):
    out, err = bound("total", *AGES, "--sensitivity", "100")
    assert "Line 6: sum of numbers in [0, 100] moves by at most 100." in out
    assert "Verdict that it moves by at most 100: proved" in out
    assert "Assumptions: real numbers" in out
    assert "it speaks" not in out
    assert "it speaks" in err


def test_a_norm_is_named(bound):
    table = ("--domain", "age=0:120", "--domain", "city=rome,oslo", "--norm", "l2")
    out, _ = bound("by_city", *table)
    assert "Neighbors move it by at most √20000 in ℓ2, each of its 2 numbers by at most 100." in out
    out, _ = bound("by_city", *table, "--sensitivity", "141.43")
    assert "Neighbors move it by at most 14143/100 in ℓ2." in out
    out, _ = bound("by_city", *table, "--sensitivity", "141", status=1)
    assert "Verdict that it moves by at most 141: refuted" in out
    assert "invalid choice: 'l5'" in bound("by_city", *table[:-1], "l5", status=2).err


@pytest.mark.parametrize(
    ("name", "words", "status", "verdict", "most"),
    [
        ("total", AGES, 0, "proved", "100"),
        ("total", (*AGES, "--sensitivity", "50"), 1, "refuted", "100"),
        ("mean", (*AGES, "--size", "3:", "--claim", "100/n"), 0, "proved", "100/n"),
        ("mean", (*AGES, "--size", "50:"), 0, "proved", "100/n"),
        ("mean", (*AGES, "--size", "50:50"), 0, "proved", "2"),
        ("mean", (*AGES, "--size", "50"), 0, "proved", "2"),
        ("mean", (*AGES, "--size", "50:", "--sensitivity", "100/n"), 0, "proved", "100/n"),
        ("total", (*AGES, "--relation", "add-or-remove-one"), 0, "proved", "100"),
        ("mean", (*AGES, "--size", "50:60", "--sensitivity", "2"), 0, "proved", "2"),
        ("by_city", ("--domain", "age=0:120", "--domain", "city=rome,oslo"), 0, "proved", "200"),
        (
            "by_city",
            ("--domain", "age=0:120,missing", "--domain", "city=rome,oslo", "--norm", "linf"),
            0,
            "argued",
            "100",
        ),
        ("second", ("--domain", "0=0:1", "--domain", "1=0:10"), 0, "proved", "10"),
        ("distances", (*AGES, "--parameter", "mu=0:60"), 0, "proved", "120"),
        ("distances", (*AGES, "--parameter", "mu=0:60", "--parameter", "k=2"), 0, "proved", "240"),
        ("distances", AGES, 3, "unknown", None),
        ("ordered", AGES, 3, "unknown", None),
        ("total", ("--domain", "numbers"), 3, "unknown", None),
    ],
)
def test_the_document_keeps_to_its_schema(bound, name, words, status, verdict, most):
    out, _ = bound(name, *words, "--json", status=status)
    document = json.loads(out)
    jsonschema.validate(document, schema.json_schema(schema.BOUND))
    assert (document["verdict"], document["bound"]) == (verdict, most)
    assert document["exit_status"] == status
    assert document["location"].startswith("mine_to_bound.py:")
    assert (document["counterexample"] is not None) is (verdict == "refuted")
    assert bool(document["reason"]) is (verdict not in ("proved", "argued"))


def test_the_relation_matters(bound):
    columns = ("--domain", "age=0:120", "--domain", "city=rome,oslo")
    out, _ = bound("by_city", *columns, "--relation", "add-or-remove-one", "--json")
    assert json.loads(out)["bound"] == "100"


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ((), "--domain"),
        ((*AGES, "--sensitivity", "wide"), "--sensitivity 'wide': it must be a number"),
        ((*AGES, "--sensitivity", "-1"), "--sensitivity '-1': it must be a number"),
        ((*AGES, "--size", "0"), "--size '0': it must be LEAST"),
        ((*AGES, "--parameter", "mu"), "--parameter 'mu': it must be NAME=NUMBER or NAME=LOW:HIGH"),
        ((*AGES, "--parameter", "mu=1:2:3"), "it must be NAME=NUMBER or NAME=LOW:HIGH"),
        ((*AGES, "--parameter", "mu=1"), "parameters: got an unexpected keyword argument 'mu'"),
        (("--domain", "integers"), "a column is (low, high)"),
    ],
)
def test_what_is_refused_is_one_line(bound, words, rule):
    out, err = bound("total", *words, status=2)
    assert out == ""
    assert rule in err


@pytest.mark.parametrize("kind", ["numbers", "booleans"])
def test_a_kind_of_records_is_named_as_it_is_typed(bound, kind):
    out, _ = bound("total", "--domain", kind, status=3)
    assert f"records of {kind}," in out
    assert "<class" not in out
