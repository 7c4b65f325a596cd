"""A draft for the registry of deployments of differential privacy, in YAML, a document an audit.

The registry (registry.opendp.org) asks the deployer for much that no audit knows: these fields
say so in their text. What an audit does know stands where the registry looks for it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from provado.audit.result import AuditResult
from provado.reports.audit_report.baseline import Deviation
from provado.reports.tasks.run import Record, Run, replay
from provado.reports.text import sentences
from provado.reports.text.formatting import clean

FILE = "registry.yaml"

ASKED = "(to be filled in: {})"
"""Stands where only the publisher knows the answer."""


def render(run: Run, _: Sequence[Deviation] | None = None) -> str:
    """Return the drafts; tier 3, since what tier 3 asks beyond the others is known best."""
    documents = (_deployment(run, record) for record in run.records)
    return "---\n".join("".join(_lines(document)) for document in documents)


def _deployment(run: Run, record: Record) -> dict[str, Any]:
    result = record.result
    rows = record.report.evidence
    said = dict(rows)
    date = run.provenance.date[:10] or "1970-01-01"
    return {
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "product": {
                "name": clean(result.name) or ASKED.format("its name"),
                "data_curators": [ASKED.format("who publishes")],
                "intended_use": ASKED.format("what the data product is for"),
                "data_product_type": ASKED.format("such as summary statistics"),
                "data_product_region": ASKED.format("whose data"),
                "description": result.summary or ASKED.format("what is released"),
                "publication_date": date,
                "data_product_sector": ASKED.format("such as health"),
            },
            "dp_flavor": {
                "name": "Approximate DP" if result.delta else "Pure DP",
                "data_domain": said["Data domain"],
                "unprotected_quantities": said["Neighboring relation"],
            },
            "privacy_loss": {
                "privacy_unit": ASKED.format("what one record is, such as a user"),
                "privacy_unit_description": f"Neighbors: {said['Neighboring relation']}.",
                "privacy_parameters": {"epsilon": result.epsilon, "delta": result.delta},
                "privacy_parameters_description": _parameters(result),
            },
            "model": {
                "model_name": ASKED.format("Central, Local, Shuffle or Federated"),
                "actors": ASKED.format("who sees what, and whom they trust"),
                "release_type": ASKED.format("One release or Continual"),
                "data_source_type": ASKED.format("Static or Dynamic"),
                "access_type": ASKED.format("Interactive or Non-interactive"),
            },
            "accounting": {
                "post_processing": ASKED.format("what is done with the output"),
                "composition": ASKED.format("what else is released from the same data"),
            },
            "implementation": {
                "pre_processing_eda_hyperparameter_tuning": ASKED.format("and what it cost"),
                "mechanisms": _mechanism(run, record),
                "justification": "\n".join(f"{name}: {text}" for name, text in rows),
            },
            "resources": {
                "sources": result.source or ASKED.format("papers and pages"),
                "registry_authors": [run.provenance.who or ASKED.format("your name")],
            },
        },
    }


def _parameters(result: AuditResult) -> str:
    return (
        f"The claim {sentences.claim(result)} was audited: {result.verdict}, "
        f"certified {sentences.limit(result)}."
    )


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


def _lines(value: dict[str, Any], deep: int = 0) -> Iterator[str]:
    """Yield YAML; every text is quoted as JSON quotes it, which YAML reads alike."""
    for key, entry in value.items():
        if isinstance(entry, dict):
            yield f"{'  ' * deep}{key}:\n"
            yield from _lines(entry, deep + 1)
        else:
            yield f"{'  ' * deep}{key}: {json.dumps(_clean(entry), ensure_ascii=False)}\n"


def _clean(entry: Any) -> Any:
    if isinstance(entry, list):
        return [_clean(item) for item in entry]
    if isinstance(entry, str):
        return "\n".join(clean(line) for line in entry.split("\n"))
    return entry
