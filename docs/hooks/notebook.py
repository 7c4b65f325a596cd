"""Turns an executed notebook into Markdown: text, code and outputs as they stand in the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "pages/notebooks"


def notebook(name: str) -> str:
    """Return the cells of the notebook ``name`` with their outputs, and a link to the file."""
    cells = json.loads((FOLDER / name).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join([*map(_cell, cells), f"[Download this notebook]({name})"])


def _cell(cell: Mapping[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *map(_output, cell["outputs"])])


def _output(output: Mapping[str, Any]) -> str:
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "text/html" in data:
        # A blank line would end the element for Markdown.
        lines = "".join(data["text/html"]).splitlines()
        return f'<div class="shown">{" ".join(filter(None, lines))}</div>'
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"
