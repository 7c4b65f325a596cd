"""Print how many lines of product code there are, by folder and by cause.

Run by ``make weight``. Counted are the Python files that git tracks in the four rooms, without
blank lines, comments and docstrings (those of attributes too). Each line has one cause, the first
that applies in the order of `CAUSES`.
"""

from __future__ import annotations

import ast
import io
import re
import statistics
import subprocess
import tokenize
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePath

ROOMS = ("audit", "mechanisms", "proofs", "reports")
CAUSES = (
    "imports",
    "signatures",
    "class frames",
    "guards and raise",
    "module data",
    "prose in strings",
    "closing brackets",
    "arguments passed on",
    "logic",
)
CLOSING = re.compile(r"[\])}]+[,:]?")
PASSED_ON = re.compile(r"\**(?P<name>\w+)(=(?P=name))?,?")
WORDS = re.compile(r"[^\W\d]{2,} [^\W\d]+")
ENTRIES = 12
"""The most entries that a folder should have."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Weight:
    """Lines of a file by cause, and the classes that it defines (True for a dataclass)."""

    lines: Counter[str]
    classes: dict[str, bool]


def _docstrings(tree: ast.Module) -> set[int]:
    """Return the lines of strings that stand alone: docstrings of all kinds."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)


def _is_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise) and not node.orelse


def _span(node: ast.AST) -> range:
    assert isinstance(node, ast.stmt | ast.expr)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _before_body(node: Function | ast.ClassDef) -> range:
    """Return the lines of decorators and head."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return range(first, max(node.body[0].lineno, node.lineno + 1))


def _by_syntax(tree: ast.Module) -> dict[str, set[int]]:
    """Return the lines of each cause that the syntax tree decides."""
    lines: dict[str, set[int]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            lines["imports"].update(_span(node))
        elif isinstance(node, Function):
            lines["signatures"].update(_before_body(node))
        elif isinstance(node, ast.ClassDef):
            lines["class frames"].update(_before_body(node))
            for field in node.body:
                if isinstance(field, ast.AnnAssign):
                    lines["class frames"].update(_span(field))
        elif isinstance(node, ast.Raise) or _is_guard(node):
            lines["guards and raise"].update(_span(node))
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            cause = "imports" if "__all__" in names else "module data"
            lines[cause].update(_span(statement))
    return lines


def _prose(source: str) -> set[int]:
    """Return the lines that hold nothing but strings with words in them."""
    strings: set[int] = set()
    others: set[int] = set()
    fstring = {getattr(tokenize, f"FSTRING_{part}", -1) for part in ("START", "MIDDLE", "END")}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        lines = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.STRING or token.type in fstring:
            if WORDS.search(token.string):
                strings.update(lines)
        elif token.type in (tokenize.NAME, tokenize.NUMBER):
            others.update(lines)
    return strings - others


def weigh(source: str) -> Weight:
    """Return the lines of a file by cause, and its classes."""
    tree = ast.parse(source)
    by_cause = _by_syntax(tree)
    by_cause["prose in strings"] = _prose(source)
    silent = _docstrings(tree)
    count: Counter[str] = Counter()
    for number, line in enumerate(source.splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#") or number in silent:
            continue
        cause = next((cause for cause in CAUSES if number in by_cause[cause]), "logic")
        if cause == "logic" and CLOSING.fullmatch(text):
            cause = "closing brackets"
        elif cause == "logic" and PASSED_ON.fullmatch(text) and text.endswith(","):
            cause = "arguments passed on"
        count[cause] += 1
    classes = {
        node.name: _is_dataclass(node) for node in tree.body if isinstance(node, ast.ClassDef)
    }
    return Weight(count, classes)


def tracked() -> dict[PurePath, Weight]:
    """Return the weight of each tracked Python file of the four rooms (of each, without git)."""
    command = ["git", "ls-files", "--", *(f"{room}/*.py" for room in ROOMS)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    files = (str(file) for room in ROOMS for file in Path(room).rglob("*.py"))
    names = run.stdout.split() if run.returncode == 0 else sorted(files)
    return {PurePath(name): weigh(Path(name).read_text(encoding="utf-8")) for name in names}


def _table(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in [head, *rows]
    ]
    return "\n".join(lines)


def by_folder(files: dict[PurePath, Weight], depth: int = 2) -> str:
    """Return a table of lines, files, median file and imports for each folder down to a depth."""
    groups: dict[str, list[Weight]] = defaultdict(list)
    for path, weight in files.items():
        parents = path.parts[:-1]
        for length in range(1, min(len(parents), depth) + 1):
            groups["/".join(parents[:length])].append(weight)
        groups["all"].append(weight)
    entries: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for length in range(1, len(path.parts)):
            entries["/".join(path.parts[:length])].add(path.parts[length])
    rows = []
    for name, weights in sorted(groups.items(), key=lambda item: (item[0] == "all", item[0])):
        sizes = [weight.lines.total() for weight in weights]
        imports = sum(weight.lines["imports"] for weight in weights)
        many = len(entries[name] - {"__init__.py"})
        rows.append(
            [
                name if name == "all" or "/" not in name else f"  {name}",
                f"{sum(sizes):,}",
                f"{len(sizes)}",
                f"{statistics.median(sizes):.0f}",
                f"{imports / max(sum(sizes), 1):.1%}",
                "" if name == "all" else f"{many}{' !' if many > ENTRIES else ''}",
            ]
        )
    return _table(["folder", "lines", "files", "median", "imports", "entries"], rows)


def by_cause(files: dict[PurePath, Weight]) -> str:
    """Return a table of lines for each cause."""
    count = sum((weight.lines for weight in files.values()), Counter[str]())
    total = count.total()
    rows = [[cause, f"{count[cause]:,}", f"{count[cause] / total:.1%}"] for cause in CAUSES]
    return _table(["cause", "lines", "share"], rows)


def main() -> None:
    """Print the tables."""
    files = tracked()
    classes = Counter(name for weight in files.values() for name in weight.classes)
    dataclasses = sum(sum(weight.classes.values()) for weight in files.values())
    public = [name for name, times in classes.items() if times > 1 and not name.startswith("_")]
    print(by_folder(files), by_cause(files), sep="\n\n")
    print(
        f"\n{dataclasses} of {classes.total()} classes are dataclasses; {len(public)} public class "
        "names are used in more than one module."
    )


if __name__ == "__main__":
    main()
