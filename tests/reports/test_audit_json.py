"""What is written comes back as it was, follows the schema, and is refused where it is broken."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.audit import AuditResult, Counts, EffectSize, PairResult, Witness
from provado.audit.bounds import Bets, BoundMethod
from provado.audit.events.features.feature import EventKind, EventSet
from provado.mechanisms import UsageError, Verdict
from provado.reports.audit_report.document import load_run, run_from_json, run_to_json
from provado.reports.documents import schema
from provado.reports.tasks.run import Record, Run, Settings

ANY = st.floats()
COUNT = st.integers(0, 10**12)
SHARE = st.floats(0, 1, exclude_min=True, exclude_max=True)
TEXT = st.text(max_size=8)
TEXTS = st.lists(TEXT, max_size=2).map(tuple)
INTERVAL = st.tuples(ANY, ANY)
VERDICT = st.sampled_from(Verdict)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
BETS = st.lists(st.floats(1e-6, 0.5), min_size=1, max_size=3).map(
    lambda stakes: Bets(tuple(stakes), (1 / len(stakes),) * len(stakes))
)
METHOD = st.builds(BoundMethod, SHARE, st.just(0.0), st.none()) | st.builds(
    BoundMethod, SHARE, st.floats(0, 1, exclude_max=True), BETS
)
EFFECT = st.builds(
    EffectSize, st.sampled_from(["D", "D′"]), *[COUNT] * 4, ANY, INTERVAL, ANY, INTERVAL
)
PAIR = st.builds(
    PairResult,
    index=COUNT,
    witness=st.builds(Witness, *[TEXT] * 5, TEXTS, TEXTS),
    rule=st.dictionaries(TEXT, JSON, max_size=2),
    method=METHOD,
    planned_trials=COUNT,
    explored_trials=COUNT,
    counts=st.builds(Counts, *[COUNT] * 6),
    epsilon_lower=st.floats(0),
    detectable_epsilon=ANY,
    effects=st.tuples(EFFECT, EFFECT),
    verdict=VERDICT,
    checkpoints=st.lists(st.builds(Counts, *[COUNT] * 6), max_size=3).map(tuple),
    event_kinds=st.lists(st.builds(EventSet, st.sampled_from(EventKind), TEXTS), max_size=2).map(
        tuple
    ),
)
POSITIVE = st.floats(0, exclude_min=True, allow_infinity=False)
RESULT = st.builds(
    AuditResult,
    name=TEXT,
    verdict=VERDICT,
    reason=TEXT,
    epsilon=POSITIVE,
    delta=st.floats(0, 1, exclude_max=True),
    confidence=SHARE,
    seed=COUNT,
    samples=COUNT,
    pairs=st.lists(PAIR, max_size=2).map(tuple),
    seedable=st.none() | st.booleans(),
    relation=TEXT,
    promise=TEXT,
    source=TEXT,
    summary=TEXT,
    expected=st.none() | VERDICT,
    true_epsilon=st.none() | ANY,
    tags=TEXTS,
    seconds=st.floats(0, 1e9),
    notes=TEXTS,
)
SETTINGS = st.builds(
    Settings, st.none() | st.integers(1, 2**53), st.none() | POSITIVE, SHARE, COUNT, POSITIVE
)
VALIDATOR = jsonschema.Draft202012Validator(schema.json_schema(schema.AUDIT))


@settings(max_examples=60)
@given(st.lists(RESULT, max_size=2), SETTINGS)
def test_a_run_survives_the_round_trip(results: list[AuditResult], asked: Settings) -> None:
    run = Run(
        "1", {"python": "3"}, asked, tuple(Record(result, ("again",), asked) for result in results)
    )
    text = schema.dumps(run_to_json(run))
    document = json.loads(text)
    assert document["schema"] == schema.AUDIT
    VALIDATOR.validate(document)
    back = run_from_json(document)
    assert schema.dumps(run_to_json(back)) == text
    for old, new in zip(run.results, back.results, strict=True):
        # By their text, under which NaN equals NaN; rules may hold infinities, see below.
        for pair in (*old.pairs, *new.pairs):
            pair.rule.clear()
        assert repr(new) == repr(old)


def test_infinities_in_a_rule_become_their_names(
    run: Run, make: Callable[..., AuditResult], pair_of: Callable[..., PairResult]
) -> None:
    pair = pair_of(Counts(1, 1, 1, 1, 1, 1), 1.0)
    pair.rule["low"] = -math.inf
    record = replace(run.records[0], result=make("x", pair))
    back = run_from_json(run_to_json(replace(run, records=(record,)))).results[0]
    assert back.pairs[0].rule["low"] == "-inf"


def test_free_form_data_is_written_with_json_types_only() -> None:
    import numpy as np

    data = {1: np.float64(2.0), "a": np.arange(2), "b": (np.int64(3), {4}), "c": np.bool_(True)}
    assert schema.plain(data) == {"1": 2.0, "a": [0, 1], "b": [3, "{4}"], "c": True}


@pytest.mark.parametrize("name", [schema.AUDIT, schema.LIST, schema.RECHECK, schema.REDRAW])
def test_every_schema_is_valid_and_describes_each_key(name: str) -> None:
    document = schema.json_schema(name)
    jsonschema.Draft202012Validator.check_schema(document)
    assert document["$id"] == name

    def walk(node: Any, path: str) -> None:
        for key, child in node.get("properties", {}).items():
            if set(child) == {"const"}:  # narrows what is described elsewhere
                continue
            target = document["$defs"][child["$ref"][8:]] if "$ref" in child else child
            assert "description" in child or "description" in target, f"{path}.{key}"
            walk(child, f"{path}.{key}")

    for key, node in (("", document), *document.get("$defs", {}).items()):
        walk(node, key)


BREAKS: list[tuple[list[str | int], Any, str]] = [
    (["schema"], "provado-audit/9", "'provado-audit/9': this version reads 'provado-audit/7'"),
    (["settings", "confidence"], 1.5, "settings.confidence is 1.5: it must lie between 0 and 1"),
    (["audits"], {}, "audits is {}: it must be a list"),
    (["audits", 0, "epsilon"], -1, "audits[0].epsilon is -1: it must lie between 0 and inf"),
    (["audits", 0, "epsilon"], "nan", "audits[0].epsilon is 'nan'"),
    (["audits", 0, "epsilon"], 10**400, "it must lie between 0 and inf"),
    (["audits", 0, "delta"], 1, "audits[0].delta is 1: it must lie between 0 and 1"),
    (["audits", 0, "verdict"], "fine", "audits[0].verdict is 'fine': it must be one of"),
    (["audits", 0, "name"], None, "audits[0].name is None: it must be a string"),
    (["audits", 0, "surprising"], 1, "audits[0].surprising is 1: it must be true or false"),
    (["audits", 0, "more"], 1, "audits[0] has the key 'more', which is not known"),
    (
        ["audits", 0, "pairs", 0, "counts", "d_guessed_d"],
        -4,
        "d_guessed_d is -4: it must be an integer",
    ),
    (["audits", 0, "pairs", 0, "counts", "d_guessed_d"], 4.0, "d_guessed_d is 4.0"),
    (["audits", 0, "pairs", 0, "counts", "d_guessed_d"], True, "d_guessed_d is True"),
    (["audits", 0, "pairs", 0, "bound", "alpha"], 0, "pairs[0].bound.alpha is 0"),
    (["audits", 0, "pairs", 0, "bound", "delta"], 0.1, "pairs[0].bound: delta is 0.1"),
    (["audits", 0, "pairs", 0, "bound", "name"], "betting", "with these bets is 'binomial'"),
    (["audits", 0, "pairs", 0, "effects"], [], "effects is []: it must be a list of two"),
    (
        ["audits", 0, "pairs", 0, "event_kinds"],
        [{"kind": "all", "of": []}],
        "event_kinds[0].kind is",
    ),
    (["audits", 0, "pairs", 0, "rule"], [], "rule is []: it must be an object"),
    (["audits", 0, "pairs", 0, "epsilon_lower"], "big", "epsilon_lower is 'big'"),
]


@pytest.mark.parametrize(("path", "value", "message"), BREAKS)
def test_a_broken_value_is_refused_by_name(
    run: Run, path: list[Any], value: Any, message: str
) -> None:
    document = copy.deepcopy(run_to_json(run))
    node: Any = document
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    with pytest.raises(UsageError) as raised:
        run_from_json(document, "out/audit.json")
    assert str(raised.value).startswith("out/audit.json: ")
    assert message in str(raised.value)


@pytest.fixture
def recorded(run: Run) -> Run:
    """The run with counts at two checkpoints of the first audit's pair."""
    first, *rest = run.records
    pair = first.result.pairs[0]
    half = Counts(*(count // 2 for count in pair.counts.six))
    pair = replace(pair, checkpoints=(half, pair.counts))
    return replace(
        run, records=(replace(first, result=replace(first.result, pairs=(pair,))), *rest)
    )


def test_documents_with_and_without_checkpoints_are_read_and_written(
    run: Run, recorded: Run
) -> None:
    without, with_them = run_to_json(run), run_to_json(recorded)
    for document, held in ((without, run), (with_them, recorded)):
        VALIDATOR.validate(document)
        assert run_from_json(document) == held


@pytest.mark.parametrize("form", [f"provado-audit/{number}" for number in (1, 2, 6)])
def test_earlier_forms_are_refused_by_name(run: Run, form: str) -> None:
    document = {**run_to_json(run), "schema": form}
    with pytest.raises(UsageError, match=f"schema is '{form}': this version reads") as refusal:
        run_from_json(document)
    assert "repeat the run" in str(refusal.value)
    assert not VALIDATOR.is_valid(document)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "checkpoints is {}: it must be a list"),
        ([[1, 2, 3, 4, 5]], "checkpoints[0] is [1, 2, 3, 4, 5]: it must be a list of the 6 counts"),
        ([[1, 2, 3, 4, 5, -6]], "checkpoints[0][5] is -6: it must be an integer"),
        ([[1, 2, 3, 4, 5, 6.0]], "checkpoints[0][5] is 6.0: it must be an integer"),
    ],
)
def test_broken_checkpoints_are_refused_by_name(recorded: Run, value: Any, message: str) -> None:
    document = copy.deepcopy(run_to_json(recorded))
    document["audits"][0]["pairs"][0]["checkpoints"] = value
    with pytest.raises(UsageError) as raised:
        run_from_json(document)
    assert message in str(raised.value)
    # JSON Schema takes 6.0 for an integer; whatever else is refused, it refuses as well.
    if "6.0" not in message:
        assert not VALIDATOR.is_valid(document)


def test_every_missing_key_is_named(run: Run) -> None:
    document = run_to_json(run)
    for key in [key for key in document if key != "schema"]:
        less = {k: v for k, v in document.items() if k != key}
        with pytest.raises(UsageError, match=f"the document has no key '{key}'"):
            run_from_json(less)
    audit = document["audits"][0]
    for key in audit:
        less = {**document, "audits": [{k: v for k, v in audit.items() if k != key}]}
        with pytest.raises(UsageError, match=rf"audits\[0\] has no key '{key}'"):
            run_from_json(less)


def test_a_truncated_file_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "audit.json"
    text = schema.dumps(run_to_json(run))
    for length in (0, 1, len(text) // 2, len(text) - 3):
        file.write_text(text[:length])
        with pytest.raises(UsageError, match="not readable as JSON"):
            load_run(file)
    with pytest.raises(UsageError, match=r"nothing\.json: it cannot be read"):
        load_run(tmp_path / "nothing.json")
    file.write_text("[" * 100_000)
    with pytest.raises(UsageError, match="not readable as JSON"):
        load_run(file)
    file.write_text("[]")
    with pytest.raises(UsageError, match="the document is"):
        load_run(file)
