"""Write the JSON Schema of provado.toml from the declaration of the options.

Run by ``python -m tools.config_schema``; a test says when it is needed.
"""

from __future__ import annotations

import json
from pathlib import Path

from provado.reports.config.keys import config_schema

FILE = Path(__file__).parent.parent / "reports/documents/schemas/config_schema.json"


def text() -> str:
    """Return what the file should hold."""
    return json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
