"""``provado prove``: exit statuses, words, JSON, SMT-LIB, and what is refused in one line."""

import json
import re
import sys

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema

MINE = """
import math

import numpy as np
from provado.mechanisms.programs import bernoulli, laplace, output


def mean(q, epsilon):
    output(q[0] + laplace(1 / epsilon))


def histogram(q, epsilon=1.0):
    for x in q:
        output(x + laplace(1 / epsilon))


def threshold(q, epsilon, limit: int = 2):
    assert limit >= 1
    level = laplace(2 / epsilon)
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            output(True)
            break
        output(False)


def response(x: int, epsilon):
    if bernoulli(math.exp(epsilon) / (1 + math.exp(epsilon))):
        output(x)
    else:
        output(1 - x)


def square(q, epsilon):
    output(q[0] * q[0] + laplace(1 / epsilon))


def loop(q, epsilon):
    while True:
        pass


NUMBER = 3


def little(q, epsilon):
    total = 0.0
    for x in q:
        total += x
    output(total + laplace(scale=1 / (3 * epsilon)))  # ε/3, by mistake


def several(q, epsilon, count: int):
    for i, x in enumerate(q):
        if i >= count:
            break
        output(x + laplace(1 / epsilon))


def above(q, sigma):
    level = np.random.normal(0, sigma)
    for x in q:
        if x + np.random.normal(0, 2 * sigma) >= level:
            output(True)
            break
        output(False)


def bare(q, epsilon):
    output(q[0] + laplace(1 / epsilon))
    output(q[0])
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "mine_to_prove.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_to_prove", raising=False)
    yield tmp_path
    sys.modules.pop("mine_to_prove", None)


def run(capsys, *words):
    status = main(["prove", *words])
    out, err = capsys.readouterr()
    return status, out, err


def target(name):
    return f"mine_to_prove.py:{name}"


def test_a_sound_claim_is_proved(mine, capsys):
    status, out, err = run(capsys, target("mean"))
    assert (status, err) == (0, "")
    assert out.startswith("mean: proved (ε = epsilon)\n")
    assert "all epsilon > 0, where len(q) ≥ 1" in out
    assert "line 9, laplace(1 / epsilon): -(change of answer at 0)" in out
    assert "floating point" in out


def test_a_claim_too_small_is_refuted(mine, capsys):
    status, out, _ = run(capsys, target("mean"), "--epsilon", "epsilon/2")
    assert status == 1
    assert "refuted" in out
    assert re.search(r"Let q = \(.*\) and q′ = \(.*\), epsilon = \d+\.", out)
    assert "Replayed by the kernel" in out
    assert out.count("real numbers instead of floating point") == 1


def test_neighbors_decide(mine, capsys):
    assert run(capsys, target("histogram"), "--neighbors", "one")[0] == 0
    status, out, _ = run(capsys, target("histogram"))
    assert status == 1
    assert "each answer moves by at most 1" in out


def test_sensitivity_counts(mine, capsys):
    assert run(capsys, target("mean"), "--sensitivity", "1/2", "--epsilon", "epsilon/2")[0] == 0
    assert run(capsys, target("mean"), "--sensitivity", "2")[0] == 1


def test_a_number_is_claimed_of_the_defaults(mine, capsys):
    assert run(capsys, target("histogram"), "--neighbors", "one", "--epsilon", "1")[0] == 0
    status, out, _ = run(capsys, target("histogram"), "--neighbors", "one", "--epsilon", "0.5")
    assert status == 1
    assert "where 0.5 is claimed" in out
    # Where there is no default, the number is the parameter's.
    assert run(capsys, target("mean"), "--epsilon", "3")[0] == 0
    assert run(capsys, target("mean"), "--set", "epsilon=3", "--epsilon", "2")[0] == 1


def test_what_cannot_be_decided_says_why(mine, capsys):
    status, out, _ = run(capsys, target("square"))
    assert status == 3
    assert "undecided" in out
    assert "is not linear" in out


def test_finite_data_give_the_exact_epsilon(mine, capsys):
    status, out, _ = run(capsys, target("response"), "--domain", "0,1", "--all-epsilon")
    assert status == 0
    assert "The exact ε is epsilon," in out
    status, out, _ = run(capsys, target("response"), "--domain", "0,1", "--epsilon", "epsilon/3")
    assert status == 1
    assert "The loss is epsilon" in out


GIVEN = ("--pair", "0,0,0,0", "1,1,1,1/2", "--set", "sigma=2")


def test_given_data_give_the_exact_delta(mine, capsys):
    status, out, _ = run(capsys, target("above"), *GIVEN, "--epsilon", "1/8", "--delta", "1/3")
    assert status == 0
    assert out.startswith("above: proved (ε = 1/8, δ = 1/3)\n")
    assert "The exact δ is between 0.0" in out
    assert "enclosures of integrals by FLINT" in out
    status, out, _ = run(capsys, target("above"), *GIVEN, "--epsilon", "1/8", "--delta", "1e-3")
    assert status == 1
    assert "Let the data be (0, 0, 0, 0) and (1, 1, 1, 1/2)." in out
    assert "Let S be: the output is (0, 0, 0, 0) or (0, 0, 0, 1) or (0, 0, 1)." in out
    assert re.search(r"Pr\[S \| D\] − e\^ε·Pr\[S \| D′\] is between 0\.\d+ and 0\.\d+, where", out)


@pytest.mark.parametrize(
    "words",
    [
        ("mean",),
        ("mean", "--epsilon", "epsilon/2"),
        ("square",),
        ("response", "--domain", "0,1"),
        ("response", "--domain", "0,1", "--epsilon", "epsilon/3"),
        ("above", *GIVEN, "--epsilon", "1/4", "--delta", "1/3"),
        ("above", *GIVEN, "--epsilon", "1/4", "--delta", "1/1000"),
        ("above", "--domain", "0,1", "--set", "sigma=2", "--epsilon", "1", "--delta", "0"),
    ],
)
def test_the_json_is_as_the_schema_says(mine, capsys, words):
    status, out, err = run(capsys, target(words[0]), *words[1:], "--json")
    document = json.loads(out)
    jsonschema.validate(document, schema.json_schema(schema.PROVE))
    assert document["schema"] == schema.PROVE
    assert document["exit_status"] == status
    assert err == ""
    keys = ("proofs", "counterexample", "finite", "delta", "reason")
    assert sum(bool(document[key]) for key in keys) == 1


def test_conditions_are_left_as_smt_lib(mine, capsys):
    assert run(capsys, target("threshold"), "--smt", "proof.smt2")[0] == 0
    text = (mine / "proof.smt2").read_text("utf-8")
    assert text.count("(check-sat)") == text.count("(push 1)") == text.count("(pop 1)") > 20
    assert text.count("(") == text.count(")")
    assert "(declare-const |moved level| Real)" in text


CLAIM = ("--epsilon", "1", "--delta", "0.1")
REFUSED = {
    "a while loop": (("mine_to_prove.py:loop",), "line 39: while is not in the language"),
    "no function": (("mine_to_prove.py:NUMBER",), "must be a callable"),
    "a name that is none": (("mine_to_prove.py:men",), "has no 'men'"),
    "a claim of another parameter": ((target("mean"), "--epsilon", "delta"), "open parameters"),
    "a claim of 0": ((target("mean"), "--epsilon", "0"), "above 0"),
    "a claim that is no text": ((target("mean"), "--epsilon", "1 +"), "no expression"),
    "no width": ((target("mean"), "--sensitivity", "0"), "sensitivity is '0'"),
    "a parameter without a number": ((target("mean"), "--set", "epsilon"), "NAME=NUMBER"),
    "a parameter that is none": ((target("mean"), "--set", "size=1"), "no parameter 'size'"),
    "a domain of words": ((target("mean"), "--domain", "a,b"), "numbers with commas"),
    "both claims": ((target("mean"), "--all-epsilon", "--epsilon", "1"), "leave --epsilon out"),
    "δ without data": ((target("above"), *CLAIM), "given data"),
    "δ for each ε": ((target("mean"), "--domain", "0,1", "--delta", "0.1"), "it is a number"),
    "too many pairs": (
        (target("threshold"), "--domain", "0,1", "--size", "25"),
        "not all computed; take fewer values, or give the pairs (--pair)",
    ),
    "a pair and records": (
        (target("mean"), "--domain", "0:1", "--epsilon", "1", "--pair", "0", "1"),
        "pairs: it is not stated of a function of records",
    ),
    "a pair of words": ((target("mean"), "--pair", "a", "b"), "numbers with commas"),
    "a pair of two lengths": ((target("mean"), "--pair", "1", "1,2"), "as many numbers"),
    "a pair and a domain": ((target("mean"), "--pair", "1", "2", "--domain", "1,2"), "pairs"),
    "other neighbors": ((target("mean"), "--neighbors", "two"), "invalid choice"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_one_line(mine, capsys, name):
    words, rule = REFUSED[name]
    try:
        status, out, err = run(capsys, *words)
    except SystemExit as ended:
        status = ended.code
        out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert rule in err


def test_a_repair_is_proved_from_its_text(mine, capsys):
    words = (target("little"), "--neighbors", "one", "--repair")
    status, out, _ = run(capsys, *words)
    assert status == 1
    assert "the least multiple of ε = epsilon that was proved is 3." in out
    assert "line 50: laplace(scale=1 / (3 * epsilon)) → laplace(scale=1 / epsilon)" in out
    status, out, _ = run(capsys, *words, "larger.py", "--json")
    document = json.loads(out)
    jsonschema.validate(document, schema.json_schema(schema.PROVE))
    assert (status, document["verdict"]) == (1, "refuted")
    found = document["repair"]
    assert (found["multiple"], found["file"], found["verdict"]) == ("3", "larger.py", "proved")
    before, after = MINE.splitlines(), (mine / "larger.py").read_text("utf-8").splitlines()
    changed = [(x, y) for x, y in zip(before, after, strict=True) if x != y]
    comment = "  # ε/3, by mistake"
    assert changed == [
        (
            f"    output(total + laplace(scale=1 / (3 * epsilon))){comment}",
            f"    output(total + laplace(scale=1 / epsilon)){comment}",
        )
    ]
    assert run(capsys, "larger.py:little", "--neighbors", "one")[0] == 0
    sys.modules.pop("larger", None)


def test_a_repair_may_grow_with_a_parameter(mine, capsys):
    status, out, _ = run(capsys, target("several"), "--repair", "grown.py")
    assert status == 1
    assert "that was proved is count." in out
    assert "grown.py:several: several: proved" in out
    assert "laplace(count / epsilon)" in (mine / "grown.py").read_text("utf-8")
    sys.modules.pop("grown", None)


def test_a_release_without_noise_is_not_repaired(mine, capsys):
    status, out, _ = run(capsys, target("bare"), "--repair", "none.py")
    assert status == 1
    assert "Repair: none. Multiplying the noise scales gives no proof" in out
    assert not (mine / "none.py").exists()


def test_what_is_proved_needs_no_repair(mine, capsys):
    status, out, _ = run(capsys, target("mean"), "--repair", "none.py")
    assert status == 0
    assert "that was proved is 1.\n  Nothing needs to be changed." in out
    assert not (mine / "none.py").exists()


def test_a_repair_replaces_no_file(mine, capsys):
    (mine / "there.py").write_text("kept = True\n", encoding="utf-8")
    status, _, err = run(capsys, target("mean"), "--repair", "there.py")
    assert status == 2
    assert "it exists, and --repair replaces no file" in err
    assert (mine / "there.py").read_text("utf-8") == "kept = True\n"
    status, _, err = run(capsys, "--repair", target("mean"))
    assert status == 2
    assert "TARGET stands before it" in err
    words = (target("mean"), target("bare"), "--repair", "new.py")
    assert "name one target" in run(capsys, *words)[2]
    assert "without a domain" in run(capsys, target("response"), "--domain", "0,1", "--repair")[2]
