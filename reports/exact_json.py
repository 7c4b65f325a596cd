"""Exact findings as data of JSON's types, the key ``exact`` of ``provado-audit/4``, and back."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, Literal, cast, get_args

from provado.mechanisms import ExactFinding, ExactTable
from provado.mechanisms.exact_table import Positions
from provado.reports.document import Node
from provado.reports.schema import number

_Word = Literal["proved", "verified", "refuted"]
_RATIONAL = re.compile(r"-?\d{1,4300}(/[1-9]\d{0,4299})?")
_KEYS = (
    *("verdict", "table", "only", "epsilon", "delta", "factor", "lower", "upper"),
    *("d", "d_prime", "event", "chances", "neighbors", "statements", "rests_on"),
)


def exact_to_json(finding: ExactFinding) -> dict[str, Any]:
    """Return one finding; rationals are texts such as ``"3/4"``, datasets lists of positions."""
    table = finding.table
    return {
        "verdict": finding.verdict,
        "table": {
            "domains": [list(domain) for domain in table.domains],
            "outputs": list(table.outputs),
            "rows": [[str(value) for value in row] for row in table.rows],
        },
        "only": None
        if finding.only is None
        else [[list(d), list(d_prime)] for d, d_prime in finding.only],
        "epsilon": str(finding.epsilon),
        "delta": str(finding.delta),
        "factor": "inf" if finding.factor == math.inf else str(finding.factor),
        "lower": number(finding.lower),
        "upper": number(finding.upper),
        "d": list(finding.d),
        "d_prime": list(finding.d_prime),
        "event": list(finding.event),
        "chances": [str(value) for value in finding.chances],
        "neighbors": finding.neighbors,
        "statements": list(finding.statements),
        "rests_on": list(finding.rests_on),
    }


def exact_from_json(node: Node) -> ExactFinding:
    """Return the finding that a node holds; raises ``UsageError`` naming file, key and rule."""
    get = dict(zip(_KEYS, node.fields(*_KEYS), strict=True))
    domains, outputs, rows = get["table"].fields("domains", "outputs", "rows")
    with get["table"].naming():
        table = ExactTable(
            tuple(domain.texts() for domain in domains.items()),
            outputs.texts(),
            tuple(tuple(_rational(value) for value in row.items()) for row in rows.items()),
        )
    only = None if get["only"].value is None else tuple(map(_pair, get["only"].items()))
    with node.naming():
        return ExactFinding(
            verdict=_verdict(get["verdict"]),
            table=table,
            only=only,
            epsilon=_rational(get["epsilon"]),
            delta=_rational(get["delta"]),
            factor=math.inf if get["factor"].value == "inf" else _rational(get["factor"]),
            lower=get["lower"].number(),
            upper=get["upper"].number(),
            d=_positions(get["d"]),
            d_prime=_positions(get["d_prime"]),
            event=_positions(get["event"]),
            chances=_two_rationals(get["chances"]),
            neighbors=get["neighbors"].integer(),
            statements=get["statements"].texts(),
            rests_on=get["rests_on"].texts(),
        )


def _verdict(node: Node) -> _Word:
    text = node.text()
    if text not in get_args(_Word):
        node.refuse(f"it must be one of {', '.join(map(repr, get_args(_Word)))}")
    return cast(_Word, text)


def _rational(node: Node) -> Fraction:
    text = node.text()
    if not _RATIONAL.fullmatch(text):
        node.refuse('it must be a rational number as a text, such as "3/4"')
    return Fraction(text)


def _two_rationals(node: Node) -> tuple[Fraction, Fraction]:
    values = node.items()
    if len(values) != 2:
        node.refuse("it must be a list of two probabilities")
    return _rational(values[0]), _rational(values[1])


def _positions(node: Node) -> Positions:
    return tuple(entry.integer() for entry in node.items())


def _pair(node: Node) -> tuple[Positions, Positions]:
    ends = node.items()
    if len(ends) != 2:
        node.refuse("it must be a list of two datasets")
    return _positions(ends[0]), _positions(ends[1])
