"""The theorems behind this project's own audit: guesses, bets and counts."""

from functools import partial

from provado.mechanisms import Source

source = partial(Source, "Provado, the audit")
"""Return the audit with a place in it."""
