"""Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016)."""
