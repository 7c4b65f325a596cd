"""Exact algebra: exponential polynomials, and programs that add Laplace noise."""
