"""Exact chances of outputs: integrals, given data, (ε, δ) of finite domains."""
