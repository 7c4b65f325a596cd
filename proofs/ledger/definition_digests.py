"""The definitions that theorems are stated with, by digest, as they were last read and compared.

A file of definitions that has changed is refused until somebody has read it again, has run the
comparison with Python (``make verify-formal``), and has written down its digest here.
"""

from collections.abc import Mapping
from typing import Final

RECORDED: Final[Mapping[str, str]] = {
    "definitions.associative": "f6f3763c372270b3",
    "definitions.audit": "735b8e23e21d6364",
    "definitions.conditional": "9527450551779b0c",
    "definitions.counted": "de9d338449b40620",
    "definitions.dataset": "ca9e0f5c0c5f0286",
    "definitions.finite": "af70712616590f4f",
    "definitions.hsic": "674be01bfd175028",
    "definitions.inner": "986f3032f2c2eeac",
    "definitions.interventional": "bf17ada24dbcf998",
    "definitions.kendall": "f16e319ba29b51c0",
    "definitions.knowledge": "fbe1eef2a88869bc",
    "definitions.mechanism": "8debfef233563bf1",
    "definitions.model": "b6445ebc8d651525",
    "definitions.permutation": "b3bf0de3aadc5e1e",
    "definitions.propose": "3e6b8b4fea43bb61",
    "definitions.release": "dd432cc1daa10369",
    "definitions.ridge": "2496f947e2e6406d",
    "definitions.sieve": "a88267ea40060b61",
    "definitions.spearman": "adc51c99dfc84321",
    "definitions.spread": "50fc1f0d442bf2a9",
}
"""File, with dots below ``proofs/coq``, and digest of its text without comments."""
