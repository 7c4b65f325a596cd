"""A number and its noun: no message says ``1 trials``."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from provado.mechanisms.definitions.relation import counted

ROOT = Path(__file__).parents[2]
NOUNS = ["trial", "run", "pair", "audit", "test", "record", "row", "column", "dataset"]
NOUNS += ["output", "cell", "canary", "sample"]
NOUNS += ["polynomial", "range", "condition", "certificate", "finding", "answer"]
PLURAL = re.compile(rf" (\w+ )?({'|'.join(counted(2, noun)[2:] for noun in NOUNS)})\b")
SHOWN = [
    *("reports/text", "reports/targets", "reports/tasks", "reports/pytest_plugin"),
    *("reports/commands/recheck", "audit/target", "audit/api.py", "audit/result.py"),
    *("mechanisms/definitions", "proofs/sensitivity", "audit/experiments", "audit/search"),
    *("reports/audit_report", "reports/ledger"),
]


def uncounted(source: str) -> Iterator[str]:
    """Yield numbers that stand before a plural, whatever they are."""
    for node in ast.walk(ast.parse(source)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for number, after in pairwise(parts):
            if not isinstance(number, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            code = ast.unparse(number.value)
            if PLURAL.match(str(after.value)) and re.search(r"len\(|\.|^[a-z]$", code):
                yield f"{{{code}}}{after.value}"


ABOVE_ONE = (
    "{len(numbers)} pairs",
    "{search.runs} runs",
    "{finding.runs} runs",
    "logs)} cells",
    "tests with audits",
)
ABOVE_ONE += ("where 1 was", "audits done", ".name} and", "listed)} audits", "+ gone} audits")
ABOVE_ONE += ("planned", "1]} data points", "moves answers")
"""Parts of messages that are written for more than one alone, or for none."""


@pytest.mark.parametrize("room", SHOWN)
def test_numbers_that_may_be_1_are_counted(room: str) -> None:
    files = [ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py")
    found = [said for file in files for said in uncounted(file.read_text(encoding="utf-8"))]
    assert [one for one in found if not any(a in one for a in ABOVE_ONE)] == []


def test_a_plural_of_1_is_found() -> None:
    assert list(uncounted('f"{len(rows):,} rows"')) == ["{len(rows)} rows"]
    assert list(uncounted("f\"{counted(n, 'row')} that\"")) == []


@pytest.mark.parametrize("noun", NOUNS)
def test_1_is_singular(noun: str) -> None:
    assert counted(1, noun) == f"1 {noun}"
    assert counted(1000, noun) == "1,000 " + ("canaries" if noun == "canary" else f"{noun}s")
    assert counted(2, "guess") == "2 guesses"
