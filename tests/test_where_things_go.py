"""What CONTRIBUTING.md says of adding things: the files that it names are enough.

Each is added to a copy of the four rooms, and used by the command line in a process of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("audit", "mechanisms", "proofs", "reports")

MECHANISM = """
from functools import partial

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source


def zoo_coin(data, *, size, rng, right):
    return data ^ (rng.random(size) >= right).astype(int)


SOUND = Mechanism(
    name="zoo-coin",
    run=partial(zoo_coin, right=0.7),
    promise=PureDP(1.0),
    relation=ReplaceOne(),
    pairs=((0, 1),),
    source=Source("An example", "here"),
)

MECHANISMS = (SOUND, SOUND.twin("zoo-coin", run=partial(zoo_coin, right=0.9)))
"""

SCORE = """
from fractions import Fraction

import numpy as np

from provado.mechanisms.scores.score import DependenceScore
from provado.mechanisms.definitions import Source


def zoo_score(a, b):
    return float(np.mean((np.asarray(a) > 0) == (np.asarray(b) > 0)))


SCORE = DependenceScore(
    name="zoo-score",
    of=zoo_score,
    sensitivity=lambda m: Fraction(1, m),
    source=Source("An example", "here"),
    summary="Share of equal signs.",
)
"""

CLAIM = """
from provado.mechanisms import Source
from provado.proofs.ledger import (
    Bounded, Entry, Evidence, Formula, LedgerVerdict, Stretch, Twin, show_claim
)


def mean_moves(bound):
    derived = Stretch(Formula("1/n", "n"), 2)
    return Bounded("the move of a mean of n values in [0, 1]", Formula(bound, "n"), (derived,))


def gather(claim):
    return Evidence(
        printed=show_claim(claim),
        argument=("Replacing one value moves the sum by at most 1, and the mean by 1/n.",),
    )


ENTRY = Entry(
    id="kusner2016/zoo-mean",
    source=Source("An example", "here"),
    printed="A mean moves by at most 2/n.",
    words="So does a mean of values in [0, 1].",
    scope="n ≥ 2",
    claim=mean_moves("2/n"),
    expected=LedgerVerdict.ARGUED,
    gather=gather,
    twin=Twin("Half of what the mean can move.", mean_moves("1/(2n)")),
)
"""

METHOD = """
from provado.mechanisms.graph_discovery.methods.method import Method
from provado.mechanisms.graph_discovery.methods.pc import discover
from provado.mechanisms.graph_discovery.search.skeleton import one_by_one


def zoo_graph(data, *, max_order=None, **work):
    return discover(data.names, lambda x, y, given: True, max_order=max_order, **work)


METHODS = (Method("zoo-graph", None, "No edges", zoo_graph, {"max_order": None}, drawn=False),)
"""

FORMAT = """
FILE = "zoo.txt"


def render(run, differences=None):
    return "".join(f"{one.result.name}: {one.result.verdict}\\n" for one in run.records)
"""

COMMAND = """
HELP = "say how many animals there are"


def add(parser):
    pass


def run(options):
    print("three")
    return 0
"""

ADAPTER = """
from provado.mechanisms.adapters.adapter import comes_from
from provado.mechanisms.textbook.randomized_response import MECHANISMS
from dataclasses import replace


class ZooAdapter:
    name = "zoo"

    def matches(self, obj):
        return comes_from(obj, "zoo")

    def to_mechanism(self, obj, *, pairs, relation=None, name=None):
        return obj

    def releases(self):
        return (replace(MECHANISMS[0], name="zoo/released"),)


ADAPTER = ZooAdapter()
"""

EXPERIMENT = """
from provado.mechanisms.definitions.mechanism import Source
from provado.reports.commands.reproduce.experiment import Experiment, Piece
from provado.reports.commands.reproduce.experiment import Findings, PaperTable


def work(arguments, rng):
    return {"drawn": int(rng.integers(6))}


def findings(setting, answers):
    rows = tuple((key, answer["drawn"]) for key, answer in answers.items())
    return Findings((), (PaperTable("zoo", "What the animals drew", ("animal", "drawn"), rows),))


EXPERIMENT = Experiment(
    name="kusner2016/zoo",
    title="three animals",
    source=Source("An example", "here"),
    parts=lambda setting: [Piece(name, {}, 0.1) for name in ("cat", "dog", "emu")],
    work=work,
    findings=findings,
)
"""

TABLE = "x,y\n" + "".join(f"{i % 5},{i % 3}\n" for i in range(40))

ADDED = {
    "a mechanism with its negative control": (
        {"mechanisms/textbook/zoo_coin.py": MECHANISM},
        "list --only *zoo-coin",
        r"^twin/zoo-coin .*violation.*\nzoo-coin .*no violation found",
    ),
    "a dependence score": (
        {"mechanisms/scores/zoo_score.py": SCORE},
        "discover table.csv --x x --y y --score zoo-score --epsilon 1 --seed 0",
        r"zoo-score",
    ),
    "a claim": (
        {"proofs/ledger/kusner2016/zoo_mean.py": CLAIM},
        "verify kusner2016/zoo-mean",
        r"argued",
    ),
    "a discovery method": (
        {"mechanisms/graph_discovery/methods/zoo_graph.py": METHOD},
        "discover table.csv --method zoo-graph --json",
        r'"title": "No edges"',
    ),
    "an output format": (
        {"reports/audit_report/formats/forms/zoo.py": FORMAT},
        "audit --catalogue --only laplace/grid-3 --samples 1000 --format zoo",
        r"laplace/grid-3: no violation found",
    ),
    "a command": ({"reports/cli/commands/zoo.py": COMMAND}, "zoo", r"^three$"),
    "an experiment": (
        {"reports/commands/reproduce/papers/kusner2016/zoo.py": EXPERIMENT},
        "reproduce kusner2016/zoo",
        r"^ *emu +[0-5]$",
    ),
    "an adapter": (
        {"mechanisms/adapters/zoo_adapter.py": ADAPTER},
        "list --libraries --only zoo/*",
        r"zoo/released",
    ),
}
"""What is added: its files, the command that uses it, and what this prints."""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory):
    """Return a copy of ``src/provado``."""
    copied = tmp_path_factory.mktemp("src") / "provado"
    copied.mkdir()
    shutil.copy(ROOT / "src/provado/__init__.py", copied)
    for room in ROOMS:
        # What was compiled comes along: it is read only while its source is the one copied.
        shutil.copytree(ROOT / room, copied / room)
    return copied


EACH = """
import contextlib, io, json, sys
from provado.reports.cli.main import main

done = []
for words in json.loads(sys.argv[1]):
    out, err, status = io.StringIO(), io.StringIO(), 2
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        with contextlib.suppress(SystemExit):
            status = main(words)
    done.append((status, out.getvalue(), err.getvalue()))
print(json.dumps(done))
"""


@pytest.fixture(scope="module")
def before(rooms, tmp_path_factory):
    """Return what each command prints while nothing is added, all of them of one process."""
    folder = tmp_path_factory.mktemp("before")
    (folder / "table.csv").write_text(TABLE, encoding="utf-8")
    done = in_one_process(rooms, folder, [words.split() for _, words, _ in ADDED.values()])
    return {what: printed for what, (_, printed, _) in zip(ADDED, done, strict=True)}


def in_one_process(rooms, folder, commands):
    """Return the status of each command, what it prints, and what it says of errors."""
    done = python(rooms, folder, "-c", EACH, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def python(rooms, folder, *words):
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(rooms.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("what", ADDED)
def test_these_files_are_enough(rooms, before, tmp_path, what):
    files, words, printed = ADDED[what]
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    assert not re.search(printed, before[what], re.MULTILINE)
    for name, text in files.items():
        (rooms / name).write_text(f'"""An example."""\n{text}', encoding="utf-8")
    try:
        done = python(rooms, tmp_path, "-m", "provado.reports", *words.split())
        assert re.search(printed, done.stdout, re.MULTILINE), done.stdout + done.stderr
        assert done.returncode == 0
    finally:
        for name in files:
            (rooms / name).unlink()


OPTION = {
    "audit/options/declaration.py": (
        '    Option(\n        _CLAIM_OF_PAIRS,\n        "read",',
        '    Option(_CLAIM_OF_PAIRS, "barks", whole(1), "how often the dog barks (1)", 1),\n',
    ),
    "audit/api.py": ("    timing: bool = False,\n", "    barks: int = 1,\n"),
}
"""An option in its declaration and as a keyword; of each file, what it is put before."""

FUNCTION = """
def total(data, *, size, rng):
    return sum(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)
"""

SEEN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import tables
from provado.reports.config.keys import config_schema
from provado.reports.pytest_plugin.audit_fixture import ARGUMENTS

keys = config_schema()["$defs"]["audit"]["properties"]
print(json.dumps(["barks" in ARGUMENTS, keys["barks"], "`--barks`" in tables.options()]))
"""


def test_an_option_is_its_declaration_and_the_code_that_acts(rooms, tmp_path):
    (tmp_path / "own.py").write_text(FUNCTION, encoding="utf-8")
    for name in ("d", "e"):
        (tmp_path / f"{name}.json").write_text(f"[1, {int(name == 'd')}]", encoding="utf-8")
    (tmp_path / "provado.toml").write_text(
        '[audits.loud]\ntarget = "own.py:total"\nepsilon = 1\nbarks = 4\n'
        "pairs = [[[1, 1], [1, 0]]]\n",
        encoding="utf-8",
    )
    before = {name: (rooms / name).read_text(encoding="utf-8") for name in OPTION}
    assert "barks" not in "".join(before.values())
    claim = ["own.py:total", "--epsilon", "1", "--pair", "d.json", "e.json", "--samples", "500"]

    try:
        for name, (place, text) in OPTION.items():
            assert before[name].count(place) == 1
            changed = before[name].replace(place, text + place)
            if name == "audit/api.py":
                changed = acting(changed)
            (rooms / name).write_text(changed, encoding="utf-8")
        (_, offered, _), *audited, out_of_range, no_number = in_one_process(
            rooms,
            tmp_path,
            [
                ["audit", "--help-all"],
                ["audit", *claim, "--barks", "3", "--json"],
                ["audit", "loud", "--samples", "500", "--json"],
                ["audit", "own.py:total", "--barks", "0"],
                ["audit", "loud", "--barks", "x"],
            ],
        )
        assert re.search(r"--barks BARKS +how often the dog barks", offered)
        assert [status for status, _, _ in audited] == [0, 0], audited
        typed, loud = (json.loads(printed)["audits"][0] for _, printed, _ in audited)
        assert "3 barks" in typed["notes"]
        assert typed["selection"][-2:] == ["--barks", "3"]
        assert "--barks 3" in typed["replay"]
        assert "4 barks" in loud["notes"]
        for status, _, complaint in (out_of_range, no_number):
            assert status == 2
            assert "argument --barks" in complaint
            assert "it must be a whole number of at least 1" in complaint
        (tmp_path / "provado.toml").write_text("[defaults]\nbarks = 0.5\n", encoding="utf-8")
        done = python(rooms, tmp_path, "-m", "provado.reports", "audit")
        assert "line 2: defaults.barks: 0.5 is refused: it must be a whole number" in done.stderr
        done = python(rooms, tmp_path, "-c", SEEN, str(ROOT / "docs/hooks"))
        fixture, key, reference = json.loads(done.stdout)
        assert fixture
        assert key["description"] == "how often the dog barks (1)"
        assert reference
    finally:
        for name, text in before.items():
            (rooms / name).write_text(text, encoding="utf-8")


def acting(text):
    """Return the text of ``audit/api.py`` where a result notes how often the dog barks."""
    place = "    if outcome.interrupted:\n        raise InterruptedAudit(result)\n"
    assert text.count(place) == 1
    note = 'notes=(*result.notes, f"{barks} barks")'
    return text.replace(place, f"    result = replace(result, {note})\n{place}")


def test_the_table_says_as_many_files():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (an? [^|]+?) \| (\d+) \|", text, re.MULTILINE))
    assert rows.pop("an option") == str(len(OPTION))
    assert rows == {what: str(len(files)) for what, (files, _, _) in ADDED.items()}
    for what, (files, _, _) in ADDED.items():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| {what} |")]
        for name in files:
            assert f"`{Path(name.replace('kusner2016', 'PAPER')).parent}/" in row


MAP = r"^\| ([^|`]*(?:`[^`]*`[^|`]*)*) \| `(\w+)` \| (`[^|]+`) \|$"


def misplaced(page, root):
    """Return the rows of the map whose files are not there, or whose first lacks the name."""
    wrong = []
    for what, name, places in re.findall(MAP, page, re.MULTILINE):
        paths = [root / place for place in re.findall(r"`([^`]+)`", places)]
        absent = [path for path in paths if not path.exists()]
        defined = rf"^(?:def |class )?{name}\b"
        if absent or not re.search(defined, paths[0].read_text(encoding="utf-8"), re.MULTILINE):
            wrong.append(what)
    return wrong


def test_the_map_leads_to_where_things_are():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(re.findall(MAP, page, re.MULTILINE)) >= 15
    assert misplaced(page, ROOT) == []


@pytest.mark.parametrize(
    "row",
    [
        "| bounds | `binomial_epsilon_lower` | `audit/bounds/moved.py` |",
        "| bounds | `no_such_name` | `audit/bounds/binomial.py` |",
        "| style | `axes` | `reports/pages/figures/figure.py`, `reports/pages/none.css` |",
    ],
)
def test_a_row_that_leads_nowhere_is_found(row):
    assert len(misplaced(row, ROOT)) == 1
