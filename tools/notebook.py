"""Execute the notebook of the documentation: ``make notebook``, and first in ``make docs``.

Every cell of ``docs/pages/notebooks/audit-a-mechanism.ipynb`` runs anew in a fresh kernel, and the
outputs are written into the file, from which the documentation makes its page.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "docs/pages/notebooks/audit-a-mechanism.ipynb"


def executed(file: Path) -> dict[str, Any]:
    """Return the notebook with the outputs of a fresh run; raises where a cell raises."""
    made = nbformat.read(file, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            made,
            timeout=600,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    # The version of Python differs with each machine; a page needs no text beside HTML.
    made.metadata.get("language_info", {}).pop("version", None)
    for cell in made.cells:
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", ()):
                del output.data["text/plain"]
    return json.loads(nbformat.writes(made))


def main() -> int:
    """Write the executed notebook; return the exit status."""
    text = json.dumps(executed(NOTEBOOK), indent=1, ensure_ascii=False) + "\n"
    NOTEBOOK.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
