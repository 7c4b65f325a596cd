"""``provado verify`` on the real ledger: what it decides, prints and leaves."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provado.proofs import kernel
from provado.proofs.ledger import LedgerVerdict, ledger
from provado.reports.cli.main import main
from provado.reports.documents import schema
from provado.reports.ledger.run import choose, decide_all
from provado.reports.pages.markup import VOID
from tests.reports.exact_verification import from_exact

PAPERS = ["kusner2016/*", "wang2020/*", "zhang2023/*"]


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that one run over the papers with quick evidence has left."""
    folder = tmp_path_factory.mktemp("out") / "new"
    assert main(["verify", *PAPERS, "--jobs", "2", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def document(left: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((left / "verify.json").read_text(encoding="utf-8"))
    return found


def chosen_ids() -> list[str]:
    return [one.id for one in choose(ledger(), PAPERS)]


# What is sound. -------------------------------------------------------------------------------


def test_the_table_has_a_line_for_each_and_counts_them(
    capsys: pytest.CaptureFixture[str], document: dict[str, Any]
) -> None:
    assert main(["verify", "wang2020/*"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    rows = [re.split(r" {2,}", line) for line in lines[2:-1]]
    wang = [one for one in document["statements"] if one["id"].startswith("wang2020/")]
    assert [row[:2] for row in rows] == [[one["id"], one["verdict"]] for one in wang]
    assert {row[2] for row in rows} == {"as expected"}
    assert err == ""
    for word in LedgerVerdict:
        number = sum(row[1] == word for row in rows)
        assert (f" {number} {word}" in lines[-1]) == (number > 0)
    assert lines[-1].startswith(f"{len(rows)} statements: ")
    assert lines[-1].endswith("; nothing unexpected.")


def test_one_statement_comes_with_its_whole_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "kusner2016/thm5"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    found = decide_all(choose(ledger(), ["kusner2016/thm5"]), 1)[0]
    checked = [*found.evidence.printed, *found.evidence.corrected]
    assert found.twin
    parts = [
        found.entry.source.words(),
        found.entry.printed,
        found.entry.words,
        found.entry.scope,
        found.entry.claim.formula,
        "argued, as expected",
        *(str(fact) for fact, _ in found.judgement.met),
        *(line if isinstance(line, str) else line.words for line in found.evidence.argument),
        f"{checked[0].verdict} ({checked[0].rule}): {checked[0].statement}",
        found.evidence.correction,
        found.evidence.proof_remark,
        found.entry.twin.words,
        f"Refused: {found.twin.rule}",
        found.twin.words,
    ]
    places = [out.index(" ".join(part.split())) for part in parts]
    assert places == sorted(places), "the data first, in this order"
    assert all(" ".join(one.statement.split()) in out for one in checked)


def test_whole_datasets_are_cut_on_the_terminal_and_not_in_the_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", "zhang2023/thm5"]) == 0
    assert "characters more: see --json" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", "zhang2023/thm5", "--json"]) == 0
    finding = json.loads(capsys.readouterr().out)["statements"][0]["findings"][0]
    assert "characters more" not in finding["statement"]
    assert len(finding["evidence"]["d"]) == 108


def test_the_json_is_as_documented_and_stands_alone(
    capsys: pytest.CaptureFixture[str], document: dict[str, Any]
) -> None:
    jsonschema.Draft202012Validator.check_schema(schema.json_schema(schema.VERIFY))
    jsonschema.validate(document, schema.json_schema(schema.VERIFY))
    assert [one["id"] for one in document["statements"]] == chosen_ids()
    assert sum(document["counts"].values()) == len(document["statements"])
    assert main(["verify", "zhang2023/*", "--jobs", "1", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)["statements"]
    assert alone == document["statements"][-len(alone) :]


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "certain"},
        {"claim": {"kind": "Bounded", "formula": "x ≤ 1"}},
        {"facts": [{"fact": "1 ≥ 0"}]},
        {"argument": ["in words"]},
        {"findings": [{"verdict": "proved"}]},
        {"negative_control": {"words": "w"}},
        {"more": 1},
    ],
)
def test_the_schema_refuses_what_is_not_documented(
    document: dict[str, Any], change: dict[str, Any]
) -> None:
    broken = {**document, "statements": [{**document["statements"][0], **change}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema.json_schema(schema.VERIFY))


def test_the_kernel_finds_the_same_again_in_the_json_alone(document: dict[str, Any]) -> None:
    seen = set()
    for one in _findings(document):
        if any("reference function" in text for text in one["assumptions"]):
            continue
        again = kernel.check(from_exact(one["evidence"]))
        assert (again.verdict, again.rule, again.statement, list(again.assumptions)) == (
            *(one[key] for key in ("verdict", "rule", "statement", "assumptions")),
        )
        seen.add(one["evidence"]["kind"])
    assert {"ExpressionSign", "AddLaplace", "Identity", "Enclosure", "Integral"} <= seen


def test_what_was_tampered_with_is_refused(document: dict[str, Any]) -> None:
    identities = [
        one["evidence"] for one in _findings(document) if one["evidence"]["kind"] == "Identity"
    ]
    for data in identities:
        with pytest.raises(kernel.KernelRefusal):
            kernel.check(from_exact({**data, "left": [*data["left"], ["1/7", 0, 0, 0]]}))
    assert identities


def _findings(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        found
        for one in document["statements"]
        for found in (*one["findings"], *one["correction"]["findings"])
        if "rule" in found
    ]


class Page(HTMLParser):
    """Collects elements, their ids and links; complains of tags that do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_holds_every_statement_and_needs_nothing_else(left: Path) -> None:
    text = (left / "verify.html").read_text(encoding="utf-8")
    assert all(f"<dt>{word}</dt>" in text for word in LedgerVerdict)
    page = Page(text)
    ids = [given["id"] for _, given in page.seen if "id" in given]
    assert len(ids) == len(set(ids))
    links = [given["href"] for _, given in page.seen if "href" in given]
    assert {f"#{name}" for name in chosen_ids()} <= set(links)
    assert all(link and link.startswith("#") and link[1:] in ids for link in links)
    assert not {"link", "img", "iframe", "object", "base"} & {n for n, _ in page.seen}
    assert [n for n, _ in page.seen].count("script") == 1
    assert not any("src" in given or "style" in given for _, given in page.seen)
    assert not re.search(r"https?:|url\(|@import", text)
    assert sum(name == "details" for name, _ in page.seen) == len(chosen_ids())
    assert all(text.count(name) >= 2 for name in chosen_ids())


# Which statements. ----------------------------------------------------------------------------


def test_a_glob_chooses_and_the_order_is_the_ledgers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "zhang2023/thm3*", "wang2020/thm2-*", "zhang2023/thm3-eq3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:-1]] == [
        *("wang2020/thm2-type1", "wang2020/thm2-type2"),
        *("zhang2023/thm3-eq3", "zhang2023/thm3-eq4"),
    ]


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("kusner2016/thm-5", "the nearest is kusner2016/thm5"),
        ("thm5-proof", "the nearest is kusner2016/thm5-proof"),
        ("wang2020", "the nearest is wang2020/*"),
        ("zang2023/thm3-*", "the nearest is zhang2023/thm3-eq"),
        ("nosuch", "choose from audit/*, curate2024/*, "),
        ("\x1b[31m", "choose from "),
    ],
)
def test_an_unknown_id_is_wrong_usage_and_the_nearest_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, wrong: str, nearest: str
) -> None:
    assert main(["verify", "kusner2016/thm5", wrong, "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("provado: error: ")
    assert err.count("\n") == 1
    assert nearest in err
    assert "\x1b" not in err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert main(["verify", "kusner2016/thm5", "--out", str(tmp_path / "file")]) == 2


@pytest.mark.slow
def test_the_whole_ledger_is_as_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema.json_schema(schema.VERIFY))
    assert [one["id"] for one in document["statements"]] == [one.id for one in ledger()]
