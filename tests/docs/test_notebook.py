"""The notebook of the documentation shows what its cells give."""

import importlib
import json
import re

import pytest

from tests.docs.fences import PAGES
from tools.notebook import NOTEBOOK, executed


def shown(cells):
    """Return each cell with its outputs, without pictures and the kernel's numbering."""
    outputs = [json.dumps(cell.get("outputs", []), ensure_ascii=False) for cell in cells]
    plain = [re.sub(r"base64,[\w+/=]+|\"execution_count\": \w+", "", text) for text in outputs]
    return [("".join(cell["source"]), text) for cell, text in zip(cells, plain, strict=True)]


def test_its_outputs_are_those_of_a_fresh_run():
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert len(kept) == 10
    assert shown(executed(NOTEBOOK)["cells"]) == shown(kept)


def test_a_changed_output_is_seen():
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    changed = json.loads(json.dumps(kept).replace("certified", "proved", 1))
    assert shown(changed) != shown(kept)


def test_its_page_has_code_outputs_and_the_file(monkeypatch):
    monkeypatch.syspath_prepend(str(PAGES.parent / "hooks"))
    page = importlib.import_module("notebook").notebook(NOTEBOOK.name)
    assert page.startswith("# Audit a mechanism")
    assert page.count("```python") == 5
    assert '<div class="shown"><div><p><b>noisy_count</b>' in page
    assert "repaired: no violation found, claimed ε = 1, certified ε ≥" in page
    assert (PAGES / "notebooks" / NOTEBOOK.name) == NOTEBOOK
    assert page.endswith(f"({NOTEBOOK.name})")


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", NOTEBOOK.read_text("utf-8")))
def test_its_links_lead_to_pages(link):
    assert (NOTEBOOK.parent / link).is_file()
