"""How an audit is repeated: the command, and a short program with the source and two datasets."""

import ast
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from provado.audit.options.declaration import CONFIDENCE, OPTIONS, TIME_LIMIT
from provado.audit.options.domains import MOST as MOST_TRIALS
from provado.audit.options.domains import flag
from provado.audit.pipeline.explore import MOST_EXPLORED
from provado.audit.result import AuditResult, PairResult
from provado.reports.documents.origin import parse_location
from provado.reports.tasks.run import Record, Settings


def words(selection: Sequence[str], settings: Settings, result: AuditResult) -> list[str]:
    """Return the arguments of ``provado``, with the number of trials that was planned."""
    found = ["audit", *selection]
    # Where time alone set a limit and no trial was planned, the number says nothing.
    if 0 < result.samples < MOST_TRIALS or (result.samples and settings.samples is not None):
        found += ["--samples", str(result.replay_samples)]
        if explored := explore_again(result, settings.explore):
            found += ["--explore", str(explored)]
    elif settings.seconds is not None:
        found += ["--seconds", f"{settings.seconds:g}"]
    found += ["--seed", str(settings.seed), "--confidence", f"{settings.confidence!r}"]
    for one in OPTIONS:
        if one.domain is flag and getattr(settings, one.name, False):
            found.append(f"--{one.word}")
    if settings.time_limit != TIME_LIMIT:
        found += ["--time-limit", f"{settings.time_limit:g}"]
    return found


def explore_again(result: AuditResult, given: int | str | None = None) -> int | str | None:
    """Return the ``explore`` of the same audit with ``replay_samples``; ``None`` for the usual one.

    It says how far the search for the pair came, where this followed from a time. given: what was
    asked for.
    """
    best, searched, usual = result.best, result.search, min(result.samples, MOST_EXPLORED)
    asked, _, search = str(given or "").partition("search=")
    if best is not None:
        # How many a sequential audit threw away follows from the seed.
        asked = "" if best.method.bettors else str(best.replay_explore)
    if searched is not None and searched.timed and (searched.cut or searched.planned_runs != usual):
        search = f"{searched.planned_runs}" + (f":{searched.cut_after}" if searched.cut else "")
    size = "" if asked.strip(",") == f"{usual}" else asked.strip(",")
    again = ",".join(filter(None, (size, search and f"search={search}")))
    return int(again) if again.isdecimal() else again or None


def replay(record: Record) -> str:
    """Return the command as text for a shell, each word quoted where needed."""
    return shlex.join(["provado", *words(record.selection, record.settings, record.result)])


MOST_LINES = 30


def reproducer(record: Record, pair: PairResult) -> str:
    """Return the program, at most 30 lines; empty where it cannot be written.

    It can where the target is a function of a file that is still there and not too long, with what
    it uses, and where the datasets are as short as their text: numbers, texts and lists of them.
    """
    target = record.selection[0] if record.selection else ""
    file, _, name = target.rpartition(":")
    kinds = {Path(word).suffix for word in record.selection[1:]}
    data = [_literal(text, kinds) for text in (pair.witness.d, pair.witness.d_prime)]
    result = record.result
    written = parse_location(record.location)[0] and not result.read
    if not written or None in data or not name.isidentifier():
        return ""
    claim = f"epsilon={result.epsilon!r}, delta={result.delta!r}"
    ideal = ', arithmetic="ideal"' if result.arithmetic == "ideal" else ""
    again = f"samples={result.replay_samples!r}, seed={result.seed}{ideal}"
    if explored := explore_again(replace(result, search=None)):
        again += f", explore={explored!r}"
    if result.confidence != CONFIDENCE:
        again += f", confidence={result.confidence!r}"
    tail = [
        "",
        f"D = {data[0]}",
        f"D_PRIME = {data[1]}",
        f"result = audit({name}, {claim}, pair=(D, D_PRIME), {again})",
        'print(result.verdict, f"{result.epsilon_lower:.3f}")',
    ]
    made = " ".join(filter(None, data))
    libraries = (("np.", "import numpy as np"), ("pd.", "import pandas as pd"))
    head = [line for name, line in libraries if made.startswith(name)]
    head += ["from provado import audit", ""]
    source = _excerpt(Path(file), name)
    lines = [*head, *source, *tail]
    return "\n".join(lines) + "\n" if source and len(lines) <= MOST_LINES else ""


def _literal(text: str, kinds: set[str]) -> str | None:
    """Return a dataset as Python makes it again; ``None`` where its text does not say it whole.

    kinds: suffixes of the files that were given. A text says nothing of the types that ``.npy``
    and ``.parquet`` keep, and of an empty table not which columns it has.
    """
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    if "…" in text or {".npy", ".parquet"} & kinds or (".csv" in kinds and not value):
        return None
    if ".csv" not in kinds:
        return repr(value)
    return f"pd.DataFrame({value!r})" if isinstance(value[0], dict) else f"np.array({value!r})"


def _excerpt(file: Path, name: str) -> list[str]:
    """Return the lines of a file that define a function and what it uses of that file."""
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError):
        return []
    defined = {one: node for node in tree.body for one in _names(node)}
    if not isinstance(defined.get(name), ast.FunctionDef):
        return []
    needed, waiting = set[ast.stmt](), [defined[name]]
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            waiting += [defined[one] for one in sorted(used) if one in defined]
    lines: list[str] = []
    for node in tree.body:
        if node in needed:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                lines += [] if not lines or lines[-1] == "" else [""]
            try:
                lines += ast.unparse(_without_docstring(node)).split("\n")
            except ValueError:  # A text of an f-string that its own syntax cannot hold.
                return []
    return lines


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [one.asname or one.name.partition(".")[0] for one in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) and len(node.body) > 1:
        node.body = node.body[1:]
    return node
