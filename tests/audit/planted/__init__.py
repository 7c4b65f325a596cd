"""Small changes of ``audit`` that alter the law of the experiment: the data of ``mutants.py``."""

from planted.bounds import BOUNDS
from planted.counts_and_plan import COUNTS, PLAN, STREAMS
from planted.experiment import EXPERIMENT
from planted.mutant import Mutant
from planted.run import EXPLORATION, RUN

__all__ = ["MUTANTS", "Mutant"]

MUTANTS = (*BOUNDS, *COUNTS, *PLAN, *STREAMS, *EXPERIMENT, *EXPLORATION, *RUN)
