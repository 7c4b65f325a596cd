from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.method import Method, find, methods
from provado.mechanisms.graph_discovery.search.work_limits import most_tests
from provado.reports.cli.main import main
from provado.reports.commands.discover import graph_document
from provado.reports.commands.discover.graph_document import SearchLimits, work_words
from provado.reports.commands.reproduce.sources.networks import load_network
from provado.reports.documents.schema import GRAPH, json_schema
from provado.reports.text.formatting import duration

D, ROWS = 6, 300

Ask = Callable[..., tuple[str, str]]


def write(place: Path, codes: np.ndarray[Any, Any], names: tuple[str, ...]) -> None:
    rows = [",".join(names), *(",".join(map(str, row)) for row in codes.T.tolist())]
    place.write_text("\n".join(rows) + "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place, names = tmp_path_factory.mktemp("bounded"), tuple("abcdef")
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        shared = rng.integers(0, 3, ROWS)
        codes = np.where(rng.random((D, ROWS)) < 0.6, shared, rng.integers(0, 3, (D, ROWS)))
        write(place / f"{seed}.csv", codes, names)
    (place / "levels.json").write_text(json.dumps({name: [0, 1, 2] for name in names}))
    (place / "ranges.json").write_text(json.dumps({name: [0, 2] for name in names}))
    return place


@pytest.fixture
def ask(folder: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    def run(*arguments: str, seed: int = 0) -> tuple[str, str]:
        assert main(["discover", str(folder / f"{seed}.csv"), *arguments]) == 0
        captured = capsys.readouterr()
        return captured.out, captured.err

    return run


def of(method: Method, folder: Path) -> list[str]:
    known = "ranges" if method.numeric else "levels"
    asked = ["--method", method.name, f"--{known}", str(folder / f"{known}.json")]
    if method.version is not None:
        asked += ["--version", method.version]
    if method.private:
        asked += ["--epsilon", "2", "--delta", "1e-3"]
    if method.version == "printed" and method.name == "priv-pc":
        asked += ["--threshold", "0.9", "--tweak", "0.01"]
    return asked + (["--permutations", "9"] if method.numeric else [])


@pytest.mark.parametrize("method", methods(), ids=lambda m: f"{m.name}-{m.version}")
def test_every_method_ends_after_max_tests_and_says_so(
    ask: Ask, folder: Path, method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_document.runtime_estimate, "time_tests", lambda *_: (0.001, 0.002))
    asked = [*of(method, folder), "--seed", "1", "--max-tests", "3"]
    document = json.loads(ask(*asked, "--json")[0])
    jsonschema.validate(document, json_schema(GRAPH))
    assert document["tests"] <= 3
    assert (document["complete"], document["stopped"]) == (False, "tests")
    work = document["work"]
    assert (work["max_tests"], work["seconds"]) == (3, None)
    assert work["most_tests"] == sum(work["by_order"]) >= D * (D - 1) // 2
    timed = work["most_tests"] >= 100 and method.plan is None
    assert work["test_seconds"] == ([0.001, 0.002] if timed else None)
    assert (work["longest"] is not None) == timed
    text = ask(*asked)[0]
    assert text.splitlines()[0].split(":")[0].endswith(", incomplete")
    assert re.search(
        r"\n  incomplete: the answer so far, after \d (tests|families): no more than 3", text
    )
    assert "more --max-tests" in text


@pytest.mark.parametrize("name", ["svt-pc", "em-pc", "curate", "priv-pc"])
def test_seconds_of_a_private_method_are_tests_that_do_not_depend_on_the_data(
    ask: Ask, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event_kinds: list[Any] = []

    def timed(method: Any, data: Any, arguments: Any) -> tuple[float, ...]:
        event_kinds.append((data.n, data.levels))
        return (0.5, 0.25)

    monkeypatch.setattr(graph_document.runtime_estimate, "time_tests", timed)
    asked = [*of(find(name, None, None), folder), "--max-order", "1", "--seconds", "2.2"]
    first, second = (json.loads(ask(*asked, "--json", seed=k)[0]) for k in (0, 1))
    assert first["work"] == second["work"]
    assert (first["work"]["max_tests"], first["work"]["seconds"]) == (4, 2.2)
    assert first["stopped"] == "tests"
    assert event_kinds == [(ROWS, (3,) * D)] * 2
    text = ask(*asked)[0]
    assert (
        "no more than 4 tests were to be asked, as many as were taken to fit into --seconds 2.2"
        in text
    )
    fewer = json.loads(ask(*asked, "--max-tests", "2", "--json")[0])
    assert fewer["work"]["max_tests"] == 2


@pytest.mark.parametrize("name", ["pc", "tables", "tables-score"])
def test_seconds_of_what_does_not_ask_the_records_are_by_the_clock(
    ask: Ask, folder: Path, name: str
) -> None:
    asked = [*of(find(name, None, None), folder), "--seconds", "1e-9"]
    document = json.loads(ask(*asked, "--json")[0])
    assert (document["tests"], document["stopped"]) == (0, "seconds")
    assert document["work"]["max_tests"] is None
    # Tests take edges away, scores bring them in.
    assert len(document["edges"]) == (0 if name == "tables-score" else D * (D - 1) // 2)
    assert "--seconds 1e-09 had passed before the search ended" in ask(*asked)[0]
    long = json.loads(ask(*asked[:-1], "1e5", "--json")[0])
    assert long["stopped"] in (None, "tables" if name == "tables" else None)


def test_what_it_may_cost_is_said_beforehand(ask: Ask, folder: Path) -> None:
    asked = of(find("pc", None, None), folder)
    out, err = ask(*asked, "--progress")
    first, *_ = err.splitlines()
    total = 2 * sum(most_tests(D, D))
    assert first.startswith(f"provado: PC: at most {total} tests, of two columns given up to 4 ")
    assert "timed on made-up columns: up to" in first
    assert first.endswith("--max-tests or --seconds end it earlier, with the answer so far")
    assert "incomplete" not in out
    assert ask(*asked) == (out, "")
    few = ask(*asked, "--columns", "a", "b", "c", "--progress", "--max-tests", "5")[1]
    said = "PC: at most 12 tests, of two columns given up to 1 other; it ends after 5 tests\n"
    assert few.startswith(f"provado: {said}")


def test_what_would_take_ages_is_not_counted() -> None:
    work = SearchLimits(most_tests(500, 500), (0.001, 0.002), None, None, False)
    assert work.tests is None
    assert work.longest is None
    assert work_words("PC", work).startswith("PC: perhaps more than 10^15 tests, of two columns")
    assert "for ages" in work_words("PC", work)
    assert work.to_json()["by_order"] is None


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0123, "0.012 s"), (119, "120 s"), (120, "2 minutes"), (86_400, "24 hours")],
)
def test_times_in_words(seconds: float, said: str) -> None:
    assert duration(seconds) == said
    assert duration(1e12) == "31,688 years"


def test_water_ends_with_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A network in which columns nearly determine each other, so that PC keeps on asking."""
    try:
        network = load_network("water")
    except UsageError as missing:
        pytest.skip(str(missing))
    data = network.sample(2000, np.random.default_rng(0))
    write(tmp_path / "water.csv", data.codes, data.names)
    levels = {n: list(range(k)) for n, k in zip(data.names, data.levels, strict=True)}
    (tmp_path / "levels.json").write_text(json.dumps(levels))
    asked = ["--method", "pc", "--levels", str(tmp_path / "levels.json"), "--max-tests", "20000"]
    assert main(["discover", str(tmp_path / "water.csv"), *asked, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["tests"], document["stopped"]) == (20_000, "tests")
    assert document["work"]["most_tests"] == 2 * sum(most_tests(32, 30)) > 1e12
    pairs = {frozenset((edge["from"], edge["to"])) for edge in document["edges"]}
    apart = {frozenset((one["x"], one["y"])) for one in document["separated"]}
    assert not pairs & apart
    assert len(pairs | apart) == 32 * 31 // 2
