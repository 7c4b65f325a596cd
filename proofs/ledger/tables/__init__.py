"""What this project's own noisy tables promise (``discover --method tables``)."""

from functools import partial

from provado.mechanisms import Source

source = partial(Source, "Provado, discover --method tables")
"""Return the method with a place in it."""
