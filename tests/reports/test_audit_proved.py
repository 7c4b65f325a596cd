"""An audit of a program decides its claim beside the experiment: proved, certified, the gap."""

import json
import math
import re
import sys
from dataclasses import replace

import jsonschema
import pytest

from provado.audit import AuditResult
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, ReplaceOne, Verdict
from provado.mechanisms.definitions.mechanism import ProgramFinding
from provado.mechanisms.programs import Program
from provado.reports.audit_report.document import load_run
from provado.reports.cli.main import main
from provado.reports.documents import schema
from provado.reports.targets.proof_of_target import with_program
from provado.reports.text.proved import decided, gap_words, proved_sentences

MINE = """import contextlib
import math

from provado.mechanisms.programs import bernoulli, laplace, output


def mean(q, epsilon=1.0):
    output(q[0] + laplace(1 / epsilon))


def careless(q, epsilon=1.0):
    output(q[0] + laplace(1 / (2 * epsilon)))


def cells(q, epsilon=1.0):
    for x in q:
        output(x + laplace(1 / epsilon))


def response(x: int, epsilon=1.0):
    if bernoulli(math.exp(epsilon) / (1 + math.exp(epsilon))):
        output(x)
    else:
        output(1 - x)


def square(q, epsilon=1.0):
    output(q[0] * q[0] + laplace(1 / epsilon))


def outside(q, epsilon=1.0):
    with contextlib.nullcontext():
        output(q[0] + laplace(1 / epsilon))
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "mine_to_audit.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "d0.json").write_text("[0, 1]")
    (tmp_path / "d1.json").write_text("[1, 1]")
    (tmp_path / "x0.json").write_text("0")
    (tmp_path / "x1.json").write_text("1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_to_audit", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("mine_to_audit")
    sys.modules.pop("mine_to_audit", None)


def audit(capfd, name, *more, pair=("d0.json", "d1.json"), status=0):
    capfd.readouterr()
    words = [f"mine_to_audit.py:{name}", "--pair", *pair, "--samples", "4000", "--jobs", "1"]
    if "--epsilon" not in more:
        words += ["--epsilon", "1"]
    assert main(["audit", *words, *more]) == status
    out, err = capfd.readouterr()
    return " ".join(out.split()), err


def test_proved_certified_and_gap_stand_in_every_form(mine, capfd, tmp_path):
    out, _ = audit(capfd, "mean", "--out", "left", "--format", "markdown=left/a.md")
    assert (
        "Proof ε = 1 is proved, where each answer moves by at most 1, up or down; for all data"
        in out
    )
    gap = re.search(r" Certified: ε ≥ (\S+); the gap is (\S+)\.", out)
    assert float(gap[1]) + float(gap[2]) == pytest.approx(1, abs=1e-3)
    assert "A proof is about real numbers and the neighbors that it names" in out
    document = json.loads((tmp_path / "left/audit.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.AUDIT))
    (one,) = document["audits"]
    assert (one["program"]["verdict"], one["program"]["epsilon"]) == ("proved", 1.0)
    assert "the gap is" in one["evidence"]["Proved bound"]
    page = re.sub(r"<[^>]*>", " ", (tmp_path / "left/audit.html").read_text("utf-8"))
    text = re.sub(r"\s+", " ", page)
    for said in ("Proved: ε ≤ 1.", gap[0].strip(), "real numbers instead of floating point"):
        assert said in text
    markdown = (tmp_path / "left/a.md").read_text("utf-8")
    assert "the gap is" in markdown
    # What was written is read again, and rechecked.
    assert load_run(tmp_path / "left/audit.json").records[0].result.program.verdict == "proved"
    assert main(["report", "left/audit.json", "--recheck"]) == 0


def test_a_refuted_claim_is_shown_with_what_is_proved_instead(mine, capfd):
    out, _ = audit(capfd, "careless", status=1)
    assert "Note refuted by exact probabilities" in out
    assert "ε = 1 is refuted by exact probabilities, where" in out
    assert "The loss is ln of their ratio, 2, where 1 is claimed." in out
    assert "Proved: ε ≤ 2." in out


def test_a_refutation_that_the_experiment_missed_is_not_passed_over(mine, capfd, tmp_path):
    far = ("d0.json", "d1.json")
    more = [f"--format={one}=left/{one}" for one in ("markdown", "junit", "sarif")]
    few = ("--out", "left", "--samples", "8", *more)
    out, _ = audit(capfd, "careless", *few, pair=far, status=1)
    assert out.startswith("careless no violation found (refuted exactly) claimed ε = 1")
    assert "Note refuted by exact probabilities" in out
    assert "(as expected)" not in out
    left = {f.name: f.read_text("utf-8") for f in (tmp_path / "left").iterdir()}
    assert json.loads(left["audit.json"])["exit_status"] == 1
    assert "no violation found (refuted exactly), claimed ε = 1, certified ε ≥ " in left["junit"]
    assert "; exact probabilities refute the claim" in " ".join(left.values())
    assert 'failures="1"' in left["junit"]
    assert '"refuted-claim"' in left["sarif"]
    assert "❌" in left["markdown"]
    base = ("--baseline", "b.json", "--samples", "8")
    audit(capfd, "careless", *base, "--update-baseline", pair=far, status=1)
    audit(capfd, "careless", *base, pair=far, status=1)
    # The twin: what is proved, and as blind an experiment, ends with 0.
    audit(capfd, "mean", *base, "--update-baseline", pair=far)
    audit(capfd, "mean", *base, pair=far)
    page = (tmp_path / "left/audit.html").read_text("utf-8")
    assert "; exact probabilities refute the claim of <a" in page
    assert "The experiment found nothing; exact probabilities refute the claim." in page


def test_a_refutation_ends_with_1_by_configuration_too(mine, capfd, tmp_path):
    stated = (
        '[audits.{0}]\ntarget = "mine_to_audit.py:{0}"\nepsilon = 1\npairs = [[[0, 1], [1, 1]]]'
    )
    for name, status in (("careless", 1), ("mean", 0)):
        (tmp_path / "provado.toml").write_text(stated.format(name))
        assert main(["audit", name, "--samples", "8", "--jobs", "1"]) == status


def test_the_exact_epsilon_of_finite_data(mine, capfd):
    out, _ = audit(capfd, "response", pair=("x0.json", "x1.json"))
    assert "ε = 1 is proved, where the data point, in {0, 1}, is another; for" in out
    assert "The exact ε is 1." in out


@pytest.mark.parametrize(("name", "why"), [("square", "not linear"), ("outside", "with is not")])
def test_nothing_reassures_where_nothing_was_decided(mine, capfd, name, why):
    out, _ = audit(capfd, name)
    assert re.search(rf"Neither proved nor refuted: .*{why}.*\. Nothing is proved of ε\.", out)
    assert "the gap is" not in out
    assert "Proved: " not in out


def test_no_proof_beside_what_makes_no_pure_claim(mine, capfd):
    assert "proved" not in audit(capfd, "mean", "--delta", "1e-6")[0]


# Which neighbors. -----------------------------------------------------------------------------


def result(**more):
    given = {"name": "one", "reason": "", "epsilon": 1.0, "delta": 0.0, "confidence": 0.95}
    return AuditResult(
        **given, seed=0, samples=1, verdict=Verdict.NO_VIOLATION, pairs=(object(),), **more
    )


def found(function, **claim):
    return with_program(Program(function), {"relation": None, **claim}, result()).program


def test_the_relation_is_the_one_stated(mine):
    pair = [([0.0, 1.0], [1.0, 0.0])]
    for relation, verdict in (
        (BoundedAnswers(), "refuted"),
        (BoundedAnswers(at_most=1), "proved"),
        (BoundedAnswers(sensitivity=2.0, at_most=1), "refuted"),
        # At most two of them: a proof for all would do, a counterexample in all is none here.
        (BoundedAnswers(at_most=2), "undecided"),
        (AddOrRemoveOne(), "undecided"),
    ):
        assert found(mine.cells, pair=pair, relation=relation).verdict == verdict


def test_without_one_it_holds_the_pairs(mine):
    assert found(mine.cells, pair=[([0.0, 1.0], [1.0, 1.0])]).relation.startswith("at most one")
    assert found(mine.mean, pair=[([0.0], [0.5])]).relation.startswith("each answer moves by at mo")
    assert "1/2" in found(mine.mean, pair=[([0.0], [0.5])]).relation
    assert found(mine.cells, pair=[([0.0, 1.0], [1.0, 0.0])]).verdict == "refuted"
    assert found(mine.mean, pair=[([1.0], [1.0])]).verdict == "undecided"
    assert found(mine.mean, pair=[([1.0], [1.0, 2.0])]).verdict == "undecided"
    assert found(mine.mean, pair=[("a", "b")]).verdict == "undecided"


def test_a_record_that_is_replaced_is_one_answer_within_its_range(mine):
    given = {"data": [0.0, 0.5], "relation": ReplaceOne()}
    assert found(mine.cells, domain=(0, 1), **given).verdict == "proved"
    assert found(mine.cells, domain=(0, 2), **given).verdict == "undecided"
    assert found(mine.response, pair=[(0, 1)], relation=ReplaceOne()).exact


def test_a_prover_that_breaks_leaves_the_experiment_alone(mine, monkeypatch):
    def broken(*_, **__):
        raise MemoryError

    monkeypatch.setattr("provado.proofs.programs.decide.decide", broken)
    assert found(mine.mean, pair=[([0.0], [1.0])]).reason == "the prover broke: MemoryError"


def test_an_audit_that_was_not_completed_gets_no_proof(mine):
    cut = replace(result(), reason="interrupted", verdict=Verdict.UNKNOWN)
    claim = {"relation": None, "pair": [([0.0], [1.0])]}
    assert with_program(Program(mine.mean), claim, cut).program is None


def test_a_certified_bound_above_the_proved_one_is_no_gap():
    beyond = ProgramFinding("proved", "1", "near", "", epsilon=-0.5)
    said = gap_words(replace(result(), pairs=(), program=beyond))
    assert "0.5 above what is proved" in said
    assert "the gap is" not in said


def test_words_of_nothing_and_of_an_unbounded_loss():
    assert proved_sentences(result()) == []
    lost = ProgramFinding("refuted", "1", "near", "", loss=math.inf, words=("No ε is enough.",))
    assert proved_sentences(replace(result(), program=lost)) == [decided(lost), "No ε is enough."]


RELEASED = """
import numpy as np

RNG = np.random.default_rng()


def total(x, epsilon=1.0):
    return np.sum(x) + np.random.laplace(scale=1 / epsilon)


def careless(x, epsilon=1.0):
    return np.sum(x) + np.random.laplace(scale=0.5 / epsilon)


def unread(x, epsilon=1.0):
    return x[np.argsort(x)[0]] + np.random.laplace(scale=1 / epsilon)
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("total", "ε = 1 is proved, where one record is replaced by another"),
        ("careless", "ε = 1 is refuted"),
        ("unread", ""),
    ],
)
def test_a_function_of_records_is_proved_beside_its_audit(
    tmp_path, monkeypatch, capsys, name, said
):
    (tmp_path / f"released_{name}.py").write_text(RELEASED, encoding="utf-8")
    (tmp_path / "data.json").write_text("[0, 1, 1, 0]", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = ["audit", f"released_{name}.py:{name}", "--epsilon", "1", "--data", "data.json"]
    words += ["--domain", "0:1", "--relation", "replace-one", "--samples", "2000", "--seed", "0"]
    main([*words, "--explore", "2000"])
    out, err = capsys.readouterr()
    assert not err, err
    assert said in " ".join(out.split())
    assert bool(said) == ("Proof " in out)
    assert ("Proved: ε ≤ 1." in " ".join(out.split())) == (name == "total")
