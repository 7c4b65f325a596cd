"""What a configuration says, and what is told about a wrong one: file, line, key, rule."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

from provado.audit.options.declaration import RELATIONS
from provado.mechanisms import UsageError
from provado.reports.config.keys import EXPECTED, keys_of, run_keys
from provado.reports.config.read import find_configuration, read_configuration
from provado.reports.documents.schema import CONFIG, json_schema

WHOLE = """\
alpha = 0.1
out = "out"
baseline = "known.json"
format = ["markdown", "junit=a.xml"]

[defaults]
samples = 1000
relation = "replace-one"
seed = 7

[audits.count]
target = "mine.py:count"
epsilon = 1
data = [0, 1, 1]

[audits."two.words"]
target = "pack.age:f"
epsilon = 2.5
delta = 1e-6
relation = "bounded-answers"
sensitivity = 2
pairs = [["d0.json", [1, 2]], [[1.0], [2.0]]]
seconds = 5
expected = "violation"
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "provado.toml"


def refused(file: Path, text: str | bytes) -> str:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError) as raised:
        read_configuration(file, file.name)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_whole_configuration(write: Path) -> None:
    write.write_text(WHOLE)
    found = read_configuration(write)
    assert found.run == {
        "confidence": 0.9,
        "out": "out",
        "baseline": "known.json",
        "format": ("markdown", "junit=a.xml"),
    }
    assert list(found.audits) == ["count", "two.words"]
    count, other = found.audits.values()
    assert count.settings["samples"] == 1000
    assert count.settings["relation"] == "replace-one"
    # An audit's seconds put the samples of the defaults aside; its relation wins.
    assert "samples" not in other.settings
    assert other.settings["seconds"] == 5
    assert other.settings["relation"] == "bounded-answers"
    assert {spec.settings["seed"] for spec in (count, other)} == {7}


WRONG: list[tuple[str, str, str]] = [
    ("epsilon = 1\n", "epsilom = 1\n", "line 13: audits.count.epsilom: there is no such key; did "
                                       "you mean 'epsilon'?"),
    ("[defaults]", "[default]", "line 6: default: there is no such key; did you mean 'defaults'?"),
    ("[audits.count]", "[audit.count]", "line 11: audit: there is no such key; did you mean 'aud"),
    ("alpha = 0.1", "seed = 1", "line 1: seed: there is no such key in the top of the configurati"),
    ("seed = 7", "target = 'a:b'", "line 9: defaults.target: there is no such key in [defaults]; "
                                   "it belongs in an audit"),
    ("epsilon = 2.5", 'epsilon = "2.5"', "line 18: audits.\"two.words\".epsilon: '2.5' is refused"),
    ("epsilon = 1\n", "epsilon = true\n", "line 13: audits.count.epsilon: true is refused: it mus"),
    ("epsilon = 1\n", "epsilon = 'e'\n", "it must be a finite number above 0; a number is written"),
    ("epsilon = 1\n", "epsilon = nan\n", "audits.count.epsilon: nan is refused: it must be a fin"),
    ("epsilon = 1\n", "epsilon = -0.0\n", "audits.count.epsilon: -0.0 is refused"),
    ("epsilon = 1\n", f"epsilon = {10**400}\n", "audits.count.epsilon: 1000"),
    ("1e-6", "1", 'line 19: audits."two.words".delta: 1 is refused: it must be a number of at le'),
    ("alpha = 0.1", "alpha = 0", "line 1: alpha: 0 is refused: it must be a number above 0 and"),
    ("alpha = 0.1", "alpha = 1e-20", "line 1: alpha: 1e-20 is refused"),
    ("alpha = 0.1", "alpha = 0.1\nconfidence = 0.9", "line 1: alpha: confidence is given too"),
    ("samples = 1000", "samples = 1.5", "line 7: defaults.samples: 1.5 is refused: it must be a w"),
    ("samples = 1000", "samples = 10\nseconds = 1", "line 8: defaults.seconds: samples is given t"),
    ('"replace-one"', '"replace-on"', "must be one of 'replace-one', 'add-or-remove-one', 'bound"),
    ('"replace-one"', "['x']", "line 8: defaults.relation: ['x'] is refused: it must be one of"),
    ('"violation"', '"violated"', "line 24: audits.\"two.words\".expected: 'violated' is refused:"),
    ('"bounded-answers"', '"replace-one"', 'line 21: audits."two.words".sensitivity: it belongs '),
    ('"mine.py:count"', '"mine.py"', "line 12: audits.count.target: 'mine.py' is refused: it must"),
    ('target = "mine.py:count"\n', "", "line 11: audits.count.target: missing: what is audited, p"),
    ("[[1.0], [2.0]]", "[[1.0]]", 'line 22: audits."two.words".pairs[1]: [[1.0]] is refused: it'),
    ("[[1.0], [2.0]]", "[1, {}]", 'line 22: audits."two.words".pairs[1][1]: {} is refused: it m'),
    ("data = [0, 1, 1]", "data = true", "line 14: audits.count.data: true is refused"),
    ("data = [0, 1, 1]", "values = [1]", "line 14: audits.count.values: they are what may stand"),
    ("[audits.count]", '[audits."a:b"]', 'line 11: audits."a:b": the name of an audit may have'),
    ("[audits.count]", '[audits."x.py"]', 'line 11: audits."x.py": the name of an audit may'),
    ('["markdown", ', '[3, ', "line 4: format[0]: 3 is refused: it must be a text in quotes"),
    ("epsilon = 1\n", "epsilon = 1\nepsilon = 2\n", "line 14: not readable as TOML: Cannot overw"),
    ("epsilon = 1\n", "epsilon 1\n", "line 13: not readable as TOML: Expected '=' after a key in a"
                                    " key/value pair: epsilon 1"),
    ("[defaults]", "[defaults", "line 6: not readable as TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_wrong_configuration_is_told_in_one_line(
    write: Path, old: str, new: str, message: str
) -> None:
    assert WHOLE.count(old) >= 1
    told = refused(write, WHOLE.replace(old, new, 1))
    assert told.startswith("provado.toml, line ")
    assert message in told


def test_files_that_are_no_text_or_no_toml(write: Path) -> None:
    told = refused(write, b"a = 1\nb = '\xff'\n")
    assert told.startswith("provado.toml, line 2: not UTF-8, which TOML must be: ")
    assert "`iconv -f WINDOWS-1252 -t UTF-8 " in told
    assert "nested too deeply" in refused(write, "a = " + "[" * 5000)
    assert "defaults: 3 is refused: it must be a table" in refused(write, "defaults = 3")
    assert "audits: [] is refused: it must be a table" in refused(write, "audits = []")
    assert "audits.x: 1 is refused: it must be a table" in refused(write, "audits = {x = 1}")


def test_a_key_that_waits_behind_a_sign_is_found(write: Path) -> None:
    assert refused(write, "[audits.b]\n# seed = 2\n  # target = 'x:y'\n").startswith(
        "provado.toml, line 3: audits.b.target: missing"
    )
    assert refused(write, "[audits.b]\n[audits.c]\n# target = 'x:y'\n").startswith(
        "provado.toml, line 1: audits.b.target: missing"
    )


def test_a_mark_in_front_and_line_ends_of_two_signs(write: Path) -> None:
    write.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert len(read_configuration(write).audits) == 2
    wrong = WHOLE.replace("epsilon = 1\n", "epsilom = 1\n").replace("\n", "\r\n")
    assert "line 13: audits.count.epsilom" in refused(write, wrong)


def test_the_nearest_configuration_upward(write: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write.parent
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    write.write_text(WHOLE)
    (folder / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    found = find_configuration()
    assert found is not None
    assert (found.source.shown, found.folder) == ("../../provado.toml", folder)
    nested = "[tool.other]\nx = 1\n" + "".join(
        f"{line}\n" for line in WHOLE.replace("[", "[tool.provado.").splitlines()[5:14]
    ).replace("data = [tool.provado.", "data = [")
    (folder / "a" / "pyproject.toml").write_text(nested)
    found = find_configuration()
    assert found is not None
    assert found.source.shown == "../pyproject.toml"
    assert list(found.audits) == ["count"]
    (folder / "a" / "pyproject.toml").write_text(nested.replace("epsilon", "epsilom"))
    with pytest.raises(UsageError, match=r"line 10: tool\.provado\.audits\.count\.epsilom: there"):
        find_configuration()
    (folder / "a" / "pyproject.toml").write_text(nested)
    (folder / "a" / "provado.toml").write_text(WHOLE)
    with pytest.raises(UsageError, match=r"has \[tool\.provado\] too; keep one of them"):
        find_configuration()


def test_a_file_that_is_named(write: Path) -> None:
    other = write.with_name("other.toml")
    other.write_text(WHOLE)
    found = find_configuration(other)
    assert found is not None
    assert len(found.audits) == 2
    with pytest.raises(UsageError, match=r"gone\.toml: it cannot be read"):
        find_configuration(write.with_name("gone.toml"))
    project = write.with_name("pyproject.toml")
    project.write_text("[tool.x]\n")
    with pytest.raises(UsageError, match=r"it has no table \[tool\.provado\]"):
        find_configuration(project)


def test_the_schema_is_valid_and_describes_each_key() -> None:
    form = json_schema(CONFIG)
    jsonschema.Draft202012Validator.check_schema(form)
    for key, rules in (keys_of("audit") | run_keys()).items():
        assert rules["description"], key
    assert set(keys_of("audit")["relation"]["enum"]) == set(RELATIONS)
    assert set(keys_of("audit")["expected"]["enum"]) == set(EXPECTED)
    # Other readers of the schema refuse what this program refuses.
    assert not jsonschema.Draft202012Validator(form).is_valid({"audits": {"a": {"epsilon": 0}}})
    jsonschema.validate(tomllib.loads(WHOLE), form)
