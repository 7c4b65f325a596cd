"""The line of each key, against texts made together with their answers."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.reports.config.read import Keys as Path
from provado.reports.config.read import key_line


def paths(value: Any, path: Path = ()) -> set[Path]:
    """Return every path of a document, from what the reader of TOML made of it."""
    found: set[Path] = {path} if path else set()
    if isinstance(value, dict):
        return found.union(*(paths(one, (*path, key)) for key, one in value.items()))
    if isinstance(value, list):
        return found.union(*(paths(one, (*path, i)) for i, one in enumerate(value)))
    return found


def key_lines(text: str) -> dict[Path, int]:
    """Return the line of every key."""
    return {path: key_line(text, path) for path in paths(tomllib.loads(text))}


TEXT = """\
# a comment with = and [table]
top = 1
"quoted key".'it''s'.x = 2

[a.b]            # header = comment
list = [ 1, # one
  [ "]", '#' ],
  { in = 1, "line" = [
     2] } ]
s = \"\"\"
[not.a.table]
x = 1
\"\"\"
d = 1979-05-27 07:32:00

[[rows]]
n = 1
[rows.sub]
k = 'v'
[[rows]]
n = 2
sub.k = '''a''''
[[rows.inner]]
deep = true
"""


def test_a_text_with_everything() -> None:
    text = TEXT.replace("'it''s'", '"it\'s"')
    lines = key_lines(text)
    assert set(lines) == paths(tomllib.loads(text))
    wanted: dict[Path, int] = {
        ("top",): 2,
        ("quoted key", "it's", "x"): 3,
        ("a",): 5,
        ("a", "b", "list", 0): 6,
        ("a", "b", "list", 1, 1): 7,
        ("a", "b", "list", 2, "in"): 8,
        ("a", "b", "list", 2, "line", 0): 9,
        ("a", "b", "s"): 10,
        ("a", "b", "d"): 14,
        ("rows",): 16,
        ("rows", 0, "n"): 17,
        ("rows", 0, "sub", "k"): 19,
        ("rows", 1): 20,
        ("rows", 1, "n"): 21,
        ("rows", 1, "sub", "k"): 22,
        ("rows", 1, "inner", 0, "deep"): 24,
    }
    assert {path: lines[path] for path in wanted} == wanted


def naive(text: str) -> dict[Path, int]:
    """Return lines as one finds who looks for headers and signs = alone."""
    found: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("["):
            table = tuple(line.strip("[]").split("."))
        elif "=" in line:
            found.setdefault((*table, line.partition("=")[0].strip()), number)
    return found


def test_plain_texts_have_the_lines_of_the_naive_reader_and_others_have_not() -> None:
    plain = "a = 1\n\n[t]\nb = 2\nc = 3\n[t.u]\nd = 4\n"
    lines = key_lines(plain)
    assert {path: lines[path] for path in naive(plain)} == naive(plain)
    # A header inside a text leads the naive reader astray.
    assert naive(TEXT)["not", "a", "table", "x"] == 12
    assert ("not",) not in key_lines(TEXT.replace("'it''s'", "'its'"))


def test_line_ends_of_two_signs_count_once() -> None:
    assert key_lines("a = 1\r\n\r\nb = 2\r\n") == {("a",): 1, ("b",): 3}


def test_what_is_no_toml_is_told_as_such() -> None:
    with pytest.raises(ValueError, match="at line 2"):
        key_line("a = 1\n! = 2\n", ("a",))


KEYS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=5)
SCALARS = st.one_of(
    st.integers(-99, 99).map(str),
    st.sampled_from(
        ["true", "1.5", "inf", "07:32:00", "1979-05-27 07:32:00Z", "'#]}'", "''", '""']
    ),
    st.sampled_from(['"""a\n"b""c"""', "'''x\n[t]\ny = 1'''", '"\\"]#"', '"""""a"""', "''''b'''"]),
)
GAPS = st.sampled_from(["", " ", "\t"])
BREAKS = st.sampled_from(["", "\n", " # ]\n", "\n\n  "])


@st.composite
def written(draw: st.DrawFn, key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    literal = "'" not in key
    forms = [json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")]
    forms += [key] * bool(bare) + [f"'{key}'"] * literal
    return draw(st.sampled_from(forms))


@st.composite
def values(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["scalar", "scalar", "array", "inline"])) if depth else "scalar"
    if kind == "array":
        parts = draw(st.lists(values(depth - 1), max_size=3))
        return "[" + "".join(f"{draw(BREAKS)}{part}{draw(BREAKS)}," for part in parts) + "\n]"
    if kind == "inline":
        keys = draw(st.lists(KEYS, max_size=3, unique=True))
        parts = [f"{draw(written(key))}{draw(GAPS)}= {draw(values(depth - 1))}" for key in keys]
        return "{ " + ", ".join(parts) + " }"
    return draw(SCALARS)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[Path, int]]:
    """Return a text of TOML and the lines of its tables and of the keys right in them."""
    text, lines = "", {}
    tables = draw(st.lists(st.lists(KEYS, min_size=1, max_size=3), max_size=4))
    heads: list[tuple[str, ...]] = [(), *dict.fromkeys(map(tuple, tables))]
    taken: set[Path] = set()
    for head in heads:
        text += draw(st.sampled_from(["", "\n", "# a = 1\n"]))
        if any(head[:n] in taken for n in range(len(head) + 1)):
            continue
        if head:
            lines[head] = text.count("\n") + 1
            dots = [f"{draw(GAPS)}{draw(written(part))}{draw(GAPS)}" for part in head]
            text += f"[{'.'.join(dots)}] # head\n"
        below = {other[len(head)] for other in heads if other[: len(head)] == head != other}
        for key in draw(st.lists(KEYS, max_size=3, unique=True)):
            if key in below:
                continue
            taken.add((*head, key))
            lines[*head, key] = text.count("\n") + 1
            text += f"{draw(GAPS)}{draw(written(key))} = {draw(values())}{draw(GAPS)}# x = 1\n"
    return text, lines


@settings(max_examples=150)
@given(documents())
def test_generated_texts(made: tuple[str, dict[Path, int]]) -> None:
    text, wanted = made
    document = tomllib.loads(text)
    lines = key_lines(text)
    assert set(lines) == paths(document)
    own = {path: line for path, line in wanted.items() if path in lines}
    # A table that a deeper header implied earlier keeps that earlier line.
    for path, line in own.items():
        assert lines[path] == line or lines[path] in wanted.values()
        if not any(other[: len(path)] == path != other for other in wanted):
            assert lines[path] == line
