"""Work in processes of their own: whatever happens there, the caller gets an answer and goes on.

``start``: how a process begins; ``child``: one piece of work; ``pieces``: many of them.
"""

from .child import GRACE, Broken, Child, InterruptedWorkError, Send, Work, run_in_processes, waiting
from .start import (
    UnsendableError,
    can_isolate,
    one_thread,
    runs_in_subprocess,
    to_bytes,
    unsendable,
)

__all__ = [
    "GRACE",
    "Broken",
    "Child",
    "InterruptedWorkError",
    "Send",
    "UnsendableError",
    "Work",
    "can_isolate",
    "one_thread",
    "run_in_processes",
    "runs_in_subprocess",
    "to_bytes",
    "unsendable",
    "waiting",
]
