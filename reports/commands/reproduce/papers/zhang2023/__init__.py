"""Experiments of Zhang et al. (2023), PCD."""
