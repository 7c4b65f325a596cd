"""Work in processes of their own: whatever happens there, the caller gets an answer and goes on.

``start``: how a process begins; ``child``: one piece of work; ``apart``: many of them; ``threads``:
linear algebra in few of them.
"""

from __future__ import annotations

from .child import GRACE, Broken, Child, Send
from .pieces import InterruptedWorkError, Work, run_apart
from .start import UnsendableError, can_isolate, goes_apart, to_bytes, unsendable
from .threads import one_thread

__all__ = [
    "GRACE",
    "Broken",
    "Child",
    "InterruptedWorkError",
    "Send",
    "UnsendableError",
    "Work",
    "can_isolate",
    "goes_apart",
    "one_thread",
    "run_apart",
    "to_bytes",
    "unsendable",
]
