"""The declaration of the options and all that is made of it: each refuses what no option may be."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from provado.audit import audit, audit_one_run, replay
from provado.audit.experiments.effects.observational import effect_study
from provado.audit.options import domains
from provado.audit.options.declaration import (
    AUDIT,
    COMMAND,
    ONE_RUN,
    OPTIONS,
    PAIRS,
    RELATIONS,
    REPLAY,
    RUN,
    Option,
    taken_by,
)
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import RELATIONS as KNOWN_RELATIONS
from provado.proofs import bound_sensitivity
from provado.proofs.programs.claim import KINDS
from provado.proofs.programs.decide import STEPS, decide
from provado.reports.cli.commands import bound, effect
from provado.reports.cli.commands.discover import OPTIONS as DISCOVER_OPTIONS
from provado.reports.cli.main import _parser, main
from provado.reports.config.keys import keys_of, run_keys
from provado.reports.config.read import read_configuration
from provado.reports.pytest_plugin.audit_fixture import ARGUMENTS
from provado.reports.targets.argument_parser import PROVE_OPTIONS
from tools.config_schema import FILE, text

LIBRARY = {
    PAIRS: (audit, {"isolate", "detectable", "progress", "checkpoint", "name"}),
    ONE_RUN: (audit_one_run, {"isolate", "checkpoint", "name"}),
    REPLAY: (replay, {"isolate", "command", "name"}),
}
"""Each function, and its keywords that are given in Python alone."""

WRONG: dict[Any, list[Any]] = {
    domains.flag: [],
    domains.text: [],
    domains.file: [],
    domains.folder: [],
    domains.texts: [],
    domains.place: [1, "x"],
    domains.dataset: [True],
    domains.pairs: ["d.json", [[1, 2, 3]]],
    domains.records: [[]],
    domains.columns: [1],
    domains.trials: [0, 1.5, "auto:0", 10**13],
    domains.exploration: [1, "5:9", 10**13],
    domains.memory: ["3", "0.1M"],
    domains.promise: [1],
}
"""Values that no option of a domain may have; those of numbers follow from their rule."""


def wrong_values(one: Option) -> list[Any]:
    domain = one.domain
    if isinstance(domain, domains.NumberDomain):
        numbers = [-1, 0, 1, 2.5, 10**13, 10**40, "x"]
        return [n for n in numbers if isinstance(n, str) or not taken(domain, n)]
    return WRONG.get(domain, ["no such word"] if "enum" in domain.form else [])


def taken(rule: domains.NumberDomain, number: float) -> bool:
    try:
        rule.of(number)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", LIBRARY)
def test_keywords_of_the_library_are_those_declared(name: str) -> None:
    function, own = LIBRARY[name]
    given = inspect.signature(function).parameters
    rows = {one.keyword or one.name: one for one in taken_by(name) if one.name != "expected"}
    rows.pop("target", None)
    assert set(rows) == set(given) - own - {"mechanism"}
    for keyword, one in rows.items():
        if one.default is not None:
            assert given[keyword].default == one.default, keyword


COMMANDS = {
    "bound": (bound_sensitivity, {"query"}, {"claimed": "sensitivity", "parameters": "parameter"}),
    "effect": (effect_study, {"mechanism", "name"}, {}),
    "prove": (decide, {"function", "pairs"}, {"parameters": "set"}),
}
"""Each command, its function, what that takes in Python alone, and keywords typed otherwise."""


@pytest.mark.parametrize("command", COMMANDS)
def test_keywords_of_other_functions_can_be_typed(command: str) -> None:
    function, own, renamed = COMMANDS[command]
    _, commands = _parser([command])
    typed = {action.dest: action for action in commands.choices[command]._actions}
    for keyword, given in inspect.signature(function).parameters.items():
        if keyword not in own:
            action = typed[renamed.get(keyword, keyword)]
            if isinstance(action.default, int | float) and action.default is not False:
                assert action.default == given.default, keyword


def test_a_test_gives_the_same_keywords() -> None:
    rows = {one.name for one in taken_by(PAIRS, ONE_RUN) if one.keyword != "relation"}
    assert set(ARGUMENTS) == rows | {"expected", "calls", "name"}


TYPED = [
    (one, value)
    for one in OPTIONS
    if one.at.group
    for value in wrong_values(one)
    if one.domain not in (domains.place, domains.dataset, domains.pairs, domains.columns)
]


@pytest.mark.parametrize(("one", "value"), TYPED, ids=lambda v: getattr(v, "name", str(v)[:12]))
def test_the_command_line_refuses(
    one: Option, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "x.py:f", f"--{one.word}", str(value)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"--{one.word}" in told
    assert any(words in told for words in ("must be", "choose from"))


OTHERS = [
    (command, one, value)
    for command, rows in (
        ("bound", bound.OPTIONS),
        ("discover", DISCOVER_OPTIONS),
        ("effect", effect.OPTIONS),
    )
    for one in rows
    for value in wrong_values(one)
]


@pytest.mark.parametrize(
    ("command", "one", "value"), OTHERS, ids=lambda v: getattr(v, "name", str(v)[:12])
)
def test_other_commands_refuse(
    command: str, one: Option, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    values = [str(value)] * (2 if one.domain.parse.get("nargs") == 2 else 1)
    assert main([command, "x.py:f", f"--{one.word}", *values]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"argument --{one.word}: " in told
    assert any(words in told for words in ("must be", "choose from"))


@pytest.mark.parametrize(
    ("command", "rows"),
    [
        ("bound", bound.OPTIONS),
        ("discover", DISCOVER_OPTIONS),
        ("effect", effect.OPTIONS),
        ("prove", PROVE_OPTIONS),
    ],
)
def test_every_option_of_other_commands_is_declared(command: str, rows: tuple[Option, ...]) -> None:
    _, commands = _parser([command])
    words = commands.choices[command]._option_string_actions
    typed = {word for word in words if word.startswith("--")} - {"--help", "--help-all"}
    apart = {"--method"} if command == "discover" else set()
    assert {f"--{one.word}" for one in rows if one.at.group} == typed - apart


STATED = [
    (one, value, one.at.table)
    for one in OPTIONS
    if one.at.table and one.name != "promise"
    for value in [*wrong_values(one), {"a": 1}]
    if one.domain is not domains.columns or isinstance(value, int)
]


@pytest.mark.parametrize(
    ("one", "value", "table"), STATED, ids=lambda v: getattr(v, "name", str(v)[:12])
)
def test_the_configuration_refuses(one: Option, value: Any, table: str, tmp_path: Path) -> None:
    written = "{ a = 1 }" if isinstance(value, dict) else json.dumps(value)
    line = f"{one.in_file} = {written}\n"
    head = "[replay.a]\n" if one.at.of == (REPLAY,) else "[audits.a]\n"
    text = line if table == RUN else f"{head}{line}"
    file = tmp_path / "provado.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        read_configuration(file)
    told = str(raised.value)
    assert f"line {text.count(chr(10))}: " in told
    assert f"{one.in_file}" in told.partition(": ")[2]
    assert any(words in told for words in ("must be", "at most", "refused"))


NUMBERS = [
    (one, value)
    for one in taken_by(PAIRS)
    if one.at.group
    and (
        isinstance(one.domain, domains.NumberDomain)
        or one.domain in (domains.trials, domains.exploration)
    )
    for value in wrong_values(one)
]


def noisy(data: Any, rng: Any) -> float:
    return float(sum(data) + rng.laplace())


@pytest.mark.parametrize(("one", "value"), NUMBERS, ids=lambda v: getattr(v, "name", str(v)[:12]))
def test_the_library_refuses(one: Option, value: Any) -> None:
    given = {"epsilon": 1.0, "pair": ([0], [1]), one.name: value}
    with pytest.raises(UsageError, match=f"^{one.name} is ") as raised:
        audit(noisy, **given)
    assert str(value).rpartition(":")[2][:6] in str(raised.value)
    assert "must" in str(raised.value)


def test_every_row_is_typed_or_a_key() -> None:
    _, commands = _parser(["audit"])
    words = commands.choices["audit"]._option_string_actions
    rows = [one for one in OPTIONS if one.at.of != (REPLAY,)]
    assert {f"--{one.word}" for one in rows if one.at.group} == {
        word for word in words if word.startswith("--") and word not in ("--help", "--help-all")
    }
    keys = {one.in_file for one in rows if one.at.table == AUDIT}
    assert keys == set(keys_of("audit"))
    assert {one.in_file for one in rows if one.at.table == RUN} == set(run_keys())
    for one in OPTIONS:
        assert one.help
        assert one.at.group or one.at.table
        assert {*one.at.of} <= {PAIRS, ONE_RUN, REPLAY, COMMAND}


def test_words_of_other_modules_are_those_declared() -> None:
    assert set(RELATIONS[:2]) == set(KNOWN_RELATIONS)
    (neighbors,) = [one for one in PROVE_OPTIONS if one.name == "neighbors"]
    assert neighbors.domain.form["enum"] == [*KINDS]
    (steps,) = [one for one in PROVE_OPTIONS if one.name == "steps"]
    assert f"(default: {STEPS})" in steps.help
    from provado.audit.experiments.replay import FindingKind

    assert keys_of("replay")["expected"]["enum"] == ["nothing", *map(str, FindingKind)]


def test_the_file_of_the_schema_is_the_one_that_is_made() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run `python -m tools.config_schema`"


def test_the_reference_names_every_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FILE.parents[3] / "docs/hooks"))
    import tables

    page = tables.options()
    for one in OPTIONS:
        assert f"| `{one.name}` |" in page
