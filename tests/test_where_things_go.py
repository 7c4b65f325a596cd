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


def add(subparsers):
    parser = subparsers.add_parser("zoo", help=HELP)
    parser.set_defaults(run=run)


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
from provado.mechanisms.definitions.source import Source
from provado.reports.commands.reproduce.experiment import Experiment, Part
from provado.reports.commands.reproduce.experiment import Findings, Table


def work(arguments, rng):
    return {"drawn": int(rng.integers(6))}


def findings(setting, answers):
    rows = tuple((key, answer["drawn"]) for key, answer in answers.items())
    return Findings((), (Table("zoo", "What the animals drew", ("animal", "drawn"), rows),))


EXPERIMENT = Experiment(
    name="kusner2016/zoo",
    title="three animals",
    source=Source("An example", "here"),
    parts=lambda setting: [Part(name, {}, 0.1) for name in ("cat", "dog", "emu")],
    work=work,
    findings=findings,
)
"""

TABLE = "x,y\n" + "".join(f"{i % 5},{i % 3}\n" for i in range(40))

ADDED = {
    "a mechanism with its broken twin": (
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

printed = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main(words.split())
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def before(rooms, tmp_path_factory):
    """Return what each command prints while nothing is added, all of them of one process."""
    folder = tmp_path_factory.mktemp("before")
    (folder / "table.csv").write_text(TABLE, encoding="utf-8")
    commands = json.dumps([words for _, words, _ in ADDED.values()])
    done = python(rooms, folder, "-c", EACH, commands)
    assert done.returncode == 0, done.stderr
    return dict(zip(ADDED, json.loads(done.stdout), strict=True))


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


def test_the_table_says_as_many_files():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (an? [^|]+?) \| (\d+) \|", text, re.MULTILINE))
    assert rows == {what: str(len(files)) for what, (files, _, _) in ADDED.items()}
    for what, (files, _, _) in ADDED.items():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| {what} |")]
        for name in files:
            assert f"`{Path(name.replace('kusner2016', 'PAPER')).parent}/" in row
