"""The chance of a false alarm is that of the whole run, shared by its audits."""

import json

import pytest

from provado.reports.cli import main
from provado.reports.recheck import recheck_document


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
