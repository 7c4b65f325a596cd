"""Outputs, errors and names of a megabyte: cut, with a mark of how much, in every form."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import AuditResult, audit
from provado.audit.result import LONGEST, LONGEST_NAME
from provado.mechanisms import Verdict
from provado.mechanisms.definitions.relation import cut, short
from provado.reports.audit_report.document import result_to_json
from provado.reports.audit_report.formats import FORMATS, render
from provado.reports.cli.main import main
from provado.reports.commands.audit import show_run
from provado.reports.pytest_plugin.audit_fixture import failure, sentence
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import clean
from provado.reports.text.report import evidence

MEGABYTE = 1_000_000
PAIR = ([0, 0], [0, 1])


def coin(data: list[int]) -> int:
    return int(random.random() < (0.98 if data[1] else 0.02))


class Shown:
    """Something that holds and shows a long text, with commands to a terminal."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.text = "\x1b[31m\x9b31m\u202e" + str(value) * MEGABYTE

    def __repr__(self) -> str:
        return "<\x1b[31m\x9b31m\u202e" + str(self.value) * MEGABYTE + ">"


def text(data: list[int]) -> str:
    return "xy"[coin(data)] * MEGABYTE


def entries(data: list[int]) -> list[Any]:
    return [*["a" * 200] * 1_000, coin(data)]


def keys(data: list[int]) -> dict[str, int]:
    return dict.fromkeys((f"{i:040}" for i in range(600)), coin(data))


def thing(data: list[int]) -> Shown:
    return Shown(coin(data))


def raises(data: list[int]) -> int:
    raise ValueError("\x1b[31m" + "z" * MEGABYTE)


def raises_of_a_long_name(data: list[int]) -> int:
    raise type("E" * MEGABYTE, (Exception,), {})("\x9b")


def audited(mechanism: Any, **arguments: Any) -> AuditResult:
    return audit(mechanism, epsilon=1.0, pair=PAIR, samples=100, seed=1, **arguments)


def check(result: AuditResult, run_of: Callable[..., Run], shown: str) -> None:
    """Every form is short, has nothing that a terminal takes for a command, and marks the cut."""
    run = run_of(result)
    forms = {name: render(run, name) for name in FORMATS}
    forms["terminal"] = shown
    forms["pytest"] = failure(result, Verdict.NO_VIOLATION, "a", "b", twin=False)
    forms["pytest"] += sentence(result)
    empty = len(render(run_of(), "html"))
    rows = [text for row in evidence(result, anytime=False) for text in row]
    assert max(map(len, rows)) < 1100
    # What is said of every audit, whatever the mechanism brings.
    own = sum(map(len, rows))
    for name, form in forms.items():
        assert len(form) < 60_000 + (name == "html") * empty + own, name
        commands = {c for c in form if category(c) in ("Cc", "Cf", "Zl", "Zp")} - {"\n"}
        assert not commands, name
        assert "z" * 7000 not in form
    assert any("more characters" in form for form in forms.values())


@pytest.mark.parametrize("mechanism", [entries, keys, thing, raises, raises_of_a_long_name])
def test_what_a_mechanism_brings_is_cut(
    mechanism: Any, run_of: Callable[..., Run], capsys: pytest.CaptureFixture[str]
) -> None:
    result = audited(mechanism)
    broken = mechanism in (raises, raises_of_a_long_name)
    assert result.verdict is (Verdict.UNKNOWN if broken else Verdict.VIOLATION)
    assert len(json.dumps(result_to_json(result))) < 60_000
    show_run(run_of(result))
    check(result, run_of, capsys.readouterr().out)


def test_a_long_text_and_a_long_name_are_cut(
    run_of: Callable[..., Run], capsys: pytest.CaptureFixture[str]
) -> None:
    result = audited(text, name="\x1b]0;" + "n" * MEGABYTE + "\u2028")
    assert len(result.name) <= LONGEST_NAME
    assert result.name.endswith("n… (999,845 more characters)")
    show_run(run_of(result))
    check(result, run_of, capsys.readouterr().out)


def test_a_dataset_says_how_much_of_it_is_left_off() -> None:
    assert short("a" * MEGABYTE) == "'" + "a" * 42 + " … (999,916 characters) … " + "a" * 42 + "'"
    assert len(short("a" * 10**7)) <= 120
    assert short("a" * 200) == "'" + "a" * 57 + " … " + "a" * 57 + "'"


def test_a_wrong_argument_of_a_megabyte_is_told_in_a_short_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["x" * MEGABYTE], ["audit", "x" * MEGABYTE], ["audit", "--" + "o" * MEGABYTE]):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert len(err) < 7000
        assert "more characters" in err


@given(st.text(max_size=300), st.integers(40, 200))
def test_a_cut_says_how_much_and_a_second_one_changes_nothing(text: str, limit: int) -> None:
    short_text = cut(text, limit)
    assert len(short_text) <= limit
    assert cut(short_text, limit) == short_text
    if len(text) <= limit:
        assert short_text == text
    else:
        kept, _, mark = short_text.rpartition("… (")
        assert text.startswith(kept)
        assert int(mark.partition(" ")[0].replace(",", "")) == len(text) - len(kept)


def test_a_clean_text_is_short_whatever_it_is_made_of() -> None:
    for sign in ("a", "\x00", "\U0010ffff", "é "):
        assert len(clean(sign * MEGABYTE)) <= 3 * LONGEST
