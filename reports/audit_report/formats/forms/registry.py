"""A draft for the registry of deployments of differential privacy, in YAML, a document an audit.

The registry (registry.opendp.org) asks the deployer for much that no audit knows: these fields
say so in their text. What an audit knows is filled in where the registry expects it; the template
is ``registry.yaml``.
"""

import json
from collections.abc import Sequence

from provado.reports.audit_report.baseline import Deviation
from provado.reports.pages.frame import filled
from provado.reports.tasks.run import Record, Run, replay
from provado.reports.text import sentences
from provado.reports.text.formatting import clean

FILE = "registry.yaml"

ASKED = "(to be filled in: {})"
"""Stands where only the publisher knows the answer."""


def render(run: Run, _: Sequence[Deviation] | None = None) -> str:
    """Return the drafts; tier 3, since what tier 3 asks beyond the others is known best."""
    return "---\n".join(_deployment(run, record) for record in run.records)


def _deployment(run: Run, record: Record) -> str:
    rows = record.report.evidence
    return filled(
        f"audit_report/formats/forms/{FILE}",
        run=run,
        result=record.result,
        said=dict(rows),
        justification="\n".join(f"{name}: {text}" for name, text in rows),
        mechanism=_mechanism(run, record),
        words=sentences,
        json=json.dumps,
        text=_quoted,
        asked=lambda what: _quoted(ASKED.format(what)),
    )


def _quoted(text: str) -> str:
    """Return a text as JSON quotes it, which YAML reads alike."""
    return json.dumps("\n".join(map(clean, text.split("\n"))), ensure_ascii=False)


def _mechanism(run: Run, record: Record) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    code = [f"{name}: SHA-256 {digest}" for name, digest in record.code.items()]
    state = {True: ", nothing changed since", False: ", with changes since", None: ""}
    commit = run.provenance.commit
    lines = [
        f"Audited as {record.location or record.result.name}; Provado {run.provado}; {versions}.",
        *([f"Commit {commit}{state[run.provenance.clean]}."] if commit else []),
        *code,
        f"Reproduce: {replay(record)}",
    ]
    return "\n".join(lines)
