"""Exact distributions of the catalogue's mechanisms, from which its true ε follow."""
