"""Every format is accepted by its published schema, whatever a mechanism calls itself."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from provado.audit import AuditResult
from provado.mechanisms import UsageError, Verdict
from provado.reports.audit_report.baseline import baseline_of, compare
from provado.reports.audit_report.formats import FORMATS, parse_choices, render
from provado.reports.audit_report.formats.finding import Reason, findings
from provado.reports.audit_report.formats.forms.markdown import escape
from provado.reports.documents.write import write_all
from provado.reports.tasks.run import Record, Run, Settings

SCHEMAS = Path(__file__).parent / "schemas"
SARIF = jsonschema.Draft4Validator(
    json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
)
REGISTRY = jsonschema.Draft202012Validator(
    json.loads((SCHEMAS / "registry.json").read_text(encoding="utf-8"))
)
XSD = etree.XMLSchema(etree.parse(str(SCHEMAS / "junit-10.xsd")))

hostile = st.text(
    st.one_of(
        st.sampled_from("\x00\x07\x1b\r\n\t\u2028\ufffe\uffff\u202e|`<>&\"'\\*_[]()!#🙈é]]>"),
        st.characters(exclude_categories=()),
    ),
    max_size=12,
)


@dataclass(frozen=True)
class Runs:
    """Makes runs of all verdicts, expected and not, whose every text is hostile."""

    examples: tuple[AuditResult, ...]

    def draw(self, data: st.DataObject) -> Run:
        return _run(*(self._record(data) for _ in range(data.draw(st.integers(0, 4)))))

    def _record(self, data: st.DataObject) -> Record:
        result = data.draw(st.sampled_from(self.examples))
        words = data.draw(st.lists(hostile, min_size=5, max_size=5))
        result = replace(
            result,
            name=words[0],
            notes=(words[1],),
            limitations=data.draw(st.sampled_from([(), (words[2],)])),
            reason=result.reason and words[2],
            expected=data.draw(st.sampled_from([None, Verdict.VIOLATION, Verdict.NO_VIOLATION])),
            seconds=data.draw(st.floats(0, 1e6)),
        )
        location = f"{words[4]}:{data.draw(st.integers(1, 99))}"
        return Record(result, (words[3],), ASKED, location)


ASKED = Settings(1000, None, 0.95, 0, 3600.0)


def _run(*records: Record) -> Run:
    return Run("0.1.0", {}, Settings(1000, None, 0.9, 0, 3600.0), records)


@pytest.fixture(scope="session")
def runs(clear: AuditResult, violating: AuditResult, run: Run) -> Runs:
    return Runs(run.results)


@settings(max_examples=50)
@given(st.data())
def test_sarif_is_accepted_by_the_published_schema(runs: Runs, data: st.DataObject) -> None:
    SARIF.validate(json.loads(render(runs.draw(data), "sarif")))


@given(st.data())
def test_junit_is_accepted_by_the_published_schema(runs: Runs, data: st.DataObject) -> None:
    run = runs.draw(data)
    text = render(run, "junit")
    XSD.assertValid(etree.fromstring(text.encode("utf-8")))
    suite = ElementTree.fromstring(text)[0]
    assert len(suite.findall("testcase")) == len(run.records)


@settings(max_examples=50)
@given(st.data())
def test_a_draft_for_the_registry_has_its_fields(runs: Runs, data: st.DataObject) -> None:
    run = runs.draw(data)
    documents = list(yaml.safe_load_all(render(run, "registry")))
    assert len(documents) == len(run.records)
    for document, record in zip(documents, run.records, strict=True):
        REGISTRY.validate(document)
        stated = document["deployment"]["privacy_loss"]["privacy_parameters"]
        assert stated == {"epsilon": record.result.epsilon, "delta": record.result.delta}
        broken = copy.deepcopy(document)
        broken["deployment"]["product"].pop("name")
        assert not REGISTRY.is_valid(broken)


@settings(max_examples=50)
@given(st.data())
def test_a_bug_report_has_no_markup_of_a_mechanism(runs: Runs, data: st.DataObject) -> None:
    run = runs.draw(data)
    text = render(run, "issue")
    unexpected = [one for one in findings(run) if one.kind is Reason.VIOLATION]
    assert len(re.findall("^# ", text, re.MULTILINE)) == len(unexpected)
    assert len(re.findall("^`{3,}", text, re.MULTILINE)) == 2 * len(unexpected)
    outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert not set(outside) & set("<`")


@settings(max_examples=50)
@given(st.data())
def test_differences_from_a_baseline_keep_to_the_schemas(runs: Runs, data: st.DataObject) -> None:
    run = runs.draw(data)
    differences = compare(run, baseline_of(runs.draw(data)))
    SARIF.validate(json.loads(render(run, "sarif", differences)))
    XSD.assertValid(etree.fromstring(render(run, "junit", differences).encode("utf-8")))
    render(run, "markdown", differences)


@given(st.data())
def test_no_text_of_a_mechanism_is_markup_in_the_summary(runs: Runs, data: st.DataObject) -> None:
    run = runs.draw(data)
    lines = render(run, "markdown").splitlines()
    rows = [line for line in lines if line.startswith("| ") and "---" not in line]
    assert all(line.count("|") == 7 for line in rows)
    assert len(rows) == (len(run.records) + 1 if run.records else 0)
    folds = "<details><summary>Evidence: ", "</summary>", "</details>"
    plain = [reduce(lambda text, fold: text.replace(fold, ""), folds, line) for line in lines]
    outside = [line for line in plain if not line.startswith("<pre><code>")]
    assert not any("<" in line or "`" in line for line in outside)
    inside = [line[11:-13] for line in lines if line.startswith("<pre><code>")]
    assert not any("<" in line for line in inside)


def test_what_breaks_the_schemas_is_refused(run: Run) -> None:
    document = json.loads(render(run, "sarif"))
    for change in (
        lambda log: log["runs"][0]["results"][0].update(level="fatal"),
        lambda log: log["runs"][0]["results"][0].pop("message"),
        lambda log: log["runs"][0].update(unknown=1),
        lambda log: log.update(version="2.2.0"),
    ):
        broken = copy.deepcopy(document)
        change(broken)
        assert not SARIF.is_valid(broken)
    suite = etree.fromstring(render(run, "junit").encode("utf-8"))
    assert XSD.validate(suite)
    for path, change in (
        (".//testcase", lambda element: element.attrib.pop("name")),
        (".//testsuite", lambda element: element.attrib.pop("tests")),
        (".//testsuite", lambda element: element.set("time", "long")),
        (".//failure", lambda element: setattr(element, "tag", "failed")),
    ):
        broken_suite = copy.deepcopy(suite)
        change(broken_suite.find(path))
        assert not XSD.validate(broken_suite)


def test_junit_fails_surprises_and_only_those(run: Run) -> None:
    suite = ElementTree.fromstring(render(run, "junit"))[0]
    found = {case.get("name"): [child.tag for child in case] for case in suite.findall("testcase")}
    assert found == {
        "clear": ["system-out"],
        "violating": ["failure"],
        "approximate": ["system-out"],
        "broken": ["error"],
    }
    assert (suite.get("failures"), suite.get("errors")) == ("1", "1")
    failure = suite.find(".//failure")
    assert failure is not None
    assert "D′ = do(D[2] = 7)" in str(failure.text)
    assert "Reproduce: provado audit x:1" in str(failure.text)


def test_sarif_reports_what_a_person_must_see(run: Run) -> None:
    log = json.loads(render(run, "sarif"))["runs"][0]
    found = [(one["ruleId"], one["level"]) for one in log["results"]]
    assert found == [
        ("privacy-violation", "error"),
        ("expected-violation", "note"),
        ("not-completed", "warning"),
    ]
    rules = log["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in log["results"])
    assert log["invocations"][0]["exitCode"] == run.exit_status == 1
    assert not log["invocations"][0]["executionSuccessful"]


def test_a_violation_that_was_expected_and_not_found_is_a_failure(clear: AuditResult) -> None:
    run = _run(Record(replace(clear, expected=Verdict.VIOLATION), ("again",), ASKED))
    assert [one.kind for one in findings(run)] == [Reason.MISSED_VIOLATION]
    assert 'failures="1"' in render(run, "junit")


def test_locations_are_relative_and_fingerprints_outlive_other_lines(
    violating: AuditResult,
) -> None:
    def result(location: str) -> dict[str, Any]:
        log = json.loads(render(_run(Record(violating, ("again",), ASKED, location)), "sarif"))
        found: dict[str, Any] = log["runs"][0]["results"][0]
        return found

    one, other = result("src/my mechanism.py:12"), result("src/my mechanism.py:99")
    assert one["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "src/my%20mechanism.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 12},
    }
    assert one["partialFingerprints"] == other["partialFingerprints"]
    assert one["partialFingerprints"] != result("src/b.py:12")["partialFingerprints"]
    assert "physicalLocation" not in result("")["locations"][0]


def test_the_baseline_decides_what_fails(violating: AuditResult, clear: AuditResult) -> None:
    run, empty = _run(Record(violating, ("again",), ASKED)), _run()
    same = compare(run, baseline_of(run))
    log = json.loads(render(run, "sarif", same))["runs"][0]
    assert [one["ruleId"] for one in log["results"]] == ["expected-violation"]
    assert log["invocations"][0]["exitCode"] == 0
    gone = compare(empty, baseline_of(_run(Record(clear, ("again",), ASKED))))
    suite = ElementTree.fromstring(render(empty, "junit", gone))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert "❌ Provado: 1 of 1 audits failed" in render(empty, "markdown", gone)


@given(st.text())
def test_escaped_text_holds_no_sign_of_markup(text: str) -> None:
    escaped = escape(text)
    assert "\n" not in escaped
    assert not set(re.sub(r"&#\d+;|\\_", "", escaped)) & set("\\|`<>&*[]~#!$_")


def test_a_name_stays_in_its_cell(violating: AuditResult) -> None:
    text = render(_run(Record(replace(violating, name="a | b"), ("again",), ASKED)), "markdown")
    assert "a | b" not in text
    assert "| a &#124; b |" in text


def test_formats_are_written_under_their_names(run: Run, tmp_path: Path) -> None:
    texts = {tmp_path / file: render(run, format) for format, file in FORMATS.items()}
    write_all(texts)
    files = list(texts)
    assert [file.name for file in files] == list(FORMATS.values())
    assert all(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["sraif"], "did you mean sarif?"),
        (["pdf"], "must be one of html, issue, json"),
        (["junit="], "the file is missing"),
        (["sarif", "junit"], "standard output takes one format"),
        (["sarif=a", "junit=./a"], "two formats would be written to 'a'"),
        ([""], "must be one of"),
    ],
)
def test_wrong_formats_are_refused(words: list[str], part: str) -> None:
    with pytest.raises(UsageError, match=re.escape(part)):
        parse_choices(words)
