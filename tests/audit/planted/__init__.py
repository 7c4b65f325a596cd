"""Small changes of ``audit`` that alter the law of the experiment: the data of ``mutants.py``."""

from tests.audit.planted.bounds import BOUNDS
from tests.audit.planted.counts_and_plan import COUNTS, PLAN, STREAMS
from tests.audit.planted.experiment import EXPERIMENT
from tests.audit.planted.mutant import Mutant
from tests.audit.planted.one_run import ONE_RUN
from tests.audit.planted.run import EXPLORATION, RUN
from tests.audit.planted.search import SEARCH

__all__ = ["MUTANTS", "Mutant"]

MUTANTS = (*BOUNDS, *COUNTS, *PLAN, *STREAMS, *EXPERIMENT, *EXPLORATION, *RUN, *ONE_RUN, *SEARCH)
