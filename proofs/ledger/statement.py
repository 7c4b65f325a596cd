"""A claim in Coq's language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """A proposition of Coq, made from a claim's data.

    text: the proposition. imports: the files of definitions that it is written with, below
    ``proofs/coq`` and with dots: ``definitions.mechanism``. It sees no others.
    """

    text: str
    imports: tuple[str, ...]
