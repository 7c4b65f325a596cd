"""Results show themselves: in a line, in an executed notebook with picture and bar, as a page."""

from __future__ import annotations

import re
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.result import GROUP, view
from provado.audit.workers.progress import Progress
from provado.mechanisms import UsageError
from provado.reports.audit_report import notebook

CELLS = (
    """import numpy as np
from provado.audit import audit

def noisy_count(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)

result = audit(noisy_count, epsilon=1.0, pair=([1, 0], [1, 1]), samples=300_000, progress=True)
""",
    "result",
    "result.plot()",
    "print(result)",
)


def noisy_count(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)


@pytest.fixture(scope="module")
def result():
    return audit(noisy_count, epsilon=1.0, pair=([1, 0], [1, 1]), samples=20_000)


@pytest.fixture(scope="module")
def broken():
    return audit(lambda data: 1 / 0, epsilon=1.0, pair=([0], [1]), samples=100, name="<b>x</b>")


@pytest.fixture(scope="module")
def executed():
    """Return the outputs of each cell of a notebook that was run."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient").NotebookClient
    pytest.importorskip("ipykernel")
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS]
    made = nbformat.v4.new_notebook(cells=cells)
    client(made, timeout=600, kernel_name="python3").execute()
    return [cell.outputs for cell in made.cells]


def test_a_notebook_shows_the_result_the_plot_and_a_bar(executed):
    bar, shown_result, plotted, printed = executed
    assert any("<progress" in one.data.get("text/html", "") for one in bar if "data" in one)
    assert not any("\x1b" in one.get("text", "") for one in bar)
    (one,) = shown_result
    assert ">violation</span>" in one.data["text/html"]
    assert "data:image/svg+xml;base64," in one.data["text/html"]
    (one,) = plotted
    assert one.data["text/html"].startswith("<img ")
    (one,) = printed
    assert one.text.startswith("noisy_count: violation, claimed ε = 1, certified ε ≥ 1.9")
    assert one.text.count("\n") == 1


def test_a_line_says_what_was_found(result, broken):
    lower = re.search(r"claimed ε = 1, certified ε ≥ ([\d.]+) \(95 % confidence\)$", str(result))
    assert lower is not None
    assert float(lower[1]) == pytest.approx(result.epsilon_lower, abs=1e-3)
    assert str(broken).startswith("<b>x</b>: unknown: the mechanism raised ZeroDivisionError")
    assert "AuditResult(" in repr(result)


def test_what_a_mechanism_says_is_no_markup(broken):
    html = broken._repr_html_()
    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "<img" not in html
    assert "nothing was drawn" in broken.plot().svg


def test_the_picture_stands_alone(result, tmp_path):
    picture = result.plot()
    root = ElementTree.fromstring(picture.svg)
    assert len(root.findall(".//{http://www.w3.org/2000/svg}svg")) == 3
    assert "Errors of the rule" in picture.said
    assert "://" not in picture.svg.replace("http://www.w3.org/2000/svg", "")
    picture.save(tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text(encoding="utf-8") == picture.svg


def test_the_page_is_that_of_the_command_line(result, tmp_path):
    text = result.to_html(tmp_path / "one.html")
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == text
    assert result.to_html().startswith("<!doctype html>")
    assert "What was examined, and what was not" in text
    assert 'class="signature"' in text
    # There is no command that repeats a call of the library.
    assert "Run it again" not in text


def test_on_a_terminal_the_bar_is_a_line(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    notebook.bar("mine")(Progress("certify", 1, 2))
    assert "mine: certifying" in capsys.readouterr().err


def test_a_bar_is_shown_only_where_one_is_asked_for(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for progress in (None, False):
        audit(noisy_count, epsilon=1.0, pair=([0], [1]), samples=200_000, progress=progress)
        assert capsys.readouterr().err == ""
    audit(noisy_count, epsilon=1.0, pair=([0], [1]), samples=1_000_000, progress=True)
    assert "certifying" in capsys.readouterr().err


def test_who_shows_results_is_installed_under_a_name(monkeypatch):
    (found,) = entry_points(group=GROUP)
    assert found.load() is notebook
    assert Path(notebook.__file__).name == "notebook.py"
    monkeypatch.setattr("provado.audit.result.entry_points", lambda **_: ())
    view.cache_clear()
    try:
        with pytest.raises(UsageError, match="install provado"):
            view()
    finally:
        view.cache_clear()
