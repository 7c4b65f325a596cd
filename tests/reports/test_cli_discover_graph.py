from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest

from provado.mechanisms.graph_discovery.methods.budget import SpentRounds, cheapest, round_epsilon
from provado.mechanisms.graph_discovery.methods.method import REPAIRED, Method, methods
from provado.mechanisms.graph_discovery.methods.priv_pc import priv_pc_repaired
from provado.proofs.ledger.entry import LedgerVerdict, ledger
from provado.reports.cli.main import main
from provado.reports.commands.discover.graph_data import load_discrete
from provado.reports.commands.discover.pair import SEED_WARNING
from provado.reports.documents.schema import GRAPH, json_schema

LEVELS = {"X": ["no", "yes"], "Y": ["no", "yes"], "Z": [0, 1, 2]}
RANGES = {"A": [-1, 1], "B": [-1, 1], "C": [-3, 3]}
PRIVATE = [method for method in methods() if method.private]
GUARANTEED = [method for method in PRIVATE if method.flaw is None]
BY_ROUNDS = [method for method in GUARANTEED if method.plan is None]

Ask = Callable[..., tuple[str, str]]


def collider(rows: int, seed: int = 0) -> pd.DataFrame:
    """Return X → Z ← Y, where Z counts how many of X and Y are yes, mostly."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 2, (2, rows))
    z = np.where(rng.random(rows) < 0.9, x + y, rng.integers(0, 3, rows))
    answers = np.array(["no", "yes"])
    return pd.DataFrame({"X": answers[x], "Y": answers[y], "Z": z})


def numbers(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    a, b = rng.uniform(-1, 1, (2, rows))
    return pd.DataFrame({"A": a, "B": b, "C": np.tanh(2 * (a + b)) + rng.uniform(-0.1, 0.1, rows)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("graph")
    collider(4000).to_csv(place / "discrete.csv", index=False)
    collider(4000, seed=9).to_csv(place / "other.csv", index=False)
    numbers(60).to_csv(place / "numeric.csv", index=False)
    (place / "levels.json").write_text(json.dumps(LEVELS))
    (place / "ranges.json").write_text(json.dumps(RANGES))
    return place


@pytest.fixture
def ask(folder: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    def run(*arguments: str, table: Path | None = None, status: int = 0) -> tuple[str, str]:
        assert main(["discover", str(table or folder / "discrete.csv"), *arguments]) == status
        captured = capsys.readouterr()
        return captured.out, captured.err

    return run


def of(method: Method, folder: Path) -> tuple[list[str], Path]:
    """Return the options that a method needs, and its table."""
    known = "ranges" if method.numeric else "levels"
    asked = ["--method", method.name, f"--{known}", str(folder / f"{known}.json")]
    if method.version is not None:
        asked += ["--version", method.version]
    if method.private:
        asked += ["--epsilon", "2", "--delta", "1e-3"]
    if method.version == "printed" and method.name == "priv-pc":
        asked += ["--threshold", "0.9", "--tweak", "0.01"]
    if method.numeric:
        asked += ["--permutations", "9"]
    return asked, folder / ("numeric.csv" if method.numeric else "discrete.csv")


@pytest.mark.parametrize("method", methods(), ids=lambda m: f"{m.name}-{m.version}")
def test_every_method_answers_in_json_and_words(ask: Ask, folder: Path, method: Method) -> None:
    asked, table = of(method, folder)
    out, err = ask(*asked, "--seed", "1", "--json", table=table)
    document = json.loads(out)
    jsonschema.validate(document, json_schema(GRAPH))
    names = ["A", "B", "C"] if method.numeric else ["X", "Y", "Z"]
    assert [column["name"] for column in document["columns"]] == names
    assert document["seeded"]
    assert (SEED_WARNING in err) == method.private
    pairs = {frozenset((edge["from"], edge["to"])) for edge in document["edges"]}
    apart = {frozenset((one["x"], one["y"])) for one in document["separated"]}
    assert len(pairs) == len(document["edges"])
    assert not pairs & apart
    # Nothing is separated by a score.
    assert len(pairs | apart) == 3 or method.counts == "families"
    text, _ = ask(*asked, "--seed", "1", "--verbose", table=table)
    assert text.startswith(method.title)
    for edge in document["edges"]:
        arrow = "→" if edge["kind"] == "directed" else "−"
        ends = f"\n    {edge['from']} {arrow} {edge['to']}"
        assert ends + ("\n" if edge["stability"] is None else "  edge ") in text
    if not method.private:
        assert "NOT PRIVATE" in text
        assert document["cost"] is document["budget"] is document["answers"] is None
        return
    assert "NOT PRIVATE" not in text
    assert text.count("  answer ") == len(document["answers"])
    assert ("STATED, NOT GUARANTEED" in text) == ("THE STATED COST IS NO GUARANTEE" in text)
    assert ("STATED, NOT GUARANTEED" in text) == (method.flaw is not None)
    assert ("THE STATED COST IS NO GUARANTEE" in err) == (method.flaw is not None)
    assert document["guarantee"] == (method.flaw is None)


@pytest.mark.parametrize("method", BY_ROUNDS, ids=lambda m: m.name)
@pytest.mark.parametrize("budget", [("0.3", "1e-6", None), ("1", None, "4"), ("40", "0.01", "2")])
def test_the_total_is_at_most_the_budget(
    ask: Ask, folder: Path, method: Method, budget: tuple[str, str | None, str | None]
) -> None:
    asked, table = of(method, folder)
    epsilon, delta, rounds = budget
    asked = [*asked[: asked.index("--epsilon")], "--epsilon", epsilon]
    asked += ["--permutations", "9"] if method.numeric else []
    asked += [] if delta is None else ["--delta", delta]
    asked += [] if rounds is None else ["--rounds", rounds]
    document = json.loads(ask(*asked, "--json", table=table)[0])
    cost = document["cost"]
    assert 0.99 * float(epsilon) <= cost["total"]["epsilon"] <= float(epsilon)
    assert cost["total"]["delta"] <= float(delta or 0)
    assert cost["rounds"] == document["budget"]["rounds"] >= 1
    if rounds is not None:
        assert cost["rounds"] == int(rounds)
    assert method.parts is not None
    spent = SpentRounds(cost["rounds"], cost["round_epsilon"], method.parts(cost["round_epsilon"]))
    assert cost["total"]["epsilon"] == cheapest(spent, float(delta or 0)).epsilon
    assert cost["basic"]["epsilon"] == spent.basic()[0]
    text = ask(*asked, table=table)[0]
    printed = text.split("(ε, δ) = (")[1].split(",")[0]
    assert float(printed) <= float(epsilon)


@pytest.mark.parametrize("method", BY_ROUNDS, ids=lambda m: m.name)
def test_what_a_round_is_made_of_is_what_the_method_charges(folder: Path, method: Method) -> None:
    from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns

    table: Any = load_discrete(folder / "discrete.csv", ["X", "Y", "Z"], None)
    arguments: dict[str, Any] = {"epsilon": 0.7, "rounds": 3, "rng": np.random.default_rng(0)}
    if method.numeric:
        frame = numbers(60)
        table = numeric_columns({name: frame[name].to_numpy() for name in frame})
        arguments |= {"bandwidth": 1.0, "permutations": 9}
    assert method.parts is not None
    spent = method.function(table, **arguments).spent
    assert sorted(map(repr, spent.parts)) == sorted(map(repr, method.parts(0.7)))
    assert (spent.rounds, spent.epsilon) == (3, 0.7)


def test_the_answer_is_that_of_the_method_itself(ask: Ask, folder: Path) -> None:
    table = load_discrete(folder / "discrete.csv", ["X", "Y", "Z"], None)
    priv_pc = next(m for m in methods() if (m.name, m.version) == ("priv-pc", REPAIRED))
    assert priv_pc.parts is not None
    share = round_epsilon(priv_pc.parts, rounds=6, epsilon=3.0, delta=1e-3)
    found = priv_pc_repaired(table, epsilon=share, rounds=6, rng=np.random.default_rng(5))
    asked = ["--method", "priv-pc", "--epsilon", "3", "--delta", "1e-3", "--seed", "5", "--json"]
    document = json.loads(ask(*asked)[0])
    assert document["budget"]["round_epsilon"] == share
    assert document["tests"] == found.tests
    names = found.names
    assert {(e["from"], e["to"]) for e in document["edges"] if e["kind"] == "directed"} == {
        (names[i], names[j]) for i, j in np.argwhere(found.cpdag & ~found.cpdag.T)
    }
    assert [a["tests"] for a in document["answers"]] == [a.tests for a in found.answers]


@pytest.mark.parametrize("method", ["pc", "svt-pc", "priv-pc", "em-pc"])
def test_a_collider_is_found_where_the_budget_is_huge(ask: Ask, method: str) -> None:
    asked = ["--method", method, "--json"]
    asked += [] if method == "pc" else ["--epsilon", "3000", "--rounds", "6"]
    document = json.loads(ask(*asked)[0])
    assert document["edges"] == [
        {"from": "X", "to": "Z", "kind": "directed", "stability": None, "alike": False},
        {"from": "Y", "to": "Z", "kind": "directed", "stability": None, "alike": False},
    ]
    assert document["separated"] == [{"x": "X", "y": "Y", "given": []}]
    text = ask(*asked[:-1] if method == "pc" else [a for a in asked if a != "--json"])[0]
    said = "(→ as the tests direct it; how sure that is, is not known)"
    assert f"    X → Z\n    Y → Z\n  {said}\n" in text
    assert "from cause to effect" not in text
    assert "  assumed    an arrow holds if no common cause" in text


@pytest.mark.parametrize("method", PRIVATE, ids=lambda m: f"{m.name}-{m.version}")
def test_a_seed_repeats_and_is_not_told(ask: Ask, folder: Path, method: Method) -> None:
    asked, table = of(method, folder)
    asked[asked.index("--epsilon") + 1] = "0.7"
    first, again = (ask(*asked, "--seed", "90417", "--json", table=table)[0] for _ in range(2))
    assert first == again
    assert "90417" not in first


def test_no_seed_is_fresh_randomness(ask: Ask) -> None:
    asked = ["--method", "svt-pc", "--epsilon", "0.01", "--json"]
    assert len({ask(*asked)[0] for _ in range(6)}) > 1
    assert not json.loads(ask(*asked)[0])["seeded"]


@pytest.mark.parametrize("method", ["priv-pc", "svt-pc", "em-pc"])
def test_the_rounds_do_not_depend_on_the_records(ask: Ask, folder: Path, method: str) -> None:
    asked = ["--method", method, "--epsilon", "1", "--delta", "1e-3", "--json"]
    ours, theirs = (
        json.loads(ask(*asked, table=folder / name)[0]) for name in ("discrete.csv", "other.csv")
    )
    assert ours["budget"] == theirs["budget"]
    assert ours["noise"] == theirs["noise"]
    assert ours["cost"] == theirs["cost"]
    assert ours["budget"]["rounds"] == {"priv-pc": 6, "svt-pc": 3, "em-pc": 6}[method]


def test_what_the_file_told_is_not_told_on(ask: Ask, folder: Path) -> None:
    asked = ["--method", "priv-pc", "--epsilon", "1"]
    out, err = ask(*asked, "--json")
    document = json.loads(out)
    assert document["domain"] == "file"
    assert all(column["levels"] is column["range"] is None for column in document["columns"])
    assert "guarantee holds only if they were known beforehand" in err
    assert "guarantee holds only if they were known beforehand" in ask(*asked)[0]
    out, err = ask(*asked, "--levels", str(folder / "levels.json"), "--json")
    document = json.loads(out)
    assert document["domain"] == "given"
    assert [column["levels"] for column in document["columns"]] == list(LEVELS.values())
    assert err == ""
    assert "the number of rows and the columns are public" in ask(*asked)[0]
    ranged, table = of(next(m for m in GUARANTEED if m.numeric), folder)
    document = json.loads(ask(*ranged, "--json", table=table)[0])
    assert [column["range"] for column in document["columns"]] == list(RANGES.values())


def test_rank_tests_take_what_the_file_of_levels_declares_ordered(ask: Ask, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    place = rng.integers(0, 5, 4000)
    kind = np.where(rng.random(4000) < 0.8, abs(place - 2), rng.integers(0, 3, 4000))
    pd.DataFrame({"place": place, "kind": kind}).to_csv(tmp_path / "bent.csv", index=False)

    def links(known: Any) -> tuple[int, list[bool]]:
        (tmp_path / "levels.json").write_text(json.dumps({"place": known, "kind": [0, 1, 2]}))
        asked = ["--method", "pc", "--test", "spearman", "--levels", str(tmp_path / "levels.json")]
        document = json.loads(ask(*asked, "--json", table=tmp_path / "bent.csv")[0])
        return len(document["edges"]), [column["ordered"] for column in document["columns"]]

    levels = [0, 1, 2, 3, 4]
    # There is no trend. Where one column is declared ordered and the other is not, G² tests them.
    assert links(levels) == (0, [False, False])
    assert links({"ordered": levels}) == (1, [True, False])


def test_noise_above_what_it_hides_is_told(ask: Ask) -> None:
    asked = ["--method", "svt-pc", "--rounds", "1", "--epsilon"]
    noisy, clear = (json.loads(ask(*asked, e, "--json")[0])["noise"] for e in ("0.1", "100"))
    assert noisy["scale"] == pytest.approx(40)
    assert clear["scale"] == pytest.approx(0.04)
    # Half the distance from 0 to the level, 1.2816/(1.5·√n), over the sensitivity, 12/(2n − 7).
    distance = 1.2816 / (1.5 * 4000**0.5) / (12 / (2 * 4000 - 7))
    assert noisy["distance"] == clear["distance"] == pytest.approx(distance, rel=1e-3)
    assert "much of the graph is chance" in ask(*asked, "0.1")[0]
    assert "much of the graph is chance" not in ask(*asked, "100")[0]


def test_rounds_that_do_not_suffice_are_told(ask: Ask) -> None:
    asked = ["--method", "priv-pc", "--epsilon", "1", "--alpha", "0.4", "--tweak", "0.3"]
    out, _ = ask(*asked, "--rounds", "1", "--epsilon", "900", "--json")
    document = json.loads(out)
    assert document["complete"] is False
    assert len(document["answers"]) == 1
    assert "the rounds were used up" in ask(*asked, "--rounds", "1", "--epsilon", "900")[0]


def test_every_flaw_is_in_the_ledger() -> None:
    found = {entry.id: entry for entry in ledger()}
    for method in PRIVATE:
        assert (method.version in (REPAIRED, None)) == (method.flaw is None)
        for name in method.flaw.ledger if method.flaw else ():
            assert found[name].expected in (LedgerVerdict.REFUTED, LedgerVerdict.INCOMPLETE)


def test_progress_changes_nothing(ask: Ask) -> None:
    asked = ["--method", "priv-pc", "--epsilon", "5", "--seed", "3", "--json"]
    out, err = ask(*asked)
    told, more = ask(*asked, "--progress")
    assert told == out
    assert re.search(r"Priv-PC: at most 6 tests, of two columns given up to 1 other\n", more)
    assert re.search(r"Priv-PC: 0 s, \d+ tests\n", more)
    assert "at most" not in err


def test_columns_are_selected_in_order(ask: Ask, folder: Path) -> None:
    known = ["--levels", str(folder / "levels.json")]
    document = json.loads(
        ask("--method", "pc", "--columns", "Z", "X", *known, "--test", "chi2", "--json")[0]
    )
    assert [column["name"] for column in document["columns"]] == ["Z", "X"]
    assert document["parameters"]["test"] == "chi2"


def test_pc_with_rcit_is_the_numeric_method(ask: Ask, folder: Path) -> None:
    table, small = folder / "numeric.csv", ["--permutations", "9", "--seed", "2", "--json"]
    first = ask("--method", "pc", "--test", "rcit", *small, table=table)[0]
    assert first == ask("--method", "pc-numeric", *small, table=table)[0]
    assert json.loads(first)["method"] == "pc-numeric"
