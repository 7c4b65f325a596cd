"""Tables of the documentation, each made anew from the code at every build."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from prose import escaped

from provado.audit.options.declaration import OPTIONS, Option
from provado.audit.target.output_types import KNOWN
from provado.mechanisms import Mechanism
from provado.mechanisms.catalogue import catalogue
from provado.proofs.ledger import Decision, LedgerVerdict, Unstated, ledger
from provado.proofs.sensitivity.trace import bound, cells, number, python, rows
from provado.reports.config.keys import keys_of, run_keys
from provado.reports.ledger.run import decide_all
from provado.reports.text.formatting import up

ATLAS = Path(__file__).parents[2] / "benchmarks" / "results" / "atlas.md"


def ledger_tables() -> str:
    """Return one table a paper: every statement with the verdict that its evidence gives now.

    Every entry is decided here. Raises ``RuntimeError`` where a verdict is not the one on record.
    """
    decisions = decide_all(ledger(), os.cpu_count() or 1)
    wrong = [one.entry.id for one in decisions if not one.as_expected]
    if wrong:
        raise RuntimeError(f"verdicts differ from those on record: {', '.join(wrong)}")
    verdicts = [one.verdict for one in decisions]
    counted = ", ".join(f"{verdicts.count(v)} {v}" for v in LedgerVerdict if v in verdicts)
    parts = [f"{len(decisions)} statements: {counted}."]
    for work, group in groupby(decisions, key=lambda one: one.entry.source.work):
        parts += [f"## {escaped(work)}", _table(_STATEMENT, map(_statement, group))]
    return "\n\n".join(parts)


def undecided_tables() -> str:
    """Return the same tables with the verdicts on record, which nothing has checked, said so."""
    parts = ["These verdicts are those on record; this build has not decided them anew."]
    for work, group in groupby(ledger(), key=lambda one: one.source.work):
        rows = (
            (f"`{e.id}`", e.source.place, e.words, e.claim.formula, str(e.expected), "")
            for e in group
        )
        parts += [f"## {escaped(work)}", _table(_STATEMENT, rows)]
    return "\n\n".join(parts)


def output_types() -> str:
    """Return the table of types of output whose reading is known."""
    rows = [(", ".join(f"`{name}`" for name in one.types.split()), one.how) for one in KNOWN]
    return _table(("type", "what is read"), rows)


def atlas_table() -> str:
    """Return what ``make bench-atlas`` recorded: how many rows by verdict, and the table."""
    _title, _how, results = ATLAS.read_text(encoding="utf-8").split("\n\n", 2)
    return results


_STATEMENT = ("entry", "place", "what it says", "claim, as data", "verdict", "correction")
_KINDS = {
    "misprint": "As it should read",
    "repair": "Repaired",
    "sharpening": "Sharper",
    "reading": "As read here",
}


def _statement(decision: Decision) -> tuple[str, ...]:
    entry, evidence = decision.entry, decision.evidence
    kind = _KINDS.get(evidence.kind or "", "Beside it")
    correction = f"{kind}: {evidence.correction}" if evidence.correction else ""
    if decision.correction is not None:
        correction += f" ({decision.correction.verdict})"
    if isinstance(entry.claim, Unstated):
        correction = f"The text lacks: {entry.claim.lacks}. {correction}"
    verdict = str(decision.verdict)
    if entry.theorem is not None:
        of = "" if entry.theorem.of == entry.claim else " of the correction"
        verdict += f"; a theorem of Coq{of}: {entry.theorem.name}"
    said = (entry.source.place, entry.words, entry.claim.formula, verdict)
    return (f"`{entry.id}`", *said, correction)


def catalogue_table() -> str:
    """Return one table a family: claim, neighbors, exact ε where known, expected verdict."""
    mechanisms = catalogue()
    twins = sum(one.expected == "violation" for one in mechanisms)
    parts = [f"{len(mechanisms)} mechanisms; of {twins} a violation is expected."]
    for family, group in groupby(mechanisms, key=lambda one: one.name.partition("/")[0]):
        parts += [f"## {escaped(family)}", _table(_MECHANISM, map(_mechanism, group))]
    return "\n\n".join(parts)


_MECHANISM = ("name", "claim", "neighbors", "true ε", "expected", "what it does")


def _mechanism(one: Mechanism) -> tuple[str, ...]:
    exact = "" if one.true_epsilon is None else up(one.true_epsilon)
    return (
        f"`{one.name}`",
        one.promise.words(),
        one.relation.words(),
        exact,
        str(one.expected),
        f"{one.summary} {one.source.words()}.",
    )


def operations() -> list[tuple[str, str, str]]:
    """Return what ``bound_sensitivity`` follows: of what, its name, and its rule."""
    found = [
        ("Python", "np." * (of.__module__ == "numpy") + of.__name__, made.__doc__)
        for of, made in python.PYTHON
        if made.__doc__ and of.__module__ in ("builtins", "numpy")
    ]
    for kind in (
        rows.TracedRows,
        bound.Matrix,
        bound.Index,
        bound.TracedTable,
        bound.Groups,
        bound.GroupedColumn,
        cells.Keyed,
        cells.TracedCells,
        number.Number,
    ):
        own = {name: name for name, made in vars(kind).items() if inspect.isfunction(made)}
        own |= {name: name for name in _PROPERTIES if isinstance(vars(kind).get(name), property)}
        names = {"[ ]": "__getitem__"} if "__getitem__" in vars(kind) else {}
        names |= {name: made for name, made in own.items() if not name.startswith("_")}
        names |= {f"np.{name}": made for name, made in {**kind.UFUNCS, **kind.FUNCTIONS}.items()}
        for name, made in names.items():
            rule = inspect.getdoc(getattr(kind, made)) or ""
            found.append((kind.what, name, " ".join(rule.split("\n\n")[0].split())))
    return found


_PROPERTIES = ("shape", "size", "ndim", "values", "columns", "index")


def operations_table(_: str = "") -> str:
    """Return one table for each kind of value: the operations that are followed, and rules."""
    parts = []
    for what, group in groupby(operations(), key=lambda one: one[0]):
        several = groupby(group, key=lambda one: one[2])
        lines = [(", ".join(f"`{one[1]}`" for one in alike), rule) for rule, alike in several]
        parts += [f"## Of {what}", _table(("operation", "rule"), lines)]
    return "\n\n".join(parts)


def options() -> str:
    """Return every option of an audit and of a replay: where it is given, what it may be."""
    head = ("typed", "in provado.toml", "of", "it must be", "meaning")
    parts = []
    for group in dict.fromkeys(one.at.group for one in OPTIONS):
        lines = ((f"`{one.name}`", *_option(one)) for one in OPTIONS if one.at.group == group)
        parts.append(_table((group or "in provado.toml alone", *head), lines))
    return "\n\n".join(parts)


def _option(one: Option) -> tuple[str, ...]:
    typed = f"`--{one.word}`" if one.at.group else ""
    key = f"`{one.in_file}`" if one.at.table else ""
    rule = one.domain.words or " or ".join(map(str, one.domain.form.get("enum", ())))
    return typed, key, ", ".join(one.at.of), rule, one.help


def config_keys() -> str:
    """Return the keys of a configuration, from what reads them."""
    parts = []
    for title, keys in (
        ("Of an audit, or of `[defaults]`", keys_of("audit")),
        ("Of a run", run_keys()),
        ("Of a proof, `[prove.NAME]`", keys_of("proof")),
        ("Of a replay, `[replay.NAME]`", keys_of("replay")),
    ):
        rows = ((f"`{key}`", rules["description"]) for key, rules in keys.items())
        parts.append(_table((title, "meaning"), rows))
    return "\n\n".join(parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    top = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join([*top, *lines])


def _cell(text: str) -> str:
    shown = text if text.startswith("`") else escaped(" ".join(text.split()))
    return shown.replace("|", "&#124;")
