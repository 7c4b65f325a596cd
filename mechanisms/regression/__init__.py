"""Kernel ridge regression as the private additive noise model uses it, and its sensitivity."""
