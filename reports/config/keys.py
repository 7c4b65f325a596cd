"""The keys of a configuration, its JSON Schema and a first ``provado.toml``.

Keys and schema are made from the declaration of the options; the claims of a first file are left
to be filled in.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from provado.audit.options import declaration
from provado.audit.options.declaration import AUDIT, OPTIONS, RELATIONS, RUN, named, taken_by
from provado.reports.documents.schema import CONFIG
from provado.reports.targets.argument_parser import PROVE_OPTIONS, is_name
from provado.reports.targets.scan import FoundMechanism
from provado.reports.text.formatting import clean

EXPECTED = next(tuple(item.domain.form["enum"]) for item in OPTIONS if item.name == "expected")

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
    return {row.in_file: row.schema(kind) for row in _ROWS[kind] if row.at.table == AUDIT}


@cache
def run_keys() -> dict[str, Any]:
    """Return the keys that hold for a whole run, each with its part of the JSON Schema."""
    return {option.in_file: option.schema(RUN) for option in OPTIONS if option.at.table == RUN}


def template(mechanisms: Sequence[FoundMechanism]) -> str:
    """Return the text of a configuration with one audit for each mechanism found."""
    head = resources.files(__package__).joinpath("head.toml")
    parts = [head.read_text(encoding="utf-8")]
    usable = [mechanism for mechanism in mechanisms if not (mechanism.needs or mechanism.unsure)]
    parts += [_audit(name, item) for name, item in zip(_names(usable), usable, strict=True)]
    example = FoundMechanism("count", "mine.py:noisy_count", "", 1)
    parts += [] if usable else [_commented(_audit("count", example))]
    parts += [_wrapper(item) for item in mechanisms if item.needs and not item.unsure]
    parts += [_unsure(mechanism) for mechanism in mechanisms if mechanism.unsure]
    parts.append(_known())
    return "\n".join(parts)


def _names(mechanisms: Iterable[FoundMechanism]) -> list[str]:
    """Return a name for each audit: the function's, with its file's where two share one."""
    listed = list(mechanisms)
    times = Counter(mechanism.name for mechanism in listed)
    names: list[str] = []
    for item in listed:
        stem = item.target.rpartition(":")[0].removesuffix(".py").replace("/", "-")
        name = item.name if times[item.name] == 1 else f"{stem}-{item.name}"
        name = "".join(c if is_name(f"a{c}") else "-" for c in name)
        names.append(name if is_name(name) and name not in names else f"audit-{len(names) + 1}")
    return names


def _audit(name: str, item: FoundMechanism) -> str:
    key = name if name.isascii() and "." not in name else json.dumps(name, ensure_ascii=False)
    lines = [f"[audits.{key}]", f"target = {_quoted(item.target)}  # line {item.line}: {item.why}"]
    if item.pairs:
        lines += [
            "# pairs = [[[0, 1, 1], [0, 1, 0]]]  # a pair of neighbors; the target states its "
            "claim",
            f'# relation = "{RELATIONS[0]}"  # the relation of these neighbors',
        ]
    if item.stated:
        return "\n".join(lines) + "\n"
    if item.epsilon is not None:
        lines.append(
            f"epsilon = {item.epsilon!r}  # the default of the parameter; check that it is the "
            "claim"
        )
    else:
        lines.append("# epsilon = 1.0  # the claimed ε; with δ > 0 also delta = 1e-6")
    relations = " or ".join(map(_quoted, RELATIONS[1:]))
    lines += [
        f'# relation = "{RELATIONS[0]}"  # the neighboring relation; or {relations}',
        '# data = [0, 1, 1]  # one dataset, or the name of a file such as "people.csv"',
    ]
    return "\n".join(lines) + "\n"


def _wrapper(value: FoundMechanism) -> str:
    needs = ", ".join(value.needs)
    return (
        f"# {clean(value.target)} (line {value.line}) also takes {needs}: to audit it, write a\n"
        "# function of the data alone that calls it, and name that function here.\n"
    )


def _unsure(mechanism: FoundMechanism) -> str:
    return (
        f"# {clean(mechanism.target)} (line {mechanism.line}): no noise was found in it. If it "
        "is a "
        "mechanism,\n"
        f"# add an audit of it: [audits.NAME] with target = {_quoted(mechanism.target)}.\n"
    )


def _known() -> str:
    keys = keys_of("audit")
    wide = max(map(len, keys))
    rows = [f"#   {key:{wide}}  {rules['description']}" for key, rules in keys.items()]
    expected = f'# For an audit that must find a violation: expected = "{EXPECTED[0]}".'
    return "\n".join([expected, "# All keys of an audit:", *rows]) + "\n"


def _commented(text: str) -> str:
    return "".join(
        line if line.startswith("#") else f"# {line}" for line in text.splitlines(keepends=True)
    )


def _quoted(text: str) -> str:
    # JSON's escapes are all TOML's, except of characters beyond 16 bits, which stay as they are.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
