"""Spearman's ρ and Kendall's τ."""
