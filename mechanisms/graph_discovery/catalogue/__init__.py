"""Queries and searches of Wang et al. (2020) and Zhang et al. (2023), as printed and repaired."""
