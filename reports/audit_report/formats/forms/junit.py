"""JUnit XML, as Jenkins and most other servers read it: one suite, one test case an audit.

The form is that of the schema ``junit-10.xsd`` of Jenkins' xUnit plug-in.
"""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from provado.reports.audit_report.baseline import Deviation
from provado.reports.audit_report.formats.finding import AuditFinding, Reason, findings, vanished
from provado.reports.tasks.run import Run, replay
from provado.reports.text.formatting import clean

FILE = "junit.xml"


def render(run: Run, differences: Sequence[Deviation] | None = None) -> str:
    """Return the run as JUnit XML.

    A surprise is a failure with its witness in words, an unknown an error with its reason; a
    violation that was expected passes and says so in ``system-out``. All text is made of
    printable characters, so that nothing a mechanism prints can make the file ill-formed.
    """
    found, gone = findings(run, differences), vanished(run, differences)
    failures = sum(finding.kind.fails for finding in found) + len(gone)
    errors = sum(finding.kind is Reason.UNKNOWN for finding in found)
    suite = Element(
        "testsuite",
        name="provado",
        tests=str(len(found) + len(gone)),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
        time=_seconds(sum(record.result.seconds for record in run.records)),
    )
    properties = SubElement(suite, "properties")
    facts = ("provado", run.provado), ("confidence", repr(run.settings.confidence))
    for name, value in (*facts, ("seed", str(run.settings.seed))):
        SubElement(properties, "property", name=name, value=clean(value))
    for audit_finding in found:
        _case(suite, audit_finding)
    for missing in gone:
        case = SubElement(suite, "testcase", _named(missing.name), time="0.000")
        SubElement(case, "failure", type=str(Reason.BASELINE), message=missing.words)
    counts = {key: suite.attrib[key] for key in ("tests", "failures", "errors")}
    root = Element("testsuites", {"name": "provado", **counts})
    root.append(suite)
    indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _case(suite: Element, finding: AuditFinding) -> None:
    result = finding.record.result
    case = SubElement(suite, "testcase", _named(finding.name), time=_seconds(result.seconds))
    text = "\n".join((*finding.sentences, f"Reproduce: {clean(replay(finding.record))}"))
    if finding.kind is Reason.UNKNOWN or finding.kind.fails:
        tag = "error" if finding.kind is Reason.UNKNOWN else "failure"
        answer = SubElement(case, tag, type=str(finding.kind), message=finding.headline)
        answer.text = text
    else:
        SubElement(case, "system-out").text = f"{finding.headline}\n{text}"


def _named(name: str) -> dict[str, str]:
    return {"name": name, "classname": "provado.audit"}


def _seconds(value: float) -> str:
    return f"{value:.3f}"
