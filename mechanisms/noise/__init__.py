"""Noise sampled exactly, the noise of a sieve, grids that hide low bits, integrals over noise."""
