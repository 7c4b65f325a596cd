"""Causal graphs of many columns: constraint-based discovery and its private variants."""
