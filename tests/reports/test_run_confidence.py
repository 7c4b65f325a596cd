"""The chance of a false alarm is that of the whole run, shared by its audits."""

import json

import pytest

from provado.reports.audit_report.document import digest, run_from_json
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import recheck_document
from provado.reports.text.report import evidence


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    asked = ["audit", "--catalogue", "--only", "randomized-response/*", "--samples", "2000"]
    assert main([*asked, "--confidence", "0.9", "--out", str(out)]) == 0
    return json.loads((out / "audit.json").read_text())


def test_each_audit_gets_an_equal_share(document):
    assert document["settings"]["confidence"] == 0.9
    assert [audit["confidence"] for audit in document["audits"]] == pytest.approx([0.95, 0.95])
    assert all("--confidence 0.95" in audit["replay"] for audit in document["audits"])


def test_the_run_is_rechecked(document):
    assert all(checked.agrees for checked in recheck_document(document))


def test_a_run_that_claims_more_than_its_audits_keep_is_caught(document):
    document = {**document, "settings": {**document["settings"], "confidence": 0.99}}
    first, *others = recheck_document(document)
    assert "alpha" in first.differences[0]
    assert all(checked.agrees for checked in others)


def test_shares_of_a_confidence_near_1_agree(tmp_path):
    asked = ["audit", "--catalogue", "--only", "randomized-response/*", "--samples", "300"]
    main([*asked, "--confidence", "0.99999999", "--out", str(tmp_path)])
    document = json.loads((tmp_path / "audit.json").read_text())
    assert all(checked.agrees for checked in recheck_document(document))


def test_an_audit_that_was_removed_is_noticed_even_with_a_new_digest(document):
    less = {**document, "audits": document["audits"][:1]}
    less["digest"] = digest(less)
    first, *_ = recheck_document(less)
    assert first.differences == (
        "alpha: randomized-response/binary has 0.05; an equal share of 1 audits is 0.1",
    )


def test_a_run_that_was_interrupted_may_have_had_more_audits(document):
    first = {**document["audits"][0], "verdict": "unknown", "reason": "interrupted", "pairs": []}
    first |= {"surprising": False, "epsilon_lower": 0.0, "power": ""}
    less = {**document, "audits": [first], "exit_status": 3}
    (record,) = run_from_json(less).records
    first["evidence"] = dict(evidence(record.result, anytime=False))
    less["digest"] = digest(less)
    assert [checked.differences for checked in recheck_document(less)] == [(), ()]
