from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest

from provado.mechanisms.cause_effect.additive_noise_model import generate_pair
from provado.mechanisms.cause_effect.pair_budget import SCORES, Protect, plan_for
from provado.reports.cli.commands.discover import SEED_WARNING
from provado.reports.cli.main import main
from provado.reports.commands.discover.pair import answer_words
from provado.reports.documents import schema

COMBINATIONS = list(product(SCORES, map(str, Protect)))
PRIVATE = [(score, protect) for score, protect in COMBINATIONS if protect != "none"]
RANGES = ["--x-range", "-4", "4", "--y-range", "-4", "4"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pair = generate_pair(300, np.random.default_rng(11))
    place = tmp_path_factory.mktemp("pair") / "pair.csv"
    pd.DataFrame({"cause of all": pair.x, "B": pair.y}).to_csv(place, index=False)
    return place


@pytest.fixture
def ask(file: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str, table: Path = file, status: int = 0) -> tuple[str, str]:
        command = ["discover", str(table), "--x", "cause of all", "--y", "B", *arguments]
        assert main(command) == status
        captured = capsys.readouterr()
        return captured.out, captured.err

    return run


def budget(score: str, protect: str, epsilon: str = "1", delta: str = "1e-6") -> list[str]:
    asked = ["--score", score, "--protect", protect, "--epsilon", epsilon, *RANGES]
    return [*asked, "--delta", delta]


@pytest.mark.parametrize(("score", "protect"), COMBINATIONS)
def test_every_score_and_protection_answers(ask: Any, score: str, protect: str) -> None:
    out, err = ask(*budget(score, protect), "--seed", "1", "--json")
    document = json.loads(out)
    jsonschema.validate(document, schema.json_schema(schema.DISCOVER))
    assert document["rows"] == {"training": 150, "test": 150}
    assert document["seeded"]
    total = document["total"]
    if protect == "none":
        assert total == {"epsilon": "inf", "delta": 0}
        assert err == ""
        assert document["tight"] is None
    else:
        assert total["epsilon"] == 1
        needs_delta = plan_for(score, Protect(protect)).tests > 0
        assert total["delta"] == (pytest.approx(1e-6) if needs_delta else 0)
        assert total["delta"] <= 1e-6
        assert document["tight"]["epsilon"] <= 1
        assert err == SEED_WARNING + "\n"
    text, _ = ask(*budget(score, protect), "--seed", "1")
    assert all(ord(c) != 27 for c in text)
    withheld = None in document["scores"].values()
    assert ("⊥" in text) == withheld == (document["direction"] is None)
    if protect == "none":
        assert "nothing is protected, ε = ∞" in text
    else:
        assert "the number of rows and the split are public" in text
        assert f"(ε, δ) = (1, {'1e-06' if needs_delta else '0'}) in total" in text


@pytest.mark.parametrize(("score", "protect"), PRIVATE)
def test_non_private_scores_are_not_told(ask: Any, score: str, protect: str) -> None:
    plain = json.loads(
        ask("--score", score, "--protect", "none", *RANGES, "--seed", "1", "--json")[0]
    )
    out, _ = ask(*budget(score, protect), "--seed", "1", "--json")
    text, _ = ask(*budget(score, protect), "--seed", "1")
    numbers = [float(n) for n in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", out + text)]
    for value in plain["scores"].values():
        assert not any(number == pytest.approx(value, rel=1e-3) for number in numbers)
    margin = plain["scores"]["Y→X"] - plain["scores"]["X→Y"]
    assert not any(abs(n) == pytest.approx(abs(margin), rel=1e-3) for n in numbers)


@pytest.mark.parametrize("protect", ["test", "training", "both"])
def test_a_huge_budget_tells_the_non_private_direction(ask: Any, protect: str) -> None:
    common = ["--lam", "1", "--seed", "3", "--json", *RANGES]
    plain = json.loads(ask("--protect", "none", *common)[0])
    told = json.loads(ask("--protect", protect, "--epsilon", "1e6", *common)[0])
    assert told["direction"] == plain["direction"] in ("X→Y", "Y→X")
    assert told["tight"] is None


@pytest.mark.parametrize(("epsilon", "delta"), [("0.1", "1e-5"), ("0.3", "3e-7"), ("1.1", "0.007")])
def test_the_printed_total_is_at_most_the_budget(ask: Any, epsilon: str, delta: str) -> None:
    for score, protect in (("hsic", "test"), ("iqr", "both"), ("kendall", "both")):
        out, _ = ask(*budget(score, protect, epsilon, delta), "--json")
        total = json.loads(out)["total"]
        assert float(epsilon) * 0.999 <= total["epsilon"] <= float(epsilon)
        assert total["delta"] <= float(delta)
        text, _ = ask(*budget(score, protect, epsilon, delta))
        printed = re.search(r"\(ε, δ\) = \(([^,]+), ([^)]+)\)", text)
        assert printed is not None
        assert float(printed[1]) <= float(epsilon)
        assert float(printed[2]) <= float(delta)


def test_a_seed_repeats_and_no_seed_does_not(ask: Any) -> None:
    arguments = ["--epsilon", "1", "--json"]
    first, again = (ask(*arguments, "--seed", "7241")[0] for _ in range(2))
    assert first == again
    assert "7241" not in first
    fresh, err = ask(*arguments)
    assert fresh != ask(*arguments)[0]
    assert err == ""
    assert not json.loads(fresh)["seeded"]


def test_bounds_from_public_rows_are_told(ask: Any) -> None:
    out, _ = ask("--epsilon", "1", "--x-range", "-4", "4")
    assert "cause of all: given; B: extremes of the training half, which is not protected" in out
    out, _ = ask("--protect", "none")
    assert "cause of all: extremes of all rows; B: extremes of all rows" in out


def test_bounds_are_read_in_any_notation(ask: Any) -> None:
    arguments = ["--epsilon", "1", "--seed", "1", "--json"]
    assert ask(*arguments, "--x-range", "-4e0", "4") == ask(*arguments, "--x-range", "-4", ".4e1")


def test_a_probability_is_told_with_its_sense(ask: Any) -> None:
    arguments = ["--epsilon", "1", "--seed", "2"]
    document = json.loads(ask(*arguments, "--json")[0])
    scores, scale = document["scores"], document["noise_scale"]
    t = abs(scores["X→Y"] - scores["Y→X"]) / scale
    # Theorem 2 at the private margin.
    assert 1 - document["probability"] == pytest.approx((2 + t) / 4 * np.exp(-t), rel=1e-3)
    assert "if the non-private one were the other, a private margin" in ask(*arguments)[0]


def test_without_dp_accounting_the_tight_figure_is_missing(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    out, _ = ask(*budget("iqr", "test"), "--json")
    assert json.loads(out)["tight"] is None
    assert "tight" not in ask(*budget("iqr", "test"))[0]


def test_parquet_is_read(ask: Any, file: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = tmp_path / "pair.parquet"
    pd.read_csv(file).to_parquet(table)
    arguments = ["--epsilon", "1", "--seed", "1", "--json"]
    assert ask(*arguments, table=table) == ask(*arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--epsilon: needed with --protect test"),
        (["--epsilon", "0"], "it must be a finite number above 0"),
        (["--epsilon", "1e9"], "a share must lie between"),
        (["--epsilon", "1", "--score", "iqr"], "--delta: needed with --score iqr"),
        (["--epsilon", "1", "--score", "kendall", "--protect", "both", *RANGES], "--delta: needed"),
        (["--epsilon", "1", "--score", "spearman", "--protect", "training", *RANGES], "--delta: n"),
        (["--epsilon", "1", "--score", "iqr", "--delta", "1e-16"], "must be above 2**-46"),
        (["--epsilon", "1", "--score", "iqr", "--delta", "1"], "above 0 and below 1"),
        (["--epsilon", "1", "--protect", "training"], "--x-range: needed with --protect training"),
        (["--epsilon", "1", "--protect", "both", *RANGES[:3]], "--y-range: needed"),
        (["--epsilon", "1", "--x-range", "3", "2"], "LO must be below HI"),
        (["--epsilon", "1", "--x-range", "3", "inf"], "it must be a finite number"),
        (["--epsilon", "1", "--score", "pearson"], "invalid choice"),
        (["--epsilon", "1", "--y", "C"], "no column 'C'"),
        (["--epsilon", "1", "--y", "cause of all"], "named twice"),
    ],
)
def test_wrong_usage_is_one_line(ask: Any, arguments: list[str], said: str) -> None:
    out, err = ask(*arguments, status=2)
    assert out == ""
    assert err.startswith("provado: error: ")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,2\n3,4\n5,6\n", "at least 4 are needed"),
        ("1,2\n3,4\n5,six\n7,8\n", "row 3 is 'six'"),
        ("1,2\n3,4\n5,nan\n7,8\n", "column 'B', row 3"),
        ("1,2\n1,4\n1,6\n1,8\n", "constant on the training half"),
    ],
)
def test_bad_tables_are_one_line(ask: Any, tmp_path: Path, rows: str, said: str) -> None:
    table = tmp_path / "table.csv"
    table.write_text("cause of all,B\n" + rows)
    out, err = ask("--epsilon", "1", table=table, status=2)
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("score", "protect"), COMBINATIONS)
def test_four_rows_are_enough(ask: Any, tmp_path: Path, score: str, protect: str) -> None:
    table = tmp_path / "table.csv"
    table.write_text("cause of all,B\n1,2\n3,1\n2,0\n0,3\n")
    out, _ = ask(*budget(score, protect), table=table)
    assert "2 to train, 2 to test" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--protect", "none"], "cause of all → B, from cause to effect: only this direction fits"),
        (["--epsilon", "1"], "cannot tell: both directions fit, within sampling and noise; the "),
        (
            ["--protect", "none", "--score", "spearman"],
            "cannot tell: a small spearman does not show that a direction fits (--score hsic does)",
        ),
    ],
)
def test_a_cause_is_named_only_where_one_direction_fits(
    ask: Any, tmp_path: Path, options: list[str], said: str
) -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 2000)
    table = tmp_path / "square.csv"
    columns = {"cause of all": x, "B": x**2 + 0.2 * rng.uniform(-1, 1, 2000)}
    pd.DataFrame(columns).to_csv(table, index=False)
    text, _ = ask(*options, "--seed", "1", table=table)
    document = json.loads(ask(*options, "--seed", "1", "--json", table=table)[0])
    assert said in text
    assert ("  assumed  " in text) == ("from cause to effect" in text) == bool(document["cause"])
    jsonschema.validate(document, schema.json_schema(schema.DISCOVER))


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (lambda x, e: x > e, "cannot tell: one value of B is so frequent that cause of all → B "),
        (lambda x, e: x + np.exp(x / 2) * e / 2, "on all rows the noise that B → cause of all "),
        (
            lambda x, e: np.exp(x / 2 + e / 4),
            "on all rows cause of all → B is possible as well, if ",
        ),
    ],
)
def test_what_leaves_a_direction_open_is_said(
    ask: Any, tmp_path: Path, effect: Callable[..., Any], said: str
) -> None:
    """In each, B → cause of all has much the smaller score, and is wrong."""
    x, e = np.random.default_rng(1).normal(size=(2, 2000))
    table = tmp_path / "misleading.csv"
    pd.DataFrame({"cause of all": x, "B": effect(x, e).astype(float)}).to_csv(table, index=False)
    text, _ = ask("--protect", "none", "--seed", "1", table=table)
    document = json.loads(ask("--protect", "none", "--seed", "1", "--json", table=table)[0])
    jsonschema.validate(document, schema.json_schema(schema.DISCOVER))
    assert said in text
    assert (document["direction"], document["cause"]) == ("Y→X", None)
    document["explained"] = None
    assert "other explanations can only be excluded on rows" in "\n".join(answer_words(document))
