"""The line of a mechanism's source, through what wraps it."""

from __future__ import annotations

import functools
import importlib
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import short
from provado.reports.audit_report.document import run_from_json, run_to_json
from provado.reports.documents import schema
from provado.reports.documents.origin import parse_location, source_location
from provado.reports.tasks.run import Run

SOURCE = """
import functools
from fractions import Fraction

from provado.proofs.causal.finite_mechanism import from_table


def plain(data): return 0


def wraps(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner


@wraps
def decorated(data): return 0


class Callable:
    def __call__(self, data): return 0

    def method(self, data): return 0


one = Callable()
bound = one.method
partial = functools.partial(functools.partial(plain), 1)
made = lambda data: 0
half = Fraction(1, 2)
table = from_table({(0,): {"a": half, "b": half}, (1,): {"a": half, "b": half}})
"""

LINES = {
    "plain": "def plain",
    "decorated": "@wraps",
    "one": "    def __call__",
    "bound": "    def method",
    "partial": "def plain",
    "made": "made =",
    "table": "table =",
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "located_mechanisms.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "located_mechanisms", raising=False)
    return importlib.import_module("located_mechanisms")


def test_the_line_is_the_one_where_it_is_written(module: Any) -> None:
    for name, start in LINES.items():
        target = f"located_mechanisms.py:{name}"
        file, line = parse_location(source_location(getattr(module, name), target))
        assert file == "located_mechanisms.py", name
        assert SOURCE.splitlines()[line - 1].startswith(start), name


def test_a_file_elsewhere_is_named_by_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_location(source_location(json.dumps))[0] == "json/__init__.py"
    assert parse_location(source_location(short))[0] == "provado/mechanisms/definitions/relation.py"


def test_a_location_comes_back_from_the_report(run: Run) -> None:
    placed = replace(run, records=tuple(replace(one, location="a.py:3") for one in run.records))
    document = run_to_json(placed)
    jsonschema.validate(document, schema.json_schema(document["schema"]))
    assert run_from_json(json.loads(schema.dumps(document))) == placed
    document["audits"][0]["location"] = 3
    with pytest.raises(UsageError, match="location"):
        run_from_json(document)
    del document["audits"][0]["location"]
    with pytest.raises(UsageError, match="location"):
        run_from_json(document)


@pytest.mark.parametrize(
    "mechanism", [len, 3, None, functools.partial(len), eval("lambda data: 0"), range]
)
def test_what_has_no_source_has_no_location(mechanism: Callable[..., Any]) -> None:
    assert source_location(mechanism) == ""
    assert parse_location("") == ("", 1)


def test_an_object_that_raises_at_any_look_has_no_location() -> None:
    class Hostile:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError(name)

    assert source_location(Hostile()) == ""


def test_wrappers_that_go_round_end() -> None:
    def first(data: Any) -> int:
        return 0

    first.__wrapped__ = first  # type: ignore[attr-defined]
    assert source_location(first) == ""
