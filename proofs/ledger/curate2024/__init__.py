"""CURATE: Scaling-Up Differentially Private Causal Graph Discovery (2024).

The body of the text was not at hand: what is decided is what the authors' released code does.
"""

from functools import partial

from provado.mechanisms import Source

WORK = (
    "Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph Discovery "
    "(2024)"
)

source = partial(Source, WORK)
"""Return the paper with a place in it."""
