"""Exact output probabilities of programs that compare and release Laplace noise."""
