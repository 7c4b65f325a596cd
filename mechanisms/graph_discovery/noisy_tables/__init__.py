"""Graphs from noisy contingency tables: what is released, and tests that know the noise."""
