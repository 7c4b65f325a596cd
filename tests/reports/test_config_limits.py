"""What a run may use, where it is kept, and what a trial shows, from the configuration."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provado.mechanisms import UsageError
from provado.reports.cli.main import _parser
from provado.reports.commands.audit import AuditCall, read_request
from provado.reports.tasks.resources import NO_RESOURCES, RunResources

CONFIG = """\
memory = "1.5G"
no-network = true
block-limit = 20
journal = "kept/run.journal"

[defaults]
samples = 1000
explore = "500:100"
relation = "replace-one"

[audits.one]
target = "mine_limited.py:count"
epsilon = 1
data = [0, 1]
timing = true

[audits.two]
target = "mine_limited.py:count"
epsilon = 1
data = [0, 1]
explore = 700
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "provado.toml").write_text(CONFIG)
    (tmp_path / "mine_limited.py").write_text("def count(data, rng):\n    return sum(data)\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("mine_limited", None)


def asked(*words: str) -> AuditCall:
    parser, _ = _parser(["audit"])
    return read_request(parser.parse_args(["audit", *words]))


def test_limits_of_a_run(folder: Path) -> None:
    assert asked().resources == RunResources(3 * 2**29, True, 20.0)
    typed = asked("--memory", "2G", "--block-limit", "5").resources
    assert typed == RunResources(2**31, True, 5.0)
    # They are of the configuration's audits, not of what is typed without them.
    target = ("mine_limited.py:count", "--epsilon", "1", "--relation", "replace-one")
    (folder / "d.json").write_text("[0, 1]")
    assert asked(*target, "--data", "d.json").resources == NO_RESOURCES


def test_a_journal_stands_where_it_is_said(folder: Path) -> None:
    assert asked().journal == Path("kept/run.journal")
    assert asked("--resume").resume
    assert asked("--journal", "here").journal == Path("here")


def test_timing_and_exploration_of_each_audit(folder: Path) -> None:
    one, two = asked().planned
    assert (one.claim["timing"], two.claim["timing"]) == (True, False)
    assert (one.settings.explore, two.settings.explore) == ("500:100", 700)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"1.5G"', '"1.5"', "line 1: memory: '1.5' is refused: it must be a text such as"),
        ('"1.5G"', '"0.1M"', "line 1: memory: 0.1M is refused: it must be a number and M or G"),
        ("= 20", "= 0", "line 3: block-limit: 0 is refused: it must be a number above 0"),
        ("no-network = true", "no-network = 1", "line 2: no-network: 1 is refused"),
        ('"500:100"', '"500:"', "line 8: defaults.explore: '500:' is refused"),
        (
            "explore = 700",
            'explore = "70:90"',
            "line 21: audits.two.explore: 90 is refused: it must",
        ),
        ("timing = true", "memory = '2G'", "memory: there is no such key in an audit; it belongs"),
    ],
)
def test_wrong_values_are_told_with_their_line(
    folder: Path, old: str, new: str, message: str
) -> None:
    (folder / "provado.toml").write_text(CONFIG.replace(old, new))
    with pytest.raises(UsageError) as raised:
        asked()
    assert message in str(raised.value)
