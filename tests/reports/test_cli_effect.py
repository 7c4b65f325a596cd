"""``provado effect`` from the command line: what it prints, leaves, refuses and returns."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.commands.effect.page import no_effect_sentence
from provado.reports.documents import schema

EXAMPLES = Path(__file__).parent / "effect_examples"
FAMILY, STRANGERS = str(EXAMPLES / "family.csv"), str(EXAMPLES / "independent.csv")
SURVEY = f"{EXAMPLES / 'survey.py'}:"
ASKED = ["--point", "ada", "--values", "1", "0", "--samples", "20000"]


@pytest.fixture
def effect(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(
        *more: str, target: str = "count", population: str = FAMILY, status: int = 0
    ) -> tuple[str, str]:
        command = ["effect", SURVEY + target, "--population", population, *ASKED, *more]
        assert main(command) == status
        captured = capsys.readouterr()
        return captured.out, captured.err

    return run


def test_both_estimates_stand_side_by_side(effect: Any) -> None:
    out, err = effect("--epsilon", "1")
    assert err == ""
    assert "the effect of ada = 1 against ada = 0" in out
    allowed = next(line for line in out.splitlines() if "allows" in line)
    assert allowed.split() == ["ε", "=", "1", "allows", "0.3679–2.718"]
    assert all(len(line) <= 80 for line in out.splitlines())
    out = " ".join(out.split())
    assert "which does not exceed the claimed 1" in out
    assert "ada was set to 1 or 0 in the dataset [0, 0, 0]" in out
    assert "data points correlated with ada reveal it as well" in out
    assert "p = 0.0001" in out


def test_independent_points_add_nothing(effect: Any) -> None:
    out, _ = effect("--epsilon", "1", population=STRANGERS)
    assert "correlation is not seen to add" in out
    assert "above e^ε" not in out


def test_a_false_claim_is_a_surprise_and_an_association_is_none(effect: Any) -> None:
    out, _ = effect("--epsilon", "1", target="too_telling", status=1)
    assert "a certified violation. The distribution of output depends" in " ".join(out.split())
    effect("--epsilon", "2", target="too_telling", status=0)
    effect(target="too_telling", status=0)


@pytest.mark.parametrize("claim", [["--epsilon", "1"], []])
def test_the_json_follows_its_schema(effect: Any, claim: list[str]) -> None:
    out, _ = effect(*claim, "--json")
    document = json.loads(out)
    jsonschema.validate(document, schema.json_schema(schema.EFFECT))
    assert document["schema"] == "provado-effect/1"
    for kind in ("causal", "associative"):
        found = document[kind]
        assert sum(event["hits"] for event in found["events"]) == found["trials"]
        assert found["trials"] + found["other_trials"] == 20_000
    assert [e["event"] for e in document["causal"]["events"]] == (
        [e["event"] for e in document["associative"]["events"]]
    )
    assert document["violation"] is (False if claim else None)
    assert document["association_exceeds"] is (True if claim else None)


def test_the_schema_refuses_what_is_not_its_form(effect: Any) -> None:
    out, _ = effect("--json")
    document = json.loads(out)
    document["causal"]["events"][0]["hits"] = -1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema.json_schema(schema.EFFECT))


def test_a_sampler_is_a_population(effect: Any) -> None:
    out, _ = effect("--epsilon", "1", "--json", "--point", "0", population=SURVEY + "family")
    document = json.loads(out)
    assert document["association_exceeds"]
    assert not document["violation"]


class _Outline(HTMLParser):
    """Keeps what a page opens, and what it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [str(value) for key, value in attrs if key in ("src", "href")]


def test_out_leaves_a_page_that_needs_nothing_else(effect: Any, tmp_path: Path) -> None:
    out, _ = effect("--epsilon", "1", "--json", "--out", str(tmp_path / "new"))
    assert {file.name for file in (tmp_path / "new").iterdir()} == {"effect.html", "effect.json"}
    assert (tmp_path / "new" / "effect.json").read_text("utf-8") == out
    page = (tmp_path / "new" / "effect.html").read_text("utf-8")
    outline = _Outline()
    outline.feed(page)
    assert outline.fetched == []
    assert "script" not in outline.tags
    # One of each kind in the legend, and one for each of the four counts.
    assert len(re.findall('<circle [^>]*class="causal"', page)) == 5
    assert len(re.findall('<path [^>]*class="associative"', page)) == 5
    assert 'class="allowed"' in page
    drawn = page.split('<section id="plot"')[1].split("</section>")[0]
    assert "nan" not in drawn
    assert outside(drawn) == []
    assert outside(drawn.replace('cx="50.00%"', 'cx="101%"', 1)) == ["101"]


def outside(drawn: str) -> list[str]:
    """Return the places of a plot in strips that lie beyond the ends of its axis, in percent."""
    places = re.findall(r' (?:c?x[12]?|width)="([-0-9.e]+)%"', drawn)
    return [place for place in places if not 0 <= float(place) <= 100]


@pytest.mark.parametrize(("p", "seen"), [("1/10000", True), ("1/20", True), ("3/10", False)])
def test_no_effect_cannot_be_read_as_a_finding_that_there_is_none(p: str, seen: bool) -> None:
    study = SimpleNamespace(p_value=Fraction(p), confidence=0.95, point="ada")
    said = no_effect_sentence(study)  # type: ignore[arg-type]
    assert said.startswith("An effect of ada was seen: without an effect") is seen
    assert ("which does not show that there is none" in said) is not seen
    assert "no effect" not in said.lower() or not seen


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("ada,byron\n0,0\n1,1\n", ["--point", "adda"], "no such column; did you mean 'ada'"),
        ("ada,byron\n0,0\n1,1\n", ["--values", "1", "5"], "never occurs at data point 'ada'"),
        ("ada,byron\n0,0\n1,1\n", ["--values", "1", "1"], "must differ"),
        ("ada,byron\n0,0\n1,1\n", ["--base", "1"], "vector of 2"),
        ("ada,byron\n0,0\n", [], "it has 1 row; at least 2"),
        ("ada,byron\n0,0\nyes,1\n", [], "column 'ada', row 2 is 'yes': it must be a finite"),
        ("ada,byron\n0,0\n,1\n", [], "row 2 is empty"),
        ("ada,byron\n0,0\n1\n", [], "line 3 has 1 cell"),
        ("ada,ada\n0,0\n1,1\n", [], "must be different"),
        ("", [], "it is empty"),
    ],
)
def test_bad_tables_and_points_are_named(
    effect: Any, tmp_path: Path, text: str, more: list[str], said: str
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(text)
    out, err = effect(*more, population=str(table), status=2)
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("population", "said"),
    [("nowhere.csv", "No such file"), ("family", "module:sampler"), (SURVEY + "eve", "'eve'")],
)
def test_a_population_that_is_none_is_named(effect: Any, population: str, said: str) -> None:
    assert said in effect(population=population, status=2)[1]


def test_a_mechanism_that_breaks_is_not_completed(effect: Any, tmp_path: Path) -> None:
    _, err = effect("--out", str(tmp_path / "new"), target="breaks", status=3)
    assert "boom" in err
    assert not (tmp_path / "new").exists()
