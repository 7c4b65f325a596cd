"""What limits a result stands in every form of it, before what else is said of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from provado.audit import AuditResult
from provado.audit.search.request import SearchRecord
from provado.mechanisms import Verdict
from provado.reports.audit_report.document import run_from_json, run_to_json
from provado.reports.audit_report.formats import FORMATS, render
from provado.reports.commands.audit import show_run
from provado.reports.commands.recheck.recheck import recheck_document, record_differences
from provado.reports.pytest_plugin import audit_fixture as in_pytest
from provado.reports.pytest_plugin.settings import SessionSettings as PytestSettings
from provado.reports.pytest_plugin.state import AUDIT, lines
from provado.reports.pytest_plugin.state import CallRecord as Reported
from provado.reports.tasks.run import Record, Run, Settings

LIMIT = "Only 66 of 151 planned pairs were tried."
ASKED = Settings(1000, None, 0.95, 0, 3600.0)


def limited(result: AuditResult) -> AuditResult:
    return replace(result, limitations=(LIMIT,))


def run_of(*results: AuditResult) -> Run:
    records = tuple(Record(one, (), ASKED) for one in results)
    return Run("0.1.0", {"python": "3.11.0"}, ASKED, records)


def text_of(rendered: str, name: str) -> str:
    """Return what a reader of the form sees."""
    plain = re.sub(r"<[^>]*>", " ", rendered) if name == "html" else rendered
    return unescape(plain)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "issue"])
def test_every_form_of_a_pass_states_its_limitations(name: str, clear: AuditResult) -> None:
    assert clear.verdict is Verdict.NO_VIOLATION
    assert LIMIT in text_of(render(run_of(limited(clear)), name, None), name)
    assert LIMIT not in text_of(render(run_of(clear), name, None), name)


def test_a_bug_report_states_them_first(violating: AuditResult) -> None:
    report = unescape(render(run_of(limited(violating)), "issue", None))
    assert report.index(LIMIT) < report.index("certified ε ≥")


def test_a_terminal_states_them_however_many_audits_there_were(
    clear: AuditResult, capsys: pytest.CaptureFixture[str]
) -> None:
    show_run(run_of(*[clear] * 5, limited(clear)))
    printed = capsys.readouterr().out
    assert f"\n  Limitation   {LIMIT}\n" in printed
    assert "1 audit with limitations, below." in printed
    assert printed.count("\n  Reproduce  ") == 1
    head = printed.index(f"\n  Limitation   {LIMIT}")
    assert "D = [" not in printed[:head]


def test_a_notebook_and_a_test_state_them_before_the_finding(clear: AuditResult) -> None:
    result = limited(clear)
    assert LIMIT.rstrip(".") in str(result)
    shown = unescape(result._repr_html_())
    assert shown.index(LIMIT) < shown.index("D = [")
    said = in_pytest.sentence(result)
    assert said.index(LIMIT) < said.index("nine runs of ten")
    failed = in_pytest.failure(result, Verdict.VIOLATION, "again", "here", twin=False)
    assert failed.index(LIMIT) < failed.index("D = [")
    unknown = replace(result, verdict=Verdict.UNKNOWN, reason="time was over")
    assert LIMIT in in_pytest.failure(unknown, Verdict.NO_VIOLATION, "a", "b", twin=False)


@pytest.mark.parametrize("verbosity", [-1, 0, 1])
def test_the_summary_of_a_session_names_each_limited_test(verbosity: int) -> None:
    reported = [
        Reported(AUDIT, f"t{i}", 1, f"mean: {LIMIT if i else ''}", "pass", True, "", limited=i > 0)
        for i in range(2)
    ]
    told = lines(reported, PytestSettings(), verbosity)
    assert any("t1" in line and LIMIT in line for line in told)
    assert not any("limited: t0" in line for line in told)


def test_a_page_marks_them_and_states_them_first(clear: AuditResult) -> None:
    page = render(run_of(limited(clear)), "html", None)
    body = page[page.index('class="finding limitations"') :]
    assert unescape(body).index(LIMIT) < body.index("D = [")
    assert ">limited</span>" in page
    assert ">limited</span>" not in render(run_of(clear), "html", None)


def test_a_document_keeps_them_through_a_recheck(clear: AuditResult) -> None:
    document = json.loads(json.dumps(run_to_json(run_of(limited(clear)))))
    (audit,) = document["audits"]
    assert audit["limitations"] == [LIMIT]
    assert next(iter(audit["evidence"])) == "Limitations"
    assert run_from_json(document).results[0].limitations == (LIMIT,)
    audit["evidence"].pop("Limitations")
    (_, checked) = recheck_document(document)
    assert any(one.startswith("evidence: ") for one in checked.differences)


def test_a_document_without_any_is_that_of_a_version_before_them(clear: AuditResult) -> None:
    document = json.loads(json.dumps(run_to_json(run_of(clear))))
    assert "limitations" not in document["audits"][0]
    assert run_from_json(document).results[0].limitations == ()


def test_a_recheck_holds_a_pass_to_the_record_of_its_search(clear: AuditResult) -> None:
    made = {
        "domain": "0 or 1",
        "inferred": False,
        "outside_data": False,
        "construction": "the data, one added",
    }
    ended = {"timed": True, "cut": True, "planned_runs": 10**6, "cut_after": 999}
    searched = SearchRecord(**made, **ended, pairs=66, runs=999, kinds=(), planned=151, tried=66)
    (said,) = searched.limitations
    assert said == "66 of 151 planned pairs tried; run longer for the rest."

    def differences(searched: SearchRecord, *limitations: str) -> list[str]:
        result = replace(clear, search=searched, limitations=limitations)
        found = record_differences(Record(result, (), ASKED))
        return [one for one in found if "search" in one or "neighbors" in one]

    assert not differences(searched, said)
    assert differences(searched)
    assert differences(replace(searched, tried=151))
    assert not differences(replace(searched, tried=151, cut=False))
    left = replace(searched, tried=151, cut=False, mandatory=9, skipped=2, seconds_needed=40.0)
    assert "7 of the 9 pairs" in differences(left)[0]
    violated = replace(clear, search=left, verdict=Verdict.VIOLATION)
    assert not any("7 of" in one for one in record_differences(Record(violated, (), ASKED)))
