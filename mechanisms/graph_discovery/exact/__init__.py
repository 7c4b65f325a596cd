"""Exact distributions of whole private searches on small tables."""
