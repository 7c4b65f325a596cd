"""The keys of a configuration and its JSON Schema, made from the declaration of the options."""

from functools import cache
from typing import Any

from provado.audit.options import declaration
from provado.audit.options.declaration import OPTIONS, named, taken_by
from provado.reports.documents.schema import CONFIG
from provado.reports.targets.argument_parser import PROVE_OPTIONS

EXPECTED = next(tuple(one.domain.form["enum"]) for one in OPTIONS if one.name == "expected")

EXCLUSIVE = tuple(tuple(named(name).in_file for name in group) for group in declaration.EXCLUSIVE)
"""Of each group one key at most; an audit's own key puts the default of the others aside."""

_AUDITS = taken_by(declaration.PAIRS, declaration.ONE_RUN, declaration.COMMAND)
_ROWS = {"audit": _AUDITS, "proof": PROVE_OPTIONS, "replay": taken_by(declaration.REPLAY)}
_TABLES = {
    "audits": ("audit", "", "the audits, each by its name"),
    "prove": ("proof", " of tables, [prove.NAME]", "the claims to prove, each by its name"),
    "replay": (
        "replay",
        " of tables, [replay.NAME]",
        "the counterfactual replays, each by its name",
    ),
}
TABLES = ("defaults", *_TABLES)


@cache
def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of ``provado.toml``, or of the table ``tool.provado``."""
    tables = {
        name: {
            "type": "object",
            "additionalProperties": {"$ref": f"#/$defs/{kind}"},
            "$comment": f"it must be a table{more}",
            "description": words,
        }
        for name, (kind, more, words) in _TABLES.items()
    }
    defaults = {
        "properties": {"target": {"not": {}}, "canaries": {"not": {}}},
        "$ref": "#/$defs/audit",
        "description": "what holds for every audit that does not say otherwise",
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": CONFIG,
        "title": "provado.toml, or the table tool.provado of a pyproject.toml",
        **_table({**run_keys(), "defaults": defaults, **tables}),
        "$defs": {kind: _table(keys_of(kind)) for kind in _ROWS},
    }


def _table(keys: dict[str, Any]) -> dict[str, Any]:
    closed = {"additionalProperties": False, "properties": keys}
    return {"type": "object", **closed, "$comment": "it must be a table"}


@cache
def keys_of(kind: str) -> dict[str, Any]:
    """Return the keys of an ``audit``, a ``proof`` or a ``replay``, each with its JSON Schema."""
    return {
        one.in_file: one.schema(kind) for one in _ROWS[kind] if one.at.table == declaration.AUDIT
    }


def audit_keys() -> dict[str, Any]:
    """Return the keys of an audit, each with its part of the JSON Schema."""
    return keys_of("audit")


@cache
def run_keys() -> dict[str, Any]:
    """Return the keys that hold for a whole run, each with its part of the JSON Schema."""
    return {
        one.in_file: one.schema(declaration.RUN)
        for one in OPTIONS
        if one.at.table == declaration.RUN
    }
