"""The site builds without a warning and asks for nothing from the network."""

import importlib
import pkgutil
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.docs.fences import pages, read

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / "docs/hooks"
LOADED = {"script", "link", "img", "iframe", "source", "video", "audio", "embed", "object", "use"}
"""Elements that make a browser fetch something."""


@pytest.fixture
def hook(monkeypatch):
    monkeypatch.syspath_prepend(str(HOOKS))
    return importlib.import_module


class Fetched(HTMLParser):
    """Gathers what a page fetches, and what it links to."""

    def __init__(self):
        super().__init__()
        self.fetched, self.linked, self.ids = [], [], set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given[key] for key in ("id", "name") if given.get(key)}
        for key in ("src", "srcset", "href", "data", "poster"):
            if given.get(key) and tag in LOADED:
                self.fetched.append(given[key])
        if tag == "a" and given.get("href"):
            self.linked.append(given["href"])


def outside(address):
    return re.match(r"(https?:)?//", address) is not None


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a site built with warnings as errors; the ledger is not decided, which takes long."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    path = list(sys.path)
    config = load_config(
        str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(folder), extra={"decide": False}
    )
    try:
        config.plugins.on_startup(command="build", dirty=False)
        # Strict: ends with an exception if there was any warning.
        build(config)
    finally:
        config.plugins.on_shutdown()
        sys.path[:] = path
    return folder


@pytest.mark.slow
def test_every_page_is_there_and_fetches_nothing_from_outside(site):
    built = sorted(site.rglob("*.html"))
    assert {str(path.relative_to(site)) for path in built} >= {
        page.replace(".md", ".html") for page in pages()
    }
    for path in built:
        page = Fetched()
        page.feed(path.read_text(encoding="utf-8"))
        assert page.fetched, path
        assert not [one for one in page.fetched if outside(one)], path
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", text), style


@pytest.mark.slow
def test_nothing_is_left_of_what_the_hooks_replace(site):
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "make:" not in re.findall(r"<!--.*?-->", text), path
        assert "no-run=" not in text, path
        assert "``" not in re.sub(r"<pre.*?</pre>", "", text, flags=re.DOTALL), path


@pytest.mark.slow
def test_the_reference_names_what_is_public(site):
    from provado import audit, mechanisms

    for room, package in (("audit", audit), ("mechanisms", mechanisms)):
        page = Fetched()
        page.feed((site / f"reference/{room}.html").read_text(encoding="utf-8"))
        missing = {f"{package.__name__}.{name}" for name in package.__all__} - page.ids
        assert not missing


def test_an_outside_address_is_seen():
    page = Fetched()
    page.feed('<script src="https://x.org/a.js"></script><a href="https://y.org">y</a>')
    assert [outside(one) for one in page.fetched] == [True]
    assert [outside(one) for one in ("//x.org/a", "css/a.css", "../img/a.png")] == [
        True,
        False,
        False,
    ]


MACHINE = re.compile(
    r"(?<![\w.])/(tmp|home|root|work|Users|usr|opt|var)/|\blocalhost\b|127\.0\.0\.1"
)


def test_no_page_holds_a_path_of_a_machine():
    assert MACHINE.search("rootdir: /tmp/x/page")
    for page in pages():
        assert not MACHINE.search(read(page)), page


def test_files_that_pages_include_exist():
    included = [
        path
        for page in pages()
        for path in re.findall(r'^--8<-- "(.*)"$', read(page), re.MULTILINE)
    ]
    assert included
    for path in included:
        assert (ROOT / "docs" / path).is_file()


def test_links_outside_go_to_public_project_sites_only():
    for page in pages():
        for host in re.findall(r"https?://([\w.-]+)", read(page)):
            assert host in {"github.com", "docs.pytest.org", "arxiv.org"}, f"{page}: {host}"


def documented():
    """Return the names that pages ask the API reference for."""
    return [name for page in pages() for name in re.findall(r"^::: (\S+)$", read(page), re.M)]


@pytest.mark.parametrize("name", documented())
def test_what_the_reference_documents_is_there(name):
    assert pkgutil.resolve_name(name).__doc__


def test_every_page_is_in_the_navigation():
    listed = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(listed) == pages()
    assert len(set(listed)) == len(listed)


# The hooks.


@pytest.mark.parametrize(
    ("docstring", "markdown"),
    [
        ("Return ``x`` of a_b.", "Return `x` of a_b."),
        ("C: guesses that were right.", "C: guesses that were right."),
        ("Σ α_i φ_i and *stars* [0, 1]", r"Σ α_i φ_i and \*stars\* \[0, 1\]"),
        ("_private < 3", r"\_private &lt; 3"),
        ("Subclass it::\n\n    class A(B):", "Subclass it:\n\n    class A(B):"),
        (">>> f(1)\n2", "```pycon\n>>> f(1)\n2\n```"),
        ("S.\n\nSource: Dwork.", "S.\n\n**Source.** Dwork."),
        (
            "S.\n\na: one thing,\n    with more.\nb, c: ``two``.",
            "S.\n\n- **`a`**: one thing, with more.\n- **`b`, `c`**: `two`.",
        ),
        (
            "S.\n\na: one.\nb: two.\nBoth matter.",
            "S.\n\n- **`a`**: one.\n- **`b`**: two.\n\nBoth matter.",
        ),
        (
            "S.\n\na: one.\nb: two and\nmore. Last.",
            "S.\n\n- **`a`**: one.\n- **`b`**: two and more. Last.",
        ),
        ("S.\n\nSo be it: here.\nAnd there.", "S.\n\nSo be it: here.\nAnd there."),
        ("S.\n\nnote: here.\nAnd there.", "S.\n\nnote: here.\nAnd there."),
    ],
)
def test_docstrings_become_markdown(hook, docstring, markdown):
    assert hook("prose").markdown(docstring) == markdown


def test_the_tables_hold_every_entry_and_mechanism(hook):
    from provado.proofs.ledger import ledger

    undecided = hook("tables").undecided_tables()
    rows = [line for line in undecided.splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == [entry.id for entry in ledger()]
    assert {row.count(" | ") for row in rows} == {5}


def test_the_page_of_released_libraries_shows_what_was_recorded(hook):
    shown = hook("tables").atlas_table().splitlines()
    assert " packages, " in shown[0]
    assert shown[2].startswith("| package | what |")
    assert len(shown) > 50
    assert {line.replace("\\|", "").count("|") for line in shown[2:]} == {8}


def test_a_verdict_that_changed_stops_the_build(hook, monkeypatch):
    tables = hook("tables")
    from dataclasses import replace

    from provado.proofs.ledger import LedgerVerdict, ledger

    entry = next(one for one in ledger() if one.id == "kusner2016/thm5")
    monkeypatch.setattr(tables, "ledger", lambda: (entry,))
    assert "| argued" in tables.ledger_tables()
    wrong = replace(entry, expected=LedgerVerdict.REFUTED)
    monkeypatch.setattr(tables, "ledger", lambda: (wrong,))
    with pytest.raises(RuntimeError, match="kusner2016/thm5"):
        tables.ledger_tables()


def test_the_help_of_every_command_is_shown(hook, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    text = hook("pages").commands()
    for name in ("audit", "discover", "effect", "list", "report", "verify"):
        assert f"## provado {name}\n" in text
    assert max(map(len, text.splitlines())) > 70
    assert "--epsilon" in text


def test_no_run_is_taken_out_and_markers_are_filled(hook):
    made = hook("pages").on_page_markdown(
        '```console no-run="why"\n$ make\n```\n<!-- make: config-keys -->\n',
        config=type("Config", (), {"extra": {}}),
    )
    assert made.startswith("```console\n$ make")
    assert "| `epsilon` |" in made
