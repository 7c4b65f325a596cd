"""No format of a redacted report holds a value of the data; bounds are rechecked and redrawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provado.audit import audit
from provado.mechanisms import AddOrRemoveOne
from provado.reports.audit_report.formats import FORMATS
from provado.reports.cli.main import main
from provado.reports.text.redact import MARK, redact

from .test_pytest_plugin import LOAD

pytest_plugins = ["pytester"]

PEOPLE = """\
name,income
Zebulon,73921.25
Quimby,48271.75
Xanthia,61538.5
"""
VALUES = ("Zebulon", "Quimby", "Xanthia", "73921", "48271", "61538", "73,921", "48,271", "61,538")

MECHANISMS = """\
def total(data, rng):
    return float(data["income"].sum()) + rng.laplace(scale=2000.0)


def largest(data):
    return float(data["income"].max()) if len(data) else 0.0


def first_name(data, rng):
    return data["name"].iloc[0] if len(data) and rng.random() < 0.9 else "nobody"


def by_name(data, rng):
    return {name: 1 + int(rng.integers(2)) for name in data["name"]}


def refuses(data):
    if len(data) and data["income"].max() > 70000:
        raise ValueError(f"too rich: {data['name'].iloc[0]} has {data['income'].max()}")
    return len(data)
"""
TARGETS = ("total", "largest", "first_name", "by_name", "refuses")
ASKED = ("--epsilon", "1", "--data", "people.csv", "--relation", "add-or-remove-one")
SMALL = ("--samples", "1000", "--seed", "1", "--jobs", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "of_people.py").write_text(MECHANISMS)
    (tmp_path / "people.csv").write_text(PEOPLE)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("of_people", None)


def held(text: str) -> list[str]:
    """Return the values of the data that a text holds."""
    return [value for value in VALUES if value in text]


@pytest.mark.parametrize("target", TARGETS)
def test_no_format_holds_a_value_of_the_data(
    folder: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    formats = [word for name in FORMATS for word in ("--format", f"{name}=out/{FORMATS[name]}")]
    asked = ["audit", f"of_people.py:{target}", *ASKED, *SMALL, *formats]
    main(asked)
    plain = {name: (folder / "out" / file).read_text() for name, file in FORMATS.items()}
    assert "Contains records of people.csv; --redact leaves them out." in plain["html"]
    assert held(plain["json"])
    main([*asked, "--redact", "--verbose"])
    printed = capsys.readouterr()
    assert not held(printed.err)
    *_, shown = printed.out.split(f"{target}    ")
    texts = {name: (folder / "out" / file).read_text() for name, file in FORMATS.items()}
    for name, text in {**texts, "terminal": shown}.items():
        assert not held(text), name
    for name in ("html", "markdown"):
        assert "Redacted: records of people.csv and outputs are left out." in texts[name]
    # Counts, bounds and verdicts are the same, and follow from each other as before.
    before, after = (json.loads(text["json"])["audits"][0] for text in (plain, texts))
    for key in ("verdict", "epsilon_lower", "surprising"):
        assert before[key] == after[key]
    assert [pair["counts"] for pair in before["pairs"]] == [one["counts"] for one in after["pairs"]]
    assert main(["report", "out/audit.json", "--recheck"]) == 0
    assert main(["report", "out/audit.json", "--redraw"]) == 0
    (folder / "people.csv").unlink()
    capsys.readouterr()
    assert main(["report", "out/audit.json", "--redraw"]) == 3
    assert "people.csv" in capsys.readouterr().out


def test_the_datasets_of_the_catalogue_are_left_out_too(folder: Path) -> None:
    asked = ["audit", "--catalogue", "--only", "laplace/grid-1", *SMALL, "--out", "out", "--redact"]
    assert main(asked) == 0
    (pair,) = json.loads((folder / "out" / "audit.json").read_text())["audits"][0]["pairs"]
    assert (pair["witness"]["d"], pair["witness"]["examples_d"], pair["rule"]) == (MARK, [], {})
    assert main(["report", "out/audit.json", "--recheck"]) == 0


def test_a_configuration_asks_for_it(folder: Path) -> None:
    lines = ["redact = true", 'out = "out"', "[audits.total]", 'target = "of_people.py:total"']
    lines += ["epsilon = 1", 'data = "people.csv"', 'relation = "add-or-remove-one"']
    (folder / "provado.toml").write_text("\n".join([*lines, "samples = 1000", "seed = 1", ""]))
    assert main(["audit"]) == 1
    for file in (folder / "out").glob("audit.[hj]*[!l]"):
        assert not held(file.read_text()), file
    assert json.loads((folder / "out" / "audit.json").read_text())["settings"]["redact"]


def test_pytest_asks_for_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        of_people=MECHANISMS,
        test_people="""
        import pandas as pd
        from of_people import largest, refuses
        from provado.mechanisms import AddOrRemoveOne

        PEOPLE = pd.read_csv("people.csv")
        ASKED = dict(epsilon=1.0, data=PEOPLE, relation=AddOrRemoveOne(), samples=1000)

        def test_largest(audit_dp):
            audit_dp(largest, **ASKED)

        def test_refuses(audit_dp):
            audit_dp(refuses, **ASKED)
        """,
    )
    Path(pytester.path, "people.csv").write_text(PEOPLE)
    for words in (["--provado-redact"], ["-o", "provado_redact=true"]):
        done = pytester.runpytest_inprocess(*LOAD, "--junitxml=found.xml", *words)
        done.assert_outcomes(failed=2)
        found = (pytester.path / "found.xml").read_text()
        assert not held(done.stdout.str() + done.stderr.str() + found)
        assert MARK in found
    assert held(pytester.runpytest_inprocess(*LOAD).stdout.str())


def largest(data: Any) -> float:
    return float(np.max(data)) if len(data) else 0.0


def test_python_asks_for_it(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"relation": AddOrRemoveOne(), "samples": 1000, "epsilon": 1.0}
    result = audit(largest, data=[73921.25, 48271.75, 61538.5], **asked)
    assert held(result.to_html())
    assert not held(result.to_html(tmp_path / "page.html", redact=True))
    assert not held((tmp_path / "page.html").read_text())
    assert redact(redact(result)) == redact(result)
    # What the search itself says of a pass is known by heart in a recheck.
    assert result.search is not None
    search = replace(result.search, planned=result.search.tried + 1)
    limited = replace(result, search=search, limitations=search.limitations)
    assert redact(limited).limitations == search.limitations
