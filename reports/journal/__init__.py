"""What a run keeps of itself while it draws, so that it can be gone on with."""

from .begin import open_journal
from .file import NAME, Journal

__all__ = ["NAME", "Journal", "open_journal"]
