"""Exact probabilities of propose-test-release, in the algebra of Laplace noise."""
