"""Dependence scores of additive noise models: one file a score, with its stated sensitivity."""
