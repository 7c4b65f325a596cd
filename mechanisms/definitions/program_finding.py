"""What was proved, or refuted by exact probabilities, of a program that is audited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ProgramFinding:
    """What ``provado prove`` finds of a program's claim of pure ε: in real numbers, not as it runs.

    verdict: of the claim. claim: the claimed ε as text. relation, scope: which neighbors, data and
    parameters it speaks of, in words.
    epsilon: what is proved to be enough, ``None`` where nothing is. exact: whether no smaller ε is.
    loss: of a refuted claim what the counterexample loses, which may be infinite.
    words: what was found, in sentences. rests_on: what a proof takes for granted. reason: why the
    claim is undecided.
    """

    verdict: Literal["proved", "refuted", "undecided"]
    claim: str
    relation: str
    scope: str
    epsilon: float | None = None
    exact: bool = False
    loss: float | None = None
    words: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    reason: str = ""
