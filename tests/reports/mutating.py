"""Documents with one thing changed, of which only what lies on the way to it is checked again."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from jsonschema import validators

from provado.reports.commands.recheck import pair
from provado.reports.documents import schema as documents
from provado.reports.documents.schema import AUDIT


def put(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return the document with one value changed; what lies off the path is shared."""
    if not path:
        return value  # type: ignore[no-any-return]
    node = copy.copy(document)
    node[path[0]] = put(node[path[0]], path[1:], value)
    return node


def compute_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what follows from counts be computed once: most changes leave the counts as they are."""
    for name in ("epsilon_lower", "detectable_epsilon", "effect_sizes"):
        monkeypatch.setattr(pair, name, lru_cache(None)(getattr(pair, name)))


def check_parts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the form of an audit's report be checked with ``remembered`` keywords."""
    validator = documents._validator(AUDIT)
    names = ("$ref", "properties", "items", "prefixItems", "anyOf", "oneOf")
    rules = {name: remembered(validator.VALIDATORS[name]) for name in names}
    quick = validators.extend(type(validator), rules, type_checker=validator.TYPE_CHECKER)
    at_once = quick(validator.schema)
    monkeypatch.setattr(documents, "_validator", lambda _: at_once)


def remembered(keyword: Any) -> Any:
    """Return a keyword of JSON Schema that passes over what it was given before and found right."""
    right: dict[tuple[int, int], tuple[Any, Any]] = {}

    def check(validator: Any, rule: Any, part: Any, schema: Any) -> Iterator[Any]:
        at = id(rule), id(part)
        if at in right:
            return
        if errors := list(keyword(validator, rule, part, schema)):
            yield from errors
        elif isinstance(part, dict | list):
            right[at] = rule, part  # Kept, so that no other object takes its place in memory.

    return check
