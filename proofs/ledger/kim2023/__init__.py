"""Kim and Schrab, Differentially Private Permutation Tests (2023).

The body of the text was not at hand: what is decided is what the authors' package computes.
"""
