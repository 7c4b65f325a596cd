from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest

from provado.mechanisms.graph_discovery.methods.method import find
from provado.mechanisms.graph_discovery.methods.pc import discover
from provado.mechanisms.graph_discovery.tables.coded import code_columns
from provado.reports.cli.main import main
from provado.reports.commands.discover.graph_document import (
    GraphRequest,
    SearchLimits,
    graph_to_json,
    graphml,
)
from provado.reports.commands.discover.graph_picture import page, picture
from provado.reports.commands.discover.graph_words import graph_words
from provado.reports.documents.schema import GRAPH, json_schema

networkx = pytest.importorskip("networkx")

STRANGE = ['<a href="x">', "$\\alpha_1$ & co", "two\nlines", "bell\x07", "日本", "x" * 60]
SVG = "{http://www.w3.org/2000/svg}"


def document(
    names: list[str], separating: dict[tuple[int, int], tuple[int, ...]], most: int | None = None
) -> Any:
    """Return the document of a graph in which just these pairs are apart, after so many tests."""
    bits = np.random.default_rng(0).integers(0, 2, (len(names), 40)).tolist()
    table = code_columns(dict(zip(names, bits, strict=True)))

    def independent(x: int, y: int, given: tuple[int, ...]) -> bool:
        return separating.get((x, y)) == given

    found = discover(table.names, independent, max_tests=most)
    work = SearchLimits((), None, most, None, False)
    asked = GraphRequest(find("pc", None, None), {"alpha": 0.1}, table, None, None, False, work, {})
    made = graph_to_json(found, asked, None)
    jsonschema.validate(made, json_schema(GRAPH))
    return made


COLLIDER = document(["a", "b", "c", "d"], {(0, 1): (), (0, 3): (2,), (1, 3): (2,)})
CHAIN = document(["a", "b", "c"], {(0, 2): (1,)})
EMPTY = document(["a", "b"], {(0, 1): ()})
SO_FAR = document(["a", "b", "c"], {(0, 2): (1,)}, 4)
NAMED = document(STRANGE, {(0, 1): (), (0, 3): (2,), (1, 3): (2,)})
ALL = [COLLIDER, CHAIN, EMPTY, NAMED]


def test_the_edges_are_those_of_the_cpdag() -> None:
    assert [(e["from"], e["to"], e["kind"]) for e in COLLIDER["edges"]] == [
        ("a", "c", "directed"),
        ("b", "c", "directed"),
        ("c", "d", "directed"),
    ]
    assert [(e["from"], e["to"], e["kind"]) for e in CHAIN["edges"]] == [
        ("a", "b", "undirected"),
        ("b", "c", "undirected"),
    ]


@pytest.mark.parametrize("made", ALL, ids=["collider", "chain", "empty", "strange"])
def test_graphml_reads_back_as_the_cpdag(made: Any) -> None:
    read = networkx.read_graphml(io.BytesIO(graphml(made).encode()))
    names = [n.replace("\x07", "\\x07") for n in (c["name"] for c in made["columns"])]
    assert list(read.nodes) == names
    place = {c["name"]: n for c, n in zip(made["columns"], names, strict=True)}
    expected = set()
    for edge in made["edges"]:
        ends = place[edge["from"]], place[edge["to"]]
        expected.add((*ends, edge["kind"] == "undirected"))
        if edge["kind"] == "undirected":
            expected.add((*reversed(ends), True))
    assert set(read.edges(data="undirected")) == expected
    assert read.is_directed()
    assert read.graph["rows"] == 40
    assert read.graph["private"] is False
    assert read.graph["schema"] == GRAPH
    assert "version" not in read.graph


@pytest.mark.parametrize("made", ALL, ids=["collider", "chain", "empty", "strange"])
def test_the_picture_is_xml_and_the_same_each_time(made: Any) -> None:
    text = picture(made)
    assert text == picture(json.loads(json.dumps(made)))
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == f"Causal graph of {len(made['columns'])} columns by PC"
    assert root.get("role") == "img"
    shown = [node.text for node in root.iter(f"{SVG}text")]
    for column in made["columns"]:
        if len(column["name"]) < 20 and column["name"].isprintable():
            assert column["name"] in shown


def test_an_answer_so_far_says_so_wherever_it_goes() -> None:
    said = "incomplete: the answer after 4 tests"
    root = ElementTree.fromstring(picture(SO_FAR))
    assert root.findtext(f"{SVG}title") == f"Causal graph of 3 columns by PC; {said}"
    lines = [str(node.text) for node in root.iter(f"{SVG}text")]
    assert any(line.startswith("incomplete: the answer so far, after 4 tests") for line in lines)
    graph = networkx.read_graphml(io.BytesIO(graphml(SO_FAR).encode())).graph
    assert (graph["complete"], graph["stopped"], graph["tests"]) == (False, "tests", 4)
    lines = graph_words(SO_FAR)
    assert lines[0] == "PC, incomplete: 3 edges between 3 columns, 40 rows"
    assert sum(line.startswith("  incomplete: the answer so far, after 4 tests") for line in lines)
    # And one that came to its end says nothing of the kind.
    assert "incomplete" not in picture(CHAIN) + graphml(CHAIN) + "".join(graph_words(CHAIN))
    whole = networkx.read_graphml(io.BytesIO(graphml(CHAIN).encode())).graph
    assert whole["complete"] is True
    assert "stopped" not in whole


def test_arrows_have_heads_and_plain_lines_have_none() -> None:
    def heads(made: Any) -> int:
        root = ElementTree.fromstring(picture(made))
        return sum(path.get("class") == "g-head" for path in root.iter(f"{SVG}path"))

    assert heads(COLLIDER) == 3
    assert heads(CHAIN) == 0
    assert heads(EMPTY) == 0


def sure(made: Any, stands: list[tuple[float, float]]) -> Any:
    """Return a document as a method leaves it whose edges stand so often, and their directions."""
    edges = [
        edge | {"stability": {"edge": one, "direction": other}}
        for edge, (one, other) in zip(made["edges"], stands, strict=True)
    ]
    return made | {"edges": edges}


def test_each_edge_is_drawn_by_how_sure_it_is() -> None:
    def drawn(made: Any, name: str) -> list[tuple[float, float]]:
        root = ElementTree.fromstring(picture(made))
        found = [node for node in root.iter() if node.get("class") == name]
        return [(float(e.get("opacity", 0)), float(e.get("stroke-width", 0))) for e in found]

    shares = [(1.0, 0.9), (0.5, 0.1), (0.0, 0.0)]
    lines = drawn(sure(COLLIDER, shares), "g-edge")
    assert lines == sorted(lines, reverse=True)
    assert len({shade for shade, _ in lines}) == len({wide for _, wide in lines}) == 3
    assert min(shade for shade, _ in lines) >= 0.3
    heads = drawn(sure(COLLIDER, shares), "g-head")
    assert heads == sorted(heads, reverse=True)
    assert len(set(heads)) == 3
    # Where nothing was redrawn, all are alike.
    assert len(set(drawn(COLLIDER, "g-edge"))) == 1


FLAWED = COLLIDER | {
    "private": True,
    "flaw": {"words": "silence reveals something too", "ledger": ["wang2020/algorithm2-privacy"]},
    "version": "printed",
    "cost": {
        **dict.fromkeys(("basic", "advanced", "tight")),
        "rounds": 1,
        "total": {"epsilon": 0.5, "delta": 0.0, "by": "sum"},
    },
    "budget": {"epsilon": 1.0, "delta": 0.0, "rounds": 3, "round_epsilon": 0.3},
}


@pytest.mark.parametrize("render", [picture, page], ids=["picture", "page"])
def test_cost_and_warnings_come_before_arrows(render: Any) -> None:
    whole = render(FLAWED)
    bare = re.sub("<style>.*?</style>", "", whole, flags=re.DOTALL)
    text = " ".join(re.sub("<[^>]*>", " ", bare).split())
    assert "(ε, δ) = (0.5, 0) STATED, NOT GUARANTEED" in text
    assert "THE STATED COST IS NO GUARANTEE" in text
    assert whole.index("NO GUARANTEE") < whole.index('class="g-edge"')
    assert whole.index("NOT GUARANTEED") < whole.index('class="g-edge"')
    assert "NO GUARANTEE" not in render(COLLIDER)
    assert "NOT PRIVATE" in render(COLLIDER)
    assert "incomplete: the answer so far" in " ".join(render(SO_FAR).lower().split())
    assert "prefers-color-scheme" in whole


@pytest.mark.parametrize("made", [*ALL, FLAWED, SO_FAR])
def test_nothing_of_the_picture_lies_outside_it(made: Any) -> None:
    assert outside(picture(made)) == []
    assert outside(picture(made).replace(' cx="', ' cx="-9')) != []


def outside(text: str) -> list[str]:
    """Return what lies outside the picture: vertices, ends of lines, and letters."""
    root = ElementTree.fromstring(text)
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    group = next(root.iter(f"{SVG}g"))
    down = float(str(group.get("transform")).split()[1].rstrip(")"))
    found = []
    for node in root.iter():
        letters = len(node.text or "") if node.tag == f"{SVG}text" else 0
        start = {"middle": 0.5, "end": 1.0}.get(str(node.get("text-anchor")), 0.0)
        for key, value in node.items():
            at, place = float(value) if re.fullmatch("c?[xy][12]?", key) else None, 0.0
            if at is None:
                continue
            if key in ("x", "cx", "x1", "x2"):
                place = at - start * 7 * letters
                if not 0 <= place <= place + 7 * letters <= width:
                    found.append(f"{node.tag} {node.text}")
            elif not 0 <= at + (down if node in set(group.iter()) else 0) <= height:
                found.append(f"{node.tag} {value}")
    return found


def test_the_page_shows_the_edges_and_escapes_names() -> None:
    text = page(sure(CHAIN, [(0.9, 0.25), (1.0, 1.0)]))
    assert '<td data-h="shares">edge 0.90, undirected 0.25</td>' in text
    assert "None: in no pair of columns was a direct link found" in page(EMPTY)
    hostile = page(NAMED)
    assert '<a href="x">' not in hostile
    assert "&lt;a href=" in hostile
    assert "\x07" not in hostile
    assert hostile == page(json.loads(json.dumps(NAMED)))


def test_a_terminal_is_not_told_commands() -> None:
    lines = graph_words(NAMED)
    assert all(line.isprintable() for line in lines)


def test_files_are_left_whole_and_again_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, 500)
    rows = zip(x, np.where(rng.random(500) < 0.8, x, 1 - x), rng.integers(0, 3, 500), strict=True)
    table = tmp_path / "table.csv"
    table.write_text("X,Y,Z\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    asked = ["--method", "svt-pc", "--epsilon", "50", "--delta", "0.001", "--seed", "4", "--json"]
    left = []
    time = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z")
    for name in ("one", "two"):
        assert main(["discover", str(table), *asked, "--out", str(tmp_path / name)]) == 0
        out = capsys.readouterr().out
        files = (tmp_path / name).iterdir()
        left.append({file.name: time.sub(b"", file.read_bytes()) for file in files})
        assert left[-1]["graph.json"].decode() == out
    assert left[0] == left[1]
    assert set(left[0]) == {"graph.html", "graph.svg", "graph.graphml", "graph.json"}
    read = networkx.read_graphml(io.BytesIO(left[0]["graph.graphml"]))
    total = json.loads(left[0]["graph.json"])["cost"]["total"]
    assert {key: read.graph[key] for key in ("epsilon", "delta")} == {
        key: total[key] for key in ("epsilon", "delta")
    }
    assert read.graph["guarantee"] is True
    assert read.graph["version"] == "repaired"


def test_the_schema_is_valid_and_describes_each_key() -> None:
    schema = json_schema(GRAPH)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == GRAPH

    def walk(node: Any, path: str) -> None:
        for key, child in node.get("properties", {}).items():
            assert "description" in child, f"{path}.{key}"
            walk(child, f"{path}.{key}")
            walk(child.get("items", {}), f"{path}.{key}[]")

    walk(schema, "")
