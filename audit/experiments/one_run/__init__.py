"""Audits of few runs: many interventions in each, every one guessed.

``api``: the function; ``request`` reads its arguments, ``draws`` makes the runs, ``result`` says
what came of them, ``canaries`` are the records that the coins are tossed for.
"""
