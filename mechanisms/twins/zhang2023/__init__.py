"""PCD (Zhang et al. 2023)."""
