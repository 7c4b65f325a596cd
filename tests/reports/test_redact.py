"""No format of a redacted report holds a value of the data; bounds are rechecked and redrawn."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit import audit
from provado.mechanisms import AddOrRemoveOne
from provado.reports.audit_report.formats import FORMATS
from provado.reports.cli.main import main
from provado.reports.documents import schema
from provado.reports.text.redact import MARK, masked, redact

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


def branches(data, rng):
    if data["income"].sum() > 120000:
        return data["income"].sum() + rng.laplace(scale=2000.0)
    return rng.laplace(scale=float(data["income"].max()))


def gone(data):
    raise ValueError(f"who is {data['name'].iloc[0]}")
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
    """Return the values of the data that a text holds, but for digits within a longer number."""
    return [value for value in VALUES if re.search(rf"(?<!\d){re.escape(value)}(?!\d)", text)]


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


@given(st.lists(st.text("Zq'\"\\ \n.,:(e3é’", max_size=8), min_size=1, max_size=3))
def test_quoted_texts_are_masked_whatever_they_hold(texts):
    for words in (
        f"output is {texts!r} in 3 of 4 runs under D",
        "; ".join(f"guess D when the key is {one!r}, never else" for one in texts),
        f"the mechanism raised ValueError: {'. '.join(texts)}",
    ):
        left = masked(words)
        assert "Z" not in left
        assert "é" not in left
        assert left.startswith(words[:9])


def test_what_was_typed_is_shown_and_a_record_that_equals_it_is_not():
    typed = {"domain": {"2:5", "2", "5"}, "data": {"d7.json"}, "epsilon": {"7"}}
    said = "data holds 7, which the domain (whole numbers from 2 to 5) does not; see 'x'"
    shown = f"data holds {MARK}, which the domain (whole numbers from 2 to 5) does not; see {MARK}"
    assert masked(said, typed) == shown
    assert masked("dataset 'd7.json': line 2 is '7'", typed | {"dataset": typed["data"]}) == (
        f"dataset 'd7.json': line 2 is {MARK}"
    )
    assert masked("row 1 is 'epsilon', then 7", typed).endswith(f"is {MARK}, then {MARK}")


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


def test_an_error_that_names_a_record_leaves_it_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"data": "people.csv", "relation": "add-or-remove-one", "samples": "1000"}
    typed = [word for name, value in options.items() for word in (f"--{name}", value)]
    typed += ["--epsilon", "1", "--domain", "income=0:60000"]
    assert main(["audit", "of_people.py:largest", *typed]) == 2
    plain = capsys.readouterr().err
    assert held(plain)
    assert "see 'income' of record 0" in plain
    assert main(["audit", "of_people.py:largest", *typed, "--redact"]) == 2
    lines = ["redact = true", "[audits.largest]", 'target = "of_people.py:largest"', "epsilon = 1"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in options.items()]
    lines += ["samples = 1000", 'domain = {income = "0:60000"}', ""]
    text = "\n".join(line for line in lines if line != 'samples = "1000"')
    (folder / "provado.toml").write_text(text)
    assert main(["audit"]) == 2
    left_out = capsys.readouterr().err
    assert left_out.count("data holds (▮") == 2
    assert not held(left_out)


def test_an_error_of_a_test_leaves_records_out(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pandas as pd
        from provado.mechanisms import ReplaceOne

        def test_largest(audit_dp):
            people = pd.DataFrame({"income": [73921.25, 48271.75]})
            asked = {"data": people, "relation": ReplaceOne(), "samples": 1000}
            audit_dp(lambda data: 0, epsilon=1.0, domain={"income": (0, 60000)}, **asked)
        """
    )
    done = pytester.runpytest_inprocess(*LOAD, "--provado-redact", "--tb=line")
    done.stdout.fnmatch_lines(["*wrong use of audit_dp: data holds (▮*"])
    assert not held("\n".join(line for line in done.outlines if "pd.DataFrame" not in line))


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


@pytest.mark.parametrize("target", [*TARGETS, "branches", "gone"])
def test_no_replay_holds_a_value_of_the_data(
    folder: Path, target: str, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = ["replay", f"of_people.py:{target}", *ASKED, "--seed", "1"]
    asked += ["--out", "out", "--sarif", "out/replay.sarif"]
    before, plain = main(asked), capfd.readouterr()
    assert "Redacted" not in plain.out
    files = sorted((folder / "out").iterdir())
    assert held(plain.out + plain.err + "".join(file.read_text() for file in files)) or not files
    assert main([*asked, "--redact"]) == before
    printed = capfd.readouterr()
    for text in (printed.out, printed.err, *(file.read_text() for file in files)):
        assert not held(text), text
    if files:
        assert "Redacted: records and outputs are left out." in files[0].read_text()
        assert ".py:" in printed.out
        assert "--redact" in files[0].read_text()


def test_a_redacted_replay_gives_its_findings_and_costs(folder: Path) -> None:
    asked = ["replay", "of_people.py:total", *ASKED, "--seed", "1", "--out", "out"]
    found = []
    for more in ([], ["--redact"]):
        main([*asked, *more])
        found.append(json.loads((folder / "out" / "replay.json").read_text()))
    for plain, redacted in zip(*(one["pairs"] for one in found), strict=True):
        kinds = [[one["kind"] for one in pair["findings"]] for pair in (plain, redacted)]
        assert kinds[0] == kinds[1]
        assert redacted["epsilon"] == pytest.approx(plain["epsilon"], rel=0.1)
        assert redacted["epsilon"] >= plain["epsilon"]
        assert {call["input_distance"] for call in redacted["calls"]} == {None}


def test_a_configuration_asks_for_it_of_replays(folder: Path) -> None:
    lines = ["redact = true", "[replay.total]", 'target = "of_people.py:total"', "epsilon = 1"]
    lines += ['data = "people.csv"', 'relation = "add-or-remove-one"', ""]
    (folder / "provado.toml").write_text("\n".join(lines))
    main(["replay", "--out", "out"])
    for file in (folder / "out").iterdir():
        assert not held(file.read_text()), file


@pytest.mark.parametrize("claim", [[], ["--epsilon", "1"]])
@pytest.mark.parametrize("target", ["add", "smallest", "refuses"])
def test_no_study_of_effects_holds_a_value_of_the_data(
    folder: Path, target: str, claim: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "incomes.csv").write_text("a,b\n73921.25,73921.25\n48271.75,48271.75\n")
    (folder / "of_people.py").write_text(
        "def add(data, *, size, rng):\n"
        "    return data.sum() + rng.laplace(scale=2000.0, size=size)\n\n\n"
        "def smallest(data):\n    return min(data)\n\n\n"
        "def refuses(data):\n    raise ValueError(f'too rich: {data[0]}')\n"
    )
    asked = ["effect", f"of_people.py:{target}", "--population", "incomes.csv", "--point", "a"]
    asked += ["--values", "73921.25", "48271.75", "--samples", "1000", "--out", "out", *claim]
    before, plain = main(asked), capsys.readouterr()
    assert held(plain.out + plain.err)
    assert main([*asked, "--redact"]) == before
    printed = capsys.readouterr()
    files = [file.read_text() for file in (folder / "out").glob("*")]
    for text in (printed.out, printed.err, *files):
        # The cause of a violation has six digits of a number.
        assert not held(text), text
        assert "73921" not in text
    assert before > 1 or (len(files) == 2 and all(MARK in text for text in files))
    assert main([*asked, "--redact", "--json"]) == before
    text = capsys.readouterr().out
    assert not held(text)
    if before <= 1:
        jsonschema.validate(json.loads(text), schema.json_schema(schema.EFFECT))


@pytest.mark.parametrize(
    "more",
    [
        ("--epsilon", "1", "--delta", "1e-6"),
        ("--method", "pc"),
        ("--x", "income", "--y", "debt", "--epsilon", "1"),
    ],
)
def test_discover_never_holds_a_value_of_the_data(
    folder: Path, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    # Released tables, graphs and scores hold no record: levels are shown only where typed.
    table = pd.DataFrame(
        {
            "income": np.resize([73921.25, 48271.75, 61538.5], 60),
            "debt": np.resize([61538.5, 73921.25], 60),
        }
    )
    if "--x" not in more:
        table["name"] = np.resize(["Zebulon", "Quimby", "Xanthia", "Quimby"], 60)
        table = table[["name", "debt"]].assign(debt=table["debt"].map("{:.2f}".format) + " owed")
    table.to_csv("people.csv", index=False)
    asked = ["discover", "people.csv", *more, "--seed", "1"]
    for out in ([], ["--json"], *([] if "--x" in more else [["--out", "out"]])):
        assert main([*asked, *out]) == 0
        printed = capsys.readouterr()
        assert not held(printed.out + printed.err)
    assert ("--x" in more) != (folder / "out").exists()
    for file in (folder / "out").glob("*"):
        assert not held(file.read_text()), file
