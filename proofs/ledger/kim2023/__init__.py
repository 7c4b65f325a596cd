"""Kim and Schrab, Differentially Private Permutation Tests (2023).

The body of the text was not at hand: what is decided is what the authors' package computes.
"""

from functools import partial

from provado.mechanisms import Source

WORK = (
    "Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods "
    "(2023)"
)

source = partial(Source, WORK)
"""Return the paper with a place in it."""
