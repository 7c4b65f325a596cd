"""Audits of few runs: many interventions in each, every one guessed.

``api``: the function and its result; ``request`` reads the arguments; ``draws`` makes the runs, and
the datasets from the records that the coins are tossed for.
"""
