"""Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023)."""

from functools import partial

from provado.mechanisms import Source

WORK = "Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023)"

source = partial(Source, WORK)
"""Return the paper with a place in it."""
