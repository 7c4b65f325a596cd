"""Tschantz, Sen and Datta, Differential Privacy as a Causal Property (2022)."""
