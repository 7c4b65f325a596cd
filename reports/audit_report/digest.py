"""What binds a report together: the number of its audits, and a digest over all that it says.

A digest without a signature shows accidents and partial edits: an audit that is missing, added,
replaced or moved, a field that was changed. It does not stop a forger, who computes it anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any


def digest(document: dict[str, Any]) -> dict[str, Any]:
    """Return the key ``digest`` of a document: SHA-256 over everything else in it.

    Over its canonical text, in UTF-8: keys sorted, no spaces, no escapes but JSON's own.
    """
    held = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # Undecodable parts of file names are lone surrogates, which UTF-8 has no bytes for.
    sha256 = hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
    return {"audits": len(document["audits"]), "sha256": sha256}


def digest_differences(document: dict[str, Any]) -> Iterator[str]:
    """Yield what the recorded digest does not fit."""
    recorded, again = document["digest"], digest(document)
    if recorded["audits"] != again["audits"]:
        yield f"digest: {recorded['audits']} audits were recorded; the file holds {again['audits']}"
    if recorded["sha256"] != again["sha256"]:
        yield "digest: the file is not as it was written: something in it was changed"
