"""A thousand wrong configurations and command lines: status 2, one line, and it names the place."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from provado.mechanisms.textbook import laplace
from provado.reports.cli.commands import discover, effect, reproduce, verify
from provado.reports.cli.main import _parser, command_names, main
from provado.reports.config.keys import TABLES, keys_of, run_keys
from provado.reports.targets import load
from provado.reports.tasks import task

EACH = settings(
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    database=None,
)
"""Three tests of so many configurations, and those of command lines, make the thousand."""

TARGETS = "def f(data, *, size, rng):\n    return rng.integers(0, 2, size=size)\n"

CONFIG = """\
confidence = 0.9
out = "out"
format = ["markdown=a.md"]
[defaults]
samples = 1000
seed = 1
[audits.one]
target = "bad_usage_target.py:f"
epsilon = 1.5
delta = 1e-6
relation = "bounded-answers"
sensitivity = 2.0
monotone = true
at-most = 2
data = [0, 1, 1]
time-limit = 100
stop-early = false
expected = "violation"
[audits.two]
target = "bad_usage_target.py:f"
epsilon = 2
relation = "replace-one"
seconds = 3
data = [0, 1, 1]
values = [0, 1]
[audits.three]
target = "bad_usage_target.py:f"
epsilon = 3
pairs = [[[0, 1], [0, 0]], ["d0.json", "d1.json"]]
"""

NEEDED = {"target", "epsilon", "data", "pairs", "relation", "sensitivity"}
"""Keys without which some audit above cannot be run."""

KNOWN = {*keys_of("audit"), *run_keys(), *TABLES}


@pytest.fixture(scope="module", autouse=True)
def nothing_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Work in a folder of our own, where anything that starts a computation fails the test."""
    folder, before = tmp_path_factory.mktemp("bad"), Path.cwd()
    (folder / "bad_usage_target.py").write_text(TARGETS)
    for name in ("d0.json", "d1.json"):
        (folder / name).write_text(f"[0, {name[1]}]")
    (folder / "table.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    (folder / "audit.json").write_text("{}")

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("something was run")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task, "run_jobs", never)
        # The whole catalogue takes seconds to be made.
        patch.setattr(load, "catalogue", lambda: laplace.MECHANISMS)
        patch.setattr(verify, "decide_all", never)
        patch.setattr(effect, "effect_study", never)
        patch.setattr(reproduce, "carry_out", never)
        patch.setattr(discover, "run_pair", never)
        patch.setattr(discover, "run_graph", never)
        os.chdir(folder)
        yield folder
        os.chdir(before)


def outcome(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()


def complaint(arguments: list[str]) -> str:
    status, out, err = outcome(arguments)
    assert (status, out) == (2, ""), (arguments, err)
    assert err.startswith("provado: error: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert "Traceback" not in err
    return err


def test_what_the_mutations_start_from_is_right(nothing_runs: Path) -> None:
    (nothing_runs / "provado.toml").write_text(CONFIG)
    status, _, err = outcome(["audit"])
    assert status == 3
    assert "AssertionError: something was run" in err


LINES = CONFIG.splitlines()
KEYED = [i for i, line in enumerate(LINES) if not line.startswith("[")]
WRONG_VALUES = {
    "number": ['"1"', "true", "[1]", "{}", "nan", "-1", "1979-05-27", "inf", "-inf", '""'],
    "share": ["0", "1", "1.5", "-0.1", "nan", '"0.5"', "false", "[]", "07:32:00"],
    "whole": ["0.5", "-1", "inf", "nan", '"3"', "true", "[]", "{}"],
    "boolean": ["0", "1", '"true"', "[]", "{}", "1979-05-27"],
    "text": ["1", "true", "[]", "{}", '""', '"  "', '"a\\u0000"', "1.5"],
    "dataset": ["true", "{}", "1979-05-27", '""', '"gone.json"', '"no/such.csv"'],
    "pairs": ["[]", "1", '"d0.json"', "[1]", "[[1, 2, 3]]", "[[[0], {}]]", "[[true, 1]]", "[[]]"],
}
KINDS = {
    "confidence": "share",
    "out": "text",
    "format": "pairs",
    "samples": "whole",
    "seed": "whole",
    "target": "text",
    "epsilon": "number",
    "delta": "share",
    "relation": "text",
    "sensitivity": "number",
    "monotone": "boolean",
    "at-most": "whole",
    "data": "dataset",
    "time-limit": "number",
    "stop-early": "boolean",
    "expected": "text",
    "seconds": "number",
    "values": "pairs",
    "pairs": "pairs",
}
FINE = {("delta", "0"), ("format", "[]"), ("values", "[1]"), ("values", "[[1, 2, 3]]")}
FINE |= {("values", "[[[0], {}]]"), ("values", "[[true, 1]]"), ("values", "[[]]")}


def key_of(line: str) -> str:
    return line.partition("=")[0].strip()


def mistyped(word: str, i: int, letter: str, kind: int) -> str:
    i %= len(word)
    return [
        word[:i] + word[i + 1 :],
        word[:i] + letter + word[i:],
        word[:i] + letter + word[i + 1 :],
        word[:i] + word[i : i + 2][::-1] + word[i + 2 :],
        word + letter,
    ][kind]


def refused(lines: list[bytes], number: int) -> str:
    """Return the complaint about a file; it must name the file and the line that is wrong."""
    Path("provado.toml").write_bytes(b"\n".join(lines) + b"\n")
    told = complaint(["audit"])
    found = re.match(r"provado: error: provado\.toml, line (\d+): ", told)
    assert found is not None, told
    assert int(found[1]) == number, told
    return told


@EACH
@given(
    st.sampled_from(KEYED),
    st.integers(0, 30),
    st.sampled_from(string.ascii_letters + "_-9"),
    st.integers(0, 4),
)
def test_wrong_keys(at: int, i: int, letter: str, kind: int) -> None:
    key = key_of(LINES[at])
    wrong = mistyped(key, i, letter, kind)
    assume(wrong and wrong not in KNOWN)
    lines = [line.encode() for line in LINES]
    lines[at] = LINES[at].replace(key, wrong, 1).encode()
    told = refused(lines, at + 1)
    assert f"{wrong}: there is no such key" in told
    assert "did you mean" in told or "known are" in told


@EACH
@given(st.sampled_from(KEYED), st.integers(0, 10**6), st.booleans())
def test_wrong_values(at: int, which: int, spaced: bool) -> None:
    key = key_of(LINES[at])
    values = WRONG_VALUES[KINDS[key]]
    value = values[which % len(values)]
    assume((key, value) not in FINE)
    lines = [line.encode() for line in LINES]
    lines[at] = f"{'  ' * spaced}{key} = {value}  # {which}".encode()
    assert f"{key}" in refused(lines, at + 1)


@EACH
@given(st.sampled_from(KEYED), st.sampled_from(range(6)), st.binary(min_size=1, max_size=3))
def test_missing_doubled_and_broken_lines(at: int, kind: int, junk: bytes) -> None:
    lines = [line.encode() for line in LINES]
    key, number = key_of(LINES[at]), at + 1
    if kind == 0:
        assume(key in NEEDED and key != "sensitivity")
        assume(not (key == "relation" and "pairs" in LINES[at + 1]))
        del lines[at]
        table = max(i for i in range(at) if LINES[i].startswith("["))
        assert key in refused_somewhere(lines, table + 1)
    elif kind == 1:
        lines.insert(at, lines[at])
        assert key in refused(lines, number + 1)
    elif kind == 2:
        lines[at] = lines[at].replace(b"=", b" ")
        assert key in refused(lines, number)
    elif kind == 3:
        lines[at] = lines[at].replace(b"=", b"= = ")
        assert key in refused(lines, number)
    elif kind == 4:
        lines[at] += b" # " + junk + b"\xff"
        assume(b"\n" not in junk)
        assert "not UTF-8" in refused(lines, number)
    else:
        lines[at] += b" 7"
        assert key in refused(lines, number)


def refused_somewhere(lines: list[bytes], number: int) -> str:
    """As ``refused``, where another line of the table may be told instead of its header."""
    Path("provado.toml").write_bytes(b"\n".join(lines) + b"\n")
    told = complaint(["audit"])
    found = re.match(r"provado: error: provado\.toml, line (\d+): ", told)
    assert found is not None, told
    assert int(found[1]) >= number, told
    return told


PARSER, COMMANDS = _parser(command_names())
START = {
    "audit": ["bad_usage_target.py:f", "--epsilon", "1", "--pair", "d0.json", "d1.json"],
    "bound": ["bad_usage_target.py:f", "--domain", "0:1"],
    "completion": ["bash"],
    "discover": ["table.csv", "--x", "a", "--y", "b", "--epsilon", "1"],
    "effect": ["bad_usage_target.py:f", "--population", "table.csv", "--point", "a",
               "--values", "0", "1"],
    "init": ["--stdout"],
    "list": [],
    "replay": ["bad_usage_target.py:f", "--epsilon", "1", "--pair", "d0.json", "d1.json"],
    "report": ["audit.json"],
    "reproduce": ["kusner2016/table2", "--quick"],
    "prove": ["bad_usage_target.py:f"],
    "verify": ["kusner2016/*"],
}  # fmt: skip
OPTIONS = [
    (name, option, action)
    for name, parser in COMMANDS.choices.items()
    for option, action in parser._option_string_actions.items()
    if option.startswith("--") and option != "--help"
]
BAD_TEXTS = ["x", "nan", "inf", "-inf", "", " ", "ε", "1e999", "-1", "0", "1.5", "0x1", "1_", "--"]


def test_every_command_has_a_right_line_to_start_from() -> None:
    assert set(START) == set(COMMANDS.choices)
    for name, words in START.items():
        PARSER.parse_args([name, *words])


def takes(action: argparse.Action, text: str) -> bool:
    """Tell whether an option takes this text as its value."""
    if action.choices is not None:
        return text in action.choices
    if action.type is None or isinstance(action.type, type(Path)):
        return True
    try:
        action.type(text)  # type: ignore[operator]
    except (argparse.ArgumentTypeError, TypeError, ValueError):
        return False
    return True


@settings(EACH, max_examples=130)
@given(
    st.sampled_from(sorted(START)),
    st.text(string.ascii_letters + string.digits + "-_.é", min_size=1, max_size=8),
    st.none() | st.text("ab1=/-ε \n\t\x1b", max_size=5),
    st.integers(0, 9),
)
def test_unknown_options(name: str, word: str, value: str | None, place: int) -> None:
    option = f"--{word}"
    assume(option not in COMMANDS.choices[name]._option_string_actions)
    words = list(START[name])
    words.insert(place % (len(words) + 1), option if value is None else f"{option}={value}")
    assert option in complaint([name, *words])


@settings(EACH, max_examples=220)
@given(st.sampled_from(OPTIONS), st.sampled_from(BAD_TEXTS) | st.text("0x.e-", max_size=4))
def test_wrong_and_missing_values(one: tuple[str, str, argparse.Action], text: str) -> None:
    name, option, action = one
    assume(action.nargs != 0 and text != "--")
    number = action.nargs if isinstance(action.nargs, int) else 1
    if takes(action, text):
        # Right for this option: leave values out instead, before another option and at the end.
        few = ["d0.json"] * (number - 1)
        told = complaint([name, *START[name], option, *few])
        assert option in told
        assert option in complaint([name, option, *few, "--json", *START[name]])
    else:
        told = complaint([name, *START[name], option, *[text] * number])
        assert option in told or (text.startswith("-") and text in told)
        if number == 1:
            assert option in complaint([name, *START[name], f"{option}={text}"])


@settings(EACH, max_examples=60)
@given(st.sampled_from(OPTIONS), st.text(string.printable, min_size=1, max_size=6))
def test_values_for_switches(one: tuple[str, str, argparse.Action], text: str) -> None:
    name, option, action = one
    assume(action.nargs == 0)
    assert option in complaint([name, *START[name], f"{option}={text}"])


CONTRADICTIONS: list[tuple[list[str], str]] = [
    (["audit", *START["audit"], "--samples", "9", "--seconds", "1"], "--seconds"),
    (["audit", *START["audit"], "--only", "x"], "--only"),
    (["audit", *START["audit"], "--config", "provado.toml"], "--config"),
    (["audit", *START["audit"], "--json", "--format", "markdown"], "--format"),
    (["audit", *START["audit"], "--format", "jsn"], "--format"),
    (["audit", *START["audit"], "--format", "json="], "--format"),
    (["audit", *START["audit"], "--update-baseline"], "--update-baseline"),
    (["audit", *START["audit"], "--baseline", "gone.json"], "gone.json"),
    (["audit", *START["audit"], "--baseline", "audit.json"], "audit.json"),
    (["audit", *START["audit"], "--out", "d0.json"], "d0.json"),
    (["audit", *START["audit"], "--format", "sarif=d0.json/x"], "d0.json"),
    (
        ["audit", START["audit"][0], *START["audit"], "--confidence", f"{1 - 2**-53}"],
        "--confidence",
    ),
    (["audit", "--catalogue", "--epsilon", "1"], "--epsilon"),
    (["audit", "--catalogue", "--delta", "0"], "--delta"),
    (["audit", "--catalogue", "--only", "nothing"], "--only"),
    (["audit", "gone.py:f", *START["audit"][1:]], "gone.py"),
    (["audit", "bad_usage_target.py:g", *START["audit"][1:]], "'g'"),
    (["audit", "bad_usage_target.py:f"], "--epsilon"),
    (["effect", *START["effect"], "--point", "c"], "--point"),
    (["effect", *START["effect"], "--population", "x"], "--population"),
    (["discover", "table.csv"], "--method"),
    (["discover", *START["discover"], "--columns", "a"], "--columns"),
    (["discover", *START["discover"], "--method", "pc"], "--x"),
    (["init", "--stdout", "--force"], "--force"),
    (["report", "audit.json"], "audit.json"),
    (["report", "audit.json", "--recheck", "--format", "html"], "--format"),
    (["reproduce", "kusner2016/table2", "--pairs", "gone"], "gone"),
    (["reproduce", "kusner2016/table2", "--all"], "--all"),
    (["reproduce", "kusner1916"], "kusner1916"),
    (["verify", "nothing/here"], "nothing/here"),
    (["list", "--only", "nothing"], "--only"),
]


@pytest.mark.parametrize(("arguments", "named"), CONTRADICTIONS)
def test_contradictions(arguments: list[str], named: str) -> None:
    if arguments[1:2] == ["--catalogue"] or "--config" in arguments:
        Path("provado.toml").write_text(CONFIG)
    assert named in complaint(arguments)


@settings(EACH, max_examples=50)
@given(st.text(max_size=8))
def test_words_that_are_no_command(word: str) -> None:
    assume(word not in COMMANDS.choices and word not in ("-h", "--help", "--version", "--"))
    told = complaint([word])
    assert "COMMAND" in told or word in told or "arguments" in told
