"""Releases of Kusner et al. (2016) with one fault each."""
