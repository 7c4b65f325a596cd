from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from provado.mechanisms.graph_discovery.noisy_tables.plan import plan_tables
from provado.reports.cli.main import main

ASKED = ["--method", "tables"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """X → Z ← Y with two levels, two levels and three."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, (2, 4000))
    z = np.where(rng.random(4000) < 0.9, x + y, rng.integers(0, 3, 4000))
    file = tmp_path / "table.csv"
    pd.DataFrame({"X": x, "Y": y, "Z": z}).to_csv(file, index=False)
    return file


def asked(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    assert main(["discover", *arguments]) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.parametrize("budget", [("0.3", None), ("1", "1e-6"), ("40", "0.01")])
def test_what_is_charged_is_the_plan_and_within_the_budget(
    capsys: pytest.CaptureFixture[str], table: Path, budget: tuple[str, str | None]
) -> None:
    epsilon, delta = budget
    spend = ["--epsilon", epsilon, *(() if delta is None else ("--delta", delta))]
    out, _ = asked(capsys, str(table), *ASKED, *spend, "--json", "--redraws", "0")
    document = json.loads(out)
    plan = plan_tables(4000, (2, 2, 3), epsilon=float(epsilon), delta=float(delta or 0))
    total = document["cost"]["total"]
    assert (total["epsilon"], total["delta"]) == plan.cost()
    assert 0.99 * float(epsilon) <= total["epsilon"] <= float(epsilon)
    assert document["plan"]["error"] == plan.error
    assert document["plan"]["redraws"] == 0
    assert all(edge["stability"]["edge"] is None for edge in document["edges"])
    assert all(0 <= edge["stability"]["direction"] <= 1 for edge in document["edges"])
    text = asked(capsys, str(table), *ASKED, *spend)[0]
    assert float(text.split("(ε, δ) = (")[1].split(",")[0]) <= float(epsilon)


def test_the_plan_is_told_first_and_does_not_depend_on_the_records(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    frame = pd.read_csv(table)
    frame.sample(frac=1, random_state=1).assign(X=frame["Y"]).to_csv(other, index=False)
    spend = ["--epsilon", "0.5", "--delta", "1e-6", "--redraws", "0"]
    first, second = (asked(capsys, str(file), *ASKED, *spend)[1] for file in (table, other))
    told = [line for line in first.splitlines() if line.startswith("provado: plan: ")]
    assert told == [line for line in second.splitlines() if line.startswith("provado: plan: ")]
    assert "one table of all columns with discrete Laplace of scale 4 on each cell" in told[0]
    assert "expected error of a correlation" in told[0]


def test_what_stands_is_in_words_json_and_graphml(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    out = ["--out", str(tmp_path / "out")]
    text, _ = asked(capsys, str(table), *ASKED, "--epsilon", "5", "--redraws", "10", *out)
    assert "    X → Z  edge 1.00, direction " in text
    assert "10 redraws" in text
    document = json.loads((tmp_path / "out" / "graph.json").read_text())
    stands = {(e["from"], e["to"]): e["stability"] for e in document["edges"]}
    assert stands["X", "Z"]["edge"] == 1.0
    assert 0.5 <= stands["X", "Z"]["direction"] <= 1.0
    tree = ElementTree.parse(tmp_path / "out" / "graph.graphml")
    names = {key.get("attr.name") for key in tree.iter() if key.tag.endswith("}key")}
    assert {"stability", "direction_stability"} <= names


def test_an_arrow_has_its_share_also_without_redraws(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    out = ["--out", str(tmp_path / "out")]
    text, _ = asked(capsys, str(table), *ASKED, "--epsilon", "5", "--redraws", "0", *out)
    assert "    X → Z  direction " in text
    assert "stability" not in text
    for name in ("graph.svg", "graph.html", "graph.graphml"):
        written = (tmp_path / "out" / name).read_text()
        assert "direction" in written
        assert "edge 1.00" not in written


def test_noise_that_hides_an_edge_shows_in_what_stands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 4000)
    weak = np.where(rng.random(4000) < 0.12, x, rng.integers(0, 2, 4000))
    pd.DataFrame({"X": x, "Y": weak}).to_csv(tmp_path / "weak.csv", index=False)
    file = str(tmp_path / "weak.csv")

    def stands(epsilon: str, seed: int) -> float:
        spend = ["--epsilon", epsilon, "--seed", str(seed), "--redraws", "20", "--json"]
        edges = json.loads(asked(capsys, file, *ASKED, *spend)[0])["edges"]
        return float(edges[0]["stability"]["edge"]) if edges else 0.0

    clear, noisy = ([stands(epsilon, seed) for seed in range(8)] for epsilon in ("50", "0.02"))
    assert np.mean(clear) > 0.95
    assert np.mean(noisy) < 0.75


@pytest.mark.parametrize(
    ("epsilon", "said"),
    [
        ("1e-4", "; THE NOISE HIDES ANY DEPENDENCE: more rows, fewer columns or a larger ε help"),
        ("1", "; the noise may hide correlations below 0.0"),
    ],
)
def test_pairs_without_an_edge_are_not_called_independent(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path, epsilon: str, said: str
) -> None:
    """X → Z ← Y, of which the noise hides all at a tiny ε, and nothing at 1."""
    out = ["--out", str(tmp_path / "out"), "--redraws", "0", "--seed", "1"]
    text = asked(capsys, str(table), *ASKED, "--epsilon", epsilon, *out)[0]
    assert (
        f" without a direct link: no dependence seen, in some cases given other columns{said}"
        in text
    )
    for page in (text, (tmp_path / "out" / "graph.html").read_text()):
        assert said in page
        assert "independent" not in page


def test_without_a_method_it_is_this_one(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    spend = [str(table), "--epsilon", "1", "--seed", "4", "--redraws", "2", "--json"]
    assert asked(capsys, *spend)[0] == asked(capsys, *spend, *ASKED)[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rounds", "3"], "--rounds: it has no meaning for --method tables"),
        (["--version", "repaired"], "--method tables has no versions"),
        (["--max-order", "3"], "--max-order is 3"),
        (["--bins", "width"], "--bins: needs --ranges"),
    ],
)
def test_wrong_usage_is_one_line(
    capsys: pytest.CaptureFixture[str], table: Path, arguments: list[str], said: str
) -> None:
    _, err = asked(capsys, str(table), *ASKED, "--epsilon", "1", *arguments, status=2)
    assert said in err.splitlines()[-1]


def test_numeric_columns_are_binned_beside_discrete_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    cause, kind = rng.uniform(-2, 2, 20_000), rng.integers(0, 2, 20_000)
    # Not monotone, and only one of the kinds depends on it.
    effect = np.where(kind == 1, cause**2, rng.uniform(0, 4, 20_000)) + rng.normal(0, 0.3, 20_000)
    frame = pd.DataFrame({"cause": cause, "kind": kind, "effect": effect})
    frame.to_csv(tmp_path / "mixed.csv", index=False)
    (tmp_path / "ranges.json").write_text('{"cause": [-2, 2], "effect": [-1, 5]}')
    (tmp_path / "levels.json").write_text('{"kind": [0, 1]}')
    told = [str(tmp_path / "mixed.csv"), "--ranges", str(tmp_path / "ranges.json")]
    told += ["--epsilon", "1", "--seed", "1"]
    out, err = asked(capsys, *told, "--json")
    document = json.loads(out)
    ends = {frozenset((edge["from"], edge["to"])) for edge in document["edges"]}
    assert ends == {frozenset(("cause", "effect")), frozenset(("kind", "effect"))}
    assert 3 <= document["parameters"]["bins"] <= 8
    cause_column, kind_column, _ = document["columns"]
    assert (cause_column["levels"], cause_column["range"]) == (None, [-2, 2])
    edges = cause_column["edges"]
    assert edges == sorted(edges)
    assert len(edges) == document["parameters"]["bins"] - 1
    assert (kind_column["range"], kind_column["edges"]) == (None, None)
    assert document["parameters"]["cut"] == "quantiles"
    assert document["plan"]["tables"][-1]["of"] == "fine bins"
    assert document["plan"]["tables"][-1]["number"] == 2
    assert document["cost"]["total"]["epsilon"] <= 1
    assert "2 histograms to cut bins by with" in err
    even = json.loads(asked(capsys, *told, "--bins", "width", "--json")[0])
    assert "fine bins" not in {one["of"] for one in even["plan"]["tables"]}
    widths = np.diff([-2, *even["columns"][0]["edges"], 2])
    assert widths == pytest.approx(np.full(widths.size, widths[0]))
    assert document["domain"] == "file"
    assert "the levels of the columns are taken from the file" in err
    known = [*told, "--levels", str(tmp_path / "levels.json")]
    document = json.loads(asked(capsys, *known, "--json")[0])
    assert document["domain"] == "given"
    assert document["columns"][1]["levels"] == [0, 1]
    assert "levels and ranges of the columns: given" in asked(capsys, *known)[0]


def test_redraws_are_for_tables_only(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    arguments = [str(table), "--method", "svt-pc", "--epsilon", "1", "--redraws", "3"]
    assert (
        "--redraws: it has no meaning for --method svt-pc" in asked(capsys, *arguments, status=2)[1]
    )


@pytest.mark.parametrize("unlike", [0.0, 0.1])
def test_columns_that_are_all_but_the_same_are_named(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path, unlike: float
) -> None:
    """A relabelled copy with a few errors; a column that tells less of the other is none."""
    rng = np.random.default_rng(1)
    frame = pd.read_csv(table)
    other = np.where(rng.random(4000) < unlike + 0.005, 1 - frame["X"], frame["X"])
    frame.assign(W=np.array(["no", "yes"])[other]).to_csv(table, index=False)
    out = ["--redraws", "2", "--out", str(tmp_path / "out")]
    _, said = asked(capsys, str(table), *ASKED, "--epsilon", "5", *out)
    edges = json.loads((tmp_path / "out" / "graph.json").read_text())["edges"]
    alike = [{edge["from"], edge["to"]} for edge in edges if edge["alike"]]
    assert alike == ([] if unlike else [{"X", "W"}])
    words = "columns 'X' and 'W' are all but the same: each accounts for the links of the other"
    page = (tmp_path / "out" / "graph.html").read_text()
    assert (words in said) is (not unlike)
    assert ("are all but the same" in page) is (not unlike)
    assert "Edge: the share of 2 redraws of sampling and noise that have this edge" in page
