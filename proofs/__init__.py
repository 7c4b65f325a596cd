"""Exact evidence about privacy claims."""
