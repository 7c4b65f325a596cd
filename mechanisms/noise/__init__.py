"""Noise sampled exactly, grids that hide the low bits, and integrals over noise."""
