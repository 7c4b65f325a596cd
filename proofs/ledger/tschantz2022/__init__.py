"""Entries of Tschantz, Sen and Datta, Differential Privacy as a Causal Property (2022)."""

from functools import partial

from provado.mechanisms import Source

WORK = "Tschantz, Sen and Datta, Differential Privacy as a Causal Property (2022)"

source = partial(Source, WORK)
"""Return the paper with a place in it."""
