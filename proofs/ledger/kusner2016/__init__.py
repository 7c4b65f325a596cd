"""Entries of Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016)."""

from functools import partial

from provado.mechanisms import Source

WORK = "Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016)"

source = partial(Source, WORK)
"""Return the paper with a place in it."""
