"""Arrows between rooms and folders, and who touches files and the terminal, by syntax trees."""

import ast
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "mechanisms": {"mechanisms"},
    "proofs": {"proofs", "mechanisms"},
    "audit": {"audit", "mechanisms"},
    "reports": {"reports", "proofs", "audit", "mechanisms"},
}
NOBODY_IMPORTS = {"tests", "benchmarks"}
FILES = [(room, path) for room in MAY_IMPORT for path in sorted((ROOT / room).rglob("*.py"))]
QUIET = [path for room, path in FILES if room != "reports"]
CALLS = {"open", "print", "input"}
METHODS = {
    "open",
    "mkdir",
    "read_bytes",
    "read_text",
    "rename",
    "rmdir",
    "savetxt",
    "to_csv",
    "touch",
    "unlink",
    "write_bytes",
    "write_text",
}
STREAMS = {"stdin", "stdout", "stderr"}


@cache
def read(source, package):
    """Return what a file of ``package`` imports, and the lines that read or write; read once."""
    nodes = list(ast.walk(ast.parse(source)))
    return tuple(imported(nodes, package)), files_and_terminal(nodes)


def imported(nodes, package):
    """Yield the dotted names that a file of ``package`` imports; relative ones made absolute."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            module = ".".join(filter(None, (*above, node.module)))
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            literal = node.args[0] if node.args else None
            if name in ("import_module", "__import__") and isinstance(literal, ast.Constant):
                yield str(literal.value)


def forbidden_imports(source, package):
    """Return what a file of ``package`` (``audit.events``) imports against the arrows."""
    wrong, room = [], package.split(".")[0]
    for name in read(source, f"provado.{package}")[0]:
        first, *rest = name.split(".")
        if first == "provado":
            if not rest or rest[0] not in MAY_IMPORT[room]:
                wrong.append(name)
        elif first in NOBODY_IMPORTS | MAY_IMPORT.keys():
            # A bare name of a room works by accident only, from the root of the repository.
            wrong.append(name)
    return wrong


def circles(sources):
    """Return, by folder, a circle of what stands in it: files, and folders with all they hold.

    ``sources`` has the text of every module by its dotted name; ``a.b.__init__`` is what the folder
    ``a/b`` shows, and stands in it beside its files.
    """
    beside = defaultdict(lambda: defaultdict(set))
    for name, source in sources.items():
        here = name.split(".")
        for wanted in read(source, ".".join(["provado", *here[:-1]]))[0]:
            there = _module(wanted.split(".")[1:], sources)
            for depth, (one, other) in enumerate(zip(here, there, strict=False)):
                if one != other:
                    beside[".".join(here[:depth])][one].add(other)
                    break
    found = {}
    for folder, imports in beside.items():
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            found[folder] = error.args[1]
    return found


def _module(parts, sources):
    """Return the parts of the module that is imported with a dotted name, or part of it."""
    for length in range(len(parts), 0, -1):
        for module in (parts[:length], [*parts[:length], "__init__"]):
            if ".".join(module) in sources:
                return module
    return []


def files_and_terminal(nodes):
    """Return the lines of a file that read or write files or streams."""
    lines = []
    for node in nodes:
        if isinstance(node, ast.Call):
            func = node.func
            if (isinstance(func, ast.Name) and func.id in CALLS) or (
                isinstance(func, ast.Attribute) and func.attr in METHODS
            ):
                lines.append(node.lineno)
        elif isinstance(node, ast.Attribute) and node.attr in STREAMS:
            lines.append(node.lineno)
    return lines


def package_of(path):
    return ".".join(["provado", *path.relative_to(ROOT).parent.parts])


def name_of(item):
    path = item[1] if isinstance(item, tuple) else item
    return str(path.relative_to(ROOT))


def test_every_room_has_files():
    assert {room for room, _ in FILES} == MAY_IMPORT.keys()


@pytest.mark.parametrize("item", FILES, ids=name_of)
def test_a_file_imports_along_the_arrows(item):
    _, path = item
    package = package_of(path).partition(".")[2]
    assert forbidden_imports(path.read_text("utf-8"), package) == []


def sources_of_rooms():
    """Return the text of every module by its dotted name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text("utf-8")
        for _, path in FILES
    }


def rows_of(page):
    """Return, for each room, the rows of its table in ARCHITECTURE.md, from top to bottom."""
    tables, room = {}, ""
    for line in page.splitlines():
        first = line.removeprefix("| ").partition(" |")[0] if line.startswith("|") else ""
        if first.endswith("/`"):
            tables[room := first.strip("`/")] = []
        elif first.startswith("`"):
            tables[room].append(first.replace("`", "").split(", "))
    return tables


def against_the_page(page, sources):
    """Return what the tables leave out or name in vain, and imports that do not point down."""
    wrong = []
    for room, rows in rows_of(page).items():
        depth = {entry: number for number, row in enumerate(rows) for entry in row}
        there = {name.split(".")[1] for name in sources if name.startswith(f"{room}.")}
        wrong += [f"{room}/{entry}" for entry in sorted((there - {"__init__"}) ^ depth.keys())]
        for name, source in sources.items():
            here = name.split(".")
            if here[0] != room or here[1] not in depth:
                continue
            for wanted in read(source, ".".join(["provado", *here[:-1]]))[0]:
                to = _module(wanted.split(".")[1:], sources)
                inside = to[:1] == [room] and to[1] in depth and to[1] != here[1]
                if inside and depth[to[1]] <= depth[here[1]]:
                    wrong.append(f"{name} imports {'.'.join(to)}")
    return wrong


def test_architecture_shows_every_folder_and_imports_point_down():
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    assert rows_of(page).keys() == MAY_IMPORT.keys()
    assert against_the_page(page, sources_of_rooms()) == []
    assert len(page.splitlines()) <= 70


@pytest.mark.parametrize(
    ("sources", "wrong"),
    [
        ({"a.up": "from provado.a.down import x", "a.down": ""}, []),
        (
            {"a.up": "", "a.down.f": "from provado.a import up", "a.__init__": ""},
            ["a.down.f imports a.up"],
        ),
        ({"a.up": "", "a.down": "", "a.more": ""}, ["a/more"]),
        ({"a.up": ""}, ["a/down"]),
    ],
)
def test_what_the_page_does_not_show_is_found(sources, wrong):
    page = "| `a/` | holds |\n| --- | --- |\n| `up` | upper |\n| `down` | lower |\n"
    assert against_the_page(page, sources) == wrong


def test_no_circle_of_files_or_folders():
    assert circles(sources_of_rooms()) == {}


@pytest.mark.parametrize(
    ("sources", "folder"),
    [
        ({"a.b": "from provado.a.c import x", "a.c": "def f():\n    from . import b"}, "a"),
        (
            {
                "a.b.one": "from provado.a.c.two import x",
                "a.c.two": "",
                "a.c.three": "from provado.a.b import four",
                "a.b.four": "",
            },
            "a",
        ),
        ({"a.__init__": "from provado.a.b import x", "a.b": "from provado.a import y"}, "a"),
        ({"a.b.__init__": "from .c import x", "a.b.c": "from . import x", "a.d": ""}, "a.b"),
        ({"a.b": "import provado.c.d", "c.d": "from provado.a.b import x"}, ""),
    ],
)
def test_a_planted_circle_is_found(sources, folder):
    assert list(circles(sources)) == [folder]


@pytest.mark.parametrize(
    "sources",
    [
        {"a.b": "from provado.a.c import x", "a.c": "from provado.d import y", "d.__init__": ""},
        {"a.__init__": "from provado.a.b import x", "a.b": "", "c": "from provado.a import x"},
        {"a.b.c": "from . import d", "a.b.d": "from provado.a.e import f", "a.e.f": "import a"},
    ],
)
def test_what_has_no_circle_passes(sources):
    assert circles(sources) == {}


@pytest.mark.parametrize("path", QUIET, ids=name_of)
def test_only_reports_read_and_write(path):
    assert read(path.read_text("utf-8"), package_of(path))[1] == []


@pytest.mark.parametrize(
    ("package", "source", "wrong"),
    [
        ("mechanisms", "from provado.audit import audit", ["provado.audit.audit"]),
        ("mechanisms", "import provado.proofs.kernel", ["provado.proofs.kernel"]),
        ("mechanisms", "from provado import reports", ["provado.reports"]),
        ("audit", "from provado.proofs.kernel import check", ["provado.proofs.kernel.check"]),
        ("audit", "def f():\n    import provado.reports.cli.main", ["provado.reports.cli.main"]),
        (
            "proofs",
            "from provado.audit.bounds.counts import Counts",
            ["provado.audit.bounds.counts.Counts"],
        ),
        ("proofs", "if True:\n    from provado import audit", ["provado.audit"]),
        ("reports", "from benchmarks import audit_bars", ["benchmarks.audit_bars"]),
        ("reports", "import tests.conftest", ["tests.conftest"]),
        ("audit", "from mechanisms.promise import PureDP", ["mechanisms.promise.PureDP"]),
        (
            "audit",
            "import importlib\nimportlib.import_module('provado.reports')",
            ["provado.reports"],
        ),
        ("proofs", "import provado", ["provado"]),
        ("audit", "from ..reports import cli", ["provado.reports.cli"]),
        ("audit.events", "from ...proofs import kernel", ["provado.proofs.kernel"]),
    ],
)
def test_a_planted_violation_is_caught(package, source, wrong):
    assert forbidden_imports(source, package) == wrong


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("mechanisms", "from provado.mechanisms.definitions.parameters import UsageError"),
        (
            "audit",
            "from provado.mechanisms import Verdict\nfrom provado.audit.result import AuditResult",
        ),
        ("proofs", "import math\nfrom provado.mechanisms import Source"),
        ("reports", "from provado import proofs, audit, mechanisms, reports"),
        ("audit", "from . import counts\nfrom .bounds import Bets"),
        ("audit.events", "from ..outputs import encode\nfrom .cells import tally"),
        ("mechanisms", "import audited_elsewhere\nimport testsuite"),
    ],
)
def test_what_follows_the_arrows_is_not_caught(package, source):
    assert forbidden_imports(source, package) == []


@pytest.mark.parametrize(
    "source",
    [
        "print('x')",
        "with open('f') as f: pass",
        "from pathlib import Path\nPath('f').write_text('x')",
        "import sys\nsys.stderr.write('x')",
        "def f(path):\n    return path.read_text()",
    ],
)
def test_planted_input_and_output_are_caught(source):
    assert read(source, "provado.audit")[1]
