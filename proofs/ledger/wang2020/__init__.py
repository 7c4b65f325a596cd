"""Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)."""

from functools import partial

from provado.mechanisms import Source

WORK = "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)"

source = partial(Source, WORK)
"""Return the paper with a place in it."""
