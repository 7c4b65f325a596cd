"""Every page says who ran it and when, and leaves out who on request."""

from __future__ import annotations

import getpass
import socket
import sys
from pathlib import Path

import pytest
from lxml import html

from provado.reports.cli.main import main

SOURCE = """
def count(data, rng):
    return sum(data) + rng.laplace(scale=1.0)


def effect(data, size, rng):
    return (sum(data) + rng.laplace(scale=1.0, size=size)).round()


def answer(q, epsilon):
    from provado.mechanisms.programs import laplace
    return q[0] + laplace(1 / epsilon)
"""

TABLE = "x,y\n" + "\n".join(f"{i % 2},{(i // 2) % 2}" for i in range(40)) + "\n"

PAIR = ["mine.py:count", "--epsilon", "1", "--pair", "d0.json", "d1.json"]
COMMANDS = {
    "audit.html": ["audit", *PAIR, "--samples", "200", "--jobs", "1"],
    "prove.html": ["prove", "mine.py:answer", "--epsilon", "1", "--domain", "0,1"],
    "replay.html": ["replay", *PAIR],
    "effect.html": [
        *("effect", "mine.py:effect", "--population", "t.csv", "--point", "x"),
        *("--values", "0", "1", "--samples", "500"),
    ],
    "graph.html": ["discover", "t.csv", "--method", "pc"],
    "verify.html": ["verify", "kusner2016/thm5-proof", "--jobs", "1"],
    "quick/index.html": ["reproduce", "kusner2016/theorems", "--quick", "--jobs", "1"],
}


@pytest.mark.parametrize("page", COMMANDS)
def test_a_page_says_who_ran_it_and_when(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.setenv("COQC", "none")
    monkeypatch.setattr(getpass, "getuser", lambda: "ada.lovelace")
    monkeypatch.setattr(socket, "gethostname", lambda: "engine.example")
    Path("mine.py").write_text(SOURCE, encoding="utf-8")
    Path("t.csv").write_text(TABLE, encoding="utf-8")
    for name, text in (("d0.json", "[0, 1]"), ("d1.json", "[0, 0]")):
        Path(name).write_text(text, encoding="utf-8")
    assert main([*COMMANDS[page], "--out", "out"]) in (0, 1, 3)
    text = Path("out", page).read_text(encoding="utf-8")
    (line,) = html.fromstring(text).xpath("//header/p[@class='under']")
    assert line.text_content().startswith("1970-01-02 · run by ada.lovelace · ")
    said = html.fromstring(text).xpath("//dl//dt[normalize-space(following-sibling::dd[1])]")
    facts = {dt.text: dt.getnext().text for dt in said}
    assert facts["Date"] == "1970-01-02T00:00:00Z"
    assert facts["Run by"] == "ada.lovelace at engine.example"
    main([*COMMANDS[page], "--out", "untold", "--anonymous"])
    untold = Path("untold", page).read_text(encoding="utf-8")
    assert "1970-01-02" in untold
    assert "ada.lovelace" not in untold
    assert "engine.example" not in untold
    capsys.readouterr()
