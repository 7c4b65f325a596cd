"""CURATE: Scaling-Up Differentially Private Causal Graph Discovery (2024).

The body of the text was not at hand: what is decided is what the authors' released code does.
"""
