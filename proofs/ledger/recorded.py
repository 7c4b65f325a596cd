"""The definitions that theorems are stated with, by digest, as they were last read and compared.

A file of definitions that has changed is refused until somebody has read it again, has run the
comparison with Python (``make verify-formal``), and has written down its digest here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RECORDED: Final[Mapping[str, str]] = {
    "definitions.associative": "f6f3763c372270b3",
    "definitions.audit": "735b8e23e21d6364",
    "definitions.finite": "af70712616590f4f",
    "definitions.interventional": "f1fdfdb57bf42d41",
    "definitions.knowledge": "fbe1eef2a88869bc",
    "definitions.mechanism": "8debfef233563bf1",
    "definitions.model": "b6445ebc8d651525",
    "definitions.spread": "50fc1f0d442bf2a9",
}
"""File, with dots below ``proofs/coq``, and digest of its text without comments."""
