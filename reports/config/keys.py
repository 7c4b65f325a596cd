"""The keys of a configuration: how each is read, and what it means in a few words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from provado.mechanisms import Verdict
from provado.reports.ask import option

from .entry import Entry

RELATIONS = ("replace-one", "add-or-remove-one", "bounded-answers")
EXPECTED = (str(Verdict.VIOLATION), str(Verdict.NO_VIOLATION))

EXCLUSIVE = (("samples", "seconds"), ("pairs", "data"))
"""Of each group one key at most; an audit's own key puts the default of the others aside."""

_NAME = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True)
class Key:
    """One key: its reader raises ``UsageError`` for a value that it does not take."""

    name: str
    read: Callable[[Entry], Any]
    words: str


def _pairs(entry: Entry) -> tuple[Entry, ...]:
    rule = "a list of pairs [D, D′], each side a file's name or a list of records"
    pairs = entry.items(rule)
    if not pairs:
        entry.refuse(f"{rule}, at least one")
    for pair in pairs:
        sides = pair.items(rule)
        if len(sides) != 2:
            pair.refuse(f"two datasets [D, D′]; it has {len(sides)}")
        for side in sides:
            dataset(side)
    return pairs


def dataset(entry: Entry) -> Entry:
    """Return a dataset as it stands: a file's name, a number or a list of records."""
    if isinstance(entry.value, str):
        entry.text("a file's name, a number or a list of records")
    elif not isinstance(entry.value, list | int | float) or isinstance(entry.value, bool):
        entry.refuse("a file's name, a number or a list of records")
    return entry


def _values(entry: Entry) -> list[Any]:
    values = entry.items("a list of records")
    if not values:
        entry.refuse("a list of at least one record")
    return [one.value for one in values]


def _target(entry: Entry) -> str:
    rule = "path/to/file.py:name or module:name"
    text = entry.text(rule)
    place, _, name = text.rpartition(":")
    if not place or not name or name.endswith(".py"):
        entry.refuse(rule)
    return text


def _texts(entry: Entry) -> tuple[str, ...]:
    if isinstance(entry.value, str):
        return (entry.text(),)
    return tuple(one.text() for one in entry.items("a text in quotes or a list of such"))


def _number(rule: option.Rule) -> Callable[[Entry], Any]:
    return lambda entry: entry.number(rule)


AUDIT_KEYS = (
    Key("target", _target, "what is audited: path/to/file.py:name or module:name"),
    Key("epsilon", _number(option.positive), "the claimed ε"),
    Key("delta", _number(option.small_share), "the claimed δ (0)"),
    Key(
        "relation",
        lambda entry: entry.choice(RELATIONS),
        "who is a neighbor: " + ", ".join(RELATIONS),
    ),
    Key(
        "sensitivity",
        _number(option.positive),
        "of bounded-answers: the most that one answer moves (1)",
    ),
    Key("monotone", Entry.boolean, "of bounded-answers: all answers move in one direction (false)"),
    Key("at-most", _number(option.whole(1)), "of bounded-answers: so many answers may move"),
    Key("data", dataset, "a dataset of which neighbors are made: a file's name, or its records"),
    Key("values", _values, "with data: records that may stand in it (those that do)"),
    Key("pairs", _pairs, "instead of data: pairs [D, D′], each side a file's name or its records"),
    Key("samples", _number(option.whole(1)), "certifying trials of a pair (10^6)"),
    Key("seconds", _number(option.seconds), "instead of samples: time from which they are planned"),
    Key("seed", _number(option.seed), "replays the audit (0)"),
    Key("time-limit", _number(option.seconds), "seconds after which the audit is unknown (3600)"),
    Key("stop-early", Entry.boolean, "stop once a violation is certain (false)"),
    Key(
        "expected",
        lambda entry: entry.choice(EXPECTED),
        f"the verdict to come: {EXPECTED[0]!r} or {EXPECTED[1]!r}",
    ),
)

DEFAULT_KEYS = tuple(key for key in AUDIT_KEYS if key.name != "target")

RUN_KEYS = (
    Key(
        "confidence",
        _number(option.share),
        "1 − the chance of any false alarm in the whole run (0.95)",
    ),
    Key("alpha", _number(option.share), "instead of confidence: that chance itself"),
    Key("out", Entry.text, "folder for audit.html and audit.json"),
    Key("baseline", Entry.text, "file of recorded bounds and verdicts to compare with"),
    Key("format", _texts, "further reports: NAME goes to the folder out, NAME=FILE to a file"),
)

TABLES = ("defaults", "audits")


def is_name(text: str) -> bool:
    """Tell whether an audit may have this name: none that could be a TARGET or an option."""
    return _NAME.fullmatch(text) is not None and not text.endswith(".py")
